"""The live side of a question: ipywidgets controls, and a line that is spoken when it changes.

Buttons and checkboxes, never radio buttons or drop-downs: JupyterLab takes the arrow keys away
from those. A face reads a question and tells it what was pressed; it decides nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import ipywidgets

from ..language import _
from ..viz.style import palette
from .assets import read, slim
from .availability import installed
from .quiz_html import code
from .words import QUIZ as WORDS


class Face:
    """The controls of one question, in `box`. They and the question follow each other."""

    def __init__(self, quiz: Any):
        self.quiz = quiz
        self.line = ipywidgets.HTML()
        self.line.add_class("minigrad-line")
        controls = getattr(self, f"_{quiz.controls}")()
        style = f"{palette('.minigrad-controls')}{slim(read('quiz.css'))}"
        heading = ipywidgets.HTML(f"<style>{style}</style><strong>{code(quiz.question)}</strong>")
        self.box = ipywidgets.VBox([heading, controls, self.line, *self._ending()])
        self.box.add_class("minigrad-controls")
        self.follow()

    def follow(self) -> None:
        """Show the answer and the line of the question."""
        self._say(self.quiz.line)
        self._show(self.quiz.kept)

    def _say(self, line: str) -> None:
        # The shim makes the element around this a live region, which outlives the text in it.
        spoken = "" if installed("anywidget") else ' role="status" aria-live="polite"'
        self.line.value = f"<p{spoken}>{code(line)}</p>"

    def _ending(self) -> list[Any]:
        """The revealed answer, what is said when the kernel is gone, and the shim."""
        told = [ipywidgets.HTML(f"<p>{code(self.quiz.revealed)}</p>")] if self.quiz.revealed else []
        # `quiz.css` shows it once ipywidgets marks the box as disconnected.
        lost = ipywidgets.HTML(f'<p role="alert">{code(_(WORDS["lost"]))}</p>')
        lost.add_class("minigrad-lost")
        return [*told, lost, *_shim(self.quiz.question)]

    def _buttons(self) -> Any:
        buttons = [_option(option) for option in self.quiz.options]
        for i, button in enumerate(buttons):
            button.on_click(lambda _button, i=i: self.quiz.take(i))

        def show(kept: int | None) -> None:
            for i, button in enumerate(buttons):
                mark = button.add_class if i == kept else button.remove_class
                mark("minigrad-chosen")

        self._show = show
        return ipywidgets.HBox(buttons, layout={"flex_flow": "row wrap"})

    def _ticks(self) -> Any:
        boxes = [
            ipywidgets.Checkbox(description=_plain(option), indent=False)
            for option in self.quiz.options
        ]
        say = _button(_(WORDS["say"]))
        say.on_click(
            lambda _button: self.quiz.take(tuple(i for i, box in enumerate(boxes) if box.value))
        )

        def show(kept: tuple[int, ...] | None) -> None:
            if kept is not None:
                for i, box in enumerate(boxes):
                    box.value = i in kept

        self._show = show
        return ipywidgets.VBox([*boxes, say])

    def _box(self) -> Any:
        box = ipywidgets.Text(placeholder=_(WORDS["number"]), continuous_update=False)
        say = _button(_(WORDS["say"]))

        def give(_change: Any) -> None:
            if box.value.strip():
                try:
                    self.quiz.give(box.value)
                except ValueError as refusal:
                    self._say(str(refusal))

        # Enter, or leaving the box, commits the text; the button is there to be seen.
        box.observe(give, "value")
        say.on_click(give)

        def show(kept: float | None) -> None:
            # What the learner typed stays as typed: 0.50 does not turn into 0.5.
            if kept is not None and not _means(self.quiz, box.value, kept):
                box.value = self.quiz.spell(kept)

        self._show = show
        return ipywidgets.HBox([box, say], layout={"flex_flow": "row wrap"})


def _means(quiz: Any, text: str, kept: float) -> bool:
    try:
        return quiz.read(text) == kept
    except ValueError:
        return False


def _plain(words: str) -> str:
    """A label cannot set code; the backquotes go."""
    return words.replace("`", "")


def _button(text: str) -> Any:
    button = ipywidgets.Button(description=_plain(text))
    button.add_class("minigrad-button")
    return button


def _option(text: str) -> Any:
    button = _button(text)
    button.add_class("minigrad-option")
    return button


def _shim(name: str) -> list[Any]:
    """The part that keeps keys and names in order; nothing without anywidget."""
    if not installed("anywidget"):
        return []
    return [_shim_class()(name=name, waiting=_(WORDS["waiting"]))]


@cache
def _shim_class() -> type:
    import anywidget
    import traitlets

    class Shim(anywidget.AnyWidget):
        """Sits in a box of controls; `shim.js` says what it does there."""

        _esm = read("shim.js")
        name = traitlets.Unicode().tag(sync=True)
        waiting = traitlets.Unicode().tag(sync=True)

        def __init__(self, **traits: Any):
            super().__init__(**traits)
            # The page asks after each answer whether anybody is there.
            self.on_msg(lambda _widget, content, _buffers: self.send(content))

    return Shim
