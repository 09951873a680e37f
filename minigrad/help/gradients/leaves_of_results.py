"""Leaves that were made of results, so that nothing goes back to what gave them.

Passes begin and end at them, as of ``loss = torch.tensor(total, requires_grad=True)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...extras.recorded_cuts import LINES, MADE, PLAIN, cuts_of
from ...tensor import Tensor
from ..graph.nodes import leaves_behind
from ..graph.recorded import breaks_by, last_pass, leads_to, told
from ..program.breaks import Break, remedy
from ..program.program import Program
from ..source.line_order import without_text
from ..source.syntax import is_call, is_word, name_called, names_in
from ..source.texts import everywhere
from ..words.sentences import say, tell


def began_at_a_leaf(leaf: Any, name: str, program: Program) -> Iterator[str]:
    """That the pass which was to fill the ``.grad`` of a leaf began at another, and ended there."""
    results = [each for each in program.variables.items() if isinstance(each[1], Tensor)]
    for own, thing, start in (
        (*each, start) for each in results for start in leaves_behind(each[1])
    ):
        if start is leaf or not begins(own, start):
            continue
        cuts, made = breaks_by(cuts_of(start)), [*lines_that_ask(program)]
        if thing is not start and not cuts:
            continue
        if not cuts and len(made) == 1:
            lost = [cut for cut in LINES.values() if cut.what in PLAIN and leads_to(cut, leaf)]
            cuts = [*told(lost[-1:]), made[0]] if lost else []
        if do := remedy(cuts):
            facts = {"name": name, "own": own, "cuts": "; ".join(each.said for each in cuts)}
            is_it = thing is start
            yield tell("began-at-a-leaf", **facts) if is_it else tell("ended-at-a-leaf", **facts)
            yield f"Try: {do}."
            return


def begins(name: str, leaf: Tensor) -> bool:
    """Whether the last pass that came to a leaf began there."""
    if not leaf.is_leaf or not leaf.requires_grad or leaf.grad is None:
        return False
    return f"{name}.backward(" in (last_pass(leaf) or "")


def lines_that_ask(program: Program) -> Iterator[Break]:
    """The lines of functions that make a leaf of what they have computed."""
    for source, each in everywhere(program.frame):
        match each:
            case ast.Return(ast.Call(function, [given]) as call) if is_call(call, MADE):
                flags = [one.value for one in call.keywords if one.arg == "requires_grad"]
                if any(is_word(flag, True) for flag in flags) and names_in(given):
                    line, written = source.spoken(each.lineno), name_called(function)
                    said = f"{written}(...) makes a new leaf from the values alone ({line})"
                    do = f"leave {written}(...) out there"
                    yield Break(said, do, without_text(line), False, True)


def leaves_of_results(loss: Any, program: Program) -> Iterator[str]:
    """That a loss leads back to a leaf made of tensors that had a history, and what keeps it."""
    for leaf in leaves_behind(loss):
        cuts = [cut for cut in cuts_of(leaf) if cut.several and cut.what in MADE and cut.source]
        if found := told(cuts[:1]):
            name = program.name_of(leaf) or "A leaf behind it"
            yield say("leaf-of-results", name=name, said=found[0].said)
            yield f"Try: {remedy(found)}."
            return
