"""How programs call operations: what PyTorch reads of the arguments before it begins.

Formulas call the functions of this folder themselves, and pass what they mean.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable

from ..dtypes import type_name
from ..tensor import Tensor

NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}
KINDS = {
    "int": int,
    "int | None": int,
    "bool": bool,
    "bool | None": bool,
    "Tensor": Tensor,
}


def called(operation: Callable) -> Callable:
    """An operation as programs call it: it knows NumPy's names and checks its arguments.

    Which of them are to be ints, bools or tensors, its annotations say.
    """
    code, kinds, called_as = operation.__code__, operation.__annotations__, operation.__name__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    checked = [
        (i if i < code.co_argcount else math.inf, name, kinds[name])  # inf: by its name alone
        for i, name in enumerate(names)
        if kinds.get(name) in KINDS
    ]
    if not checked and "dim" not in names:
        return operation

    @functools.wraps(operation)
    def call(*args, **named):
        if not NUMPY_NAMES.keys().isdisjoint(named):
            named = {NUMPY_NAMES.get(name, name): value for name, value in named.items()}
        for i, name, kind in checked:
            if i < len(args):
                if args[i].__class__.__name__ != kind:
                    value = as_declared(args[i], kind, called_as, name, f" (position {i + 1})")
                    args = (*args[:i], value, *args[i + 1 :])
            elif name in named and named[name].__class__.__name__ != kind:
                named[name] = as_declared(named[name], kind, called_as, name)
        return operation(*args, **named)

    return call


def as_declared(value, kind: str, operation: str, name: str, place: str = ""):
    """An argument that is to be of one of the :data:`KINDS`.

    Raises:
        TypeError: it is something else.
    """
    if value is None and kind.endswith("None"):
        return value
    wanted = KINDS[kind]
    is_index = hasattr(value, "__index__") and not isinstance(value, bool)
    if not (is_index if wanted is int else isinstance(value, wanted)):
        expected = f"must be {wanted.__name__}, not {type_name(value)}"
        raise TypeError(f"{operation}(): argument '{name}'{place} {expected}")
    return operator.index(value) if wanted is int else value


def function_of(operation: Callable) -> Callable:
    """The function beside a method that takes sizes apart: the function wants them together."""
    code, name = operation.__code__, operation.__name__
    if not code.co_flags & TAKES_ANY_NUMBER or not code.co_kwonlyargcount:
        return operation
    argument = code.co_varnames[code.co_argcount]

    @functools.wraps(operation)
    def function(input, *given, **named):
        if not given and argument not in named:
            raise TypeError(f'{name}() missing 1 required positional arguments: "{argument}"')
        if len(given) > 1:
            count = len(given) + 1
            raise TypeError(f"{name}() takes 2 positional arguments but {count} were given")
        if given:
            check_together(given[0], name, argument, " (position 2)")
        return operation(input, *given, **named)

    return function


TAKES_ANY_NUMBER = 4  # the flag of a code object that has ``*args``


def check_together(sizes, operation: str, argument: str, place: str = "") -> None:
    """Refuse sizes or dims that are not in one tuple or list."""
    if not isinstance(sizes, tuple | list):
        wanted = f"must be tuple of ints, not {type_name(sizes)}"
        raise TypeError(f"{operation}(): argument '{argument}'{place} {wanted}")
