"""Why a gradient is 0 everywhere: what lies on every way back and lets nothing through.

That is an operation which is flat between jumps, one whose slope is 0 where it was used, or a
product with a factor that is 0. One that another way goes round is not to blame.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...tensor import Tensor
from ..graph.added_alone import cancels, taken_away
from ..graph.bounds import bounds, is_cost
from ..graph.computed_again import constant_of, value_passed
from ..graph.expression_matches_node import operands
from ..graph.expression_of_node import graph_of, in_words, named, written_like
from ..graph.nan_and_inf import still_known
from ..graph.nodes import is_all_0, is_end, kind_of, leading_to, leaf_of, leaves_of, next_of, saved
from ..graph.softmax_dims import dim_instead, has_one_entry
from ..graph.zero_slopes import FLATS, JUMPS, OF_DISTANCE, SATURATED, SOFTMAX, Flat, may_stop
from ..program.program import Program
from ..program.straight_through import undetached
from ..source.syntax import FUNCTIONS, LOOPS, names_in
from ..source.texts import everywhere
from ..source.variables import held, is_parameter, own_name
from ..words.sentences import GUESS, say, tell
from .idle_hooks import hooks_that_answer, without_the_hook
from .loss_with_itself import with_itself
from .passes import roots_of, rounds
from .sigmoids import what_is_too_large
from .zero_starts import factors_of_0, to_start_from, zero_input, zeros_that_make

MOST = 2


#: each operand of a product: by what its gradient is multiplied, and which operand that is
FACTORS = {
    "Mul": (("other", 1), ("self", 0)),
    "Mm": (("mat2", 1), ("self", 0)),
    "Bmm": (("mat2", 1), ("self", 0)),
    "Mv": (("vec", 1), ("self", 0)),
    "Dot": (("tensor", 1), ("self", 0)),
    "Addmm": (None, ("mat2", 2), ("mat1", 1)),
}
FREED = ("Clamp", "Exp", "Relu", "Sigmoid", "Tanh")  #: may be flat for all that they were given
ALWAYS = "gives gradient 0 everywhere"
OF_MINIMA = {"Relu", "Clamp", "Pow", "LinalgVectorNorm"}  #: are flat where nothing is missed
LOWEST = "The result is 0 itself: where that is the lowest it can be, its gradient is 0 too."
SUMS = {"Mean", "Sum"}
LOOK = "print its other factor, and see which line makes it 0"


class Zero(NamedTuple):
    """A factor that is 0 everywhere: its name, and the leaves of 0 that make it so."""

    name: str
    leaves: list[Any]
    is_result: bool = False  # whose value another line may have made 0


def cancelled(y: Any, x: Any, program: Program) -> Iterator[str]:
    """Where all that depends on ``x`` is added and taken away, and what may be meant constant."""
    if (found := taken_away(y, x)) is None:
        return
    node, gone = found
    name = next(named(gone, program.variables), in_words(gone, program))
    yield tell("cancels-there", name=name, node=in_words(node, program))
    for each in next_of(node):
        own = next(named(each, program.variables), None) if each is not gone else None
        if own and (line := program.binding_line(own)):
            yield tell("constant-there", name=own, of=name, line=line)
            return


def why_zero(y: Any, x: Any, way: list[Any], program: Program) -> Iterator[str]:
    """What lets no gradient through from ``y`` back to ``x``, or may be the one on a ``way``."""
    said = [*undetached(program.frame)]
    if not (said and taken_away(y, x, JUMPS)):
        own, result = program.name_of(x) or "the leaf", program.name_of(y) or "the result"
        said = [tell("cancels", name=own, result=result)] * cancels(y, x)
        said = said or [*cancelled(y, x, program)]
        said = said or [*flat_between(y, x, program)] or [*zero_input(y, x, program)]
    if said:
        yield from said
        return
    for node in way:
        if zero := zero_beside(node, program):
            yield f"{in_words(node, program)} multiplies by {zero}, which is 0 everywhere."
            step = program.step(zero)
            cuts = [] if step is None or step.branch else [*ast.walk(step.value)]
            if any(isinstance(each, ast.FloorDiv) for each in cuts):
                yield tell("whole-part", name=zero, line=step.line)
                yield tell("keep-the-fraction")
                return
            loops = everywhere(program.frame, LOOPS)
            is_varied = any(zero in names_in(each, ast.Store) for _, each in loops)
            look = tell("see-what-makes-it-0", name=zero)
            yield tell("zero-from-the-first", look=look) if is_varied else f"Try: {look}"
            return
    if same := [*with_itself(y, program)]:
        yield from same
        return
    for root in (y, *(each for each in roots_of(program) if getattr(each, "grad_fn", None))):
        is_behind = root is y or y.grad_fn in leading_to(root, x)  # what a pass began at
        is_0 = root.numel() == 1 and not bool(root.detach())
        if is_behind and is_0 and is_cost(root.grad_fn):
            yield LOWEST.replace("The result", program.name_of(root) or "", root is not y)
            yield from of_a_margin(root.grad_fn, program)
            return
    if hooks := [*hooks_that_answer(way, program.name_of(x) or "the leaf")]:
        yield from hooks
        if not any("Try: " in each for each in hooks) and (do := without_the_hook(way)):
            yield do
        return
    flats = [(n, flat) for n in way if (flat := flat_of(n, program)) and may_stop(n, y)]
    unknown = [(n, flat) for n, flat in flats if lets(n, program) is None]
    # A softmax comes last: it is rarely over a single entry.
    unknown.sort(key=lambda each: each[1].lets is SOFTMAX.lets)
    for node, flat in unknown[:1]:
        yield f"{GUESS} {in_words(node, program)}, if {flat.when}."
        yield f"Try: {what_helps(node, program)}."


def to_ask(y: Any, x: Any, program: Program) -> list[str]:
    """To ask before a pass, where several nodes that can have stopped it let go of their values."""
    freed = [node for node in leading_to(y, x) if getattr(node, "is_freed", False)]
    stops = [n for n in freed if kind_of(n) in FREED and lets(n, program) is None]
    names = {"name": program.name_of(x) or "the leaf", "loss": program.name_of(y) or "loss"}
    return [say("flat-here", **names)] * any(may_stop(node, y, alone=False) for node in stops)


def stays_0(y: Any, program: Program) -> Iterator[str]:
    """That steps have left a leaf behind ``y`` at 0, and which other leaves of 0 keep it there.

    The gradient itself, which tells the same, has been emptied since.
    """
    for leaf in leaves_of(y.grad_fn):
        is_emptied = leaf.grad is None or rounds(leaf) == 0
        if is_emptied and is_all_0(leaf) and leaf._version > is_parameter(leaf):
            ends = ends_of(y, leaf, program) or {}
            if any(each and each.leaves for each in ends.values()):
                yield f"{program.name_of(leaf) or 'A leaf'} is still 0 everywhere after its steps."
                yield from flat_between(y, leaf, program)
                return


def jump_between(y: Any, x: Any, program: Program) -> list[str]:
    """What jumps on each way from ``y`` back to ``x``, which holds whatever the values were."""
    said = [*flat_between(y, x, program)]
    return said if said and ALWAYS in said[0] else []


def flat_between(y: Any, x: Any, program: Program) -> Iterator[str]:
    """What is known to let no gradient through on any way from ``y`` back to ``x``."""
    ends, jumps = ends_of(y, x, program) or {}, ends_of(y, x, program, jumps=True) or {}
    # What stops it before a jump would stop the stand-in for that as well.
    is_behind = bool(jumps) and not jumps.keys() <= ends.keys()
    ends = jumps or ends
    for node, factor in ends.items():
        at = node.name() if factor and factor.is_result else in_words(node, program)
        if factor is not None:
            names = [program.name_of(leaf) or "a leaf" for leaf in factor.leaves]
            of = f", because {' and '.join(names)} {'are' if names[1:] else 'is'}"
            of = of if names and factor.name not in names else ""
            yield f"{at} multiplies the gradient by {factor.name}, which is 0 everywhere{of}."
        elif kind_of(node) in JUMPS:
            yield f"{at} {ALWAYS}, because {flat_of(node, program).why}."
        elif zeros := zeros_before(node):
            yield say("relu-of-zeros", at=at, leaves=" and ".join(map(program.name_of, zeros)))
        else:
            yield f"At {at} {flat_of(node, program).why}."
    moved = [
        leaf for each in ends.values() if each for leaf in each.leaves if moves(leaf, y, program)
    ]
    if moved:
        name = program.name_of(moved[0]) or "that leaf"
        yield f"A gradient comes to {name} itself: once a step has changed it, one comes here too."
        return
    if ends and {*map(kind_of, ends)} <= OF_MINIMA and not y.detach().any() and is_cost(y.grad_fn):
        yield LOWEST
        yield from of_a_margin(y.grad_fn, program)
        return
    factors = factors_of_0(y).items()
    stuck = {leaf: count for leaf, count in factors if not moves(leaf, y, program)}
    starts = to_start_from(stuck, program)
    do = [(starts if f.leaves else LOOK) if f else what_helps(n, program) for n, f in ends.items()]
    for node in ends:
        if zeros := zeros_before(node):
            do = [to_start_from(dict.fromkeys(zeros, 1), program)]
    if is_behind:
        do = [say("leave-the-jump-out", name=kind_of(node).lower()) for node in ends]
    if any(do):
        yield f"Try: {'; or '.join(filter(None, dict.fromkeys(do)))}."


def zeros_before(node: Any) -> list[Any]:
    """The leaves of 0 because of which a relu is given 0 everywhere, if they have names."""
    found = zeros_that_make(next_of(node)[0]) if kind_of(node) == "Relu" else None
    return [leaf for leaf in found or () if is_parameter(leaf)]


def of_a_margin(node: Any, program: Program) -> Iterator[str]:
    """Of a sum or a mean that is 0, that a relu with a number in it gives 0 for all of it."""
    sizes = getattr(node, "_saved_self_sym_sizes", ())
    while kind_of(node) in SUMS and len(next_of(node)) == 1:
        node = next_of(node)[0]
    inner = next_of(node)[0] if kind_of(node) in ("Relu", "Clamp") else None
    is_margin = kind_of(inner) in ("Add", "Rsub") and len(next_of(inner)) == 1
    if is_margin and bounds(node)[0] >= 0:
        yield tell("of-a-margin", node=in_words(node, program), count=math.prod(sizes))


def what_helps(node: Any, program: Program) -> str:
    """What to do about an operation that lets nothing through."""
    if flat_of(node, program) is SOFTMAX:
        return dim_instead(node, program)
    is_bounded = kind_of(node) in ("Sigmoid", "Tanh")
    return is_bounded and what_is_too_large(node, program) or flat_of(node, program).do


def moves(leaf: Any, y: Any, program: Program) -> bool:
    """Whether a gradient besides 0 comes to a leaf, so that a step will change it."""
    if leaf.grad is not None:
        return bool(leaf.grad.detach().any())
    return leaf.requires_grad and ends_of(y, leaf, program) is None


def ends_of(y: Any, x: Any, program: Program, jumps: bool = False) -> dict[Any, Zero | None] | None:
    """Where each way from ``y`` back to ``x`` ends in 0; None where one goes through.

    Of a product it is told what its factor of 0 is. Where ``jumps`` alone are asked about, those
    count that are flat whatever they are given.
    """
    if y.grad_fn is None:
        return None
    leads, seen, waiting = leading_to(y, x), {y.grad_fn}, [y.grad_fn]
    ends: dict[Any, Zero | None] = {}
    for node in waiting:  # the list grows while it is walked
        if node not in leads:
            continue
        if is_end(node, x):
            return None
        is_asked = kind_of(node) in JUMPS if jumps else flat_of(node, program) is not None
        if is_asked and lets(node, program) is False:
            ends[node] = None
            continue
        for number, (after, _) in enumerate(node.next_functions):
            is_asked = after in leads and not jumps
            factor = zero_factor(node, number, program) if is_asked else None
            if factor is not None:
                ends[node] = factor
            elif after is not None and after not in seen:
                seen.add(after)
                waiting.append(after)
    return dict(list(ends.items())[:MOST])


def zero_factor(node: Any, number: int, program: Program) -> Zero | None:
    """What the gradient of an operand is multiplied by, if that is 0 everywhere."""
    factors = FACTORS.get(kind_of(node), ())
    if number >= len(factors) or factors[number] is None:
        return None
    slot, operand = factors[number]
    value, after = saved(node, slot), node.next_functions[operand][0]
    leaves = zeros_that_make(after)
    if leaves is None if value is None else not is_all_0(value):
        return None
    leaf = leaf_of(after)
    name = (leaf is not None and program.name_of(leaf)) or "its other factor"
    return Zero(name, leaves or [], getattr(value, "grad_fn", None) is not None)


def zero_beside(node: Any, program: Program) -> str:
    """What a freed product was multiplied by that is 0: an operand of the line that ran it."""
    is_freed = getattr(node, "is_freed", False) and kind_of(node) in FACTORS
    if not is_freed or all(after is not None for after, _ in node.next_functions):
        return ""
    graph = graph_of(program)
    found, constant = written_like(node, graph), constant_of(node, program)
    if len(found) != 1 or constant is not None and not is_nothing(constant):
        return ""
    _, expression, around = found[0]
    names = {own_name(ast.unparse(each)) for each in operands(expression)}
    while constant is None and (expression := around.get(expression)) is not None:
        if isinstance(expression, FUNCTIONS):  # whose own names mean something else
            names -= {each.arg for each in ast.walk(expression.args) if isinstance(each, ast.arg)}
    known = [each for each in held(program.variables) if own_name(each.path) in names]
    beside = {own_name(each.path) for each in known if not is_nothing(each.thing)}
    return next((each.path for each in known if own_name(each.path) not in beside), "")


def is_nothing(value: Any) -> bool:
    """Whether a value is 0, or a tensor of 0 alone that has no history."""
    if isinstance(value, float | int):
        return value == 0 and not isinstance(value, bool)
    if not isinstance(value, Tensor) or value.requires_grad or not value.numel():
        return False
    return not bool(value.any())


def flat_of(node: Any, program: Program) -> Flat | None:
    """What is known of an operation; a softmax may let nothing through for two reasons."""
    flat = FLATS.get(kind_of(node))
    if kind_of(node) == "Softmax" and lets_by(flat, node, program):
        return SATURATED
    return OF_DISTANCE if kind_of(node) == "Sign" and is_distance(node) else flat


def is_distance(sign: Any) -> bool:
    """Whether a sign is of differences from one number that learns, a threshold."""
    difference = sign.next_functions[0][0]
    ends = [leaf_of(each) for each, _ in difference.next_functions]
    is_one = any(leaf is not None and leaf.numel() == 1 for leaf in ends)
    return is_one and kind_of(difference) in ("Sub", "Rsub", "Add")


def lets(node: Any, program: Program) -> bool | None:
    """Whether a node lets anything through, by what it saved or what has a name."""
    return lets_by(flat_of(node, program), node, program)


def lets_by(flat: Flat, node: Any, program: Program) -> bool | None:
    """The same of one reason."""
    given = saved(node, "self")
    given = still_known(node, "self", program.variables) if given is None else given
    result = saved(node, "result")
    if result is None:
        name = next(named(node, program.variables), None)
        result = None if name is None else program.variables[name]
    values = [None if each is None else each.detach() for each in (given, result)]
    known = flat.lets(node, *values)
    if known is None and flat.lets is SOFTMAX.lets and has_one_entry(node, program):
        return False
    if known is None:
        behind = (node.next_functions[0], (node, 0))
        known = flat.lets(node, *(value_passed(*each, program) for each in behind))
    return known
