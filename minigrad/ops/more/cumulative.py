"""Running sums and products, and the product of all.

The derivative of a product is the product of the *other* factors. ``result / x`` gives that only
where no factor is 0. For the rest there is one operation, the :func:`recurrence`
yₖ = bₖ + aₖ₋₁ yₖ₋₁: run forward over the factors, it multiplies all that come before each place;
run backward, all that come after. Its own derivative is the same recurrence the other way round,
so products with zeros have exact derivatives of every order, in linear time.
"""

from __future__ import annotations

import numpy as np

from ...tensor import Tensor, wrap
from ..broadcasting import accumulation_dtype, reduced, sum, with_dims
from ..dims import wrap_dim
from ..indexing import at
from ..promotion import raw, raw_tensor
from ..rule import Rule, operation
from ..shape import clone, reshape
from .cat_split import cat, stack
from .minmax import needs_dim
from .one_dim import narrow

# -- the recurrence --------------------------------------------------------------------------------


def but_last(x, dim: int):
    """``x`` without the last place along ``dim``."""
    return x[at(dim, slice(0, x.shape[dim] - 1))]


def but_first(x, dim: int):
    """``x`` without the first place along ``dim``."""
    return x[at(dim, slice(1, x.shape[dim]))]


def gradient_of_factors(g, a, result, dim: int, reverse: bool):
    """What a step multiplied by its factor, times what arrived where it went."""
    arrived = recurrence(g, a, dim, not reverse)
    if reverse:
        return but_first(result, dim) * but_last(arrived, dim)
    return but_last(result, dim) * but_first(arrived, dim)


# fmt: off
RECURRENCE = Rule("recurrence",
    b=lambda g, a, dim, reverse: recurrence(g, a, dim, not reverse),
    a=gradient_of_factors)
# fmt: on


def recurrence(b, a, dim: int, reverse: bool = False):
    """yₖ = bₖ + aₖ₋₁ yₖ₋₁ along ``dim``; in reverse yₖ = bₖ + aₖ yₖ₊₁, from the last place on.

    ``a`` has one place less than ``b``: one factor for each step.

    >>> recurrence(np.array([1.0, 0.0, 0.0, 0.0]), np.array([2.0, 3.0, 5.0]), 0)
    array([ 1.,  2.,  6., 30.])
    """
    y = np.array(raw(b))
    places, factors = np.moveaxis(y, dim, 0), np.moveaxis(raw(a), dim, 0)
    for k in reversed(range(len(factors))) if reverse else range(len(factors)):
        here, before = (k, k + 1) if reverse else (k + 1, k)
        places[here] += factors[k] * places[before]
    return RECURRENCE.record(y, b, a, dim=dim, reverse=reverse)


def product_of_others(x, dim: int):
    """At each place, the product of all factors along ``dim`` but its own.

    What a second derivative asks for is a copy of the factors, which may be written to by then.
    """
    before = recurrence(one_at(0, x, dim), clone(but_last(x, dim)), dim)
    after = recurrence(one_at(-1, x, dim), clone(but_first(x, dim)), dim, reverse=True)
    return before * after


def one_at(place: int, x, dim: int) -> np.ndarray:
    """Zeros like ``x`` with 1 at one place along ``dim``: what a running product starts from."""
    start = np.zeros_like(raw(x))
    start[at(dim, place)] = 1
    return start


def has_zero(x) -> bool:
    """Whether one of the factors is 0, so that nothing may be divided by it."""
    return not np.all(raw(x))


# -- the product of all ----------------------------------------------------------------------------


def prod_gradient(g, self, result):
    """The gradient of the product of all elements: the other factors."""
    if not self.shape:
        return g
    if not has_zero(self):
        return g * (result / self)
    if raw(self).size == 1:
        return reshape(g, self.shape)
    if not isinstance(g, Tensor) and np.sum(self == 0) > 1:
        return np.zeros_like(self)  # whatever the others are, nan and infinities too
    return g * reshape(product_of_others(reshape(self, (-1,)), 0), self.shape)


def prod_gradient_along(g, self, result, dim, keepdim):
    """The gradient of the products along ``dim``."""
    shape = self.shape
    if not shape:
        return g
    g, result = with_dims(g, shape, dim, keepdim), with_dims(result, shape, dim, keepdim)
    if not has_zero(self):
        return g * (result / self)
    if shape[dim] == 1:
        return g
    dim = wrap_dim(dim, len(shape))
    return g * product_of_others(self, dim)


PROD_DIM = Rule("prod", prod_gradient_along, node="ProdBackward1", symbol="Π")


