"""Graphs have no reference cycles: with the garbage collector off, everything goes at once."""

import gc
import weakref
from contextlib import contextmanager

import pytest

import minigrad as mg


@contextmanager
def nothing_for_the_collector():
    """Fail if the block leaves anything that only the garbage collector could find."""
    gc.collect()
    gc.disable()
    try:
        yield
        assert gc.collect() == 0
    finally:
        gc.enable()


class Square(mg.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * x
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad):
        x, _ = ctx.saved_tensors
        return 2 * x * grad


def arithmetic(x):
    return ((x * x + 3).exp() / x).sum()


def retained(x):
    y = x * 2
    y.retain_grad()
    return (y * y).sum()


def hooked(x):
    y = x * 2
    y.register_hook(lambda grad: grad * 2)
    y.grad_fn.register_hook(lambda inputs, outputs: None)
    return y.exp().sum()


def written(x):
    y = x * 1
    y[0] = 5.0
    y.mul_(x)
    view = y[1:]
    view.exp_()
    return (y.sum() + view.sum()) * 1


def custom(x):
    return Square.apply(x).sum()


def second_order(x):
    (g,) = mg.autograd.grad((x * x * x).sum(), x, create_graph=True)
    return (g * g).sum()


def packed(x):
    with mg.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        return (x * x).exp().sum()


def learned(x):
    with mg.no_grad():
        x -= 1
    return (x * mg.ones(3, requires_grad=True) + x * x).sum()


def mutated(x):
    with mg.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = y.sin().sum()
        y.zero_()
        z.backward(retain_graph=True)
    return (x * 1).sum()


PROGRAMS = (
    arithmetic, retained, hooked, written, custom, second_order, packed, learned, mutated,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_pass_leaves_no_garbage(program):
    with nothing_for_the_collector():
        x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
        program(x).backward()
        assert x.grad is not None
        del x


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_graph_without_a_pass_leaves_no_garbage(program):
    with nothing_for_the_collector():
        x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
        out = program(x)
        del x, out


def test_nodes_that_save_a_tensor_in_one_version_share_what_they_keep():
    x = mg.tensor(2.0, requires_grad=True)
    with mg.no_grad():
        x.mul_(3)
    same_memory = x.detach().requires_grad_()
    kept = [of.sin().grad_fn.saved[0] for of in (x, x, same_memory)]
    assert kept[0] is kept[1]
    assert kept[2].kept is same_memory
    with mg.no_grad():
        x.mul_(2)
    assert x.sin().grad_fn.saved[0].version == kept[0].version + 1


def written_to(x):
    x[:1] += 1


def hooked_wrongly(x):
    y = x * 2
    y.register_hook(lambda grad: grad.sum())
    y.sum().backward()


class Misshapen(Square):
    @staticmethod
    def backward(ctx, grad):
        return mg.ones(5)


REFUSED = {
    "a write to a view of a leaf": written_to,
    "a root of several elements": lambda x: (x * 2).backward(),
    "a vector of another shape": lambda x: (x * 2).backward(mg.ones(3)),
    "a root without a history": lambda x: x.detach().backward(),
    "an input without a history": lambda x: mg.autograd.grad((x * 2).sum(), x.detach()),
    "retain_grad without a history": lambda x: x.detach().retain_grad(),
    "a hook without a history": lambda x: x.detach().register_hook(print),
    "a hook that answers another shape": hooked_wrongly,
    "a gradient of another shape": lambda x: Misshapen.apply(x).sum().backward(),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_leaves_no_garbage(what):
    """A name for an error, in the frame that raises it, would hold the graph until a collection."""
    with nothing_for_the_collector():
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        with pytest.raises(RuntimeError):
            REFUSED[what](x)
        del x


def test_an_exception_leaves_no_garbage():
    def fail(grad):
        raise ValueError("stop")

    with nothing_for_the_collector():
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.register_hook(fail)
        try:
            y.sum().backward()
        except ValueError:
            pass
        del x, y


def test_saved_values_go_with_the_pass():
    x = mg.ones(3, requires_grad=True)
    between = x * 2
    kept = weakref.ref(between)
    out = between.sin().sum()
    del between
    assert kept() is not None, "the sine keeps its input"
    out.backward()
    assert kept() is None


def test_a_graph_goes_with_its_last_user():
    x = mg.ones(3, requires_grad=True)
    y = x * 2
    tensor = weakref.ref(y)
    z = y + 1
    del y
    assert tensor() is None, "an addition keeps nothing of its operands"
    assert z.grad_fn.next_functions[0][0].name() == "MulBackward0"


def test_a_leaf_does_not_keep_its_graphs():
    x = mg.ones(3, requires_grad=True)
    between = x * 2
    kept = weakref.ref(between)
    out = between.exp().sin()
    del out, between
    assert kept() is None


def test_a_context_that_is_kept_says_that_its_graph_is_gone():
    kept = []

    class Keeping(Square):
        @staticmethod
        def forward(ctx, x):
            kept.append(ctx)
            ctx.saved_tensors_too = "a name that no node has"
            return Square.forward(ctx, x)

    with nothing_for_the_collector():
        y = Keeping.apply(mg.ones(2, requires_grad=True))
        assert len(kept[0].saved_tensors) == 2
        del y
    assert kept[0].saved_tensors_too
    assert not hasattr(kept[0], "next_functions")
    with pytest.raises(AttributeError, match="the graph of this KeepingBackward is gone"):
        _ = kept[0].saved_tensors
