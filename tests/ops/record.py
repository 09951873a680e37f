"""Ask real PyTorch what every case of the table of operations shows, and store it.

Run ``python tests/ops/record.py`` in an environment with PyTorch 2.13.0.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.ops.observe import observed
from tests.ops.table import CASES
from tests.oracle.record import DATA, VERSION, the_oracle, written


def operations(torch):
    """What each case shows."""
    return {name: observed(case, torch) for name, case in CASES.items()}


def main():
    answers = {"recorded_with": f"torch {VERSION}", "answers": operations(the_oracle())}
    (DATA / "ops.json").write_text(written(answers, 2) + "\n", encoding="utf-8")
    print(f"ops.json: {len(CASES)} cases recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
