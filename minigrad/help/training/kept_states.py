"""States and values that were kept without a copy, so that each step changes them, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...autograd.caller import Place
from ...extras.recorded_cuts import Cut, cuts_of
from ...tensor import Tensor
from ..graph.saved_views import written_to
from ..program.program import Program
from ..source import reader
from ..source.line_order import at as line_at
from ..source.parsed import expression_at, text_of_code, tree_of
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    given_to,
    is_at,
    is_call,
    names_in,
    parents_in,
    parts_in,
    statements_at,
    words_in,
)
from ..source.texts import Source, everywhere, led_to, texts
from ..source.variables import all_stepped, held, is_module, own_name, parameters_of, parts
from ..words.sentences import say

STATE = {"state_dict"}
LOADS = "load_state_dict("


def kept_states(program: Program) -> Iterator[str]:
    """That what was kept of the best round is the net itself, as it has become since.

    It is loaded, or used, somewhere else than where it was kept, and steps came in between.
    """
    kept = states_kept(program)
    nets = {name: each for name, each in program.variables.items() if is_module(each)}
    for source, tree in texts(program.frame):
        around = parents_in(tree)
        for each in parts_in(tree):
            match each:
                case ast.Assign(_, value) if known := kept.get(source.spoken(each.lineno)):
                    what = next((e for e in ast.walk(value) if is_call(e, STATE)), None)
                    (name, steps), net = known, what and ast.unparse(what.func)
                case ast.Assign([ast.Name(name)], ast.Name(net) as what) if net != name:
                    steps = []
                    what = what if name in nets and nets[name] is nets.get(net) else None
                case _:
                    continue
            is_meant = what is not None and (steps or is_of_the_best(each, net, around))
            if is_meant and is_used_elsewhere(name, what, (each, around[each]), steps, program):
                what = ast.unparse(what)
                yield say("kept-no-copy", line=source.spoken(each.lineno), what=what)
                yield say("keep-a-copy", what=what)
                return


def states_kept(program: Program) -> dict[str, tuple[str, list[str]]]:
    """The lines of which a dict shows what a net has, how it is called, and what changed it."""
    kept: dict[str, tuple[str, list[str]]] = {}
    for each in held(program.variables):
        for cut in cuts_of(each.thing) if each.path.endswith("]") else ():
            if is_shared(each.thing, cut) and cut.source()._version > 1:
                steps = [reader.spoken(place) for place in written_since(each.thing, cut) if place]
                kept.setdefault(reader.spoken(cut.place), (each.path.rpartition("[")[0], steps))
    return kept


def kept_values(program: Program) -> Iterator[str]:
    """That what a list, a tuple or a dict holds shows later values than those it was made of.

    It is read where a step came in between, and nothing is written through it. And that a net has
    the memory of parameters that are stepped.
    """
    stepped = all_stepped(program.variables)
    for whole in held(program.variables):
        own = [each for each in parameters_of(whole.thing) if whole.path == whole.root]
        is_idle = not any(id(leaf) in stepped or leaf.grad is not None for _, leaf in own)
        for path, leaf in own if is_idle else ():
            is_of_these = any(id(cut.source and cut.source()) in stepped for cut in cuts_of(leaf))
            if is_of_these and (said := shared_values(leaf, reader.at(whole.path, path), program)):
                yield from said
                return
        name = own_name(whole.path.partition("[")[0])
        several = isinstance(whole.thing, list | tuple | dict)
        for path, each in parts(whole.path, whole.thing) if several else ():
            cut = next(iter(cuts_of(each) if isinstance(each, Tensor) else ()), None)
            writers = written_since(each, cut) if cut and not each.requires_grad else []
            if not any(writers) or is_call(expression_at(cut.place), STATE):
                continue
            steps = [reader.spoken(place) for place in writers if place]
            if not is_written(name, program) and is_read_after(name, steps, program):
                yield from shared_values(each, path, program)
                return


def is_written(name: str, program: Program) -> bool:
    """Whether a program writes into the items of a list: ``for v in views: v.clamp_(0, 1)``."""
    for _source, each in everywhere(program.frame):
        pairs = [(each.target, each.iter)] if isinstance(each, ast.For) else []
        if pairs and is_call(each.iter, {"zip"}) and isinstance(each.target, ast.Tuple):
            pairs = [*zip(each.target.elts, each.iter.args)]
        items = {own for item, over in pairs if name in words_in(over) for own in names_in(item)}
        if items and any(written_to(part) in items for part in ast.walk(each)):
            return True
        if own_name((written_to(each) or "").partition("[")[0]) == name:
            return True
    return False


def is_read_after(name: str, steps: list[str], program: Program) -> bool:
    """Whether a list is read where a step can have run since it was filled."""
    for _source, tree in texts(program.frame):
        around = parents_in(tree)
        for each in parts_in(tree):
            match each:
                case ast.Assign([to, *_]) | ast.Expr(ast.Call(ast.Attribute(to, "append"))):
                    is_own = own_name(ast.unparse(to).partition("[")[0]) == name
                    at = each, around[each]
                    if is_own and is_used_elsewhere(name, each, at, steps, program):
                        return True
    return False


def shared_values(tensor: Any, name: str, program: Program) -> list[str]:
    """That a tensor has the values of another one, which was written to since; and what to do."""
    for cut in cuts_of(tensor):
        writers = written_since(tensor, cut)
        known = [each for each in writers if each is not None]
        if not writers or any(name == target(each) for each in known):
            continue
        whole = program.name_of(cut.source()) or "what it was made of"
        by = f" ({reader.spoken(known[0])})" if known else ""
        said = f"{name} shares its values with {whole}, which was changed in place since{by}"
        do = f"{copied(cut)} ({reader.spoken(cut.place)})"
        return [
            f"{said}: {name} shows the new values, too.",
            f"Try: {do}, where the values of then are to be kept.",
        ]
    return []


def shared_parts(name: str, program: Program) -> list[str]:
    """The same of what two parts of an expression share, such as ``new - old``."""
    known = ((own, program.variables.get(own)) for own in sorted(program.parts_of(name)))
    known = [(own, each) for own, each in known if isinstance(each, Tensor)]
    for own, each in known:
        if any(e is not each and np.shares_memory(e._value, each._value) for _, e in known):
            if said := shared_values(each, own, program):
                return said
    return []


def target(writer: Place) -> str | None:
    """What a line writes into: ``w`` of ``w -= g``."""
    tree = tree_of(text_of_code(writer[0]))
    return next(map(written_to, statements_at(tree, reader.line_number(writer))), None)


def copied(cut: Cut) -> str:
    """How the line of a cut keeps the values."""
    written = expression_at(cut.place)
    if is_call(written, STATE):
        return f"copy.deepcopy({ast.unparse(written)}) there, with `import copy` above"
    is_whole = is_call(written, {"detach"}) or isinstance(written, ast.Attribute)
    return f"{ast.unparse(written)}.clone() there" if is_whole else ".clone() there"


def written_since(tensor: Any, cut: Cut) -> list[Place | None]:
    """The last lines that have written to what a detached tensor shares its values with.

    One that loads a state does not count: it may load these very values.
    """
    counter = cut.source()._counter if is_shared(tensor, cut) else None
    count = 0 if counter is None else counter.value - cut.version
    writers = counter.writers[-count:] if count else ()
    return [each for each in writers if each is None or LOADS not in reader.spoken(each)]


def is_shared(tensor: Any, cut: Cut) -> bool:
    """Whether a line gave a tensor the values of another one, and no copy of them."""
    whole = cut.source and cut.source()
    is_kept = cut.what in ("detach", "data") and cut.place is not None and whole is not None
    is_kept = is_kept and isinstance(tensor, Tensor)
    return is_kept and bool(np.shares_memory(tensor._value, whole._value))


def is_of_the_best(statement: ast.AST, net: str, around: dict) -> bool:
    """Whether it runs where something is better than the best so far, which is kept there, too.

    Not where each round of that loop makes a net of its own, ``net`` or what begins with that.
    """
    is_best = False
    while (statement := around.get(statement)) is not None:
        if isinstance(statement, ast.If):
            given = {name for each in statement.body for name in targets_in(each)}
            is_best |= bool(given & {*map(ast.unparse, ast.walk(statement.test))})
        if isinstance(statement, LOOPS | FUNCTIONS):
            own = names_in(statement, ast.Store)
            return is_best and not (isinstance(statement, LOOPS) and net.partition(".")[0] in own)
    return False


def targets_in(statement: ast.AST) -> set[str]:
    """What an assignment assigns to, also as parts of a tuple."""
    targets = getattr(statement, "targets", ())
    return {ast.unparse(part) for each in targets for part in [each, *getattr(each, "elts", ())]}


def is_used_elsewhere(
    name: str, what: ast.AST, at: tuple, steps: list[str], program: Program
) -> bool:
    """Whether the state is loaded, or the net used, in another block than the one that keeps it.

    Or below it in that block, where one of the steps runs in between.
    """
    keeps, block = at
    own, rows = {*ast.walk(block)}, rows_below(keeps, block, program)
    for _source, each in everywhere(program.frame):
        given = given_to(each)
        if is_call(what) and not is_call(each, {"load_state_dict"}):
            continue
        if not is_call(what) and isinstance(each, ast.Call | ast.Attribute):
            given = [*given, getattr(each, "func", None) or each.value]
        if isinstance(what, ast.stmt):  # of a list, whatever reads it
            given = [each] if isinstance(getattr(each, "ctx", None), ast.Load) else []
        if any(own_name(ast.unparse(thing)) == own_name(name) for thing in given):
            below = [k for k, (_, row) in enumerate(rows) if each in ast.walk(row)]
            between = rows[: below[0] + isinstance(rows[below[0]][1], LOOPS)] if below else []
            if runs_one(steps, between, program) if below else each not in own:
                return True
    return False


def rows_below(keeps: ast.stmt, block: ast.AST, program: Program) -> list[tuple[Source, ast.stmt]]:
    """The statements below one in its block; outside of functions also those of later cells."""
    blocks = texts(program.frame)
    if not isinstance(block, ast.Module):
        blocks = [(source, block) for source, tree in blocks if block in parts_in(tree)]
    rows = [(source, each) for source, part in blocks for each in getattr(part, "body", ())]
    above = [k for k, (_, each) in enumerate(rows) if each is keeps]
    defines = FUNCTIONS | ast.ClassDef
    return [row for row in rows[above[0] + 1 :] if not isinstance(row[1], defines)] if above else []


def runs_one(lines: list[str], rows: list[tuple[Source, ast.stmt]], program: Program) -> bool:
    """Whether one of some lines stands in statements, or in a function that they lead to."""
    of_rows, places = led_to(rows, program.frame), [*map(line_at, lines)]
    return any(
        source.name == name and is_at(part, number)
        for source, part in of_rows
        for name, number in places
    )
