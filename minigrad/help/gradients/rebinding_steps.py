"""Steps by hand that only give a name to a new tensor, while each leaf stays as it was made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..graph.history import nodes_behind, passes_through
from ..graph.nodes import leaves_behind
from ..program.program import Program
from ..program.updates import first_of
from ..source.syntax import LOOPS, names_in
from ..source.texts import assignments, everywhere
from ..source.variables import held, is_parameter
from ..words.sentences import say
from .computed_leaf import holds

SIGNS = {ast.Add: "+", ast.Sub: "-"}


def lost_steps(loss: Any, program: Program) -> Iterator[str]:
    """That a loop or a function binds its own name anew, as in ``w = w - lr * w.grad``.

    Of a loss whose pass has run, and none of whose leaves was changed.
    """
    if any(leaf._version > is_parameter(leaf) for leaf in leaves_behind(loss)):
        return
    if not passes_through(nodes_behind(loss)):
        return
    if used := [*gone_through(program)]:
        yield from used
        return
    for source, block in everywhere(program.frame):
        for each, name, change in renaming_steps(block):
            sign = SIGNS[type(each.value.op)]
            yield say("step-lost", line=source.spoken(each.lineno), name=name)
            yield say("step-kept", new=f"{name} {sign}= {change}")
            return


def gone_through(program: Program) -> Iterator[str]:
    """That an object keeps a generator, which its first loop has gone through to the end."""
    for each in held(program.variables):
        owner, _dot, name = each.path.rpartition(".")
        if type(each.thing).__name__ != "generator" or each.thing.gi_frame is not None or not owner:
            continue
        kept = [
            (line, f"{ast.unparse(target)} = list({ast.unparse(value)})")
            for line, target, value in assignments(program.frame)
            if isinstance(target, ast.Attribute) and target.attr == name
        ]
        if len(kept) == 1:
            yield say("steps-nothing", name=each.path, line=kept[0][0])
            yield say("keep-a-list", new=kept[0][1])
            return


def renaming_steps(block: ast.AST) -> Iterator[tuple[Any, str, str]]:
    """The steps ``w = w - change`` of a name that its block was given, and that it reads no more.

    Each with the name and the change.
    """
    match block:
        case ast.For(target):
            names = names_in(target)
        case ast.FunctionDef():
            names = {each.arg for each in block.args.args}
        case _:
            return
    nodes = [node for each in block.body for node in ast.walk(each)]
    binds = [each for each in nodes if isinstance(each, ast.Assign)]
    grads = set().union(*(names_in(e.targets[0]) for e in binds if holds(e.value, "grad")))
    for each in binds:
        match each:
            case ast.Assign([ast.Name(name)], ast.BinOp(left, ast.Sub() | ast.Add(), change)):
                own = first_of(left)
                read = {
                    node.id
                    for node in nodes
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
                    if node.lineno > each.lineno
                }
                is_own = name in names - read and isinstance(own, ast.Name) and own.id == name
                if is_own and left is own and holds(change, "grad", grads - {name}):
                    yield each, name, ast.unparse(change)


def put_back(name: str, program: Program) -> str:
    """How a leaf keeps its name where each round puts it back below its pass: ``x = x.clamp(0)``.

    Empty where no loop does that.
    """
    for source, loop in everywhere(program.frame):
        body = loop.body if isinstance(loop, LOOPS) else []
        passes = [each.lineno for each in body if "backward(" in ast.unparse(each)]
        for each in body if passes else ():
            match each:
                case ast.Assign([ast.Name(own)], ast.Call() as value) if own == name:
                    if each.lineno > passes[0] and name in names_in(value):
                        new = f"`with torch.no_grad(): {name}.copy_({ast.unparse(value)})`"
                        return say("put-back", new=new, name=name, line=source.spoken(each.lineno))
    return ""
