"""Reference solutions, several for each exercise: whoever is right in another way is right too.

Each function is given the engine and returns an answer, as a learner would hand it in.
"""

from minigrad.lessons import reference_engine
from minigrad.lessons.engine_steps import built
from tests.lessons import (
    engines,
    solutions_03,
    solutions_04,
    solutions_06,
    solutions_07,
    solutions_08,
    solutions_09,
    solutions_10,
    solutions_11,
    solutions_12,
)

#: Each has `SOLUTIONS`; most have `BLANKS`, answers that are not filled in, and `ANSWERS`, pieces
#: of the solutions that no hint may hold.
OF_LESSONS = (
    solutions_03,
    solutions_04,
    solutions_06,
    solutions_07,
    solutions_08,
    solutions_09,
    solutions_10,
    solutions_11,
    solutions_12,
)


def of_lessons(table):
    """One of these tables for all lessons that have it."""
    return {name: said for one in OF_LESSONS for name, said in getattr(one, table, {}).items()}


def _build(mg, shape):
    w = mg.tensor(3.0, requires_grad=True)
    x = mg.tensor(2.0, requires_grad=True)
    return shape(w, x)


def _picture(w, x):
    p = w * x
    return p * p + w


def _picture_turned(w, x):
    p = x * w
    square = p * p
    same = square  # a second name adds nothing to the graph
    return w + same


def _nobody_asks(mg):
    def way(number):
        x = mg.tensor(number)
        z = x * 2
        return x, z

    return way


def _a_question(mg):
    def way(number):
        x = mg.tensor(number, requires_grad=True)
        z = x > 0
        return x, z

    return way


def _cut_off(mg):
    def way(number):
        x = mg.tensor(number, requires_grad=True)
        z = x.detach() * 2
        return x, z

    return way


def _switched_off(mg):
    def way(number):
        x = mg.tensor(number, requires_grad=True)
        with mg.no_grad():
            z = x * 2
        return x, z

    return way


def _slope_as_a_fraction(x):
    return ((2 * x + 3) ** 2) / (2 * x + 3) * 4


def _slope_by_backward(mg):
    def slope(x):
        x = mg.tensor(x, requires_grad=True, dtype=mg.float64)
        ((2 * x + 3) ** 2).backward()
        return x.grad

    return slope


def _backward_and_put_back(mg):
    """A detour, but every `.grad` is as it was."""

    def slope(z, x, y):
        before = x.grad, y.grad
        x.grad = y.grad = None
        z.backward()
        found = y.grad
        x.grad, y.grad = before
        return found

    return slope


def _rules(**changed):
    return {
        "+": lambda a, b: (1, 1),
        "×": lambda a, b: (b, a),
        "**": lambda a, n: n * a ** (n - 1),
        **changed,
    }


SOLUTIONS = {
    "01-1": [
        lambda mg: _build(mg, _picture),
        lambda mg: _build(mg, _picture_turned),
    ],
    "01-2": [
        lambda mg: (_nobody_asks(mg), _a_question(mg)),
        lambda mg: (_switched_off(mg), _nobody_asks(mg)),
        lambda mg: [_a_question(mg), _cut_off(mg)],
        lambda mg: (_cut_off(mg), _switched_off(mg)),
    ],
    "01-3": [
        lambda mg: {"raises": "BC", "because": "P"},
        lambda mg: {"raises": ["c", "b"], "because": "p"},
        lambda mg: {"raises": {"B", "C"}, "because": "P"},
    ],
    "01-4": [lambda mg: "ACD", lambda mg: "A, C and D", lambda mg: ("d", "a", "c")],
    "02-1": [
        lambda mg: {"l3": 1, "l1": 3.5, "w1": 14, "w2": 6, "w3": 12},
        lambda mg: {"l3": mg.ones(2, 2), "l1": [3.5] * 4, "w1": 14.0, "w2": 6, "w3": 12},
    ],
    "02-2": [
        lambda mg: lambda x: 8 * x + 12,
        lambda mg: lambda x: 4 * (2 * x + 3),
        lambda mg: _slope_as_a_fraction,
        _slope_by_backward,
    ],
    "02-3": [
        lambda mg: _rules(),
        lambda mg: _rules(**{"×": lambda a, b: [b, a], "+": lambda a, b: (1.0, 1.0)}),
        lambda mg: _rules(**{"**": lambda a, n: n * a**n / a}),
    ],
    "02-4a": [
        lambda mg: {"to y": 9, "x.grad": 24},
        lambda mg: {"to y": 9.0, "x.grad": 24.0},
    ],
    "02-4b": [lambda mg: {"to t": 3, "to y": 25, "to x": 15, "x.grad": 30}],
    "02-5a": [
        lambda mg: lambda z, x, y: mg.autograd.grad(z, y),
        lambda mg: lambda z, x, y: mg.autograd.grad(z, [y])[0].item(),
        lambda mg: lambda z, x, y: mg.autograd.grad(z, (x, y))[1],
        _backward_and_put_back,
    ],
    "02-5b": [lambda mg: "BE", lambda mg: ["e", "b"], lambda mg: "B and E"],
    "05-1": [lambda mg: engines.Whole, lambda mg: engines.Closures],
    "05-2": [lambda mg: engines.Whole, lambda mg: engines.Closures],
    "05-3": [lambda mg: engines.Whole, lambda mg: engines.Closures],
    "05-4": [lambda mg: built("05-5")["Value"], lambda mg: engines.Whole, engines.roads],
    "05-5": [lambda mg: built("05-6")["Value"], lambda mg: engines.Whole, engines.roads],
    "05-6": [lambda mg: built("05-7a")["Value"], lambda mg: engines.Whole, engines.newest_first],
    "05-7a": [
        lambda mg: built()["count_parts"],
        lambda mg: reference_engine.count_parts,
        lambda mg: engines.counted_by_stack,
    ],
    "05-7b": [lambda mg: reference_engine.Value, lambda mg: engines.Whole, engines.newest_first],
    "05-8": [lambda mg: reference_engine.Value, lambda mg: engines.Whole, engines.newest_first],
    "05-9": [lambda mg: built()["doubling"], lambda mg: engines.doubled],
    **of_lessons("SOLUTIONS"),
}
