"""What a lesson asks and answers: predictions, warm-ups and exercises.

    from minigrad.lessons import check, predict, warm_up

    warm_up("02")                # three questions about earlier lessons
    predict("02-1")              # a question before the run …
    predict("02-1").outcome(y)   # … and the guess next to what came out
    check("02-2", my_function)   # Not yet, Look again with a hint, or Yes
    picture("01-1")              # what an exercise asks for, drawn, as `check` shows it too
    playground("x * x", x=3.)    # an expression to type: its slope, graph, and nudges
    checklist(MyFunction, x)     # is the backward of an autograd.Function right?
    error_curve()                # how far nudging is from backward, for every eps
    growing(y)                   # the graph of y, one operation at a time
    vjp_viewer()                 # what a v that is handed to backward picks out
    trays()                      # who gets a .grad, what is in it, and why
    tower("x * x * y")           # a gradient on the graph it was made from, floor by floor
    graph_memory()               # counts the bytes that graphs keep
    memory_lab()                 # what a chain of operations keeps, and what that costs
    tape_of(f, x).replay(other)  # the operations of one run, repeated with another input
    tape_viewer()                # which lines ran, what they left, and what a replay forgets
    memory(a=a, b=b)             # names, the tensors they mean, and where the numbers lie
    version_debugger()           # which write raised a version, and which node minds
    trays("nothing cut")         # two models in a row, and every way to cut between them

A lesson's words, answers and judges stand in a data file, `01.toml` and so on; `load("mine.toml")`
adds one of your own. Set `minigrad.lessons.reveal = True` to have every question show its answer,
for teaching.
"""

from pathlib import Path
from typing import Any

from ..help.in_notebooks import shorten_errors_here
from ..widgets import growing
from ..widgets.error_curve import error_curve
from ..widgets.memory import graph_memory, memory_lab
from ..widgets.playground import playground
from ..widgets.tape import tape_of, tape_viewer
from ..widgets.tower import tower
from ..widgets.trays import trays
from ..widgets.versions import version_debugger
from ..widgets.vjp import vjp_viewer
from .checklist import checklist
from .exercises import Verdict, judge
from .lesson import Lesson
from .memory import memory
from .moons import Boundary, two_moons
from .predictions import Prediction
from .shelf import Shelf
from .slopes import slope_picture
from .warmups import WarmUp

__all__ = [
    "LESSONS",
    "Boundary",
    "check",
    "checklist",
    "error_curve",
    "graph_memory",
    "growing",
    "load",
    "memory_lab",
    "memory",
    "picture",
    "playground",
    "predict",
    "reveal",
    "slope_picture",
    "tape_of",
    "tape_viewer",
    "tower",
    "trays",
    "two_moons",
    "version_debugger",
    "vjp_viewer",
    "warm_up",
]

reveal = False


def _revealed() -> bool:
    """Asked each time a question is shown: `reveal` may be set at any time."""
    return reveal


LESSONS = Shelf(Path(__file__).parent, _revealed)
shorten_errors_here()  # a lesson is a notebook, and its errors are to be read


def load(path: str | Path) -> Lesson:
    """Add the lesson in the TOML file at `path`: its questions and exercises work like all others.

    Load it again after a change. The file may hold code, so load only what you would also run.
    Raises `ValueError` with the place for what is missing or unknown in it, and for a planned wrong
    answer or a solution that is not judged as the file says.
    """
    return LESSONS.load(path)


def predict(name: str) -> Prediction:
    """Return the prediction called `name`, such as "02-1", with the guess made so far.

    There is one of each: asking again by the same name finds the same guess. Raises `LookupError`
    with the known names for any other name.

    >>> predict("02-2").question.asks
    "x waits for two parts. Only b's part, 3, has come. What is `x.grad` now?"
    """
    return LESSONS.find("prediction", name)


def check(name: str, answer: Any = ...) -> Verdict:
    """Judge the answer to the exercise called `name`.

    Returns a verdict that shows "Not yet" while something is blank (`...`, None, a function
    without a body), "Look again" with a hint, or "Yes" with the idea in one sentence. It never
    raises because of an answer. After three wrong attempts `check("02-2").solution()` shows a right
    one. Raises `LookupError` with the known names for any other name.

    >>> check("02-2", ...)
    Not yet. Fill in the blanks and run this cell again.
    """
    return judge(LESSONS.find("exercise", name), answer)


def picture(name: str) -> Any:
    """Draw what the exercise called `name` asks for.

    Raises `LookupError` with the known names when no exercise of this name has a picture.
    """
    return LESSONS.find("exercise with a picture", name).picture()


def warm_up(number: str) -> WarmUp:
    """Return the three recall questions that open lesson `number`, such as "02".

    Raises `LookupError` with the known numbers for any other number.
    """
    return LESSONS.find("warm-up", number)
