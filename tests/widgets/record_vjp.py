"""Ask real PyTorch for the slopes that the v·J viewer shows, and store them.

Run ``python tests/widgets/record_vjp.py`` in an environment with PyTorch 2.13.0.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle.record import DATA, VERSION, the_oracle, written
from tests.widgets.vjp_truth import questions, truth


def main():
    torch = the_oracle()
    answers = [
        {"function": name, "x": x, "v": v, "u": u, **truth(name, x, v, u, torch)}
        for name, x, v, u in questions()
    ]
    data = {"recorded_with": f"torch {VERSION}", "answers": answers}
    (DATA / "vjp.json").write_text(written(data, 2) + "\n", encoding="utf-8")
    print(f"vjp.json: {len(answers)} tables recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
