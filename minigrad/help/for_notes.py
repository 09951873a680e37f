"""What the notes on errors say about a program, in sentences."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from . import reader
from .history import nodes_behind
from .path import path
from .program import Program
from .untracked import what_to_do as remedies
from .untracked import why_untracked as reasons


def why_untracked(tensor: Any, otherwise: str) -> str:
    """Why a tensor does not require grad; ``otherwise`` is what to call it if it has no name."""
    program = Program.of(reader.frame())
    return " ".join(reasons(tensor, program.name_of_argument(tensor, 0) or otherwise, program))


def what_to_do(tensor: Any) -> str:
    """What to write so that a tensor keeps its history; empty where that is unknown."""
    program = Program.of(reader.frame())
    return remedies(program.name_of_argument(tensor, 0) or "", program)


def carried_over(node: Any) -> str:
    """The reader's name that takes the graph of one round into the next; empty if there is none."""
    program = Program.of(reader.frame())
    for name, thing in program.variables.items():
        is_result = isinstance(thing, Tensor) and not name.startswith("_") and not thing.is_leaf
        if is_result and program.used_earlier_value(name, name) and node in nodes_behind(thing):
            return name
    return ""


def where_a_path_breaks(output: Any, wanted: Any) -> str:
    """Why no recorded path leads from one tensor back to another."""
    return " ".join(path(output, wanted, Program.of(reader.frame())))
