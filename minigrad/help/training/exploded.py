"""Steps that were too long: weights that have grown with each, until nothing gets through.

And data so large that they make steps too long, and how they are scaled where they are made.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...autograd.function import FunctionNode
from ..gradients.custom_backwards import gradients_unread
from ..gradients.passes import added_up, rounds
from ..graph.bounds import KEEPS, bounds, largest_of
from ..graph.expression_of_node import line_of_assignment
from ..graph.nodes import is_all_0, kind_of, leaf_of, leaves_behind, next_of, nodes_behind
from ..program.emptied import is_emptied_somewhere
from ..program.program import Program
from ..program.statements import BINDS
from ..program.unread_values import unread
from ..source.line_order import is_above
from ..source.reader import in_brackets
from ..source.syntax import name_called, names_in
from ..source.syntax import targets_of as names_bound
from ..source.texts import all_calls, texts
from ..source.variables import groups_of, is_parameter, is_tensor, optimizers
from ..words.sentences import say
from .accumulated import summed_for_a_step
from .gradient_ascent import without_end
from .large_starts import large_start
from .learning_rates import FAIR, LARGE, LARGE_DATA, is_small, line_of_rate, of_rates
from .order_of_calls import late_clips
from .outputs import COMPARED
from .unchanged import steps_in_place
from .unreachable_targets import targets_of

GROWN = 100.0  #: a weight of a layer, which begins below 1, has grown by long steps
LOST = 20.0  #: a mean of logs above it is one of nets that are sure of what is false
OF_CLASSES = {"NllLoss", "BinaryCrossEntropyWithLogits", "BinaryCrossEntropy"}
BEYOND = 1e4  #: times the squares of all targets, and no net misses so much when it begins
MISSED = 2.0  #: squares of what is missed, by those of the targets, of a fit that goes astray
LOWERED = 0.05  #: of a loss, so much its steps have to promise
MOST = 2  #: lines of steps that are named
Told = tuple[list[str], str]  #: what is known, and what to do
#: all that is behind a loss of squares where each leaf is a factor of data, or is added
LINEAR = COMPARED | KEEPS | {"Mul", "Add", "Rsub", "Pow", "Div", "Sum", "AccumulateGrad", ""}


def exploded(loss: Any, program: Program) -> Iterator[str]:
    """That weights have grown so that all is off, or that the loss is beyond that of no net."""
    nodes = nodes_behind(loss)
    is_mean = kind_of(loss.grad_fn) in OF_CLASSES and loss.grad_fn._saved_reduction == 1
    is_lost = is_mean and float(loss.detach()) > LOST
    is_lost = is_lost and all(map(is_parameter, leaves_behind(loss)))  # not by inputs that learn
    off = given_nothing(loss, nodes)
    if (is_lost or off) and (grown := grown_weights(nodes, is_lost, program)):
        name = program.name_of(off[-1]) or "a weight" if off else ""
        beside = [say("nothing-through", name=name)] if off else []
        yield from thrown_off(loss, grown, beside, program)


def beyond_measure(loss: Any, program: Program) -> Iterator[str]:
    """That a loss of squares is far beyond those of its targets, and weights have grown."""
    nodes, now = nodes_behind(loss), float(loss.detach()) if loss.numel() == 1 else 0.0
    most = squares_of_targets(nodes, program) if now else 0.0
    is_beyond = math.inf > now > BEYOND * most > 0
    if is_beyond and (grown := grown_weights(nodes, False, program)):
        yield say("beyond-targets", name=program.name_of(loss) or "the loss", now=now, most=most)
        yield from thrown_off(loss, grown, [], program)


def thrown_off(loss: Any, grown: list[Any], beside: list[str], program: Program) -> Iterator[str]:
    """That steps have made the largest of some weights so large, and what makes them shorter."""
    leaf = max(grown, key=largest_of)
    name = program.name_of(leaf) or "a weight"
    if large_start(program) is None:  # else the steps have not made it so large
        yield say("thrown-off", name=name, largest=largest_of(leaf), begins=begins_below(leaf))
    yield from beside
    facts, do = what_helps(loss, say("what-it-steps"), program)
    yield from [*facts, f"Try: {do}."]


def weights_of_layers(nodes: list[Any]) -> list[Any]:
    """The weights that the layers among some nodes multiply by."""
    layers = [leaf_of(node.next_functions[2][0]) for node in nodes if kind_of(node) == "Addmm"]
    return [leaf for leaf in layers if leaf is not None and is_parameter(leaf)]


def begins_below(weight: Any) -> float:
    """What no number of the weight of a layer is beyond when it begins."""
    return weight.shape[-1] ** -0.5


def grown_weights(nodes: list[Any], is_lost: bool, program: Program) -> list[Any]:
    """The weights of layers that steps have made larger than they begin; none by a wrong backward.

    Where steps of Adam leap, by anything; else far, or by twice where a loss ``is_lost``.
    """
    larger = [
        leaf
        for leaf in weights_of_layers(nodes)
        if (first := begins_below(leaf)) < largest_of(leaf) and leaf._version > 1
        if leaps(leaf, program) or largest_of(leaf) > (2 * first if is_lost else GROWN)
    ]
    return larger if larger and not any(gradients_unread(nodes)) else []


def overshot(loss: Any, program: Program) -> Iterator[str]:
    """That a step of plain descent promises to lower a cost by more than there is of it.

    Of squares a step along the gradient makes the cost larger, if it promises four times of it; a
    momentum allows a rate that is larger by its share. Or that all steps promise next to nothing.
    """
    nodes, leaves = nodes_behind(loss), leaves_behind(loss)
    stepped = [leaf for leaf in leaves if leaf.grad is not None]
    is_last = any(node.is_freed for node in nodes) and all(rounds(leaf) == 1 for leaf in stepped)
    if loss.numel() != 1 or bounds(loss.grad_fn)[0] < 0 or not stepped or not is_last:
        return
    tools = optimizers(program.variables, leaves).items()
    known, now = rates_of_steps(leaves, program), float(loss.detach())
    is_own = any(isinstance(node, FunctionNode) for node in nodes)  # which may be wrong
    is_told = is_own or any(of_rates(tool, its, program) for its, tool in tools)
    if is_told or len(known) != len(stepped):
        return
    sizes = [float((each.detach() ** 2).mean()) for each in targets_compared(nodes, program)]
    rate, share = (max(own) for own in zip(*((step.rate, step.momentum) for step in known)))
    fall = sum(step.rate * float((step.leaf.grad.detach() ** 2).sum()) for step in known)
    of = {"rate": rate, "now": now, "name": program.name_of(loss) or "the loss"}
    of["line"] = in_brackets(line_of_steps(loss, program))
    # Squares of what is missed are small in steps that are long, and lead on.
    if sizes and now >= MISSED * max(sizes) and 4 * now * (1 + share) < fall < math.inf:
        yield say("overshot", fall=fall, **of)
        facts, do = what_helps(loss, say("what-it-steps"), program)
        yield from [*facts, f"Try: {do}."]
    steps = max(leaf._version for leaf in stepped)
    falls = steps * fall / (1 - share) if share < 1 else 0.0
    is_slow = 0 < falls < LOWERED * now and now < 2 * falls * FAIR / rate
    used = names_behind(loss, program) if is_slow and is_small(rate, steps, program) else None
    data = {each for each in used or () if not is_computed(program.variables.get(each))}
    if used is not None and not any(is_bound_in_a_loop(each, program) for each in data):
        yield say("low-falls", fall=falls, **of)
        yield say("longer-steps", rate=FAIR)


class Step(NamedTuple):
    """How a leaf is stepped along its gradient."""

    leaf: Any
    rate: float
    momentum: float = 0.0


def rates_of_steps(leaves: list[Any], program: Program) -> list[Step]:
    """The leaves that are stepped along their gradient alone; by hand, by the only factor."""
    tools = optimizers(program.variables, leaves).values()
    if not tools:
        factors = factors_of_steps(program)
        rate = program.variables[factors.pop()] if len(factors) == 1 else 0.0
        return [Step(leaf, rate) for leaf in leaves if leaf.grad is not None]
    if any(type(tool).__name__ != "SGD" or tool.defaults.get("maximize") for tool in tools):
        return []
    own, groups = {*map(id, leaves)}, [each for tool in tools for each in groups_of(tool)]
    held = [Step(e, by["lr"], by.get("momentum", 0.0)) for by in groups for e in by["params"]]
    return [step for step in held if id(step.leaf) in own and step.leaf.grad is not None]


def squares_of_targets(nodes: list[Any], program: Program) -> float:
    """The sum of the squares of what losses compare outputs with, the largest of them."""
    sums = (float((each.detach() ** 2).sum()) for each in targets_compared(nodes, program))
    return max(sums, default=0.0)


def leaps(weight: Any, program: Program) -> bool:
    """Whether one step of Adam moves weights farther than those of their layer lie at first."""
    tools = optimizers(program.variables, [weight]).values()
    groups = [each for tool in tools for each in groups_of(tool) if "betas" in each]
    own = [group for group in groups if any(weight is each for each in group["params"])]
    return any(group["lr"] > begins_below(weight) for group in own)


def given_nothing(loss: Any, nodes: list[Any]) -> list[Any]:
    """The weights to which nothing comes, where a relu is on the way; none at a loss of 0."""
    has_relu = any(kind_of(node) == "Relu" for node in nodes) and bool(loss.detach().any())
    filled = [leaf for leaf in weights_of_layers(nodes) if leaf.grad is not None and has_relu]
    return [leaf for leaf in filled if is_all_0(leaf.grad)]


def what_helps(loss: Any, name: str, program: Program) -> Told:
    """What makes steps too long, and what makes them shorter; ``name`` is what they change.

    That is a cut that takes effect, scaled data, weights that begin smaller, or a smaller learning
    rate.
    """
    if started := large_start(program):
        return started
    if lost := [*unread(program)]:
        return lost[:1], lost[1].removeprefix("Try: ").removesuffix(".")
    for leaf in leaves_behind(loss)[:1]:
        said = [*added_up(leaf, program.name_of(leaf) or "a leaf", program)]
        if said[1:] and not is_emptied_somewhere(program.frame):
            return said[:1], said[1].removeprefix("Try: ").removesuffix(".")
    if said := [*late_clips(program)]:
        return said[:1], say("cut-between")
    if known := summed_for_a_step(program) or without_end(loss, program):
        return known
    line = in_brackets(line_of_steps(loss, program))
    return scaled_behind(loss, program) or ([], say("shorter", line=line, name=name))


def line_of_steps(loss: Any, program: Program) -> str:
    """The line that sets how long the steps behind a loss are; empty where that is unknown."""
    for path in optimizers(program.variables, leaves_behind(loss)):
        return line_of_rate(path, program)
    factors = factors_of_steps(program)
    if line := line_of_assignment(program, lambda target, _: name_called(target) in factors):
        return line
    steps = steps_in_place(program)[: MOST + 1]
    few = [source.spoken(each.lineno) for source, each in steps]
    return " and ".join(few) if len(few) <= MOST else ""


def factors_of_steps(program: Program) -> set[str]:
    """The names of the plain numbers that steps by hand multiply gradients by."""
    steps = steps_in_place(program)
    names = {name for _, each in steps for name in names_in(each.value, ast.Load)}
    return {each for each in names if isinstance(program.variables.get(each), float)}


def scaled_behind(loss: Any, program: Program) -> Told | None:
    """That data which a loss is computed from are too large, and how they are scaled."""
    if not (data := large_data(loss, program)):
        return None
    weights = [leaf for leaf in leaves_behind(loss) if leaf.dim() == 2]
    targets = targets_among(data, loss, program)
    inputs = {own: largest for own, largest in data.items() if own not in targets}
    inputs, targets = wholes(inputs, program), wholes(targets, program)
    if len(weights) < 2:  # then the length of stable steps does not depend on targets
        targets = {}
    added = [next_of(node) for node in nodes_behind(loss) if kind_of(node) == "Add"]
    has_offset = any(kind_of(each) == "AccumulateGrad" for side in added for each in side)
    by_column = bool(weights) or has_offset
    tools = optimizers(program.variables, leaves_behind(loss)).values()
    rates = [each["lr"] for tool in tools for each in groups_of(tool) if "betas" not in each]
    rate, line = max(rates, default=0.0), in_brackets(line_of_steps(loss, program))
    slower = say("with-short-steps", rate=rate, line=line) if rate > LARGE else ""
    return scaled(inputs | targets, by_column, slower, program) if inputs or targets else None


def wholes(data: dict[str, float], program: Program) -> dict[str, float]:
    """Those of the data that no others of them are made of: parts are scaled where the whole is."""
    parts = set().union(*map(program.parts_of, data))
    return {own: largest for own, largest in data.items() if own not in parts}


def scaled(data: dict[str, float], by_column: bool, slower: str, program: Program) -> Told:
    """That data under these names are too large, and how the first are scaled where.

    ``slower`` is what is to be done about steps that are too long for any data.
    """
    told = [f"{own} (up to {largest:.3g})" for own, largest in data.items()]
    first, *others = data
    more = say("scale-others", names=" and ".join(others)) if others else ""
    facts = [say("not-scaled", names=" and ".join(told))]
    spread = [program.variables[own].detach().std(0) for own in data]
    by_column = by_column and all(bool((each > 0).all()) for each in spread)
    where = {"name": first, "more": more + slower, "place": place_below(first, program)}
    where["slowly"] = "" if slower else say("if-slowly")
    return facts, say("scale-it" if by_column else "scale-by", **where)


def place_below(name: str, program: Program) -> str:
    """Where a value under a name can be made another one: below what was made of it, too."""
    if program.frame is None or program.frame.f_globals.get(name) is not program.variables[name]:
        return "above the loop"
    statements = [(source, each) for source, tree in texts(program.frame) for each in tree.body]
    lines = [s.spoken(e.end_lineno) for s, e in statements if name in roots_bound(e)]
    reads = [
        s.spoken(e.end_lineno) for s, e in statements if lines and makes_data(e, name, program)
    ]
    later = [each for each in reads if is_above(lines[-1], each)]
    return f"below {[*lines, *later][-1]}" if lines else "above the loop"


def roots_bound(statement: ast.AST) -> set[str]:
    """The names that a statement gives to something, or writes into."""
    return set().union(*(names_in(ast.parse(each)) for each in names_bound(statement)))


def makes_data(statement: ast.AST, name: str, program: Program) -> bool:
    """Whether a line makes other data of those under a name."""
    made = [program.variables.get(each) for each in roots_bound(statement)]
    is_data = any(is_tensor(each) and not each.requires_grad for each in made)
    return is_data and not isinstance(statement, ast.For) and name in names_in(statement, ast.Load)


def targets_among(data: dict[str, float], loss: Any, program: Program) -> dict[str, float]:
    """Those of the data that a loss compares its outputs with, or makes the targets of."""
    values = target_values(nodes_behind(loss), program)
    names = {
        name
        for name, thing in program.variables.items()
        if any(getattr(thing, "_value", None) is each for each in values)
    }
    behind = set().union(*map(program.parts_of, names)) & {*data}
    behind -= set().union(*map(program.parts_of, behind))  # what the targets themselves are made of
    used = program.parts_of(program.name_of(loss) or "")
    outputs = {own for own in used if is_computed(program.variables.get(own))}
    behind -= set().union(*map(program.parts_of, outputs))  # inputs that targets come of as well
    behind -= names_in(getattr(program.step(program.name_of(loss) or ""), "value", ast.Pass()))
    names = names & {*data} | behind
    return {name: largest for name, largest in data.items() if name in names}


def is_computed(thing: Any) -> bool:
    """Whether this is a result with a history."""
    return getattr(thing, "grad_fn", None) is not None


def large_data(loss: Any, program: Program) -> dict[str, float]:
    """The names of large data that a loss is computed from, those that no loop binds first.

    Targets are among them where the loss is one of squares: counts of others have to stay.
    """
    nodes = nodes_behind(loss)
    kinds = {kind_of(node) for node in nodes}
    is_plain = bool(kinds & COMPARED) and "Exp" not in kinds
    leaves = leaves_behind(loss)
    layers = {leaf.shape[1] for leaf in leaves if is_parameter(leaf) and leaf.dim() == 2}
    by_hand = [leaf for leaf in leaves if ("Mv", "Mm")[leaf.dim() == 2] in kinds and leaf.dim()]
    widths = layers | {leaf.shape[0] for leaf in by_hand}
    found = {}
    for name in names_behind(loss, program):
        thing = program.variables.get(name)
        is_data = type(thing) is type(loss) and not thing.requires_grad and thing.numel() > 1
        if not is_data or is_bound_in_a_loop(name, program) or largest_of(thing) <= LARGE_DATA:
            continue
        is_input = thing.dim() == 2 and thing.shape[1] in widths
        if not layers:  # a fit by hand: its targets may stay, and one factor is learned anyhow
            values = target_values(nodes, program)
            is_factor = kinds <= LINEAR and all(thing._value is not v for v in values)
            if not (is_factor or is_input) or len(leaves) == 1:
                continue
        is_count = thing.shape[1:] in ((), (1,)) and bool((thing == thing.round()).all())
        if is_plain or is_input and not is_count:
            found[name] = largest_of(thing)
    found = dict(sorted(found.items(), key=lambda each: -each[1]))
    used = program.parts_of(program.name_of(loss) or "")
    return found if used & {*found} else dict([*found.items()][:1])


def names_behind(loss: Any, program: Program) -> set[str]:
    """The names that a loss is computed from; where nothing is known, what calls are given."""
    used = program.parts_of(program.name_of(loss) or "")
    if any(type(program.variables.get(each)) is type(loss) for each in used):
        return used
    given = [part for _, call in all_calls(program.frame) for part in call.args]
    return {part.id for part in given if isinstance(part, ast.Name)}


def target_values(nodes: list[Any], program: Program) -> list[Any]:
    """The raw values that losses among some nodes compare outputs with, as far as known."""
    return [each._value for each in targets_compared(nodes, program)]


def targets_compared(nodes: list[Any], program: Program) -> list[Any]:
    """The targets that losses of squares among some nodes compare outputs with."""
    known = [targets_of(each, program) for each in nodes if kind_of(each) in COMPARED]
    return [each for each in known if each is not None]


def is_bound_in_a_loop(name: str, program: Program) -> bool:
    """Whether each round of a loop gives a name its value."""
    at = program.last(name, kinds=(BINDS,))
    return any(start <= at < end for start, end in program.loops)
