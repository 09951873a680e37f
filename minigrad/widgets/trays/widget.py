"""The widget itself: a board whose screens are those of `screens`."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from ...language import _
from ..board import Board
from . import bricks
from .numbers import said
from .programs import PRESETS, PROGRAMS, Preset, group_of
from .running import Run
from .screens import Place, entered, settings, show, stored_states
from .two_models import TWO_MODELS
from .two_roads import TWO_ROADS


class Trays(Board):
    """Trays, switches and scissors on a small graph; every screen is run by the engine."""

    def __init__(self, preset: str = "as written"):
        found = _named(preset)
        group = PROGRAMS[found.program].group
        all_settings = "two models" if group == "two models" else "case 1"
        together = group_of(found.program)
        told = [(_summary(one), Place.start(one, one.story[:1]).state) for one in together]
        super().__init__(
            "trays",
            show,
            Place.start(found).state,
            stored=[*settings(all_settings), *stored_states(group)],
            told=told,
            figure=_figure(group),
            captioned=True,
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
    From "nothing cut" on there are two models in a row, and scissors at every place between them.

    Args:
        preset: where to start from, as its button says, with or without backquotes; it also
            decides which presets stand beside it.

    Raises `LookupError` with the known presets for any other name.

    >>> trays("mean, then sum").press("out.backward()").press("out2.backward()")
    Trays: out2 sends 1 to every entry of x. The tray held 4.5, so it now holds 4.5 + 1 = 5.5.
    >>> trays("nothing cut").press("loss.backward()").press("optimizer.step()")
    Trays: step() moves u to 2.8 and w to 4.88. What was made of the old weights stays as it was.
    """
    return Trays(preset)


def _named(preset: str) -> Preset:
    found = [one for one in PRESETS if preset in (one.says, one.says.replace("`", ""))]
    if not found:
        known = ", ".join(repr(one.says.replace("`", "")) for one in PRESETS)
        raise LookupError(f"there is no preset {preset!r}; there are {known}")
    return found[0]


def _figure(group: str) -> str:
    """Moments that say most, as images: the way back open and cut, and a tray that adds up."""
    if group == "two models":
        return _stills(TWO_MODELS.still, "nothing cut", "b = a.detach()")
    after_two = Place.start(one := _named("mean, then sum"), one.story[:2]).run
    shown = _captioned(bricks.still_of(after_two), _("mean, then sum: x.grad after each of them"))
    return _stills(TWO_ROADS.still, "as written", "a.detach()") + shown


def _stills(still_of: Callable[[Run], str], *presets: str) -> str:
    """These settings, each after its first event, under what that leaves."""
    return "".join(
        _captioned(still_of(Place.start(one, one.story[:1]).run), _summary(one))
        for one in map(_named, presets)
    )


def _captioned(image: str, says: str) -> str:
    return f"<div>{escape(says)}</div>{image}"


def _summary(preset: Preset) -> str:
    """A setting and its result in a line, for pages where no script runs."""
    run = Place.start(preset, preset.story[:1]).run
    shown = run.program.names[:2] if run.program.group == "two models" else (run.first,)
    grads = ", ".join(f"{name}.grad {said(run.facts[name].grad)}" for name in shown)
    after = _("after one backward()")
    return f"{preset.says.replace('`', '')}: {grads} {after}"
