"""The table of what every tensor has, and why; with boxes for a guess while that is asked for."""

from __future__ import annotations

from collections.abc import Mapping

from ...language import _
from .because import alike, because, of_all_alike
from .drawn import escape
from .numbers import read, said
from .running import Fact, Run

COLUMNS = ("tensor", "requires_grad", "is_leaf", "grad_fn", ".grad", "because")
Guesses = Mapping[str, str]


def html(run: Run, guesses: Guesses | None = None, asking: bool = False) -> str:
    """The table. While `asking`, boxes stand for `.grad` and because."""
    heads = "".join(f'<th scope="col">{escape(_(column))}</th>' for column in COLUMNS)
    merged = alike(run) if not asking and not guesses else ()
    rows = "".join(
        _row(run, name, why, merged, guesses or {}, asking) for name, why in because(run).items()
    )
    if asking:  # the last cell for a reason is empty as all are, and behind the last box
        cell = '<td class="why">'
        before, behind = rows.rsplit(cell, 1)
        check = f'<button type="button" data-enter>{escape(_("Check"))}</button>'
        rows = f"{before}{cell}{check}{behind}"
    label = escape(_("what every tensor has, and why"))
    return (
        f'<table class="facts" aria-label="{label}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _row(
    run: Run, name: str, why: str, merged: tuple[str, ...], guesses: Guesses, asking: bool
) -> str:
    fact = run.facts[name]
    here = ' class="here"' if name == run.first else ""
    cells = "".join(f'<td class="at">{escape(said_)}</td>' for said_ in _flags(fact))
    kind = "g" if fact and fact.grad is not None else "g none"
    grad = _box(name) if asking and fact else escape(_grad(fact))
    cells += f'<td class="{kind}">{grad}</td><td class="kind">{escape(_kind(fact))}</td>'
    if name not in merged:
        told = "" if asking else _judged(fact, why, guesses.get(name))
        cells += f'<td class="why">{escape(told)}</td>'
    elif name == merged[0]:
        cells += f'<td class="why" rowspan="{len(merged)}">{escape(of_all_alike())}</td>'
    return f'<tr{here}><th scope="row">{name}</th>{cells}</tr>'


def _box(name: str) -> str:
    label = escape(_("your guess for {}.grad: a number, or None").format(name))
    return f'<input data-input="{name}" aria-label="{label}" size="6" autocomplete="off">'


def _judged(fact: Fact | None, why: str, guess: str | None) -> str:
    """The sentence, after a word about a guess if there was one."""
    if guess is None or fact is None:
        return why
    right = is_right(guess, fact.grad)
    return f"{_('Right.') if right else _('Not quite.')} {why}"


def is_right(guess: str, grad: float | None) -> bool:
    """Whether a guess as it was typed is the `.grad`: None is not 0.

    >>> is_right("7", 7.0), is_right("0", None), is_right("None", None)
    (True, False, True)
    """
    number = read(guess)
    if number is None or grad is None:
        return number is grad
    return abs(number - grad) <= 1e-3 * max(1.0, abs(grad))


def _flags(fact: Fact | None) -> tuple[str, str, str]:
    if fact is None:
        return ("—",) * 3
    return str(fact.requires_grad), str(fact.is_leaf), str(fact.grad_fn)


def _grad(fact: Fact | None) -> str:
    return said(fact.grad) if fact else "—"


def _kind(fact: Fact | None) -> str:
    """Three columns in a word, for narrow cards."""
    if fact is None:
        return ""
    if fact.grad_fn:
        return fact.grad_fn
    return _("leaf") if fact.requires_grad else _("leaf, asks for none")


def text(run: Run, guesses: Guesses | None = None, asking: bool = False) -> str:
    """The same as text, one tensor a line."""
    lines = []
    for name, why in because(run).items():
        fact = run.facts[name]
        known = ", ".join(
            f"{column} {value}" for column, value in zip(COLUMNS[1:4], _flags(fact), strict=True)
        )
        if asking:
            lines.append(f"{name}: {known}; .grad ?")
        else:
            judged = _judged(fact, why, (guesses or {}).get(name))
            lines.append(f"{name}: {known}; .grad {judged}")
    return "\n".join(lines)
