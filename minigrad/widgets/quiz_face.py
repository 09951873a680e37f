"""The live side of a question: ipywidgets controls, and a line that is spoken when it changes.

Buttons and checkboxes, never radio buttons or drop-downs: JupyterLab takes the arrow keys away
from those.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import ipywidgets

from .assets import read, slim
from .availability import installed
from .quiz import Choice, Quiz, Ticks, code
from .words import QUIZ as WORDS

_LINE = (
    '<p role="status" aria-live="polite" style="min-height:1.5em;margin:.4em 0;'
    'line-height:1.5;color:#111">{}</p>'
)


class Face:
    """The controls of one question, in `box`. They and the question follow each other."""

    def __init__(self, quiz: Quiz):
        self.quiz = quiz
        self.line = ipywidgets.HTML()
        controls = self._controls()
        heading = ipywidgets.HTML(
            f"<style>{slim('quiz.css')}</style><strong>{code(quiz.question)}</strong>"
        )
        self.box = ipywidgets.VBox([heading, controls, self.line, *_shim(quiz.question)])
        self.box.add_class("minigrad-controls")
        self.follow()

    def follow(self) -> None:
        """Show the answer and the line of the question."""
        self.line.value = _LINE.format(code(self.quiz.line))
        self._show(self.quiz.answer)

    def _controls(self) -> Any:
        if isinstance(self.quiz, Choice):
            return self._button_row()
        if isinstance(self.quiz, Ticks):
            return self._tick_list()
        return self._number_box()

    def _button_row(self) -> Any:
        buttons = {option: _button(option) for option in self.quiz.options}
        for option, button in buttons.items():
            button.on_click(lambda _, option=option: self.quiz.give(option))

        def show(answer: str | None) -> None:
            for option, button in buttons.items():
                # The mark is in the text as well: a border alone may not be seen.
                button.description = f"✓ {option}" if option == answer else option
                mark = button.add_class if option == answer else button.remove_class
                mark("minigrad-chosen")

        self._show = show
        return ipywidgets.HBox(list(buttons.values()), layout={"flex_flow": "row wrap"})

    def _tick_list(self) -> Any:
        boxes = {
            option: ipywidgets.Checkbox(description=option, indent=False)
            for option in self.quiz.options
        }
        say = _button(WORDS["say"])
        say.on_click(
            lambda _: self.quiz.give([option for option, box in boxes.items() if box.value])
        )

        def show(answer: tuple[str, ...] | None) -> None:
            for option, box in boxes.items():
                box.value = box.value if answer is None else option in answer

        self._show = show
        return ipywidgets.VBox([*boxes.values(), say])

    def _number_box(self) -> Any:
        box = ipywidgets.Text(placeholder=WORDS["number"], continuous_update=False)
        say = _button(WORDS["say"])

        def give(_: Any) -> None:
            if box.value.strip():
                try:
                    self.quiz.give(box.value)
                except ValueError as refusal:
                    self.line.value = _LINE.format(code(str(refusal)))

        # Enter, or leaving the box, commits the text; the button is there to be seen.
        box.observe(give, "value")
        say.on_click(give)

        def show(answer: float | None) -> None:
            # What the learner typed stays as typed: 0.50 does not turn into 0.5.
            if answer is not None and not _means(self.quiz, box.value, answer):
                box.value = self.quiz.spell(answer)

        self._show = show
        return ipywidgets.HBox([box, say])


def _means(quiz: Quiz, text: str, answer: float) -> bool:
    try:
        return quiz.read(text) == answer
    except ValueError:
        return False


def _button(text: str) -> Any:
    button = ipywidgets.Button(description=text)
    button.add_class("minigrad-option")
    return button


def _shim(name: str) -> list[Any]:
    """The part that keeps keys and names in order; nothing without anywidget."""
    return [_shim_class()(name=name)] if installed("anywidget") else []


@cache
def _shim_class() -> type:
    import anywidget
    import traitlets

    class Shim(anywidget.AnyWidget):
        """Sits unseen in a box of controls; `shim.js` says what it does."""

        _esm = read("shim.js")
        name = traitlets.Unicode().tag(sync=True)

    return Shim
