"""Layers, activations and losses as functions of all their inputs.

Source: https://docs.pytorch.org/docs/2.13/nn.functional.html
"""

from __future__ import annotations

import math
import warnings
from functools import partial

import numpy as np

from ..autograd.around import notes
from ..autograd.thread_state import state
from ..messages import message
from ..ops.broadcasting import expand
from ..ops.elementary import sigmoid, tanh
from ..ops.inplace import in_place
from ..ops.linalg import by_left_factor, by_right_factor, is_turned
from ..ops.more.softplus import softplus
from ..ops.piecewise import zeros_like
from ..ops.promotion import dtype_name, raw, refuse
from ..ops.rule import Rule
from ..tensor import Tensor
from .lookup import embedding, one_hot
from .losses import cross_entropy, l1_loss, mse_loss, nll_loss
from .yes_or_no import binary_cross_entropy, binary_cross_entropy_with_logits

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "embedding",
    "l1_loss",
    "leaky_relu",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "one_hot",
    "relu",
    "sigmoid",
    "softmax",
    "softplus",
    "tanh",
]

# One slope below 0 and another above: in place the result tells which, as long as both are up.
LEAKY_RELU = Rule(
    "leaky_relu",
    arguments=("negative_slope",),
    self=lambda g, self, negative_slope: leaky_relu_backward(g, self, negative_slope),
)
LEAKY_RELU_IN_PLACE = Rule(
    "leaky_relu",
    node="LeakyReluBackward1",
    arguments=("negative_slope",),
    self=lambda g, result, negative_slope: leaky_relu_backward(g, result, negative_slope),
)
LEAKY_RELU_BACKWARD = Rule(
    "leaky_relu_backward",
    arguments=("negative_slope",),
    grad_output=lambda g, self, negative_slope: leaky_relu_backward(g, self, negative_slope),
    self=lambda g: zeros_like(g),
)

# Shift and matrix product in one node, as PyTorch records a layer.
ADDMM = Rule(
    "addmm",
    broadcasts=True,
    symbol="linear",
    self=lambda g: g,
    mat1=lambda g, mat2, mat1_turned: by_right_factor(g, mat2, mat1_turned),
    mat2=lambda g, mat1, mat2_turned: by_left_factor(g, mat1, mat2_turned),
)


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias``.

    Args:
        input: shape (…, in).
        weight: shape (out, in).
        bias: shape (out,).

    Returns:
        A tensor of shape (…, out) and of the dtype that all three have.

    Raises:
        RuntimeError: the sizes or dtypes do not fit together.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.linear.html

    >>> import minigrad as mg
    >>> mg.nn.functional.linear(mg.ones(1, 2), mg.tensor([[1.0, 2.0]]), mg.tensor([0.5]))
    tensor([[3.5000]])
    """
    if not isinstance(input, Tensor):
        raise TypeError(
            f"linear(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )
    if input.ndim == 0 or weight.ndim == 0:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{input.ndim}D and {weight.ndim}D"
        )
    if bias is not None and input.ndim == 2:
        return addmm(bias, input, weight.t())
    if bias is not None and bias.ndim == 1 and input.is_contiguous():
        *outer, size = input.shape
        rows = input.reshape(math.prod(outer), size)
        return addmm(bias, rows, weight.t()).view(*outer, weight.shape[0])
    product = input.matmul(weight.t())
    return product if bias is None else product.add_(bias)


def addmm(bias: Tensor, mat1: Tensor, mat2: Tensor) -> Tensor:
    """``bias + mat1 @ mat2``, recorded as one node."""
    b, x, y = raw(bias), raw(mat1), raw(mat2)
    if y.ndim != 2:
        raise RuntimeError(f"mat2 must be a matrix, got {y.ndim}-D tensor")
    for name, value in (("self", b), ("mat1", x)):
        if value.dtype is not y.dtype:
            both = f"{dtype_name(value)} and {dtype_name(y)}"
            told = f"{name} and mat2 must have the same dtype, but got {both}"
            raise notes.known(RuntimeError(told))
    if x.shape[1] != y.shape[0]:
        (n, m1), (m2, p) = x.shape, y.shape
        raise notes.known(RuntimeError(message("mm-sizes", n=n, m1=m1, m2=m2, p=p)))
    value = state.here.quiet(lambda: x.dot(y) + expand(b, (x.shape[0], y.shape[1])))
    return ADDMM.record(value, bias, mat1, mat2, is_turned(x), is_turned(y))


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The input where it is positive, else 0, elementwise.

    >>> import minigrad as mg
    >>> mg.nn.functional.relu(mg.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return input.relu_() if inplace else input.relu()


def relu_(input: Tensor) -> Tensor:
    """In-place form of :func:`relu`.

    >>> import minigrad as mg
    >>> mg.nn.functional.relu_(mg.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return input.relu_()


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """The input where it is positive, else ``negative_slope`` times it, elementwise.

    Raises:
        NotImplementedError: the elements are not floating point numbers.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.leaky_relu.html

    >>> import minigrad as mg
    >>> mg.nn.functional.leaky_relu(mg.tensor([-1.0, 2.0]), 0.1)
    tensor([-0.1000,  2.0000])
    """
    refuse("biu", "leaky_relu_cpu", raw(input))
    if inplace:
        return leaky_relu_(input, negative_slope)
    return leaky(LEAKY_RELU, input, negative_slope)


def leaky(rule: Rule, input: Tensor, negative_slope: float) -> Tensor:
    """:func:`leaky_relu`, recorded with this rule."""
    x = raw(input)
    value = np.where(x > 0, x, x * x.dtype.type(negative_slope))[()]
    return rule.record(value, input, negative_slope=negative_slope)


leaky_relu_ = in_place(partial(leaky, LEAKY_RELU_IN_PLACE), "leaky_relu_")


def leaky_relu_backward(g, self, negative_slope: float):
    """``g`` where ``self`` is above 0, else ``negative_slope`` times ``g``, as one operation."""
    x, d = raw(self), raw(g)
    value = np.where(x > 0, d, d * d.dtype.type(negative_slope))[()]
    return LEAKY_RELU_BACKWARD.record(value, g, self, negative_slope=negative_slope)


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """exp(x) divided by the sum of exp(x) over ``dim``; see :func:`minigrad.softmax`.

    >>> import minigrad as mg
    >>> mg.nn.functional.softmax(mg.tensor([[0.0, 0.0]]), dim=1)
    tensor([[0.5000, 0.5000]])
    """
    return input.softmax(implicit_dim("softmax", input, dim, _stacklevel), dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """The logarithm of :func:`softmax`; see :func:`minigrad.log_softmax`.

    >>> import minigrad as mg
    >>> mg.nn.functional.log_softmax(mg.tensor([[0.0, 1000.0]]), dim=1)
    tensor([[-1000.,     0.]])
    """
    return input.log_softmax(implicit_dim("log_softmax", input, dim, _stacklevel), dtype)


def implicit_dim(name: str, input: Tensor, dim: int | None, stacklevel: int) -> int:
    """The dim that old programs leave out, with PyTorch's warning."""
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. "
        "Change the call to include dim=X as an argument.",
        UserWarning,
        stacklevel=stacklevel,
    )
    return 0 if input.ndim in (0, 1, 3) else 1
