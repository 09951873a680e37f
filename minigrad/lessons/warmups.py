"""Three recall questions at the head of a lesson."""

from typing import Any

from ..widgets import quiz
from ..widgets.availability import installed
from .asking import Asked
from .questions import Question


class WarmUp:
    """The questions of one lesson, shown one below the other."""

    def __init__(self, questions: tuple[Question, ...]):
        self.asked = tuple(Asked(question) for question in questions)

    def __repr__(self) -> str:
        return "\n\n".join(repr(asked) for asked in self.asked)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        quizzes = [asked.quiz() for asked in self.asked]
        html = "".join(f'<div style="margin:.4em 0">{q.html()}</div>' for q in quizzes)
        bundle = {"text/plain": repr(self), "text/html": html}
        if installed("ipywidgets"):
            import ipywidgets

            bundle |= quiz.live_view(ipywidgets.VBox([q.widget() for q in quizzes]))
        return bundle
