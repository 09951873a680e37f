"""Cuts: which line made a result without history, and of what, for :mod:`minigrad.help` to tell.

A tensor that was cut keeps its cuts in a slot that those with a history leave empty; arrays and
numbers have theirs in tables beside them. What is computed from one of them inherits what is known
of it. A leaf that asks for gradients was cut from nothing, whatever its values came from, unless
one of them is known to have had a history.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from ..autograd.around import Around
from ..autograd.caller import PACKAGE, Place, frame, place
from ..autograd.function import Function
from ..autograd.node import AccumulateGrad, Node
from ..autograd.thread_state import OFF, state
from ..tensor import Tensor

MOST = 4  #: cuts that are known of one tensor, the last one first
MOST_LINES = 10_000  #: lines that are remembered
MOST_PARTS = 1_000  #: of what a tensor is made from that are looked at
ALIKE = 4  #: times in a row that a line cuts the same leaves; after that it is not asked again
MOST_WALKED = 20_000  #: nodes that are looked at for the leaves that one line has cut
MADE = {"tensor", "Tensor", "from_numpy"}  #: makes a tensor from values alone, whatever they are
PLAIN = {"item", "float", "int", "tolist", "numpy"}  #: gives what is no tensor
CUTS = MADE | PLAIN | {"detach", "detach_", "data"}
NOT_RECORDED = "not recorded"  #: what computed with grad mode off
#: what shows a program reads its values without a history, and that is no loss of the program's
LOOKING = tuple(
    f"{PACKAGE}{room}{os.sep}" for room in ("help", "trace", "viz", "widgets", "lessons")
)
KEY = "minigrad.cuts"  #: where a watched node has the cuts of operands that bring no history
PLACE = "minigrad.place"  #: where it has the line that made it


class Cut(NamedTuple):
    """One loss of history.

    Attributes:
        what: the name of what made the result, or `NOT_RECORDED`.
        place: the line that did it (:mod:`minigrad.autograd.caller`).
        source: a weak reference to the tensor whose history ended; None where there was none.
        leaves: weak references to the leaves behind that tensor, each once. Those of all cuts of a
            line are the keys of a dict: a loop over parameters adds one at a time.
        off: what had turned grad mode off, where that is why nothing was recorded.
        alike: how many times in a row this line has cut the same leaves.
        walked: how many nodes have been looked at for this line, to find leaves.
        version: how often the memory of the source had been written to.
        several: whether it was in a list of tensors, of which a stack can be made.
    """

    what: str
    place: Place | None
    source: weakref.ref | None
    leaves: Iterable[weakref.ref] = ()
    off: Off | None = None
    alike: int = 0
    walked: int = 0
    version: int = 0
    several: bool = False

    @property
    def is_explored(self) -> bool:
        """Whether it is not worth its time to look for the leaves of this line once more.

        It is where all are gone, as those of a net that a function has made and trained.
        """
        return (self.alike >= ALIKE or self.walked >= MOST_WALKED) and self.has_leaves

    @property
    def has_leaves(self) -> bool:
        """Whether some of the leaves are still there."""
        return any(leaf() is not None for leaf in self.leaves)


class Off(NamedTuple):
    """What had turned grad mode off.

    Attributes:
        since: the line that did.
        around: where the function of that line was, if it was still running, and so around what
            was computed; None where it was left on.
    """

    since: Place
    around: Place | None


APPLY = Function.apply.__func__.__code__
IN_FORWARD = Off((APPLY, 0), None)


class Kept(weakref.ref):
    """What is known of one array, as long as that lives."""

    __slots__ = ("key", "cuts")


TABLE: dict[int, Kept] = {}
NUMBERS: deque[tuple[float, tuple[Cut, ...]]] = deque(maxlen=16)
LINES: dict[tuple[int, int], Cut] = {}  # the last cut of each, with the leaves of all


new, ref = tuple.__new__, weakref.ref


READER, ENGINE, LOOKS = range(3)


class Owners(dict):
    """Whose code a file has, found once for each."""

    def __missing__(self, filename: str) -> int:
        if len(self) > MOST_LINES:
            self.clear()
        inside = LOOKS if filename.startswith(LOOKING) else ENGINE
        whose = self[filename] = inside if filename.startswith(PACKAGE) else READER
        return whose


OWNERS = Owners()


class Now:
    """What holds at the moment.

    Attributes:
        watched: the lists of those who watch: each new cut is added, with the leaves behind it.
        paused: an optimizer computes without history, and nobody asks where it lost that.
    """

    __slots__ = ("paused", "watched")

    def __init__(self) -> None:
        self.watched: list[list[Cut]] = []
        self.paused = False


NOW = Now()


def forget(kept: Kept) -> None:
    """Take what was known of an array off the table."""
    TABLE.pop(kept.key, None)


def keep(thing: Any, cuts: tuple[Cut, ...]) -> None:
    """Keep what is known of a tensor, an array or a number; of nothing else."""
    if isinstance(thing, Tensor):
        thing._cuts = cuts
    elif thing.__class__ is float:
        NUMBERS.append((thing, cuts))
    elif thing.__class__ is list:
        for each in thing[: NUMBERS.maxlen]:
            keep(each, cuts)
    elif isinstance(thing, np.ndarray):
        kept = Kept(thing, forget)
        kept.key, kept.cuts = id(thing), cuts
        TABLE[kept.key] = kept


def cuts_of(thing: Any) -> tuple[Cut, ...]:
    """What is known of a tensor, an array or a number: the last cut first.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> [cut.what for cut in cuts_of(x.detach() * 2)]
    ['detach']
    >>> cuts_of(x * 2)
    ()
    """
    if isinstance(thing, Tensor):
        return getattr(thing, "_cuts", None) or ()
    if thing.__class__ is float:
        for number, cuts in NUMBERS:
            if number is thing:
                return cuts
        return ()
    kept = TABLE.get(id(thing))
    return kept.cuts if kept is not None and kept() is thing else ()


def cut(result: Any, what: str, *operands: Any) -> Any:
    """Keep which line made a result without history; the result itself."""
    if NOW.paused:
        return result
    if not NUMBERS and (what not in CUTS or what == "tensor" and result._meta is not None):
        for operand in operands:  # mostly there are only numbers, and tensors without a history
            if operand.__class__ is Tensor:
                if operand._edge is not operand._meta or getattr(operand, "_cuts", None):
                    break
            elif operand.__class__ is not float:
                break
        else:
            return result
    source, before, ends = None, (), what in CUTS
    for operand in operands:
        if operand.__class__ is float:
            if NUMBERS:
                source, before = among(operand, before)
        elif operand.__class__ is Tensor or isinstance(operand, Tensor):
            if operand._edge is not None or operand._meta is not None and operand.requires_grad:
                source = operand
                break
            if own := getattr(operand, "_cuts", None):
                if not before or before[0].source is None is not own[0].source:
                    before = own  # a history that ended tells more than plain values
                if before[0].what is NOT_RECORDED and not ends:
                    break
        elif ends:
            source, before = among(operand, before)
    if source is None and not ends:
        if before:
            keep(result, before)
        return result
    made = source is None and not before
    if made and (what not in MADE or result._meta is not None):
        return result
    found = sys._getframe(1)  # as in `caller.place`, which would be a call more
    while found is not None and (whose := OWNERS[found.f_code.co_filename]) is not READER:
        if whose is LOOKS:
            return result
        found = found.f_back
    place = None if found is None else (found.f_code, found.f_lasti)
    if made:  # no evidence of whether a line has run that takes a history away
        result._cuts = (new(Cut, (what, place, None, (), None, 0, 0, 0, False)),)
        return result
    off = not ends and state.here.mode is OFF
    by = turned_off(found) if off else None
    if by is IN_FORWARD:
        return result
    known = LINES.get((id(place[0]), place[1])) if off and place else None
    is_known = known is not None and known.what is NOT_RECORDED and known.off == by
    if not is_known or not known.is_explored or NOW.watched:
        known = record(NOT_RECORDED if off else what, place, source, by, operands)
    keep(result, (known,) if source is not None else (known, *before)[:MOST])
    return result


def turned_off(found: FrameType | None) -> Off | None:
    """What turned grad mode off, and where its code is now, if a frame or a caller of it runs that.

    None where a backward pass did; `IN_FORWARD` where a Function did, whose result has a node.
    """
    here = state.here
    since = here.since
    if since is None or here.enabled or here.running is not None:
        return None
    while found is not None and found.f_code is not since[0]:
        if found.f_code is APPLY:
            return IN_FORWARD
        found = found.f_back
    return new(Off, (since, None if found is None else (found.f_code, found.f_lasti)))


def record(
    what: str, place: Place | None, source: Tensor | None, off: Off | None, operands: tuple
) -> Cut:
    """A new cut, entered among the lines that have run."""
    parts = operands[0] if operands and operands[0].__class__ in (list, tuple) else ()
    several = len(parts) > 0 and isinstance(parts[0], Tensor)
    if source is None:
        cut = new(Cut, (what, place, None, (), off, 0, 0, 0, several))
    else:
        last = None if place is None else LINES.get((id(place[0]), place[1]))
        if last is None or not last.has_leaves:
            last = new(Cut, (what, place, None, {}, off, 0, 0, 0, several))
        before, alike, walked = last.leaves, last.alike, last.walked
        leaves, of_all, had = before, before, len(before)
        if not last.is_explored or NOW.watched:
            leaves, nodes = leaves_of(operands)
            walked += nodes
            # Once a line is looked at no more, results share with it what is known of it.
            of_all = joined({**before} if last.is_explored else before, leaves)
            alike = alike + 1 if len(leaves) == had == len(of_all) else 1
        version = 0 if source._counter is None else source._counter.value
        cut = new(Cut, (what, place, ref(source), leaves, off, alike, walked, version, several))
        if place is not None:
            LINES[id(place[0]), place[1]] = cut._replace(leaves=of_all)
            if len(LINES) > MOST_LINES:
                del LINES[next(iter(LINES))]
    for seen in NOW.watched:
        seen.append(cut)
    return cut


def joined(known: dict[weakref.ref, None], leaves: tuple) -> dict[weakref.ref, None]:
    """Known leaves with these; without those that are gone, whenever the number has doubled."""
    had = len(known)
    known.update(dict.fromkeys(leaves))
    if len(known) == had or len(known) & (len(known) - 1):
        return known
    return {leaf: None for leaf in known if leaf() is not None}


def among(operands: Any, before: tuple) -> tuple[Tensor | None, tuple[Cut, ...]]:
    """The first of some numbers and tensors that has a history, or what is known of them."""
    for each in islice(each_of(operands), MOST_PARTS):
        if isinstance(each, Tensor) and each.requires_grad:
            return each, ()
        before = before or cuts_of(each)
    return None, before


def each_of(operands: Any) -> Iterator[Any]:
    """What stands in lists and in the lists inside them."""
    if isinstance(operands, (list, tuple)):
        for each in operands:
            yield from each_of(each)
    else:
        yield operands


def leaves_of(operands: Any) -> tuple[tuple[weakref.ref, ...], int]:
    """The leaves that asked for gradients behind some operands, each once, and how far one looked.

    Unless it is watched, a line is not worth looking at more than `MOST_WALKED` nodes.
    """
    found: dict[int, Tensor] = {}
    walked, most = 0, None if NOW.watched else MOST_WALKED
    for each in islice(each_of(operands), MOST_PARTS):
        if isinstance(each, Tensor) and each._edge is not None:
            nodes = nodes_behind(each, most)
            walked += len(nodes)
            leaves = [node.variable for node in nodes if isinstance(node, AccumulateGrad)]
            found.update((id(leaf), leaf) for leaf in leaves)
        elif isinstance(each, Tensor) and each.requires_grad:
            found[id(each)] = each
    return tuple(map(ref, found.values())), walked


def nodes_behind(result: Tensor, most: int | None) -> list[Node]:
    """The nodes that a gradient of a result would reach, the nearest first."""
    seen: dict[Node, None] = {result._edge.node: None}
    waiting = list(seen)
    for node in waiting:  # the list grows while it is walked
        if most is not None and len(seen) > most:
            break
        new = [edge.node for edge in node.edges if edge is not None and edge.node not in seen]
        seen.update(dict.fromkeys(new))
        waiting.extend(dict.fromkeys(new))
    return waiting


# -- a pass that is watched ------------------------------------------------------------------------


def noted(node: Node, operands: tuple, result: Any) -> None:
    """Keep with a node its line, and what is known of its operands that bring no history."""
    if (found := place()) is not None:
        node.metadata[PLACE] = found
    known = [each for operand in operands for each in cuts_of(operand)]
    if known:
        node.metadata[KEY] = tuple(known)


@contextmanager
def watching() -> Iterator[list[Cut]]:
    """Keep more while the block runs: the leaves behind a cut, and the operands of each node.

    The list has the cuts of the block, in order.
    """
    here, seen = state.here, []
    here.watch(noted)
    NOW.watched.append(seen)
    try:
        yield seen
    finally:
        NOW.watched = [each for each in NOW.watched if each is not seen]
        here.unwatch(noted)


def written(target: Tensor, *operands: Any) -> None:
    """Keep which line writes values with a history into a leaf that asks for gradients.

    That is the target itself where nothing is recorded, or what ``.data`` was taken from.
    """
    if NOW.paused or target._edge is not None:
        return
    for x in operands:  # in most steps, none has a history, nor had one
        if isinstance(x, Tensor) and (x._edge or x._meta or getattr(x, "_cuts", None)):
            break
    else:
        return
    own, leaf = cuts_of(target), target if target.requires_grad else None
    if leaf is None and own and own[0].what == "data" and own[0].source is not None:
        leaf = own[0].source()
        if leaf is None or not np.may_share_memory(leaf._value, target._value):
            return  # computed with it, such as a copy
    if leaf is None or leaf is target and state.here.mode is not OFF:
        return
    source = next((x for x in operands if isinstance(x, Tensor) and x.requires_grad), None)
    before = next((own for own in map(cuts_of, operands) if any(cut.leaves for cut in own)), ())
    found = frame()
    if found is None or source is None and not before:
        return
    what, by = (NOT_RECORDED, turned_off(found)) if leaf is target else ("data", None)
    known = record(what, (found.f_code, found.f_lasti), source, by, operands)
    if source is None:
        known = known._replace(leaves=tuple({each for cut in before for each in cut.leaves}))
    leaf._cuts = (known, *before)[:MOST]


Around.cut, Around.written = staticmethod(cut), staticmethod(written)
