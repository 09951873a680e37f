"""Steps by hand that add the gradient of a loss, where a loss is to become small."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from types import FrameType
from typing import Any

from ..graph.bounds import bounds
from ..graph.nan_and_inf import kind_of as kind_of_values
from ..graph.nodes import kind_of, leaves_behind
from ..program.program import Program
from ..program.updates import is_grad_of
from ..source.syntax import is_call
from ..source.texts import everywhere, texts
from ..source.variables import is_module, is_parameter
from ..words.sentences import say
from .named_gradients import gradients_in

#: how what is to become small is called
CALLED = re.compile(r"(?i)loss|cost|err|mse|sse|chi|resid|misfit|penalty|objective")
LIMITS = {"clamp_", "clip_", "renorm_", "div_"}
MOST = 3  #: lines that are named
#: changes a leaf through its data, which its own version does not count
PAST = re.compile(r"[\w.\[\]]+\.data(\[.*\])?( [-+]?= |\.(sub|add|addcdiv|copy)_\()")


def uphill(loss: Any, program: Program) -> Iterator[str]:
    """That a line adds gradients to what the loss is computed from, so that the loss grows.

    Of a loss that is never negative and is called so, or has grown out of all numbers, and all of
    whose leaves are stepped. Where a net stands beside them, another leaf is stepped downhill, or a
    line puts what was stepped back to where it may be, the loss can be meant to grow.
    """
    leaves, own = leaves_behind(loss), program.name_of(loss) or ""
    is_one = loss.numel() == 1 and float(loss.detach()) >= 0 and is_cost(loss.grad_fn)
    is_small = CALLED.search(own) or kind_of_values(loss)
    has_net = any(is_module(each) for each in program.variables.values())
    if not is_one or not is_small or has_net:
        return
    if not all(was_stepped(leaf, program.frame) for leaf in leaves):
        return
    lines = []
    for source, tree in texts(program.frame):
        known, statements = gradients_in(tree), [*ast.walk(tree)]
        if any(puts_back(each) or subtracts_a_gradient(each, known) for each in statements):
            return
        found = [each for each in statements if adds_a_gradient(each, known)]
        lines += [source.spoken(each.lineno) for each in found]
    if lines:
        verb = "adds" if len(lines) == 1 else "add"
        yield say("uphill", lines=" and ".join(lines[:MOST]), verb=verb)
        is_call_of = all(".add_(" in line for line in lines)
        minus, plus = ("sub_", "add_") if is_call_of else ("-=", "+=")
        yield say("downhill", minus=minus, plus=plus)


def puts_back(statement: ast.AST) -> bool:
    """Whether this puts values to where they may be: ``v /= v.norm()``, ``v.clamp_(0, 1)``."""
    match statement:
        case ast.AugAssign(_, ast.Div() | ast.Mult(), value) | ast.Assign(
            [ast.Attribute(_, "data")], value
        ):
            return any(map(is_call, ast.walk(value)))
        case ast.Call(ast.Attribute(_, name)):
            return name in LIMITS
    return False


def is_cost(node: Any) -> bool:
    """Whether no result of a node can be negative, unless it was multiplied by a negative number.

    Where what came of it is not negative, that number was not.
    """
    if bounds(node)[0] >= 0:
        return True
    behind = [] if node is None else [after for after, _ in node.next_functions]
    known = [after for after in behind if after is not None]
    is_term = kind_of(node) in ("Mul", "Div") and len(known) == 1
    is_whole = kind_of(node) in ("Add", "Sum", "Mean") and len(known) == len(behind)
    return (is_term or is_whole) and all(map(is_cost, known))


def adds_a_gradient(statement: ast.AST, known: Container[tuple[str, str]] = ()) -> bool:
    """Whether this is such as ``w += lr * w.grad`` or ``w.data.add_(w.grad * lr)``.

    ``known`` are the names that stand for gradients, each with that of its leaf.
    """
    match statement:
        case ast.AugAssign(target, ast.Add(), value):
            return is_step(target, value, known)
        case ast.Assign([target], ast.BinOp(first, ast.Add(), value)):
            return ast.unparse(target) == ast.unparse(first) and is_step(target, value, known)
        case ast.Expr(ast.Call(ast.Attribute(target, "add_"), [value], keywords)):
            is_down = any("-" in ast.unparse(each.value) for each in keywords)
            return not is_down and is_step(target, value, known)
    return False


def subtracts_a_gradient(statement: ast.AST, known: Container[tuple[str, str]]) -> bool:
    """Whether this is such as ``w -= lr * w.grad``, as beside a multiplier that is to grow."""
    match statement:
        case ast.AugAssign(target, ast.Sub(), value):
            return is_step(target, value, known)
        case ast.Expr(ast.Call(ast.Attribute(target, "sub_"), [value])):
            return is_step(target, value, known)
    return False


def is_step(target: ast.expr, value: ast.expr, known: Container[tuple[str, str]]) -> bool:
    """Whether a positive multiple of the gradient of a target is given."""
    while isinstance(target, ast.Attribute) and target.attr in ("data", "T"):
        target = target.value
    own, parts = ast.unparse(target), [*ast.walk(value)]
    reads = any(is_grad_of(own, each) or (ast.unparse(each), own) in known for each in parts)
    return reads and not any(map(is_call, parts)) and "-" not in ast.unparse(value)


def was_stepped(leaf: Any, frame: FrameType | None) -> bool:
    """Whether a leaf was changed since it was made, or a line changes some past their history.

    A layer has written to its own parameters once when it made them.
    """
    if leaf._version > is_parameter(leaf):
        return True
    nodes = [node for _source, node in everywhere(frame)]
    return any(isinstance(each, ast.stmt) and PAST.match(ast.unparse(each)) for each in nodes)
