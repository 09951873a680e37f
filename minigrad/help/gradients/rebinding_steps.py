"""Lines that take its name from a leaf, below its pass: how the leaf keeps it."""

from __future__ import annotations

import ast

from ..program.emptied import empties, is_emptied_around
from ..program.program import EMPTY_IT, TO_CHANGE_A_LEAF, Program
from ..program.updates import update_in
from ..source.syntax import LOOPS, as_owner, names_in, targets_of
from ..source.texts import everywhere
from ..words.sentences import say


def put_back(name: str, program: Program, least: int = 1) -> str:
    """How a leaf keeps its name where each round puts it back below its pass: ``x = x.clamp(0)``.

    Of several lines it is the last, by which the next round knows it. Empty where no loop has the
    ``least`` number of such lines.
    """
    for source, loop in everywhere(program.frame):
        if isinstance(getattr(loop, "value", None), ast.Constant) and name in targets_of(loop):
            return ""  # a sum, which began at 0
        body = loop.body if isinstance(loop, LOOPS) else []
        passes = [each.lineno for each in body if "backward(" in ast.unparse(each)]
        binds = [each for each in body if name in names_in(each, ast.Store) and passes]
        match binds := [each for each in binds if each.lineno > passes[0]]:
            case [*_, ast.Assign([ast.Name()], value)]:
                values = [each.value for each in binds if hasattr(each, "value")]
                if len(binds) >= least and any(name in names_in(each) for each in values):
                    of_grads = [each for each in body if "grad" in ast.unparse(each)]
                    grads = set().union(*(names_in(each, ast.Store) for each in of_grads)) - {name}
                    is_kept = isinstance(value, ast.Call) and binds[-1] not in of_grads
                    is_kept &= not grads & names_in(value)
                    last, line = binds[-1].lineno, source.spoken(binds[-1].lineno)
                    below = [e for e in of_grads if e.lineno > last and name in names_in(e)]
                    if len(binds) == 1 and (is_kept or any(empties(ast.unparse(e)) for e in below)):
                        return in_its_place(name, value, line, True)
                    idle = f", and leave out {source.spoken(below[0].lineno)}" if below else ""
                    return in_its_place(name, value, f"{line}{idle}", False)
    return ""


def in_its_place(name: str, value: ast.expr, line: str, is_kept: bool) -> str:
    """What to write for a line that gives a leaf's name to a value computed from it.

    The leaf ``is_kept`` where the value is copied into it, with the gradient that it has.
    """
    written = ast.unparse(value)
    if is_kept:
        new = f"`with torch.no_grad(): {name}.copy_({written})`"
        return say("put-back", new=new, name=name, line=line)
    new = f"`{name} = {as_owner(value)}.detach().requires_grad_()`"
    return say("put-back-anew", new=new, name=name, line=line)


def how_to_step(name: str, line: str, program: Program) -> str:
    """How to write a step that gives a leaf's name to a new tensor, so that a leaf has it."""
    if several := put_back(name, program, least=2):
        return several
    if do := update_in(line, "recorded", is_emptied_around(line, program.frame)):
        return f"Try: {do}."
    change = TO_CHANGE_A_LEAF.format(name).replace("To", "Try: to", 1)
    return put_back(name, program) or f"{change} {EMPTY_IT.format(name)}"