@operation(prod_gradient, symbol="Π")
def prod(input, dim: int | None = None, keepdim: bool = False, *, dtype=None):
    """The product of all elements, or along ``dim``; the gradient is right with zeros too.

    Args:
        dim: one dim; None for all elements.
        keepdim: keep the reduced dim with size 1.
        dtype: multiply in this dtype (default: int64 for integers and bools).

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.prod.html

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0, 0.0, 5.0], requires_grad=True)
    >>> mg.prod(x).backward()
    >>> x.grad
    tensor([ 0., 10.,  0.])
    """
    x = raw_tensor(input, "prod")
    how = {"dtype": accumulation_dtype(x, dtype), "keepdims": keepdim}
    needs_dim("prod", dim, keepdim)
    if dim is None:
        return prod.rule.record(reduced(x.prod, **how), input)
    axis = wrap_dim(dim, x.ndim)
    value = reduced(x.prod, axis=axis if x.ndim else (), **how)
    return PROD_DIM.record(value, input, dim=dim, keepdim=keepdim)


# -- running sums and products ---------------------------------------------------------------------


def cumprod_gradient(g, self, result, dim):
    """The gradient of running products: all that contain a factor, each without it."""
    if raw(self).size <= 1 or self.shape[dim] == 1:
        return g
    if not has_zero(self):
        return sum_from_end(result * g, dim) / self
    dim = wrap_dim(dim, len(self.shape))
    if not isinstance(g, Tensor):
        return cumprod_gradient_up_to_zeros(g, self, result, dim)
    return cumprod_gradient_by_place(g, self, dim)


def cumprod_gradient_by_place(g, x, dim: int):
    """:func:`cumprod_gradient`, recorded place by place, to be differentiated again.

    A :func:`recurrence` would do it in linear time. PyTorch's way is taken because a second
    derivative then has its infinities and nans, too, where a running product is divided by.
    """
    count, gradients = x.shape[dim], []
    before = wrap(np.ones_like(raw(x).take([0], dim)))  # of none
    for k in range(count):
        if k:
            before = prod(narrow(x, dim, 0, k), dim, keepdim=True)
        after = cumprod(narrow(x, dim, k + 1, count - k - 1), dim)
        others = cat((before, before * after), dim) if k < count - 1 else before
        gradients.append(sum(narrow(g, dim, k, count - k) * others, dim))
    return stack(gradients, dim)


def cumprod_gradient_up_to_zeros(g, x, result, dim: int):
    """:func:`cumprod_gradient` where infinities behind a zero do not count, as in PyTorch.

    A factor behind the first zero changes nothing; the first zero counts up to the second. That
    zero is not meant to become anything else, so this cannot be differentiated again.
    """
    zeros = np.cumsum(x == 0, dim)  # how many there are up to each place
    before, until_second = zeros == 0, zeros == 1
    is_first = until_second & (x == 0)
    of_those_before = sum_from_end(np.where(before, result * g, 0), dim) / x
    product_until_first = np.where(before, x, 1).prod(dim, keepdims=True)
    products_from_there = np.where(until_second & ~is_first, x, 1).cumprod(dim)
    of_first = (products_from_there * np.where(until_second, g, 0)).sum(dim, keepdims=True)
    rest = np.where(is_first, product_until_first * of_first, 0)
    return np.where(before, of_those_before, rest)


def running(rule: Rule, accumulate: np.ufunc, input, dim: int, dtype):
    """Running totals along ``dim``, recorded with this rule; a single value is its own."""
    x = raw_tensor(input, rule.name)
    axis = wrap_dim(dim, x.ndim)
    dtype = accumulation_dtype(x, dtype)
    value = reduced(accumulate.accumulate, x, axis, dtype) if x.ndim else x.astype(dtype)
    return rule.record(value, input, dim=dim)


@operation(lambda g, dim: sum_from_end(g, dim))
def cumsum(input, dim: int, *, dtype=None):
    """Running sums along ``dim``: yₖ = x₀ + … + xₖ.

    Args:
        dtype: add up in this dtype (default: int64 for integers and bools).

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.cumsum.html

    >>> import minigrad as mg
    >>> mg.cumsum(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 3., 6.])
    """
    return running(cumsum.rule, np.add, input, dim, dtype)


def sum_from_end(g, dim: int):
    """Running sums from the end: yₖ = xₖ + … + xₙ, the adjoint of :func:`cumsum`."""
    x = raw(g)
    if not x.ndim:
        return g
    return SUM_FROM_END.record(np.flip(np.cumsum(np.flip(x, dim), dim), dim).copy(), g, dim=dim)


SUM_FROM_END = Rule("cumsum_backward", lambda g, dim: cumsum(g, dim))


@operation(cumprod_gradient)
def cumprod(input, dim: int, *, dtype=None):
    """Running products along ``dim``: yₖ = x₀ × … × xₖ; otherwise as :func:`cumsum`.

    The gradient is right with zeros too.

    >>> import minigrad as mg
    >>> mg.cumprod(mg.tensor([1.0, 2.0, 3.0]), 0)
    tensor([1., 2., 6.])
    """
    return running(cumprod.rule, np.multiply, input, dim, dtype)
