"""Run the workloads: python3 run.py bench."""

import argparse
import os
import sys

# Read by BLAS when NumPy loads it, and by child processes, so before anything else is imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                 "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"):  # fmt: skip
    os.environ[variable] = "1"

from . import memory, report, scalars, starting, stepper  # noqa: E402
from .engines import load_engines  # noqa: E402
from .processes import PROCESSES, races  # noqa: E402
from .race import ROUNDS, freeze, growth, say  # noqa: E402
from .targets import WORKLOADS, Findings  # noqa: E402


def main(words: list[str]) -> int:
    """Measure what was asked for, and print it; with --write, keep it."""
    parser = argparse.ArgumentParser(prog="run.py bench")
    parser.add_argument("words", nargs="*", help="only workloads whose name has one of these words")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--write", action="store_true", help="write benchmarks/README.md")
    options = parser.parse_args(words)
    if options.write and options.words:
        parser.error("--write keeps the whole table, so it does not go with a choice of workloads")
    found = Findings()
    for workload in WORKLOADS:
        if not options.words or any(word in workload.title for word in options.words):
            say(workload.title)
            found.races[workload.title] = races(workload, options.rounds, options.processes)
    if options.words:
        print(report.chosen(found))
        return 0
    engines = load_engines()
    freeze()
    look_elsewhere(found, engines)
    page = report.page(found, engines["minigrad"], options.processes, options.rounds)
    print(page)
    if options.write:
        if report.MISSING in page:
            say("Not written: something could not be measured here (n/a in the tables).")
            return 1
        report.PAGE.write_text(page, encoding="utf-8")
        say(f"Written to {report.PAGE}")
    return 0


def look_elsewhere(found: Findings, engines: dict) -> None:
    """Measure what a race cannot: growth, memory, and the start."""
    say("a chain of 10⁶ ops")
    found.growth = growth(scalars.chain, engines["minigrad"], long=10**6, short=10**2)
    for workload in memory.STARTS:
        for name in memory.MEASURED:
            if name in engines:
                say(f"memory: {workload}, {name}")
                found.peaks[name, workload] = memory.peak(name, workload)
    say("import minigrad")
    found.start = starting.start_cost()
    say("what a stepper costs")
    found.steppers = stepper.costs()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
