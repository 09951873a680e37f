"""Players and boards as live widgets: what is shown is a trait that Python shares."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from .assets import script, style


class Live(anywidget.AnyWidget):
    """What shows in the browser: `data` goes there once, and what it lacks the browser asks for.

    A question is a message with a number, and `answer` says what goes back under that number.
    """

    _esm = script()
    _css = style()
    data = traitlets.Dict().tag(sync=True)

    def __init__(self, answer: Callable[[dict[str, Any]], Any], **traits: Any):
        super().__init__(**traits)
        self._answer = answer
        self.on_msg(self._asked)

    def _asked(self, _widget: Any, asked: dict[str, Any], _buffers: Any) -> None:
        self.send({"number": asked["number"], "answer": self._answer(asked)})


class LivePlayer(Live):
    """What `Player.live` is: `step` and `detail` go both ways.

    `live.observe(callback, "step")` is told of every step, whoever made it. The browser asks for
    `{"scene": "m3"}` or `{"frames": "fine"}`.
    """

    step = traitlets.Int(0).tag(sync=True)
    detail = traitlets.Unicode("coarse").tag(sync=True)


class LiveBoard(Live):
    """What `Board.live` is: `key`, the state as text, goes both ways; `state` follows it.

    `live.observe(callback, "state")` is told of every change, whoever made it. The browser asks
    for `{"state": key}`, or with `"enter"` for what typed text makes of that state.
    """

    key = traitlets.Unicode().tag(sync=True)
    state = traitlets.Any()

    @traitlets.default("state")
    def _first(self) -> Any:
        return json.loads(self.key)

    @traitlets.observe("key")
    def _follow(self, change: Any) -> None:
        self.state = json.loads(change["new"])
