"""The playground: type an expression, and see its slope, its graph, and what nudges say.

    from minigrad.lessons import playground

    playground("(2*x + 3)**2", x=1.)
    playground("u @ v", u=[1., 2.], v=[3., 4.], nudge=0.1)

Nothing typed is ever run as Python: see `minigrad.widgets.safe`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...language import _
from ..board import Board, State
from ..safe import Refused, numbers, parse
from .drawn import still
from .errors import spelled
from .measured import NUDGES, Measured, first_values
from .screens import first_place, screen_of

__all__ = ["Playground", "playground"]

PRESETS = ("(2*x + 3)**2", "(x + 1)*(x + 2)", "a*x + b", "relu(x)", "exp(x)")
AT = {"(2*x + 3)**2": 1.0, "relu(x)": 0.0}  # where presets begin, elsewhere at 2
DRAWN = (1.0, 0.5, 0.1)  # chords where no script runs; shorter ones lie on the tangent


class Playground(Board):
    """A typed expression at a point. Made by `playground`."""

    def __init__(self, text: str, values: dict[str, Any], nudge: float, presets: Sequence[str]):
        self._presets = tuple((one, _preset(one, nudge)) for one in presets)
        start = _state(text, values, nudge)
        found = Measured(text, start["values"], start["by"], nudge)
        super().__init__(
            _("playground"),
            lambda state: screen_of(state, self._presets),
            start,
            stored=[{**start, "nudge": other} for other in NUDGES],
            told=[
                (_("a nudge of {}").format(spelled(other)), {**start, "nudge": other})
                for other in (1.0, 0.1, 0.001)
            ],
            figure=still(found, DRAWN),
            style="playground",
            entered=entered,
        )


def playground(
    text: str,
    /,
    nudge: float = 1.0,
    *,
    presets: Sequence[str] = PRESETS,
    **values: float | Sequence[float],
) -> Playground:
    """Show the slope of a typed expression, its tangent, and the chord of a nudge.

    Args:
        text: the expression; see `minigrad.widgets.safe`.
        nudge: how far a number is moved at first.
        presets: expressions that can be chosen.
        values: a number or a few, by name; 1 for a name that has none.

    Raises:
        ValueError: if the text is no expression, or the values do not fit into it.

    >>> here = playground("(2*x + 3)**2", x=1.0)
    >>> here.press("0.1").screen.sentence.partition(". ")[2]
    "Autograd's slope is 20; a nudge of 0.1 says 20.4, off by 0.4."
    """
    return Playground(text, values, nudge, tuple(presets))


def _state(text: str, values: dict[str, Any], nudge: float) -> State:
    known = {
        name: [float(entry) for entry in value] if hasattr(value, "__len__") else float(value)
        for name, value in values.items()
    }
    given = first_values(parse(text), known)
    return {
        "text": text,
        "values": given,
        "by": first_place(given),
        "nudge": float(nudge),
        "both": False,
    }


def _preset(text: str, nudge: float) -> State:
    values = {name: AT.get(text, 2.0) for name in parse(text).names}
    return _state(text, values, nudge)


def entered(state: State, typed: dict[str, str]) -> State:
    """The state after something was typed.

    A text that is no expression is kept with its caret; a value that is none raises `ValueError`.
    """
    clean = {name: said for name, said in state.items() if name != "typed"}
    values = dict(state["values"])
    for name in values:
        if f"value {name}" not in typed:
            continue
        try:
            said = numbers(typed[f"value {name}"])
        except Refused as refused:
            raise ValueError(f"`{name}`: {refused}".replace("`", "")) from None
        values[name] = list(said) if isinstance(said, tuple) else said
    text = typed.get("text", state["text"]).strip()
    try:
        expression = parse(text)
    except Refused:
        return {**state, "values": values, "typed": text}
    found = first_values(expression, values)
    return {**clean, "text": text, "values": found}
