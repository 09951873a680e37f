"""Steps by hand that add the gradient of a loss, where a loss is to become small."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..gradients.passes import passes_of
from ..graph.bounds import is_cost
from ..graph.expression_of_node import in_words
from ..graph.nan_and_inf import kind_of as kind_of_values
from ..graph.nodes import kind_of, leaves_behind, next_of, reached
from ..program.evaluated import value_of
from ..program.program import Program
from ..program.stepped import was_stepped
from ..program.unread_values import RATES
from ..source.syntax import is_call, name_called, names_in
from ..source.texts import texts
from ..source.variables import groups_of, is_module, is_parameter
from ..words.sentences import say

#: how what is to become small is called
CALLED = re.compile(r"(?i)loss|cost|err|mse|sse|chi|resid|misfit|penalty")
#: how what is to become large is called
TO_GROW = re.compile(r"(?i)reward|score|lik|logp|log_p|elbo|gain|utilit|return|activ|accur|profit")
SUMS = {"Sub", "Add", "Neg", "Mean", "Sum", "Squeeze", "View"}
LIMITS = {"clamp_", "clip_", "renorm_", "div_"}
MOST = 3  #: lines that are named


def uphill(loss: Any, program: Program) -> Iterator[str]:
    """That a line adds gradients to what a result is computed from, so that the result grows.

    Of one that is never negative and is called a loss, or has grown out of all numbers, that is a
    mistake; of another it is told, unless it is called by what is to grow. Where a net stands
    beside other leaves, another one is stepped downhill, or a line puts what was stepped back to
    where it may be, it can be meant.
    """
    leaves, own = leaves_behind(loss), program.name_of(loss) or ""
    if loss.numel() != 1:
        return
    things = program.variables.values()
    has_net = any(map(groups_of, things)) or not all(map(is_parameter, leaves))
    has_net = has_net and any(map(is_module, things))
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


def without_end(loss: Any, program: Program) -> tuple[list[str], str] | None:
    """That a loss has no lower end: a cost with a minus, or a sum of what layers give; what to do.

    Shorter steps get there later.
    """
    node, name = loss.grad_fn, program.name_of(loss) or "the loss"
    turned = f"(-{name}).backward()"
    if is_cost(node) and turned in map(ast.unparse, passes_of(program)):
        return [say("no-lower-end", name=f"-{name}")], say("no-minus", where=turned)
    if kind_of(node) == "Neg" and is_cost(*next_of(node)):
        return [say("no-lower-end", name=name)], say("no-minus", where=in_words(node, program))
    ways = reached([node], lambda each: next_of(each) if kind_of(each) in SUMS else [])
    if {*map(kind_of, ways)} - SUMS != {"Addmm"} or loss.numel() != 1:  # outputs are no loss
        return None
    is_missed = any(kind_of(each) == "Sub" and len(next_of(each)) == 1 for each in ways)
    return [say("no-lower-end", name=name)], say("of-squares" if is_missed else "with-an-end")


def steps_in(tree: ast.AST, program: Program) -> Iterator[tuple[ast.stmt, int]]:
    """The steps by a gradient in a text, each with the sign with which that is added."""
    named, given = gradients_in(tree), [e for e in ast.walk(tree) if isinstance(e, ast.Assign)]
    for each in ast.walk(tree):
        match change_by(each):
            case [target, sign, value]:
                leaf = ast.unparse(without_data(target))
                grads = {f"{leaf}.grad", f"{leaf}.grad.data"}
                grads |= {name for name, own in named if own == leaf}
                means = (e for e in given if sign_of(e.value, grads, program) > 0)  # of a momentum
                grads |= {ast.unparse(e.targets[0]) for e in means} - {leaf}
                if of := sign_of(value, grads, program):
                    yield each, sign * of


def change_by(statement: ast.AST) -> tuple[ast.expr, int, ast.expr] | None:
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


def sign_of(value: ast.AST, grads: set[str], program: Program) -> int:
    """1 where an expression is a positive multiple of a gradient, -1 of its opposite, or 0.

    What is divided by counts as positive, like its length.
    """
    if ast.unparse(value) in grads:
        return 1
    match value:
        case ast.UnaryOp(ast.USub(), operand):
            return -sign_of(operand, grads, program)
        case ast.Call(ast.Attribute(owner, "clone" | "detach" | "sign"), []):
            return sign_of(owner, grads, program)
        case ast.BinOp(left, ast.Div(), _):
            return sign_of(left, grads, program)
        case ast.BinOp(left, ast.Add(), right):
            return sign_of(left, grads, program) or sign_of(right, grads, program)
        case ast.BinOp(left, ast.Sub(), right):
            return sign_of(left, grads, program) or -sign_of(right, grads, program)
        case ast.BinOp(left, ast.Mult(), right):
            one, other = sign_of(left, grads, program), sign_of(right, grads, program)
            return one * number_sign(right, program) or other * number_sign(left, program)
    return 0


def number_sign(value: ast.AST, program: Program) -> int:
    """The sign of a factor: of what it gives, or by its name; 0 where unknown."""
    number = value_of(value, lambda each: program.variables.get(getattr(each, "id", "")))
    if isinstance(number, int | float):
        return (number > 0) - (number < 0)
    return int(bool(RATES.search(name_called(value) or "")))


def gradients_in(tree: ast.AST) -> set[tuple[str, str]]:
    """What stands for the gradient of what, as it is written: (``g``, ``w``) of ``g = w.grad``.

    Not a name that is given to something else as well.

    >>> sorted(gradients_in(ast.parse("gw, gb = autograd.grad(loss, (w, b))")))
    [('gb', 'b'), ('gw', 'w')]
    """
    nodes = [*ast.walk(tree)]
    found, others = set(), set()
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AugAssign):
            pairs = [*pairs_of(node)]
            found.update(pairs)
            others |= set() if pairs else names_in(node, ast.Store)
    several = {name.partition("[")[0] for name, _leaf in found if "[" in name}
    for node in nodes:
        match node:
            case ast.For(ast.Tuple([leaf, own]), ast.Call(ast.Name("zip"), [_, ast.Name(given)])):
                found |= {(ast.unparse(own), ast.unparse(leaf))} if given in several else set()
    return {(name, leaf) for name, leaf in found if name.partition("[")[0] not in others}


def pairs_of(statement: ast.Assign | ast.AugAssign) -> Iterator[tuple[str, str]]:
    """The same of one statement; of a tuple of gradients, ``gs[0]`` stands for the first."""
    match statement:
        case ast.Assign([target], ast.Attribute(leaf, "grad")):
            yield ast.unparse(target), ast.unparse(leaf)
        case ast.Assign([target], ast.Subscript(ast.Call() as call, ast.Constant(0))):
            yield from zip([ast.unparse(target)], asked_of(call))
        case ast.Assign([ast.Tuple(targets)], ast.Call() as call):
            yield from zip(map(ast.unparse, targets), asked_of(call))
        case ast.Assign([ast.Name(name)], ast.Call() as call):
            yield from ((f"{name}[{at}]", leaf) for at, leaf in enumerate(asked_of(call)))


def asked_of(call: ast.Call) -> list[str]:
    """What ``autograd.grad`` is asked the gradients of; nothing of another call."""
    if not is_call(call, {"grad"}) or len(call.args) < 2:
        return []
    leaves = call.args[1]
    written = leaves.elts if isinstance(leaves, ast.Tuple | ast.List) else [leaves]
    return [*map(ast.unparse, written)]
