"""What made a None: a function without ``return``, a method that gives nothing, or a line.

Or it is a gradient of ``autograd.grad(..., allow_unused=True)``: then the way to its input is cut.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType, FunctionType
from typing import Any

from ...nn.module import Module
from ...tensor import Tensor
from ..paths.path import path
from ..program.program import Program
from ..program.statements import WRITES
from ..source.called import function_called
from ..source.line_order import without_text
from ..source.lists import around_spoken
from ..source.lookup import value_of
from ..source.syntax import (
    FUNCTIONS,
    has_no_return,
    is_call,
    is_word,
    name_called,
    own_parts,
    scope,
)
from ..source.texts import all_calls, definition_of, texts
from ..source.variables import parameters_of
from ..words.sentences import tell

GIVE_NOTHING = {"backward", "zero_grad", "retain_grad"}
#: change what they are called on, or show something, and give None
BY_THE_WAY = {
    "append", "extend", "insert", "remove", "reverse", "sort", "clear", "update", "add", "print",
    "shuffle", "step",
}  # fmt: skip


def made_of_nothing(thing: ast.expr, frame: FrameType) -> Iterator[str]:
    """Where an expression that is None came from: a line, or ``autograd.grad(...)``."""
    yield from made_by_a_line(thing, frame)
    yield from unused_gradient(thing, frame)


def made_by_a_line(thing: ast.expr, frame: FrameType) -> Iterator[str]:
    """Where an expression that is None came from, as far as the lines tell."""
    program = Program.of(frame, thing.lineno)
    call, place, line = thing, "", None
    if isinstance(thing, ast.Name):
        if (line := program.binding_line(thing.id)) is None:
            return
        call = program.step(thing.id).value
    elif isinstance(thing, ast.Attribute):
        given = [*assigned(thing, program, frame)]
        if len(given) > 1:
            yield from begun_as_none(given)
            yield from hooked_too_late(given, frame)
            return
        line, call = given[0] if given else (None, thing)
    elif isinstance(thing, ast.Subscript) and isinstance(thing.value, ast.Name):
        line = program.binding_line(thing.value.id)
        step = program.step(thing.value.id) if line else None
        if isinstance(getattr(step, "value", None), ast.ListComp):
            call = step.value.elt
        elif step is not None and step.kind is WRITES:
            line, call = step.line, added_to(step.value)
        else:
            line = None
    place = f"It was made in {line}. " if line else ""
    name = name_called(call.func) if is_call(call) else ""
    called = function_run(call, program.variables) if is_call(call) else None
    if called is not None:
        yield f"{place}{spoken(called)} returned None."
        yield from returned_nothing(called)
    elif name in GIVE_NOTHING | BY_THE_WAY:
        yield f"{place}{name}() returns None."
        if place and isinstance(thing, ast.Subscript) and name == "backward":
            yield f"Try: {gradient_instead(call)}"
        elif place:
            yield f"Try: {in_two_lines(ast.unparse(thing), call)}"
    elif name == "get" and is_missing(call, frame):
        yield f"{place}get() gives None where there is no such key."
    elif place:
        yield place.strip()


def assigned(
    thing: ast.Attribute, program: Program, frame: FrameType
) -> Iterator[tuple[str, ast.expr]]:
    """The lines that give an attribute a value, in the methods of its owner's class or outside."""
    owner = value_of(thing.value, frame, None)
    is_module = isinstance(owner, Module) and thing.attr in owner._modules
    is_own = thing.attr in getattr(owner, "__dict__", ()) or hasattr(type(owner), thing.attr)
    if not is_own and not is_module:
        return
    classes = {each.__name__ for each in type(owner).__mro__}
    for source, tree in texts(program.frame):
        own = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name in classes]
        within = {id(part) for each in own for part in ast.walk(each)}
        direct = {id(part) for each in own for part in each.body}
        for each in ast.walk(tree):
            for target in each.targets if isinstance(each, ast.Assign) else ():
                is_same = isinstance(target, ast.Attribute) and target.attr == thing.attr
                is_same &= id(each) in within or ast.unparse(target) == ast.unparse(thing)
                is_class = isinstance(target, ast.Name) and target.id == thing.attr
                if is_same or is_class and id(each) in direct:
                    yield source.spoken(each.lineno), each.value


