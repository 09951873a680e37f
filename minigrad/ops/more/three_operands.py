"""Operations of three tensors: ``lerp``, ``addcmul``, ``addcdiv``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...dtypes import cpp_name
from ...tensor import Tensor
from ..arithmetic import times_number
from ..promotion import broadcast, cast, no_kernel, number, plain_number, raw, refuse, result_dtype
from ..rule import Rule, operation

# fmt: off
LERP_NUMBER = Rule("lerp", broadcasts=True,
    self=lambda g, weight: times_number(g, 1 - weight),
    end=lambda g, weight: times_number(g, weight))
LERP_TENSOR = Rule("lerp", node="LerpBackward1", broadcasts=True,
    self=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
    weight=lambda g, self, end: g * (end - self))
ADDCMUL = Rule("addcmul", broadcasts=True,
    self=lambda g: g,
    tensor1=lambda g, tensor2, value: g * times_number(tensor2, value),
    tensor2=lambda g, tensor1, value: g * times_number(tensor1, value))
ADDCDIV = Rule("addcdiv", broadcasts=True,
    self=lambda g: g,
    tensor1=lambda g, tensor2, value: g * (value / tensor2),
    tensor2=lambda g, tensor1, tensor2, value: (
        -g * (times_number(tensor1, value) / (tensor2 * tensor2))))
# fmt: on


@operation(LERP_TENSOR)
def lerp(input, end: Tensor, weight):
    """``input + weight × (end − input)``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.lerp(mg.tensor([0.0, 10.0]), mg.tensor([1.0, 20.0]), 0.5)
    tensor([ 0.5000, 15.0000])
    """
    x = raw(input)
    others = {"end": end, "weight": weight} if isinstance(weight, Tensor) else {"end": end}
    for name, operand in others.items():
        if raw(operand).dtype is not x.dtype:
            raise RuntimeError(
                f"expected dtype {cpp_name(x.dtype)} for `{name}` "
                f"but got dtype {cpp_name(raw(operand).dtype)}"
            )
    if x.dtype.kind != "f":
        raise no_kernel(f"lerp_kernel_{'tensor' if isinstance(weight, Tensor) else 'scalar'}", x)
    value = broadcast(between_ends, x, raw(end), raw(weight))
    if not isinstance(weight, Tensor):
        return LERP_NUMBER.record(value, input, end, number(weight))
    return LERP_TENSOR.record(value, input, end, weight)


def between_ends(x, y, weight):
    """The raw :func:`lerp`, from the nearer end, so that weights 0 and 1 give the ends exactly."""
    near = np.where(np.abs(weight) < 0.5, x + weight * (y - x), y - (y - x) * (1 - weight))
    return near.astype(x.dtype)[()]


@operation(ADDCMUL)
def addcmul(input, tensor1: Tensor, tensor2: Tensor, *, value=1):
    """``input + value × tensor1 × tensor2``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.addcmul(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]), value=0.5)
    tensor([2.5000, 5.0000])
    """
    return of_three(ADDCMUL, lambda x, y, z, f: x + f * y * z, input, tensor1, tensor2, value)


@operation(ADDCDIV)
def addcdiv(input, tensor1: Tensor, tensor2: Tensor, *, value=1):
    """``input + value × tensor1 ÷ tensor2``, elementwise with broadcasting.

    >>> import minigrad as mg
    >>> mg.addcdiv(mg.ones(2), mg.tensor([1.0, 2.0]), mg.tensor([2.0, 4.0]))
    tensor([1.5000, 1.5000])
    """
    if result_dtype(raw(tensor1), raw(tensor2)).kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release "
            "addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv "
            "behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2))"
            ".to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
            "float inputs. The future addcdiv behavior is just the latter implementation: "
            "(input + value * tensor1 / tensor2), for all dtypes."
        )
    return of_three(ADDCDIV, lambda x, y, z, f: x + f * (y / z), input, tensor1, tensor2, value)


def of_three(rule: Rule, compute: Callable, input, tensor1, tensor2, value):
    """The raw function of three tensors, recorded with this rule."""
    operands, value = (input, tensor1, tensor2), plain_number(value, rule.name, "value")
    dtype = result_dtype(*[raw(operand) for operand in operands])
    x, y, z, factor = (cast(raw(v), dtype) for v in (*operands, value))
    refuse("b", f"{rule.name}_cpu_out", x)
    result = broadcast(lambda x, y, z: compute(x, y, z, factor), x, y, z)
    return rule.record(result, *operands, value)
