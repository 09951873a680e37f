"""A wrong argument of draw, stepper or watch: the error says what to give."""

import re

import pytest

import minigrad as mg
from minigrad import nn


@pytest.fixture
def y():
    x = mg.tensor(2.0, requires_grad=True)
    return (x + 1) * x


@pytest.fixture
def loss():
    net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
    with mg.watch(net):
        return net(mg.ones(3, 2)).sum()


def one_layer():
    lin = nn.Linear(2, 1)
    with mg.watch(lin):
        return lin(mg.ones(3, 2)).sum()


@pytest.mark.parametrize("door", [mg.draw, mg.stepper])
@pytest.mark.parametrize("depth", ["all", None, 1.5, True])
def test_depth_is_a_whole_number(y, door, depth):
    said = f"{door.__name__}(): depth is a whole number: 0 draws no boxes, 1 the outermost modules"
    with pytest.raises(TypeError, match=re.escape(said)):
        door(y, depth=depth)


@pytest.mark.parametrize("door", [mg.draw, mg.stepper])
def test_depth_is_not_negative(y, door):
    with pytest.raises(ValueError, match=r"depth is a whole number: 0 draws no boxes.*; not -1"):
        door(y, depth=-1)


@pytest.mark.parametrize("door", [mg.draw, mg.stepper])
def test_a_module_is_asked_for_by_its_path(loss, door):
    with pytest.raises(TypeError, match=r"module is a path such as 'net\.0', not Linear"):
        door(loss, module=nn.Linear(2, 2))
    with pytest.raises(TypeError, match=r"module is a path such as 'net\.0', not int"):
        door(loss, module=0)


@pytest.mark.parametrize("door", [mg.draw, mg.stepper])
def test_a_path_that_is_not_there_names_those_that_are(loss, y, door):
    with pytest.raises(KeyError, match=r"no module 'nett' .*net\.0, net\.1, net\.2"):
        door(loss, module="nett")
    with pytest.raises(KeyError, match=r"no boxes\. They come from `with mg\.watch\(net\):`"):
        door(y, module="net")


def test_the_only_model_is_the_picture_itself(loss):
    assert mg.draw(loss, module="net").text() == mg.draw(loss).text()
    assert mg.stepper(loss, module="net")._opened is None


def test_so_is_a_single_layer():
    loss = one_layer()
    assert mg.draw(loss, module="lin").text() == mg.draw(loss).text()
    assert mg.stepper(loss, module="lin")._opened is None
    with pytest.raises(KeyError, match="there is no module 'conv' to look into"):
        mg.draw(loss, module="conv")


def test_a_view_without_its_name(y):
    with pytest.raises(TypeError, match=r"draw\(y, view='backward'\)"):
        mg.draw(y, "backward")


def test_a_tape_is_what_watch_gives(y):
    with pytest.raises(TypeError, match=r"tape is what `with mg\.watch\(\) as tape:` .*not int"):
        mg.draw(y, tape=3)


def test_an_alt_text_is_a_text(y):
    with pytest.raises(TypeError, match=r"alt is a sentence.*not int"):
        mg.draw(y, alt=3)


def test_rules_are_listed(y):
    with pytest.raises(ValueError, match="rules is one of 'symbols', 'words', 'code', not 'tex'"):
        mg.stepper(y, rules="tex")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("stpper", "stepper"),
        ("Stepper", "stepper"),
        ("drow", "draw"),
        ("whatch", "watch"),
        ("explian", "explain"),
        ("tenser", "tensor"),
        ("zeroes", "zeros"),
    ],
)
def test_a_misspelt_door_is_suggested(wrong, right):
    with pytest.raises(AttributeError, match=f"Did you mean: '{right}'"):
        getattr(mg, wrong)
    assert not hasattr(mg, wrong)


def test_what_is_left_out_is_not_guessed_at():
    with pytest.raises(AttributeError, match=r"docs/differences\.md") as caught:
        _ = mg.fft
    assert "Did you mean" not in str(caught.value)


def test_a_stepper_of_a_block_that_raised_sends_to_the_picture():
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(3, 1))
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"), mg.watch(net) as tape:
        net(mg.ones(3, 2))
    with pytest.raises(TypeError, match=r"nothing to go back from; draw\(tape\) shows how far"):
        mg.stepper(tape)
