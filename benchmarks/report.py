"""The table, the times behind it, the conditions, and a profile of what was missed."""

import importlib.metadata
import os
import platform
import tomllib
from pathlib import Path

from .engines import MAKERS, Engine
from .race import Times
from .stepper import PASSES
from .targets import TARGETS, WORKLOADS, Findings, Target
from .workload import BY_HAND, Workload

PAGE = Path(__file__).with_name("README.md")
KNOWN = tomllib.loads(Path(__file__).with_name("missed.toml").read_text(encoding="utf-8"))
MISSING = "n/a"
CANNOT = "–"
MISSED = "**missed**"
COLUMNS = [*MAKERS, BY_HAND]
DISTRIBUTIONS = ["numpy", "torch", "autograd", "mygrad", "micrograd"]
EXPLAINED_LINES = 6


def promises(found: Findings) -> str:
    """Return the one table: workload, what is measured, must, aim, measured, met."""
    rows = [["workload", "what", "must", "aim", "measured", "met"]]
    for target in TARGETS:
        value = target.read(found)
        must, aim = (f"{number:g} {target.unit}".strip() for number in (target.must, target.aim))
        measured = quantity(value, target.unit)
        rows.append([target.workload, target.what, must, aim, measured, verdict(target, value)])
    return markdown(rows)


def chosen(found: Findings) -> str:
    """Return the part of the table that a run of a few workloads can fill, and their times."""
    heading, rule, *lines = promises(found).splitlines()
    kept = [line for line in lines if any(f"| {title} " in line for title in found.races)]
    return "\n".join([heading, rule, *kept, "", times(found)])


def verdict(target: Target, value: float | None) -> str:
    """Return which promise a measured value keeps."""
    if value is None:
        return MISSING
    return "aim" if value <= target.aim else "must" if value <= target.must else MISSED


def times(found: Findings) -> str:
    """Return the table of times: for each workload and engine the median of a step."""
    rows = [["workload", *COLUMNS]]
    for workload in WORKLOADS:
        if workload.title not in found.races:
            continue
        race = found.races[workload.title]
        rows.append([workload.title, *(cell(workload, race, name) for name in COLUMNS)])
    return markdown(rows)


def cell(workload: Workload, race: Times, name: str) -> str:
    """Return a time, or the sign for its absence."""
    cannot = name in workload.without or (name == BY_HAND and workload.by_hand is None)
    seconds = race.of(name)
    if cannot:
        return CANNOT
    return MISSING if seconds is None else duration(seconds)


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if seconds >= 1:
        return quantity(seconds, "s")
    return quantity(seconds * 1e3, "ms") if seconds >= 1e-3 else quantity(seconds * 1e6, "µs")


def quantity(value: float | None, unit: str) -> str:
    """Return a number with two or three digits that matter, and its unit."""
    if value is None:
        return MISSING
    digits = f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value < 10 else f"{value:.1f}"
    return f"{digits} {unit}".strip()


