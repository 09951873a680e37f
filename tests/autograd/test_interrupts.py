"""Ctrl-C in a backward pass leaves nothing behind: it may come wherever something is called."""

import sys

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd.thread_state import state


class Interrupt:
    """Raises KeyboardInterrupt in the n-th call that Python code makes or that returns from C.

    These are the places where Python looks for signals, apart from the ends of loops.
    """

    def __init__(self, when):
        self.left = when

    def __call__(self, frame, event, argument):
        if event in ("call", "c_return"):
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt


def interrupted(work, when):
    """Run ``work`` and interrupt it; whether that came before it was over."""
    interrupt = Interrupt(when)
    sys.setprofile(interrupt)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return interrupt.left <= 0


class Square(mg.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


def plain(x):
    return ((x * x).exp() / x).sum().backward


def recorded(x):
    y = (x.sin() * x).sum()
    return lambda: mg.autograd.grad(y, x, create_graph=True)


def hooked(x):
    y = x * 2
    y.register_hook(lambda grad: grad * 2)
    x.register_post_accumulate_grad_hook(lambda leaf: None)
    y.retain_grad()
    return (y * y).sum().backward


def custom(x):
    return (Square.apply(x) * x[0]).sum().backward


def of_several(x):
    y, z = (x * 2).sum(), x.prod()
    return lambda: mg.autograd.backward([y, z], inputs=[x])


@pytest.mark.parametrize("make", [plain, recorded, hooked, custom, of_several])
@pytest.mark.parametrize("grad_mode", [True, False])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_interrupted_pass(make, grad_mode):
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    make(x)()
    expected = None if x.grad is None else x.grad.tolist()
    here, warnings = state.here, np.geterr()
    when, was_interrupted = 0, True
    while was_interrupted:
        when += 1
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        work = make(x)
        with mg.set_grad_enabled(grad_mode):
            was_interrupted = interrupted(work, when)
            found = here.enabled, here.mode, here.running, here.watchers, np.geterr()
        assert found == (grad_mode, int(grad_mode), None, (), warnings), when
        fresh = mg.tensor([1.0, 2.0], requires_grad=True)
        make(fresh)()
        assert (None if fresh.grad is None else fresh.grad.tolist()) == expected, when
    assert when > 50
