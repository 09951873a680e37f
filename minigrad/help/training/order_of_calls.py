"""Calls of a round of training that are in vain where they stand.

Gradients that are emptied or cut before a step has used them, or cut where no step uses them any
more; steps in some rounds only of gradients that each round empties; losses that no pass sees.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..gradients.passes import zeroed_at
from ..graph.nodes import leaves_behind
from ..program.emptied import empties
from ..program.program import Program
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    called_on,
    is_call,
    name_called,
    parts_up_to,
    runs_a_pass,
    targets_of,
)
from ..source.texts import Source, everywhere
from ..source.variables import optimizers, stepped_by
from ..words.sentences import say

CLIPS = {"clip_grad_norm_", "clip_grad_value_"}
SCALES = {"mul_", "div_", "clamp_"}
TURNS = {"zero_grad", "backward", "step"}
CUTS = "cuts"  #: the turn of a line that cuts gradients


def emptied_first(loss: Any, program: Program) -> Iterator[str]:
    """That a line which has emptied gradients stands above the step that is to use them."""
    emptied = {line for leaf in leaves_behind(loss) if (line := zeroed_at(leaf))}
    for source, loop in everywhere(program.frame) if emptied else ():
        lines = [*in_order(loop.body)] if isinstance(loop, LOOPS) else []
        for at, each in enumerate(lines):
            line = source.spoken(each.lineno)
            if line not in emptied or not any(map(runs_a_pass, lines[:at])):
                continue
            if step := used_below(each, lines[at + 1 :]):
                yield say("emptied-first", line=line, step=source.spoken(step.lineno))
                yield say("empty-below")
                return


def in_order(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block that hold no others, with those of blocks inside."""
    for each in body:
        inner = getattr(each, "body", None)
        if inner is None:
            yield each
        elif isinstance(each, ast.With | ast.For):
            yield from in_order(inner)


def used_below(emptying: ast.stmt, below: list[ast.stmt]) -> ast.stmt | None:
    """The step below a line that empties what it reads; None where a pass comes first."""
    own = {ast.unparse(each) for each in ast.walk(emptying) if is_grad(each)}
    for each in below:
        if runs_a_pass(each):
            return None
        read = {ast.unparse(part) for part in ast.walk(each) if is_grad(part)}
        if own & read and not empties(ast.unparse(each)):
            return each
    return None


def is_grad(node: ast.AST) -> bool:
    """Whether this is such as ``w.grad``."""
    return isinstance(node, ast.Attribute) and node.attr == "grad"


def late_clips(program: Program) -> Iterator[str]:
    """That a line cuts gradients below the step that is to use them, or above their pass; why, do.

    Of a block with one pass and one step, that empties gradients as well.
    """
    parts = [each for _, each in everywhere(program.frame)]
    own = {each.name for each in parts if isinstance(each, ast.FunctionDef) and is_for_cuts(each)}
    for source, block in everywhere(program.frame):
        turns = [*turns_of(getattr(block, "body", None), own)]
        order = [name for name, _ in turns]
        if any(order.count(each) != 1 for each in ("backward", "step", "zero_grad")):
            continue
        clips = [(at, line) for at, (name, line) in enumerate(turns) if name is CUTS]
        between = order.index("backward"), order.index("step")
        if len(clips) == 1 and between[0] < between[1]:
            (at, line), is_late = clips[0], clips[0][0] > between[1]
            if is_late or at < between[0]:
                key = "cut-after-step" if is_late else "cut-before-pass"
                yield say(key, line=source.spoken(line))
                yield f"Try: {say('cut-between')}."
                return


def turns_of(body: Any, own: set[str]) -> Iterator[tuple[str, int]]:
    """The lines of a block that fill, cut, use or empty gradients, also by functions of theirs."""
    for statement in body if isinstance(body, list) else ():
        if isinstance(statement, ast.For | ast.If) and cuts_gradients(statement):
            yield CUTS, statement.lineno
        value = getattr(statement, "value", None)
        for each in ast.walk(value) if value else ():
            if is_call(each, TURNS):
                yield name_called(each.func) or "", each.lineno
            elif is_call(each, CLIPS | own) and "inf" not in ast.unparse(each):
                yield CUTS, each.lineno  # with inf it cuts nothing, and tells the norm


def is_for_cuts(function: ast.FunctionDef) -> bool:
    """Whether a function cuts gradients, and neither fills, uses nor empties them."""
    return cuts_gradients(function) and not any(is_call(e, TURNS) for e in ast.walk(function))


