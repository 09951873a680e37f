"""Data that holds nan or inf before anything was recorded with it: which line made it so."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..graph.expression_matches_node import is_run_by, operands
from ..graph.expression_of_node import in_words, line_of
from ..graph.masked_rows import masks_of
from ..graph.nan_and_inf import is_stopped, kind_of, steep_at
from ..graph.nan_makers import MAKERS, ONLY_INF, OTHERS
from ..graph.nodes import kind_of as kind_of_node
from ..graph.nodes import leading_to, nodes_behind, saved
from ..graph.overflow import near, operand, puts
from ..program.evaluated import ROOMS, is_as_then, meant_at, value_of
from ..program.program import Program
from ..program.statements import BINDS
from ..source.called import function_called
from ..source.reader import in_brackets
from ..source.syntax import is_call, names_in, parents_in, parts_in
from ..source.texts import all_calls, everywhere
from ..words.sentences import GUESS, tell

MOST = 8  #: lines that are followed
#: give nan for a gradient of 0 where they have saved nan
MULTIPLIES = {"Mul", "Mm", "Bmm", "Mv", "Dot", "Addmm", "Pow", "Div", "Softmax", "LogSoftmax"}


def bad_inputs(y: Any, name: str, program: Program) -> tuple[str, Any] | None:
    """A tensor of the reader's without history that holds nan or inf, and goes into ``name``.

    One whose bad elements are left out before they meet others is none, and neither is a mask.
    """
    for used, at, _cuts in program.ingredients(name):
        thing = program.variables.get(used)
        is_input = type(thing) is type(y) and thing.grad_fn is None and not thing.requires_grad
        if is_input and kind_of(thing) and not is_mask(thing) and goes_in(used, at, program):
            return used, thing
    return None


def empty_input(name: str, program: Program) -> Iterator[str]:
    """That ``name`` is computed from a tensor of the reader's that holds nothing."""
    for used, at, _cuts in program.ingredients(name):
        thing = program.variables.get(used)
        is_tensor = hasattr(type(thing), "grad_fn") and not thing.requires_grad
        if is_tensor and not thing.numel() and is_as_then(used, at, program):
            place = in_brackets(program.last_line(used))
            yield tell("empty-input", name=name, used=used, shape=tuple(thing.shape), place=place)
            yield tell("leave-empty-out", used=used)
            return


def single_row(name: str, program: Program) -> Iterator[str]:
    """That ``name`` is computed from a single row, where a line takes a std or a var of rows."""
    for used, step, _cuts in program.ingredients(name):
        thing = program.variables.get(used)
        is_tensor = hasattr(type(thing), "grad_fn") and not thing.requires_grad and thing.dim() > 1
        if not is_tensor or thing.shape[0] != 1 or not is_as_then(used, step, program):
            continue
        for source, part in everywhere(program.frame, ast.Call):
            match part:
                case ast.Call(ast.Attribute(_, "std" | "var"), [ast.Constant(0)], []):
                    place, maker = source.spoken(part.lineno), MAKERS["Std"]
                    made = ast.unparse(part)
                    yield f"{GUESS} `{made}` ({place}): {maker.how}: {used} has one row."
                    yield f"Try: {maker.do}."
                    return


def is_mask(value: Any) -> bool:
    """Whether a tensor holds nothing but 0 and -inf, as what is added before a softmax."""
    return bool(((value == 0) | (value == -float("inf"))).all())


def goes_in(used: str, at: int, program: Program) -> bool:
    """Whether bad elements of what a step uses meet what has a history, as far as that is known."""
    step, known = program.steps[at], meant_at(at, program, tracked=False)
    around = parents_in(step.value)
    uses = [each for each in parts_in(step.value, ast.Name) if each.id == used]
    return not uses or not all(is_left_out(each, around, known) for each in uses)


def is_left_out(expression: ast.AST, around: dict, known: Callable[[ast.expr], Any]) -> bool:
    """Whether something that is computed of an expression right there holds numbers alone."""
    while (expression := around.get(expression)) is not None:
        value = value_of(expression, known)
        if value is not None and not isinstance(value, slice | tuple) and not is_bad(value):
            return True
    return False


