"""What stands in for entries that are picked by a position, which moves in jumps."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..source import reader
from ..source.line_order import at
from ..source.lists import parts_of, statements_of
from ..source.syntax import is_at, is_call, name_called, names_in, operands, targets_of
from ..source.texts import all_calls, assignments, everywhere
from ..source.variables import is_module, thing_at
from ..words.sentences import say

BY_INDEX = {"gather", "index_select", "take_along_dim", "embedding"}  #: and what they are given
WRITE_BY_INDEX = {"scatter", "scatter_", "scatter_add", "scatter_add_", "index_add", "index_add_"}
ROUNDS = {"round", "floor", "ceil", "trunc", "long", "int"}
LIMITS = {"clamp", "clip", "clamp_min", "clamp_max"}
DRAWS_POSITIONS = {"multinomial"}


def names_made_in(line: str) -> set[str]:
    """The names that a line gives a value."""
    return {name for each in statements_of(line) for name in names_in(each, ast.Store)}


def targets_in(line: str) -> set[str]:
    """What a line assigns to, as it is written: attributes and items as well."""
    return {target for each in statements_of(line) for target in targets_of(each)}


def is_an_index(line: str) -> bool:
    """Whether what a line makes is used as an index, which has to be of integers."""
    made = names_made_in(line)
    picks = [each.slice for _, each in everywhere(reader.frame(), ast.Subscript)]
    picks += [part for _, each in all_calls(reader.frame(), BY_INDEX) for part in each.args[-1:]]
    picks += [part for _, each in all_calls(reader.frame(), WRITE_BY_INDEX) for part in each.args]
    return any(made & names_in(each, ast.Load) for each in picks) or bool(table_given(line))


def table_given(line: str) -> str:
    """The embedding whose rows a line picks by integers, or what it made; empty for others."""
    _, number = at(line)
    made = names_made_in(line)
    for _, call in all_calls(reader.frame()):
        is_given = is_at(call, number) or any(made & names_in(e, ast.Load) for e in call.args)
        net = thing_at(call.func, reader.variables()) if is_given else None
        for path, part in net.named_modules() if is_module(net) else ():
            if hasattr(part, "num_embeddings"):
                own = ast.unparse(call.func)
                return reader.at(own, path) if path else own
    return ""


def expected_position(call: ast.AST) -> str:
    """What stands in for the position of the largest of some scores, written out; else empty.

    The scores are compared over their last dimension.
    """
    chances, scores, dim = chances_of(call)
    return f"({chances} * torch.arange({scores}.shape[{dim}])).sum({dim})" * bool(chances)


def chances_of(call: ast.AST, in_rows: bool = False) -> tuple[str, str, str]:
    """Chances of positions, the scores that they come of, and their dim; empty where unknown.

    The dim has to be the last, as 1 is of scores that stand ``in_rows``.
    """
    if not is_call(call) or not operands(call):
        return "", "", ""
    whole, *rest = operands(call)
    given = [each.value for each in call.keywords if each.arg in ("dim", "axis")]
    dim = ast.unparse([*rest, *given][0]) if rest or given else ""
    is_softmax = is_call(whole, {"softmax"})
    inner = operands(whole)[0] if is_softmax else whole
    dims = dims_of(inner) or 2 * in_rows
    if not dim or dim not in ("-1", str(dims - 1)):
        return "", "", ""
    scores, name = ast.unparse(inner), ast.unparse(whole)
    return name if is_softmax else f"torch.softmax({name}, {dim})", scores, dim


def dims_of(whole: ast.expr) -> int:
    """How many dims something has that has a name, or is reshaped; 0 where that is unknown."""
    if is_call(whole, {"reshape", "view"}):
        return len(whole.args)
    return getattr(thing_at(whole, reader.variables()), "ndim", 0)


def decoded(call: ast.AST, line: str) -> str:
    """What stands in for row and column of a position: ``at // W`` and ``at % W``; else empty."""
    chances, scores, dim = chances_of(call)
    made = targets_in(line)
    parts = [
        each
        for _, each in everywhere(reader.frame(), ast.BinOp)
        if isinstance(each.op, ast.Mod | ast.FloorDiv) and ast.unparse(each.left) in made
    ]
    if not chances or not parts:
        return ""
    new = [ast.unparse(ast.BinOp(ast.Name("at"), each.op, each.right)) for each in parts]
    instead = [f"`(p * ({n})).sum({dim})` for `{ast.unparse(e)}`" for n, e in zip(new, parts)]
    positions = f"torch.arange({scores}.shape[{dim}])"
    return say("decoded", p=chances, at=positions, instead=" and ".join(dict.fromkeys(instead)))


