"""Making tensors of random numbers; with one seed the same numbers as PyTorch (:mod:`.random`)."""

from __future__ import annotations

import numpy as np

from ..creation import finish
from ..dtypes import int64, numpy_dtype, type_name
from ..ops.binding import called
from ..ops.piecewise import zeros_like
from ..ops.promotion import broadcast, raw
from ..ops.rule import Rule
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


def nothing(g):
    """The gradient of mean and deviation: PyTorch takes what is drawn as if it were fixed."""
    return zeros_like(g)


DRAWN_BY = {
    ("mean",): Rule("normal", node="NormalBackward1", mean=nothing),
    ("std",): Rule("normal", node="NormalBackward2", std=nothing),
    ("mean", "std"): Rule(
        "normal", node="NormalBackward3", broadcasts=True, mean=nothing, std=nothing
    ),
}
NO_FORM = """normal() received an invalid combination of arguments - got ({}), but expected one of:
 * (Tensor mean, Tensor std, *, Generator generator)
 * (Tensor mean, float std, *, Generator generator)
 * (float mean, Tensor std, *, Generator generator)
 * (float mean, float std, tuple of ints size, *, Generator generator, dtype, requires_grad)
"""


@called
def normal(
    mean,
    std=1.0,
    size=None,
    *,
    generator=None,
    dtype=None,
    device=None,
    requires_grad: bool = False,
) -> Tensor:
    """Normal random numbers with these means and standard deviations.

    Both are numbers, and ``size`` is given; or one of them is a tensor, or both are, which has a
    number for each element. Those are then given the gradient 0.

    Raises:
        RuntimeError: a standard deviation is negative.
        TypeError: a size is missing, or there is one beside a tensor.
        NotImplementedError: the dtype is not a floating point one.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.normal.html

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.normal(0, 0.5, size=(2,))
    tensor([ 0.7705, -0.1467])
    >>> mg.normal(mg.tensor([0.0, 100.0]))
    tensor([ -2.1788, 100.5684])
    """
    tensors = {n: t for n, t in (("mean", mean), ("std", std)) if isinstance(t, Tensor)}
    sized = isinstance(size, tuple | list)
    others = [each for each in (mean, std) if not isinstance(each, Tensor)]
    are_numbers = all(isinstance(each, int | float) for each in others)
    extra = size is not None or dtype is not None or requires_grad
    if not are_numbers or (extra if tensors else not sized):
        given = ", ".join(map(type_name, (mean, std) if size is None else (mean, std, size)))
        raise TypeError(NO_FORM.format(given))
    if not tensors:
        shape = shape_together(size, "normal", " (position 3)")
        value = random.normal(mean, std, shape, numpy_dtype(dtype), generator)
        return finish(value, requires_grad, device)
    means, deviations = raw(mean), raw(std)
    if "std" in tensors and not np.all(deviations >= 0):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    shape = broadcast(np.add, means, deviations).shape
    kind, number = next(iter(tensors.values())).dtype.numpy, 1 if "std" in tensors else std
    drawn = random.normal(0, number, shape, kind, generator)
    value = (means + drawn * deviations if "std" in tensors else means + drawn).astype(kind)
    return DRAWN_BY[tuple(tensors)].record(value, *tensors.values())


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
