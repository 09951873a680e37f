"""Parameters that ask for no gradient are called frozen, wherever they are met."""

import re

import pytest

import minigrad as mg
from minigrad.trace import graph_of, record_backward


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.oracle)])
def lib(request):
    return pytest.importorskip(request.param)


def network(lib, *frozen):
    """Two layers of which some parameters are frozen, watched, and what came out."""
    net = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.Tanh(), lib.nn.Linear(3, 1))
    for name, parameter in net.named_parameters():
        parameter.requires_grad_(name not in frozen)
    inputs = lib.ones(4, 2)
    with mg.watch(net=net):
        return net, inputs, net(inputs).sum()


def test_a_frozen_parameter_is_told_from_data(lib):
    _net, inputs, y = network(lib, "2.weight")
    values = {value.name: value for value in graph_of(y, names={"inputs": inputs}).values}
    assert not values["inputs"].frozen
    assert not values["inputs"].requires_grad
    assert values["net.2.weightᵀ"].frozen
    text = str(mg.draw(y, depth=0, names={"inputs": inputs}))
    assert re.search(r"net\.2\.weightᵀ = .*   frozen$", text, re.M)
    assert re.search(r"inputs = .*   no grad$", text, re.M)


@pytest.mark.parametrize("cut", ["detach", "no_grad"])
def test_what_is_cut_from_a_parameter_is_not_frozen(lib, cut):
    layer, x = lib.nn.Linear(1, 1), lib.ones(1, 1).requires_grad_()
    with lib.no_grad() if cut == "no_grad" else lib.enable_grad():
        w = layer.weight.detach() if cut == "detach" else layer.weight.t()
    (value,) = (v for v in graph_of(x @ w, names={"x": x, "w": w}).values if v.name == "w")
    assert not value.requires_grad
    assert not value.frozen


def test_the_box_of_a_module_lists_what_is_frozen_and_what_is_not(lib):
    _net, _inputs, y = network(lib, "2.weight")
    said = re.findall(r">(weight|bias|frozen|None|\.grad)<", mg.draw(y).svg())
    assert said.count("frozen") == 1
    assert said.count("None") == 3


def test_a_module_that_is_frozen_as_a_whole_says_so_once(lib):
    _net, _inputs, y = network(lib, "2.weight", "2.bias")
    assert [g.about for g in graph_of(y).groups] == ["Linear 2 → 3", "Tanh", "Linear 3 → 1, frozen"]
    assert mg.draw(y).svg().count("frozen<") == 1


def test_a_step_says_why_a_frozen_parameter_is_sent_nothing(lib):
    _net, inputs, y = network(lib, "2.weight", "2.bias")
    steps = record_backward(y, names={"inputs": inputs}).frames()
    rows = [row for frame in steps for row in frame["details"][0]["rows"]]
    skipped = {"".join(row[1]) for row in rows if "frozen" in "".join(map(str, row[1]))}
    assert skipped == {
        "to net.2.weightᵀ: frozen, its requires_grad is False",
        "to net.2.bias: frozen, its requires_grad is False",
    }


def test_what_a_frozen_part_gave_goes_by_its_module(lib):
    backbone = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.Tanh())
    head = lib.nn.Linear(3, 1)
    for parameter in backbone.parameters():
        parameter.requires_grad_(False)
    with mg.watch(backbone=backbone, head=head):
        y = head(backbone(lib.ones(4, 2))).sum()
    graph = graph_of(y)
    assert [group.about for group in graph.groups] == ["Linear 3 → 1"]
    names = [value.name for value in graph.values]
    assert "backbone(…)" in names
    assert not any(name.startswith("input") for name in names)
