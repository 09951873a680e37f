"""An ``autograd.Function`` that is called without ``apply``, and what its context keeps."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ...autograd.function import Function, FunctionCtx, FunctionNode
from ..program.failure import Failure, made_in
from ..source.parsed import tree_of_code
from ..source.reader import in_brackets
from ..source.syntax import is_call, parents_in
from ..source.texts import definition_of
from ..words.sentences import tell


def called_without_apply(failure: Failure, _: re.Match) -> Iterator[str]:
    """That a class of functions, or an object of one, is called like a module."""
    call = failure.expression
    if not is_call(call):
        return
    thing, whole, made, where = failure.value(call.func), call, call.func, ""
    if is_function(thing):
        made, around = call, parents_in(tree_of_code(failure.frame.f_code)).get(call)
        whole = around if is_call(around) and around.func is call else None
        yield tell("object-computes-nothing", kind=thing)
    else:
        if not is_call(made):
            line, made = made_in(call.func, failure.frame)
            where = in_brackets(line)
        thing = failure.value(made.func) if is_call(made) else type(thing)
        if not is_function(thing):
            return
        yield tell("object-is-not-called", it=ast.unparse(call.func), kind=thing, where=where)
    given = [*map(ast.unparse, whole.args)] if whole is not None else []
    given += map(ast.unparse, made.args if is_call(made) else ())
    kind = ast.unparse(made.func) if is_call(made) else thing.__name__
    instead, old = f"{kind}.apply({', '.join(given)})", ast.unparse(whole or call)
    yield f"Try: `{instead}` for `{old}`{as_arguments(made, whole)}{static(thing)}."


def is_function(thing: Any) -> bool:
    """Whether this is a class of functions with a backward."""
    return isinstance(thing, type) and issubclass(thing, Function)


def class_called(failure: Failure) -> Any:
    """The class whose method, such as ``apply``, the failing line calls, by any name."""
    func = getattr(failure.expression, "func", None)
    owner = failure.value(func.value) if isinstance(func, ast.Attribute) else None
    return owner if is_function(owner) else getattr(failure.value(func), "__self__", None)


def as_arguments(made: Any, whole: Any) -> str:
    """That what an object was made with is handed to ``forward``, if it was made with something."""
    if whole is None or not getattr(made, "args", ()):
        return ""
    return f", so that forward is given {', '.join(map(ast.unparse, made.args))} as well"


def static(kind: type) -> str:
    """That the methods want a decorator, where they have none."""
    bare = [
        each for each in ("forward", "backward") if isinstance(vars(kind).get(each), FunctionType)
    ]
    return f", with @staticmethod before {' and '.join(bare)}" if bare else ""


def kept_no_tensor(failure: Failure, found: re.Match) -> Iterator[str]:
    """That ``save_for_backward`` was given a number, and where it belongs."""
    source, node = definition_of(getattr(class_called(failure), "forward", None))
    place = int(found[1])
    calls = [n for n in ast.walk(node) if is_call(n, {"save_for_backward"}) and len(n.args) > place]
    if len(calls) != 1:
        return
    [call], ctx = calls, ast.unparse(calls[0].func.value)
    thing = ast.unparse(call.args[place])
    names = [each.arg for each in node.args.args[1:]]
    values = [
        each.value if isinstance(each, ast.Constant) else failure.value(each)
        for each in getattr(failure.expression, "args", ())
    ]
    known = {n for n, v in zip(names, values) if isinstance(v, int | float | str | list | tuple)}
    plain = [e for e in call.args if e is call.args[place] or ast.unparse(e) in known]
    rest = ", ".join(ast.unparse(each) for each in call.args if each not in plain)
    written = [*map(ast.unparse, plain)]
    own = {each: f"{ctx}.{each if each.isidentifier() else 'value'}" for each in written}
    line = source.spoken(call.lineno)
    yield f"save_for_backward keeps tensors, and {thing} is of type {found[2]} ({line})."
    keeps = [f"{ctx}.save_for_backward({rest})"] * bool(rest)
    keeps += [f"{attribute} = {each}" for each, attribute in own.items()]
    new = " and ".join(f"`{each}`" for each in keeps)
    reads = " and ".join(f"{each} from {attribute}" for each, attribute in own.items())
    yield f"Try: {new} there, and in backward {reads} alone."


def never_kept(failure: Failure, found: re.Match) -> Iterator[str]:
    """That ``backward`` reads from its context what ``forward`` has not put there."""
    asked = failure.expression
    context = failure.value(asked.value) if isinstance(asked, ast.Attribute) else None
    if not isinstance(context, FunctionCtx | FunctionNode) or asked.attr != found[2]:
        return
    function = getattr(context, "function", None)
    if not is_function(function):
        return
    source, forward = definition_of(function.forward)
    backward = definition_of(function.backward)[1]
    names = [each.arg for each in getattr(forward, "args", ast.arguments(args=[])).args]
    if not names:
        return
    own, here = names[0], ast.unparse(asked.value)
    kept = {each.attr: each.lineno for each in asked_of(own, forward, ast.Store)}
    unread = kept.keys() - {each.attr for each in asked_of(here, backward, ast.Load)}
    if len(unread) == 1:
        [other] = unread
        line = source.spoken(kept[other])
        yield f"forward has kept {other} in its context ({line}), and nothing as {asked.attr}."
        yield f"Try: {here}.{other} for {here}.{asked.attr}."
    else:
        yield f"forward has kept nothing as {asked.attr} in its context."
        what = asked.attr if asked.attr in names else "..."
        yield f"Try: `{own}.{asked.attr} = {what}` in forward ({source.spoken(forward.lineno)})."


def asked_of(owner: str, node: ast.AST, how: type) -> Iterator[ast.Attribute]:
    """The attributes of a name that a function reads, or gives a value to."""
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, how):
            if ast.unparse(each.value) == owner:
                yield each


def without_context(failure: Failure, found: re.Match) -> Iterator[str]:
    """That ``forward`` or ``backward`` takes something else than a context and what follows it."""
    kind = class_called(failure)
    if not is_function(kind) or kind.__name__ != found[1]:
        return
    source, node = definition_of(getattr(kind, found[2], None))
    if source is None:
        return
    names = [each.arg for each in node.args.args]
    wanted = ["ctx", *(each for each in names if each not in ("self", "ctx"))]
    if names[:1] == ["ctx"]:
        return
    line = source.spoken(node.lineno)
    yield tell("context-comes-first", method=node.name, names=", ".join(names), line=line)
    yield f"Try: `def {node.name}({', '.join(wanted)}):` there, below @staticmethod."
