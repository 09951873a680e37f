"""A decorator for backward functions that cannot be differentiated again."""

from __future__ import annotations

import functools

from ..autograd import function as functions
from ..autograd.grad_mode import no_grad
from ..autograd.node import PlainNode
from ..autograd.thread_state import state
from ..ops.rule import edge_of
from ..tensor import Tensor, made_by


def once_differentiable(function):
    """Decorator for a ``backward`` that computes in a way that cannot be differentiated again.

    Raises:
        RuntimeError: when the result is differentiated all the same.
    """

    @functools.wraps(function)
    def wrapper(ctx, *args, **kwargs):
        with no_grad():
            answers = function(ctx, *args, **kwargs)
        if not state.here.enabled or not any(
            isinstance(a, Tensor) and a.requires_grad for a in args
        ):
            return answers
        several = answers if isinstance(answers, tuple) else (answers,)
        leaves = [a.detach().requires_grad_() if isinstance(a, Tensor) else a for a in several]
        refuse = NotAgain(tuple(map(edge_of, leaves)))
        marked = tuple(made_by(refuse, a._value) if isinstance(a, Tensor) else a for a in several)
        return marked if isinstance(answers, tuple) else marked[0]

    return wrapper


class NotAgain(PlainNode):
    """The history of a gradient that was computed by a once-differentiable backward.

    It leads to leaves of its own: a pass that asks for certain inputs alone does not come by.
    """

    __slots__ = ()
    refusal = "trying to differentiate twice a function that was marked with @once_differentiable"

    def name(self) -> str:
        return "torch::autograd::Error"

    def vjp(self, g, recorded):
        raise RuntimeError(self.refusal)


NotAgain.__name__ = NotAgain.__qualname__ = "Error"  # as a tensor prints its grad_fn
functions.once_differentiable = once_differentiable  # where PyTorch has it
