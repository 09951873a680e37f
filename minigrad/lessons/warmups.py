"""Three recall questions at the head of a lesson."""

from collections.abc import Callable
from typing import Any

from ..widgets import quiz
from ..widgets.live_view import with_live_view
from .asking import Asked
from .questions import Question


class WarmUp:
    """The questions of one lesson, shown one below the other. `revealed` is that of `Asked`."""

    def __init__(
        self, questions: tuple[Question, ...], revealed: Callable[[], bool] = lambda: False
    ):
        self.asked = tuple(Asked(question, revealed) for question in questions)

    def __repr__(self) -> str:
        return "\n\n".join(repr(asked) for asked in self.asked)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        quizzes = [asked.quiz() for asked in self.asked]
        html = "".join(f'<div style="margin:.4em 0">{q.html()}</div>' for q in quizzes)
        return with_live_view(repr(self), html, lambda: _stack(quizzes))


def _stack(quizzes: list[quiz.Choice]) -> Any:
    import ipywidgets

    return ipywidgets.VBox([q.widget() for q in quizzes])
