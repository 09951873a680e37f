"""Results that are computed once and kept, as by a cache, and that each pass needs anew."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..graph.history import nodes_behind
from ..graph.nodes import leaves_of
from ..source import reader
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    is_call,
    name_called,
    names_in,
    own_parts,
    parents_in,
    parts_in,
    runs_a_pass,
    scope,
    targets_of,
    words_in,
)
from ..source.texts import Source, definition_of, everywhere, texts
from ..source.variables import all_stepped, held, is_parameter, last_name
from ..words.sentences import tell

OF_FUNCTOOLS = {"cache", "lru_cache"}
IS_THERE, IS_NOT_THERE = ast.In | ast.IsNot, ast.NotIn | ast.Is


def kept_by_a_cache(node: Any) -> str:
    """What to leave out where a result that holds a node was computed once; empty for none."""
    for each in held(reader.variables()):
        if isinstance(each.thing, Tensor) and not each.thing.is_leaf:
            is_kept = node in nodes_behind(each.thing)
            filled = filled_once(last_name(each.path)) if is_kept else None
        else:
            is_kept = any(node in nodes_behind(one) for one in kept_by_functools(each.thing))
            filled = decorated(each.thing) if is_kept else None
        if filled:
            stepped = all_stepped(reader.variables())
            behind = leaves_of(node)
            changed = [e for e in behind if id(e) in stepped or e._version > is_parameter(e)]
            name = next(filter(None, map(reader.name_of, changed)), "")
            of = tell("changed-meanwhile", leaf=name) if name else ""
            line, out = filled
            return tell("computed-once", line=line, out=f": leave out {out}" * bool(out), of=of)
    return ""


def kept_by_functools(function: Any) -> Iterator[Tensor]:
    """The results that a function with ``@cache`` of functools keeps; none for another thing."""
    for part in gc.get_referents(function) if hasattr(type(function), "cache_info") else ():
        for each in part.values() if isinstance(part, dict) else [part]:
            if isinstance(each, Tensor) and not each.is_leaf:
                yield each


def decorated(function: Any) -> tuple[str, str] | None:
    """The line that makes a function keep its results, and that again: it is to be left out."""
    source, body = definition_of(getattr(function, "__wrapped__", None))
    for each in getattr(body, "decorator_list", ()):
        if name_called(getattr(each, "func", each)) in OF_FUNCTOOLS:
            return source.spoken(body.lineno), source.spoken(each.lineno)
    return None


def filled_once(name: str) -> tuple[str, str] | None:
    """The line that gives a variable its value only where it has none, and what to leave out.

    None where another line gives it one besides, but for what it begins with; and for what is
    kept of the first round, as to compare others with it.
    """
    found = []
    for source, tree in texts(reader.frame()):
        for each in parts_in(tree):
            if isinstance(each, LOOPS) or name not in map(last_name, targets_of(each)):
                continue
            if isinstance(each, ast.AugAssign):
                return None
            value = value_for(name, each)
            if value is not None and (names_in(value) or is_call(value)):
                found.append((source, tree, each))
    (source, tree, line), *others = found or [(None, None, None)]
    guard = guard_of(name, tree, line) if source and not others else None
    function = scope(tree, line.lineno) if guard else None
    if guard is None or runs_a_pass(function) or isinstance(line.value, ast.Name | ast.Attribute):
        return None
    arguments = {each.arg for each in parts_in(function, ast.arg)} - {"self"}
    own = arguments | names_in(function, ast.Store)  # of this call, unless a key stands for them
    if names_in(line.value) & own and not any("[" in target for target in targets_of(line)):
        return None
    return source.spoken(line.lineno), left_out(source, tree, line, guard)


def value_for(name: str, statement: Any) -> ast.expr | None:
    """What a statement gives a variable, also beside others: ``a, b = 1, {}``."""
    match statement:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            pairs = zip(targets, values)
            return next((e for to, e in pairs if last_name(ast.unparse(to)) == name), None)
    return statement.value


def guard_of(name: str, tree: ast.AST, statement: ast.stmt) -> ast.stmt | None:
    """The ``if`` or ``try`` that lets a statement run only where a variable has no value yet."""
    around, inner = parents_in(tree), statement
    while not isinstance(inner, FUNCTIONS | ast.Module):
        outer = around[inner]
        if isinstance(outer, ast.If) and inner in outer.body and asks(outer, name, IS_NOT_THERE):
            return outer
        if isinstance(outer, ast.If) and inner in outer.orelse and asks(outer, name, IS_THERE):
            return outer
        if isinstance(outer, ast.Try) and isinstance(inner, ast.ExceptHandler):
            if any(name in words_in(each) for each in outer.body):
                return outer
        inner = outer
    for each in own_parts(inner):
        if isinstance(each, ast.If) and each.lineno < statement.lineno:
            if isinstance(each.body[-1], ast.Return) and asks(each, name, IS_THERE):
                return each
    return None


def asks(statement: ast.If, name: str, by: Any) -> bool:
    """Whether a condition asks if a variable, or an item of it, is there, or is not."""
    test, is_not = statement.test, by is IS_NOT_THERE
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, is_not, by = test.operand, not is_not, IS_THERE if is_not else IS_NOT_THERE
    match test:
        case ast.Compare(_, [operation]):
            return isinstance(operation, by) and name in words_in(test)
        case ast.Call(ast.Name("hasattr"), [_, ast.Constant(value)]):
            return not is_not and value == name
    return False


def left_out(source: Source, tree: ast.AST, line: ast.stmt, guard: ast.stmt) -> str:
    """What makes a function keep its results: a decorator, a call, or an ``if``; else nothing."""
    makers = {each.name for each in parts_in(tree, FUNCTIONS) if line in parts_in(each)}
    for other, each in everywhere(reader.frame()):
        for one in each.decorator_list if isinstance(each, FUNCTIONS) else ():
            if name_called(getattr(one, "func", one)) in makers:
                return other.spoken(one.lineno)
        if isinstance(each, ast.Assign) and is_call(each.value, makers) and each.value.args:
            if targets_of(each) == [*map(ast.unparse, each.value.args)]:
                return other.spoken(each.lineno)  # f = cached(f)
    if not isinstance(guard, ast.If) or guard.orelse:
        return ""
    is_alone = isinstance(guard.body[-1], ast.Return)
    rest = tell("with-its-return") if is_alone else tell("not-what-is-below")
    return f"{source.spoken(guard.lineno)}{rest}"
