"""Variables: the arguments that a transform differentiates by, and how they enter the function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.grad_mode import is_grad_enabled
from ..extras.variable_node import Entry, without_closed
from ..tensor import Tensor, wrap
from . import trees

ArgNums = int | tuple[int, ...]


class Variables:
    """Some of the arguments of a function, each behind an entry of its own.

    Attributes:
        tree: the chosen arguments, as they were given.
        tensors: their tensors.
        entries: where the gradient of each is taken.
        inside: what stands for each in the function.
    """

    def __init__(self, args: tuple, argnums: ArgNums | None):
        self.args = args
        self.argnums = argnums
        if argnums is None:
            self.tree = args
        else:
            numbers = checked(argnums, len(args))
            chosen = tuple(args[i] for i in numbers)
            self.tree = chosen[0] if isinstance(argnums, int) else chosen
        self.tensors = trees.leaves(self.tree)
        for each in self.tensors:
            if not isinstance(each, Tensor):
                raise ValueError(f"Thing passed to transform API must be Tensor, got {type(each)}")
        self.tensors = list(map(ordinary, self.tensors))
        self.entries = list(map(Entry, self.tensors))

    def arguments(self, enter: Callable[[Entry, Tensor], Tensor]) -> tuple:
        """The arguments to call the function with; ``enter`` is a method of :class:`Entry`."""
        self.inside = list(map(enter, self.entries, self.tensors))
        inside = trees.like(self.tree, self.inside)
        if self.argnums is None:
            return inside
        args = list(self.args)
        numbers = checked(self.argnums, len(args))
        for i, each in zip(numbers, (inside,) if isinstance(self.argnums, int) else inside):
            args[i] = each
        return tuple(args)

    def __enter__(self) -> Variables:
        return self

    def __exit__(self, *exception: object) -> None:
        for entry in self.entries:
            entry.is_open = False


def ordinary(tensor: Tensor) -> Tensor:
    """``tensor``; for an inference tensor, another one with its memory that a graph can keep."""
    return wrap(tensor._array()) if tensor.is_inference() else tensor


def checked(argnums: ArgNums, count: int) -> tuple[int, ...]:
    """The numbers of the chosen arguments, counted from 0.

    Raises:
        RuntimeError: no number, one that does not exist, or one given twice.
    """
    if not isinstance(argnums, int | tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    for number in numbers:
        if not isinstance(number, int):
            raise RuntimeError(f"argnum must be int, got: {type(number)}")
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    numbers = tuple(number % count for number in numbers)
    if len(set(numbers)) != len(numbers):
        raise RuntimeError(f"argnums elements must be unique, got {numbers}")
    return numbers


def outside(tree: Any) -> Any:
    """Results as the caller gets them: without the history that ended with the transform."""
    return trees.mapped(lambda x: result(x) if isinstance(x, Tensor) else x, tree)


def result(tensor: Tensor) -> Tensor:
    """One result; nothing is recorded for a caller under ``no_grad``."""
    return without_closed(tensor) if is_grad_enabled() else tensor.detach()


def split_aux(output: Any, has_aux: bool, name: str) -> tuple:
    """``(output, aux)`` of a function that returns both, or ``(output, None)``."""
    if not has_aux:
        return output, None
    if not (isinstance(output, tuple) and len(output) == 2):
        raise RuntimeError(
            f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    for each in trees.leaves(output[1]):
        if not isinstance(each, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(each)}")
    return output


def tensors_of(output: Any, name: str) -> list[Tensor]:
    """The tensors that a function returned.

    Raises:
        RuntimeError: there are none, or something else is among them.
    """
    found = trees.leaves(output)
    if not found or found == [None]:
        raise RuntimeError(
            f"{name}: Expected f to be a function that has non-empty output (got output = {found})"
        )
    for each in found:
        if not isinstance(each, Tensor):
            raise RuntimeError(
                f"{name}: expected f(*primals) to return only tensors, got unsupported type "
                f"{type(each)}"
            )
    return found
