"""Ask real PyTorch what every snippet about `torch.autograd` shows, and store it.

Run ``python tests/autograd/record.py`` in an environment with PyTorch 2.13.0.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.autograd.snippets import SNIPPETS
from tests.oracle.observer import observe
from tests.oracle.record import DATA, VERSION, the_oracle, written


def answers(torch):
    """What each snippet shows."""
    return {name: observe(run, torch) for name, run in SNIPPETS.items()}


def main():
    data = {"recorded_with": f"torch {VERSION}", "answers": answers(the_oracle())}
    (DATA / "autograd.json").write_text(written(data, 3) + "\n", encoding="utf-8")
    print(f"autograd.json: {len(SNIPPETS)} snippets recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
