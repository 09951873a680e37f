"""Attributes that nobody reads, and that look like a flag: ``x.require_grad = True``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from ..language import _
from . import reader
from .operations import line_of_assignment
from .program import Program

FLAGS = ("requires_grad", "grad", "data", "retain_grad", "requires_grad_")


def misspelt(tensor: Any, name: str) -> Iterator[str]:
    """Sentences on what was set on a tensor, and what it was probably meant to be.

    >>> import minigrad as mg
    >>> x = mg.ones(1)
    >>> x.require_grad = True
    >>> print(*misspelt(x, "x"))
    x.require_grad is an attribute that nothing reads. Try: x.requires_grad.
    """
    for attribute in getattr(tensor, "__dict__", ()):
        meant = get_close_matches(attribute, FLAGS, n=1, cutoff=0.8)
        if meant and attribute not in FLAGS and not attribute.startswith("_"):
            yield (
                f"{name}.{attribute} is an attribute that nothing reads. Try: {name}.{meant[0]}."
            )


def idle_flags(net: Any, own: str, program: Program, leaf: Any = None) -> Iterator[str]:
    """Sentences on ``net.body.requires_grad = False``, of modules that hold ``leaf`` if given."""
    for path, module in net.named_modules():
        if "requires_grad" not in vars(module):
            continue
        if leaf is not None and all(each is not leaf for each in module.parameters()):
            continue
        where = reader.at(own, path) if path else own
        line, flag = lines_that_set(program), bool(vars(module)["requires_grad"])
        yield _(
            "{where}.requires_grad is an attribute that nothing reads, because a module has no "
            "flag of its own{line}. Try: {where}.requires_grad_({flag}), which sets it in each of "
            "its parameters."
        ).format(where=where, flag=flag, line=line)


def lines_that_set(program: Program) -> str:
    """The only line that sets an attribute of this name, in brackets; empty if there are more."""
    line = line_of_assignment(
        program,
        lambda target, _value: isinstance(target, ast.Attribute) and target.attr == "requires_grad",
    )
    return line and f" ({line})"