def told_of(used: str, thing: Any, name: str, program: Program) -> Iterator[str]:
    """That ``name`` is computed from such data, the line that made it so, and what helps."""
    if is_meant_to_hold_some(used, program):
        yield from dropped_too_late(used, thing, name)
        return
    yield f"{name} is computed from {used}, which holds {kind_of(thing)}."
    if found := line_that_made(used, program):
        yield from made_there(found)
    else:
        step, line = program.step(used, kinds=(BINDS,)), in_brackets(program.last_line(used))
        names = [used] if step is None else sorted(names_in(step.value))
        arrays = [(each, program.variables.get(each)) for each in names]
        arrays = [n for n, v in arrays if isinstance(v, np.ndarray) and v.dtype.kind == "f"]
        for each in (n for n in arrays if not np.isfinite(program.variables[n]).all()):
            yield f"{each} holds such numbers already."
            used, line = each, in_brackets(program.last_line(each))
        yield f"Try: look where {used} is made{line}, and mend or leave out what is no number."


def is_meant_to_hold_some(used: str, program: Program) -> bool:
    """Whether a line asks ``used`` for nan, also by what a function calls its argument."""
    asks = [each for _, each in all_calls(program.frame, {"isnan", "isfinite"})]
    names = {name for each in asks for name in names_in(each, ast.Load)}
    given = {used: [ast.Name(used)]}
    for _, call in all_calls(program.frame):
        if used in names_in(call, ast.Load) and (
            called := function_called(call, program.variables)
        ):
            for own, things in called[1].items():
                given.setdefault(own, []).extend(things)
    return any(ast.unparse(each) == used for own in names for each in given.get(own, ()))


def nan_that_is_dropped(y: Any, name: str, program: Program, x: Any = None) -> Iterator[str]:
    """Of a ``y`` of numbers, what saved nan on its way, so that its gradients are to be nan.

    Where ``x`` is given, on a way back to it. An operation that is steep and ran before is told
    elsewhere, and so is one that has no slope there.
    """
    nodes = [] if kind_of(y) else nodes_behind(y)
    kept = [(n, bad) for n in nodes if kind_of_node(n) in MULTIPLIES and (bad := saved_nan(n))]
    leads = {*nodes} if x is None or not kept else leading_to(y, x)
    if not any(node in leads and not is_stopped(node) for node, _ in kept):
        return
    node, (count, size) = min(kept, key=lambda each: each[0]._sequence_nr())
    steep = steep_at(nodes, program.variables, is_bad=False)
    if any(each._sequence_nr() <= node._sequence_nr() for each, _, _ in steep):
        return
    if not kind_of_node(node).endswith("Softmax"):
        if inputs := bad_inputs(y, name, program):
            yield from dropped_too_late(*inputs, name)
        return
    where = f"that is so at {count} of its {size} elements"
    yield f"At {in_words(node, program)} {ONLY_INF.how}; {where}."
    yield tell("zero-times", products="0 × nan = nan")
    yield f"Try: {ONLY_INF.do}{line_of_inf(node, program)}."


def line_of_inf(softmax: Any, program: Program) -> str:
    """The line that writes -inf for an operation, or else the only one; and that of its mask."""
    bound = (each for _, each in everywhere(program.frame, ast.Assign))
    alone = [e.value for e in bound if isinstance(e.targets[0], ast.Name)]  # best = -math.inf
    lines = {
        source.spoken(each.lineno)
        for source, each in everywhere(program.frame, ast.UnaryOp | ast.Call)
        if each not in alone
        if value_of(each, lambda _: None) == -math.inf
    }
    masks = {line_of(each, program) for each in near(operand(softmax)) if puts(each)}
    found = masks & lines or {line for line in lines if masks}
    is_softmax = "Softmax" in kind_of_node(softmax)  # of which a row may be masked whole
    made = {line for _, line in masks_of(softmax, program) if line and is_softmax}
    known = dict.fromkeys(each.pop() for each in (found, made) if len(each) == 1)
    return in_brackets("; ".join(known))


def saved_nan(node: Any) -> tuple[int, int] | None:
    """How many elements of what a node saved are nan, and of how many; None for none."""
    for slot in (each for each in dir(type(node)) if each.startswith("_saved_")):
        value = saved(node, slot.removeprefix("_saved_"))
        if value is not None and kind_of(value) == "nan":
            return int(value.detach().isnan().sum()), value.numel()
    return None


def made_there(found: tuple[str, str, str, str]) -> Iterator[str]:
    """What `line_that_made` has found, in words."""
    made, line, why, do = found
    yield tell("bad-data-made", line=line, name=made, why=why)
    yield f"Try: {do}."


