"""The board of finite differences: a function, an eps, and how far nudging is from backward.

A state is a dict: `f` the name of a case, or an expression after ``=``; `x` where it is tried, None
for the place of the case; `e` the power, for eps = 10⁻ᵉ. With `ask` a guess comes first; `guess` is
the power that was pressed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape

from minigrad.viz.plot import image

from ...language import _
from ..board import Board, Button, Part, Screen, State
from ..safe import numbers
from .cases import CASES, case_of
from .drawn import PAPER, chart, picture, table
from .measured import POWERS, Measured
from .words import answered, place, question, told

FIRST = 1


class ErrorCurve(Board):
    """The board of `error_curve`."""


def error_curve(function: str = "cube", x: float | None = None) -> ErrorCurve:
    """See how far finite differences are from what backward says, for eps from 0.1 to 1e-12.

    Args:
        function: ``"cube"``, ``"forgets"``, ``"nearly"``, ``"kink"`` or ``"beside"``, or an
            expression in x of one's own; see `minigrad.widgets.safe`.
        x: where it is tried.

    Raises:
        ValueError: for a text that is no expression in x.

    >>> error_curve().press("eps ÷ 10").screen.sentence.partition(" gradcheck")[0]
    'With eps = 0.01, nudging says 12.0001 and backward says 12. They are 0.0001 apart.'
    """
    start = _first(function if function in CASES else f"={function}", x)
    return ErrorCurve(
        _("finite differences"),
        show,
        start,
        stored=stored_states(),
        told=[_told_line(name) for name in CASES],
        figure=_still(start),
        style="error_curve",
        entered=entered,
    )


def _first(name: str, x: float | None = None) -> State:
    return _checked({"f": name, "x": None if x is None else float(x), "e": FIRST})


@lru_cache(32)
def _measured(name: str, x: float | None) -> Measured:
    return Measured(case_of(name, x))


def _of(state: State) -> Measured:
    return _measured(state["f"], state["x"])


def _checked(state: State) -> State:
    """The state, once its function has run at its place; a sentence where it cannot."""
    found = _of(state)
    if found.value("float64", found.case.at).numel() != 1 or not found.slope:
        raise ValueError(_("The result has to be one number."))
    return state


def stored_states() -> Iterator[State]:
    """Every function with a button, at every eps, with the question and each guess."""
    for name in CASES:
        for power in POWERS:
            state = {"f": name, "x": None, "e": power}
            yield state
            yield {**state, "ask": True}
            yield {**state, "ask": True, "guess": power}


def show(state: State) -> Screen:
    """The screen of a state."""
    found, power = _of(state), state["e"]
    asked = bool(state.get("ask")) and "guess" not in state
    sentence = question(found) if asked else told(found, power)
    if "guess" in state:
        sentence = f"{answered(found, state['guess'])} {sentence}"

    def to(n: int) -> State:
        return {**state, "e": n, **({"guess": n} if asked else {})}

    parts = (
        picture(found, power, sentence.replace("`", ""), asked),
        table(found, None if asked else power, to, asked),
        _own(state, found),
    )
    title = _("Nudging against backward: {}").format(found.case.says)
    rows = ((_("function"), tuple(_functions(state))),)
    steps = () if asked else (("", _steps(state)),)
    return Screen(title, place(found), rows, parts, sentence, (*steps, ("", (_asking(state),))))


def _asking(state: State) -> Button:
    """A switch: with it, nothing is shown before a guess."""
    on = bool(state.get("ask"))
    return Button(_("ask me"), _plain(state) | ({} if on else {"ask": True}), pressed=on)


def _plain(state: State) -> State:
    """The state with nothing asked and nothing guessed."""
    return {key: value for key, value in state.items() if key not in ("ask", "guess")}


def _functions(state: State) -> Iterator[Button]:
    for name, case in CASES.items():
        chosen = state["f"] == name and state["x"] is None
        ask = {"ask": True} if state.get("ask") else {}
        yield Button(case.says, {**_first(name), "e": state["e"], **ask}, chosen)


def _steps(state: State) -> tuple[Button, ...]:
    """To the next larger and the next smaller eps."""
    power = state["e"]
    kept = _plain(state)
    larger = Button(
        "eps × 10",
        {**kept, "e": max(power - 1, POWERS[0])},
        off=_("This is the largest eps of the list.") if power == POWERS[0] else "",
        key="ArrowLeft",
    )
    smaller = Button(
        "eps ÷ 10",
        {**kept, "e": min(power + 1, POWERS[-1])},
        off=_("This is the smallest eps of the list.") if power == POWERS[-1] else "",
        key="ArrowRight",
    )
    return larger, smaller


def _own(state: State, found: Measured) -> Part:
    """Boxes for a function and an x of one's own."""
    typed = state["f"][1:] if state["f"].startswith("=") else ""
    at = f"{found.case.at:g}"
    html = (
        f'<div class="own"><label>{escape(_("your own: y ="))} '
        f'<input type="text" data-input="f" value="{escape(typed)}" placeholder="exp(x)"></label> '
        f'<label>x = <input type="text" data-input="x" value="{at}"></label> '
        f'<button type="button" data-enter>{escape(_("show it"))}</button></div>'
    )
    return Part("own", html, _("your own: y = {}, x = {}").format(typed or "…", at))


def entered(state: State, typed: dict[str, str]) -> State:
    """The state after a function or an x was typed. Raises `ValueError` with a sentence."""
    text = typed.get("f", "").strip()
    name = f"={text}" if text else state["f"]
    now = f"{_of(state).case.at:g}"
    said = typed.get("x", now).strip()
    at = state["x"] if said in ("", now) else numbers(said)
    if not isinstance(at, float | None):
        raise ValueError(_("x is one number here."))
    if at is None and name != state["f"]:
        at = _of(state).case.at
    kept = {key: value for key, value in state.items() if key != "guess"}
    return _checked({**kept, "f": name, "x": at})


# --- Where no script runs -----------------------------------------------------------------------


def _told_line(name: str) -> tuple[str, State]:
    return CASES[name].says.replace("`", ""), {"f": name, "x": None, "e": 6}


def _still(state: State) -> str:
    found = _of(state)
    alt = told(found, state["e"]).replace("`", "")
    return image(chart(found, None, PAPER, alt), alt)
