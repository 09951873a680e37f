"""What an optimizer got for a list of parameters: none, a module, or several lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType, GeneratorType
from typing import Any

from ..gradients.frozen import froze
from ..program.failure import Failure, made_in
from ..program.program import Program
from ..source import reader
from ..source.lookup import value_of
from ..source.parsed import expression_at
from ..source.syntax import given_to, is_call, name_called
from ..source.texts import definition_of
from ..source.variables import is_module
from ..training.unregistered import strangers
from ..words.sentences import tell

PARAMETERS = {"parameters", "named_parameters"}
GONE_THROUGH = GeneratorType | filter | map | zip  #: gives its items once


def no_parameters(call: ast.AST | None, frame: FrameType | None) -> Iterator[str]:
    """The sentences on a generator that was used up, on frozen parameters, or on a net of none."""
    yield from [*used_up(call, frame)] or [*all_frozen(call, frame)] or of_none(call, frame)


def of_none(call: ast.AST | None, frame: FrameType | None) -> Iterator[str]:
    """That a net has no parameters, and what it holds in their place."""
    for part in ast.walk(call or ast.Pass()):
        net = value_of(part.func.value, frame, None) if is_call(part, PARAMETERS) else None
        if not is_module(net) or [*reader.parameters_of(net)]:
            continue
        name, kind = ast.unparse(part.func.value), type(net).__name__
        for said in strangers(net, {}):
            why, _, do = said.partition(" Try: ")
            yield from (f"{name} has no parameters. {why}", f"Try: {do}")
            return
        source, made = definition_of(type(net).__init__)
        for each in ast.walk(made):
            match each:
                case ast.Assign([ast.Name(layer)], ast.Call(make)) if is_class(make):
                    line = source.spoken(each.lineno)
                    yield tell("layer-of-its-own-name", name=name, kind=kind, line=line)
                    yield f"Try: self.{layer} = ... there, and so for each layer."
                    return


def is_class(function: ast.expr) -> bool:
    """Whether a name is written like that of a class: ``nn.Linear``."""
    return (name_called(function) or "")[:1].isupper()


def module_for_parameters(call: ast.AST | None, frame: FrameType | None) -> Iterator[str]:
    """That a module stands where an optimizer takes its parameters: ``SGD(net)``."""
    kind = value_of(call.func, frame, None) if is_call(call) else None
    for thing in given_to(call)[:1] if is_optimizer(kind) else ():
        net, name = value_of(thing, frame, None), ast.unparse(thing)
        if [*reader.parameters_of(net)]:
            yield f"{name} is a module, and an optimizer goes through the parameters of one."
            yield f"Try: {name}.parameters() for {name}."


def to_be_clipped(failure: Failure, _found: re.Match) -> Iterator[str]:
    """That a module stands where its parameters are taken: ``clip_grad_norm_(net, 1.0)``."""
    for thing in given_to(failure.expression)[:1]:
        if [*reader.parameters_of(failure.value(thing))]:
            called, name = ast.unparse(failure.expression.func), ast.unparse(thing)
            yield f"{name} is a module, and {called} takes the parameters of one."
            yield f"Try: {name}.parameters() for {name}."


def is_optimizer(kind: Any) -> bool:
    """Whether this is a class of optimizers."""
    return isinstance(kind, type) and any(each.__name__ == "Optimizer" for each in kind.__mro__)


def holds_parameters(given: Any) -> bool:
    """Whether this stands for tensors: a module, a list, a generator such as ``parameters()``."""
    return isinstance(given, GeneratorType | list | tuple) or is_module(given)


def no_tensors(failure: Failure, found: re.Match) -> Iterator[str]:
    """That an optimizer was given a dict, such as ``net.state_dict()``, or its names."""
    for thing in given_to(failure.expression)[:1]:
        step = made_in(thing, failure.frame)[1]
        for part in ast.walk(thing if step is None else step):
            if is_call(part, {"state_dict"}):
                name, net = ast.unparse(part), ast.unparse(getattr(part.func, "value", part))
                yield tell("names-for-parameters", name=name, kind=found[1])
                yield f"Try: {net}.parameters() for {name}."
                return
        if isinstance(failure.value(thing), dict):
            name = ast.unparse(thing)
            yield f"{name} is a dict, whose names (str) an optimizer goes through."
            yield f"Try: list({name}.values()) for {name}."
            return


def as_one_list() -> str:
    """The list that the failing line gives an optimizer, written as one list; empty if unread."""
    frame, place = reader.frame(), reader.place()
    call = None if place is None else expression_at(place)
    parts = [part for whole in given_to(call)[:1] for part in getattr(whole, "elts", [])]
    return f"[{', '.join(spread(each, frame) for each in parts)}]" if parts else ""


def spread(part: ast.expr, frame: FrameType) -> str:
    """An item of a list, as its tensors stand in that list."""
    value, written = value_of(part, frame, None), ast.unparse(part)
    if is_module(value):
        return f"*{written}.parameters()"
    is_several = is_call(part) or isinstance(value, GeneratorType | list | tuple)
    return f"*{written}" if is_several else written


def used_up(call: ast.AST | None, frame: FrameType | None) -> Iterator[str]:
    """That a generator had given its parameters before: ``params = net.parameters()``."""
    for thing in given_to(call):
        value, program = value_of(thing, frame, None), Program.of(frame)
        step = program.step(thing.id) if isinstance(thing, ast.Name) else None
        if not isinstance(value, GONE_THROUGH) or step is None:
            continue
        parts = [each for each in ast.walk(step.value) if is_call(each, PARAMETERS)]
        nets = [value_of(getattr(each.func, "value", each), frame, None) for each in parts]
        known = [parameter for net in nets for _, parameter in reader.parameters_of(net)]
        if any(each.requires_grad for each in known):  # else it was empty from the start
            yield tell("generator-used-up", thing=thing, step=step)
            made = ast.unparse(step.value)
            yield f"Try: {thing.id} = list({made}), which can be gone through again."


def all_frozen(call: ast.AST | None, frame: FrameType | None) -> Iterator[str]:
    """That none of the parameters asks for gradients, and the list keeps those that do."""
    program = Program.of(frame)
    for thing in given_to(call):
        step = program.step(thing.id) if isinstance(thing, ast.Name) else None
        parts = [*ast.walk(thing if step is None else step.value)]
        if all(getattr(part, "attr", "") != "requires_grad" for part in parts):
            continue
        for part in parts:
            match part:
                case ast.Call(ast.Attribute(owner, "parameters" | "named_parameters")):
                    net, name = value_of(owner, frame, None), ast.unparse(owner)
                    known = [parameter for _, parameter in reader.parameters_of(net)]
                    if known and not any(parameter.requires_grad for parameter in known):
                        line = froze(reader.parameters_of(net), program)
                        yield tell("all-frozen", name=name, line=line)
                        yield "Try: requires_grad_(True) for the part that is to learn, before it."
                        return
