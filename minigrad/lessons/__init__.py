"""What a lesson asks and answers: predictions, warm-ups and exercises.

    from minigrad.lessons import check, predict, warm_up

    warm_up("02")                # three questions about earlier lessons
    predict("02-1")              # a question before the run …
    predict("02-1").outcome(y)   # … and the guess next to what came out
    check("02-2", my_function)   # Not yet, Look again with a hint, or Yes
    picture("01-1")              # what an exercise asks for, drawn

The words and the judges of each lesson are in a module of their own, `lesson_01` and so on.
Set `minigrad.lessons.reveal = True` to have every question show its answer, for teaching.
"""

from typing import Any

from . import lesson_01, lesson_02
from .exercises import Verdict, judge
from .lesson import Lesson
from .predictions import Prediction
from .slopes import slope_picture
from .warmups import WarmUp

__all__ = ["LESSONS", "check", "picture", "predict", "reveal", "slope_picture", "warm_up"]

reveal = False

LESSONS: dict[str, Lesson] = {
    lesson.number: lesson for lesson in (lesson_01.LESSON, lesson_02.LESSON)
}
_exercises = {e.name: e for lesson in LESSONS.values() for e in lesson.exercises}
_predictions = {q.name: Prediction(q) for lesson in LESSONS.values() for q in lesson.predictions}
_warm_ups = {lesson.number: WarmUp(lesson.warm_up) for lesson in LESSONS.values()}


def predict(name: str) -> Prediction:
    """Return the prediction called `name`, such as "02-1", with the guess made so far.

    There is one of each: asking again by the same name finds the same guess. Raises `LookupError`
    with the known names for any other name.

    >>> predict("02-1").question.asks
    'How fast does `(x + 1) * (x + 2)` grow at x = 2? Its slope is …'
    """
    return _find(_predictions, name, "prediction")


def check(name: str, answer: Any) -> Verdict:
    """Judge the answer to the exercise called `name`.

    Returns a verdict that shows "Not yet" while something is blank (`...`, None, a function
    without a body), "Look again" with a hint, or "Yes" with the idea in one sentence. It never
    raises because of an answer, and never shows the solution. Raises `LookupError` with the known
    names for any other name.

    >>> check("02-2", ...)
    Not yet. Fill in the blanks and run this cell again.
    """
    return judge(_find(_exercises, name, "exercise"), answer)


def picture(name: str) -> Any:
    """Draw what the exercise called `name` asks for.

    Raises `LookupError` with the known names when no exercise of this name has a picture.
    """
    drawn = {name: exercise for name, exercise in _exercises.items() if exercise.picture}
    return _find(drawn, name, "picture of an exercise").picture()


def warm_up(number: str) -> WarmUp:
    """Return the three recall questions that open lesson `number`, such as "02".

    Raises `LookupError` with the known numbers for any other number.
    """
    return _find(_warm_ups, number, "warm-up")


def _find(known: dict[str, Any], name: str, what: str) -> Any:
    if name not in known:
        raise LookupError(f"there is no {what} {name!r}; there are {', '.join(known)}")
    return known[name]
