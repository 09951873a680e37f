"""What training loops do with all parameters or gradients at once: clip them, line them up.

Source: https://docs.pytorch.org/docs/2.13/nn.html#utilities
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from types import GeneratorType

from ..autograd.grad_mode import no_grad
from ..creation import tensor
from ..ops.more.cat_split import cat, stack
from ..tensor import Tensor
from .module import type_name

__all__ = ["clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "vector_to_parameters"]


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients in place, so that as one long vector they are not longer than this.

    Args:
        parameters: tensors whose ``.grad`` is meant; one without a gradient is passed over.
        max_norm: the length allowed.
        norm_type: the order of the norm, also ``"inf"``.
        error_if_nonfinite: refuse a length that is nan or infinite.
        foreach: of no effect.

    Returns:
        The length before, as a tensor.

    Raises:
        RuntimeError: the length is not finite, and that is to be refused.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.clip_grad_norm_.html

    >>> import minigrad as mg
    >>> w = mg.tensor([0.0, 0.0], requires_grad=True)
    >>> (w * mg.tensor([3.0, 4.0])).sum().backward()
    >>> mg.nn.utils.clip_grad_norm_([w], max_norm=1.0)
    tensor(5.)
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if isinstance(parameters, GeneratorType) and not listed:
        warnings.warn(
            "`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2
        )
    gradients = gradients_of(listed)
    order = float(norm_type)
    with no_grad():
        total = tensor(0.0)
        if gradients:
            total = stack([gradient.norm(order) for gradient in gradients]).norm(order)
        if error_if_nonfinite and not total.isfinite():
            raise RuntimeError(
                f"The total norm of order {order} for gradients from `parameters` is non-finite, "
                "so it cannot be clipped. To disable this error and scale the gradients by the "
                "non-finite norm anyway, set `error_if_nonfinite=False`"
            )
        factor = (float(max_norm) / (total + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(factor)
    return total


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Cut all gradients off in place, below ``-clip_value`` and above ``clip_value``.

    >>> import minigrad as mg
    >>> w = mg.tensor([0.0, 0.0], requires_grad=True)
    >>> (w * mg.tensor([0.5, -4.0])).sum().backward()
    >>> mg.nn.utils.clip_grad_value_([w], 1.0)
    >>> w.grad
    tensor([ 0.5000, -1.0000])
    """
    listed = [parameters] if isinstance(parameters, Tensor) else parameters
    bound = float(clip_value)
    with no_grad():
        for gradient in gradients_of(listed):
            gradient.clamp_(min=-bound)
            gradient.clamp_(max=bound)


def gradients_of(parameters: Iterable[Tensor]) -> list[Tensor]:
    """The gradients that are there."""
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters one after the other, as one vector; gradients go back to each.

    >>> import minigrad as mg
    >>> mg.nn.utils.parameters_to_vector([mg.ones(2, 1), mg.zeros(1)])
    tensor([1., 1., 0.])
    """
    return cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give parameters the pieces of a vector as their data, in the memory of the vector.

    Raises:
        TypeError: ``vec`` is no tensor.

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(2, 1)
    >>> mg.nn.utils.vector_to_parameters(mg.tensor([1.0, 2.0, 3.0]), layer.parameters())
    >>> layer.bias
    Parameter containing:
    tensor([3.], requires_grad=True)
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type_name(vec)}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
