"""Ask real PyTorch what happens to versions in the programs of the version debugger, and store it.

Run ``python tests/widgets/record.py`` in an environment with PyTorch 2.13.0.
"""

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle.record import DATA, VERSION, the_oracle, written
from tests.widgets.random_lines import texts, told


def main():
    torch = the_oracle()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of .grad of a tensor that is no leaf
        answers = {name: {"text": text, **told(text, torch)} for name, text in texts().items()}
    data = {"recorded_with": f"torch {VERSION}", "answers": answers}
    (DATA / "versions.json").write_text(written(data, 3) + "\n", encoding="utf-8")
    print(f"versions.json: {len(answers)} programs recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
