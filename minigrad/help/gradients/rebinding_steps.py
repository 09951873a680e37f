"""Lines that take its name from a leaf, below its pass: how the leaf keeps it."""

from __future__ import annotations

import ast

from ..program.program import Program
from ..source.syntax import LOOPS, names_in
from ..source.texts import everywhere
from ..words.sentences import say


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