def cuts_gradients(statement: ast.AST) -> bool:
    """Whether gradients are scaled there: ``p.grad *= 0.5``, ``p.grad.clamp_(-1, 1)``."""
    for each in ast.walk(statement):
        match each:
            case ast.AugAssign(ast.Attribute(_, "grad"), ast.Mult() | ast.Div()):
                return True
            case ast.Call(ast.Attribute(ast.Attribute(_, "grad"), name)) if name in SCALES:
                return True
        if is_call(each, CLIPS):
            return True
    return False


def emptied_too_often(program: Program) -> Iterator[str]:
    """That a step, of every few rounds, goes by the pass of its own round alone.

    Not one of leaves that no pass has reached.
    """
    for source, loop in everywhere(program.frame):
        body = loop.body if isinstance(loop, LOOPS) else []
        if not any(runs_a_pass(each) and not isinstance(each, ast.If) for each in body):
            continue
        emptied = [(called_on(each, "zero_grad"), each.lineno) for each in body]
        empties = {ast.unparse(owner): at for owner, at in emptied if owner is not None}
        for branch in body:
            # An else may step another optimizer, and a pass inside is one for this step alone.
            parts = [*ast.walk(branch)] if isinstance(branch, ast.If) and not branch.orelse else []
            if not parts or not has_remainder(branch.test):
                continue
            if any(is_call(each, {"zero_grad", "backward"}) for each in parts):
                continue
            for each in parts:
                owner = called_on(each, "step")
                its = "" if owner is None else ast.unparse(owner)
                if its in empties and not is_idle(its, program):
                    above, step = (source.spoken(at) for at in (empties[its], each.lineno))
                    yield say("emptied-too-often", emptied=above, step=step)
                    yield say("empty-below-the-step", its=its)
                    return


def has_remainder(test: ast.AST) -> bool:
    """Whether a question asks for a remainder, as of every fourth round."""
    return any(isinstance(getattr(each, "op", None), ast.Mod) for each in ast.walk(test))


def left_behind(program: Program) -> Iterator[str]:
    """A pass below the loop that computes its loss."""
    for source, each in everywhere(program.frame):
        if isinstance(each, LOOPS | ast.FunctionDef):
            yield from below_the_loop(each, source)


def is_idle(its: str, program: Program) -> bool:
    """Whether all that an optimizer steps is frozen, and has no gradient."""
    tool = optimizers(program.variables).get(its)
    leaves = () if tool is None else stepped_by(tool)
    return tool is not None and not any(p.requires_grad or p.grad is not None for p in leaves)


def below_the_loop(outer: ast.For | ast.While | ast.FunctionDef, source: Source) -> Iterator[str]:
    """That a loss is computed for each batch, and the pass runs once, below their loop.

    Where each batch empties gradients, or its loss is read, it was meant to count.
    """
    for at, inner in enumerate(outer.body):
        if not isinstance(inner, LOOPS):
            continue
        inside = [*parts_up_to(inner.body, FUNCTIONS)]
        called = {name_called(part.func) for part in inside if is_call(part)}
        plain = [part for part in inner.body if isinstance(part, ast.Assign)]
        is_read = "zero_grad" in called or isinstance(outer, LOOPS)
        for statement in outer.body[at + 1 :] if is_read and "backward" not in called else ():
            match statement:
                case ast.Expr(ast.Call(ast.Attribute(owner, "backward"))):
                    loss = ast.unparse(owner)
                    made = [each for each in plain if loss == ast.unparse(each.targets[0])]
                    above = plain[: plain.index(made[0])] if made else []
                    is_anew = made and not any(goes_on(e, inner) for e in [*above, *made])
                    if is_anew and is_meant(loss, inside, called):
                        yield say("below-the-loop", line=source.spoken(statement.lineno), loss=loss)
                        step = say("and-the-step") if "zero_grad" in called else ""
                        yield say("into-the-loop", loss=loss, step=step)


def goes_on(made: ast.Assign, loop: ast.For | ast.While) -> bool:
    """Whether this computes something of what the round before has left: ``h = cell(x, h)``."""
    parts = {*map(ast.unparse, ast.walk(made.value))}
    return bool(parts & {*targets_of(made)} - {*targets_of(loop)})


def is_meant(loss: str, inside: list[ast.AST], called: set[str | None]) -> bool:
    """Whether the loss of each batch was meant to count."""
    read = (each for each in inside if isinstance(each, ast.Attribute) and each.attr == "item")
    return "zero_grad" in called or any(ast.unparse(each.value) == loss for each in read)
