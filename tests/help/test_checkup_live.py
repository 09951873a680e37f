"""`checkup` on nets of the real PyTorch of this environment: the same findings."""

import pytest

import minigrad as mg
from tests.help.nets import SAID, unlike

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("make", SAID, ids=lambda make: make.__name__)
def test_what_stands_out(make):
    assert unlike(mg.checkup(*make(torch)).findings, SAID[make]) == []


def test_freed_graphs_and_closed_doors():
    net = torch.nn.Linear(1, 1)
    loss = net(torch.ones(1, 1))
    loss.backward()
    found = mg.checkup(net, torch.optim.Adam(net.parameters()), loss)
    assert [(row.optimized, row.reached, row.rounds) for row in found.rows] == [
        (True, True, None)
    ] * 2
