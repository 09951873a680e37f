"""Leaves that have grown from step to step until numbers overflowed: by steps that are too long."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from ..graph.bounds import SQUARES, factors, is_cost, largest_of
from ..graph.nan_and_inf import kind_of
from ..graph.nodes import is_custom, leaves_behind, nodes_behind
from ..graph.nodes import kind_of as kind_of_node
from ..program.program import Program
from ..program.stepped import was_stepped
from ..program.unread_values import unread
from ..source.variables import held
from ..training.exploded import is_bound_in_a_loop, names_behind, what_helps
from ..training.gradient_ascent import uphill, without_end
from ..training.order_of_calls import late_clips
from ..words.sentences import say, tell

KNOWN = bool | int | float | str | FunctionType | ModuleType | type | None  #: hold no data
MOST = 3  #: leaves that are named
LARGE = 1e13  #: the square of a sum of such numbers may overflow
MANY = 40  #: factors of a usual size, of which the product can overflow


def by_growth(y: Any, stepped: list[Any], program: Program) -> Iterator[str]:
    """Where no operation can have made nan of numbers, and leaves were written to since."""
    if any(map(is_custom, nodes_behind(y))):  # what it does is not known
        return
    written = [each for each in leaves_behind(y) if each._version != 1]
    grown = [e for e in written if largest_of(e) > LARGE and was_stepped(e, program.frame)]
    if up := [*uphill(y, program)]:
        yield from up
    elif stepped and all(leaf._version != 1 for leaf in stepped):  # else it may be its first value
        yield from grown_or_given(y, stepped, program)
    elif grown:
        leaf = max(grown, key=largest_of)
        own, largest = program.name_of(leaf) or "a leaf", largest_of(leaf)
        yield tell("has-grown", name=own, largest=largest)
        yield from in_shorter_steps(y, own, program)
    elif not stepped and factors(y) >= MANY:
        yield tell("many-factors", name=program.name_of(y) or "it")


def in_shorter_steps(y: Any, name: str, program: Program) -> Iterator[str]:
    """What makes steps shorter; of a result that may have no lowest value, when that helps."""
    if late := [*late_clips(program)]:
        yield from late
        return
    facts, do = what_helps(y, name, program)
    has_lowest = is_cost(y.grad_fn) or SQUARES & {*map(kind_of_node, nodes_behind(y))}
    is_sure = has_lowest or without_end(y, program)
    yield from [*facts, f"Try: {do}." if is_sure else tell("print-what-falls", do=do)]


def grown_or_given(y: Any, stepped: list[Any], program: Program) -> Iterator[str]:
    """Whether leaves that are nan by now have grown, or were given nan, as far as that is known."""
    named = [own for leaf in stepped[:MOST] if (own := program.name_of(leaf))]
    leaves = " and ".join(named) if len(stepped) <= MOST and named else "the leaves"
    has = "has" if leaves in named else "have"
    grown = {"name": leaves, "has": has, "of": program.name_of(y) or "it"}
    is_long = factors(y) >= MANY
    if not is_long and is_same_each_round(y, program):
        yield tell("grown", **grown)
        yield from in_shorter_steps(y, leaves, program)
        return
    if lost := [*unread(program)]:
        yield from lost
        return
    yield tell("grown-or-many", **grown) if is_long else tell("grown-or-given", **grown)
    first = say("smaller-factors") if is_long else say("look-at-inputs")
    yield tell("print-each-round", do=say("shorter", name=leaves, line=""), first=first)


def is_same_each_round(y: Any, program: Program) -> bool:
    """Whether the data behind a result are numbers, and none is made anew in a loop.

    A part that a loop takes of data that are known is none that it makes.
    """
    data = [each for each in held(program.variables) if type(each.thing) is type(y)]
    data = [each for each in data if not each.thing.requires_grad]
    roots = {each.root for each in data if not is_bound_in_a_loop(each.root, program)}
    used = names_behind(y, program)
    made = {each.root for each in data if each.root in used} - roots
    is_part = all(program.parts_of(name) & roots for name in made)
    bad = [each for each in data if each.root in used and kind_of(each.thing)]
    things = [program.variables.get(name) for name in used]
    is_alone = not made and all(is_asking(each) or isinstance(each, KNOWN) for each in things)
    return (bool(roots & used) or is_alone) and is_part and not bad


def is_asking(thing: Any) -> bool:
    """Whether a tensor, or each of a list or a dict of tensors, asks for gradients."""
    several = thing.values() if isinstance(thing, dict) else thing
    each = [*several] if isinstance(several, list | tuple | dict) else [thing]
    return all(getattr(one, "requires_grad", False) for one in each)
