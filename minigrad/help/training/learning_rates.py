"""Steps of a length that leads nowhere, and learning rates that are set where nobody reads them.

Weights hardly move by such steps, or jump past all values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..gradients.idle_hooks import function_of
from ..graph.bounds import largest_of
from ..graph.expression_of_node import line_of_assignment
from ..program.evaluated import value_of
from ..program.program import Program
from ..source.line_order import without_text
from ..source.reader import in_brackets
from ..source.syntax import LOOPS, is_call, name_called, targets_of
from ..source.texts import definition_of, everywhere
from ..source.variables import groups_of, is_parameter, is_tensor, own_name
from ..words.sentences import say
from .steps_without_effect import line_that_makes

LARGE = 0.3  #: a learning rate above it is large for Adam
SMALL = 1e-4  #: learning rates above it are no longer called small
MOVED = 0.01  #: of its size, so much a weight has to be able to move
FAR = 20.0  #: times as large as weights begin, and long steps have thrown them there
FAIR = 1e-2  #: a usual learning rate of SGD
LARGE_DATA = 20.0  #: data above it are not scaled, and their gradients are large, too
FEWEST = 20  #: rounds that tell something
MOST = 3  #: lines that are named


def of_rates(optimizer: Any, its: str, program: Program) -> list[list[str]]:
    """What is wrong with the rates of an optimizer, and the steps they make: the gravest first."""
    asked = (idle_rate, short_steps, long_steps, divided_out)
    return [said for each in asked if (said := [*each(optimizer, its, program)])]


def short_steps(optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """That all steps so far can have moved no weight by more than a hundredth of its size."""
    for group in groups_of(optimizer):
        rate = group.get("lr", 1)
        stepped = [each for each in group["params"] if each.grad is not None and each._version]
        steps = max((each._version for each in stepped), default=0)
        if not is_small(rate, steps, program):
            continue
        moves = [moved(each, rate, "betas" in group) for each in stepped]
        longer = [moved(each, FAIR, False) for each in stepped]  # 0 where all has been learned
        is_fair = "betas" in group or max(longer) > MOVED and not has_large_data(program)
        if all(move < MOVED for move in moves) and is_fair:
            line = in_brackets(line_of_rate(its, program))
            most = 2 * max(moves)  # the gradients may have been larger before
            yield say("short-steps", its=its, rate=rate, line=line, moved=most)
            yield say("longer-steps", rate="0.001" if "betas" in group else "0.01")
            return


def is_small(rate: Any, steps: int, program: Program) -> bool:
    """Whether a rate has been so small in so many steps that it is to be looked at."""
    is_low = isinstance(rate, float) and 0 < rate <= SMALL
    return is_low and steps >= FEWEST and not has_fallen(program)


def has_large_data(program: Program) -> bool:
    """Whether numbers of the program are so large that steps have to be short."""
    things = [each for each in program.variables.values() if is_tensor(each)]
    return any(largest_of(each) > LARGE_DATA for each in things if not each.requires_grad)


def long_steps(optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """That each step of Adam is longer than the weights of its layers are when they begin.

    Or that those of a rate that is large for others have moved them far beyond that.
    """
    for group in groups_of(optimizer):
        rate = group.get("lr", 0)
        weights = [each for each in group["params"] if each.dim() == 2 and is_parameter(each)]
        begins = max((each.shape[1] ** -0.5 for each in weights), default=1.0)
        size, is_adam = max(map(largest_of, weights), default=0.0), "betas" in group
        is_far = rate >= 1 and size > FAR * begins and not has_large_data(program)
        if len(weights) > 1 and (rate > max(LARGE, begins) if is_adam else is_far):
            line = in_brackets(line_of_rate(its, program))
            of = {"its": its, "rate": rate, "line": line, "begins": begins}
            yield say("long-steps" if is_adam else "far-steps", size=size, **of)
            yield say("shorter-steps", rate="0.001" if is_adam else "0.01")
            return


def divided_out(optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """That a hook multiplies a gradient by a number, and Adam divides by the gradient's size."""
    for group in groups_of(optimizer):
        is_plain = "betas" in group and not group["weight_decay"]
        leaves = [each for each in group["params"] if each._backward_hooks and is_plain]
        for hook in (hook for leaf in leaves for hook in leaf._backward_hooks.values()):
            source, function = definition_of(function_of(hook))
            if factor := factor_of(function):
                line, hook = in_brackets(line_of_rate(its, program)), source.spoken(function.lineno)
                yield say("divided-out", hook=hook, its=its, line=line, rate=group["lr"])
                key = "scale-the-rate" if len(group["params"]) == 1 else "scale-in-a-group"
                yield say(key, rate=group["lr"] * factor)
                return


