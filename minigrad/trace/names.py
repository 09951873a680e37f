"""Names for tensors: the reader's own variables, found in the frame that called.

A name is only looked up, never invented. A tensor that is no variable may be inside of one:
``params[1]``, ``batch['x']``, ``self.w``, ``net.0.weight``. What has no name at all is called by
its expression (`minigrad.trace.expressions`).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import FrameType, ModuleType
from typing import Any

from minigrad.help.source import reader


def is_tensor(thing: Any) -> bool:
    """Whether a thing is a tensor of this package, or of one that shares its doors.

    The *type* is asked, because asking an unknown object for an attribute may run its code.

    >>> is_tensor(3)
    False
    """
    kind = type(thing)
    return all(hasattr(kind, door) for door in ("grad_fn", "requires_grad", "is_leaf", "detach"))


def callers_variables() -> dict[str, Any]:
    """The variables of the nearest frame outside this package, locals before globals."""
    frame = reader.frame()
    return {} if frame is None else variables_of(frame)


def variables_of(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame, locals before globals.

    Up to Python 3.12 the frame of a function keeps the dict that it is asked for, and with it what
    the function deletes later; so that dict, a copy as well, is emptied.
    """
    variables = dict(frame.f_locals)
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED and sys.version_info < (3, 13):
        frame.f_locals.clear()
    for name, thing in frame.f_globals.items():
        variables.setdefault(name, thing)
    return variables


def tensors_among(variables: Mapping[str, Any]) -> dict[str, Any]:
    """The tensors of a namespace that may name a part of a graph.

    Left out are names that start with ``_`` (a notebook's ``_12``), and views that were written
    to: reading ``grad_fn`` of such a view makes it a new node, so looking would change the graph.
    """
    return {
        name: thing
        for name, thing in variables.items()
        if not name.startswith("_") and is_tensor(thing) and not stale_view(thing)
    }


def stale_view(tensor: Any) -> bool:
    """Whether a tensor is a view of memory that was written to."""
    return bool(tensor._is_view() and version_of(tensor))


def version_of(tensor: Any) -> int:
    """How often a tensor's memory was written to; tensors of inference mode do not count it."""
    return 0 if tensor.is_inference() else tensor._version


MANY = 1000  #: things in a container that are looked at


def inside_of(variables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Tensors one step inside of variables, with their names.

    Looked into are lists, tuples, dicts with texts as keys, and the attributes of instances. No
    code of the reader's is asked: neither properties nor ``__getattr__``.
    """
    for name, thing in variables.items():
        if name.startswith("_") or name in NOTEBOOKS_OWN:
            continue
        for path, tensor in _parts_of(thing):
            if is_tensor(tensor) and not stale_view(tensor):
                yield name + path, tensor


#: What IPython puts into the variables of a notebook.
NOTEBOOKS_OWN = ("In", "Out")


def parameters_inside(variables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Parameters and buffers of the modules that variables hold, by their paths."""
    for name, thing in variables.items():
        if not name.startswith("_") and not isinstance(thing, (type, ModuleType)):
            yield from ((name + path, tensor) for path, tensor in _parameters(thing, "", set()))


def _parts_of(thing: Any) -> Iterator[tuple[str, Any]]:
    kind = type(thing)
    if kind in (list, tuple):
        yield from ((f"[{place}]", part) for place, part in enumerate(thing[:MANY]))
    elif kind is dict:
        for key, part in islice(thing.items(), MANY):
            if isinstance(key, str):
                yield f"[{key!r}]", part
    elif not isinstance(thing, (type, ModuleType)) and not is_tensor(thing):
        inside = _attributes(thing)
        for key, part in islice(inside.items(), MANY):
            if isinstance(key, str) and is_tensor(part):
                yield f".{key}", part


def _attributes(thing: Any) -> dict[str, Any]:
    """The instance's own attributes; no property is asked."""
    try:
        found = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}


