"""What all optimizers share: groups of parameters, their options, and the state of each parameter.

An optimizer changes parameters in place, under ``no_grad``, and only those that have a gradient.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Any

from .. import dtypes
from ..autograd.around import notes
from ..autograd.grad_mode import enable_grad, no_grad
from ..extras.recorded_cuts import NOW
from ..nn.module import type_name
from ..nn.parameter import clear_gradients
from ..tensor import Tensor


class Optimizer:
    """The base of all optimizers; a subclass says in ``update`` how one parameter changes.

    Args:
        params: the parameters, or groups of them: dicts with ``"params"`` and options of their own.
        defaults: the options of groups that do not say otherwise.

    Attributes:
        param_groups: a list of dicts, each with ``"params"`` and the options of the group.
        state: parameter -> dict of what the optimizer remembers of it.

    Raises:
        TypeError: something is no tensor, or the order of the parameters is not fixed.
        ValueError: there are no parameters, one is no leaf, or one is in two groups.

    Source: https://docs.pytorch.org/docs/2.13/optim.html
    """

    def __init__(self, params: Iterable, defaults: dict[str, Any]):
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or "
                f"dicts, but got {params.type()}"
            )
        if defaults.get("differentiable"):
            raise NotImplementedError(
                f"{type(self).__name__}: differentiable=True is not supported"
            )
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise notes.known(ValueError("optimizer got an empty parameter list"))
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        if defaults.get("fused") and defaults.get("foreach"):
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters, with options of its own where it has any.

        The parameters may come with names, as from ``named_parameters()``. The dict itself becomes
        the group.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead."
            )
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [parameter[0] for parameter in params if isinstance(parameter, tuple)]
        if names:
            if len(names) < len(params):
                raise ValueError(
                    "all optimizer params should be with/without names. Some param names are "
                    "missing"
                )
            param_group["param_names"] = names
            params = [parameter for _, parameter in params]
        param_group["params"] = params
        for parameter in params:
            if not isinstance(parameter, Tensor):
                error = TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    + type_name(parameter)
                )
                raise notes.not_a_parameter(error, parameter)
            if not (parameter.is_leaf or parameter.retains_grad):
                error = ValueError("can't optimize a non-leaf Tensor")
                raise notes.not_optimized(error, parameter)
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        if len(set(params)) < len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
                UserWarning,
                stacklevel=3,
            )
        for group in self.param_groups:
            if ("param_names" in param_group) != ("param_names" in group):
                with_or_without = "with" if "param_names" in param_group else "without"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param "
                    f"group {with_or_without} names to the optimizer"
                )
        if not set(params).isdisjoint(self._parameters()):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def _parameters(self) -> Iterator[Tensor]:
        return (parameter for group in self.param_groups for parameter in group["params"])

    def step(self, closure: Callable[[], Tensor] | None = None) -> Tensor | None:
        """Change every parameter that has a gradient.

        Args:
            closure: computes the loss and its gradients anew; called first.

        Returns:
            What ``closure`` returned.
        """
        with no_grad():
            loss = None
            if closure is not None:
                with enable_grad():
                    loss = closure()
            NOW.paused = True
            try:
                for group in self.param_groups:
                    for parameter in group["params"]:
                        if parameter.grad is not None:
                            gradient = -parameter.grad if group["maximize"] else parameter.grad
                            self.update(parameter, gradient, group)
            finally:
                NOW.paused = False
            return loss

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """Change one parameter; every subclass says how."""
        raise NotImplementedError

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Take the gradients of all parameters away, or fill them with zeros.

        >>> import minigrad as mg
        >>> w = mg.tensor(1.0, requires_grad=True)
        >>> optimizer = mg.optim.SGD([w], lr=0.1)
        >>> (w * w).backward()
        >>> optimizer.zero_grad()
        >>> print(w.grad)
        None
        """
        clear_gradients(self._parameters(), set_to_none)

    def state_dict(self) -> dict[str, Any]:
        """The state and the options as plain dicts, with numbers in place of the parameters."""
        places = {}
        for parameter in self._parameters():
            places.setdefault(parameter, len(places))
        return {
            "state": {places.get(key, key): state for key, state in self.state.items()},
            "param_groups": [
                {
                    **{name: value for name, value in group.items() if name != "params"},
                    "params": [places[parameter] for parameter in group["params"]],
                }
                for group in self.param_groups
            ],
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from where :meth:`state_dict` was called; the parameters stay as they are.

        The tensors of the state are shared with ``state_dict``, as in PyTorch; copy it first if
        somebody else goes on from it too.

        Raises:
            ValueError: the groups of the state are not as many or as large as those here.
        """
        groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, self.param_groups)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        places = [place for group in groups for place in group["params"]]
        parameters = dict(zip(places, self._parameters()))
        self.state = defaultdict(dict)
        for place, state in state_dict["state"].items():
            if place in parameters:
                self.state[parameters[place]] = in_dtype(state, parameters[place].dtype)
            else:
                self.state[place] = state
        for group, mine in zip(groups, self.param_groups):
            group["params"] = mine["params"]
            for name, value in mine.items():
                group.setdefault(name, value)
        self.param_groups = groups

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(("\n" if number else "") + f"Parameter Group {number}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


def in_dtype(state: Any, dtype: dtypes.dtype, name: str | None = None) -> Any:
    """What is remembered of a parameter, in its dtype; but not the number of steps."""
    if isinstance(state, Tensor) and name != "step":
        return state.to(dtype)
    if isinstance(state, dict):
        return {key: in_dtype(value, dtype, key) for key, value in state.items()}
    if isinstance(state, list | tuple):
        return type(state)(in_dtype(value, dtype) for value in state)
    return state


def refuse(outside: bool, called: str, value: float) -> None:
    """Refuse an option that is outside of its range, under the name that the message gives it."""
    if outside:
        raise ValueError(f"Invalid {called}: {value}")
