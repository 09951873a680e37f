"""Pictures of the roads of a run: each in two sizes, with what all of them say and show alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...language import _
from ...viz.blocks import MAIN, SMALL
from ...viz.measure import text_width
from .drawn import Points, arrow, middle, rect, text
from .numbers import said
from .running import Run
from .still import still

Box = tuple[float, float, float, float]
Toggle = Callable[[str], Any]


@dataclass(frozen=True)
class Picture:
    """A picture that is drawn for wide and for narrow pages, of which a style sheet shows one.

    Attributes:
        places: where everything stands, in the wide one and in the narrow one.
        draw: draws one of them, given a run, what pressing a switch leads to, the places, and
            the words.
        describe: what the picture of a run says, in words.
    """

    places: tuple[Any, Any]
    draw: Callable[[Run, Toggle, Any, str], str]
    describe: Callable[[Run], str]

    def __call__(self, run: Run, toggle: Toggle) -> str:
        """Both sizes; ``toggle(switch)`` is the state that pressing a switch leads to."""
        alt = self.describe(run)
        return "".join(self.draw(run, toggle, places, alt) for places in self.places)

    def still(self, run: Run) -> str:
        """The wide one as an image, in which nothing can be pressed."""
        alt = self.describe(run)
        return still(self.draw(run, lambda switch: None, self.places[0], alt), alt)


def came_to(run: Run, name: str) -> float | None:
    """What came to a tensor in the last pass."""
    fact = run.facts[name]
    return fact.came if fact else None


def told_grads(run: Run) -> str:
    """Which tensors have a .grad, as the last sentence about a picture."""
    grads = [f"{n}.grad {said(f.grad)}" for n, f in run.facts.items() if f and f.grad is not None]
    return ", ".join(grads) + "." if grads else _("No tensor has a .grad.")


def edge(points: Points, kind: str) -> str:
    """An arrow of values (``f``) or of gradients (``g``)."""
    return f'<g class="edge">{arrow(points, kind)}</g>'


def tray(middle_x: float, y: float, width: float, high: float, grad: str, kind: str) -> str:
    """A tray with what is in it, a little wider than ``width`` where that needs more room."""
    size = SMALL if "small" in kind else MAIN
    width = max(width, text_width(grad, size, bold="came" in kind) + 4)
    middle_x = max(middle_x, width / 2 + 1)  # its border lies within the picture
    there = kind != "small"
    drawn = rect("tray" if there else "tray none", middle_x - width / 2, y, width, high)
    return drawn + middle(kind, middle_x, y + 20, grad)


def legend(value: float, gradient: float, y: float) -> str:
    """What the two arrows mean, each beginning at its x."""
    drawn = edge(((value, y), (value + 30, y)), "f")
    drawn += edge(((gradient + 30, y), (gradient, y)), "g")
    drawn += text("small dim", value + 38, y + 4, _("the value passes"))
    says = _("the gradient comes back, unless scissors stop it")
    return drawn + text("small dim", gradient + 38, y + 4, says)
