"""Parameters that no step has changed, though gradients come to them in each round."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from ...optim.optimizer import Optimizer
from ...tensor import Tensor
from ..graph.recorded import emptied_at
from ..program.program import Program
from ..source.called import thing_called
from ..source.syntax import LOOPS, attributes_in, is_call, names_in, root
from ..source.texts import Source, assignments, everywhere, led_to
from ..source.variables import stepped_by, thing_at
from ..words.sentences import say

AS_MADE = 1  #: so often a layer writes to a parameter when it is made
STEPS = {"sub_", "add_", "addcmul_", "copy_"}


def unchanged(parameters: Iterable[Any], its: str, program: Program) -> Iterator[str]:
    """That nothing has changed some parameters, and the line that steps something else.

    Of a program that runs a pass in a loop, with tensors of minigrad.
    """
    known = [each for each in parameters if each.requires_grad and isinstance(each, Tensor)]
    if not known or any(each._version > AS_MADE for each in known):
        return
    if any(each.grad is None and not emptied_at(each) for each in known):
        return
    steppers = [e.value for _, e in everywhere(program.frame, ast.Attribute) if e.attr == "step"]
    stepped = [[*stepped_by(thing_at(each, program.variables))] for each in steppers]
    is_of_others = all(stepped) and not any(leaf is known[0] for own in stepped for leaf in own)
    is_of_others &= any(leaf is known[0] for leaf in stepped_by(program.variables.get(its)))
    loops = everywhere(program.frame, LOOPS)
    inside = [each for _, part in led_to(loops, program.frame) for each in ast.walk(part)]
    if not any(is_call(each, {"backward"}) for each in inside):
        return
    made = steps_in_place(program)
    if any(is_of_its_own(each, program) for _, each in made):
        return  # the inputs of a net are to change
    steps = [source.spoken(each.lineno) for source, each in made]
    known = [*steps_under_a_name(program)], [*steps_of_a_loop(program)]
    named = [found[0] for found in known if len(found) == 1]
    if len(steps) == 1:
        yield say("steps-others", line=steps[0])
        yield say("step-these")
    elif not steps and named:
        line, name, do = named[0]
        yield say("steps-a-name", line=line, name=name)
        yield do
    elif not steps and (its := its if is_of_others else "" if steppers else made_in_vain(program)):
        yield say("no-step", its=its)
        yield say("call-step", its=its)


def type_called(call: ast.Call, program: Program) -> type:
    """The class of which a call makes an object; ``object`` where it is none that is known."""
    thing = thing_called(call.func, program.variables)
    return thing if isinstance(thing, type) else object


def made_in_vain(program: Program) -> str:
    """The name of the only optimizer that the lines of a function make; empty for others."""
    names = {
        ast.unparse(target)
        for _, target, value in assignments(program.frame)
        if is_call(value) and issubclass(type_called(value, program), Optimizer)
    }
    return names.pop() if len(names) == 1 else ""


def steps_under_a_name(program: Program) -> Iterator[tuple[str, str, str]]:
    """Lines such as ``new = p - lr * p.grad``: each with the new name, and what to do."""
    for source, each in everywhere(program.frame, ast.Assign):
        match each:
            case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(own), ast.Sub() | ast.Add(), by)):
                if name != own and own in map(root, attributes_in(by, {"grad"})):
                    do = say("copy-it-back", name=name, own=own)
                    yield source.spoken(each.lineno), name, do


def steps_of_a_loop(program: Program) -> Iterator[tuple[str, str, str]]:
    """Lines such as ``p = p - lr * v`` of a loop over ``p``: each with the name, and what to do."""
    for source, loop in everywhere(program.frame, ast.For):
        names = names_in(loop.target)
        for each in ast.walk(loop):
            match each:
                case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(own), ast.Sub() | ast.Add())):
                    if name == own and name in names:
                        sign = "-" if isinstance(each.value.op, ast.Sub) else "+"
                        new = f"{name} {sign}= {ast.unparse(each.value.right)}"
                        yield source.spoken(each.lineno), name, say("step-in-place", new=new)


def written_by(step: ast.stmt) -> ast.expr:
    """What a step in place writes to."""
    match step:
        case ast.AugAssign(target) | ast.Assign([target]):
            return target
    return step.value.func


def is_of_its_own(step: ast.stmt, program: Program) -> bool:
    """Whether a step changes a leaf, or goes by the gradient of what it changes."""
    own = root(written_by(step))
    by = map(root, attributes_in(step, {"grad"}))
    return own in by or getattr(program.variables.get(own), "requires_grad", False)


def steps_in_place(program: Program) -> list[tuple[Source, ast.stmt]]:
    """The statements that change something by a gradient in place, as steps by hand do."""
    return [each for each in everywhere(program.frame, ast.stmt) if is_step(each[1])]


def is_step(statement: ast.AST) -> bool:
    """Whether a statement changes something by a gradient in place."""
    match statement:
        case ast.AugAssign(_, ast.Sub() | ast.Add(), value):
            given = [value]
        case ast.Assign([ast.Attribute(_, "data")], value):
            given = [value]
        case ast.Expr(ast.Call(ast.Attribute(_, name), given)) if name in STEPS:
            pass
        case _:
            return False
    return any(attributes_in(each, {"grad"}) for each in given)
