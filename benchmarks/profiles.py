"""Where time and memory go: shown beside a promise that was missed."""

import cProfile
import pstats
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path

from .engines import Engine, Torchlike
from .workload import Workload

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 0.5


def slowest_functions(workload: Workload, engine: Engine) -> list[str]:
    """Return the functions in which the engine's step spends most time of their own."""
    step = workload.start(engine)
    profiler, total = cProfile.Profile(), 0.0
    while total < SECONDS:
        profiler.runcall(step)
        stats = pstats.Stats(profiler)
        total = stats.total_tt
    ranked = sorted(stats.stats.items(), key=lambda item: -item[1][2])
    return [f"{own / total:4.0%}  {name_of(*place)}" for place, (_, _, own, _, _) in ranked]


def name_of(file: str, line: int, function: str) -> str:
    """Return how a profiled function is called, without an address; C functions have no line."""
    return f"{short(file)}: {function}" if line else re.sub(r" at 0x\w+", "", function)


class ForwardOnly(Torchlike):
    """minigrad, stopped between the passes: then its graph holds the most."""

    def backward(self, function, leaves):
        self.result = function(*leaves)
        return []


def held_lines(workload: Workload, engine: Engine) -> list[str]:
    """Return the lines that allocated what lives after the forward pass."""
    halted = ForwardOnly(engine.name, engine.library.__name__)
    step = workload.start(halted)
    tracemalloc.start()
    try:
        step()
        lines = tracemalloc.take_snapshot().statistics("lineno")
    finally:
        tracemalloc.stop()
    total = sum(line.size for line in lines)
    return [
        f"{line.size / total:4.0%}  {short(line.traceback[0].filename)}:{line.traceback[0].lineno}"
        for line in lines
    ]


def slowest_imports() -> list[str]:
    """Return the modules that take longest to import after NumPy, in Python's own account."""
    words = [sys.executable, "-X", "importtime", "-c", "import numpy; import minigrad"]
    account = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    lines = [line.removeprefix("import time:").split("|") for line in account.splitlines()[1:]]
    modules = [(int(own), name.strip()) for own, _, name in lines]
    # A module is listed after all that it imports, so what follows NumPy is minigrad's.
    after = [name for _, name in modules].index("numpy") + 1
    ranked = sorted(modules[after:], reverse=True)
    return [f"{microseconds / 1000:4.1f} ms  {name}" for microseconds, name in ranked]


def short(file: str) -> str:
    """Return a file's place inside its package, without the folders of this machine."""
    parts = Path(file).parts
    for package in ("minigrad", "numpy", "benchmarks"):
        if package in parts:
            return "/".join(parts[len(parts) - 1 - parts[::-1].index(package) :])
    return Path(file).name
