"""Making tensors of random numbers; with one seed the same numbers as PyTorch (:mod:`.random`)."""

from __future__ import annotations

import numpy as np

from ..creation import finish
from ..dtypes import int64, numpy_dtype
from ..ops.binding import called
from ..tensor import Tensor
from . import random
from .factories import like, shape_together, sized


@sized
def rand(shape: tuple, dtype: np.dtype, generator: random.Generator | None = None) -> np.ndarray:
    """Uniform random numbers in [0, 1); with one seed the same numbers as PyTorch.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.rand(2)
    tensor([0.4963, 0.7682])
    """
    return random.rand(shape, dtype, generator=generator)


@sized
def randn(
    shape: tuple,
    dtype: np.dtype,
    generator: random.Generator | None = None,
    contiguous: bool = True,
) -> np.ndarray:
    """Normal random numbers with mean 0 and standard deviation 1.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.randn(2)
    tensor([ 1.5410, -0.2934])
    """
    return random.randn(shape, dtype, generator, contiguous)


@called
def randint(
    low: int = 0,
    high=None,
    size=None,
    *,
    generator=None,
    dtype=None,
    device=None,
    requires_grad: bool = False,
) -> Tensor:
    """Random integers from ``low`` (0) up to but not including ``high``.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.randint(10, (3,)).shape
    torch.Size([3])
    """
    if size is None:
        high, size = None, high
    low, high = (0, low) if high is None else (low, high)
    shape, kind = shape_together(size, "randint"), numpy_dtype(dtype, int64.numpy)
    value = random.randint(low, high, shape, kind, generator=generator)
    return finish(value, requires_grad, device)


@called
def randperm(
    n: int, *, generator=None, dtype=None, device=None, requires_grad: bool = False
) -> Tensor:
    """The numbers 0 … n−1 in random order.

    >>> import minigrad as mg
    >>> sorted(mg.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    kind = numpy_dtype(dtype, int64.numpy)
    return finish(random.randperm(n, kind, generator=generator), requires_grad, device)


rand_like = like(rand)
randn_like = like(
    randn, lambda shape, in_order, **options: randn(shape, contiguous=in_order, **options)
)
randint_like = like(
    randint, lambda shape, _, *bounds, **options: randint(*bounds, size=shape, **options)
)
