"""The same elements in another shape: views where the memory allows it, copies elsewhere.

A view shares the memory of its input; :func:`~.strided.view_of` records it and ties the two
together. Views that put the dims in another order are in :mod:`.transpose`, those of a part of the
elements in :mod:`.indexing`.
"""

from __future__ import annotations

import math

import numpy as np

from ..autograd.around import notes
from ..messages import message
from ..tensor import Tensor
from .dims import dims_of, names_none, sizes, wrap_dim
from .promotion import copied, raw
from .rule import Rule, operation
from .strided import reshaped, shared, view_of


def reshaped_back(g, self_sym_sizes):
    """The adjoint of a reshape."""
    return reshape(g, self_sym_sizes)


VIEW = Rule("view", reshaped_back, keeps_dtype=True)
RESHAPE_ALIAS = Rule("reshape", reshaped_back, node="ReshapeAliasBackward0")
UNSAFE_VIEW = Rule("reshape", reshaped_back, node="UnsafeViewBackward0")

# -- view and reshape ------------------------------------------------------------------------------


def complete(shape: tuple, count: int) -> tuple:
    """A shape in which -1 has been worked out.

    Raises:
        RuntimeError: the shape does not hold ``count`` elements.

    >>> complete((2, -1), 6)
    (2, 3)
    """
    for i, n in enumerate(shape):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {list(shape)}")
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    known = math.prod(n for n in shape if n != -1)
    if -1 in shape and not known and not count:
        raise RuntimeError(message("ambiguous-size", shape=list(shape)))
    if -1 in shape and known and count % known == 0:
        return tuple([count // known if n == -1 else n for n in shape])
    if known == count and -1 not in shape:
        return shape
    raise notes.known(RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}"))


@operation(VIEW)
def view(input, *shape, size=None):
    """The same memory in another shape; one size may be -1.

    Raises:
        RuntimeError: the sizes do not fit, or the elements would have to be copied.

    >>> import minigrad as mg
    >>> mg.arange(6).view(2, -1)
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    x = shared(input)
    y = reshaped(x, complete(sizes(shape, size), x.size))
    if y is None:
        raise notes.known(RuntimeError(message("view-needs-a-copy")))
    return view_of(VIEW, y, input, x.shape)


@operation(VIEW)
def reshape(input, *sizes_, shape=None):
    """``input`` in another shape: a view where the memory allows it, else a copy.

    Raises:
        RuntimeError: the sizes do not hold as many elements.

    >>> import minigrad as mg
    >>> mg.ones(2, 3).reshape(3, 2).shape
    torch.Size([3, 2])
    """
    shape = sizes(sizes_, shape)
    if not isinstance(input, Tensor):
        return input.reshape(shape)
    x = input._array()
    shape = complete(shape, x.size)
    y = reshaped(x, shape)
    if y is None:
        return unsafe_view(clone.rule.record(x.copy("C"), input), shape)
    return view_of(VIEW if x.flags.c_contiguous else RESHAPE_ALIAS, y, input, x.shape)


def unsafe_view(input, shape: tuple):
    """``input`` in another shape, of which nobody else will hold the original: not a view."""
    x = raw(input)
    return UNSAFE_VIEW.record(x.reshape(shape), input, self_sym_sizes=x.shape)


@operation(lambda g: g)
def clone(input):
    """A copy with history, in the memory order of its original.

    >>> import minigrad as mg
    >>> mg.tensor([1.0, 2.0]).clone()
    tensor([1., 2.])
    """
    return clone.rule.record(copied(raw(input)), input)


@operation(clone.rule)
def contiguous(input):
    """``input`` itself if its elements lie in memory in reading order, else such a copy.

    >>> import minigrad as mg
    >>> x = mg.ones(2, 3)
    >>> x.contiguous() is x, x.t().contiguous().stride()
    (True, (2, 1))
    """
    x = raw(input)
    in_order = x.__class__ is not np.ndarray or x.flags.c_contiguous
    return input if in_order else clone.rule.record(x.copy("C"), input)


# -- dims of size 1 --------------------------------------------------------------------------------


def unsqueezed(g, dim, self_sym_sizes):
    """The adjoint of a squeeze: ``g`` with a new dim wherever one of size 1 was taken away."""
    if not isinstance(g, Tensor) and g.shape != self_sym_sizes:
        return reshape(g, self_sym_sizes)
    for d in sorted(squeezed(dim, self_sym_sizes)):
        g = unsqueeze(g, d)
    return g


def squeezed(dim, shape: tuple) -> tuple:
    """The dims of size 1 among those named; of all, if ``dim`` is None."""
    named = () if names_none(dim) else dims_of(dim, len(shape))
    return tuple([d for d in named if shape[d] == 1])


SQUEEZE_ALL = Rule("squeeze", lambda g, self_sym_sizes: unsqueezed(g, None, self_sym_sizes))
SQUEEZE_DIM = Rule("squeeze", unsqueezed, node="SqueezeBackward1")
SQUEEZE_DIMS = Rule("squeeze", unsqueezed, node="SqueezeBackward2")


@operation(lambda g, dim: squeeze(g, dim))
def unsqueeze(input, dim: int):
    """A new dim of size 1 at ``dim``: a view.

    >>> import minigrad as mg
    >>> mg.ones(3).unsqueeze(0).shape
    torch.Size([1, 3])
    """
    x = shared(input)
    axis = wrap_dim(dim, x.ndim + 1)
    return view_of(unsqueeze.rule, x.reshape((*x.shape[:axis], 1, *x.shape[axis:])), input, dim)


@operation(SQUEEZE_ALL)
def squeeze(input, dim=None):
    """``input`` without its dims of size 1: all of them, or those in ``dim``; a view.

    >>> import minigrad as mg
    >>> mg.ones(1, 3, 1).squeeze().shape, mg.ones(1, 3, 1).squeeze(0).shape
    (torch.Size([3]), torch.Size([3, 1]))
    """
    x = shared(input)
    y = x.squeeze(squeezed(dim, x.shape))
    if dim is None:
        return view_of(SQUEEZE_ALL, y, input, x.shape)
    if isinstance(dim, tuple | list):
        return view_of(SQUEEZE_DIMS, y, input, tuple(dim), x.shape)
    return view_of(SQUEEZE_DIM, y, input, dim, x.shape)
