"""How many backward passes are added up in a ``.grad``, as far as its version counter tells."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ..graph.recorded import last_pass
from ..program.cuts import MEANING
from ..program.emptied import empties, is_emptied_somewhere, is_emptied_unseen
from ..program.training_loop import blocks, not_called, turns_in
from ..source import reader
from ..source.syntax import is_call, names_in
from ..source.texts import everywhere, texts
from ..source.variables import held, optimizers, own_name, parameters_of, stepped_by
from ..words.sentences import say
from .zero_grad_outside_loop import emptied_outside

MOST_LINES = 2  #: lines that are named
MOST_ROUNDS = 9  #: a version counter remembers the eight writers after the first
GRAD = MEANING["grad"]
EACH = ", and so for each leaf that is stepped"
EMPTIES = re.compile(r"zero|[*]= ?0|mul_\(0|fill_\(|<\w+>$")  #: lines that empty a gradient


def rounds(leaf: Any) -> int | None:
    """How many backward passes are added up in a leaf's ``.grad``; None where unknown.

    Of `MOST_ROUNDS` there may be more. Its version counter remembers its last writers: a pass
    leaves no line, `zero_()` leaves one, as do other writes, which empty nothing. Of a tensor that
    was assigned to it nobody knows what that holds.
    """
    grad = leaf.grad
    if grad is None or not hasattr(grad, "_counter"):
        return None
    writers = () if grad._counter is None else grad._counter.writers
    passes = 0
    for writer in reversed(writers):
        if writer is not None and EMPTIES.search(reader.spoken(writer)):
            return passes
        passes += writer is None
    return None if getattr(leaf._meta, "given", None) is grad else passes + 1


def zeroed_at(leaf: Any) -> str | None:
    """The line that filled the ``.grad`` of a leaf with zeros, if no pass has come since."""
    return reader.spoken(leaf.grad._counter.writers[-1]) if rounds(leaf) == 0 else None


def added_up(leaf: Any, name: str, program: Any) -> Iterator[str]:
    """That the ``.grad`` of a leaf holds more than one pass, and how it starts anew.

    A leaf that was stepped, where no line of the program empties a gradient, is not meant to.
    """
    if ((passes := rounds(leaf)) or 0) < 2 or is_emptied_unseen(program.frame):
        return
    optimizer = next(iter(optimizers(program.variables, [leaf])), "")
    empty = f"{optimizer}.zero_grad()" if optimizer else f"{name}.grad = None"
    said = f"{counted(passes)} backward passes are added up in {name}.grad"
    is_open = not is_emptied_somewhere(program.frame)
    if is_open and (named := [*not_called(program, ("zero_grad", "zero_"))]):
        yield from [f"{said}.", *named]
        return
    if others := emptied_others(leaf, empty, program):
        yield from [f"{said}. {others[0]}", others[1]]
        return
    if is_open and (line := last_pass(leaf)):
        said += f" (the last one: {line})"
    if is_open and leaf._version > 1:
        yield f"{said}: no line empties it, so each step goes by all passes before it."
        yield f"Try: {empty} in each round, before backward(){'' if optimizer else EACH}."
    elif outside := emptied_outside(program.frame):
        yield f"{said}. {say('emptied-outside', **outside._asdict())}"
        yield f"Try: {empty} inside of that loop, before backward()."
    else:
        yield f"{said}; {empty} before a pass lets it start anew."


def emptied_others(leaf: Any, empty: str, program: Any) -> list[str]:
    """That what empties gradients does so for others than a leaf's, and where to ``empty`` it."""
    lines = []
    for source, tree in texts(program.frame):
        calls = [each for each in ast.walk(tree) if is_call(each, {"zero_grad"})]
        owners = {each.lineno: each.func for each in calls}
        names = [each for each in ast.walk(tree) if isinstance(each, ast.Name)]
        bound = [each.id for each in names if isinstance(each.ctx, ast.Store)]
        loops = [e.target for e in ast.walk(tree) if isinstance(e, ast.For | ast.comprehension)]
        given = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
        changing = given.union(*map(names_in, loops))  # names that mean one after the other
        for at in (at for at, text in enumerate(source.lines, 1) if empties(text)):
            name = own_name(ast.unparse(getattr(owners.get(at), "value", ast.Tuple([]))))
            meant = [e.thing for e in held(program.variables) if own_name(e.path) == name]
            known = [[*stepped_by(e), *(own for _, own in parameters_of(e))] for e in meant]
            if name in changing or bound.count(name) > 1 or not all(known) or not known:
                return []
            if any(each is leaf for own in known for each in own):
                return []
            lines.append(source.spoken(at))
    passes = [each for _, each in everywhere(program.frame) if is_call(each, {"backward"})]
    line = (last_pass(leaf) if len(passes) == 1 else pass_before(empty, program)) or ""
    if not 0 < len(lines) <= MOST_LINES or not line:
        return []
    return [say("empties-others", lines="; ".join(lines)), say("empty-above", do=empty, line=line)]


def pass_before(empty: str, program: Any) -> str:
    """The line of the pass before the step of what is to ``empty`` gradients; empty if unknown."""
    for source, block in blocks(program.frame):
        for before, after in pairwise(turns_in(block.body)):
            if (before[0], after[0]) == ("backward", "step"):
                if f"{after[1]}.zero_grad()" == empty:
                    return source.spoken(before[2])
    return ""


def made_of_a_gradient(name: str, program: Any) -> Iterator[str]:
    """That a name was computed from a `.grad` alone, which a pass above it left without history."""
    known = [[cut for cut in cuts if cut.loss == GRAD] for _, _, cuts in program.ingredients(name)]
    lines = {cut.line for cuts in known for cut in cuts}
    if not all(known) or len(lines) != 1:
        return
    (line,) = lines
    for source, block in blocks(program.frame):
        body = block.body
        at = [i for i, each in enumerate(body) if source.spoken(each.lineno) == line]
        above = [call for each in body[: at[0]] for call in passes_in(each)] if at else []
        if len(above) == 1:
            yield f"""{name} was computed from a .grad ({line}), and the pass that filled it kept no
                history of that ({source.spoken(above[0].lineno)})."""
            yield """Try: backward(create_graph=True) there; or
                autograd.grad(..., create_graph=True) in its place, which fills no .grad."""
            return


def passes_in(statement: ast.stmt) -> list[ast.Call]:
    """The passes that a statement runs without a history."""
    calls = [each for each in ast.walk(statement) if is_call(each, {"backward"})]
    return [each for each in calls if "create_graph=True" not in ast.unparse(each)]


def counted(rounds: int) -> str:
    """A number of passes in words."""
    return say("or-more", rounds=rounds) if rounds >= MOST_ROUNDS else str(rounds)
