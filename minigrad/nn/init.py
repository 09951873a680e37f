"""First weights: each function fills a tensor in place, unrecorded, and returns it.

Xavier's and Kaiming's choose the spread so that numbers keep their size from layer to layer:
forward with as many terms as a unit adds up (its *fan in*), backward with as many units as use it
(its *fan out*).

Source: https://docs.pytorch.org/docs/2.13/nn.init.html
"""

from __future__ import annotations

import math
import warnings

from ..autograd.grad_mode import no_grad
from ..tensor import Tensor

__all__ = [
    "calculate_gain",
    "constant_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator=None) -> Tensor:
    """Numbers that are equally likely between ``a`` and ``b``.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.uniform_(mg.empty(2))
    tensor([0.4963, 0.7682])
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator=None) -> Tensor:
    """Numbers of the normal distribution.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.normal_(mg.empty(2))
    tensor([ 1.5410, -0.2934])
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """The same number everywhere.

    >>> import minigrad as mg
    >>> mg.nn.init.constant_(mg.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """1 everywhere.

    >>> import minigrad as mg
    >>> mg.nn.init.ones_(mg.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """0 everywhere: good for a bias; a layer of zero weights passes no gradient on.

    >>> import minigrad as mg
    >>> mg.nn.init.zeros_(mg.empty(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


GAINS = {
    **dict.fromkeys(("linear", "sigmoid", "conv1d", "conv2d", "conv3d"), 1),
    **dict.fromkeys(("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"), 1),
    "tanh": 5 / 3,
    "relu": math.sqrt(2.0),
    "selu": 3 / 4,
}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights are larger because of the nonlinearity that follows.

    Args:
        nonlinearity: its name in :mod:`.functional`.
        param: the slope below 0 of ``"leaky_relu"``; 0.01 by default.

    Raises:
        ValueError: none is known for this name.

    >>> import minigrad as mg
    >>> mg.nn.init.calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        if param is not None and (isinstance(param, bool) or not isinstance(param, int | float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return GAINS[nonlinearity]


def fans(tensor: Tensor) -> tuple[int, int]:
    """How many terms each unit of a layer adds up, and how many units use each of its inputs.

    Raises:
        ValueError: it is no matrix, or more.

    >>> import minigrad as mg
    >>> fans(mg.empty(8, 3))
    (3, 8)
    """
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator=None) -> Tensor:
    """Uniform numbers with variance ``2 gain² / (fan in + fan out)``.

    Raises:
        ValueError: the tensor is no matrix, or more.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.xavier_uniform_(mg.empty(1, 2))
    tensor([[-0.0106,  0.7586]])
    """
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / float(sum(fans(tensor))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator=None) -> Tensor:
    """Normal numbers with variance ``2 gain² / (fan in + fan out)``.

    Raises:
        ValueError: the tensor is no matrix, or more.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.xavier_normal_(mg.empty(1, 2))
    tensor([[ 1.2582, -0.2396]])
    """
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(sum(fans(tensor)))), generator)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator=None,
) -> Tensor:
    """Uniform numbers with variance ``gain² / fan``.

    Args:
        tensor: what is filled.
        a: the slope below 0 of the leaky relu that follows.
        mode: ``"fan_in"`` keeps the size of values forward, ``"fan_out"`` that of gradients.
        nonlinearity: what follows; see :func:`calculate_gain`.
        generator: draws the numbers.

    Raises:
        ValueError: there is no such mode; the tensor is no matrix, or more.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.kaiming_uniform_(mg.empty(1, 2), nonlinearity="relu")
    tensor([[-0.0130,  0.9291]])
    """
    deviation = spread(tensor, a, mode, nonlinearity)
    if deviation is None:
        return tensor
    bound = math.sqrt(3.0) * deviation
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator=None,
) -> Tensor:
    """Normal numbers with variance ``gain² / fan``; arguments as of :func:`kaiming_uniform_`.

    Raises:
        ValueError: there is no such mode; the tensor is no matrix, or more.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.kaiming_normal_(mg.empty(1, 2), nonlinearity="relu")
    tensor([[ 1.5410, -0.2934]])
    """
    deviation = spread(tensor, a, mode, nonlinearity)
    return tensor if deviation is None else normal_(tensor, 0, deviation, generator)


def spread(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float | None:
    """The standard deviation of Kaiming's weights; None, with a warning, where there are none."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan = fans(tensor)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)
