"""Ask real PyTorch what every snippet of the second ring shows, and store it.

Run ``python tests/second_ring/record.py`` in an environment with PyTorch 2.13.0.
"""

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle.observer import observe
from tests.oracle.record import DATA, VERSION, the_oracle, written
from tests.second_ring.snippets import SNIPPETS


def warmed_up(torch):
    """PyTorch after its first dual tensor, which loads more of it and warns of its insides."""
    with torch.autograd.forward_ad.dual_level(), warnings.catch_warnings(action="ignore"):
        torch.autograd.forward_ad.make_dual(torch.ones(1), torch.ones(1))
    return torch


def answers(torch):
    """What each snippet shows."""
    return {name: observe(run, torch) for name, run in SNIPPETS.items()}


def main():
    data = {"recorded_with": f"torch {VERSION}", "answers": answers(warmed_up(the_oracle()))}
    (DATA / "second_ring.json").write_text(written(data, 3) + "\n", encoding="utf-8")
    print(f"second_ring.json: {len(SNIPPETS)} snippets recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
