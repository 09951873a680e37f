"""Modules as functions of their parameters, which the transforms need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..nn.module import Module
from ..ops.more.cat_split import stack
from ..tensor import Tensor

Tensors = dict[str, Tensor]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Tensors | Sequence[Tensors],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with these tensors in the places of its parameters and buffers.

    Args:
        module: what to call; afterwards it has its own parameters again.
        parameter_and_buffer_dicts: names, as ``named_parameters`` gives them, and tensors; or
            several such dicts. What has no entry stays.
        args: the arguments, a tuple, or the only one.
        kwargs: the named arguments.
        tie_weights: a parameter with two names is replaced under both.
        strict: every parameter and buffer needs an entry, and nothing else has one.

    Raises:
        ValueError: a name has two tensors.
        RuntimeError: ``strict``, and a name is missing or unknown.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.func.functional_call.html

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(2, 1)
    >>> new = {"weight": mg.ones(1, 2), "bias": mg.zeros(1)}
    >>> mg.func.functional_call(layer, new, mg.tensor([3.0, 4.0]))
    tensor([7.])
    """
    given = merged(parameter_and_buffer_dicts)
    replacements = with_ties(module, given) if tie_weights else given
    if strict:
        check_names(module, replacements)
    if args is None:
        args = ()
    with replaced(module, replacements, given):
        return module(*(args if isinstance(args, tuple) else (args,)), **(kwargs or {}))


def merged(dicts: Tensors | Sequence[Tensors]) -> Tensors:
    """One dict of all."""
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, Sequence):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(dicts)}"
        )
    if not all(isinstance(each, dict) for each in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    counts = Counter(name for each in dicts for name in each)
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; behavior of functional call is "
            "ambiguous"
        )
    return {name: tensor for each in dicts for name, tensor in each.items()}


def tensors_of(module: Module) -> Tensors:
    """Every parameter and buffer under each of its names."""
    return {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }


def with_ties(module: Module, replacements: Tensors) -> Tensors:
    """Replacements for the other names of the same parameters too."""
    names: dict[Tensor, list[str]] = {}
    for name, tensor in tensors_of(module).items():
        names.setdefault(tensor, []).append(name)
    complete = dict(replacements)
    for tied in names.values():
        given = {replacements[name] for name in tied if name in replacements}
        if len(given) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(tied)}, which are tied. "
                "Consider using tie_weights=False"
            )
        complete.update((name, tensor) for name in tied for tensor in given)
    return complete


def check_names(module: Module, replacements: Tensors) -> None:
    """Refuse names that are missing or unknown."""
    have = tensors_of(module)
    unexpected = [repr(name) for name in sorted(replacements) if name not in have]
    missing = [repr(name) for name in sorted(have) if name not in replacements]
    lines = [f"Unexpected key(s): {', '.join(unexpected)}."] if unexpected else []
    lines += [f"Missing key(s): {', '.join(missing)}."] if missing else []
    if lines:
        raise RuntimeError(
            f"Error(s) in reparametrizing for {type(module).__name__}:\n\t" + "\n\t".join(lines)
        )


@contextmanager
def replaced(module: Module, replacements: Tensors, given: Tensors) -> Iterator[None]:
    """Put tensors in the tables of a module and its parts, and the old ones back afterwards.

    What the module assigned meanwhile, such as a running mean, goes into ``given``.
    """
    before = []
    try:
        for path, tensor in replacements.items():
            table, name = table_of(module, path)
            before.append((path, table, name, table.get(name, NOTHING)))
            table[name] = tensor
        yield
    finally:
        for path, table, name, old in reversed(before):
            if path in given and name in table:
                given[path] = table[name]
            if old is NOTHING:
                del table[name]
            else:
                table[name] = old


NOTHING = object()


def table_of(module: Module, path: str) -> tuple[dict, str]:
    """The table that holds the parameter, buffer or attribute of this name, and its name there."""
    prefix, _, name = path.rpartition(".")
    owner = module.get_submodule(prefix)
    tables = [table for table in (owner._parameters, owner._buffers) if name in table]
    return (*tables, owner.__dict__)[0], name


def stack_module_state(models: Sequence[Module]) -> tuple[Tensors, Tensors]:
    """The parameters and the buffers of several models of one class, stacked name by name.

    Raises:
        RuntimeError: no models, or models of several classes or modes.

    >>> import minigrad as mg
    >>> params, buffers = mg.func.stack_module_state([mg.nn.Linear(2, 1), mg.nn.Linear(2, 1)])
    >>> params["weight"].shape
    torch.Size([2, 1, 2])
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return (
        stacked_by_name([dict(model.named_parameters()) for model in models]),
        stacked_by_name([dict(model.named_buffers()) for model in models]),
    )


def stacked_by_name(states: list[Tensors]) -> Tensors:
    """A new leaf for each name."""
    stacked = {}
    for name in states[0]:
        tensors = [state[name] for state in states]
        flags = {tensor.requires_grad for tensor in tensors}
        if len(flags) > 1:
            raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
        stacked[name] = stack(tensors).detach().requires_grad_(*flags)
    return stacked
