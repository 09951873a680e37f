"""Calls that do not fit what is called: too many arguments, too few, or of another name."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import pairwise
from types import FunctionType
from typing import Any

from ...nn.layers import Sequential
from ...nn.module import Module
from ..program.failure import Failure
from ..program.program import Program
from ..source import reader
from ..source.called import function_called, is_in_a_library, parameters_taken
from ..source.lookup import value_of
from ..source.syntax import is_call
from ..source.texts import definition_of
from ..words.sentences import tell
from .classes import is_class, written_call
from .forward import LISTS

TOO_MANY = re.compile(r"([\w.]+)\(\) takes .*?(\d+) positional arguments? but (\d+)")
MISSING = re.compile(
    r"([\w.]+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.*)"
)
UNKNOWN = re.compile(r"(?:([\w.]+)\(\) )?got an unexpected keyword argument '(\w+)'")


def called_with_others(failure: Failure, _: re.Match) -> Iterator[str]:
    """What a function takes that was called with something else."""
    call, text = failure.expression, str(failure.error)
    if not isinstance(failure.error, TypeError) or not is_call(call):
        return
    run = failure.value(call.func)
    function = function_of(run)
    name = ast.unparse(call.func)
    own = getattr(getattr(inspect.unwrap(function), "__code__", None), "co_filename", "")
    if is_in_a_library(own) and not own.startswith(reader.PACKAGE):
        return
    named, whole = called_name(text), getattr(function, "__qualname__", "")
    if isinstance(run, Sequential) and named != whole and (found := MISSING.match(text)):
        yield tell("one-value-in-turn", name=name, layer=found[1], missing=found[2])
        yield "Try: a class with a forward of its own, in which each layer is called."
        return
    if function is None or named not in ("", whole if "." in named else function.__name__):
        return
    source, node = definition_of(function)
    line = f" ({source.spoken(node.lineno)})" if source is not None else ""
    line = "" if is_in_a_library(own) else line
    if found := UNKNOWN.match(text):
        yield from misspelt(found[2], function, name, line)
    elif is_class(run) and run.__name__ in LISTS and TOO_MANY.match(text):
        own = ", ".join(map(ast.unparse, call.args))
        yield f"{name} takes its modules in one list."
        yield f"Try: {name}([{own}])."
    elif source is None and not (is_class(run) and MISSING.match(text)):
        return
    elif found := TOO_MANY.match(text):
        yield from too_many(node, run, name, call, line)
    elif (found := MISSING.match(text)) and is_class(run) and "'params'" in text:
        yield from without_parameters(call, name, failure)
    elif (found := MISSING.match(text)) and is_class(run):
        yield f"{name} needs {found[2].replace(chr(39), '')} to be made{line}."
        yield f"Try: {written_call(name, run)}."
    elif found:
        missing = re.sub(r",? and ", ", ", found[2].replace("'", ""))
        own = ", ".join(map(ast.unparse, call.args))
        known = {"function": node.name, "line": line, "missing": missing}
        yield tell("needs-more", name=name, own=own or "nothing", **known)
        yield from with_the_missing(call, name, own, missing)


def without_parameters(call: ast.Call, name: str, failure: Failure) -> Iterator[str]:
    """That an optimizer was made without what it is to change."""
    known = reader.variables_of(failure.frame).items()
    nets = [own for own, thing in known if isinstance(thing, Module) and [*thing.parameters()]]
    given = ", ".join(map(ast.unparse, [*call.args, *call.keywords]))
    yield f"{name} was given no parameters, which it is to change."
    if len(nets) == 1:
        yield f"Try: {name}({', '.join(filter(None, [f'{nets[0]}.parameters()', given]))})."


def with_the_missing(call: ast.Call, name: str, own: str, missing: str) -> Iterator[str]:
    """How a call is written that gives all that a function takes."""
    match call.args, missing:
        case [ast.BinOp(left, ast.Sub(), right)], "target":
            yield f"Try: {name}({ast.unparse(left)}, {ast.unparse(right)}), which subtracts itself."
        case _:
            yield f"Try: {name}({', '.join(filter(None, [own, missing]))})."


def handed_over_crossed(failure: Failure, _: re.Match) -> Iterator[str]:
    """That arguments have the names of parameters, and stand in another order: ``f(y, x)``.

    Two of one kind may be meant to change places, as ``kl(q, p)``; a net and a tensor are not,
    nor what a product takes in other shapes.
    """
    for (frame, _), (outer, call) in pairwise(failure.lines):
        called = function_called(call, Program.of(outer).variables) if is_call(call) else None
        if called is None or called[0].__code__ is not frame.f_code:
            continue
        given = [(name, *own) for name, own in called[1].items() if len(own) == 1]
        pairs = [(name, own.id) for name, own in given if isinstance(own, ast.Name)]
        pairs = [(name, own) for name, own in pairs if own in called[1]]
        crossed = [(name, own) for name, own in pairs if name != own]
        values = [value_of(ast.Name(own, ast.Load()), outer, None) for _, own in crossed]
        form = "shape" if str(failure.error).startswith("mat1") else "ndim"
        kinds = {(type(each), getattr(each, form, None)) for each in values}
        if len(kinds) == len(crossed) == 2 and crossed[0] == crossed[1][::-1]:
            names = [each.id for each in call.args if isinstance(each, ast.Name)]
            source, node = definition_of(called[0])
            right = {own: name for name, own in crossed}
            written = ", ".join(right.get(ast.unparse(e), ast.unparse(e)) for e in call.args)
            name, line = ast.unparse(call.func), source.spoken(node.lineno) if source else ""
            here = reader.spoken_line(outer.f_code.co_filename, call.lineno)
            known = {"function": node.name, "taken": ", ".join(dict(pairs)), "line": f" ({line})"}
            yield tell("handed-over-crossed", call=here, given=", ".join(names), **known)
            yield f"Try: {name}({written}) there."
            return


def called_name(text: str) -> str:
    """The function that an error is about; its class stands before it, where it is a method."""
    found = re.match(r"([\w.<>]+)\(\) ", text)
    return found[1] if found else ""


def function_of(run: Any) -> Any:
    """The function that a call runs: `forward` of a module, `__init__` of a class."""
    if isinstance(run, Module):
        return type(run).forward
    if isinstance(run, type):
        return run.__init__
    return getattr(run, "__func__", run) if callable(run) else None


def too_many(node: Any, run: Any, name: str, call: ast.Call, line: str) -> Iterator[str]:
    """That more was given than a function takes, or a method has no place for its object."""
    names = [each.arg for each in node.args.args]
    is_method = isinstance(run, Module | type) or inspect.ismethod(run)
    if is_method and names[:1] not in (["self"], ["cls"], ["ctx"]):
        yield f"{node.name} is called with the object itself first, and has no place for it{line}."
        yield f"Try: def {node.name}({', '.join(['self', *names])}):"
        return
    takes = ", ".join(names[is_method:]) or "nothing"
    own = ", ".join(map(ast.unparse, call.args))
    yield tell("takes-fewer", name=name, function=node.name, line=line, takes=takes, own=own)
    yield tell("leave-out-or-name", function=node.name)


def misspelt(word: str, function: Any, name: str, line: str) -> Iterator[str]:
    """That a keyword is not one of those that a function takes."""
    known = parameters_taken(function)
    names = [each for each in known if each not in ("self", "args", "kwargs")]
    alike = get_close_matches(word, names, n=1, cutoff=0.5)
    if alike and alike != [word]:
        yield f"{name} takes no {word}; it takes {alike[0]}{line}."
        yield f"Try: {alike[0]}= for {word}=."
    elif isinstance(function, FunctionType) and not is_in_a_library(function.__code__.co_filename):
        yield f"{name} takes no {word}; it takes {', '.join(names) or 'nothing'}{line}."
        yield f"Try: {word} among the parameters of {function.__name__}, or without {word}= here."
