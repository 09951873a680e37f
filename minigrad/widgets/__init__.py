"""Interactive pictures for notebooks.

    import minigrad as mg

    w = mg.stepper(y)    # step through y.backward(), which itself is not run
    w.text()             # the same as text

A `Player` shows frames on a picture, a step at a time: `stepper` a backward pass, `growing` the
lines of a program and the graph they make. `draw` is the picture alone. A `Board` shows screens
chosen by settings: `version_debugger` what writing in place does to versions. All work without any
widget library, and so do the questions of `minigrad.widgets.quiz`: each shows the best form that
is possible here, live controls, else HTML, else text.
"""

from .drawing import draw, filmstrip, growing
from .film import Film
from .player import Player
from .stepper import Stepper, stepper
from .versions import version_debugger
from .watching import watch

__all__ = [
    "Film",
    "Player",
    "Stepper",
    "draw",
    "filmstrip",
    "growing",
    "stepper",
    "version_debugger",
    "watch",
]
