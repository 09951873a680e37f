"""Writes that forget what stood there: ``copy_``, ``fill_``, ``zero_``."""

from __future__ import annotations

import numpy as np

from ...autograd import view_writes, views
from ...autograd.around import Around
from ...autograd.thread_state import OFF, WATCHED, state
from ...dtypes import converted
from ...messages import message
from ...tensor import Tensor, wrap
from ..inplace import any_tracked, shape_refusal
from ..piecewise import zeros_like
from ..promotion import NUMBERS, broadcast, not_a_tensor, plain_number
from ..rule import Rule, RuleNode, edge_of, operation
from ..template import notify, specs_of


class CopyNode(RuleNode):
    """Its name is longer than that of its class, as in PyTorch."""

    __slots__ = ()

    def name(self) -> str:
        return "torch::autograd::CopyBackwards"


COPY = Rule("copy", lambda g: zeros_like(g), src=lambda g: g, node="CopyBackwards", kind=CopyNode)
FILL_NUMBER = Rule("fill", lambda g: zeros_like(g), node="FillBackward2")
FILL_TENSOR = Rule("fill", lambda g: zeros_like(g), value=lambda g: g.sum(), node="FillBackward3")
ZERO = Rule("zero", lambda g: zeros_like(g), symbol="0")


def overwrite(target: Tensor, value, rule: Rule, *sources) -> Tensor:
    """Put ``value`` into ``target``, recorded as ``rule`` of the target and the sources."""
    operands = (target, *sources)
    views.check_write(target, any_tracked(*operands))
    edges = tuple([edge_of(x) for x in operands])
    node, records = None, state.here.mode is not OFF and target._value.dtype.kind == "f"
    if records and edges.count(None) < len(edges):
        node = rule.new_node(edges)
        node.specs = specs_of(operands, target._value)
    Around.written(target, *sources)
    views.write(target, value)
    if node is not None:
        view_writes.rebase(target, node)
        if state.here.mode is WATCHED:
            notify(node, operands, target)
    return target


@operation()
def copy_(self, src, non_blocking=False):
    """Copy the values of ``src``, broadcast and cast, into this tensor.

    >>> import minigrad as mg
    >>> mg.zeros(2, 2).copy_(mg.tensor([1.0, 2.0]))
    tensor([[1., 2.],
            [1., 2.]])
    """
    src = wrap(np.asarray(src)[()]) if src.__class__ in NUMBERS else src
    if not isinstance(src, Tensor):
        raise not_a_tensor(src, "copy_", "other")
    views.check_write(self, self.requires_grad or src.requires_grad)
    views.refuse_expanded(self._value)
    return overwrite(self, broadcast_into(self, src._value), COPY, src)


def broadcast_into(target: Tensor, x):
    """The raw value ``x`` in the shape of ``target``."""
    if x.shape == target._value.shape:
        return x
    try:
        return np.broadcast_to(x, target._value.shape)
    except ValueError:
        raise shape_refusal(target, broadcast(np.broadcast, target._value, x).shape) from None


@operation()
def fill_(self, value):
    """Set every element to ``value``, a number or a 0-d tensor.

    >>> import minigrad as mg
    >>> mg.zeros(2).fill_(7)
    tensor([7., 7.])
    """
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(message("fill-of-several", ndim=value.ndim))
        views.refuse_expanded(self._value)  # its gradient would count shared memory several times
        return overwrite(self, value._value, FILL_TENSOR, value)
    value = converted(plain_number(value, "fill_", "value", 1), self._value.dtype)
    return overwrite(self, value, FILL_NUMBER)


@operation()
def zero_(self):
    """Set every element to 0.

    >>> import minigrad as mg
    >>> mg.ones(2).zero_()
    tensor([0., 0.])
    """
    return overwrite(self, self._value.dtype.type(0), ZERO)
