"""What is promised: what each workload must meet, what is aimed at, how it is read off."""

from collections.abc import Callable
from dataclasses import dataclass, field

from . import arrays, demo, derivatives, memory, networks, scalars
from .engines import PURE_PYTHON, Engine
from .profiles import held_lines, slowest_functions, slowest_imports
from .race import Times
from .starting import Start
from .stepper import Cost
from .workload import BY_HAND, Workload

WORKLOADS = [
    *scalars.WORKLOADS,
    *networks.WORKLOADS,
    *arrays.WORKLOADS,
    *derivatives.WORKLOADS,
    *demo.WORKLOADS,
]


@dataclass
class Findings:
    """Everything that was measured; what was not is missing here, and n/a in the table."""

    races: dict[str, Times] = field(default_factory=dict)
    growth: float | None = None
    peaks: dict[tuple[str, str], int | None] = field(default_factory=dict)
    start: Start | None = None
    steppers: dict[str, Cost] | None = None

    def ratio(self, workload: Workload, other: str, name: str = "minigrad") -> float | None:
        """Return the time of minigrad, or of the engine named, over another's."""
        race = self.races.get(workload.title)
        return race and race.ratio(name, other)

    def peer_ratios(self) -> dict[str, float]:
        """Return for each workload minigrad's time over that of the fastest pure-Python peer."""
        found = {}
        for title, race in self.races.items():
            ratios = [race.ratio("minigrad", peer) for peer in PURE_PYTHON if race.has(peer)]
            if ratios:
                found[title] = max(ratios)
        return found


@dataclass(frozen=True)
class Target:
    """One promise: a smaller number is better. `bare` reads what the bare engine has there."""

    workload: str
    what: str
    must: float
    aim: float
    read: Callable[[Findings], float | None]
    explain: Callable[[Findings, Engine], list[str]]
    unit: str = ""
    bare: Callable[[Findings], float | None] = lambda found: None


def ratio(workload: Workload, other: str, must: float, aim: float) -> Target:
    """Promise a ratio of times, named after the workload."""
    return Target(
        workload.title,
        f"time / {other}",
        must,
        aim,
        lambda found: found.ratio(workload, other),
        profile_of(workload),
        bare=lambda found: found.ratio(workload, other, "bare"),
    )


def per_operation(found: Findings) -> float | None:
    """Return the bytes that each operation of the long chain needs at the peak."""
    peak = found.peaks.get(("minigrad", "chain"))
    return None if peak is None else peak / memory.OPERATIONS


def elementwise_peak(found: Findings) -> float | None:
    """Return the peak of the elementwise workload, in MiB."""
    peak = found.peaks.get(("minigrad", "elementwise"))
    return None if peak is None else peak / 2**20


def loop_growth(found: Findings) -> float | None:
    """Return the time per element of the longest loop over that of the shortest."""
    short, long = scalars.GROWING_SUMS[0], scalars.GROWING_SUMS[-1]
    if short.title not in found.races or long.title not in found.races:
        return None
    times = found.races[long.title].of("minigrad") / found.races[short.title].of("minigrad")
    return times / (scalars.LENGTHS[-1] / scalars.LENGTHS[0])


def worst_peer_ratio(found: Findings) -> float | None:
    """Return the worst ratio to the fastest pure-Python peer, over all workloads."""
    return max(found.peer_ratios().values(), default=None)


# --- What to show where a promise is missed ------------------------------------------------------


def profile_of(workload: Workload) -> Callable[[Findings, Engine], list[str]]:
    """Explain slowness: the functions that take most of the time."""
    return lambda found, engine: slowest_functions(workload, engine)


def holding(workload: Workload) -> Callable[[Findings, Engine], list[str]]:
    """Explain memory: the lines that allocated what a forward pass leaves behind."""
    return lambda found, engine: held_lines(workload, engine)


def imports(found: Findings, engine: Engine) -> list[str]:
    """Explain the start: the modules that take longest to import."""
    return slowest_imports()


def all_peer_ratios(found: Findings, engine: Engine) -> list[str]:
    """Explain the worst ratio to a peer: the ratios of all workloads, worst first."""
    ratios = sorted(found.peer_ratios().items(), key=lambda item: -item[1])
    return [f"{ratio:.2f}  {title}" for title, ratio in ratios]


TARGETS = [
    ratio(scalars.LESSON, "PyTorch", 0.32, 0.26),
    ratio(scalars.CHAIN, "PyTorch", 0.32, 0.26),
    ratio(scalars.FAN, "PyTorch", 0.32, 0.26),
    Target("… chain", "ns per op, 10⁶ / 10² ops", 3, 2, lambda found: found.growth,
           profile_of(scalars.CHAIN), "×"),
    Target("… chain", "bytes per op at the peak", 400, 210, per_operation,
           holding(scalars.CHAIN)),
    ratio(networks.SMALL_MLP, "PyTorch", 0.70, 0.55),
    ratio(networks.SMALL_MLP, BY_HAND, 3.3, 2.5),
    ratio(networks.LARGE_MLP, BY_HAND, 1.12, 1.05),
    ratio(arrays.ELEMENTWISE, BY_HAND, 1.25, 1.10),
    Target(arrays.ELEMENTWISE.title, "peak memory", 80, 55, elementwise_peak,
           holding(arrays.ELEMENTWISE), "MiB"),
    ratio(derivatives.TANH, "PyTorch", 0.95, 0.8),
    ratio(derivatives.HVP, "PyTorch", 0.95, 0.65),
    ratio(arrays.BROADCASTING, BY_HAND, 2.3, 1.5),
    ratio(arrays.REDUCTIONS, BY_HAND, 1.2, 1.0),
    *[ratio(workload, "PyTorch", 0.5, 0.4) for workload in scalars.GROWING_SUMS],
    Target("… linear", "time per element, n = 30 000 / 1000", 3, 2, loop_growth,
           profile_of(scalars.GROWING_SUMS[-1]), "×"),
    ratio(demo.DEMO, "PyTorch", 0.40, 0.3),
    ratio(demo.DEMO, "micrograd", 0.6, 0.3),
    Target("the worst workload", "time / fastest pure-Python peer", 1.0, 0.6, worst_peer_ratio,
           all_peer_ratios),
    Target(
        "`import minigrad` over `import numpy`", "time", 20, 8,
        lambda found: found.start and found.start.seconds * 1e3, imports, "ms",
    ),
    Target(
        "`import minigrad` over `import numpy`", "memory", 2.5, 1,
        lambda found: found.start and found.start.memory and found.start.memory / 2**20,
        imports, "MiB",
    ),
]  # fmt: skip
