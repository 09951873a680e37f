"""Reference solutions of lesson 04, and answers in which something is still blank."""

import numpy as np


def _rows_by_grad(mg):
    def jacobian(y, x):
        rows = []
        for i in range(len(y)):
            v = mg.zeros_like(y)
            v[i] = 1
            rows.append(mg.autograd.grad(y, x, v, retain_graph=True)[0])
        return rows

    return jacobian


def _rows_by_backward(mg):
    def jacobian(y, x):
        table = mg.zeros(len(y), len(x))
        for i, v in enumerate(mg.eye(len(y), dtype=y.dtype)):
            x.grad = None
            y.backward(v, retain_graph=i < len(y) - 1)
            table[i] = x.grad
        return table

    return jacobian


def _rows_entry_by_entry(mg):
    """No v at all: every entry is a number of its own."""

    def jacobian(y, x):
        return [mg.autograd.grad(entry, x, retain_graph=True) for entry in y]

    return jacobian


def _rows_at_once(mg):
    def jacobian(y, x):
        vs = mg.eye(len(y), dtype=y.dtype)
        return mg.autograd.grad(y, x, vs, is_grads_batched=True)[0]

    return jacobian


def _rows_as_they_come(mg):
    def jacobian(y, x):
        vs = mg.eye(len(y), dtype=y.dtype)
        return mg.autograd.grad(y, x, vs, is_grads_batched=True)

    return jacobian


def _ways(mg, **changed):
    def by_backward(z, x, v):
        z.backward(v)
        return x.grad

    ways = {
        "backward": by_backward,
        "grad": lambda z, x, v: mg.autograd.grad(z, x, grad_outputs=v)[0],
        "one_number": lambda z, x, v: (z * v).sum(),
    } | changed
    return {name.replace("_", " "): way for name, way in ways.items()}


def _keeps_the_graph(z, x, v):
    z.backward(gradient=v, retain_graph=True)
    return x.grad.tolist()


PICKS = [[0, 0, 0], [1, 0, 0]]

SOLUTIONS = {
    "04-1a": [
        lambda mg: {"to x0": 15, "to x1": 32},
        lambda mg: {"to x0": mg.tensor(15.0), "to x1": 32.0},
    ],
    "04-1b": [
        lambda mg: mg.tensor(PICKS),
        lambda mg: PICKS,
        lambda mg: ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        lambda mg: np.array(PICKS),
    ],
    "04-2": [
        _rows_by_grad,
        _rows_by_backward,
        _rows_entry_by_entry,
        _rows_at_once,
        _rows_as_they_come,
    ],
    "04-3": [
        lambda mg: _ways(mg),
        lambda mg: _ways(mg, backward=_keeps_the_graph),
        lambda mg: _ways(mg, grad=lambda z, x, v: mg.autograd.grad([z], [x], [v])),
        lambda mg: _ways(mg, one_number=lambda z, x, v: z.flatten() @ v.flatten()),
        lambda mg: _ways(mg, one_number=lambda z, x, v: 4 * (v * z).mean()),
        lambda mg: _ways(mg, one_number=lambda z, x, v: (v * z).sum().view(1, 1)),
    ],
    "04-4": [lambda mg: "ABC", lambda mg: ["c", "b", "a"], lambda mg: "A, B and C"],
}


def _nothing(*_arguments):
    pass


BLANKS = {
    "04-1a": [{"to x0": 15, "to x1": ...}, {"to x0": None, "to x1": ...}],
    "04-1b": [[[0, 0, 0], [..., 0, 0]], [..., ...]],
    "04-2": [_nothing, lambda y, x: ..., lambda y, x: [..., ...]],
    "04-3": [
        dict.fromkeys(("backward", "grad", "one number"), ...),
        dict.fromkeys(("backward", "grad", "one number"), _nothing),
    ],
    "04-4": ["", []],
}
