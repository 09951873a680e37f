"""What stood where a tensor was meant: None, a number, a tuple, a method without its brackets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ...tensor import Tensor
from ..gradients.no_gradient import of_a_grad
from ..gradients.untracked import lost_history, what_to_do
from ..program.program import Program
from ..program.statements import BINDS
from ..program.steps import Step
from ..source.called import parameters_taken
from ..source.lookup import value_of
from ..source.syntax import is_call, name_called, names_in, targets_of
from ..source.texts import everywhere
from ..words.sentences import tell
from .made_none import GIVE_NOTHING, made_of_nothing
from .order_of_results import unpacked_in_another_order

OF_LEAVES = {"data", "grad", "requires_grad", "requires_grad_", "retain_grad", "register_hook"}


def without_brackets(expression: ast.AST | None, frame: FrameType | None) -> Iterator[str]:
    """That a method stands in the place of what it returns: ``net.parameters``."""
    nodes = [*ast.walk(expression or ast.Pass())]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for thing in nodes:
        if isinstance(thing, ast.Attribute) and id(thing) not in called:
            if callable(getattr(value := value_of(thing, frame, None), "__func__", None)):
                name = ast.unparse(thing)
                yield f"{name} is the method itself, and not what it returns, without its brackets."
                arguments = "..." if needed(value) else ""
                yield f"Try: {name}({arguments})."
                return


def bound_without_brackets(thing: ast.expr, frame: FrameType | None) -> Iterator[str]:
    """That a name was given a method in the place of what it returns: ``loss = y.sum``."""
    program, name = Program.of(frame), ast.unparse(thing)
    step = program.step(name, kinds=(BINDS,))
    if step is not None and not step.branch and isinstance(step.value, ast.Attribute):
        written = ast.unparse(step.value)
        yield tell("method-itself", name=name, step=step)
        arguments = "..." if needed(value_of(thing, frame, None)) else ""
        yield f"Try: {name} = {written}({arguments})."


def needed(kind: Any) -> list[str]:
    """What has to be given to call a method, or to make an object of a class."""
    return [
        each.name
        for each in parameters_taken(kind).values()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]


def in_place_of_a_tensor(
    thing: ast.expr, kind: str, attribute: str, frame: FrameType
) -> Iterator[str]:
    """That an expression was None or a number where a tensor was meant."""
    name = ast.unparse(thing)
    if kind == "NoneType" and (said := [*of_a_grad(thing, frame)]):
        yield from said
    elif kind == "NoneType" and is_call(thing, GIVE_NOTHING):
        yield f"{name_called(thing.func)}() returns None, so nothing can be asked of its result."
        yield f"Try: {name} in a line of its own."
    elif kind == "NoneType" and not isinstance(thing, ast.Constant):
        yield f"{name} is None, so it has no {attribute}."
        yield from made_of_nothing(thing, frame)
    elif attribute in OF_LEAVES and (start := bound_to_a_number(thing, frame)):
        yield f"{name} is a plain {kind}, and no leaf ({start.line}), so it has no {attribute}."
        number = f"{ast.unparse(start.value)}{'.' * (kind == 'int')}"
        yield f"Try: {name} = torch.tensor({number}, requires_grad=True) there."
    elif hasattr(Tensor, attribute):
        yield f"{name} is a plain {kind}, which has no history: gradients start at a tensor."
        yield from made_a_number(thing, name, frame)


def bound_to_a_number(thing: ast.expr, frame: FrameType) -> Step | None:
    """The assignment of a number as it is written, where that is all that a name was given to."""
    step = Program.of(frame).step(thing.id, kinds=(BINDS,)) if isinstance(thing, ast.Name) else None
    value = getattr(step, "value", None)
    value = value.operand if isinstance(value, ast.UnaryOp) else value
    return step if isinstance(value, ast.Constant) else None


def of_several(thing: ast.expr, kind: str, so: str, frame: FrameType | None) -> Iterator[str]:
    """That an expression is a tuple or a list of tensors, and which of them to write."""
    name, found = ast.unparse(thing), value_of(thing, frame, None)
    if not isinstance(found, tuple | list) or not found or not isinstance(found[0], Tensor):
        return
    gives = ""
    if isinstance(thing, ast.Name) and (line := Program.of(frame).binding_line(thing.id)):
        each = ": autograd.grad gives one gradient for each input" if "grad(" in line else ""
        gives = f" ({line}){each}"
    tensors = f"{len(found)} tensors" if len(found) > 1 else "one tensor"
    yield f"{name} is a {kind} of {tensors}{gives}, {so}."
    alike = len({getattr(each, "shape", None) for each in found}) == 1
    is_joined = alike and isinstance(found, list) and ": `for " not in gives  # one of a batch
    yield f"Try: {f'torch.stack({name})' if is_joined else f'{name}[0]'} for {name}."


def made_a_number(thing: ast.expr, name: str, frame: FrameType) -> Iterator[str]:
    """Where a number came from, and how it stays a tensor."""
    program = Program.of(frame, thing.lineno)
    is_named = isinstance(thing, ast.Name)
    line = program.last_line(name) if is_named else None
    made = [f"It was made in {line}."] if line is not None else []
    cuts = [each for each in ("item()", "float(", "tolist()", "numpy()") if each in (line or "")]
    if is_call(thing, ("item", "tolist", "float")):
        cuts = [f"{name_called(thing.func)}()"]
    turned = [*unpacked_in_another_order(name, frame, program.variables)] if is_named else []
    if turned:
        yield from turned
    elif is_named and (lost := lost_history(name, program)):
        yield from (*lost, f"Try: {what_to_do(name, program)}")
    elif line is not None and re.search(r"\b(np|numpy|math)\.\w+\(", line):
        instead = what_to_do(name, program) or "the function of tensors for it."
        yield from (*made, f"Try: {instead}")
    elif is_named and (start := still_as_it_began(thing, frame, program)):
        if asked := never_true(name, frame):
            line, things = asked
            yield tell("never-true", start=start, line=line)
            yield tell("print-what-is-asked", asked=things, name=name)
            return
        yield tell("as-it-began", start=start)
        yield f"Try: print what the loop runs over; what is added to {name} should be tensors."
    else:
        do = f"compute {name} with tensors from the leaves on"
        if cuts:
            do = f"leave {cuts[0].rstrip('(.')} out there, and use it only to print"
        yield from (*made, f"Try: {do}.")


def never_true(name: str, frame: FrameType) -> tuple[str, str] | None:
    """The line of the only condition below which a name is changed, and what it compares.

    None where it may be that a loop around it had nothing to run over.
    """
    here = {*frame.f_locals, *frame.f_globals}
    tests = [
        (source, each)
        for source, each in everywhere(frame, ast.If)
        if any(name in targets_of(inner) for part in each.body for inner in ast.walk(part))
    ]
    around = [
        loop
        for _, loop in everywhere(frame, ast.For)
        if any(each is tests[0][1] for each in ast.walk(loop) if len(tests) == 1)
    ]
    if len(tests) != 1 or not all(names_in(loop.target) <= here for loop in around):
        return None
    source, test = tests[0]
    compared = [each for each in ast.walk(test.test) if isinstance(each, ast.Compare)]
    parts = [e for one in compared for e in (one.left, *one.comparators) if names_in(e)]
    things = ", ".join(dict.fromkeys(map(ast.unparse, parts))) or ast.unparse(test.test)
    return source.spoken(test.lineno), things


def still_as_it_began(name: ast.Name, frame: FrameType, program: Program) -> str:
    """The line that bound a name to a plain number, if it is that number after later lines."""
    first, last = program.last(name.id, kinds=(BINDS,)), program.last(name.id)
    if not 0 <= first < last:
        return ""
    start = program.steps[first].value
    is_same = isinstance(start, ast.Constant) and start.value == value_of(name, frame, None)
    return program.steps[first].line if is_same else ""
