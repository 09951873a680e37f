"""Steps that were too long: weights that have grown with each, until nothing gets through."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..gradients.unread_gradients import gradients_unread
from ..graph.bounds import largest_of
from ..graph.expression_of_node import line_of_assignment
from ..graph.nan_and_inf import kind_of as kind_of_values
from ..graph.nodes import kind_of, leaf_of, leaves_behind, nodes_behind
from ..program.program import Program
from ..program.statements import BINDS
from ..program.unread_values import unread
from ..source.line_order import is_above
from ..source.reader import in_brackets
from ..source.syntax import is_call, name_called, names_in
from ..source.syntax import targets_of as names_bound
from ..source.texts import everywhere, texts
from ..source.variables import groups_of, held, is_parameter, parameters_of, stepped_by, thing_at
from ..words.sentences import say
from .late_clips import late_clips
from .step_lengths import line_of_rate
from .unchanged import is_step
from .unreachable_targets import LOSSES, targets_of

GROWN = 100.0  #: a weight of a layer, which begins below 1, has grown by long steps
WORSE = 10.0  #: a loss so much larger than that of outputs of 0 is one of such steps
MOST = 2  #: lines of steps that are named
LARGE = 20.0  #: data above it are not scaled
HUGE = 100  #: the same where one factor is learned for each column, and none for pairs of them


def exploded(loss: Any, program: Program) -> Iterator[str]:
    """That weights have grown so that all is off, or that the loss is beyond that of no net."""
    nodes = nodes_behind(loss)
    layers = [leaf_of(node.next_functions[2][0]) for node in nodes if kind_of(node) == "Addmm"]
    weights = [leaf for leaf in layers if leaf is not None and is_parameter(leaf)]
    grown = [leaf for leaf in weights if leaf._version > 1 and largest_of(leaf) > GROWN]
    if not grown or any(gradients_unread(nodes)):
        return
    if not (is_off(nodes, weights) or is_worse(loss, nodes, program)):
        return
    leaf = max(grown, key=largest_of)
    name = program.name_of(leaf) or "a weight"
    yield say("thrown-off", name=name, largest=largest_of(leaf), begins=leaf.shape[1] ** -0.5)
    facts, do = what_helps(loss, say("what-it-steps"), program)
    yield from [*facts, f"Try: {do}."]


def is_off(nodes: list[Any], weights: list[Any]) -> bool:
    """Whether nothing comes to the first weights, and a relu is on the way."""
    has_relu = any(kind_of(node) == "Relu" for node in nodes)
    grads = [leaf.grad for leaf in weights]
    flat = [grad is not None and not bool(grad.detach().any()) for grad in grads]
    return has_relu and any(flat)


def is_worse(loss: Any, nodes: list[Any], program: Program) -> bool:
    """Whether a loss of squares is far above that of outputs that are 0."""
    node = next((each for each in nodes if kind_of(each) in LOSSES), None)
    targets = None if node is None or loss.numel() != 1 else targets_of(node, program)
    is_mean = kind_of(loss.grad_fn) in ("MseLoss", "Mean")
    return (
        is_mean
        and targets is not None
        and float(loss.detach()) > WORSE * float(targets.double().pow(2).mean()) > 0
    )


def what_helps(loss: Any, name: str, program: Program) -> tuple[list[str], str]:
    """What makes steps too long, and what makes them shorter; ``name`` is what they change.

    That is a cut that takes effect, scaled data, or a smaller learning rate.
    """
    if lost := [*unread(program)]:
        return lost[:1], lost[1].removeprefix("Try: ").removesuffix(".")
    if said := [*late_clips(program)]:
        return said[:1], say("cut-between")
    if not (data := large_data(loss, program)):
        line = in_brackets(line_of_steps(loss, program))
        return [], say("shorter", line=line, name=name)
    weights = [leaf for leaf in leaves_behind(loss) if leaf.dim() == 2]
    targets = targets_among(data, loss, program)
    inputs = {own: largest for own, largest in data.items() if own not in targets}
    is_deep = len(weights) > 1  # else the length of stable steps does not depend on targets
    return scaled(inputs | targets if is_deep else inputs or targets, bool(weights), program)


def overshot(net: Any, optimizer: Any, program: Program) -> Iterator[str]:
    """That data which a net of one layer is called with are too large for its rate and squares."""
    calls = [each for _, each in everywhere(program.frame) if is_call(each)]
    weights = [leaf for _, leaf in parameters_of(net) if leaf.dim() == 2]
    rates = [each["lr"] for each in groups_of(optimizer) if "betas" not in each]
    is_mse = any(name_called(each.func) in ("mse_loss", "MSELoss") for each in calls)
    tensors = [each for each in program.variables.values() if type(each) is Tensor]
    is_known = rates and is_mse and len(weights) == 1
    if not is_known or any(kind_of_values(each) for each in tensors if not each.requires_grad):
        return
    for call in calls:
        match call:
            case ast.Call(function, [ast.Name(name)]) if (
                thing_at(function, program.variables) is net
            ):
                thing = program.variables.get(name)
                if type(thing) is not Tensor or thing.requires_grad or thing.dim() != 2:
                    continue
                size = float(thing.detach().double().pow(2).mean())
                if min(rates) * size > 1 and not is_bound_in_a_loop(name, program):  # unstable
                    facts, do = scaled({name: largest_of(thing)}, True, program)
                    yield from [*facts, f"Try: {do}."]
                    return


def scaled(data: dict[str, float], by_column: bool, program: Program) -> tuple[list[str], str]:
    """That data under these names are too large, and how the first are scaled where."""
    told = [f"{own} (up to {largest:.3g})" for own, largest in data.items()]
    first, *others = data
    more = say("scale-others", names=" and ".join(others)) if others else ""
    facts = [say("not-scaled", names=" and ".join(told))]
    spread = [program.variables[own].detach().std(0) for own in data]
    by_column = by_column and all(bool((each > 0).all()) for each in spread)
    where = {"name": first, "more": more, "place": place_below(first, program)}
    return facts, say("scale-it" if by_column else "scale-by", **where)


def place_below(name: str, program: Program) -> str:
    """Where a value under a name can be made another one: below what was made of it, too."""
    if program.frame is None or program.frame.f_globals.get(name) is not program.variables[name]:
        return "above the loop"
    statements = [(source, each) for source, tree in texts(program.frame) for each in tree.body]
    lines = [s.spoken(each.lineno) for s, each in statements if name in bound_by(each)]
    reads = [s.spoken(e.lineno) for s, e in statements if lines and makes_data(e, name, program)]
    later = [each for each in reads if is_above(lines[-1], each)]
    return f"below {[*lines, *later][-1]}" if lines else "above the loop"


def bound_by(statement: ast.AST) -> set[str]:
    """The names that a statement gives to something, or writes into."""
    return set().union(*(names_in(ast.parse(each)) for each in names_bound(statement)))


def makes_data(statement: ast.AST, name: str, program: Program) -> bool:
    """Whether a line makes other data of those under a name."""
    made = [program.variables.get(each) for each in bound_by(statement)]
    is_data = any(hasattr(type(each), "grad_fn") and not each.requires_grad for each in made)
    return is_data and not isinstance(statement, ast.For) and name in names_in(statement, ast.Load)


def targets_among(data: dict[str, float], loss: Any, program: Program) -> dict[str, float]:
    """Those of the data that a loss compares its outputs with, or takes the targets from."""
    known = [targets_of(each, program) for each in nodes_behind(loss) if kind_of(each) in LOSSES]
    values = [each._value for each in known if each is not None]
    names = {
        name
        for name, thing in program.variables.items()
        if any(getattr(thing, "_value", None) is each for each in values)
    }
    behind = set().union(*map(program.parts_of, names)) & {*data}
    behind -= set().union(*map(program.parts_of, behind))  # what the targets themselves are made of
    names = names & {*data} or behind
    return {name: largest for name, largest in data.items() if name in names}


def large_data(loss: Any, program: Program) -> dict[str, float]:
    """The names of large data that a loss is computed from, those that no loop binds first.

    Targets are among them where the loss is one of squares: counts of others have to stay.
    """
    nodes = nodes_behind(loss)
    kinds = {kind_of(node) for node in nodes}
    is_plain = bool(kinds & LOSSES) and "Exp" not in kinds
    weights = [leaf for leaf in leaves_behind(loss) if is_parameter(leaf) and leaf.dim() == 2]
    widths = {leaf.shape[1] for leaf in weights}
    found = {}
    for name, _, _ in program.ingredients(program.name_of(loss) or ""):
        thing = program.variables.get(name)
        is_data = type(thing) is type(loss) and not thing.requires_grad and thing.numel() > 1
        if not is_data or is_bound_in_a_loop(name, program) or largest_of(thing) <= LARGE:
            continue
        is_input = thing.dim() == 2 and thing.shape[1] in widths
        is_factor = largest_of(thing) > HUGE and not is_target(thing, nodes, program)
        if not widths and (not is_factor or len(leaves_behind(loss)) == 1):
            continue
        if is_plain or is_input and not bool((thing == thing.round()).all()):
            found[name] = largest_of(thing)
    return found


def is_target(thing: Any, nodes: list[Any], program: Program) -> bool:
    """Whether a loss compares its outputs with this: in a fit without layers it may stay."""
    known = (targets_of(each, program) for each in nodes if kind_of(each) in LOSSES)
    return any(each is not None and each._value is thing._value for each in known)


def is_bound_in_a_loop(name: str, program: Program) -> bool:
    """Whether each round of a loop gives a name its value."""
    at = program.last(name, kinds=(BINDS,))
    return any(start <= at < end for start, end in program.loops)


def line_of_steps(loss: Any, program: Program) -> str:
    """The line that sets how long the steps behind a loss are; empty where that is unknown."""
    leaves = {id(leaf) for leaf in leaves_behind(loss)}
    for each in held(program.variables):
        if any(id(leaf) in leaves for leaf in stepped_by(each.thing)):
            return line_of_rate(each.path, program)
    steps = [(source, each) for source, each in everywhere(program.frame) if is_step(each)]
    factors = {name for _, each in steps for name in names_in(each.value, ast.Load)}
    factors = {each for each in factors if isinstance(program.variables.get(each), float)}
    if line := line_of_assignment(program, lambda target, _: name_called(target) in factors):
        return line
    if 0 < len(steps) <= MOST:
        return " and ".join(source.spoken(each.lineno) for source, each in steps)

    def has_a_rate(_target: Any, value: Any) -> bool:
        return any(each.arg == "lr" for each in getattr(value, "keywords", ()))

    return "" if steps else line_of_assignment(program, has_a_rate)
