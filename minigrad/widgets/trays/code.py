"""The code of a setting, and of what was done: copied into a cell, it does the same."""

from __future__ import annotations

from .drawn import escape
from .programs import ROUND, STEP, Line
from .running import Moment, Run


def lines_of(run: Run) -> list[Line]:
    """The lines of the program, then what each event ran."""
    lines = list(run.lines)
    if any(moment.event == ROUND for moment in run.moments):
        return _as_a_loop(run)
    for moment in run.moments:
        lines += [run.lines[number] for number in moment.again]
        lines.append(Line(_as_code(moment)))
    return lines


def _as_code(moment: Moment) -> str:
    return f"with mg.no_grad(): {STEP}" if moment.event == STEP else moment.event


def _as_a_loop(run: Run) -> list[Line]:
    leaf, loss = run.lines
    return [
        leaf,
        Line(f"for _ in range({len(run.moments)}):"),
        Line(f"    {loss.code}"),
        Line("    loss.backward()"),
        Line("    with mg.no_grad():"),
        Line("        w -= 0.1 * w.grad"),
    ]


def text(run: Run) -> str:
    """The code as it is run.

    >>> import minigrad as mg
    >>> from .running import Runner
    >>> print(text(Runner(mg).run("never zeroed", [], [ROUND] * 3)))
    w = mg.tensor(0., requires_grad=True)
    for _ in range(3):
        loss = (w - 3) ** 2
        loss.backward()
        with mg.no_grad():
            w -= 0.1 * w.grad
    """
    return "\n".join(line.code for line in lines_of(run))


def html(run: Run) -> str:
    """The code in a pane, with what a switch has written in marks, and the line that stopped."""
    stopped = run.stopped[0] if run.stopped else None
    shown = []
    for number, line in enumerate(lines_of(run)):
        code = escape(line.code)
        for mark in line.marks:
            code = code.replace(escape(mark), f"<mark>{escape(mark)}</mark>")
        shown.append(f'<span class="stops">{code}  ✗</span>' if number == stopped else code)
    inside = "\n".join(shown)
    return f'<pre class="code trays-code" tabindex="0">{inside}</pre>'


def folded(run: Run, summary: str) -> str:
    """The same to unfold, for cards with no room for it beside the picture."""
    return f'<details class="trays-fold"><summary>{escape(summary)}</summary>{html(run)}</details>'