def factor_of(hook: Any) -> float:
    """The number by which a hook multiplies what it is given; 0 where it does anything else."""
    body = getattr(hook, "body", [])
    value = getattr(body[0], "value", None) if isinstance(body, list) and len(body) == 1 else body
    own = [each.arg for each in hook.args.args[:1]] if body else []
    one, two = (value_of(value, lambda name, x=x: x * ([name.id] == own)) for x in (1.0, 2.0))
    return one if one not in (None, 1.0) and two == 2 * one > 0 else 0


def moved(leaf: Any, rate: float, is_scaled: bool) -> float:
    """How far such steps have moved a leaf at most, by its size: Adam's are as long as its rate.

    Others are as long as the gradients, of which the last one is known.
    """
    length = 1.0 if is_scaled else largest_of(leaf.grad)
    size = largest_of(leaf)
    return leaf._version * rate * length / size if size else 1.0


def has_fallen(program: Program) -> bool:
    """Whether a line makes the rate of a group another one, so that steps before were longer."""
    for _source, each in everywhere(program.frame):
        match each:
            case ast.Assign([ast.Subscript(_, ast.Constant("lr"))], ast.Constant()):
                continue
            case ast.AugAssign(target) | ast.Assign([target]) if sets_it(target):
                return True
    return False


def sets_it(target: Any, _value: Any = None) -> bool:
    """Whether the learning rate of a group is what is set."""
    return getattr(getattr(target, "slice", None), "value", "") == "lr"


def line_of_rate(its: str, program: Program) -> str:
    """The only line that sets the learning rate, or else the one that makes the optimizer."""
    return line_of_assignment(program, sets_it) or line_that_makes(its, program)


def idle_rate(optimizer: Any, its: str, program: Program) -> Iterator[str]:
    """That a line sets ``optimizer.lr``, or a name whose number an optimizer was made with."""
    groups = groups_of(optimizer)
    if any(sets_a_rate(each) for _, each in everywhere(program.frame)):
        return
    if "lr" in vars(optimizer or object):
        yield from own_attribute(its, groups[0]["lr"], program)
        return
    made = [e for _, e in everywhere(program.frame, ast.Assign) if is_call(e.value)]
    made = [each for each in made if name_called(each.targets[0]) == own_name(its)]
    if len(groups) != 1 or len(made) != 1:
        return
    given = {each.arg: each.value for each in made[0].value.keywords}
    name = getattr(given.get("lr") or next(iter(made[0].value.args[1:]), None), "id", "")
    rate, own = groups[0].get("lr"), program.variables.get(name)
    is_known = isinstance(rate, float) and "initial_lr" not in groups[0]  # which a schedule adds
    if not name or not is_known or own == rate:
        return
    loops = everywhere(program.frame, LOOPS)
    inside = [(source, each) for source, loop in loops for each in ast.walk(loop)]
    lines = dict.fromkeys(s.spoken(each.lineno) for s, each in inside if name in targets_of(each))
    if len(lines) == 1 and not any(each is made[0] for _, each in inside):
        (line,), before = lines, in_brackets(line_that_makes(its, program))
        yield say("number-of-then", its=its, line=line, name=name, rate=rate, made=before)
        yield say("into-the-groups", its=its, name=name, line=without_text(line))


def own_attribute(its: str, rate: float, program: Program) -> Iterator[str]:
    """That a line sets ``optimizer.lr``, with the lines that read it.

    Of several it is one by which it is to change: ``optimizer.lr *= 0.5``.
    """
    frame, own = program.frame, f"{its}.lr"
    is_own = [(s, e) for s, e in everywhere(frame, ast.Attribute) if ast.unparse(e) == own]
    for source, each in [*everywhere(frame, ast.AugAssign), *everywhere(frame, ast.Assign)]:
        target = each.targets[0] if isinstance(each, ast.Assign) else each.target
        new = ast.unparse(each).removeprefix(f"{own} ")
        if any(target is part for _, part in is_own):
            new = new.replace(own, 'group["lr"]')
            read = [(s, e) for s, e in is_own if isinstance(e.ctx, ast.Load)]
            read = [(s, e) for s, e in read if e.lineno != each.lineno]
            lines = "; ".join(dict.fromkeys(s.spoken(e.lineno) for s, e in read[:MOST]))
            others = say("read-the-group", its=its, lines=lines) if lines else ""
            yield say("idle-rate", its=its, line=source.spoken(each.lineno), rate=rate)
            yield say("set-the-groups", its=its, new=new, others=others)
            return


def sets_a_rate(part: ast.AST) -> bool:
    """Whether a part of a program sets the rate of a group."""
    is_update = is_call(part, {"update"}) and "lr" in ast.unparse(part)
    return is_update or sets_it(part) and isinstance(part.ctx, ast.Store)
