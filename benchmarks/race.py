"""Engines take turns at a workload, and are compared round by round."""

import gc
import sys
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from .engines import Engine
from .workload import Step, Workload

ROUNDS = 9
FEWEST_ROUNDS = 3
SECONDS = 4.0  # no new round begins after this long
TURN = 0.01  # a turn repeats its step for about this many seconds, or runs it once

Seconds = dict[str, list[float]]


@dataclass(frozen=True)
class Times:
    """Seconds per step, of each process: for each engine one number a round."""

    processes: list[Seconds]

    def has(self, *names: str) -> bool:
        """Whether these engines ran."""
        return all(name in self.processes[0] for name in names)

    def of(self, name: str) -> float | None:
        """Return the median of the processes' medians for an engine, or None where none ran."""
        if not self.has(name):
            return None
        return median(median(seconds[name]) for seconds in self.processes)

    def ratio(self, name: str, other: str) -> float | None:
        """Return the median of the processes' ratios."""
        if not self.has(name, other):
            return None
        return median(by_round(seconds[name], seconds[other]) for seconds in self.processes)


def by_round(some: list[float], others: list[float]) -> float:
    """Return the median of per-round ratios: what slows a round down, slows both down."""
    return median(a / b for a, b in zip(some, others))


def race(workload: Workload, engines: dict[str, Engine], rounds: int = ROUNDS) -> Seconds:
    """Check that all engines agree on `workload`, then time them in turn, `rounds` times."""
    workload.check(engines)
    steps = workload.steps(engines)
    repeats = {name: max(1, round(TURN / turn(step, 1))) for name, step in steps.items()}
    names = list(steps)
    seconds = {name: [] for name in names}
    began = perf_counter()
    for done in range(rounds):
        if done >= FEWEST_ROUNDS and perf_counter() - began > SECONDS:
            break
        # Another engine begins each round, so that none always follows the same neighbor.
        first = done % len(names)
        for name in names[first:] + names[:first]:
            seconds[name].append(turn(steps[name], repeats[name]))
    return seconds


def turn(step: Step, repeats: int) -> float:
    """Return the seconds a step takes, on average; garbage of earlier turns is gone before."""
    gc.collect()
    began = perf_counter()
    for _ in range(repeats):
        step()
    return (perf_counter() - began) / repeats


def growth(start, engine: Engine, long: int, short: int) -> float:
    """Return how many times as long one of `long` operations takes as one of `short`."""
    few, many = start(short)(engine), start(long)(engine)
    turn(few, 100)
    ratios = [turn(many, 1) / long / (turn(few, 300) / short) for _ in range(FEWEST_ROUNDS)]
    return median(ratios)


def freeze() -> None:
    """Take all that imports made out of the collector's sight.

    A full collection looks at every object there is. With PyTorch loaded that takes long enough
    to turn ratios around, and says nothing about the engine whose step happens to set it off.
    """
    gc.collect()
    gc.freeze()


def say(sentence: str) -> None:
    """Tell how far it is, without getting into the table."""
    print(sentence, file=sys.stderr, flush=True)
