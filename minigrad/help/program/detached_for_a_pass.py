"""What is detached where it is made, and used by several backward passes: which are to do without.

A GAN's pictures are such: the first pass is not to reach what made them, and would free its graph.
A function that detaches what it is given, or what it gives, does so for all that call it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from ..source.line_order import at
from ..source.lists import trees_with
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    around_line,
    attributes_in,
    calls_in,
    is_call,
    names_in,
    own_parts,
    parts_in,
    scope,
    statements_at,
    targets_of,
)
from ..words.sentences import say

DETACHED = re.compile(r"`(\w+) = .*\.(?:detach\(\)|data)\s*(?:#.*)?`")
LOG_PROBABILITY = re.compile(r"log_?p|log_softmax|ratio")
NAMED = re.compile(r"`(\w+) = ")
Line = tuple[str, int]  #: what the reader knows a text by, and a number
Lines = dict[Line, None]
Trees = Mapping[str, ast.Module]
ENDS = {"detach", "data"}  #: attributes that end a history
ASSIGNS = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr


def passes_beside(line: str, wanted: str = "", is_off: bool = False) -> str:
    """What else to write where a line no longer cuts off what it makes; empty for one pass.

    The pass from ``wanted`` is to go on there, or the last one. The line is written with a detach,
    or grad mode ``is_off``.

    >>> passes_beside("line 1 of no file: `fake = net(noise).detach()`")
    ''
    """
    start, found = at(line), (NAMED if is_off else DETACHED).search(line)
    trees = trees_with(start[0]) if start[0] else {}
    if start[0] not in trees:
        return ""
    if found and (said := weighted(found[1], start, trees)):
        return said
    passes = passes_from(found[1], start, trees) if found else []
    if not passes:
        return in_calls(start, trees, is_off)
    is_wanted = [wanted in names for names, _ in passes]
    kept = passes[is_wanted.index(True) if sum(is_wanted) == 1 else -1][1]
    lines = [each for each in union(own for _, own in passes) if each not in kept]
    if not lines:
        return ""
    of = "" if {source for source, _ in lines} == {start[0]} else f" of {lines[0][0]}"
    numbers = ", ".join(str(number) for _, number in lines)
    own = "which has a pass of its own" if len(lines) == 1 else "which have passes of their own"
    do = f"{found[1]}.detach() for {found[1]} in line{'s' * (len(lines) > 1)} {numbers}{of}"
    return f", with {do}, {own}"


def keeps_apart(line: str) -> str:
    """Which passes a line keeps apart by detaching what another pass goes through; else empty.

    Both through one graph would need it twice, and the first frees it.
    """
    start = at(line)
    tree = (trees := trees_with(start[0]) if start[0] else {}).get(start[0])
    for each in statements_at(tree, start[1]) if tree else ():  # which may go over several lines
        start = start[0], each.lineno
        if begins_a_round(each, around_line(tree, start[1], LOOPS)):
            return say("begins-a-round")
    if tree is None or sum(map(freeing_passes, trees.values())) < 2:
        return ""
    above = [each for each in statements(scope(tree, start[1])) if each.lineno < start[1]]
    for name in {own for own, is_cut in uses(start, trees) if is_cut}:
        made = [each.lineno for each in above if name in names_in(each, ast.Store)]
        passes = passes_from(name, (start[0], made[-1]), trees) if made else []
        through = [any((name, False) in uses(e, trees) for e in lines) for _, lines in passes]
        cut = [at for at, (_, lines) in enumerate(passes) if start in lines and not through[at]]
        if len(cut) == 1 and sum(through) == 1:
            own, other = (min(passes[at][0]) for at in (cut[0], through.index(True)))
            return say("keeps-apart", own=own, other=other, name=name)
    return ""


def begins_a_round(statement: ast.stmt, loops: list[ast.For | ast.While]) -> bool:
    """Whether a value goes on from one round to the next, each of which frees its own graph."""
    plain = ast.unparse(statement).replace(".detach()", "").partition(" = ")
    if not loops or plain[0] != plain[2] or not freeing_passes(loops[-1]):
        return False
    own = [each for each in statements(loops[-1]) if each is not statement]
    passes = [each.lineno for each in own if is_call(each.value, {"backward"})]
    given = [each.lineno for each in own if names_in(each, ast.Store) & names_in(statement)]
    return bool(given) and not any(min(passes) > statement.lineno > at for at in given if passes)


def weighted(name: str, start: Line, trees: Trees) -> str:
    """That a name which is used otherwise, too, stays detached where it weights log-probabilities.

    Else a loss that moves them would also move what their weights are computed from.
    """
    reads = [each for _, each in below(start, trees) if name in names_in(each, ast.Load)]
    products = [part for each in reads for part in parts_in(each, ast.BinOp)]
    for part in products if len(reads) > 1 else ():
        if isinstance(part.op, ast.Mult):
            sides = [ast.unparse(part.left), ast.unparse(part.right)]
            if name in sides and LOG_PROBABILITY.search(" ".join(sides)):
                return say("weighs", name=name, line=part.lineno)
    return ""


def freeing_passes(tree: ast.AST) -> int:
    """How many calls in a text start a pass that frees its graph."""
    return sum(not each.keywords for each in calls_in(tree, {"backward"}))


def uses(line: Line, trees: Trees) -> set[tuple[str, bool]]:
    """The names in a line, each with whether its history is taken away at once."""
    found = statements_at(trees[line[0]], line[1])
    cut = [end.value for each in found for end in attributes_in(each, ENDS)]
    return {(name.id, name in cut) for each in found for name in parts_in(each, ast.Name)}


def in_calls(start: Line, trees: Trees, is_off: bool) -> str:
    """The same where a function cuts off what it is given or gives, and several passes call it.

    Or one calls it several times with grad mode off, as for an output and its target.
    """
    function, inside = (found(trees[start[0]], start[1]) for found in (scope, statements_at))
    if not isinstance(function, FUNCTIONS) or not inside:
        return ""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    cut = [each.value for each in attributes_in(inside[-1], ENDS)]
    is_given = any(getattr(each, "id", "") in names for each in cut)
    if not is_given and not is_given_back(inside[-1], function):
        return ""
    calls, passes = (
        sum(len(calls_in(tree, {name})) for tree in trees.values())
        for name in (function.name, "backward")
    )
    what = f"what is given to {function.name}()" if is_given else f"what {function.name}() gives"
    ends = "for a pass that is to end there" if passes > 1 else "where it is a target"
    return f", with detach() on {what} {ends}" * (calls > 1 and (is_off or passes > 1))


def is_given_back(statement: ast.stmt, function: ast.AST) -> bool:
    """Whether what a statement computes is all that its function gives."""
    given = [each.value for each in own_parts(function, ast.Return) if each.value]
    if len(given) != 1:
        return False
    is_one = getattr(statement, "value", None) is given[0]
    return is_one or ast.unparse(given[0]) in targets_of(statement)


def passes_from(name: str, start: Line, trees: Trees) -> list[tuple[set[str], Lines]]:
    """For each ``backward()`` below a line, what it begins at, and the uses that go into it.

    They are uses of a name, and end where it is given to something else.
    """
    used: dict[str, Lines] = {}
    passes = []
    for source, each in below(start, trees):
        reads, stored = names_in(each.value, ast.Load), names_in(each, ast.Store)
        lines: Lines = {(source, each.lineno): None} if name in reads else {}
        lines |= union(used.get(own, {}) for own in reads)
        if lines and is_call(each.value, {"backward"}):
            passes.append((reads, lines))
        if name in stored:
            break
        kept = isinstance(each, ast.AugAssign)
        used |= {own: lines | (used.get(own, {}) if kept else {}) for own in stored}
    return passes


def union(several: Iterable[Lines]) -> Lines:
    """Lines of several, each once."""
    return {line: None for each in several for line in each}


def below(start: Line, trees: Trees) -> Iterator[tuple[str, ast.stmt]]:
    """The assignments and calls below a line of a function or a text, and of the cells after it."""
    own, number = start
    around = scope(trees[own], number)
    later = [*trees][: [*trees].index(own)][::-1] if isinstance(around, ast.Module) else []
    for source, tree in [(own, around), *((each, trees[each]) for each in later)]:
        for each in statements(tree):
            if source != own or each.lineno > number:
                yield source, each


def statements(around: ast.AST) -> list[ast.stmt]:
    """The assignments and calls of a function, or of a text, in their order."""
    return sorted(own_parts(around, ASSIGNS), key=lambda each: each.lineno)
