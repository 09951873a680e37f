"""What stands in for entries that are picked by a position, which moves in jumps."""

from __future__ import annotations

import ast
from typing import Any

from ..source import reader
from ..source.line_order import at
from ..source.lists import parts_of, statements_of
from ..source.syntax import is_at, is_call, name_called, names_in, operands, targets_of
from ..source.texts import all_calls, assignments, everywhere
from ..source.variables import is_module, thing_at
from ..words.sentences import say

BY_INDEX = {"gather", "index_select", "take_along_dim", "embedding"}  #: and what they are given
ROUNDS = {"round", "floor", "ceil", "trunc", "long", "int"}
DRAWS_POSITIONS = {"multinomial"}


def is_an_index(line: str) -> bool:
    """Whether what a line makes is used as an index, which has to be of integers."""
    made = {name for each in statements_of(line) for name in names_in(each, ast.Store)}
    picks = [each.slice for _, each in everywhere(reader.frame(), ast.Subscript)]
    picks += [part for _, each in all_calls(reader.frame(), BY_INDEX) for part in each.args[-1:]]
    return any(made & names_in(each, ast.Load) for each in picks) or bool(table_given(line))


def table_given(line: str) -> str:
    """The embedding whose rows a line picks by integers, or what it made; empty for others."""
    _, number = at(line)
    made = {name for each in statements_of(line) for name in names_in(each, ast.Store)}
    for _, call in all_calls(reader.frame()):
        is_given = is_at(call, number) or any(made & names_in(e, ast.Load) for e in call.args)
        net = thing_at(call.func, reader.variables()) if is_given else None
        for path, part in net.named_modules() if is_module(net) else ():
            if hasattr(part, "num_embeddings"):
                own = ast.unparse(call.func)
                return reader.at(own, path) if path else own
    return ""


def instead_of_picking(line: str, are_scores: bool = False) -> str:
    """What to write where the integers of a line pick entries; empty where only words are known.

    They are the positions of the largest of some scores, or numbers that were rounded.
    """
    if table := table_given(line):
        return say("rows-weighed" if are_scores else "rows-moved", table=table)
    return "" if are_scores else between_neighbours(line)


def between_neighbours(line: str) -> str:
    """How a table is read between its entries, where one line rounds and one picks by that."""
    for each in statements_of(line):
        for name in targets_of(each):
            rounded = rounded_in(getattr(each, "value", None))
            picks = [e for _, e in everywhere(reader.frame(), ast.Subscript) if name in given(e)]
            if rounded and len(picks) == 1:
                table, slices = ast.unparse(picks[0].value), ast.unparse(picks[0].slice)
                if slices == name:
                    return say("between-two", x=rounded, table=table)
                if slices in (f"({name}[:, 0], {name}[:, 1])", f"({name}[0], {name}[1])"):
                    dim = "1" if ":" in slices else "0"
                    return say("between-four", x=rounded, table=table, dim=dim)
    return ""


def given(picked: ast.Subscript) -> set[str]:
    """The names in an index."""
    return names_in(picked.slice, ast.Load)


def rounded_in(value: Any) -> str:
    """What a chain of methods rounds: ``x`` in ``x.round().long().clamp(0, 9)``; else empty."""
    rounds = False
    while is_call(value) and isinstance(value.func, ast.Attribute):
        rounds |= name_called(value.func) in ROUNDS
        value = value.func.value
    return ast.unparse(value) if rounds and isinstance(value, ast.Name | ast.Attribute) else ""


def instead_of_a_draw(line: str) -> str:
    """What to write where what a draw gave picks entries of one table; empty for others."""
    bound = {ast.unparse(to): value for _, to, value in assignments(reader.frame())}
    for picked in parts_of(line, ast.Subscript):
        drawn = [bound.get(name) for name in given(picked)]
        calls = [e for value in drawn if value is not None for e in ast.walk(value)]
        calls = [each for each in calls if is_call(each, DRAWS_POSITIONS) and operands(each)]
        if len(calls) == 1 and ast.unparse(picked.slice) in bound:
            chances, (own, *_) = ast.unparse(operands(calls[0])[0]), map(ast.unparse, [picked])
            return say("instead-of-a-draw", p=chances, table=ast.unparse(picked.value), own=own)
    return ""
