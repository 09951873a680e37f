"""How each operation turns the gradient of its result into that of an operand: the table's reader.

The table is ``derivatives.toml``; nodes are looked up in it by name, so one table serves the graphs
of this package and of PyTorch.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .sentences import table, written


class Entry(NamedTuple):
    """What the table says of one operand: a slope, or a gradient as a whole, or words alone."""

    words: str
    slope: str = ""
    gradient: str = ""
    shown: str = ""
    code: str = ""


@cache
def _entries(name: str) -> dict[str, Entry]:
    """The entries of an operation, by operand."""
    return {
        operand: Entry(said) if isinstance(said, str) else Entry(**said)
        for operand, said in table("derivatives").get(name, {}).items()
    }


def entries_of(node_name: str, variant: str = "") -> dict[str, Entry]:
    """The entries of a node's operation, by operand name; empty where the table knows none.

    ``variant`` names the entries that hold in a special case: ``scaled`` where the node saved a
    factor (``alpha``, ``beta``) other than 1, ``squared`` for a power of 2, ``plain`` for losses
    without weights.

    >>> entries_of("MulBackward0")["self"].words
    'times {other}, the other factor'
    >>> entries_of("SomethingElseBackward0")
    {}
    """
    stem = node_name.partition("Backward")[0]
    if node_name.count("Backward") > 1:  # the second derivative of an operation
        return {}
    named = [f"{variant}-{stem}", node_name, stem]
    named += [written(start, "like") for start in table("operations") if stem.startswith(start)]
    return next(filter(None, map(_entries, named)), {})


def operands_of(node_name: str, count: int) -> tuple[str, ...]:
    """Names for the operands of a node of PyTorch, in the order of its ``next_functions``.

    >>> operands_of("AddmmBackward0", 3), operands_of("CatBackward0", 2)
    (('self', 'mat1', 'mat2'), ('tensors', 'tensors'))
    """
    known = tuple(entries_of(node_name))
    if known == ("tensors",):
        return known * count
    unknown = tuple(f"operand{number}" for number in range(1, count + 1))
    return (known + unknown[len(known) :])[:count]
