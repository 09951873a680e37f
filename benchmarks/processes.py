"""A race in several fresh processes, of which the middle one counts.

Where a process happens to place its objects favors one engine or another by up to a tenth, for as
long as it lives: more rounds in the same process do not average that away.

    python -m benchmarks.processes "fan of 10 000 scalar ops" 9
"""

import json
import subprocess
import sys
from pathlib import Path

from .engines import load_engines
from .race import Times, freeze, race
from .targets import WORKLOADS
from .workload import Workload

ROOT = Path(__file__).resolve().parent.parent
PROCESSES = 5


def races(workload: Workload, rounds: int, processes: int = PROCESSES) -> Times:
    """Run a race in that many processes, one after the other; the environment is the caller's."""
    words = [sys.executable, "-m", "benchmarks.processes", workload.title, str(rounds)]
    runs = []
    for _ in range(processes):
        finished = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        runs.append(json.loads(finished.stdout))
    return Times(runs)


def main(title: str, rounds: str) -> None:
    """Run the race of that title in this process, which has to be a fresh one, and print it."""
    workload = next(each for each in WORKLOADS if each.title == title)
    engines = load_engines()
    freeze()
    print(json.dumps(race(workload, engines, int(rounds))))


if __name__ == "__main__":
    main(*sys.argv[1:])
