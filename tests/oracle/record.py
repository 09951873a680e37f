"""Ask real PyTorch for the expected answers and store them with the tests.

Run ``python tests/oracle/record.py`` in an environment with PyTorch 2.13.0 (the extra ``oracle``).
The answers never come from minigrad: this script does not import it.
"""

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS.parent))

from tests.items import snippets  # noqa: E402
from tests.items.behavior import BEHAVIORS  # noqa: E402
from tests.oracle import golden  # noqa: E402
from tests.oracle.observer import observe  # noqa: E402

VERSION = "2.13.0"
DATA = TESTS / "data"


def the_oracle():
    """Real PyTorch of the one version whose answers count, or an exit that says what to do."""
    try:
        import torch
    except ImportError:
        sys.exit(f"PyTorch is not installed here. Install torch=={VERSION} and try again.")
    if torch.__version__.split("+")[0] != VERSION:
        sys.exit(f"The answers are PyTorch {VERSION}'s; this is {torch.__version__}.")
    torch.set_num_threads(1)
    return torch


def items(torch):
    """What each item of the five documents shows."""
    return {name: observe(snippet.run, torch) for name, snippet in snippets().items()}


def behaviors(torch):
    """What each behavior beyond the documents shows."""
    return {name: observe(snippet, torch) for name, snippet in BEHAVIORS.items()}


def goldens(torch):
    """The step tables, the order in random graphs, and the single golden numbers."""
    graphs = [golden.random_graph(seed) for seed in range(20)]
    return {
        "steps": {name: golden.step_table(run, torch) for name, run in golden.PROGRAMS.items()},
        "orders": [{**graph, "order": golden.order_of_nodes(graph, torch)} for graph in graphs],
        "others": {name: run(torch) for name, run in golden.OTHERS.items()},
    }


# Each file, what fills it, and how many levels of it are worth a line of their own.
RECORDINGS = {
    "items.json": (items, 3),
    "behavior.json": (behaviors, 3),
    "golden.json": (goldens, 5),
}


def written(data, depth):
    """JSON unfolded so that a change of one answer is a change of one line."""
    line = json.dumps(data, ensure_ascii=False)
    if depth == 0 or len(line) <= 100 or not isinstance(data, (dict, list)):
        return line
    if isinstance(data, dict):
        parts = [f"{json.dumps(key)}: {written(value, depth - 1)}" for key, value in data.items()]
    else:
        parts = [written(value, depth - 1) for value in data]
    body = ",\n".join(parts).replace("\n", "\n ")
    return f"{line[0]}\n {body}\n{line[-1]}"


def main():
    torch = the_oracle()
    for name, (recording, depth) in RECORDINGS.items():
        data = {"recorded_with": f"torch {VERSION}", "answers": recording(torch)}
        (DATA / name).write_text(written(data, depth) + "\n", encoding="utf-8")
        print(f"{name}: recorded with PyTorch {VERSION}")


if __name__ == "__main__":
    main()
