"""In-place forms that change how a tensor is read, not what is in memory: ``t_``, ``squeeze_`` …

They count as a write, and the tensor (a view too) gets the new node as its own history; its base
keeps what it had. Hooks of the tensor stay with the old node, and later ones join them there.
"""

from __future__ import annotations

import numpy as np

from ..autograd import reader
from ..autograd.grad_mode import OFF, WATCHED, state
from ..autograd.views import check_write
from ..tensor import Tensor
from .declare import operation
from .permuting import t, transpose
from .rule import Rule, edge_of, notify
from .shape import reshaping, squeeze, squeezing, unsqueeze


def turned(target: Tensor, view: np.ndarray, rule: Rule, *args) -> Tensor:
    """Let ``target`` itself read its memory as ``view`` does, and record that."""
    check_write(target, target.requires_grad)
    edge = edge_of(target)
    target._value = view
    target._version_counter().wrote(reader.place())
    if edge is not None and state.here.mode is not OFF:
        node = rule.new_node((edge,), args)
        target._edge = node
        if target._is_view():
            target._meta.view.version = target._version
        if state.here.mode is WATCHED:
            notify(node, (target,), target)
    return target


@operation(lambda g: t(g), node="TBackward1")
def t_(self) -> Tensor:
    """Transpose this matrix itself.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).t_().shape
    torch.Size([3, 2])
    """
    x = self._array()
    if x.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return turned(self, x.T, t_.rule)


@operation(lambda g, dim0, dim1: transpose(g, dim0, dim1), node="TransposeBackward1")
def transpose_(self, dim0: int, dim1: int) -> Tensor:
    """Exchange two dims of this tensor itself.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).transpose_(0, 2).shape
    torch.Size([4, 3, 2])
    """
    return turned(self, transpose(self._array(), dim0, dim1), transpose_.rule, dim0, dim1)


@operation(lambda g, dim: squeeze(g, dim), node="UnsqueezeBackward1")
def unsqueeze_(self, dim: int) -> Tensor:
    """Give this tensor itself a dim of size 1.

    >>> import minigrad as mg
    >>> mg.ones(3).unsqueeze_(0).shape
    torch.Size([1, 3])
    """
    return turned(self, unsqueeze(self._array(), dim), unsqueeze_.rule, dim)


SQUEEZE_ALL_ = reshaping("squeeze_", "SqueezeBackward3")
SQUEEZE_DIM_ = squeezing("squeeze_", "SqueezeBackward4")
SQUEEZE_DIMS_ = squeezing("squeeze_", "SqueezeBackward5")


@operation(SQUEEZE_ALL_)
def squeeze_(self, dim=None) -> Tensor:
    """Take dims of size 1 off this tensor itself: all, or those in ``dim``.

    >>> import minigrad as mg
    >>> mg.ones(1, 3, 1).squeeze_().shape
    torch.Size([3])
    """
    x = self._array()
    y = squeeze(x, dim)
    if dim is None:
        return turned(self, y, SQUEEZE_ALL_, x.shape)
    if isinstance(dim, tuple | list):
        return turned(self, y, SQUEEZE_DIMS_, tuple(dim), x.shape)
    return turned(self, y, SQUEEZE_DIM_, dim, x.shape)
