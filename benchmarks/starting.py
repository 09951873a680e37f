"""What `import minigrad` costs on top of `import numpy`, in fresh processes."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
STARTS = 11
PROGRAM = """
from pathlib import Path
from time import perf_counter
import numpy

def resident():
    try:
        return int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None

pages, began = resident(), perf_counter()
import minigrad
seconds, after = perf_counter() - began, resident()
import mmap
print(seconds, "-" if pages is None else (after - pages) * mmap.PAGESIZE)
"""


@dataclass(frozen=True)
class Start:
    """Seconds, and bytes of resident memory where the system tells them."""

    seconds: float
    memory: float | None


def start_cost() -> Start:
    """Return the medians of several starts; a first one, not counted, writes the bytecode."""
    runs = [run_once() for _ in range(STARTS + 1)][1:]
    memories = [int(memory) for _, memory in runs if memory != "-"]
    return Start(median(float(s) for s, _ in runs), median(memories) if memories else None)


def run_once() -> list[str]:
    """Start Python once; return what it printed."""
    words = [sys.executable, "-c", PROGRAM]
    return subprocess.run(
        words, cwd=ROOT, env=with_bytecode(), capture_output=True, text=True, check=True
    ).stdout.split()


def with_bytecode() -> dict[str, str]:
    """The environment without the wish to keep no bytecode: installed packages have theirs."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
