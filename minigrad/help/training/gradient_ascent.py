"""Steps by hand that add the gradient of a loss, where a loss is to become small."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

from ..graph.bounds import bounds
from ..graph.nan_and_inf import kind_of as kind_of_values
from ..graph.nodes import kind_of, leaves_behind
from ..program.program import Program
from ..program.unread_values import RATES
from ..source.syntax import is_call, names_in
from ..source.texts import everywhere, texts
from ..source.variables import is_module, is_parameter
from ..words.sentences import say
from .named_gradients import gradients_in

#: how what is to become small is called
CALLED = re.compile(r"(?i)loss|cost|err|mse|sse|chi|resid|misfit|penalty")
#: how what is to become large is called
TO_GROW = re.compile(r"(?i)reward|score|lik|logp|log_p|elbo|gain|utilit|return|activ|accur|profit")
ROUNDS = 3  #: so many names may stand between a gradient and its step
LIMITS = {"clamp_", "clip_", "renorm_", "div_"}
MOST = 3  #: lines that are named
#: changes a leaf through its data, which its own version does not count
PAST = re.compile(r"[\w.\[\]]+\.data(\[.*\])?( [-+]?= |\.(sub|add|addcdiv|copy)_\()")


def uphill(loss: Any, program: Program) -> Iterator[str]:
    """That a line adds gradients to what a result is computed from, so that the result grows.

    Of one that is never negative and is called a loss, or has grown out of all numbers, that is a
    mistake; of another it is told, unless it is called by what is to grow. Where a net stands
    beside the leaves, another one is stepped downhill, or a line puts what was stepped back to
    where it may be, it can be meant.
    """
    leaves, own = leaves_behind(loss), program.name_of(loss) or ""
    if loss.numel() != 1:
        return
    has_net = any(is_module(each) for each in program.variables.values())
    is_small = CALLED.search(own) or kind_of_values(loss)
    is_positive = not float(loss.detach()) < 0 and is_cost(loss.grad_fn)
    if has_net or TO_GROW.search(own) or not (is_small or is_positive):
        return
    if not all(was_stepped(leaf, program.frame) for leaf in leaves):
        return
    lines = []
    for source, tree in texts(program.frame):
        steps = [*steps_in(tree, program)]
        if any(sign < 0 for _, sign in steps) or any(map(puts_back, ast.walk(tree))):
            return
        lines += [source.spoken(each.lineno) for each, _ in steps]
    if not lines:
        return
    name, verb = own or "the result", "adds" if len(lines) == 1 else "add"
    yield say("uphill", lines=" and ".join(lines[:MOST]), verb=verb, name=name)
    if not (is_small and is_positive):
        yield say("downhill-if", name=name)
        return
    is_call_of = all(".add_(" in line for line in lines)
    minus, plus = ("sub_", "add_") if is_call_of else ("-=", "+=")
    is_plain = all(plus in line for line in lines)
    yield say("downhill" if is_plain else "downhill-there", minus=minus, plus=plus)


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


def steps_in(tree: ast.AST, program: Program) -> Iterator[tuple[ast.stmt, int]]:
    """The steps by a gradient in a text, each with the sign with which that is added.

    Names that stand for gradients are followed, as ``m = 0.9 * m + w.grad`` and ``g = w.grad``.
    """
    known = {**dict.fromkeys(gradients_in(tree), 1)}
    statements = [each for each in ast.walk(tree) if isinstance(each, ast.stmt)]
    for _ in range(ROUNDS):
        for each in statements:
            match each:
                case ast.Assign([ast.Name(name)], value):
                    for leaf in leaves_read(value, known):
                        if leaf != name and (sign := sign_of(value, leaf, known, program)):
                            known[name, leaf] = sign
    for each in statements:
        match change_by(each):
            case [target, sign, value]:
                leaf = ast.unparse(without_data(target))
                of = sign_of(value, leaf, known, program) if (leaf, leaf) not in known else 0
                if of:
                    yield each, sign * of


def change_by(statement: ast.stmt) -> tuple[ast.expr, int, ast.expr] | None:
    """What a statement changes in place, with which sign, and by what."""
    match statement:
        case ast.AugAssign(target, ast.Add() | ast.Sub() as operation, value):
            return target, 1 if isinstance(operation, ast.Add) else -1, value
        case ast.Assign([target], ast.BinOp(first, ast.Add() | ast.Sub() as operation, value)):
            if ast.unparse(without_data(target)) == ast.unparse(without_data(first)):
                return target, 1 if isinstance(operation, ast.Add) else -1, value
        case ast.Expr(ast.Call(ast.Attribute(target, "add_" | "sub_" as name), [value], keywords)):
            factors = [each.value for each in keywords if each.arg == "alpha"]
            for each in factors:
                value = ast.BinOp(each, ast.Mult(), value)
            return target, 1 if name == "add_" else -1, value
    return None


def without_data(target: ast.expr) -> ast.expr:
    """``w`` of ``w.data``."""
    while isinstance(target, ast.Attribute) and target.attr in ("data", "T"):
        target = target.value
    return target


def leaves_read(value: ast.AST, known: Mapping[tuple[str, str], int]) -> set[str]:
    """The leaves whose gradients an expression reads."""
    parts = [*ast.walk(value)]
    grads = (e for e in parts if isinstance(e, ast.Attribute) and e.attr == "grad")
    found = {ast.unparse(each.value) for each in grads}
    names = names_in(value)
    return found | {leaf for name, leaf in known if name in names}


def sign_of(
    value: ast.AST, leaf: str, known: Mapping[tuple[str, str], int], program: Program
) -> int | None:
    """1 where an expression is a positive multiple of a gradient, -1 of its opposite, or 0.

    None where that cannot be told. What is divided by counts as positive, like its length.
    """
    match value:
        case ast.Attribute(owner, "grad") if ast.unparse(owner) == leaf:
            return 1
        case ast.Attribute(owner, "data"):
            return sign_of(owner, leaf, known, program)
        case ast.UnaryOp(ast.USub(), operand):
            sign = sign_of(operand, leaf, known, program)
            return None if sign is None else -sign
        case ast.Call(ast.Attribute(owner, "clone" | "detach" | "sign"), []):
            return sign_of(owner, leaf, known, program)
        case ast.BinOp(left, ast.Mult() | ast.Div() as operation, right):
            if not leaves_read(left, known) and isinstance(operation, ast.Mult):
                left, right = right, left
            if leaves_read(right, known) and isinstance(operation, ast.Mult):
                return None
            sign, factor = sign_of(left, leaf, known, program), number_sign(right, program)
            factor = 1 if isinstance(operation, ast.Div) and factor is None else factor
            return None if sign is None or factor is None else sign * factor
        case ast.BinOp(left, ast.Add() | ast.Sub() as operation, right):
            signs = [sign_of(each, leaf, known, program) for each in (left, right)]
            if signs[1] is not None and isinstance(operation, ast.Sub):
                signs[1] = -signs[1]
            both = {*signs} - {0}
            return None if len(both) != 1 else both.pop()
    written = ast.unparse(value)
    if (written, leaf) in known:
        return known[written, leaf]
    return 0 if isinstance(value, ast.Name) and not leaves_read(value, known) else None


def number_sign(value: ast.AST, program: Program) -> int | None:
    """The sign of a factor: of a number that is written, or by its name."""
    match value:
        case ast.Constant(int() | float() as number):
            return 1 if number > 0 else -1 if number < 0 else 0
        case ast.UnaryOp(ast.USub(), operand):
            sign = number_sign(operand, program)
            return None if sign is None else -sign
        case ast.BinOp(left, ast.Mult() | ast.Div() | ast.Pow(), right):
            signs = [number_sign(each, program) for each in (left, right)]
            signs[1] = 1 if isinstance(value.op, ast.Pow) else signs[1]
            return None if None in signs else signs[0] * signs[1]
        case ast.BinOp(ast.Constant(1 | 1.0), ast.Sub(), _):  # as of a momentum: 1 - beta
            return 1
        case ast.Name(name) | ast.Attribute(attr=name):
            number = program.variables.get(name) if isinstance(value, ast.Name) else None
            if isinstance(number, int | float):
                return 1 if number > 0 else -1 if number < 0 else 0
            return 1 if RATES.search(name) else None
    return None


def was_stepped(leaf: Any, frame: FrameType | None) -> bool:
    """Whether a leaf was changed since it was made, or a line changes some past their history.

    A layer has written to its own parameters once when it made them.
    """
    if leaf._version > is_parameter(leaf):
        return True
    nodes = [node for _source, node in everywhere(frame)]
    return any(isinstance(each, ast.stmt) and PAST.match(ast.unparse(each)) for each in nodes)
