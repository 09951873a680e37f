"""What the reader's variables hold: values in attributes, lists and dicts, caches of closures."""

from __future__ import annotations

import ast
import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

MOST = 5_000  #: so many values are looked at
MOST_OF_ONE = 200  #: of one list or dict
NOTEBOOKS = {"IPython", "ipykernel"}  #: their `get_ipython` holds the variables once more
PACKAGES = {*sys.stdlib_module_names, *NOTEBOOKS, "minigrad", "torch", "numpy"}
BY_ID = re.compile(r"\[\d{9,}\]")  #: a key that only this run has
KEPT_BY_MODULES = ("_parameters", "_buffers", "_modules")


class Held(NamedTuple):
    """A value, how a program gets at it, and the reader's variable it is reached from."""

    root: str
    path: str
    thing: Any

    @property
    def is_typed(self) -> bool:
        """Whether a line beside the variable can name it: no name of a closure, no key by id().

        >>> Held("f", "kept", 1.0).is_typed, Held("d", "d['k']", 1.0).is_typed
        (False, True)
        """
        starts = re.match(r"\w+", self.path)
        return bool(starts) and starts[0] == self.root and not BY_ID.search(self.path)


def held(variables: Mapping[str, Any]) -> Iterator[Held]:
    """What is reached from the reader's variables, nearest first; nothing of theirs is run.

    ``_`` and ``_12`` are not names of the reader's.

    >>> [each.path for each in held({"a": {"k": [3.0]}})]
    ['a', "a['k']", "a['k'][0]"]
    """
    waiting = deque(Held(own, own, it) for own, it in variables.items() if own[0].isalpha())
    seen = {id(each.thing) for each in waiting}
    count = len(waiting) + MOST
    while waiting and count:
        count -= 1
        found = waiting.popleft()
        if has_any_name(found.thing):
            continue
        yield found
        for path, thing in islice(parts(found.path, found.thing), MOST_OF_ONE):
            if id(thing) not in seen:
                seen.add(id(thing))
                waiting.append(Held(found.root, path, thing))


def has_any_name(thing: Any) -> bool:
    """Whether a value has whatever it is asked for, as mocks do: nothing can be learned of it."""
    return hasattr(type(thing), "__getattr__") and hasattr(thing, "a_name_that_nothing_has")


def parts(path: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """What one value holds, each with how a program gets at it."""
    if isinstance(thing, type | ModuleType):
        return
    if isinstance(thing, MethodType):
        if type(thing.__self__).__module__.partition(".")[0] in NOTEBOOKS:
            return
        yield path.rpartition(".")[0] or f"{path}.__self__", thing.__self__
    elif isinstance(thing, FunctionType):
        for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or ()):
            try:
                yield name, cell.cell_contents
            except ValueError:  # it has no value yet
                continue
    elif isinstance(thing, Mapping) and isinstance(thing, dict):
        for key, value in [*islice(thing.items(), MOST_OF_ONE)]:
            if isinstance(key, str | int | tuple):
                yield f"{path}[{key!r}]", value
    elif isinstance(thing, list | tuple | deque):
        fields = getattr(thing, "_fields", ())
        for number, value in enumerate(islice(thing, MOST_OF_ONE)):
            yield f"{path}.{fields[number]}" if fields else f"{path}[{number}]", value
    elif is_module(thing):
        for name in KEPT_BY_MODULES:
            for own, value in vars(thing).get(name, {}).items():
                yield at(path, own), value
        own = {name: value for name, value in vars(thing).items() if name[0] != "_"}
        yield from ((f"{path}.{name}", value) for name, value in own.items())
    elif type(thing).__module__.partition(".")[0] not in PACKAGES or isinstance(
        thing, SimpleNamespace
    ):
        for name, value in (getattr(thing, "__dict__", None) or {}).items():
            yield f"{path}.{name}", value


def is_module(thing: Any) -> bool:
    """Whether this is a module whose constructor has run."""
    return hasattr(type(thing), "named_parameters") and "_modules" in vars(thing)


def is_of_library(thing: Any) -> bool:
    """Whether the class of a layer, or of another object, is none of the reader's."""
    return type(thing).__module__.partition(".")[0] in ("minigrad", "torch")


