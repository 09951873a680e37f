"""What PyTorch says of the programs, expressions and functions that widgets show."""

import math
import warnings
from functools import partial

from tests.oracle.recorded import Recording
from tests.widgets import random_lines, vjp_truth
from tests.widgets.expressions import HOW_MANY, expression, truth


def versions(text, library):
    """What happens to versions in a program of the version debugger."""
    with warnings.catch_warnings(action="ignore"):  # of .grad of a tensor that is no leaf
        return {"text": text, **random_lines.told(text, library)}


def valued(seed, library):
    """A random expression, the values of its names, its own value and its gradients."""
    text, values = expression(seed)
    return {"text": text, "values": values, **truth(text, values, library)}


def slopes(question, library):
    """J, v·J and J·u of a function, and what is refused."""
    name, x, v, u = question
    return {"function": name, "x": x, "v": v, "u": u, **vjp_truth.truth(*question, library)}


def unlike(expected, answer, near=0.0):
    """Where two answers differ; numbers that are written as text may be rounded."""
    return [] if alike(expected, answer, near) else [f"expected {expected!r}, got {answer!r}"]


def alike(one, two, near=0.0):
    """The same data, or texts of the same number up to rounding."""
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(alike(one[key], two[key], near) for key in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(alike(*pair, near) for pair in zip(one, two))
    if isinstance(one, str) and isinstance(two, str):
        return one == two or same(one, two, near)
    return one == two


def same(one, two, near):
    """Whether two texts are one number, nan and inf among them."""
    try:
        a, b = float(one), float(two)
    except ValueError:
        return False
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-9, abs_tol=near)


VERSIONS = Recording("versions", random_lines.texts(), versions, random_lines.unlike)
EXPRESSIONS = Recording("expressions", {str(n): n for n in range(HOW_MANY)}, valued, unlike)
VJP = Recording("vjp", list(vjp_truth.questions()), slopes, partial(unlike, near=1e-10))
