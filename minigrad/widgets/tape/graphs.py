"""The graphs that several runs of one program left, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from ...language import _
from ..board import Part
from .drawn import as_text, shown
from .programs import Input, Program
from .recording import Step
from .running import operations, run

MOST_ALIKE = 5  #: so many operations that are alike are drawn one by one


def graphs(program: Program, at: Input) -> Part:
    """The graphs that runs on several inputs left, that of the present one marked."""
    inputs = list(program.inputs.values())
    inputs += [at] if at not in inputs else []
    heads = (program.letter, _("graph"), _("nodes"), _("gradient"))
    rows, told = [], [heads]
    for one in inputs:
        found = run(program.name, one)
        named, here = program.input_named(one), one == at
        if found.stopped:
            chain, said, count, gradient = escape(_("none: stopped")), _("none: stopped"), "–", "–"
        else:
            signs = [_sign(step) for step in operations(found.tape)]
            chain, said = _ovals(program.letter, signs), " → ".join([program.letter, *signs])
            count, gradient = str(len(found.nodes)), shown(found.gradient)
        mark = "▶ " if here else ""
        rows.append(
            f'<tr{" class=here" if here else ""}><th scope="row">{mark}{escape(named)}</th>'
            f"<td>{chain}</td><td>{count}</td><td>{escape(gradient)}</td></tr>"
        )
        told.append((f"{mark}{named}", said, count, gradient))
    head = "".join(f'<th scope="col">{escape(said)}</th>' for said in heads)
    html = (
        f'<table class="facts graphs"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    return Part("graphs", html, as_text(told), _("graphs of several runs"), share=7)


def folded(part: Part) -> Part:
    """The same to unfold, for cards with no room for it beside the tape."""
    summary = escape(part.title)
    html = f'<details class="graphs-fold"><summary>{summary}</summary>{part.html}</details>'
    return Part("folded graphs", html, "")


def _sign(step: Step) -> str:
    """An operation with its plain number, such as ``× 2``.

    >>> import operator
    >>> _sign(Step("v2", operator.mul, ("v1", 2), "v1 * 2", 3))
    '× 2'
    """
    number = next((one for one in step.inputs if not isinstance(one, str)), "")
    return f"× {number}" if "*" in step.says else step.says


def _ovals(letter: str, signs: Sequence[str]) -> str:
    drawn = [f'<span class="box">{escape(letter)}</span>']
    for sign, alike in groupby(signs):
        count = len(list(alike))
        ovals = [f'<span class="oval">{escape(sign)}</span>'] * count
        if count > MOST_ALIKE:
            ovals[2:-2] = [f"<span>{escape(_('… {} more …').format(count - 4))}</span>"]
        drawn += ovals
    return f'<span class="chain">{"".join(drawn)}</span>'