def at(name: str, path: str) -> str:
    """What a program writes for a parameter of a module.

    >>> at("net", "0.weight")
    'net[0].weight'
    """
    if path.isidentifier():
        return f"{name}.{path}"
    return name + re.sub(r"\.(\d+)", r"[\1]", f".{path}")


def thing_at(expression: ast.expr, variables: Mapping[str, Any]) -> Any:
    """What ``net``, ``net.body`` or ``net.body[-1]`` stands for now; nothing is run to find it."""
    match expression:
        case ast.Name(name):
            return variables.get(name)
        case ast.Attribute(whole, key) | ast.Subscript(whole, ast.Constant(key)):
            known = dict(parts("", thing_at(whole, variables)))
            return known.get(f".{key}", known.get(f"[{key!r}]"))
        case ast.Subscript(whole, ast.UnaryOp(ast.USub(), ast.Constant(int(key)))):
            known = [part for at, part in parts("", thing_at(whole, variables)) if at[0] == "["]
            return known[-key] if 0 < key <= len(known) else None
    return None


def own_name(path: str) -> str:
    """The last name of a path.

    >>> own_name("self.opt")
    'opt'
    """
    return path.rpartition(".")[2]


def last_name(path: str) -> str:
    """The last name of a path to what may be in a list.

    >>> last_name("self.shadow[k]"), last_name("nets[0].mean")
    ('shadow', 'mean')
    """
    while path.endswith("]"):
        path = path.rpartition("[")[0]
    return own_name(path).partition("[")[0]


def parameters_of(thing: Any) -> Iterable[tuple[str, Any]]:
    """The parameters with their paths, if ``thing`` is a module that is ready."""
    return thing.named_parameters() if is_module(thing) else ()


def stepped_by(optimizer: Any) -> Iterator[Any]:
    """The tensors that an optimizer changes; none of what is no optimizer."""
    for group in groups_of(optimizer):
        yield from group["params"]


def leaves_held(thing: Any) -> list[Any]:
    """The leaves that an optimizer steps, or that a module has as parameters."""
    return [*stepped_by(thing), *(leaf for _, leaf in parameters_of(thing))]


def optimizers(variables: Mapping[str, Any], leaves: Iterable[Any] | None = None) -> dict[str, Any]:
    """The optimizers that are held under names, by path; of ``leaves`` those that step one."""
    known = {each.path: (each.thing, [*stepped_by(each.thing)]) for each in held(variables)}
    meant = None if leaves is None else {*map(id, leaves)}
    return {
        path: tool
        for path, (tool, own) in known.items()
        if own and (meant is None or not meant.isdisjoint(map(id, own)))
    }


def optimizer_of(leaf: Any, variables: Mapping[str, Any]) -> str:
    """How a program gets at the first optimizer that steps a leaf; empty where none does."""
    return next(iter(optimizers(variables, [leaf])), "")


def all_stepped(variables: Mapping[str, Any]) -> dict[int, Any]:
    """The tensors that the optimizers of a program change, by id."""
    tools = optimizers(variables).values()
    return {id(leaf): leaf for tool in tools for leaf in stepped_by(tool)}


def groups_of(optimizer: Any) -> list[dict[str, Any]]:
    """The groups of an optimizer; none of what is no optimizer."""
    groups = getattr(optimizer, "param_groups", None)
    return groups if isinstance(groups, list) else []


def is_tensor(thing: Any) -> bool:
    """Whether this is a tensor, of minigrad or of PyTorch."""
    return hasattr(type(thing), "grad_fn")


def is_asking(thing: Any) -> bool:
    """Whether this is a leaf that asks for gradients; a view may refuse to tell its ``grad_fn``."""
    if not is_tensor(thing) or not thing.requires_grad:
        return False
    return thing._edge is None if hasattr(thing, "_edge") else thing.is_leaf


def is_parameter(leaf: Any) -> bool:
    """Whether a leaf was made to be learned, by a layer or by hand."""
    return any(kind.__name__ == "Parameter" for kind in type(leaf).__mro__)
