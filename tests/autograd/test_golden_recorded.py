"""The golden tables, run on minigrad: the order of the steps as well as their numbers."""

import pytest

import minigrad
from tests.autograd.recording import ORDERS, OTHERS, STEPS
from tests.oracle.observer import differences


@pytest.mark.parametrize("name", STEPS.keys)
def test_steps_of_a_pass(name):
    STEPS.check(name, minigrad)


@pytest.mark.parametrize("seed", ORDERS.keys)
def test_order_of_nodes_in_a_random_graph(seed):
    assert ORDERS.now(seed, minigrad) == ORDERS.answers[seed]


@pytest.mark.parametrize("name", OTHERS.keys)
def test_golden_numbers(name):
    # Rounding decides the second digit of an error that small; its size is what counts.
    tolerance = 0.5 if name == "differences of exp" else 1e-6
    found = differences(OTHERS.answers[name], OTHERS.now(name, minigrad), "", tolerance)
    assert not found, "\n".join(found)


def test_the_leaf_explorer_finds_14_39_and_11():
    rows = OTHERS.answers["leaf explorer"]
    messages = [row.get("raises", "finishes").split()[0] for row in rows]
    assert {message: messages.count(message) for message in messages} == {
        "finishes": 14,
        "can't": 39,
        "element": 11,
    }
    assert {row["tensors"]["x"]["grad"] for row in rows if "tensors" in row} == {7.0, 4.0, 3.0}
