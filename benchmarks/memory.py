"""Peak memory of a step, as the operating system sees it, each engine in a process of its own.

Python's own counter, `tracemalloc`, does not see what PyTorch allocates. So the child process warms
up on a small step, notes its resident memory, resets the kernel's high-water mark, runs the step,
and reports how much the mark lies above the note. Linux alone has a mark that can be reset.

    python -m benchmarks.memory PyTorch elementwise
"""

import gc
import subprocess
import sys
from pathlib import Path

from . import arrays, scalars
from .engines import MAKERS

OPERATIONS = 100_000
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
ROOT = Path(__file__).resolve().parent.parent
MEASURED = ("minigrad", "PyTorch")
STARTS = {
    "chain": lambda small: scalars.chain(100 if small else OPERATIONS),
    "elementwise": lambda small: (
        lambda engine: arrays.elementwise(engine, 100 if small else arrays.LENGTH)
    ),
}


def peak(engine: str, workload: str) -> int | None:
    """Return the bytes that one step adds at its peak, or None where that cannot be measured."""
    if not RESET.exists():
        return None
    words = [sys.executable, "-m", "benchmarks.memory", engine, workload]
    finished = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if finished.returncode != 0:
        raise RuntimeError(f"{engine} failed on {workload}:\n{finished.stderr}")
    return int(finished.stdout)


def measure(engine_name: str, workload: str) -> int:
    """Measure in this process, which has to be a fresh one."""
    engine = MAKERS[engine_name]()
    STARTS[workload](small=True)(engine)()
    step = STARTS[workload](small=False)(engine)
    gc.collect()
    before = resident("VmRSS")
    RESET.write_text("5")  # the kernel's word for: high-water mark, begin again from here
    step()
    return resident("VmHWM") - before


def resident(line: str) -> int:
    """Return one line of the kernel's account of this process, in bytes."""
    for words in map(str.split, STATUS.read_text().splitlines()):
        if words[0] == f"{line}:":
            return int(words[1]) * 1024
    raise LookupError(line)


if __name__ == "__main__":
    print(measure(*sys.argv[1:]))
