"""The board: a card whose screen depends on settings, not on steps.

What to show is a function from a state, plain JSON, to a `Screen`: rows of buttons, parts such as
a picture or a table, one sentence. Each button says to which state it leads. The browser only
swaps screens in, so every screen can be looked at and tested here, without one.

    board = Board("switch", show, "off", stored=["on"])
    board.press("on").text()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any

from ..language import _
from ..viz.saving import Saved
from . import assets, stored
from .board_page import data_of, page, told
from .live_view import with_live_view
from .packing import packed
from .screen import Button, Part, Screen, State, key_of

__all__ = ["Board", "Button", "Part", "Screen", "State"]


KEPT = 64  #: screens that are kept after they were made


class Board(Saved):
    """Screens by state, and the one that is shown.

    Args:
        name: what a screen reader calls it.
        show: the screen of a state.
        start: the state that it begins with.
        stored: states whose screens a page without a kernel has, besides the first one.
        told: summaries and states, to unfold as text where no script runs.
        figure: an image, ``<img src="data:…" alt="…">``, shown where no script runs; by default
            the first screen as text.
        captioned: whether the figure says itself which moments it shows.
        style: the name of a style sheet of its own, ``browser/NAME.css``; it travels with the data
            of this board, so that pages without it are spared.
        entered: ``entered(state, typed)``, the state after something was typed; ``typed`` are
            texts by the names of the inputs. It raises `ValueError` with a sentence to show.

    ``state`` can be set, and displayed views follow; `live` tells observers of each change.

    >>> def show(on):
    ...     button = Button("`off`" if on else "`on`", to=not on)
    ...     picture = Part("lamp", "<p>*</p>" if on else "<p></p>", "*" if on else "")
    ...     said = "It is on." if on else "It is off."
    ...     return Screen("Lamp", "", (), (picture,), said, (("", (button,)),))
    >>> lamp = Board("lamp", show, False, stored=[True])
    >>> lamp.press("on")
    Board: It is on.
    >>> lamp.state
    True
    """

    def __init__(
        self,
        name: str,
        show: Callable[[State], Screen],
        start: State,
        *,
        stored: Iterable[State] = (),
        told: Sequence[tuple[str, State]] = (),
        figure: str = "",
        captioned: bool = False,
        style: str = "",
        entered: Callable[[State, dict[str, str]], State] | None = None,
    ):
        self.name = name
        self._made = lru_cache(KEPT)(lambda key: show(json.loads(key)))
        self._start = self._key = key_of(start)
        self._stored = list(dict.fromkeys([self._start, *(key_of(state) for state in stored)]))
        self._unfolded = [(summary, key_of(state)) for summary, state in told]
        self._figure = (figure, captioned)
        self._style = style
        self._entered = entered

    # -- what is shown

    @property
    def state(self) -> State:
        """The state that is shown. What its screen raises when it is set leaves the old one."""
        return json.loads(self._key)

    @state.setter
    def state(self, state: State) -> None:
        key = key_of(state)
        self._made(key)
        self._key = key
        if "live" in self.__dict__:
            self.live.key = key

    @property
    def screen(self) -> Screen:
        """The screen of the state."""
        return self._made(self._key)

    def press(self, says: str):
        """Press the button that says so, with or without backquotes; returns the board.

        Raises `LookupError` unless there is one such button, `ValueError` with the reason when it
        is off.
        """
        there = self.screen.buttons
        found = [one for one in there if says in (one.says, one.says.replace("`", ""))]
        if len(found) != 1:
            known = ", ".join(repr(one.says) for one in there)
            raise LookupError(f"{len(found)} buttons say {says!r}; there are: {known}")
        if found[0].off:
            raise ValueError(found[0].off)
        self.state = found[0].to
        return self

    def enter(self, **typed: str):
        """Type into the inputs of these names and press Enter; returns the board.

        Raises `ValueError` with the sentence that a reader would see.
        """
        self.state = self._after(self.state, typed)
        return self

    def _after(self, state: State, typed: dict[str, str]) -> State:
        if self._entered is None:
            raise ValueError(_("Nothing can be typed here."))
        return self._entered(state, typed)

    # -- how it looks

    @property
    def heading(self) -> str:
        """What it is called, for the title of a page."""
        return self.name

    def text(self) -> str:
        """The whole screen as text."""
        return told(self.screen)

    def html(self) -> str:
        """A page's part that works without a kernel; where no script runs, text to unfold."""
        return self._html() + "\n" + stored.code()

    def _html(self) -> str:
        unfolded = [(summary, self._made(key)) for summary, key in self._unfolded]
        return page(self._data(self._start), self._made(self._start), unfolded, *self._figure)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.screen.sentence.replace('`', '')}"

    def _data(self, first: str) -> dict[str, Any]:
        keys = dict.fromkeys([*self._stored, first])
        data = data_of(self.name, first, {key: self._made(key) for key in keys})
        if self._style:
            data["style"] = assets.slim(assets.read(f"browser/{self._style}.css"))
        return data

    # -- live

    @cached_property
    def live(self) -> Any:
        """The live widget, with the trait `state`; `ImportError` without anywidget."""
        from .live import LiveBoard

        live = LiveBoard(self._answer, data=packed(self._data(self._key)), key=self._key)
        live.observe(lambda change: setattr(self, "_key", change["new"]), "key")
        return live

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The screen that a view was not given; what went wrong as a sentence."""
        try:
            key = asked["state"]
            if "enter" in asked:
                key = key_of(self._after(json.loads(key), asked["enter"]))
            return {"state": key, "screen": data_of("", key, {key: self._made(key)})}
        except Exception as error:  # a view has to say it: nobody looks into the kernel's log
            kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
            return {"wrong": f"{kind}{error}"}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        needed = [stored.code()] if stored.HOLDER.needs_code() else []
        html = "\n".join([self._html(), *needed])
        return with_live_view(repr(self), html, lambda: self.live, "anywidget")
