"""Attributes are found where they are declared: nothing answers for names that are not there.

A class with ``__getattr__`` loses CPython's fast access to *all* its attributes, the most used ones
too: each costs 75 to 100 ns instead of 10 to 20, which was a fifth of the time of a small graph.
"""

import pytest

import minigrad as mg
from minigrad.autograd.function import FunctionNode
from minigrad.autograd.graph import Node
from minigrad.extras.missing import LEFT_OUT


def classes_below(kind):
    """A class and all that are derived from it."""
    yield kind
    for each in kind.__subclasses__():
        yield from classes_below(each)


def test_no_class_of_tensors_or_nodes_answers_for_any_name():
    x = mg.ones(2, requires_grad=True)
    made = [type(y.grad_fn) for y in (x * x, x.exp(), x.sum(0), x[0], x.unbind()[0], x % 2)]
    found = {*made, *classes_below(mg.Tensor), *classes_below(Node)}
    dynamic = {each for each in found for base in each.__mro__ if "__getattr__" in vars(base)}
    assert len(found) > 10
    assert all(issubclass(each, FunctionNode) for each in dynamic)
    assert not any("__getattribute__" in vars(b) for e in found for b in e.__mro__[:-1])


@pytest.mark.parametrize("name", ["svd", "erf", "is_cuda", "H", "resize_"])
def test_a_name_that_is_left_out_says_where_to_read_why(name):
    x = mg.nn.Parameter(mg.ones(2))
    for thing, shown in ((x, "'Parameter' object"), (mg.Tensor, "type 'Tensor'")):
        assert not hasattr(thing, name)
        with pytest.raises(mg.NotSupported, match=f"^{shown} has no attribute '{name}'. .*docs/"):
            getattr(thing, name)
    assert name not in dir(x)
    setattr(x, name, 3)
    assert getattr(x, name) == 3
    assert name in dir(x)
    delattr(x, name)
    assert not hasattr(x, name)


def test_a_name_that_nobody_has_is_an_ordinary_mistake():
    with pytest.raises(AttributeError, match=r"^'Tensor' object has no attribute 'bakward'") as it:
        mg.ones(2).bakward()
    assert not isinstance(it.value, mg.NotSupported)


def test_what_is_left_out_is_not_there():
    assert not LEFT_OUT & {name for each in mg.Tensor.__mro__[1:] for name in vars(each)}
    assert {name for name in LEFT_OUT if hasattr(mg.Tensor, name)} == set()


def test_a_node_names_what_it_saved():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    node = (x * x).grad_fn
    doors = {name for name in dir(node) if "_saved_" in name}
    assert doors == {"_saved_self", "_saved_other", "_raw_saved_self", "_raw_saved_other"}
    assert x.sum(0).grad_fn._saved_dim == (0,)
    with pytest.raises(AttributeError, match="'MulBackward0' object has no attribute"):
        _ = node._saved_result
    with pytest.raises(AttributeError):
        node._saved_self = x