def soft_rank(line: str) -> str:
    """What stands in for ranks, where a line sorts and another sorts the order of that."""
    for each in parts_of(line, ast.Call):
        if is_call(each, {"argsort"}) and operands(each):
            whole = ast.unparse(operands(each)[0])
            made = {name for one in statements_of(line) for name in targets_of(one)}
            calls = [call for _, call in all_calls(reader.frame(), {"argsort"})]
            again = [e for e in calls if operands(e) and ast.unparse(operands(e)[0]) in made]
            inner = any(is_call(e, {"argsort"}) for e in operands(each))
            if again and not inner:
                return say("soft-rank", v=whole)
    return ""


def soft_counts(line: str) -> str:
    """How values are counted in bins by weights, where a line makes the numbers of their bins."""
    for name, rounded in rounded_by(line):
        for _, call in all_calls(reader.frame(), {"scatter_add", "scatter_add_"}):
            match call:
                case ast.Call(ast.Attribute(bins), [_, ast.Name(index), of]) if index == name:
                    whole = ast.unparse(call)
                    facts = {"x": rounded, "bins": ast.unparse(bins), "of": ast.unparse(of)}
                    return say("soft-counts", whole=whole, **facts)
    return ""


def instead_of_picking(line: str, are_scores: bool = False) -> str:
    """What to write where the integers of a line pick entries; empty where only words are known.

    They are the positions of the largest of some scores, or numbers that were rounded.
    """
    if table := table_given(line):
        return say("rows-weighed" if are_scores else "rows-moved", table=table)
    ways = (between_neighbours, soft_counts, spread_out)
    ways = (kept_by_score, picked_straight_through) if are_scores else ways
    return next(filter(None, (way(line) for way in ways)), "")


def between_neighbours(line: str) -> str:
    """How a table is read between its entries, where one line rounds and one picks by that."""
    for name, rounded in rounded_by(line):
        picks = [e for _, e in everywhere(reader.frame(), ast.Subscript) if name in given(e)]
        rows = [e for _, e in all_calls(reader.frame(), {"index_select"}) if is_row(e, name)]
        if len(rows) == 1 and not picks:
            facts = {"table": ast.unparse(rows[0].func.value), "own": ast.unparse(rows[0])}
            return say("between-two-rows", x=rounded, **facts)
        if len(picks) == 1:
            table, slices = ast.unparse(picks[0].value), ast.unparse(picks[0].slice)
            if slices == name:
                return say("between-two", x=rounded, table=table)
            if slices in (f"({name}[:, 0], {name}[:, 1])", f"({name}[0], {name}[1])"):
                dim = "1" if ":" in slices else "0"
                return say("between-four", x=rounded, table=table, dim=dim)
    return ""


def kept_by_score(line: str) -> str:
    """How the best entries are weighed by their scores, where a line keeps them by ``topk``."""
    for each in statements_of(line):
        value = getattr(each, "value", None)
        if not (isinstance(each, ast.Assign) and is_call(value, {"topk", "sort"})):
            continue
        match each.targets[0]:
            case ast.Name(name):
                places, values = f"{name}.indices", f"{name}.values"
            case ast.Tuple([ast.Name(first), ast.Name(second)]):
                places, values = second, first
            case _:
                continue
        picks = [e for _, e in everywhere(reader.frame(), ast.Subscript)]
        picks = [e for e in picks if ast.unparse(e.slice) == places]
        if len(picks) == 1:
            own, whole = ast.unparse(picks[0]), thing_at(picks[0].value, reader.variables())
            wide = ".unsqueeze(-1)" * (getattr(whole, "ndim", 2) > 1)
            return say("kept-by-score", own=own, values=values, wide=wide)
    return ""


