"""Random expressions of the small language, as text, with values for their names."""

import random
import re

FUNCTIONS = ("exp", "log", "sin", "cos", "tanh", "relu", "sqrt", "abs")
POWERS = ("2", "3", "-1", "0.5", "(1/2)", "4", "1", "0")
HOW_MANY = 300


def expression(seed: int) -> tuple[str, dict[str, float | list[float]]]:
    """Return a text that has at least one name, and a value for each name that may be in it."""
    source = random.Random(seed)
    size = source.randint(2, 4)
    values = {"x": number(source), "y": number(source)}
    values |= {name: [number(source) for _ in range(size)] for name in ("u", "v")}
    text = ""
    while not named(text):
        text = single(source, size, 3)
    return text, values


def named(text: str) -> bool:
    return bool(re.search(r"\b[xyuv]\b", text))


def number(source: random.Random) -> float:
    return source.choice([0.0, 1.0, -1.0, 2.0, round(source.uniform(-3, 3), 2)])


def single(source: random.Random, size: int, depth: int) -> str:
    """An expression that is one number."""
    if depth == 0:
        return source.choice(["x", "y", "x", "y", "2", "0.5", "3"])
    kind = source.randrange(7)
    if kind == 0:
        return f"{source.choice(['sum', 'mean'])}({vector(source, size, depth - 1)})"
    if kind == 1:
        return f"({vector(source, size, depth - 1)} @ {vector(source, size, depth - 1)})"
    return common(source, size, depth, kind, single)


def vector(source: random.Random, size: int, depth: int) -> str:
    """An expression that is a vector of `size` numbers."""
    if depth == 0:
        written = ", ".join(f"{number(source):g}" for _ in range(size))
        return source.choice(["u", "v", "u", "v", f"[{written}]"])
    if source.random() < 0.3:
        sides = [single(source, size, depth - 1), vector(source, size, depth - 1)]
        source.shuffle(sides)
        return f"({sides[0]} {source.choice('+-*/')} {sides[1]})"
    return common(source, size, depth, source.randrange(2, 7), vector)


def common(source, size, depth, kind, made):
    """What both are made of: a function, a sign, a power, or an operation of two alike."""
    inner = made(source, size, depth - 1)
    if kind == 2:
        return f"{source.choice(FUNCTIONS)}({inner})"
    if kind == 3:
        return f"(-{inner})"
    if kind == 4 and named(inner):
        return f"({inner})**{source.choice(POWERS)}"
    return f"({inner} {source.choice('+-*/')} {made(source, size, depth - 1)})"


def truth(text: str, values: dict, torch) -> dict[str, object]:
    """What real PyTorch says: Python itself evaluates the text, since it is one of ours."""
    leaves = {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
        for name, value in values.items()
    }

    def vector_of(numbers):
        return torch.tensor(numbers, dtype=torch.float64)

    def of_tensors(function):
        return lambda value: function(torch.as_tensor(value, dtype=torch.float64))

    names = {name: of_tensors(getattr(torch, name)) for name in (*FUNCTIONS, "sum", "mean")}
    code = text.replace("[", "vector_of([").replace("]", "])")
    result = torch.as_tensor(eval(code, names | leaves | {"vector_of": vector_of}))
    return shown(result, leaves)


def shown(result, leaves: dict) -> dict[str, object]:
    """The value and the gradient of each leaf, written so that nan and inf survive."""
    if result.requires_grad:
        result.backward()
    gradients = {name: leaf.grad for name, leaf in leaves.items() if leaf.grad is not None}
    return {
        "value": repr(result.item()),
        "gradients": {name: [repr(n) for n in flat(g)] for name, g in gradients.items()},
    }


def flat(gradient) -> list[float]:
    return gradient.reshape(-1).tolist()
