"""Ask real PyTorch for the value and the gradients of 300 random expressions, and store them.

Run ``python tests/widgets/record_expressions.py`` in an environment with PyTorch 2.13.0.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle.record import DATA, VERSION, the_oracle, written
from tests.widgets.expressions import HOW_MANY, expression, truth


def main():
    torch = the_oracle()
    answers = {}
    for seed in range(HOW_MANY):
        text, values = expression(seed)
        answers[str(seed)] = {"text": text, "values": values, **truth(text, values, torch)}
    data = {"recorded_with": f"torch {VERSION}", "answers": answers}
    (DATA / "expressions.json").write_text(written(data, 2) + "\n", encoding="utf-8")
    print(f"expressions.json: {HOW_MANY} expressions recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
