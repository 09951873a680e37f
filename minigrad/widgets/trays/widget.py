"""The widget itself: a board whose screens are those of `screens`."""

from __future__ import annotations

from typing import Any

from ...language import _
from ..board import Board
from .programs import PRESETS, Preset
from .screens import Place, entered, settings, show, stored_states


class Trays(Board):
    """Trays, switches and scissors on a small graph; every screen is run by the engine."""

    def __init__(self, preset: str = "as written"):
        found = _named(preset)
        told = [(_summary(one), Place.start(one, one.story[:1]).state) for one in PRESETS]
        super().__init__(
            "trays",
            show,
            Place.start(found).state,
            stored=[*settings(), *stored_states()],
            told=told,
            style="trays",
            entered=entered,
        )

    @property
    def grads(self) -> dict[str, Any]:
        """The `.grad` of each tensor that is shown.

        >>> Trays("a.detach()").press("y.backward()").grads
        {'x': 3.0, 'a': None, 'b': None, 'y': None}
        """
        facts = Place.of(self.state).run.facts
        return {name: fact.grad if fact else None for name, fact in facts.items()}


def trays(preset: str = "as written") -> Trays:
    """Show which tensor keeps a gradient, and why: y = (x + 1)(x + 2) with switches on it.

    Press `y.backward()` and look into the trays; cut a road with the scissors, or say
    `retain_grad()`. Presets lead to other settings, among them two results that add up in one tray.

    Args:
        preset: where to start from, as its button says, with or without backquotes.

    Raises `LookupError` with the known presets for any other name.

    >>> trays("mean, then sum").press("out.backward()").press("out2.backward()")
    Trays: out2 sends 1 to every entry of x. The tray held 4.5, so it now holds 4.5 + 1 = 5.5.
    """
    return Trays(preset)


def _named(preset: str) -> Preset:
    found = [one for one in PRESETS if preset in (one.says, one.says.replace("`", ""))]
    if not found:
        known = ", ".join(repr(one.says.replace("`", "")) for one in PRESETS)
        raise LookupError(f"there is no preset {preset!r}; there are {known}")
    return found[0]


def _summary(preset: Preset) -> str:
    """A setting and its result in a line, for pages where no script runs."""
    run = Place.start(preset, preset.story[:1]).run
    grad = run.facts[run.first].grad
    result = "None" if grad is None else f"{grad:.4g}"
    after = _("after one backward()")
    return f"{preset.says.replace('`', '')}: {run.first}.grad {result} {after}"
