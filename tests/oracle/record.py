"""Ask real PyTorch for the expected answers and store them with the tests.

Run ``python3 run.py record``, with the names of files in `tests/data` to record those alone.
The answers never come from minigrad.
"""

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle.recorded import ORACLE, recordings, the_oracle


def main(names):
    torch, known = the_oracle(), recordings()
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"No recording is called {unknown[0]!r}; there are {', '.join(known)}.")
    warnings.simplefilter("ignore")  # those that count are among the answers
    for name in names or known:
        known[name].record(torch)
        print(f"{name}: {len(known[name].keys)} answers of {ORACLE}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
