"""What an optimizer does not know, or holds in vain: `checkup` tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...extras.recorded_cuts import cuts_of
from ..graph.expression_of_node import line_of_assignment
from ..source.reader import in_brackets, spoken
from ..source.syntax import given_to, is_call, name_called, parts_in
from ..source.texts import all_calls, everywhere
from ..source.variables import stepped_by, thing_at
from ..training.learning_rates import has_fallen
from ..training.steps_without_effect import (
    group_left_out,
    line_that_makes,
    made_later,
    set_below,
    stepped_around,
)
from ..words.sentences import say
from .parameter_table import Row, names

if TYPE_CHECKING:
    from ..program.program import Program
    from .findings import Checked

STILL = 1e-11  #: a learning rate below it is lost when it is added to a weight


def of_the_optimizer(checked: Checked) -> Iterator[str]:
    """Parameters that an optimizer does not know, others that it holds, and a rate of 0."""
    net, optimizer, is_shared = checked.own, checked.its, checked.is_shared
    others = [] if is_shared or not checked.asking else checked.others
    stepped = stepped_around(checked.program)
    unknown = [row for row in checked.asking if row.optimized is False]
    unknown = [row for row in unknown if id(checked.named[row.name]) not in stepped]
    cut_off = [row for row in unknown if row.reached is False and row.grad == "None"]
    if len(cut_off) == len(unknown) < len(checked.asking):  # as meant of a part that is frozen
        unknown = []
    is_another = is_shared and not any(row.reached for row in checked.rows)  # as of a copy
    if unknown and not is_another:
        do = say("add-a-group" if is_shared else "make-it-anew", net=net, optimizer=optimizer)
        is_other = others and not any(row.optimized for row in checked.rows)
        later = made_later(net, optimizer, checked.program) if is_other else ""
        lines = set_below(unknown[0].name, checked.optimizer, checked.program)
        if lines and not later:
            later = say("come-later", line=lines[0]) + say("made-before", made=lines[1])
            do = say("make-it-below", its=optimizer)
        if others:
            line = in_brackets(line_that_makes(optimizer, checked.program))
            replaced = say("holds-replaced", others=len(others), line=line)
            if name := checked.program.name_of(others[0]):
                made = copies_of(others[0], {*map(id, checked.named.values())})
                replaced = say("holds-of", name=name, line=line) + made
                is_apart = not made and not any(row.optimized for row in checked.rows)
                do = say("add-or-make", net=net, optimizer=optimizer) if is_apart else do
            later = later or set_later(unknown, checked) or replaced
        twice = is_shared and is_held_twice(checked)
        if twice and (made := line_that_makes(optimizer, checked.program)):
            later = later or say("of-another-net", line=made)
            do = say("make-it-of-these", net=net)
        made = line_that_makes(optimizer, checked.program)
        if made and not later and f"({net}.parameters()" not in made:  # else they came later
            later = say("made-before", made=made)
            do = do if is_shared else say("make-it-of-all", net=net)
        do = (
            group_left_out([checked.named[e.name] for e in unknown], optimizer, checked.program)
            or do
        )
        yield say("not-optimized", some=names(unknown), later=later, do=do)
        others = [] if later else others
    others = [each for each in others if checked.program.name_of(each) is None]
    if others:
        yield say("holds-others", others=len(others), net=net)
    if stands := [each for each in checked.groups if stands_still(each["lr"], checked.program)]:
        some, rate = sum(len(group["params"]) for group in stands), float(stands[0]["lr"])
        yield say("stands-still", some=some, optimizer=optimizer, rate=rate)


def copies_of(tensor: Any, own: set[int]) -> str:
    """That a tensor was made from the values of one of these parameters, and where."""
    cuts = [c for c in cuts_of(tensor) if c.place and any(id(leaf()) in own for leaf in c.leaves)]
    return say("which-are-copies", line=spoken(cuts[0].place)) if cuts else ""


def stands_still(rate: float, program: Program) -> bool:
    """Whether steps of such a rate change nothing; but not at the end of a schedule, at 0."""
    rounds_down = any(everywhere(program.frame, ast.FloorDiv))
    rounds_down = rounds_down or any(all_calls(program.frame, {"int"}))
    return abs(rate) < STILL and (rate != 0 or rounds_down or not has_fallen(program))


def set_by_methods(program: Program) -> Iterator[tuple[str, str, ast.Call]]:
    """The lines of methods, but for ``__init__``, that set ``self.path = Parameter(...)``."""
    for source, method in everywhere(program.frame, ast.FunctionDef):
        for each in parts_in(method, ast.Assign) if method.name != "__init__" else ():
            owner, _, path = ast.unparse(each.targets[0]).partition(".")
            if owner == "self" and is_call(each.value, {"Parameter"}):
                yield source.spoken(each.lineno), path, each.value


def replaced_by_methods(checked: Checked) -> Iterator[str]:
    """The lines of methods that put a new parameter into the place of one that is stepped."""
    is_anew = checked.optimizer is not None and checked.others and not checked.is_shared
    paths = {row.name for row in checked.asking if row.optimized is False and row.grad == "None"}
    for line, path, value in set_by_methods(checked.program) if is_anew else ():
        if path in paths and "." in path and (new := given_to(value)):
            yield say("replaced-by-a-method", name=path, line=line, new=ast.unparse(new[0]))


def is_held_twice(checked: Checked) -> bool:
    """Whether an optimizer has nothing of its net, and only what another optimizer steps."""
    own = {id(leaf) for leaf in stepped_by(checked.optimizer)}
    rest = [each for each in checked.program.variables.values() if each is not checked.optimizer]
    others = {id(leaf) for each in rest for leaf in stepped_by(each)}
    return bool(own) and own <= others and not any(row.optimized for row in checked.rows)


def set_later(unknown: list[Row], checked: Checked) -> str:
    """The only line that sets what holds these parameters, from outside of their net.

    And the line that made the optimizer, where one alone did.
    """
    new = {id(checked.named[row.name]) for row in unknown}
    held = new | {id(part) for part in checked.net.modules() if new & {*map(id, part.parameters())}}
    owners = {row.name.partition(".")[0] for row in unknown if "." in row.name}

    def is_meant(target: Any, _value: Any) -> bool:
        if not isinstance(target, ast.Attribute | ast.Subscript):
            return False
        is_outside = ast.unparse(target.value) != "self" and {name_called(target)} == owners
        return is_outside or id(thing_at(target, checked.program.variables)) in held

    own = {row.name.rpartition(".")[2] for row in unknown}
    lines = [line for line, path, _ in set_by_methods(checked.program) if path in own]
    line = line_of_assignment(checked.program, is_meant) or " and ".join(lines[:2])
    made = line_that_makes(checked.its, checked.program)
    made = made and say("made-before", made=made)
    return say("come-later", line=line) + made if line else ""
