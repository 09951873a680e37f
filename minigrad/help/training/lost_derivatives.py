"""Derivatives in a loss that kept no history, so that their term trains nothing: a PINN's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..graph.nodes import leaves_of
from ..program.derivatives import derivatives
from ..program.program import Program
from ..source.syntax import names_in
from ..source.texts import everywhere
from ..source.variables import all_stepped
from ..words.sentences import say
from .added_numbers import lines_within, sums, terms, values_of


def lost_derivatives(loss: Any, program: Program) -> Iterator[str]:
    """A derivative in a loss of one that kept its history, or in a term that trains nothing."""
    own, known = program.name_of(loss), [*derivatives(program.frame)]
    if not own or all(is_kept for *_, is_kept in known):
        return
    kept = {name for _, name, _, is_kept in known if is_kept}
    used = {name for name, _, _ in program.ingredients(own)}
    idle = idle_names(loss, program)
    functions = [(s, e) for s, e in everywhere(program.frame) if isinstance(e, ast.FunctionDef)]
    inner = set().union(*(lines_within(e, s) for s, e in functions if e.name in idle))
    for line, name, call, is_kept in known:
        of_one, place = bool(names_in(call.args[0]) & kept), line.partition(": `")[0]
        if not is_kept and (name in used and (of_one or name in idle) or place in inner):
            yield say("derivative-without-history", name=name, line=line, loss=own)
            yield say("keep-the-derivative")
            return


def idle_names(loss: Any, program: Program) -> set[str]:
    """The names in terms of a sum that lead to leaves, and to none that an optimizer steps."""
    stepped, names = all_stepped(program.variables), set()
    for _, statement, _ in sums(loss, program) if stepped else ():
        for value in values_of(statement):
            for term, node in terms(value, loss.grad_fn):
                leaves = [] if node is None else leaves_of(node)
                if leaves and not any(id(leaf) in stepped for leaf in leaves):
                    own = names_in(term)
                    own = own.union(*map(program.parts_of, own))
                    made = (getattr(program.step(each), "value", None) for each in own)
                    names |= own.union(*map(names_in, made))
    return names
