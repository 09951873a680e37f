"""What the operations share that pick elements along a dim and say where they found them.

``max(dim)``, ``sort``, ``topk`` and ``median(dim)`` return a pair (values, indices). Their nodes
keep the indices alone, and backward puts each gradient back where its value came from.
"""

from __future__ import annotations

import functools

import numpy as np

from ...autograd.around import Around
from ...tensor import Tensor, wrap
from ..broadcasting import with_dims
from ..dims import wrap_dim
from ..promotion import copied, raw
from ..rule import Rule
from .gather_scatter import scatter, zeros


class Selection(tuple):
    """A pair (values, indices) that prints under the name of its operation."""

    __slots__ = ()
    values = property(lambda self: self[0], doc="The elements that were picked.")
    indices = property(lambda self: self[1], doc="Where they stood along the dim, as int64.")

    def __repr__(self) -> str:
        shown = f"values={self.values!r},\nindices={self.indices!r}"
        return f"torch.return_types.{type(self).__name__}(\n{shown})"


@functools.cache
def named_selection(name: str) -> type[Selection]:
    """The type of pair that an operation of this name returns."""
    return type(name, (Selection,), {"__slots__": (), "__module__": "torch.return_types"})


def selecting(name: str, node: str, *, keepdim: bool = False) -> Rule:
    """Declare the rule of an operation that picks elements; ``keepdim`` if it has that argument."""
    arguments = ("dim", "keepdim", "self_sym_sizes") if keepdim else ("dim", "self_sym_sizes")
    return Rule(name, node=node, arguments=arguments, self=put_along)


def select_along(rule: Rule, input, indices, dim: int, keepdim: bool = True) -> Selection:
    """The pair (values, indices), recorded with this rule; raw ``indices`` still have their dim."""
    x = raw(input)
    axis = wrap_dim(dim, x.ndim)
    values = np.take_along_axis(x, indices, axis) if x.ndim else copied(x)
    if not keepdim and x.ndim:
        values, indices = values.squeeze(axis)[()], indices.squeeze(axis)[()]
    if isinstance(input, Tensor):
        indices = Around.cut(wrap(indices), rule.name, input)
    named = {"dim": dim, "self_sym_sizes": x.shape}
    named |= {"keepdim": keepdim} if "keepdim" in rule.arguments else {}
    values = rule.record(values, input, indices=indices, **named)
    return named_selection(rule.name)((values, indices))


def put_along(g, self_sym_sizes: tuple, dim: int, indices):
    """Zeros of this shape with ``g`` at ``indices`` along ``dim``, which ``g`` may lack by now."""
    if not self_sym_sizes:
        return g
    keepdim = len(g.shape) == len(self_sym_sizes)
    g, indices = (with_dims(x, self_sym_sizes, dim, keepdim) for x in (g, indices))
    out = zeros(self_sym_sizes, g)
    np.put_along_axis(out, raw(indices), raw(g), dim)
    return scatter.rule.record(out, None, g, dim=dim, index=indices)
