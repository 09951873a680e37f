"""The logarithm of a sum of exponentials: a smooth maximum."""

from __future__ import annotations

import numpy as np

from ... import dtypes
from .. import broadcasting
from ..broadcasting import with_dims
from ..elementary import exp
from ..promotion import raw_tensor
from ..reductions import along
from ..rule import Rule, operation

# fmt: off
LOGSUMEXP = Rule("logsumexp",
    self=lambda g, self, result, dim, keepdim: (
        with_dims(g, self.shape, dim, keepdim)
        * exp(self - with_dims(result, self.shape, dim, keepdim))))
# fmt: on


@operation(LOGSUMEXP)
def logsumexp(input, dim, keepdim: bool = False):
    """A smooth maximum: log Σ exp(x) over ``dim`` (a dim or several), without overflow.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.logsumexp.html

    >>> import minigrad as mg
    >>> mg.logsumexp(mg.tensor([1000.0, 1000.0]), 0)
    tensor(1000.6932)
    """
    if raw_tensor(input, "logsumexp").dtype.kind != "f":
        input = broadcasting.cast(input, dtypes.default_float())
    return along(LOGSUMEXP, raw_logsumexp, input, dim, keepdim)


def raw_logsumexp(x, axis: tuple, keepdims: bool):
    """The logarithm of the sum of the exponentials of raw values."""
    largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    largest = np.where(np.isfinite(largest), largest, x.dtype.type(0))
    total = np.log(np.exp(x - largest).sum(axis=axis, keepdims=keepdims))
    return total + largest.reshape(np.shape(total))
