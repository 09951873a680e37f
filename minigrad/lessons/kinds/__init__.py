"""Judges by kind: what a data file has to say so that an answer can be judged without own code.

Each kind is made from the table of an exercise. `judge(answer)` does what `Exercise` asks of a
judge; `wrong(mistake, mg)` makes the answer that a table of `mistakes` stands for, so what is
recognized and what the tests hand in are one and the same. An answer that nobody foresaw gets a
fact about itself, such as a point at which it fails, and never the solution. A kind may also have
`drawing(answer)`: what was handed in, to be shown below a hint.
"""

from .behaviors import Behavior
from .custom_functions import CustomFunction
from .engines import Engine
from .judges import Choice, Code, Function, Graph, Numbers, Ticks, letters, named, near, unforeseen

KINDS = {
    "function": Function,
    "numbers": Numbers,
    "graph": Graph,
    "choice": Choice,
    "ticks": Ticks,
    "class": CustomFunction,
    "code": Code,
    "engine": Engine,
    "behavior": Behavior,
}

__all__ = ["KINDS", "letters", "named", "near", "unforeseen"]
