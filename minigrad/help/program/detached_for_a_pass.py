"""What is detached where it is made, and used by several backward passes: which are to do without.

A GAN's pictures are such: the first pass is not to reach what made them, and would free its graph.
A function that detaches what it is given, or what it gives, does so for all that call it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from ..source import reader
from ..source.lists import trees_with
from ..source.syntax import (
    FUNCTIONS,
    is_call,
    names_in,
    own_parts,
    scope,
    statements_at,
    targets_of,
)

DETACHED = re.compile(r"`(\w+) = .*\.(?:detach\(\)|data)`")
Line = tuple[str, int]  #: what the reader knows a text by, and a number
Use = tuple[str, str]  #: what is to stand in a line, and of what that is
Uses = dict[tuple[str, int, Use], None]  #: lines, each with what it is to have without a history
Trees = Mapping[str, ast.Module]
ASSIGNS = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr


def passes_beside(line: str, wanted: str = "") -> str:
    """What else to write where a line no longer cuts off what it makes; empty for one pass.

    The pass from ``wanted`` is to go on there, or the last one.

    >>> passes_beside("line 1 of no file: `fake = net(noise).detach()`")
    ''
    """
    place, found = reader.SPOKEN_LINE.match(line), DETACHED.search(line)
    trees = trees_with(place[2]) if place else {}
    if place is None or place[2] not in trees:
        return ""
    start = place[2], int(place[1])
    passes = [*passes_calling(start, trees)]
    passes = passes or (passes_from(of_a_name(found[1]), start, trees, found[1]) if found else [])
    if not passes:
        return ""
    is_wanted = [wanted in names for names, _ in passes]
    goes_on = is_wanted.index(True) if sum(is_wanted) == 1 else -1
    kept = passes[goes_on][1]
    wholes = {of for _, _, (_, of) in kept}
    lines = [e for e in union(own for _, own in passes) if e not in kept and e[2][1] in wholes]
    if not lines:
        return ""
    written: dict[str, list[Line]] = {}
    for source, number, (do, _) in lines:
        written.setdefault(do, []).append((source, number))
    told = []
    for do, places in written.items():
        of = "" if {source for source, _ in places} == {place[2]} else f" of {places[0][0]}"
        numbers = ", ".join(str(number) for _, number in places)
        told.append(f"{do} in line{'s' * (len(places) > 1)} {numbers}{of}")
    own = "which has a pass of its own" if len(lines) == 1 else "which have passes of their own"
    return f", with {' and '.join(told)}, {own}"


def of_a_name(name: str) -> Callable[[ast.stmt], list[Use]]:
    """What says of a statement whether it computes with a name."""
    use = f"{name}.detach() for {name}", ""
    return lambda each: [use] * (name in names_in(each.value, ast.Load))


def passes_calling(start: Line, trees: Trees) -> Iterator[tuple[set[str], Uses]]:
    """The same of calls of the function around a line, which cuts off what they give or get."""
    function = scope(trees[start[0]], start[1])
    inside = statements_at(trees[start[0]], start[1])
    if not isinstance(function, FUNCTIONS) or not inside:
        return
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    ends = [e for e in ast.walk(inside[-1]) if getattr(e, "attr", "") in ("detach", "data")]
    cut = [root.id for e in ends if isinstance(root := e.value, ast.Name) and root.id in names]
    if not cut and not is_given_back(inside[-1], function):
        return

    def without(statement: ast.stmt) -> Iterator[Use]:
        """Each call in a statement, as it is to be written there."""
        for call in ast.walk(ast.Pass() if statement in own else statement.value):
            if not is_call(call, {function.name}):
                continue
            if not cut:
                yield f"`{ast.unparse(detached(call))}`", ""
                continue
            at = names.index(cut[0]) - (names[0] == "self")
            given = [each.value for each in call.keywords if each.arg == cut[0]]
            given = (given or call.args[at : at + 1] or [None])[0]
            args = [detached(each) if each is given else each for each in call.args]
            named = [
                (e.arg, detached(e.value) if e.value is given else e.value) for e in call.keywords
            ]
            if given is not None and not any(isinstance(e, ast.Starred) for e in args):
                named = [ast.keyword(*each) for each in named]
                whole = given.func if is_call(given) else given
                yield f"`{ast.unparse(ast.Call(call.func, args, named))}`", ast.unparse(whole)

    own = {*own_parts(function)}
    starts: dict[ast.AST | None, Line] = {}
    for source, tree in reversed(trees.items()):
        for each in ast.walk(tree):
            if isinstance(each, ASSIGNS) and each.value and [*without(each)]:
                around = scope(tree, each.lineno)
                is_own = isinstance(around, FUNCTIONS)
                first = source, around.lineno if is_own else 0
                starts.setdefault(around if is_own else None, first)  # cells go on with each other
    for each in starts.values():
        yield from passes_from(without, each, trees)


def detached(value: ast.expr) -> ast.expr:
    """What gives the same value without history."""
    return ast.Call(ast.Attribute(value, "detach"), [], [])


def is_given_back(statement: ast.stmt, function: ast.AST) -> bool:
    """Whether what a statement computes is all that its function gives."""
    given = [e.value for e in own_parts(function) if isinstance(e, ast.Return) and e.value]
    if len(given) != 1:
        return False
    is_one = getattr(statement, "value", None) is given[0]
    return is_one or ast.unparse(given[0]) in targets_of(statement)


def passes_from(
    uses: Callable[[ast.stmt], Iterable[Use]], start: Line, trees: Trees, name: str = ""
) -> list[tuple[set[str], Uses]]:
    """For each ``backward()`` below a line, what it begins at, and the uses that go into it.

    They end where a ``name`` is given to something else.
    """
    used: dict[str, Uses] = {}
    passes = []
    for source, each in below(start, trees):
        reads = names_in(each.value, ast.Load)
        lines = dict.fromkeys((source, each.lineno, do) for do in uses(each))
        lines |= union(used.get(own, {}) for own in reads)
        if lines and is_call(each.value, {"backward"}):
            passes.append((reads, lines))
        stored = names_in(each, ast.Store)
        if name in stored:
            break
        kept = isinstance(each, ast.AugAssign)
        used |= {own: lines | (used.get(own, {}) if kept else {}) for own in stored}
    return passes


def union(several: Iterable[Uses]) -> Uses:
    """Uses of several, each once."""
    return {line: None for each in several for line in each}


def below(start: Line, trees: Trees) -> Iterator[tuple[str, ast.stmt]]:
    """The assignments and calls below a line of a function or a text, and of the cells after it."""
    own, number = start
    around = scope(trees[own], number)
    later = [*trees][: [*trees].index(own)][::-1] if isinstance(around, ast.Module) else []
    for source, tree in [(own, around), *((each, trees[each]) for each in later)]:
        for each in sorted(statements(tree), key=lambda each: each.lineno):
            if source != own or each.lineno > number:
                yield source, each


def statements(around: ast.AST) -> list[ast.stmt]:
    """The assignments and calls of a function, or of a text."""
    return [each for each in own_parts(around) if isinstance(each, ASSIGNS)]
