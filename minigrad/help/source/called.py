"""Which of the reader's own functions a call runs, with what, and where its lines are."""

from __future__ import annotations

import ast
import inspect
import sysconfig
from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any

from ...nn.module import Module
from . import reader
from .syntax import FUNCTIONS, parts_in

#: where the files of libraries are
LIBRARIES = reader.PACKAGE, *map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))
#: a function, and the expressions behind each of its parameters
Called = tuple[FunctionType, dict[str, list[ast.expr]]]


def function_called(call: ast.Call, variables: Mapping[str, Any]) -> Called | None:
    """The reader's function that a call runs, and the expressions behind each of its parameters.

    A module runs its ``forward``; methods, modules and other things that can be called get
    themselves. None if it is unknown which function runs, if that is not the reader's, or if the
    call does not show what it is given.
    """
    thing, first = thing_called(call.func, variables), []
    if isinstance(call.func, ast.Call):  # Net()(x)
        made = thing_called(call.func.func, variables)
        if isinstance(made, type) and issubclass(made, Module):
            thing, first = made.forward, [call.func]
    if isinstance(thing, Module):
        thing, first = type(thing).forward, [call.func]
    elif isinstance(inspect.getattr_static(type(thing), "__call__", None), FunctionType):
        thing, first = type(thing).__call__, [call.func]
    elif isinstance(thing, MethodType) and isinstance(call.func, ast.Attribute):
        thing, first = thing.__func__, [call.func.value]
    function = inspect.unwrap(thing) if isinstance(thing, FunctionType) else None
    if not isinstance(function, FunctionType) or is_in_a_library(function.__code__.co_filename):
        return None
    given = arguments(function, first, call)
    return None if given is None else (function, given)


def made_by(call: ast.Call, variables: Mapping[str, Any]) -> Called | None:
    """The same of a class: its ``__init__``, and the expressions behind each of its parameters."""
    kind = thing_called(call.func, variables)
    made = getattr(kind, "__init__", None) if isinstance(kind, type) else None
    given = arguments(made, [call], call) if isinstance(made, FunctionType) else None
    return None if given is None else (made, given)


def is_in_a_library(filename: str) -> bool:
    """Whether this is a file of minigrad, of Python, or of an installed package."""
    return filename.startswith(LIBRARIES)


def thing_called(expression: ast.expr, variables: Mapping[str, Any]) -> Any:
    """What ``f``, ``model.block`` or ``model.method`` stands for; nothing is run to find it."""
    match expression:
        case ast.Name(name):
            return variables.get(name)
        case ast.Attribute(whole, name):
            owner = thing_called(whole, variables)
            if isinstance(owner, Module) and name in owner._modules:
                return owner._modules[name]
            found = inspect.getattr_static(owner, name, None)
            if isinstance(found, staticmethod):
                return found.__func__
            is_own = isinstance(owner, type) or name in getattr(owner, "__dict__", {})
            is_plain = is_own or not isinstance(found, FunctionType)  # else a method of its class
            return found if is_plain else MethodType(found, owner)
    return None


def arguments(
    function: FunctionType, first: list[ast.expr], call: ast.Call
) -> dict[str, list[ast.expr]] | None:
    """The expressions behind each parameter; None where the call does not show them."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if None in named or any(isinstance(given, ast.Starred) for given in call.args):
        return None
    try:
        bound = inspect.signature(function).bind(*first, *call.args, **named).arguments
    except TypeError:
        return None
    return {name: list(expressions(given)) for name, given in bound.items()}


def expressions(given: Any) -> Iterator[ast.expr]:
    """The expressions one parameter stands for: several under ``*args`` and ``**kwargs``."""
    if isinstance(given, ast.expr):
        yield given
    else:
        yield from given.values() if isinstance(given, dict) else given


def parameters_taken(function: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function; none where it does not tell them, as one of C."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def outer_names(function: FunctionType) -> dict[str, Any]:
    """What a function finds under names that are not its own, also in its comprehensions."""
    try:
        names = inspect.getclosurevars(function)
    except ValueError:  # a name around it has no value yet
        return dict(function.__globals__)
    code, known = function.__code__, function.__globals__
    inside = {n for each in code.co_consts for n in getattr(each, "co_names", ())}
    inside -= {*code.co_varnames, *code.co_cellvars}
    found = {name: known[name] for name in inside & known.keys()}
    return {**found, **names.globals, **names.nonlocals}


def definition(function: FunctionType, tree: ast.Module) -> ast.FunctionDef | ast.Lambda | None:
    """The definition of a function in a text; None if that is not to be told."""
    code = function.__code__
    if code.co_name == "<lambda>":
        here = [e for e in parts_in(tree, ast.Lambda) if e.lineno == code.co_firstlineno]
        return here[0] if len(here) == 1 else None
    found = defined_at(code.co_firstlineno, tree)
    return found if found is not None and found.name == code.co_name else None


def defined_at(line: int, tree: ast.Module) -> ast.FunctionDef | None:
    """The function whose definition, decorators and all, starts at this line."""
    for node in parts_in(tree, FUNCTIONS):
        if line == min([node.lineno, *(d.lineno for d in node.decorator_list)]):
            return node
    return None
