"""In-place forms that change how a tensor is read, not what is in memory: ``t_``, ``squeeze_`` …

They count as a write, and the tensor (a view too) gets the new node as its own history; its base
keeps what it had.
"""

from __future__ import annotations

import numpy as np

from ..autograd import reader
from ..autograd.grad_mode import OFF, WATCHED, state
from ..autograd.views import check_write
from ..tensor import Tensor
from .dims import wrap_dim
from .permuting import t, transpose
from .rule import Rule, edge_of, notify, publish
from .shape import reshape, squeeze, squeezed, unsqueezed

T_IN_PLACE = Rule("t_", "TBackward1", {"self": lambda g: t(g)}, symbol="t")
TRANSPOSE_IN_PLACE = Rule(
    "transpose_",
    "TransposeBackward1",
    {"self": lambda g, dim0, dim1: transpose(g, dim0, dim1)},
    arguments=("dim0", "dim1"),
    symbol="transpose",
)
UNSQUEEZE_IN_PLACE = Rule(
    "unsqueeze_",
    "UnsqueezeBackward1",
    {"self": lambda g, dim: squeeze(g, dim)},
    arguments=("dim",),
    symbol="unsqueeze",
)


def squeezing_in_place(number: int, *arguments: str) -> Rule:
    """The rule of one form of ``squeeze_``; each has a node of its own."""
    return Rule(
        "squeeze_",
        f"SqueezeBackward{number}",
        {"self": lambda g, self_sym_sizes: reshape(g, self_sym_sizes)},
        arguments=(*arguments, "self_sym_sizes"),
        symbol="squeeze",
    )


SQUEEZES_IN_PLACE = (
    squeezing_in_place(3),
    squeezing_in_place(4, "dim"),
    squeezing_in_place(5, "dim"),
)


def turned(target: Tensor, view: np.ndarray, rule: Rule, **named) -> Tensor:
    """Let ``target`` itself read its memory as ``view`` does, and record that."""
    check_write(target, target.requires_grad)
    edge = edge_of(target)
    target._value = view
    target._version_counter().wrote(reader.place())
    if edge is not None and state.mode is not OFF:
        node = rule.new_node((edge,), [named[name] for name in rule.arguments])
        target._edge = (node, 0)
        if target._meta is not None:
            target._meta.hooks = None  # they and retain_grad speak of the value as it was
        if target._is_view():
            target._meta.view.version = target._version
        if state.mode is WATCHED:
            notify(node, (target,), target)
    return target


def t_(self) -> Tensor:
    """Transpose this matrix itself.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).t_().shape
    torch.Size([3, 2])
    """
    x = self._array()
    if x.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return turned(self, x.T, T_IN_PLACE)


def transpose_(self, dim0: int, dim1: int) -> Tensor:
    """Exchange two dims of this tensor itself.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).transpose_(0, 2).shape
    torch.Size([4, 3, 2])
    """
    x = self._array()
    a, b = wrap_dim(dim0, x.ndim), wrap_dim(dim1, x.ndim)
    view = x.swapaxes(a, b) if x.ndim else x
    return turned(self, view, TRANSPOSE_IN_PLACE, dim0=dim0, dim1=dim1)


def unsqueeze_(self, dim: int) -> Tensor:
    """Give this tensor itself a dim of size 1.

    >>> import minigrad as mg
    >>> mg.ones(3).unsqueeze_(0).shape
    torch.Size([1, 3])
    """
    return turned(self, unsqueezed(self._array(), dim), UNSQUEEZE_IN_PLACE, dim=dim)


def squeeze_(self, dim=None) -> Tensor:
    """Take dims of size 1 off this tensor itself: all, or those in ``dim``.

    >>> import minigrad as mg
    >>> mg.ones(1, 3, 1).squeeze_().shape
    torch.Size([3])
    """
    x = self._array()
    rule = SQUEEZES_IN_PLACE[0 if dim is None else 2 if isinstance(dim, tuple | list) else 1]
    dim = tuple(dim) if isinstance(dim, list) else dim
    return turned(self, squeezed(x, dim), rule, dim=dim, self_sym_sizes=x.shape)


for _operation in (t_, transpose_, unsqueeze_, squeeze_):
    publish(_operation, _operation.__name__)