def markdown(rows: list[list[str]]) -> str:
    """Return `rows`, the first one a heading, as a table that can be read as plain text too."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows = [rows[0], ["-" * width for width in widths], *rows[1:]]
    lines = (" | ".join(text.ljust(width) for text, width in zip(row, widths)) for row in rows)
    return "\n".join(f"| {line} |" for line in lines)


def steppers(found: Findings) -> str:
    """Return the table of what a stepper costs: time and size, each with what it may be."""
    rows = [["pass", "time", "may be", "HTML", "may be", "met"]]
    for one in PASSES:
        cost = (found.steppers or {}).get(one.title)
        met = cost and cost.seconds <= one.seconds and cost.size <= 1e3 * one.kilobytes
        rows.append([
            one.title,
            MISSING if cost is None else duration(cost.seconds),
            duration(one.seconds),
            MISSING if cost is None else quantity(cost.size / 1e3, "kB"),
            quantity(one.kilobytes, "kB"),
            MISSING if cost is None else "yes" if met else MISSED,
        ])  # fmt: skip
    return markdown(rows)


# --- What lies behind the numbers ----------------------------------------------------------------


def conditions(processes: int, rounds: int) -> str:
    """Return on what machine, with which versions, this runs."""
    versions = ", ".join(f"{name} {version(name)}" for name in DISTRIBUTIONS)
    lines = [
        f"{processor()}, {os.cpu_count()} logical processors; {platform.system()}",
        f"{platform.python_implementation()} {platform.python_version()} ({built()}); {versions}",
        "BLAS and PyTorch on one thread; garbage collector on, what imports made frozen",
        "PyTorch's default single precision; the engines that know Python numbers use those",
        f"{processes} processes a workload, up to {rounds} rounds in each",
    ]
    return "\n".join(f"* {line}" for line in lines)


def built() -> str:
    """Return when and by which compiler this Python was built: some builds are a third faster."""
    return f"built {platform.python_build()[1]}, {platform.python_compiler()}"


def processor() -> str:
    """Return the processor's name, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def version(distribution: str) -> str:
    """Return an installed version."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return MISSING


def reasons() -> str:
    """Return why some engines have no time for some workloads."""
    found = {}
    for workload in WORKLOADS:
        for name, reason in workload.without.items():
            found.setdefault(f"{name} {reason}", []).append(workload.title)
    return "\n".join(f"* {reason} ({'; '.join(titles)})" for reason, titles in found.items())


def profiles(found: Findings, engine: Engine) -> str:
    """Return for each promise that was missed where minigrad spends its time."""
    missed = {}
    for target in TARGETS:
        if verdict(target, target.read(found)) == MISSED:
            missed.setdefault(target.workload, []).append(target)
    parts = []
    for title, targets in missed.items():
        heading = f"**{title}**: {'; '.join(shortfall(target, found) for target in targets)}"
        lines = targets[0].explain(found, engine)[:EXPLAINED_LINES]
        parts.append("\n".join([heading, "", *known(title), "```", *lines, "```"]))
    return "\n\n".join(parts)


def known(title: str) -> list[str]:
    """Return what is known of a workload besides its profile."""
    return [*KNOWN[title].strip().splitlines(), ""] if title in KNOWN else []


def shortfall(target: Target, found: Findings) -> str:
    """Return what was promised and measured, and what a bare engine takes."""
    measured, bare = target.read(found), target.bare(found)
    said = f"{target.what} {quantity(measured, target.unit)}, must {target.must:g}"
    return said if bare is None else f"{said}, *bare* {quantity(bare, target.unit)}"


def page(found: Findings, engine: Engine, processes: int, rounds: int) -> str:
    """Return the whole page that is committed."""
    missed = profiles(found, engine)
    after = f"\n## What was missed, and where the time goes\n\n{missed}\n" if missed else ""
    return f"""# Benchmarks

Written by `python3 run.py bench --write`; other numbers come from running it again. All engines
compute the same thing in one process, in turn, after a check that their numbers agree. A ratio is
the median of the ratios of single rounds, and of {processes} such processes the middle one: one by
itself can be 10 % off. *By hand* ({BY_HAND}) is the same work with every derivative written out,
the limit for an engine built on NumPy. *Bare* is no peer but a yardstick ([bare.py](bare.py)):
values, nodes and a heap, without views, writes in place, versions, hooks, threads, grad modes,
dtypes, messages or higher derivatives.

## What is promised, and what is

{promises(found)}

Peak memory is what one step adds, at most, to the resident memory of a fresh process that has run
a small step before. PyTorch's: {peaks(found)}.
Rows about `import` are medians of fresh processes.
{after}
## What a stepper costs

`mg.stepper(y)` with its HTML, in CPU seconds; the player's code, stored once a notebook, is not in
the size.

{steppers(found)}

## The times behind it

{times(found)}

`{CANNOT}`: this engine cannot, or nobody would write it by hand:

{reasons()}

## Conditions

{conditions(processes, rounds)}
"""


def peaks(found: Findings) -> str:
    """Return what PyTorch needs in the place of minigrad, for comparison."""
    shown = []
    for workload in ("chain", "elementwise"):
        peak = found.peaks.get(("PyTorch", workload))
        number = MISSING if peak is None else f"{peak / 2**20:.0f} MiB"
        shown.append(f"{number} for the {workload}")
    return " and ".join(shown)
