"""Leaves that share their numbers with another leaf, which is what a program computes with."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..program.program import Program
from ..source import reader
from ..source.parsed import expression_at
from ..source.variables import held
from ..words.sentences import say


def shared_with(leaf: Tensor, name: str, program: Program) -> Iterator[str]:
    """That a leaf is a second tensor on the memory of another, whose ``.grad`` passes fill."""
    cut = next((e for e in cuts_of(leaf) if e.what in ("data", "detach") and e.place), None)
    if cut is None:
        return
    for path, thing in ((each.path, each.thing) for each in held(program.variables)):
        is_other = isinstance(thing, Tensor) and thing is not leaf and thing._edge is None
        if is_other and thing.requires_grad and np.may_share_memory(thing._value, leaf._value):
            part = expression_at(cut.place)
            part = part.func if isinstance(part, ast.Call) else part
            own = ast.unparse(part.value) if isinstance(part, ast.Attribute) else path
            line = reader.spoken(cut.place)
            yield say("shared-with", name=name, other=path, line=line)
            yield say("its-own-grad", other=path, own=own)
            return
