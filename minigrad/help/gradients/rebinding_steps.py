"""Steps by hand that only give a name to a new tensor, while each leaf stays as it was made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..graph.history import nodes_behind, passes_through
from ..graph.nodes import leaves_behind
from ..program.program import Program
from ..source.syntax import LOOPS, names_in
from ..source.texts import assignments, everywhere
from ..source.variables import held, is_parameter
from ..words.sentences import say


def lost_steps(loss: Any, program: Program) -> Iterator[str]:
    """That what goes through the leaves to step them is used up.

    Of a loss whose pass has run, and none of whose leaves was changed.
    """
    if any(leaf._version > is_parameter(leaf) for leaf in leaves_behind(loss)):
        return
    if not passes_through(nodes_behind(loss)):
        return
    yield from gone_through(program)


def gone_through(program: Program) -> Iterator[str]:
    """That an object keeps a generator, which its first loop has gone through to the end."""
    for each in held(program.variables):
        owner, _dot, name = each.path.rpartition(".")
        if type(each.thing).__name__ != "generator" or each.thing.gi_frame is not None or not owner:
            continue
        kept = [
            (line, f"{ast.unparse(target)} = list({ast.unparse(value)})")
            for line, target, value in assignments(program.frame)
            if isinstance(target, ast.Attribute) and target.attr == name
        ]
        if len(kept) == 1:
            yield say("steps-nothing", name=each.path, line=kept[0][0])
            yield say("keep-a-list", new=kept[0][1])
            return


def bound_at(name: str, body: list[ast.stmt]) -> list[int]:
    """The lines of a block that give a name to something else."""
    binds = [each for each in body if isinstance(each, ast.Assign)]
    return [each.lineno for each in binds if name in names_in(each, ast.Store)]


def put_back(name: str, program: Program) -> str:
    """How a leaf keeps its name where each round puts it back below its pass: ``x = x.clamp(0)``.

    Empty where no loop does that.
    """
    for source, loop in everywhere(program.frame):
        body = loop.body if isinstance(loop, LOOPS) else []
        passes = [each.lineno for each in body if "backward(" in ast.unparse(each)]
        for each in body if passes else ():
            match each:
                case ast.Assign([ast.Name(own)], ast.Call() as value) if own == name:
                    if each.lineno > passes[0] and name in names_in(value):
                        line = source.spoken(each.lineno)
                        if any(passes[0] < at < each.lineno for at in bound_at(name, body)):
                            new = f"`{name} = {ast.unparse(value)}.detach().requires_grad_()`"
                            return say("put-back-anew", new=new, name=name, line=line)
                        new = f"`with torch.no_grad(): {name}.copy_({ast.unparse(value)})`"
                        return say("put-back", new=new, name=name, line=line)
    return ""
