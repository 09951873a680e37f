"""Functions of the reader's that count by an ``if``, which no gradient passes."""

from __future__ import annotations

import ast
from typing import NamedTuple

from ...tensor import Tensor
from ..source.syntax import is_call, name_called, parts_in
from ..source.texts import everywhere
from ..words.sentences import say
from .numpy_to_tensors import MODULES, is_ours
from .program import Program
from .soft import soft


class Counted(NamedTuple):
    """What is said of a count, and what to write instead."""

    why: str
    do: str


def counted_by(name: str, program: Program) -> Counted | None:
    """How a name got its value from a function that counts by an ``if`` on what has a history."""
    step = program.step(name)
    call = getattr(step, "value", None)
    known = [program.variables.get(getattr(each, "id", "")) for each in getattr(call, "args", ())]
    if not is_call(call) or not any(isinstance(e, Tensor) and e.requires_grad for e in known):
        return None
    for source, function in everywhere(program.frame, ast.FunctionDef):
        for each in parts_in(function, ast.If) if function.name == name_called(call.func) else ():
            if counts := what_it_adds(each):
                total, first, second = counts
                asked, s = ast.unparse(each.test), soft(each.test)
                why = say("counted", asked=asked, line=source.spoken(each.lineno), total=total)
                new = f"{total} = {total} + {first} * s + {second} * (1 - s)"
                then = " and ".join(
                    say(
                        "and-a-tensor", whole=in_tensors(end, total), line=source.spoken(end.lineno)
                    )
                    for end in made_of(total, function)[:1]
                )
                return Counted(why, say("count-softly", s=s, new=new, then=then))
    return None


def what_it_adds(choice: ast.If) -> tuple[str, str, str] | None:
    """What an ``if`` adds to, and what on either way; None where it does other things."""
    match choice.body, choice.orelse:
        case (
            [ast.AugAssign(ast.Name(total), ast.Add(), ast.Constant(first))],
            [ast.AugAssign(ast.Name(other), ast.Add(), ast.Constant(second))],
        ) if total == other and soft(choice.test):
            return total, str(first), str(second)
        case [ast.AugAssign(ast.Name(total), ast.Add(), ast.Constant(first))], []:
            return (total, str(first), "0") if soft(choice.test) else None
    return None


def made_of(total: str, function: ast.FunctionDef) -> list[ast.Call]:
    """The calls that make a tensor of a count."""
    calls = [each for each in parts_in(function, ast.Call) if is_call(each, {"tensor"})]
    return [each for each in calls if total in map(ast.unparse, ast.walk(each))]


def in_tensors(call: ast.Call, total: str) -> str:
    """What stands in the place of a call that makes a tensor of a count, or of its logarithm."""
    match call.args[0]:
        case ast.Call(ast.Attribute(ast.Name(module), name), [ast.Name(own)]) if (
            module in MODULES and is_ours(name) and own == total
        ):
            return f"`torch.{name}({total})` for `{ast.unparse(call)}`"
    return f"`{ast.unparse(call.args[0])}` for `{ast.unparse(call)}`"
