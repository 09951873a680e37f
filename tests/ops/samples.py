"""Sample inputs for the table of operations, as plain data that any library can build."""

import math
import random
from dataclasses import dataclass, replace

FLOATS = ("float16", "float32", "float64")


@dataclass(frozen=True)
class Array:
    """One input: its values in reading order, its shape, dtype and layout, and whether tracked."""

    values: tuple
    shape: tuple[int, ...]
    dtype: str = "float64"
    layout: str = "dense"
    tracked: bool = True

    def build(self, torch):
        """The input as a fresh leaf of the library."""
        dtype = getattr(torch, self.dtype)
        if self.layout == "transposed":  # the same matrix, in memory column by column
            width = self.shape[1]
            by_column = [self.values[column::width] for column in range(width)]
            leaf = torch.tensor(by_column, dtype=dtype).t().detach()
        else:
            leaf = torch.tensor(self.values, dtype=dtype).reshape(self.shape).detach().clone()
        tracked = self.tracked and self.dtype in FLOATS
        return leaf.requires_grad_() if tracked else leaf

    def constant(self):
        """The same input, untracked."""
        return replace(self, tracked=False)

    def single(self):
        """The same input in float32."""
        return replace(self, dtype="float32")

    def strided(self):
        """The same matrix with its memory in the other order."""
        return replace(self, layout="transposed")


def floats(*shape, low=-2.0, high=2.0, seed=0):
    """Numbers with two digits, all different, in a range that a reader can check by eye."""
    draw = random.Random(f"{shape} {low} {high} {seed}")
    seen = {}  # no ties, except where a sample asks for them
    while len(seen) < math.prod(shape):
        seen[round(draw.uniform(low, high), 2)] = None
    return Array(tuple(seen), shape)


def exactly(values, dtype="float64"):
    """These numbers, given as nested lists."""
    shape, level = [], values
    while isinstance(level, list):
        shape.append(len(level))
        values = values if len(shape) == 1 else [number for row in values for number in row]
        level = level[0]
    return Array(tuple(values) if shape else (values,), tuple(shape), dtype)


def ints(values):
    """An int64 input."""
    return exactly(values, "int64")


def bools(values):
    """A mask."""
    return exactly(values, "bool")


MATRIX = {"matrix": [floats(2, 3)], "strided": [floats(2, 3).strided()]}
ODD = {"0-d": [floats()], "empty": [floats(0)]}


def one_operand(low, high):
    """The inputs on which an elementwise function of one operand is tried."""
    return {
        "vector": [floats(4, low=low, high=high)],
        "matrix": [floats(2, 3, low=low, high=high)],
        "0-d": [floats(low=low, high=high)],
        "empty": [floats(0)],
        "empty matrix": [floats(2, 0)],
        "strided": [floats(2, 3, low=low, high=high).strided()],
        "float32": [floats(5, low=low, high=high).single()],
        "untracked": [floats(3, low=low, high=high).constant()],
    }


def two_operands(low, high):
    """The inputs on which an elementwise function of two operands is tried."""

    def sample(*shape, seed):
        return floats(*shape, low=low, high=high, seed=seed)

    return {
        "vectors": [sample(3, seed=1), sample(3, seed=2)],
        "matrix, row": [sample(2, 3, seed=1), sample(3, seed=2)],
        "column, row": [sample(2, 1, seed=1), sample(1, 3, seed=2)],
        "0-d, matrix": [sample(seed=1), sample(2, 2, seed=2)],
        "0-d, 0-d": [sample(seed=1), sample(seed=2)],
        "empty": [floats(0), floats(0)],
        "empty, 0-d": [floats(2, 0), sample(seed=2)],
        "strided": [sample(2, 3, seed=1).strided(), sample(2, 3, seed=2)],
        "float32": [sample(3, seed=1).single(), sample(3, seed=2).single()],
        "float32, float64": [sample(3, seed=1).single(), sample(3, seed=2)],
        "float32, 0-d float64": [sample(3, seed=1).single(), sample(seed=2)],
        "first tracked": [sample(3, seed=1), sample(3, seed=2).constant()],
        "second tracked": [sample(3, seed=1).constant(), sample(3, seed=2)],
        "float, int": [sample(3, seed=1), ints([1, 2, 3])],
    }
