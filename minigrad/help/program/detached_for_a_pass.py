"""What is detached where it is made, and used by several backward passes: which are to do without.

A GAN's pictures are such: the first pass is not to reach what made them, and would free its graph.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from ..source import reader
from ..source.lists import trees_with
from ..source.syntax import is_call, names_in, own_parts, scope

DETACHED = re.compile(r"`(\w+) = .*\.(?:detach\(\)|data)`")
Line = tuple[str, int]  #: what the reader knows a text by, and a number
Lines = dict[Line, None]
ASSIGNS = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr


def passes_beside(line: str) -> str:
    """What else to write where a line no longer detaches what it makes; empty for one pass.

    >>> passes_beside("line 1 of no file: `fake = net(noise).detach()`")
    ''
    """
    place, found = reader.SPOKEN_LINE.match(line), DETACHED.search(line)
    trees = trees_with(place[2]) if place and found else {}
    if place is None or place[2] not in trees:
        return ""
    passes = passes_using(found[1], (place[2], int(place[1])), trees)
    lines = [each for each in union(passes[:-1]) if each not in passes[-1]]
    if not lines:
        return ""
    of = "" if {source for source, _ in lines} == {place[2]} else f" of {lines[0][0]}"
    those = f"line{'s' * (len(lines) > 1)} {', '.join(str(number) for _, number in lines)}{of}"
    own = "which has a pass of its own" if len(lines) == 1 else "which have passes of their own"
    return f", with {found[1]}.detach() for {found[1]} in {those}, {own}"


def passes_using(name: str, start: Line, trees: Mapping[str, ast.Module]) -> list[Lines]:
    """The lines that use a name for each ``backward()`` below a line, in their order."""
    used: dict[str, Lines] = {}
    passes = []
    for source, each in below(start, trees):
        reads = names_in(getattr(each, "value", None), ast.Load)
        lines = {(source, each.lineno): None} if name in reads else {}
        lines |= union(used.get(own, {}) for own in reads)
        if lines and is_call(each.value, {"backward"}):
            passes.append(lines)
        stored = names_in(each, ast.Store)
        if name in stored:
            break
        kept = isinstance(each, ast.AugAssign)
        used |= {own: lines | (used.get(own, {}) if kept else {}) for own in stored}
    return passes


def union(several: Iterable[Lines]) -> Lines:
    """Lines of several, each once."""
    return {line: None for each in several for line in each}


def below(start: Line, trees: Mapping[str, ast.Module]) -> Iterator[tuple[str, ast.stmt]]:
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
