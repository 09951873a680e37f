"""Smooth stand-ins for what moves in jumps: a sigmoid for a comparison, a product for ``&``."""

from __future__ import annotations

import ast

from ..source import reader
from ..source.lists import parts_of, statements_of
from ..source.syntax import is_call, names_in, targets_of
from ..source.texts import all_calls, assignments, everywhere
from ..words.sentences import say, table

LARGEST = {"max", "amax", "min", "amin"}


def smooth(asked: ast.expr) -> str:
    """What to write in the place of comparisons, in words; empty where that is unknown."""
    words = table("program/cuts")["comparison"]["soft"]
    return words.format(soft=soft(asked), hard=ast.unparse(asked)) if soft(asked) else ""


def soft(asked: ast.AST) -> str:
    """A sigmoid of how far one side is above the other, or a product of those for ``&``."""
    match asked:
        case ast.BinOp(left, ast.BitAnd(), right):
            return " * ".join(both) if all(both := [soft(left), soft(right)]) else ""
        case ast.Compare(a, [ast.Gt() | ast.GtE()], [b]) | ast.Compare(
            b, [ast.Lt() | ast.LtE()], [a]
        ):
            return f"torch.sigmoid(({ast.unparse(ast.BinOp(a, ast.Sub(), b))}) / 0.1)"
    return ""


def smooth_each(line: str) -> str:
    """What stands in for each of several comparisons of a line; empty for one, or an unknown."""
    asked = parts_of(line, ast.Compare)
    new = {ast.unparse(each): soft(each) for each in asked}
    if len(new) < 2 or not all(new.values()):
        return ""
    return say("smooth-each", each=", ".join(f"{to} for `{of}`" for of, to in new.items()))


def largest(asked: ast.Compare) -> str:
    """How ``w == w.max()`` keeps its values and lets the gradient of ``w`` through; else empty."""
    match asked:
        case ast.Compare(a, [ast.Eq() | ast.GtE() | ast.LtE()], [b]):
            whole, written = ast.unparse(a), ast.unparse(asked)
            takes = (each for each in ast.walk(b) if is_call(each, LARGEST))
            if any(whole in map(ast.unparse, ast.walk(each)) for each in takes):
                return say("largest-of-its-own", whole=whole, written=written)
    return ""


def joined_masks(line: str) -> str:
    """What stands in for masks of which a line names one, and another joins them by ``&``."""
    named = {ast.unparse(at): value for _, at, value in assignments(reader.frame())}
    masks = {name: written for name, value in named.items() if (written := soft(value))}
    own = {name for each in statements_of(line) for name in targets_of(each)}
    calls = [*all_calls(reader.frame(), {"float", "double", "to", "type_as"})]
    for _, each in everywhere(reader.frame(), ast.BinOp):
        used = [name for name in masks if name in names_in(each)]
        if isinstance(each.op, ast.BitAnd) and own & {*used} and names_in(each) == {*used}:
            around = [call for _, call in calls if getattr(call.func, "value", None) is each]
            whole, new = ast.unparse((around or [each])[0]), " * ".join(used)
            lines = ", ".join(f"`{name} = {masks[name]}`" for name in used)
            return say("joined-masks", masks=lines, new=new, whole=whole)
    return ""
