"""Adam: each element takes steps of about the same length, however large its gradients are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..creation import tensor
from ..extras.factories import zeros_like
from ..ops.more.minmax import maximum
from ..tensor import Tensor
from .optimizer import Optimizer, refuse


class Adam(Optimizer):
    """A step along the running mean of the gradients, divided by the root of that of their squares.

    Both running means start at 0 and are corrected for it: after t steps they are divided by
    1 − βᵗ.

    Args:
        params: the parameters, or groups of them as dicts.
        lr: the learning rate, about how long a step is.
        betas: how much of each of the two running means is kept from step to step.
        eps: is added to the divisor, so that it is never 0.
        weight_decay: how much of the parameter itself is added to its gradient.
        amsgrad: divide by the largest running mean of squares so far.
        maximize: go uphill.
        decoupled_weight_decay: shrink the parameter instead of adding to its gradient (AdamW).
        foreach, capturable, fused: how PyTorch organizes the computation; without effect here.
        differentiable: not supported.

    Raises:
        ValueError: an option is out of its range.

    Source: Kingma and Ba, 2015, https://arxiv.org/abs/1412.6980;
    https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adam.html

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0, 200.0], requires_grad=True)
    >>> optimizer = mg.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([  0.9000, 199.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ):
        refuse(not 0.0 <= lr, "learning rate", lr)
        refuse(not 0.0 <= eps, "epsilon value", eps)
        for i in range(2):
            refuse(not 0.0 <= betas[i] < 1.0, f"beta parameter at index {i}", betas[i])
        refuse(not 0.0 <= weight_decay, "weight_decay value", weight_decay)
        if not any(all(isinstance(beta, kind) for beta in betas) for kind in (float, Tensor)):
            raise ValueError("betas must be either both floats or both Tensors")
        options = {
            "lr": lr,
            "betas": tuple(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, options)

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """One step of one parameter."""
        state = self.state[parameter] or self._start(parameter, group)
        state["step"] += 1
        (beta1, beta2), lr = group["betas"], float(group["lr"])
        if group["decoupled_weight_decay"]:
            parameter.mul_(1 - lr * group["weight_decay"])
        elif group["weight_decay"]:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        mean, squares = state["exp_avg"], state["exp_avg_sq"]
        mean.lerp_(gradient, 1 - beta1)
        squares.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        if group["amsgrad"]:
            squares = state["max_exp_avg_sq"].copy_(maximum(state["max_exp_avg_sq"], squares))
        steps = float(state["step"])
        root = math.sqrt(1 - beta2**steps)
        parameter.addcdiv_(
            mean, (squares.sqrt() / root).add_(group["eps"]), value=-lr / (1 - beta1**steps)
        )

    def _start(self, parameter: Tensor, group: dict[str, Any]) -> dict[str, Tensor]:
        """What is remembered of a parameter before its first step."""
        state = self.state[parameter]
        state["step"] = tensor(0.0)
        names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
        for name in names if group["amsgrad"] else names[:2]:
            state[name] = zeros_like(parameter)
        return state