def dropped_too_late(used: str, thing: Any, name: str) -> Iterator[str]:
    """That a result of numbers is computed from such data, so that its gradients are nan."""
    kind = kind_of(thing)
    yield f"{name} is computed from {used}, which holds {kind}."
    yield tell("dropped-too-late", kind=kind)
    zeros = tell("zeros-for-nan", used=used) if kind == "nan" else ""
    yield tell("drop-first", used=used, zeros=zeros)


def line_that_made(name: str, program: Program) -> tuple[str, str, str, str] | None:
    """The name, the line, how it made nan or inf of numbers, and what helps; None if unknown."""
    for _ in range(MOST):
        at = program.last(name, kinds=(BINDS,))
        if at < 0 or program.last(name) != at or program.steps[at].branch:
            return None
        step, known = program.steps[at], meant_at(at, program)
        for part in reversed(parts_in(step.value)):  # what is inside of others first
            if made := made_by(part, known) or by_one_value(part, step.value, name, program):
                return name, step.line, *made
        behind = [
            each for each in names_in(step.value) if is_bad(known(ast.Name(each, ast.Load())))
        ]
        if len(behind) != 1:
            return None
        (name,) = behind
    return None


def by_one_value(
    part: ast.AST, whole: ast.expr, name: str, program: Program
) -> tuple[str, str] | None:
    """The same of ``x.std()``, where ``x`` goes into ``name`` as it is: both have one element."""
    given, numel = operands(part), getattr(program.variables.get(name), "numel", None)
    if not is_call(part, {"std", "var"}) or len(given) != 1 or numel is None or numel() != 1:
        return None
    own, maker = ast.unparse(given[0]), MAKERS["Std"]
    sides = [side for each in parts_in(whole, ast.BinOp) for side in operands(each)]
    is_one = own in map(ast.unparse, sides)
    return (f"{maker.how}, as {own} was there", maker.do) if is_one else None


def made_by(part: ast.AST, known: Callable[[ast.expr], Any]) -> tuple[str, str] | None:
    """How an operation that is written has made nan or inf of numbers; None where it has not."""
    match part:
        case ast.BinOp(left, ast.Mult(), right):
            return zero_times_inf(left, right, known)
    given = [each for each in operands(part) if getattr(each, "id", "") not in ROOMS]
    by = 1 if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) else 0
    decides = value_of(given[by], known) if given[by:] else None
    is_known = decides is not None and not isinstance(decides, int | float)
    if not is_known or is_bad(decides) or not is_bad(value_of(part, known)):
        return None
    for kind, maker in [*MAKERS.items(), *OTHERS.items()]:
        if not is_run_by(part, kind, None) or not bool((found := maker.bad(decides)).any()):
            continue
        exponent = value_of(given[1], known) if kind == "Pow" and given[1:] else None
        is_root = maker is OTHERS["Pow"]
        if isinstance(exponent, int | float) and (exponent >= 0 and not (is_root and exponent % 1)):
            continue  # a square of numbers can only overflow
        count = f"at {int(found.sum())} of its {found.numel()} elements"
        zero = f"; {ast.unparse(given[by])} is 0 {count}" if kind == "Div" else ""
        return f"{maker.how}{zero}", maker.do
    return None


def zero_times_inf(
    left: ast.expr, right: ast.expr, known: Callable[[ast.expr], Any]
) -> tuple[str, str] | None:
    """That a product is nan where one factor is 0 and the other inf, and what helps; else None."""
    values = [value_of(each, known) for each in (left, right)]
    if not all(hasattr(type(each), "grad_fn") for each in values):
        return None
    for (one, a), (other, b) in (zip((left, right), values), zip((right, left), values[::-1])):
        meet = (a == 0) & b.isinf()
        if bool(meet.any()) and not bool((a.isnan() | b.isnan()).any()):
            zero, inf = ast.unparse(one), ast.unparse(other)
            why = tell("zero-times-inf", zero=zero, inf=inf, count=int(meet.sum()))
            return why, tell("choose-the-factor", zero=zero, inf=inf)
    return None


def is_bad(value: Any) -> bool:
    """Whether this is nan or inf, or a tensor that holds some."""
    if isinstance(value, int | float):
        return not math.isfinite(value)
    return hasattr(type(value), "grad_fn") and bool(kind_of(value))
