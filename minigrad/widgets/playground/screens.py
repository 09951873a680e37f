"""The screens of the playground: what stands where, and which button leads to which state."""

from __future__ import annotations

from ...language import _
from ..board import Button, Screen, State
from ..safe import Refused, parse
from .boxes import boxes, without
from .drawn import graph, numbers, picture
from .errors import spelled
from .measured import NUDGES, Measured, Value, places
from .words import place, told


def screen_of(state: State, presets: tuple[tuple[str, State], ...]) -> Screen:
    """The screen of a state.

    A state has the `text`, the `values` of its names, `by`, the place that is moved, the `nudge`,
    and whether it goes to `both` sides. `typed` is a text that was refused, instead of which the
    `text` before it is still shown.
    """
    refused = _refused(state.get("typed"))
    try:
        found = Measured(state["text"], state["values"], state["by"], state["nudge"], state["both"])
    except Refused as refusal:  # the values do not fit
        found, refused = None, refused or refusal
    parts = [boxes(state, refused)]
    sentence = str(refused)
    rows = (("", tuple(_preset(state, text, to) for text, to in presets)),)
    if found:
        parts += [picture(found), graph(found), numbers(found)]
        sentence = sentence if refused else told(found)
        rows += (*_moved(state, found), _sides(state))
    return Screen(
        _("The slope of {}").format(f"`{state['text']}`"),
        place(found) if found else "",
        rows,
        tuple(parts),
        sentence,
        _nudges(state) if found else (),
    )


def _refused(typed: str | None) -> Refused | None:
    if typed is None:
        return None
    try:
        parse(typed)
    except Refused as refusal:
        return refusal
    return None


# --- Buttons -------------------------------------------------------------------------------------


def _preset(state: State, text: str, to: State) -> Button:
    return Button(f"`{text}`", to, pressed=state["text"] == text)


def _moved(state: State, found: Measured) -> tuple:
    """Which place the curve goes along, where there are several."""
    if len(found.places) == 1:
        return ()
    chosen = tuple(
        Button(f"`{place.name}`", without(state, by=place.name), pressed=place == found.by)
        for place in found.places
    )
    return ((_("move"), chosen),)


def _nudges(state: State) -> tuple:
    at = NUDGES.index(state["nudge"]) if state["nudge"] in NUDGES else 0
    keys = {at - 1: "ArrowLeft", at + 1: "ArrowRight"}
    sizes = tuple(
        Button(spelled(nudge), without(state, nudge=nudge), pressed=i == at, key=keys.get(i, ""))
        for i, nudge in enumerate(NUDGES)
    )
    return ((_("nudge"), sizes),)


def _sides(state: State) -> tuple:
    """Whether the nudge goes to one side or to both."""
    sides = ((_("up"), False), (_("up and down"), True))
    chosen = (Button(w, without(state, both=b), pressed=state["both"] == b) for w, b in sides)
    return (_("direction"), tuple(chosen))


def first_place(values: dict[str, Value]) -> str:
    """The place that is moved at first: x, if there is one."""
    names = [place.name for place in places(values)]
    return "x" if "x" in names else next(iter(names), "")
