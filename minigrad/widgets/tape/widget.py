"""The widget itself: a board whose screens are those of `screens`."""

from __future__ import annotations

from ...language import _
from ..board import Board
from .programs import PROGRAMS
from .screens import begin, entered, show, stored_states, told_states


class TapeViewer(Board):
    """The board of `tape_viewer`."""


def tape_viewer(program: str = "f") -> TapeViewer:
    """Look at what one run of a program with `while` and `if` leaves behind.

    Choose an input: which lines ran how often, what is on the tape, the graph, value and gradient.
    Then record the run and repeat its tape with another input, with and without a guard.

    Args:
        program: ``"f"``, or ``"doubled"``, whose input is a vector.

    Raises `ValueError` for another program.

    >>> tape_viewer().press("200")
    TapeViewer: With 200 the line b = b * 2 ran 2 times. The graph holds 3 multiplications and no \
while.
    """
    if program not in PROGRAMS:
        known = ", ".join(map(repr, PROGRAMS))
        raise ValueError(f"program is one of {known}, not {program!r}")
    return TapeViewer(
        _("control-flow tape"),
        show,
        begin(program),
        stored=stored_states(),
        told=list(told_states()),
        style="tape",
        entered=entered,
    )
