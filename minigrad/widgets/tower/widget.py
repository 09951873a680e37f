"""The widget itself: a board whose screens are those of `screens`."""

from __future__ import annotations

from ...language import _
from ..board import Board
from .drawn import still
from .floors import build
from .screens import PRESETS, entered, read_state, show, state_of, stored_states

TOLD = (("x * x * y", ("x", "x")), ("tanh(x)", ("x",) * 4))  #: unfolded where no script runs


class Tower(Board):
    """Floors of gradients; every one is run by the engine."""

    def __init__(self, text: str = PRESETS[0], *by: str):
        start = state_of(" ".join(text.split()), by)
        text, by = read_state(start)
        build(text, by)
        super().__init__(
            "tower",
            show,
            start,
            stored=stored_states(),
            told=[(_summary(*place), state_of(*place)) for place in TOLD],
            figure=_figure(text, by),
            style="tower",
            entered=entered,
        )


def _summary(text: str, by: tuple[str, ...]) -> str:
    """A tower in a line."""
    said = _("`z = {}`: {} nodes in the graph of {}")
    top = build(text, by).top
    return said.format(text, top.total, top.name)


def _figure(text: str, by: tuple[str, ...]) -> str:
    """The tower as an image; one that begins at the ground is shown with two floors on it."""
    if by:
        return still(build(text, by))
    return f"<div>{_('With two floors on it:')}</div>{still(build(text, ('x', 'x')))}"


def tower(text: str = PRESETS[0], *by: str) -> Tower:
    """Show a formula, its gradient, and the gradients of that as floors that stand on each other.

    Args:
        text: a formula of x, or of x and y; see `minigrad.widgets.safe`.
        by: the leaf of each walk back that is there at first, such as ``"x", "x"``; with ``-``
            behind it, ``"x-"``, the walk is not recorded.

    Raises `ValueError` with a sentence for a text that is no such formula, and for a walk to what
    is no leaf of it.

    >>> here = tower("x * x * y").press("grad(…, x, create_graph=True)")
    >>> here.screen.sentence
    '∂z/∂x = 12. The walk to it left 4 new nodes. Its graph has 6: 2 are of other floors.'
    """
    return Tower(text, *by)
