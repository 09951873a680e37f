"""Containers: lists and dicts whose modules or parameters are found by what holds them.

A plain list of modules in an attribute is only a list: :class:`.Module` does not look into it.
"""

from __future__ import annotations

import operator
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from itertools import chain
from typing import Any

from ..tensor import Tensor
from .module import Module
from .parameter import Parameter


class Numbered(Module):
    """The base of containers whose modules stand in a row.

    >>> import minigrad as mg
    >>> len(mg.nn.ModuleList([mg.nn.ReLU(), mg.nn.Tanh()]))
    2
    """

    def append(self, module: Module) -> Numbered:
        """Add a module at the end; returns the container."""
        self.add_module(str(len(self)), module)
        return self

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._name_at(index), module)

    def __delitem__(self, index: int | slice) -> None:
        is_slice = isinstance(index, slice)
        gone = list(self._modules)[index] if is_slice else [self._name_at(index)]
        kept = [module for name, module in self._modules.items() if name not in gone]
        self._modules = {str(i): module for i, module in enumerate(kept)}

    def _name_at(self, index: int) -> str:
        return list(self._modules)[position_in(self, index)]


def position_in(container: Module, index: int) -> int:
    """A position counted from the front; ``IndexError`` where nothing stands."""
    index = operator.index(index)
    if not -len(container) <= index < len(container):
        raise IndexError(f"index {index} is out of range")
    return index % len(container)


def refuse_no_iterable(values: Any, called: str, wanted: str = "iterable") -> None:
    """What a container is filled from has to be something to go through, and no tensor."""
    if not isinstance(values, Iterable) or isinstance(values, Tensor):
        got = type(values).__name__
        raise TypeError(f"{called} should be called with an {wanted}, but got {got}")


class ModuleList(Numbered):
    """Modules in a list; it has no ``forward`` of its own.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.ModuleList.html

    >>> import minigrad as mg
    >>> layers = mg.nn.ModuleList([mg.nn.Linear(2, 2), mg.nn.Linear(2, 2), mg.nn.Tanh()])
    >>> layers
    ModuleList(
      (0-1): 2 x Linear(in_features=2, out_features=2, bias=True)
      (2): Tanh()
    )
    >>> len(list(layers.parameters()))
    4
    """

    def __init__(self, modules: Iterable[Module] | None = None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add modules at the end; returns the list."""
        refuse_no_iterable(modules, "ModuleList.extend")
        for number, module in enumerate(modules, len(self)):
            self.add_module(str(number), module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Put a module in a place; those from there on move up by one."""
        for i in range(len(self), index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]
        self._modules[str(index)] = module

    def pop(self, key: int | slice) -> Module:
        """Take a module out, and return it."""
        module = self[key]
        del self[key]
        return module

    def __getitem__(self, index: int | slice) -> Module:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._modules[self._name_at(index)]

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def __repr__(self) -> str:
        runs: list[list] = []  # first number, last number, what it looks like
        for i, module in enumerate(self):
            if runs and runs[-1][2] == repr(module):
                runs[-1][1] = i
            else:
                runs.append([i, i, repr(module)])
        name = type(self).__name__
        if not runs:
            return f"{name}()"
        lines = [
            f"({first}): {shown}" if first == last
            else f"({first}-{last}): {last - first + 1} x {shown}"
            for first, last, shown in runs
        ]  # fmt: skip
        body = "\n".join(lines).replace("\n", "\n  ")
        return f"{name}(\n  {body}\n)"


class ModuleDict(Module):
    """Modules by name; it has no ``forward`` of its own.

    Takes a mapping, or pairs of a name and a module.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.ModuleDict.html

    >>> import minigrad as mg
    >>> bends = mg.nn.ModuleDict({"relu": mg.nn.ReLU(), "tanh": mg.nn.Tanh()})
    >>> bends["relu"](mg.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def __init__(self, modules: Mapping[str, Module] | None = None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]]) -> None:
        """Enter modules under their names; what had a name before gives way."""
        refuse_no_iterable(modules, "ModuleDict.update", "iterable of key/value pairs")
        if isinstance(modules, Mapping | ModuleDict):
            modules = modules.items()
        for number, pair in enumerate(modules):
            element = f"ModuleDict update sequence element #{number}"
            if not isinstance(pair, Iterable):
                raise TypeError(f"{element} should be Iterable; is{type(pair).__name__}")
            if len(pair) != 2:
                raise ValueError(f"{element} has length {len(pair)}; 2 is required")
            self[pair[0]] = pair[1]

    def clear(self) -> None:
        """Take all modules out."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Take a module out, and return it."""
        return self._modules.pop(key)

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def items(self) -> ItemsView[str, Module]:
        """The names with their modules."""
        return self._modules.items()

    def values(self) -> ValuesView[Module]:
        """The modules."""
        return self._modules.values()

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules


class ParameterList(Module):
    """Parameters in a list; a tensor put into it becomes a parameter, and anything else stays.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.ParameterList.html

    >>> import minigrad as mg
    >>> mg.nn.ParameterList([mg.ones(2), mg.zeros(2, 3)])
    ParameterList(
        (0): Parameter containing: [torch.float32 of size 2]
        (1): Parameter containing: [torch.float32 of size 2x3]
    )
    """

    def __init__(self, values: Iterable[Any] | None = None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end; returns the list."""
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add values at the end; returns the list."""
        refuse_no_iterable(values, "ParameterList.extend")
        for value in values:
            self.append(value)
        return self

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(self[i] for i in range(*index.indices(len(self))))
        return getattr(self, str(position_in(self, index)))

    def __setitem__(self, index: int, value: Any) -> None:
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, str(position_in(self, index)), value)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def extra_repr(self) -> str:
        return "\n".join(f"  ({i}): {described(value)}" for i, value in enumerate(self))


def described(value: Any) -> str:
    """What a list of parameters prints of one of its values."""
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    size = "x".join(str(n) for n in value.shape)
    return f"{kind} containing: [{value.dtype} of size {size}]"
