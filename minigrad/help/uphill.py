"""Steps by hand that add the gradient of a loss, where a loss is to become small."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .bounds import bounds
from .computed_leaf import holds
from .nodes import leaves_behind
from .program import Program
from .reach import is_module
from .sentences import say
from .syntax import is_call
from .texts import everywhere
from .updates import is_grad_of


def uphill(loss: Any, program: Program) -> Iterator[str]:
    """That a line adds gradients to what the loss is computed from, so that the loss grows.

    Of a loss that is never negative, and all of whose leaves are stepped; where a net stands
    beside them, its loss can be meant to grow.
    """
    leaves = leaves_behind(loss)
    is_one = loss.numel() == 1 and bounds(loss.grad_fn)[0] >= 0
    has_net = any(is_module(each) for each in program.variables.values())
    if not is_one or has_net or not all(leaf._version for leaf in leaves):
        return
    for source, each in everywhere(program.frame):
        if adds_a_gradient(each):
            yield say("uphill", line=source.spoken(each.lineno))
            yield say("downhill")
            return


def adds_a_gradient(statement: ast.AST) -> bool:
    """Whether this is such as ``w += lr * w.grad`` or ``w.data.add_(w.grad * lr)``."""
    match statement:
        case ast.AugAssign(target, ast.Add(), value):
            return is_step(target, value)
        case ast.Assign([target], ast.BinOp(first, ast.Add(), value)):
            return ast.unparse(target) == ast.unparse(first) and is_step(target, value)
        case ast.Expr(ast.Call(ast.Attribute(target, "add_"), [value], keywords)):
            is_down = any("-" in ast.unparse(each.value) for each in keywords)
            return not is_down and is_step(target, value)
    return False


def is_step(target: ast.expr, value: ast.expr) -> bool:
    """Whether a positive multiple of the gradient of a target is given."""
    while isinstance(target, ast.Attribute) and target.attr in ("data", "T"):
        target = target.value
    own = ast.unparse(target)
    reads = any(is_grad_of(own, each) for each in ast.walk(value))
    is_signed = any(is_call(each) for each in ast.walk(value)) or "-" in ast.unparse(value)
    return reads and holds(value, "grad") and not is_signed
