"""The golden tables, frame by frame: nodes, order, dependency counts and numbers."""

import json
import re

import numpy as np
import pytest

import minigrad
from minigrad.trace import record_backward
from tests.autograd import golden
from tests.autograd.recording import ORDERS, STEPS

CASE_1 = """
| 0 | MulBackward0→y | 0 | [1.0] | 4.0 → AddBackward0→a; 3.0 → AddBackward0→b |
| 1 | AddBackward0→b | 1 | [3.0] | 3.0 → AccumulateGrad(x); (no gradient asked) |
| 2 | AddBackward0→a | 1 | [4.0] | 4.0 → AccumulateGrad(x); (no gradient asked) |
| 3 | AccumulateGrad(x) | 2 | [7.0] | adds into .grad |
"""

WEIGHTED = """
| 0 | ViewBackward0→z | 0 | [[1.0, 0.1, 1.0, 0.01]] | [1.0, 0.1, 1.0, 0.01] → AddBackward0→y |
| 1 | AddBackward0→y | 1 | [[1.0, 0.1, 1.0, 0.01]] | \
[1.0, 0.1, 1.0, 0.01] → MulBackward0→xx; (no gradient asked) |
| 2 | MulBackward0→xx | 1 | [[1.0, 0.1, 1.0, 0.01]] | \
[1.0, 0.2, 3.0, 0.045] → AccumulateGrad(x); [1.0, 0.2, 3.0, 0.045] → AccumulateGrad(x) |
| 3 | AccumulateGrad(x) | 2 | [[2.0, 0.4, 6.0, 0.09]] | adds into .grad |
"""


def recorded(program):
    root, seed, names = program(minigrad)
    return record_backward(root, seed, names=names)


def as_printed(step):
    """A stored step as a row of a golden table."""
    sends = step["sends"]
    if not isinstance(sends, str):
        told = (f"{s['value']} → {s['to']}" if s else "(no gradient asked)" for s in sends)
        sends = "; ".join(told)
    return [step["node"], str(step["parts"]), str(step["incoming"]), sends]


@pytest.mark.parametrize("name", golden.PROGRAMS)
def test_frames_are_the_recorded_steps(name):
    stored = STEPS.answers[name]
    trace = recorded(golden.PROGRAMS[name])
    assert [frame["row"] for frame in trace.frames()] == [as_printed(s) for s in stored["steps"]]


@pytest.mark.parametrize("name", golden.PROGRAMS)
def test_the_last_frame_shows_the_leaves(name):
    trace = recorded(golden.PROGRAMS[name])
    kept = trace.frames()[-1]["details"][2]["rows"]
    (pieces,) = (row[1] for row in kept if row[0] == ".grad")
    shown = "".join(piece if isinstance(piece, str) else f"={piece[0]};" for piece in pieces)
    leaves = dict(re.findall(r"(\w+) =(.*?);", shown))
    stored = STEPS.answers[name]["leaves"]
    assert sorted(leaves) == sorted(stored)
    for leaf, text in leaves.items():
        every = text.removeprefix("all ")
        entries = np.ravel(json.loads(every.replace("−", "-"))).tolist()
        if every != text:
            entries *= len(stored[leaf])
        wanted = stored[leaf] if isinstance(stored[leaf], list) else [stored[leaf]]
        assert entries == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("program", "table"), [(golden.case_1, CASE_1), (golden.weighted_vector, WEIGHTED)]
)
def test_a_table_byte_for_byte(program, table):
    frames = recorded(program).frames()
    printed = [f"| {frame['step']} | {' | '.join(frame['row'])} |" for frame in frames]
    assert printed == table.strip().split("\n")


@pytest.mark.parametrize("seed", range(20))
def test_order_of_a_random_graph(seed):
    graph = golden.random_graph(seed)
    tensors = [minigrad.tensor(1.0 + i / 4, requires_grad=True) for i in range(graph["leaves"])]
    for name, operands in graph["operations"]:
        tensors.append(golden.applied(minigrad, name, [tensors[i] for i in operands]))
    names = {str(number): tensor for number, tensor in enumerate(tensors)}
    trace = record_backward(minigrad.stack(tensors).sum(), names=names)
    order = []
    for frame in trace.frames():
        node, _, made = frame["row"][0].rstrip(")").replace("(", "→").partition("→")
        order.append(f"{node} {made if made in names else 'root'}")
    assert order == ORDERS.answers[seed]["order"]


def test_one_more_number_would_be_noticed():
    stored = [as_printed(step) for step in STEPS.answers["000-case1"]["steps"]]
    x = minigrad.tensor(2.0, requires_grad=True)
    a, b = x + 1, x + 3
    y = a * b
    assert [frame["row"] for frame in record_backward(y).frames()] != stored
