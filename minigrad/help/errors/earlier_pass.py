"""A result that a pass of an earlier line has gone through: all of what is asked, or a part."""

from __future__ import annotations

from ...autograd.caller import Place
from ..program.argument_names import known_as
from ..program.cuts import BY_GRAD
from ..program.program import Program
from ..program.steps import Step
from ..source import reader
from ..source.line_order import at, is_between, without_text
from ..source.parsed import expression_at, text_of_code, tree_of
from ..source.syntax import is_call, names_in, statements_at
from ..words.sentences import tell


def begun_before(place: Place) -> str:
    """What to do where a sum holds what the pass at a place went through; empty for no such sum.

    Or where another cell has run the pass of the same result.
    """
    program, here = Program.of(reader.frame()), reader.place()
    asked = [step.target for step in program.asked]
    by = reader.spoken(place)
    if len(asked) != 1 or here is None or f"{asked[0]}.backward(" not in by:
        return ""
    name = asked[0]
    added, start = steps_of(name, program)
    if start is None:
        return ""
    if added and is_between(start.line, by, added[0].line):
        return tell("begin-anew", name=name, place=without_text(by), start=start, added=added)
    is_other = place[0].co_filename != here[0].co_filename
    at_top = place[0].co_name == here[0].co_name == "<module>"
    cells = cells_of(name, program) if is_other and at_top else []
    if added or not cells:
        return ""
    again = f"{'cells' if len(cells) > 1 else 'cell'} {' and '.join(cells)}"
    return tell("run-cells-again", again=again, name=name)


def is_by_grad(place: Place) -> bool:
    """Whether `grad` ran the pass at a place, and not `backward`."""
    return is_call(expression_at(place), {"grad"})


def without_history(place: Place) -> list[str]:
    """The lines of `grad` whose gradients what is asked about was computed from, as they are.

    That is where the pass at a place ran in one of them; none where it did not.
    """
    if not is_by_grad(place):
        return []
    lines: dict[str, None] = {}
    for step in Program.of(reader.frame()).asked:
        for program, name in known_as(reader.variables().get(step.target), step.target):
            if name == step.target not in program.variables:
                program.add(step)  # as it stands in the question
            for _, _, cuts in program.ingredients(name):
                if {cut.loss for cut in cuts} == {BY_GRAD}:
                    lines |= dict.fromkeys(cut.line for cut in cuts)
    number, tree = reader.line_number(place), tree_of(text_of_code(place[0]))
    begins = next((each.lineno for each in statements_at(tree, number)), number)
    own = reader.file_name(place[0].co_filename), begins
    return sorted(lines, key=at) if own in map(at, lines) else []


def cells_of(name: str, program: Program) -> list[str]:
    """The cells whose lines computed a result, and those it was made of; none outside of cells."""
    found = {}
    for each in [name, *program.parts_of(name)]:
        if getattr(program.variables.get(each), "grad_fn", None) is not None:
            line = reader.SPOKEN_LINE.match(program.binding_line(each) or "")
            found[line[2] if line else ""] = None
    is_known = found and all(each.startswith("cell ") for each in found)
    return sorted(each.removeprefix("cell ") for each in found) if is_known else []


def steps_of(name: str, program: Program) -> tuple[list[Step], Step | None]:
    """The steps that add to a name what it held, the last first, and the one that it began with."""
    added, at = [], program.last(name)
    while at >= 0:
        step = program.steps[at]
        if name not in names_in(step.value):
            return added, step
        added.append(step)
        at = program.last(name, at)
    return added, None