def _parameters(module: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """The parameters and buffers of a module and of those inside of it, by their paths."""
    inside = _attributes(module)
    if id(module) in seen or "_parameters" not in inside or "_modules" not in inside:
        return
    seen.add(id(module))
    for own in ("_parameters", "_buffers"):
        for name, tensor in (inside.get(own) or {}).items():
            if tensor is not None:
                yield f"{path}.{name}", tensor
    for name, child in inside["_modules"].items():
        yield from _parameters(child, f"{path}.{name}", seen)


def _transposed(view: Any, base: Any) -> bool:
    """Whether a view shows all of a matrix, rows as columns."""
    turned = tuple(reversed(base.shape)), tuple(reversed(base.stride()))
    return base.dim() == 2 and (tuple(view.shape), tuple(view.stride())) == turned


class Names:
    """Finds the name of a tensor by identity, or by the node and output number that made it."""

    def __init__(self, tensors: Mapping[str, Any]):
        self.tensors: dict[str, Any] = {}
        self._by_id: dict[int, str] = {}
        self._by_maker: dict[tuple[int, int], str] = {}
        self._alive: list[Any] = []  # an id is only good while its object lives
        for name, tensor in tensors.items():
            self.add(name, tensor)

    def add(self, name: str, tensor: Any) -> None:
        """One more name; a tensor keeps the first one it was given."""
        if name in self.tensors:
            return
        self.tensors[name] = tensor
        self._by_id.setdefault(id(tensor), name)
        maker = tensor.grad_fn
        if maker is not None:
            self._by_maker.setdefault((id(maker), tensor.output_nr), name)
            self._alive.append(maker)

    @classmethod
    def of(
        cls,
        names: Mapping[str, Any] | None,
        variables: Mapping[str, Any],
        watched: Iterable[tuple[str, Any]] = (),
    ) -> Names:
        """Names as given by the reader, or else of ``watched`` modules, or from ``variables``.

        A parameter goes by its path before it goes by a variable, because
        ``for p in net.parameters(): …`` leaves a ``p`` behind, which says nothing.

        Raises:
            TypeError: if ``names`` is not a mapping from names to tensors.
        """
        if names is None:
            found, own = cls({}), tensors_among(variables).items()
            parameters = parameters_inside(variables)
            for name, tensor in (*watched, *parameters, *own, *inside_of(variables)):
                found.add(name, tensor)
            return found
        if not isinstance(names, Mapping):
            raise TypeError(f"names must be a dict such as {{'x': x}}, not {type(names).__name__}")
        for name, tensor in names.items():
            if not isinstance(name, str) or not is_tensor(tensor):
                raise TypeError(
                    "names must map names to tensors, such as {'x': x}; "
                    f"got {name!r}: {type(tensor).__name__}"
                )
        found = cls(names)
        for name, tensor in watched:
            found.add(name, tensor)
        return found

    def of_tensor(self, tensor: Any) -> str | None:
        """The name of a tensor, or, of a frozen matrix that was transposed, that of the matrix."""
        name = self._by_id.get(id(tensor))
        if name is None and not tensor.requires_grad and tensor.dim() == 2 and tensor._is_view():
            base = self._by_id.get(id(tensor._base))
            name = f"{base}ᵀ" if base and _transposed(tensor, tensor._base) else None
        return name

    @staticmethod
    def is_frozen(tensor: Any) -> bool:
        """Whether a tensor is a parameter that asks for no gradient, or one that is transposed.

        What was cut from a parameter that does ask, by ``detach`` or ``no_grad``, is not frozen.
        """
        whole = tensor._base if tensor._is_view() and tensor.dim() == 2 else tensor
        same = whole is tensor or _transposed(tensor, whole)
        parameter = any(kind.__name__ == "Parameter" for kind in type(whole).__mro__)
        return same and parameter and not whole.requires_grad

    def of_result(self, node: Any, output: int) -> str | None:
        return self._by_maker.get((id(node), output))

    def result(self, node: Any, output: int) -> Any | None:
        """The reader's tensor that this node made, if they still have it under a name."""
        name = self.of_result(node, output)
        return None if name is None else self.tensors[name]
