"""Lines that take its name from a leaf, below its pass: how the leaf keeps it."""

from __future__ import annotations

import ast

from ..program.emptied import is_emptied_somewhere
from ..program.program import EMPTY_IT, TO_CHANGE_A_LEAF, Program
from ..program.updates import update_in
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
        for each in reversed(body) if passes else ():
            match each:
                case ast.Assign([ast.Name(own)], value) if own == name and name in names_in(value):
                    if each.lineno > passes[0]:
                        at = bound_at(name, body)
                        is_first = not any(passes[0] < one < each.lineno for one in at)
                        return in_its_place(name, value, source.spoken(each.lineno), is_first)
    return ""


def in_its_place(name: str, value: ast.expr, line: str, is_first: bool) -> str:
    """What to write for a line that gives a leaf's name to a value computed from it.

    The one that ``is_first`` to take the name in its round may be copied into the leaf.
    """
    written = ast.unparse(value)
    if isinstance(value, ast.Call) and is_first:
        new = f"`with torch.no_grad(): {name}.copy_({written})`"
        return say("put-back", new=new, name=name, line=line)
    whole = written if isinstance(value, ast.Call) else f"({written})"
    new = f"`{name} = {whole}.detach().requires_grad_()`"
    return say("put-back-anew", new=new, name=name, line=line)


def how_to_step(name: str, line: str, program: Program) -> str:
    """How to write a step that gives a leaf's name to a new tensor, so that a leaf has it."""
    if do := update_in(line, "recorded", is_emptied_somewhere(program.frame)):
        return f"Try: {do}."
    change = TO_CHANGE_A_LEAF.format(name).replace("To", "Try: to", 1)
    return put_back(name, program) or f"{change} {EMPTY_IT.format(name)}"
