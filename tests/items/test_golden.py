"""The golden tables, run on minigrad: the order of the steps as well as their numbers."""

import json
from pathlib import Path

import pytest

import minigrad
from tests.oracle import golden
from tests.oracle.observer import differences

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "data" / "golden.json").read_text(encoding="utf-8")
)["answers"]


@pytest.mark.parametrize("name", golden.PROGRAMS)
def test_steps_of_a_pass(name):
    found = differences(GOLDEN["steps"][name], golden.step_table(golden.PROGRAMS[name], minigrad))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("seed", range(20))
def test_order_of_nodes_in_a_random_graph(seed):
    graph = golden.random_graph(seed)
    stored = GOLDEN["orders"][seed]
    assert graph == {key: stored[key] for key in graph}, "the seed no longer gives this graph"
    assert golden.order_of_nodes(graph, minigrad) == stored["order"]


@pytest.mark.parametrize("name", golden.OTHERS)
def test_golden_numbers(name):
    # Rounding decides the second digit of an error that small; its size is what counts.
    tolerance = 0.5 if name == "differences of exp" else 1e-6
    found = differences(GOLDEN["others"][name], golden.OTHERS[name](minigrad), "", tolerance)
    assert not found, "\n".join(found)


def test_the_leaf_explorer_finds_14_39_and_11():
    rows = GOLDEN["others"]["leaf explorer"]
    messages = [row.get("raises", "finishes").split()[0] for row in rows]
    assert {message: messages.count(message) for message in messages} == {
        "finishes": 14,
        "can't": 39,
        "element": 11,
    }
    assert {row["tensors"]["x"]["grad"] for row in rows if "tensors" in row} == {7.0, 4.0, 3.0}
