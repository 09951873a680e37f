"""The state of a module, parameters and buffers by path: reading it, and loading another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..autograd.around import notes
from ..autograd.grad_mode import no_grad
from ..tensor import Tensor

if TYPE_CHECKING:
    from .module import Module


class LoadedKeys(NamedTuple):
    """Which paths a loaded state left out, and which it had too many."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (
            f"_IncompatibleKeys(missing_keys={self.missing_keys}, "
            f"unexpected_keys={self.unexpected_keys})"
        )


def named_state(module: Module) -> Iterator[tuple[str, Tensor]]:
    """Parameters and buffers module by module, also those that stand in two places."""
    for path, part in module.named_modules(remove_duplicate=False):
        for name, tensor in (*part._parameters.items(), *part._buffers.items()):
            if tensor is not None and name not in part._non_persistent_buffers_set:
                yield f"{path}.{name}" if path else name, tensor


def load(module: Module, state: Mapping[str, Tensor], strict: bool) -> LoadedKeys:
    """Copy a state into a module; what fits is copied even if something else does not fit."""
    if not isinstance(state, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state)}.")
    own = dict(named_state(module))
    missing = [path for path in own if path not in state]
    unexpected = [path for path in state if path not in own]
    problems = []
    for title, paths in (("Missing", missing), ("Unexpected", unexpected)):
        if strict and paths:
            listed = ", ".join(f'"{path}"' for path in paths)
            problems.append(f"{title} key(s) in state_dict: {listed}. ")
    for path, tensor in own.items():
        if path in state and (problem := copied(path, tensor, state[path])):
            problems.append(problem)
    if problems:
        name, listed = type(module).__name__, "\n\t".join(problems)
        told = f"Error(s) in loading state_dict for {name}:\n\t{listed}"
        raise notes.known(RuntimeError(told))
    return LoadedKeys(missing, unexpected)


def copied(path: str, tensor: Tensor, new: Tensor) -> str | None:
    """Copy a loaded value into its place, or say what is wrong with it."""
    if not isinstance(new, Tensor):
        return (
            f'While copying the parameter named "{path}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(new)}"
        )
    if tensor.ndim == 0 and new.shape == (1,):
        new = new[0]
    if new.shape != tensor.shape:
        return (
            f"size mismatch for {path}: copying a param with shape {new.shape} from checkpoint, "
            f"the shape in current model is {tensor.shape}."
        )
    try:
        with no_grad():
            tensor.copy_(new)
    except RuntimeError as error:
        return (
            f'While copying the parameter named "{path}", whose dimensions in the model are '
            f"{tensor.shape} and whose dimensions in the checkpoint are {new.shape}, an exception "
            f"occurred : {error.args}."
        )
    return None
