"""Write a few hundred random programs, ask real PyTorch what they show, and store both.

Run ``python tests/fuzz/record.py`` in an environment with PyTorch 2.13.0.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.fuzz.play import played
from tests.fuzz.writer import write
from tests.oracle.record import DATA, VERSION, the_oracle, written

FILE = DATA / "programs.json"
SEEDS = range(250)


def programs(torch):
    """Each program, and what it shows."""
    found = {}
    for seed in SEEDS:
        program = write(seed, torch)
        found[str(seed)] = {"program": program.as_list(), "shows": played(program, torch)}
    return found


def main():
    data = {"recorded_with": f"torch {VERSION}", "answers": programs(the_oracle())}
    FILE.write_text(written(data, 2) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(SEEDS)} programs recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
