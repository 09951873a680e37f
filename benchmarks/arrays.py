"""Few operations on large arrays: what is measured is how often an engine touches memory."""

import numpy as np

from .scalars import SCALARS_ONLY
from .workload import Workload

LENGTH = 10**6
SIDE = 1000
NO_ARRAYS = {"micrograd": SCALARS_ONLY}


# --- Twenty operations, element by element -------------------------------------------------------


def elementwise(engine, length=LENGTH):
    def run(x):
        y = x
        for _ in range(4):
            y = y * x
            y = engine.sin(y)
            y = engine.exp(y)
            y = engine.tanh(y)
            y = y + x
        return engine.sum(y)

    leaves = [engine.leaf(points(length))]
    return lambda: engine.backward(run, leaves)


def elementwise_by_hand(length=LENGTH):
    x = points(length)

    def step():
        kept, y = [], x
        for _ in range(4):
            product = y * x
            exponential = np.exp(np.sin(product))
            tangent = np.tanh(exponential)
            kept.append((y, product, exponential, tangent))
            y = tangent + x
        value = y.sum()
        slope, d = np.zeros_like(x), np.ones_like(x)
        while kept:
            y, product, exponential, tangent = kept.pop()
            slope += d
            np.multiply(tangent, tangent, out=tangent)
            np.subtract(1, tangent, out=tangent)
            d *= tangent
            d *= exponential
            d *= np.cos(product, out=product)
            slope += np.multiply(d, y, out=product)
            d *= x
        slope += d
        return [slope, value]

    return step


def points(length: int) -> np.ndarray:
    """Return `length` values between -1 and 1, in single precision."""
    return np.linspace(-1, 1, length, dtype=np.float32)


# --- A column by a row ---------------------------------------------------------------------------


def broadcasting(engine):
    def run(column, row):
        product = column * row
        return engine.sum(product * product)

    leaves = [engine.leaf(value) for value in column_and_row()]
    return lambda: engine.backward(run, leaves)


def broadcasting_by_hand():
    column, row = column_and_row()

    def step():
        product = column * row
        value = np.vdot(product, product)
        product *= 2
        to_column = (product * row).sum(axis=1, keepdims=True)
        product *= column
        return [to_column, product.sum(axis=0, keepdims=True), value]

    return step


def column_and_row() -> tuple[np.ndarray, np.ndarray]:
    """Return arrays of shapes (1000, 1) and (1, 1000)."""
    values = np.linspace(0.5, 1.5, SIDE, dtype=np.float32)
    return values.reshape(-1, 1), values[::-1].reshape(1, -1).copy()


# --- Reductions ----------------------------------------------------------------------------------


def reductions(engine):
    def run(x):
        sums = engine.sum(x, 0)
        means = engine.mean(x, 1)
        return engine.sum(sums * sums) + engine.sum(means * means)

    leaves = [engine.leaf(square())]
    return lambda: engine.backward(run, leaves)


def reductions_by_hand():
    x = square()

    def step():
        sums, means = x.sum(axis=0), x.mean(axis=1)
        value = sums @ sums + means @ means
        return [2 * sums + (2 / SIDE * means)[:, None], value]

    return step


def square() -> np.ndarray:
    """Return an array of shape (1000, 1000)."""
    return np.linspace(-1, 1, SIDE * SIDE, dtype=np.float32).reshape(SIDE, SIDE)


ELEMENTWISE = Workload(
    "20 elementwise ops on 10⁶ float32", elementwise, elementwise_by_hand, NO_ARRAYS
)
BROADCASTING = Workload(
    "(1000,1) by (1,1000) broadcasting", broadcasting, broadcasting_by_hand, NO_ARRAYS
)
REDUCTIONS = Workload("reductions on 1000×1000", reductions, reductions_by_hand, NO_ARRAYS)
WORKLOADS = [ELEMENTWISE, BROADCASTING, REDUCTIONS]
