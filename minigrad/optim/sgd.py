"""Stochastic gradient descent: a step against the gradient, with momentum if asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensor import Tensor
from .optimizer import Optimizer, refuse


class SGD(Optimizer):
    """``parameter -= lr * gradient``, or along a running sum of the gradients.

    Args:
        params: the parameters, or groups of them as dicts.
        lr: the learning rate, how long a step is.
        momentum: how much of the running sum is kept from step to step.
        dampening: how much less than a whole gradient is added to the running sum.
        weight_decay: how much of the parameter itself is added to its gradient.
        nesterov: look ahead along the running sum (Nesterov's momentum).
        maximize: go uphill.
        foreach, fused: how PyTorch organizes the computation; without effect here.
        differentiable: not supported.

    Raises:
        ValueError: an option is out of its range.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.optim.SGD.html

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = mg.optim.SGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        refuse(lr < 0.0, "learning rate", lr)
        refuse(momentum < 0.0, "momentum value", momentum)
        refuse(weight_decay < 0.0, "weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        options = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, options)

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """One step of one parameter."""
        momentum = group["momentum"]
        if group["weight_decay"]:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        if momentum:
            state = self.state[parameter]
            if state.get("momentum_buffer") is None:
                running = state["momentum_buffer"] = gradient.detach().clone()
            else:
                running = state["momentum_buffer"]
                running.mul_(momentum).add_(gradient, alpha=1 - group["dampening"])
            ahead = group["nesterov"]
            gradient = gradient.add(running, alpha=momentum) if ahead else running
        parameter.add_(gradient, alpha=-float(group["lr"]))
