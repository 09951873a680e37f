"""Reference solutions, several for each exercise: whoever is right in another way is right too.

Each function is given the engine and returns an answer, as a learner would hand it in.
"""


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
    ],
    "01-3": [
        lambda mg: {"raises": "BC", "because": "P"},
        lambda mg: {"raises": ["c", "b"], "because": "p"},
        lambda mg: {"raises": {"B", "C"}, "because": "P"},
    ],
    "02-1": [
        lambda mg: {"l3": 1.25, "l1": 7, "w1": 28, "w2": 8, "w3": 10},
        lambda mg: {"l3": mg.full((2, 2), 1.25), "l1": [7.0] * 4, "w1": 28.0, "w2": 8, "w3": 10},
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
    "02-4a": [lambda mg: {"to y": 4, "x.grad": 12}, lambda mg: {"to y": 2 * 2, "x.grad": 6.0 + 6}],
    "02-4b": [lambda mg: {"to t": 2, "to y": 25, "to x": 10, "x.grad": 20}],
}
