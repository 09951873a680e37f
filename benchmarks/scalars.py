"""Many small operations: what is measured is what an engine adds to each of them."""

import numpy as np

from .workload import Workload

TOO_DEEP = "walks the graph by recursion, deeper than Python allows"
SCALARS_ONLY = "knows scalars only"


# --- The graph of a first lesson -----------------------------------------------------------------


def lesson_graph(engine):
    def graph(x, w, b):
        z = x * w
        a = z + b
        c = a * a
        d = c - z
        e = d * x
        f = e + a
        g = f * w
        h = g + c
        return h * b + d

    return lambda: engine.backward(graph, [engine.leaf(2.0), engine.leaf(-3.0), engine.leaf(1.5)])


def lesson_graph_by_hand():
    def step(x=2.0, w=-3.0, b=1.5):
        z = x * w
        a = z + b
        c = a * a
        d = c - z
        f = d * x + a
        h = f * w + c
        dh, df = b, b * w
        dd = df * x + 1.0
        dc = dh + dd
        da = df + 2 * a * dc
        dz = da - dd
        return [dz * w + df * d, dz * x + dh * f, da + h]

    return step


# --- Chain and fan -------------------------------------------------------------------------------


def chain(operations: int):
    """Return the workload's start: `operations` operations, each on the result of the last."""

    def start(engine):
        def run(w, b):
            y = b
            for _ in range(operations // 2):
                y = y * w + b
            return y

        leaves = [engine.leaf(0.5), engine.leaf(1.5)]
        return lambda: engine.backward(run, leaves)

    return start


def fan(operations: int):
    """Return the start of a fan: half the operations share a leaf, the rest add up."""

    def start(engine):
        def run(x):
            total = x * x
            for _ in range(operations // 2):
                total = total + x * x
            return total

        leaves = [engine.leaf(0.5)]
        return lambda: engine.backward(run, leaves)

    return start


def chain_by_hand(operations: int):
    def step(w=0.5, b=1.5):
        values = [b]
        for _ in range(operations // 2):
            values.append(values[-1] * w + b)
        d, dw, db = 1.0, 0.0, 0.0
        for y in reversed(values[:-1]):
            dw += d * y
            db += d
            d *= w
        return [dw, db + d]

    return lambda: step


def fan_by_hand(operations: int):
    def step(x=0.5):
        total, slope = x * x, 2 * x
        for _ in range(operations // 2):
            total += x * x
            slope += 2 * x
        return [slope]

    return lambda: step


# --- One element after the other -----------------------------------------------------------------


def growing_sum(length: int):
    """Return the start of `s += x[i] * x[i]`, the loop that beginners write."""

    def start(engine):
        def run(x):
            s = 0.0
            for i in range(length):
                s += x[i] * x[i]
            return s

        leaves = [engine.leaf(ramp(length))]
        return lambda: engine.backward(run, leaves)

    return start


def growing_sum_by_hand(length: int):
    def start():
        x = ramp(length)

        def step():
            s, slope = 0.0, np.zeros_like(x)
            for i in range(length):
                s += x[i] * x[i]
                slope[i] += 2 * x[i]
            return [slope]

        return step

    return start


def ramp(length: int) -> np.ndarray:
    """Return `length` values between 0 and 1."""
    return np.linspace(0, 1, length, dtype=np.float32)


LESSON = Workload("lesson graph, 10 scalar ops", lesson_graph, lesson_graph_by_hand)
LENGTHS = 1000, 5000, 30_000
DEEP = {"micrograd": TOO_DEEP}
CHAIN = Workload("chain of 10 000 scalar ops", chain(10_000), chain_by_hand(10_000), DEEP)
FAN = Workload("fan of 10 000 scalar ops", fan(10_000), fan_by_hand(10_000), DEEP)
GROWING_SUMS = [
    Workload(
        f"`s += x[i]*x[i]`, n = {length}",
        growing_sum(length),
        growing_sum_by_hand(length),
        {"micrograd": SCALARS_ONLY},
    )
    for length in LENGTHS
]
WORKLOADS = [LESSON, CHAIN, FAN, *GROWING_SUMS]