def begun_as_none(lines: Sequence[tuple[str, ast.expr]]) -> Iterator[str]:
    """That an attribute is None until a line has run that gives it something."""
    given = [line for line, value in lines if not is_word(value, None)]
    empty = [line for line, value in lines if is_word(value, None)]
    if len(given) == len(empty) == 1:
        yield f"It was given None in {empty[0]}, and stays None until {given[0]} has run."


def hooked_too_late(lines: Sequence[tuple[str, ast.expr]], frame: FrameType) -> Iterator[str]:
    """That a hook was to give an attribute its value, and is registered below the pass."""
    given = [line for line, value in lines if not is_word(value, None)]
    own = {each.name for line in given for each in around_spoken(line, FUNCTIONS)}
    for source, call in all_calls(frame, {"register_hook"}):
        names = {getattr(e, "attr", getattr(e, "id", "")) for e in call.args}
        tree = next((tree for other, tree in texts(frame) if other.name == source.name), None)
        if tree is None or not names & own:
            continue
        around = scope(tree, call.lineno)
        passes = [e.lineno for e in own_parts(around) if is_call(e, {"backward"})]
        if any(number < call.lineno for number in passes):
            hook, run = source.spoken(call.lineno), source.spoken(max(passes))
            yield tell("hooked-too-late", hook=hook, run=run, owner=ast.unparse(call.func.value))
            yield tell("hook-earlier", run=without_text(run))
            return


def is_missing(call: ast.Call, frame: FrameType) -> bool:
    """Whether a ``get`` asks a dict for a key that it does not have."""
    owner = value_of(call.func.value, frame, None) if hasattr(call.func, "value") else None
    key = call.args[0] if len(call.args) == 1 else None
    return isinstance(owner, dict) and isinstance(key, ast.Constant) and key.value not in owner


def function_run(call: ast.Call, variables: Mapping[str, Any]) -> FunctionType | None:
    """The reader's function that gave the value of a call."""
    called = function_called(call, variables)
    return None if called is None else called[0]


def spoken(function: FunctionType) -> str:
    """A function with its class: ``Net.forward()``."""
    return function.__qualname__.rpartition("<locals>.")[2] + "()"


def gives_nothing(call: ast.Call, variables: Mapping[str, Any]) -> bool:
    """Whether a call gives None whatever happens in it."""
    function = function_run(call, variables)
    if function is None:
        return name_called(call.func) in GIVE_NOTHING | {"print"}
    _source, node = definition_of(function)
    return has_no_return(node)


def returned_nothing(function: FunctionType) -> Iterator[str]:
    """Why a function returned None, by its lines, and what to write; nothing if that is open."""
    source, node = definition_of(function)
    if not isinstance(node, ast.FunctionDef):
        return
    inside = [*own_parts(node)]
    given = [each for each in inside if isinstance(each, ast.Return)]
    if not given:
        yield f"Try: end {spoken(function)} with `return` and the result."
        return
    if len(given) == 1 and (said := [*returns_what_is_none(given[0].value, inside, source)]):
        yield from said
    elif ends := [*open_ends(node.body)]:
        where = source.spoken(ends[0].lineno)
        yield f"Try: `return` and the result on each way through it: one ends without ({where})."


