"""`checkup` on nets of the real PyTorch of this environment: the same findings."""

import pytest

import minigrad as mg
from tests.help.nets import SAID, unlike
from tests.help.program import run

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


def test_a_method_that_empties_between_the_pass_and_the_step():
    program = """
        class Trainer:
            def __init__(self, net):
                self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=0.1)
            def update(self, loss):
                loss.backward()
                self.opt.zero_grad()
                self.opt.step()
            def fit(self, rounds):
                for _ in range(rounds):
                    loss = self.net(torch.ones(1, 2)).sum()
                    self.update(loss)
                return loss
        trainer = Trainer(torch.nn.Linear(2, 1))
        loss = trainer.fit(2)
        said = mg.checkup(trainer.net, trainer.opt, loss).findings
        for _ in range(2):
            trainer.opt.zero_grad()
            trainer.net(torch.ones(1, 2)).sum().backward()
            trainer.opt.step()
        then = mg.checkup(trainer.net, trainer.opt, loss).findings
    """
    names = run(program, torch=torch, mg=mg, __name__="__main__")
    assert len(names["said"]) == 1
    assert "`self.opt.step()`) finds no gradients" in names["said"][0]
    assert "(line 6 of learner.py: `self.opt.zero_grad()`)" in names["said"][0]
    assert not [each for each in names["then"] if "finds no gradients" in each]
