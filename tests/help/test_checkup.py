"""`checkup` finds what keeps a net from learning, blames nothing else, and changes nothing."""

import re

import pytest

import minigrad as mg
from tests.help.nets import SAID, mended, unlike


@pytest.mark.parametrize("make", SAID, ids=lambda make: make.__name__)
def test_what_stands_out(make):
    assert unlike(mg.checkup(*make(mg)).findings, SAID[make]) == []


def test_rounds_that_were_added_up_are_counted_since_the_last_emptying():
    net, optimizer, _ = mended(mg)
    another = mg.optim.SGD(net.parameters(), lr=0.1)  # so that nobody knows which of both is meant
    assert not another.state

    def passes(count):
        for _ in range(count):
            net(mg.ones(1, 2)).sum().backward()
        found = mg.checkup(net, optimizer)
        assert len({row.rounds for row in found.rows}) == 1
        return found.rows[0].rounds

    assert passes(2) == 3  # with the one before
    assert mg.checkup(net).findings[0].startswith("The .grad of 0.weight, 0.bias, 2.weight and 1 ")
    optimizer.zero_grad(set_to_none=False)
    assert passes(0) == 0
    assert passes(1) == 1
    optimizer.zero_grad()
    assert mg.checkup(net).rows[0].rounds is None
    assert passes(4) == 4
    assert passes(1) == 5
    assert passes(15) == 9
    assert "adds up 9 or more backward passes" in str(mg.checkup(net))


def test_nothing_is_changed_by_looking():
    net, optimizer, loss = mended(mg)
    before = [(p.grad.tolist(), p._version, p.grad._version) for p in net.parameters()]
    mg.checkup(net, optimizer, loss)
    after = [(p.grad.tolist(), p._version, p.grad._version) for p in net.parameters()]
    assert before == after


def test_what_was_not_given_is_the_only_one_of_the_program_or_has_no_column():
    net, optimizer, loss = mended(mg)
    assert str(mg.checkup(net)) == str(mg.checkup(net, optimizer, loss))
    another, second = mg.optim.SGD(net.parameters(), lr=0.1), net[0].weight.sum()
    head = str(mg.checkup(net)).splitlines()[2]
    assert head.split("  ")[0] == "parameter"
    assert "optimizer" not in head
    assert "loss" not in head
    assert "in optimizer" in str(mg.checkup(net, another)).splitlines()[2]
    assert "reached by loss" in str(mg.checkup(net, loss=second))


def test_a_large_net_stays_readable():
    net = mg.nn.Sequential(*[mg.nn.Linear(1, 1) for _ in range(100)])
    found = mg.checkup(net, None, mg.zeros(1))
    assert len(found.rows) == 200
    assert len(str(found).splitlines()) < 50
    assert "… and 160 more parameters in .rows" in str(found)
    assert found._repr_html_().count("<tr>") == 41


def test_what_a_notebook_shows_is_escaped():
    net = mg.nn.Sequential(mg.nn.Linear(1, 1))
    net.add_module("<b>", mg.nn.Linear(1, 1))
    net[0].weight.requires_grad_(False)
    html = mg.checkup(net)._repr_html_()
    assert "&lt;b&gt;.weight" in html
    assert "<b>.weight" not in html
    assert re.match(r"<p><b>Frozen \(requires_grad is False\): 0.weight", html)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((3,), "checkup() takes a module first, not int"),
        ((mg.nn.Tanh(), 3), "checkup() takes an optimizer second, not int"),
        (
            (mg.nn.Tanh(), None, 3.0),
            "checkup() takes a tensor as loss, not float: give the",
        ),
    ],
)
def test_what_is_no_net_is_refused(given, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        mg.checkup(*given)


def test_of_several_optimizers_each_may_step_a_part():
    net, other = (mg.nn.Sequential(mg.nn.Linear(1, 2), mg.nn.Linear(2, 1)) for _ in range(2))
    parts = [mg.optim.SGD(layer.parameters(), lr=0.1) for layer in (*net, other)]
    loss = net(mg.ones(1, 1)).sum()
    table = [str(mg.checkup(net, tools, loss)) for tools in (parts, parts[:1])]
    assert [re.findall("yes   (yes|no) ", each) for each in table] == [
        ["yes"] * 4,
        ["yes", "yes", "no", "no"],
    ]
    with pytest.raises(TypeError, match="takes an optimizer second, not int"):
        mg.checkup(net, [parts[0], 3], loss)


def test_a_net_without_parameters():
    assert str(mg.checkup(mg.nn.Tanh())) == "Nothing stands out."


def test_gradients_that_were_emptied_after_a_step_are_not_missed():
    net = mg.nn.Linear(2, 1)
    optimizer = mg.optim.SGD(net.parameters(), lr=0.1)
    loss = net(mg.ones(2)).sum()
    assert "No .grad is filled now" in str(mg.checkup(net, optimizer, loss))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    said = mg.checkup(net, optimizer, loss).findings
    assert said[0] == "Nothing stands out."
    assert "emptied since the last pass (line " in said[1]
    assert "`optimizer.zero_grad()`" in said[1]
