"""What the three modes of the v·J viewer share: reading a state, and the boxes to type in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from ...language import _
from ..board import Button, Part
from ..screen import Rows
from .cases import Case, Row, case_of, unit
from .parts import equals, factor, shown

LETTERS = {"vJ": "v", "Ju": "u"}


@dataclass(frozen=True)
class Drawn:
    """What a mode gives a screen."""

    title: str
    place: str
    parts: tuple[Part, ...]
    sentence: str
    actions: Rows


class Setting:
    """A state, read."""

    def __init__(self, state: dict[str, Any]):
        self.state = state
        self.name: str = state["f"]
        self.mode: str = state["m"]
        self.own_x = state.get("x")
        self.case = _case(self.name, _hashable(self.own_x))
        self.at: int = state["at"]

    def to(self, **changed: Any) -> dict[str, Any]:
        """The state that differs in this, and in which nothing has been guessed."""
        kept = {key: value for key, value in self.state.items() if key != "guess"}
        return {**kept, **changed}

    @property
    def pick(self) -> Any:
        """The name of v or u, or its numbers; None in a mode without one."""
        return self.state.get(LETTERS.get(self.mode, ""))

    @property
    def size(self) -> int:
        """How many numbers v or u has."""
        return len(self.case.outputs if self.mode == "vJ" else self.case.inputs)

    @property
    def vector(self) -> Row | None:
        """The numbers of v or u; None where there are none that fit."""
        if isinstance(self.pick, list):
            return tuple(map(float, self.pick))
        word, _space, number = self.pick.partition(" ")
        return {
            "ones": lambda: (1.0,) * self.size,
            "weights": lambda: self.case.weights,
            "row": lambda: unit(int(number), self.size),
            "column": lambda: unit(int(number), self.size),
        }.get(word, lambda: None)()

    @property
    def unit(self) -> int | None:
        """Which entry of v or u is 1, where all others are 0 and there are others."""
        numbers = self.vector
        if numbers is None or len(numbers) < 2 or sorted(numbers) != sorted(unit(0, len(numbers))):
            return None
        return numbers.index(1.0)

    @property
    def is_ones(self) -> bool:
        return self.vector is not None and len(self.vector) > 1 and set(self.vector) == {1.0}

    @property
    def x_text(self) -> str:
        """The numbers of x as they stand in their box."""
        at = self.case.at
        return f"{at:g}" if isinstance(at, float) else ", ".join(f"{number:g}" for number in at)

    def title(self, mode: str) -> str:
        """The mode, the line of code, and where x is."""
        case = self.case
        x = shown(case.at) if isinstance(case.at, float) else f"[{', '.join(map(shown, case.at))}]"
        given = [f"`{case.code}`", *filter(None, [case.constants]), f"x = {x}"]
        return f"{mode}: {', '.join(given)}"

    def stepping(
        self, names: Sequence[str], refused: bool = False
    ) -> tuple[str, tuple[Button, ...]]:
        """Buttons that go from entry to entry, with a label that says which one it is."""
        last = len(names) - 1
        label = _("entry {}, {} of {}").format(names[self.at], self.at + 1, last + 1)
        nothing = _("Nothing came out, so there is no entry to look at.")
        back = Button(
            _("◀ entry before"),
            self.to(at=max(self.at - 1, 0)),
            off=nothing if refused else "" if self.at else _("This is the first entry."),
            key="ArrowLeft",
        )
        on = Button(
            _("next entry ▶"),
            self.to(at=min(self.at + 1, last)),
            off=nothing if refused else "" if self.at < last else _("This is the last entry."),
            key="ArrowRight",
        )
        return label, (back, on)


def _hashable(at: Any) -> Any:
    return tuple(map(float, at)) if isinstance(at, (list, tuple)) else at


@lru_cache(32)
def _case(name: str, at: Any) -> Case:
    return case_of(name, at)


def own_part(setting: Setting) -> Part:
    """Boxes for a function and an x of one's own."""
    typed = setting.name[1:] if setting.name.startswith("=") else ""
    html = (
        '<div class="own">'
        f"<label>{escape(_('your own: y ='))} "
        f'<input type="text" data-input="f" value="{escape(typed)}" '
        'placeholder="sum(x) * x"></label> '
        f'<label>x = <input type="text" data-input="x" value="{escape(setting.x_text)}">'
        f'</label> <button type="button" data-enter>{escape(_("show it"))}</button></div>'
    )
    text = _("your own: y = {}, x = {}").format(typed or "…", setting.x_text)
    return Part("own", html, text)


def sum_of(terms: Sequence[tuple[float, float]], total: float) -> str:
    """A sum in a sentence, without the terms that are 0.

    >>> sum_of([(1.0, 0.0), (0.1, 4.0)], 0.4), sum_of([(1.0, 0.0)], 0.0)
    ('0.1 × 4 = 0.4', '0')
    """
    counted = [term for term in terms if all(term)]
    said = " + ".join(f"{shown(a)} × {factor(b)}" for a, b in counted)
    sign = equals([total, *(number for term in counted for number in term)])
    return f"{said} {sign} {shown(total)}" if counted else shown(total)
