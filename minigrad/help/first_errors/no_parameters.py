"""What an optimizer got for a list of parameters: none, a module, or several lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from types import FrameType, GeneratorType
from typing import Any

from ..gradients.frozen import froze
from ..program.failure import Failure, home_of, made_in
from ..program.makers import Place
from ..program.program import Program
from ..source import reader
from ..source.line_order import is_above
from ..source.lookup import value_of
from ..source.parsed import expression_at
from ..source.syntax import given_to, is_call, name_called, own_parts
from ..source.texts import definition_of, texts
from ..source.variables import is_module, is_of_library
from ..training.unregistered import layers_made_in_forward, unregistered_parts
from ..words.sentences import tell

PARAMETERS = {"parameters", "named_parameters"}
GONE_THROUGH = GeneratorType | filter | map | zip  #: gives its items once
GO_THROUGH = {"list", "tuple", "set", "sum", "sorted", "dict", "any", "all", "max", "min"}
OWN_LINE = re.compile(r"(\S+) .*?\(line (\d+ of [^:)]*)")  #: of what a module holds
IN_TWO = re.compile(r" Try: | If it is to learn: ")  #: why, and what to do
CALLED = re.compile(r"\bself\.(\w+)\(")  #: the layers that a forward calls
CHOOSES = re.compile(r"\bfilter\(| if ")


def no_parameters(failure: Failure, _found: re.Match) -> Iterator[str]:
    """Why an optimizer was given none: a generator used up, frozen ones left out, a net of none."""
    for thing in given_to(failure.expression):
        start, frame = failure.origin(thing)
        line, made = made_in(start, frame)
        made = start if made is None else made
        calls = [each for each in ast.walk(made) if is_call(each, PARAMETERS)]
        owners = [each.func.value for each in calls if isinstance(each.func, ast.Attribute)]
        nets = {ast.unparse(each): value_of(each, frame, None) for each in owners}
        known = [each for net in nets.values() for each in reader.parameters_of(net)]
        line = line or reader.spoken_line(frame.f_code.co_filename, start.lineno)
        text, asks = ast.unparse(made), any(each.requires_grad for _, each in known)
        if asks and isinstance(failure.value(thing), GONE_THROUGH):
            found = [*uses(ast.unparse(start), frame, line)]
            found += () if frame is failure.frame else uses(ast.unparse(thing), failure.frame)
            used = next(iter(found), "")
            if used or not CHOOSES.search(text) or "requires_grad" in text:  # else it had none
                used, name = reader.in_brackets(used), ast.unparse(start)
                yield tell("generator-used-up", name=name, line=line, used=used)
                binds = f"{name} = " * (made is not start)
                yield f"Try: {binds}list({text}) there, which can be gone through again."
        elif known and not asks and "requires_grad" in text:
            line = froze(known, Program.of(frame))
            yield tell("all-frozen", name=", ".join(nets), line=line)
            yield "Try: requires_grad_(True) for the part that is to learn, before it."
        elif known and CHOOSES.search(text):
            names = ", ".join(own for own, _ in known[:4])
            yield tell("none-chosen", name=", ".join(nets), line=line, names=names)
        elif not known:
            found = [each for each in nets.items() if is_module(each[1])]
            yield from of_none(*found[0]) if found else ()


def uses(name: str, frame: FrameType, since: str = "") -> Iterator[str]:
    """The lines that went through what has a name: below one, and above that of a frame."""
    home = home_of(name, frame)
    here = reader.spoken_line(home.f_code.co_filename, home.f_lineno)
    is_top = home.f_code.co_name == "<module>"
    for source, tree in texts(home) if is_top else [Place.of(home)[:2]]:
        for each in own_parts(tree):
            goes = getattr(each, "iter", None)
            called = value_of(getattr(each, "func", None), home, None)
            if is_call(each, GO_THROUGH) or is_optimizer(called):
                goes = next(iter(each.args), None)
            if isinstance(goes, ast.Name) and goes.id == name:
                line = source.spoken(goes.lineno)
                if is_above(line, here) and not (since and is_above(line, since)):
                    yield line


def of_none(name: str, net: Any, is_any: bool = False) -> Iterator[str]:
    """That a net has no parameters, and what it holds in their place."""
    if found := [*unregistered_parts(net, {}, is_any)]:
        why, do, *_ = [*IN_TWO.split(found[0], 1), ""]
        others = {each[2]: each[1] for said in found[::-1] if (each := OWN_LINE.match(said))}
        others = [f"{own} (line {at})" for at, own in others.items() if f"line {at}:" not in why]
        so = f" And so for {', '.join(others[::-1])}." * bool(others)
        do = do.replace("around it.", "around each of them.") if others else do
        yield from (f"{name} has no parameters. {why}{so}", f"Try: {do}")
        return
    if is_any:
        yield f"{name} ({type(net).__name__}) has no parameters, nor has any module in it."
        return
    if buffers := [*kept_as_buffers(net)]:
        key, line, value = buffers[0]
        also = [f"; and so for {own} ({at.partition(': `')[0]})" for own, at, _ in buffers[1:]]
        yield tell("buffers-alone", name=name, line=line)
        yield f"Try: self.{key} = torch.nn.Parameter({value}) there{''.join(also)}."
        return
    kind, (source, made) = type(net).__name__, definition_of(type(net).__init__)
    for each in ast.walk(made):
        match each:
            case ast.Assign([ast.Name(own)], ast.Call(of)) if (name_called(of) or "_")[0].isupper():
                line = source.spoken(each.lineno)
                yield tell("layer-of-its-own-name", name=name, kind=kind, line=line)
                asked = CALLED.findall(ast.unparse(definition_of(type(net).forward)[1]))
                meant = own if own in asked else [*get_close_matches(own, asked, 1), own][0]
                yield f"Try: self.{meant} = ... there, and so for each layer."
                return
    if lines := [*dict.fromkeys(layers_made_in_forward(net))]:
        yield tell("made-in-forward", name=name, kind=kind, lines="; ".join(lines))
        yield tell("make-in-init")
        return
    yield from of_none(name, net, is_any=True)


def kept_as_buffers(net: Any) -> Iterator[tuple[str, str, str]]:
    """The floating tensors that the reader's classes register as buffers, with line and value."""
    asks = any(each.requires_grad for each in net.buffers())  # then the others are to stay
    modules = {type(each): each for each in net.modules() if not is_of_library(each)}
    for kind, module in modules.items():
        source, made = definition_of(kind.__init__)
        for each in ast.walk(made):
            match each:
                case ast.Call(ast.Attribute(_, "register_buffer"), [ast.Constant(key), value]):
                    kept = module._buffers.get(key)
                    if kept is not None and kept.is_floating_point() and kept.requires_grad >= asks:
                        yield key, source.spoken(each.lineno), ast.unparse(value)


def module_for_parameters(failure: Failure, _found: re.Match) -> Iterator[str]:
    """That a module stands for its parameters: ``SGD(net)``, ``clip_grad_norm_(net, 1.0)``."""
    call = failure.expression
    is_meant = is_optimizer(failure.value(call.func)) if is_call(call) else False
    for thing in given_to(call)[:1] if is_meant or "iterable" not in str(failure.error) else ():
        if [*reader.parameters_of(failure.value(thing))]:
            called, name = ast.unparse(call.func), ast.unparse(thing)
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