def open_ends(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The last statements of the ways through a block that end without ``return``."""
    match body[-1]:
        case ast.Return() | ast.Raise() | ast.While() | ast.Try() | ast.Match():
            return  # of some of them that is not known
        case ast.If(_, inner, others) as decides:
            yield from open_ends(inner)
            yield from open_ends(others) if others else [decides]
        case ast.With(_, inner):
            yield from open_ends(inner)
        case other:
            yield other


def returns_what_is_none(
    value: ast.expr | None, inside: list[ast.AST], source: Any
) -> Iterator[str]:
    """That the one ``return`` of a function gives what ``backward()`` gave, or nothing."""
    made = [e for e in inside if isinstance(e, ast.Assign) and is_named(e.targets[0], value)]
    call = made[0].value if len(made) == 1 else value
    if is_call(call, GIVE_NOTHING):
        name = ast.unparse(value) if made else "its result"
        called, line = name_called(call.func), source.spoken(call.lineno)
        yield tell("what-a-call-returned", name=name, called=called, line=line)
        yield f"Try: {in_two_lines(value.id if made else 'loss', call)}"


def in_two_lines(name: str, call: ast.Call) -> str:
    """``loss = f(x).backward()`` as two lines, the second of which asks for nothing."""
    owner = getattr(call.func, "value", None)
    if owner is None or isinstance(owner, ast.Name):
        return f"{ast.unparse(call)} in a line of its own, without `{name} =`."
    asks = ast.unparse(call).removeprefix(ast.unparse(owner))
    return f"`{name} = {ast.unparse(owner)}`, and {name}{asks} in a line of its own."


def added_to(value: ast.expr) -> ast.expr:
    """What was appended last, of a step that writes."""
    return value.elts[-1] if isinstance(value, ast.Tuple) and value.elts else value


def gradient_instead(call: ast.Call) -> str:
    """The call that returns the gradients which ``backward`` puts into ``.grad``."""
    owner = ast.unparse(call.func.value)
    given = "".join(f", {ast.unparse(each)}" for each in [*call.args, *call.keywords])
    return tell("gradient-instead", owner=owner, given=given)


def is_named(target: ast.expr, value: ast.expr | None) -> bool:
    """Whether both are one name."""
    return isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id == value.id


# -- autograd.grad(..., allow_unused=True) ---------------------------------------------------------


def unused_gradient(thing: ast.expr, frame: FrameType) -> Iterator[str]:
    """Sentences on an expression that is None, if it is one of the gradients of such a call."""
    program = Program.of(frame, thing.lineno)
    call, at = asked_for(thing, program, frame)
    if not is_call(call, {"grad"}) or len(call.args) < 2 or at is None:
        return
    y = value_of(call.args[0], frame, None)
    inputs = things_in(call.args[1], frame)
    x = inputs[at] if at < len(inputs) else None
    if isinstance(y, Tensor) and isinstance(x, Tensor):
        yield from (said := [*path(y, x, program)])
        yield from (tell("zeros-for-none"),) * all("Try: " not in each for each in said)


def asked_for(
    thing: ast.expr, program: Program, frame: FrameType
) -> tuple[ast.expr | None, int | None]:
    """The call that gave an expression, and which of its results that is, as far as is known."""
    match thing:
        case ast.Name(name) if step := program.step(name):
            if is_call(step.value, {"grad"}):
                several = value_of(thing, frame, None)
                return step.value, first_none(several) if several is not None else 0
            return asked_for(step.value, program, frame)
        case ast.Subscript(ast.Call() as call, ast.Constant(int(at))):
            return call, at
        case ast.Subscript(ast.Name() as whole, ast.Constant(int(at))):
            return asked_for(whole, program, frame)[0], at
        case ast.Call(_, [*given]):  # a loop goes through it: zip(parameters, grads)
            for each in given:
                call, at = asked_for(each, program, frame)
                if is_call(call, {"grad"}):
                    return call, at
    return None, None


def first_none(several: Any) -> int | None:
    """Which of some gradients is None; the first one ends a loop over them."""
    found = [each is None for each in several] if isinstance(several, list | tuple) else []
    return found.index(True) if True in found else None


def things_in(inputs: ast.expr, frame: FrameType) -> list[Any]:
    """The tensors that a call asked for."""
    match inputs:
        case ast.List(parts) | ast.Tuple(parts):
            return [value_of(each, frame, None) for each in parts]
        case ast.Call(ast.Name("list" | "tuple"), [inner]):
            return things_in(inner, frame)
        case ast.Call(ast.Attribute(owner, "parameters"), []):
            return [each for _, each in parameters_of(value_of(owner, frame, None))]
    known = value_of(inputs, frame, None)
    return [*known] if isinstance(known, list | tuple) else [known]
