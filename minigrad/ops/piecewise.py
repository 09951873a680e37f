"""Kinks and steps, where PyTorch's ``derivatives.yaml`` chooses the sub-gradient."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..dtypes import name_of
from ..messages import message
from ..tensor import Tensor, wrap
from .elementwise import unary
from .promotion import broadcast, cast, copied, number, raw, raw_tensor, refuse, result_dtype
from .rule import Rule, operation

# -- steps: flat wherever they have a derivative ---------------------------------------------------


def zeros_like(g):
    """Zeros in the shape and dtype of a gradient: the derivative of a step."""
    zeros = np.zeros_like(raw(g))[()]
    return wrap(zeros) if isinstance(g, Tensor) else zeros


def raw_sign(x):
    """-1, 0 or 1; 0 of nan."""
    return copied(x) if x.dtype.kind == "b" else np.nan_to_num(np.sign(x), nan=0.0)


SGN = Rule("sgn", self=lambda g, self, result: zeros_like(g))


def sgn(x):
    """The sign in a derivative. It is a step too, but keeps what it read, as PyTorch's ``sgn``."""
    return SGN.record(raw_sign(raw(x)), x)


# -- one or the other ------------------------------------------------------------------------------


MISSING = object()


@operation(
    lambda g, condition: where(condition, g, 0.0),
    other=lambda g, condition: where(condition, 0.0, g),
    broadcasts=True,
)
def where(condition, input=MISSING, other=MISSING):
    """``input`` where ``condition`` holds, else ``other``; all three are broadcast.

    Of a condition alone, the indices of what is not 0, as ``nonzero(condition, as_tuple=True)``.

    >>> import minigrad as mg
    >>> x = mg.tensor([-1.0, 2.0])
    >>> mg.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    mask = raw_tensor(condition, "where", "condition")
    if input is MISSING and other is MISSING:
        return condition.nonzero(as_tuple=True)
    if input is MISSING or other is MISSING:
        raise TypeError("where() received an invalid combination of arguments: input and other")
    if mask.dtype.kind != "b":
        raise RuntimeError(message("where-of-numbers", dtype=name_of(mask.dtype)))
    tensors = isinstance(input, Tensor) or isinstance(other, Tensor)
    x, y = (raw(number(v) if tensors else v) for v in (input, other))
    dtype = result_dtype(x, y)
    value = broadcast(np.where, mask, cast(x, dtype), cast(y, dtype))[()]
    if not tensors:
        return wrap(value) if isinstance(condition, Tensor) else value
    return where.rule.record(value, input, other, condition)


def refuse_bool_relu(x) -> None:
    """Bools have no relu."""
    if x.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")


# fmt: off
# -- corners ---------------------------------------------------------------------------------------

abs = unary("abs", np.abs, lambda g, self: g * sgn(self),
            symbol="|·|", integers=True, refuse=partial(refuse, "b", "abs_cpu"))
relu = unary("relu", partial(np.maximum, 0),  # in this order -0. stays
             lambda g, result: threshold_backward(g, result), integers=True,
             refuse=refuse_bool_relu)

THRESHOLD_BACKWARD = Rule("threshold_backward",
    grad_output=lambda g, self: threshold_backward(g, self),
    self=lambda g, self: zeros_like(g))
# fmt: on


def threshold_backward(g, self):
    """``g`` where ``self`` is above 0, else 0; the path to ``self`` exists and carries 0."""
    value = kept_where(~np.less_equal(raw(self), 0), raw(g))  # a written result may be below 0
    return THRESHOLD_BACKWARD.record(value, g, self)


def kept_where(mask, g):
    """``g`` where the mask holds, else 0.

    It works on the bits: times 0, an infinity would become nan and -1 would become -0.; and
    ``np.where`` takes ten times as long on a mask without a pattern.

    >>> kept_where(np.array([True, False]), np.array([2.0, np.inf]))
    array([2., 0.])
    """
    return (g.view(f"i{g.itemsize}") * mask).view(g.dtype)