def picked_straight_through(line: str) -> str:
    """How one entry of each row is picked so that the scores get a gradient; else empty."""
    made = targets_in(line)
    for call in parts_of(line, ast.Call):
        chances, scores, dim = chances_of(call, True) if is_call(call, {"argmax"}) else ("",) * 3
        for _, each in everywhere(reader.frame(), ast.Subscript):
            match each:
                case ast.Subscript(table, ast.Tuple([ast.Call(), ast.Name(name)])) if (
                    chances and name in made and is_call(each.slice.elts[0], {"arange"})
                ):
                    own, whole = ast.unparse(each), ast.unparse(table)
                    facts = {"p": chances, "scores": scores, "dim": dim, "own": own}
                    return say("picked-straight-through", table=whole, **facts)
    return ""


def spread_out(line: str) -> str:
    """How numbers are spread over a map, where a line rounds them and one writes a number there."""
    rounded = {}
    for _, target, value in assignments(reader.frame()):
        if (number := rounded_in(value)) and isinstance(target, ast.Name):
            rounded[target.id] = number
    made = targets_in(line) & {*rounded}
    for _, target, value in assignments(reader.frame()):
        match target:
            case ast.Subscript(ast.Name(whole), index) if made & names_in(index) and isinstance(
                value, ast.Constant
            ):
                match index:
                    case ast.Name(one):
                        return say("spread-over-one", x=rounded[one], whole=whole)
                    case ast.BinOp(
                        ast.BinOp(ast.Name(row), ast.Mult(), wide), ast.Add(), ast.Name(column)
                    ) if {row, column} <= {*rounded}:
                        facts = {"y": rounded[row], "x": rounded[column], "whole": whole}
                        return say("spread-over-two", wide=ast.unparse(wide), **facts)
    return ""


def is_row(call: ast.Call, name: str) -> bool:
    """Whether ``table.index_select(0, name)`` picks rows by a name."""
    match call:
        case ast.Call(ast.Attribute(), [ast.Constant(0), ast.Name(own)]):
            return own == name
    return False


def given(picked: ast.Subscript) -> set[str]:
    """The names in an index."""
    return names_in(picked.slice, ast.Load)


def rounded_by(line: str) -> Iterator[tuple[str, str]]:
    """What a line gives rounded numbers, and of what."""
    for each in statements_of(line):
        if rounded := rounded_in(getattr(each, "value", None)):
            yield from ((target, rounded) for target in targets_of(each))


def rounded_in(value: Any) -> str:
    """What a chain of methods rounds: ``x`` in ``x.round().long().clamp(0, 9)``; else empty."""
    if isinstance(value, ast.BinOp) and isinstance(value.right, ast.Constant):
        inner = rounded_in(value.left)  # and counts from another number
        moved = ast.BinOp(ast.Name(inner), value.op, value.right)
        return f"({ast.unparse(moved)})" if inner else ""
    rounds = False
    while is_call(value) and isinstance(value.func, ast.Attribute):
        if rounds and name_called(value.func) not in ROUNDS | LIMITS:
            break
        rounds |= name_called(value.func) in ROUNDS
        value = value.func.value
    if isinstance(value, ast.BinOp):
        return f"({ast.unparse(value)})" * rounds
    is_written = isinstance(value, ast.Name | ast.Attribute | ast.Call)
    return ast.unparse(value) if rounds and is_written else ""


def instead_of_a_draw(line: str) -> str:
    """What to write where what a draw gave picks entries of one table; empty for others."""
    bound = {ast.unparse(to): value for _, to, value in assignments(reader.frame())}
    for picked in parts_of(line, ast.Subscript):
        drawn = [bound.get(name) for name in given(picked)]
        calls = [e for value in drawn if value is not None for e in ast.walk(value)]
        calls = [each for each in calls if is_call(each, DRAWS_POSITIONS) and operands(each)]
        if len(calls) == 1 and ast.unparse(picked.slice) in bound:
            chances, table = operands(calls[0])[0], picked.value
            p, whole, own = map(ast.unparse, (chances, table, picked))
            return say("instead-of-a-draw", p=p, table=whole, own=own)
    return ""
