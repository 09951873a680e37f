"""Leaves of objects that were asked for gradients below the line that computed with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...tensor import Tensor
from ..program.program import Program
from ..source.syntax import is_call, is_word, names_in, parts_in, root, runs_a_pass
from ..source.texts import Source, texts
from ..source.variables import thing_at
from .frozen import flag_set, frozen_by
from .untracked import ask_before, was_computed_before


def asked_too_late(leaf: Tensor, name: str, program: Program) -> Iterator[str]:
    """That a line asked a leaf of an object for gradients, and what was computed with it above."""
    for block in blocks_of(program):
        asks = [n for n, (_, each) in enumerate(block) if asks_it(each, leaf, program)]
        if len(asks) != 1:
            continue
        (at, ask), above, below = block[asks[0]], block[: asks[0]], block[asks[0] + 1 :]
        owner = root(frozen_by(ask)) or ""
        used = [each for each in above if computes_with(each[1], owner, leaf, program)]
        ends = next((n for n, (_, each) in enumerate(below) if runs_a_pass(each)), len(below))
        again = [each for _, each in below[:ends] if computes_with(each, owner, leaf, program)]
        if used and not again and ends < len(below):
            source, last = used[-1]
            target = ast.unparse(last.targets[0])
            asked, made = at.spoken(ask.lineno), source.spoken(last.lineno)
            yield was_computed_before(name, target, asked, made)
            yield ask_before(name, target, asked, made)
            return


def blocks_of(program: Program) -> Iterator[list[tuple[Source, ast.stmt]]]:
    """The statements that follow on each other: of all cells, of a function or of a loop."""
    known = [*texts(program.frame)]
    yield [(source, each) for source, tree in known for each in tree.body]
    for source, tree in known:
        for each in parts_in(tree):
            if isinstance(getattr(each, "body", None), list) and each is not tree:
                yield [(source, one) for one in each.body]


def asks_it(statement: ast.stmt, leaf: Tensor, program: Program) -> bool:
    """Whether a statement asks for gradients of a leaf that it reaches through an object."""
    if not is_word(flag_set(statement), True):
        return False
    whole = frozen_by(statement)
    return isinstance(whole, ast.Attribute) and thing_at(whole, program.variables) is leaf


def computes_with(statement: ast.stmt, owner: str, leaf: Tensor, program: Program) -> bool:
    """Whether a statement gives a name to what a call made of an object, or of a leaf's name."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return False
    names = {owner, *(own for own, thing in program.variables.items() if thing is leaf)}
    calls = [part for part in parts_in(statement.value, ast.Call) if is_call(part)]
    is_made = owner in {name for target in statement.targets for name in names_in(target)}
    return not is_made and any(names & names_in(arg) for call in calls for arg in call.args)
