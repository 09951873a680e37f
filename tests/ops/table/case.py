"""One line of the table of operations, and the ways to write a call."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.ops.samples import Array

INF, NAN = float("inf"), float("nan")


@dataclass(frozen=True)
class Case:
    """One call of one operation on one set of inputs."""

    operation: str
    group: str
    call: Callable  # call(torch, *inputs), for whichever library it is given
    inputs: tuple[Array, ...]
    smooth: bool  # whether finite differences can follow the function here


CASES = {}


def add(operation, group, call, inputs, form="", smooth=True):
    """Put a call into the table: one case for each set of inputs."""
    for sample, arrays in inputs.items():
        name = f"{operation}{f' {form}' if form else ''}: {sample}"
        if name in CASES:
            raise ValueError(f"{name} is in the table twice")
        CASES[name] = Case(operation, group, call, tuple(arrays), smooth)


def function(name, *arguments, **options):
    """``torch.name(inputs..., arguments...)``"""
    return lambda torch, *inputs: getattr(torch, name)(*inputs, *arguments, **options)


def method(name, *arguments, **options):
    """``x.name(other inputs..., arguments...)``"""
    return lambda torch, x, *others: getattr(x, name)(*others, *arguments, **options)


def in_place(name, *arguments, **options):
    """``x.name_(...)`` on a clone: the leaf itself would refuse."""
    return lambda torch, x, *others: getattr(x.clone(), f"{name}_")(*others, *arguments, **options)
