"""Parts of the tape's screens, as HTML and as text: the program, the tape, what came of both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from ...language import _
from ..board import Part
from ..tables import rows
from .programs import Program
from .recording import Step, Tape
from .running import ROUNDS, Replay, Run, operations

MOST_ROWS = 8  #: of a tape that is shown whole
KEPT_ROWS = (4, 3)  #: of a longer one: so many at its beginning, so many at its end


def shown(value: Any) -> str:
    """A value as it stands in a table: True and False as yes and no, a true minus sign.

    >>> shown(1003.52001953125), shown(-120000.0), shown((0.5, 2.0)), shown(True)
    ('1003.52', '−120000', '[0.5, 2]', 'yes')
    """
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple):
        return f"[{', '.join(f'{number:.5g}' for number in value)}]".replace("-", "−")
    return f"{value:.7g}".replace("-", "−")


# --- The program ------------------------------------------------------------------------------


def lines(program: Program, found: Run) -> Part:
    """The program, and how often each of its lines ran."""
    rows, told = [], []
    for number, code in enumerate(program.lines, start=1):
        times = found.counts[number]
        counted = number > 1 and code.strip() != "else:"  # Python does not stop at these two
        said = "" if not counted else f"{times} ×" if times else _("not run")
        look = ' class="idle"' if counted and not times else ""
        rows.append(
            f"<tr{look}><td>{number}</td><td><code>{escape(code)}</code></td>"
            f"<td>{escape(said)}</td></tr>"
        )
        told.append(f"{said:>8}  {code}".rstrip())
    html = f'<table class="tape-lines"><tbody>{"".join(rows)}</tbody></table>'
    return Part("lines", html, "\n".join(told), _("lines, and how often each ran"), share=4)


# --- The tape ---------------------------------------------------------------------------------


def kept_rows(tape: Tape, chosen: Step | None = None) -> list[Step | int]:
    """The rows of a tape: operations of the result and questions; a number stands for so many.

    What leads to a question alone is written inside of it. `chosen` is shown in any case.
    """
    made = operations(tape)
    rows: list[Step | int] = [s for s in tape.steps if s in made or s.answer is not None]
    if len(rows) <= MOST_ROWS:
        return rows
    first, last = KEPT_ROWS
    inner = rows[first:-last]
    if chosen not in inner:
        return [*rows[:first], len(inner), *rows[-last:]]
    at = inner.index(chosen)
    before, after = inner[: max(at - 1, 0)], inner[at + 1 :]
    gap_before = [len(before)] if before else []
    gap_after = [len(after)] if after else []
    return [*rows[:first], *gap_before, *inner[len(before) : at + 1], *gap_after, *rows[-last:]]


def asked(tape: Tape, step: Step) -> str:
    """A question with what leads to it written inside, such as ``v1.norm() < 1000``."""
    made = {one.result for one in operations(tape)}
    names = {one.result: one for one in tape.steps}

    def inside(name: Any) -> str:
        if name not in names or name in made:
            return str(name)
        one = names[name]
        said = one.says
        for inner in one.inputs:
            if isinstance(inner, str) and inner in names and inner not in made:
                said = said.replace(inner, inside(inner))
        return said

    return inside(step.result)


def tape_of_run(program: Program, found: Run) -> Part:
    """What one run left on the tape."""
    title = _("tape: what was done, in order")
    if found.stopped:
        said = _("There is no tape, because the run was stopped after {:,} rounds.").format(ROUNDS)
        return Part("tape", f"<p>{escape(said)}</p>", said, title, beside=True, share=6)
    rows = [_cells(program, found.tape, row, [found.values]) for row in kept_rows(found.tape)]
    return _tape(title, (_("line"), _("on the tape"), _("value")), rows)


def tape_of_replay(program: Program, found: Replay, recorded: str, at: str, guarded: bool) -> Part:
    """The tape with the values of its run, and those of the replay beside them."""
    rows, before = [], found.recorded.values
    refused = False
    for row in kept_rows(found.tape, found.refused):
        cells = _cells(program, found.tape, row, [before, found.values])
        if refused:
            cells = (*cells[:3], "")
        elif isinstance(row, Step) and row.answer not in (None, found.values[row.result]):
            refused = guarded
            cells = (*cells[:3], f"{cells[3]} ✗ {_('refused') if guarded else _('nobody looks')}")
        rows.append(cells)
    heads = (_("line"), _("on the tape"), _("at {}").format(recorded), _("now {}").format(at))
    return _tape(_("tape, recorded at {}").format(recorded), heads, rows)


def _cells(
    program: Program, tape: Tape, row: Step | int, values: Sequence[dict[str, Any]]
) -> tuple[str, ...]:
    if isinstance(row, int):
        return ("", _("… {} more …").format(row), *("" for _one in values))
    line = str(row.line) if row.line else ""
    says = f"{row.result} = {row.says}" if row.answer is None else f"{asked(tape, row)} ?"
    says = re.sub(r"\bx\b", program.letter, says)
    return (line, says, *(shown(known[row.result]) for known in values))


def _tape(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Part:
    """The table of a tape; a row with a cross stands out."""
    head = "".join(f'<th scope="col">{escape(said)}</th>' for said in heads)
    body = ""
    for row in rows:
        look = ' class="here"' if "✗" in row[-1] else ""
        code = f"<code>{escape(row[1])}</code>" if row[2] else escape(row[1])
        cells = "".join(f"<td>{escape(said)}</td>" for said in row[2:])
        body += f"<tr{look}><td>{escape(row[0])}</td><td>{code}</td>{cells}</tr>"
    html = f'<table class="facts tape"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return Part("tape", html, as_text([heads, *rows]), title, beside=True, share=6)


def as_text(rows: Sequence[Sequence[str]]) -> str:
    """Rows with their columns below each other."""
    wide = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    lines = ("  ".join(f"{said:<{wide[i]}}" for i, said in enumerate(row)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


# --- Two results ------------------------------------------------------------------------------


def results(program: Program, found: Run) -> Part:
    """Value and gradient of a run, and the quotient of both."""
    letter = program.letter
    if found.stopped:
        said = _("Nothing came out.")
        return Part("results", f"<p>{escape(said)}</p>", said, _("what came of it"), share=4)
    rows = [(_("result"), shown(found.value)), (f"{letter}.grad", shown(found.gradient))]
    if program.v:
        rows.append((_("handed to backward"), shown(program.v)))
    else:
        same = found.quotient == found.gradient
        rows += [
            (_("result / {}").format(letter), f"{found.quotient:.9g}".replace("-", "−")),
            (f"{letter}.grad == {_('result')} / {letter}", str(same)),
        ]
    return _pairs("results", rows, _("what came of it"))


def _pairs(key: str, rows: Sequence[tuple[str, str]], title: str) -> Part:
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(said)}</td></tr>'
        for name, said in rows
    )
    html = f'<table class="facts"><tbody>{body}</tbody></table>'
    return Part(key, html, as_text(rows), title, share=4)


def two_results(program: Program, found: Replay, guarded: bool) -> Part:
    """What the tape gives, and what the program gives."""
    refused = guarded and found.refused is not None
    true = found.true
    none = _("none: it never ends")
    heads = ("", _("the tape"), f"{program.name}({program.letter})")
    body = [
        (_("value"), _("refused") if refused else shown(found.value),
         none if true.stopped else shown(true.value)),
        (_("gradient"), _("refused") if refused else shown(found.gradient),
         none if true.stopped else shown(true.gradient)),
        (_("operations"), str(len(operations(found.tape))),
         none if true.stopped else str(len(true.nodes))),
    ]  # fmt: skip
    html = f'<table class="facts two">{rows(heads, body)}</table>'
    return Part("results", html, as_text([heads, *body]), _("repeated, and run"), share=4)
