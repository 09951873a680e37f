"""Functions with many outputs, and what a library says about their slopes, as plain data."""

import math
import random

SEEDS = 40

#: The functions with a button, spelled as a learner would.
BUTTONS = {
    "square": (lambda x, library: x * x, [1.0, 2.0]),
    "table": (lambda x, library: (x * x + 2).view(2, 2), [1.0, 2.0, 3.0, 4.5]),
    "matrix": (lambda x, library: library.tensor([[1.0, 2.0], [3.0, 4.0]]) @ x, [1.0, 1.0]),
    "softmax": (lambda x, library: library.softmax(x, 0), [1.0, 2.0, 3.0]),
}
#: What might be typed, with how many numbers x may have.
TYPED = {
    "x * x * x": (1, 2, 3, 4),
    "sum(x) * x": (2, 3, 4),
    "exp(x) / sum(exp(x))": (2, 3, 4),
    "x * [1, -2, 3]": (1, 3),
    "x @ [1, 2] + x": (2,),
    "relu(x - mean(x))": (2, 3, 4),
    "tanh(2 * x) - cos(x) * x": (1, 2, 3),
    "(x @ x) * sqrt(abs(x) + 1)": (2, 3),
    "sum(x * x)": (2, 4),
    "log(x)": (2,),
}


def questions():
    """Name of a function, x, v and u: the buttons as they stand, and typed ones at random."""
    for name, (_function, x) in BUTTONS.items():
        size = len(x)
        for k in range(size):
            yield (
                name,
                x,
                [float(i == k) for i in range(size)],
                [float(i == k) for i in range(size)],
            )
        yield name, x, [1.0] * size, [1.0] * size
        yield name, x, [(-0.1) ** i for i in range(size)], [(-2.0) ** i for i in range(size)]
    for seed in range(SEEDS):
        draw = random.Random(seed)
        text, sizes = draw.choice(list(TYPED.items()))
        size = draw.choice(sizes)
        x = [round(draw.uniform(-3, 3), 2) for _ in range(size)]
        numbers = [round(draw.uniform(-2, 2), 1) for _ in range(8)]
        yield f"={text}", x, numbers[:4], numbers[4 : 4 + size]


def truth(name, x, v, u, library):
    """J, v·J, J·u, and what is said about handing over nothing and a v of another shape."""
    if name.startswith("="):
        names = ("exp", "cos", "tanh", "relu", "sqrt", "abs", "sum", "mean", "log")
        known = {function: getattr(library, function) for function in names}
        code = name[1:].replace("[1, -2, 3]", "a").replace("[1, 2]", "b")
        dtype = library.float64
        known["a"] = library.tensor([1.0, -2.0, 3.0], dtype=dtype)
        known["b"] = library.tensor([1.0, 2.0], dtype=dtype)

        def function(x):
            return eval(code, {**known, "x": x})
    else:
        dtype, written = library.float32, BUTTONS[name][0]

        def function(x):
            return written(x, library)

    at = library.tensor(x, dtype=dtype, requires_grad=True)
    z = function(at)
    size = math.prod(z.shape)
    v = library.tensor(v[:size], dtype=dtype).reshape(tuple(z.shape))
    row = library.autograd.grad(z, at, v)[0]
    table = library.func.jacrev(function)(at.detach()).reshape(size, len(x))
    column = library.func.jvp(function, (at.detach(),), (library.tensor(u, dtype=dtype),))[1]
    return {
        "J": [[repr(entry) for entry in line] for line in table.tolist()],
        "vJ": [repr(entry) for entry in row.tolist()],
        "Ju": [repr(entry) for entry in column.reshape(size).tolist()],
        "nothing": refusal(function(at), None),
        "flat": refusal(function(at), library.ones(size, dtype=dtype)),
    }


def refusal(z, v):
    """The message of a backward with this v; empty where it runs."""
    try:
        z.backward(v)
    except RuntimeError as error:
        return str(error).partition("\n")[0]
    return ""
