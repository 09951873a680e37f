"""Where a history was cut, by line, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

from ..source import reader
from ..source.line_order import text_in, without_text
from ..words.answer import Scissors
from .above_loops import above_its_loop
from .cuts import (
    AT_A_POSITION,
    BY_GRAD,
    COUNT,
    ENDS_THERE,
    GIVES_POSITIONS,
    MOVE,
    PLAIN_NUMBERS,
    Loss,
    instead_of,
    lost_by,
)
from .detached_for_a_pass import keeps_apart, passes_beside
from .straight_through import straight_through

MOST_REMEDIES = 5  #: each of which is needed
MOST_PLACES = 6  #: lines of one remedy
NUMBER = re.compile(r"line (\d+) of ")
MOST_MOVED = 5  #: lines that are named
COMPARISON = "a comparison "
DECISION = lost_by("decision")
COPY = "deepcopy("
COPY_OF_A_NET = "use the copy afterwards, as by handing it back; or leave deepcopy(...) out there"
OF_NUMBERS = re.compile(rf"{re.escape(PLAIN_NUMBERS)}|makes a new leaf from the values alone")
LEFT_OUT = [loss.do for loss in ENDS_THERE]
#: a line that draws one of several by chance, which no gradient passes
DRAWS = re.compile(r"\b(choices?|multinomial|binomial|bernoulli|poisson)\(")


@dataclass(frozen=True)
class Cut:
    """What took the history away, and the line where it did, if that line ran.

    ``certain`` says that it ran. ``kept`` are the lines, in any of which the engine would have
    kept that; none where it would not.
    """

    loss: Loss
    line: str
    certain: bool = True
    kept: frozenset[tuple[str, int]] = frozenset()
    number: int = 0  # of its line, where others of the statement may do the same

    def has_ended(self, ends: Container[tuple[str, int]] | None) -> bool:
        """Whether it can have taken away a history that ended in one of these lines."""
        return ends is None or not self.kept or any(each in ends for each in self.kept)


@dataclass(frozen=True)
class Break:
    """The cuts in one line, in words."""

    said: str
    do: str
    place: str
    expected: bool
    certain: bool
    along: frozenset[int] = frozenset()  # lines to move with it
    left: tuple[int, ...] | None = None  # lines that stay in the block it moves out of
    plain: str = ""  # what to do where a step in this line is to keep its history

    def told(self, certain: str, perhaps: str) -> str:
        """A sentence: ``certain`` where the line is known to have run, else ``perhaps``."""
        return f"{certain if self.certain else perhaps}: {self.said}."


def breaks(routes: list[tuple[Cut, ...]]) -> list[Break]:
    """The cuts on these routes, one for a line; a longer way round tells nothing new.

    Nor does one by which a form alone comes, or on which something is picked or compared, where
    others bring values; or one that is detached on purpose, where create_graph=True is missing on
    another.
    """
    by_form = [tuple(each for each in route if each.loss.form) for route in routes]
    cut = [route for route, form in zip(routes, by_form) if route and not form]
    cut = cut or (by_form if all(by_form) else [])
    by_default = [r for r in cut if any(each.loss.says == BY_GRAD.says for each in r)]
    if any(not any(set(other) < set(route) for other in cut) for route in by_default):
        cut = [route for route in cut if any(each.loss not in ENDS_THERE for each in route)]
    for decides in (picks, compares):
        cut = [route for route in cut if not any(map(decides, route))] or cut
    by_line: dict[tuple[str, bool], dict[Loss, None]] = {}
    for route in map(with_remedies, cut):
        if not any(set(other) < set(route) and not beside(other, route) for other in cut):
            for each in route:
                by_line.setdefault((each.line, each.certain), {})[each.loss] = None
    beside_it = {line: straight_through(line) for line, _ in by_line}
    apart = {line: keeps_apart(line) for (line, _), e in by_line.items() if {*e} <= {*ENDS_THERE}}
    beside_it |= {line: "" for line, said in apart.items() if said}
    return [
        Break(
            f"{'; '.join(dict.fromkeys(e.says for e in losses))} ({line}){apart.get(line, '')}",
            instead_of(losses, line) if beside_it[line] is None else beside_it[line],
            without_text(line),
            all(loss.expected for loss in losses) or beside_it[line] is not None or draws(line),
            certain,
            frozenset(number for loss in losses for number in loss.along),
            next((loss.left for loss in losses if loss.off), None),
            instead_of(losses, line, False),
        )
        for (line, certain), losses in by_line.items()
    ]


def beside(other: tuple[Cut, ...], route: tuple[Cut, ...]) -> bool:
    """Whether a longer route adds what has to be mended with the other.

    Such are cuts in lines of the other, and what makes a tensor of a plain number, or computes with
    one.
    """
    lines = {each.line for each in other}
    added = (each for each in route if each.line not in lines)
    return all(OF_NUMBERS.search(each.loss.says) for each in added)


def beside_a_way(routes: list[tuple[Cut, ...]]) -> list[Break]:
    """The cuts of other routes than one that is whole, but of those on which nobody would miss one.

    So a sample goes by positions or by questions that are asked of probabilities.
    """
    return breaks([route for route in routes if not any(cut.loss.expected for cut in route)])


def picks(cut: Cut) -> bool:
    """Whether a value only decides there what is taken, as a draw does, or an index."""
    return cut.loss == DECISION or takes_one(cut)


def takes_one(cut: Cut) -> bool:
    """Whether something is taken there by its position, or by chance."""
    return cut.loss == AT_A_POSITION or draws(cut.line)


def compares(cut: Cut) -> bool:
    """Whether a value is compared there, as for a mask."""
    return cut.loss.says.startswith(COMPARISON)


def with_remedies(route: tuple[Cut, ...]) -> tuple[Cut, ...]:
    """A route with no remedy where none can help.

    Nothing stands in for a count; and what compares what was picked compares a number.
    """
    at = max((at for at, cut in enumerate(route) if takes_one(cut)), default=0)
    at = at * any(map(compares, route[:at]))
    at = len(route) if any(cut.loss == COUNT for cut in route) else at
    return (*(replace(cut, loss=replace(cut.loss, do="")) for cut in route[:at]), *route[at:])


def draws(line: str) -> bool:
    """Whether a line draws something by chance."""
    return DRAWS.search(text_in(line)) is not None


def blamed(cuts: Iterable[Break]) -> list[Break]:
    """Those where a reader would look for a gradient, or all, where there are none.

    Where one of them picks by a position, or compares one, with the line that gives it.
    """
    cuts = [*cuts]
    own = [cut for cut in cuts if not cut.expected or COUNT.says in cut.said]
    by = [replace(e, do="") for e in cuts if GIVES_POSITIONS in e.said and e not in own]
    return own + by * any(AT_A_POSITION.says in e.said or COMPARISON in e.said for e in own) or cuts


def copied(cuts: Iterable[Break], is_parameter: bool) -> list[Break]:
    """The same, where the copy is one of a net: a net has no clone(), and its copy can learn."""
    return [
        replace(cut, do=COPY_OF_A_NET) if is_parameter and cut.said.startswith(COPY) else cut
        for cut in cuts
    ]


def scissors(before: str, after: str, cut: Break) -> Scissors:
    """The picture of a way from ``before`` to ``after`` that was cut."""
    by = re.match(r"\.?\w+(\(\.*\))?", cut.said)
    return Scissors(before, after, by[0] if by else "", cut.place)


def remedy(cuts: list[Break], wanted: str = "") -> str:
    """What to write instead, the first line of the program first; empty where nothing is known.

    Of several passes, that from ``wanted`` is the one that is to go on there, else the last.
    """
    if any(AT_A_POSITION.says in cut.said and PLAIN_NUMBERS in cut.said for cut in cuts):
        return ""  # parts of an array, taken by positions
    if any(GIVES_POSITIONS in cut.said for cut in cuts):  # what stands in its place does for both
        cuts = [cut for cut in cuts if not cut.said.startswith(COMPARISON)]
    if all(cut.said.startswith((COMPARISON, AT_A_POSITION.says)) for cut in cuts):
        cuts = [*map(weighed, cuts)] if any(COMPARISON in cut.said for cut in cuts) else cuts
    known: dict[str, list[str]] = {}
    for cut in cuts:
        if cut.do:
            known.setdefault(cut.do, []).append(cut.place)
    of = {cut.place: cut for cut in cuts}
    own = {int(found[1]) for each in of if (found := NUMBER.match(each))}
    told = []
    for places in known.values():
        first = of[places[0]]
        said = first.do.replace("the line", "the lines", len(places) > 1)
        is_off = first.do.startswith(MOVE)
        if is_off:
            along = {n for each in places for n in of[each].along} - own
            said += moved_along(along)
            stay = [of[each].left for each in places]
            if all(each is not None and own | along >= {*each} for each in stay):
                out = first.do.removeprefix(MOVE)  # a `with` without a line is an error
                said += f", and leave {out} out, which is empty then"
            said += into_the_loop(first)
        is_plain = len(places) == 1 and (first.do in LEFT_OUT or is_off)
        line = first.said.partition(f"({first.place}")
        beside = passes_beside("".join(line[1:])[1:-1], wanted, is_off) if is_plain else ""
        told.append(f"{said} ({some_of(places)}){beside}")
    return "; and ".join(reversed(told[:MOST_REMEDIES]))


def some_of(places: list[str]) -> str:
    """The lines of a remedy, which come last first; of very many, those that are told of.

    >>> some_of(["line 3 of a.py", "line 2 of a.py"])
    'line 2 of a.py; line 3 of a.py'
    """
    if (more := len(places) - MOST_PLACES) <= 0:
        return "; ".join(reversed(places))
    return "; ".join([*places[:MOST_PLACES], f"and {more} more lines"])


def moved_along(numbers: set[int]) -> str:
    """The other lines to move out of a block.

    >>> moved_along({12, 11})
    ', and with it lines 11, 12'
    """
    first = [*map(str, sorted(numbers)[:MOST_MOVED])]
    several, more = "s" * (len(first) > 1), ", …" * (len(numbers) > MOST_MOVED)
    return f", and with it line{several} {', '.join(first)}{more}" if first else ""


def into_the_loop(cut: Break) -> str:
    """That a line which stands above the loop of its passes goes into it: each frees the graph."""
    name = re.search(r": `(\w+) = ", cut.said)
    found = above_its_loop(name[1], reader.frame()) if name else None
    return f" and into the loop of {found[1].partition(':')[0]}" if found else ""


def weighed(cut: Break) -> Break:
    """Where a mask picks: that a smooth one cannot pick, and weighs."""
    if COMPARISON in cut.said and "where(" in cut.said:
        return replace(
            cut, do=f"{cut.do}; and s * a + (1 - s) * b in the place of where(..., a, b)"
        )
    if AT_A_POSITION.says not in cut.said:
        return cut
    found = {*re.findall(r"([\w.]+)\[([^][]+)\]", cut.said.partition(": `")[2])}
    whole, mask = found.pop() if len(found) == 1 else ("A", "mask")
    do = f"{whole} * s in the place of {whole}[{mask}], and ({whole} * s).sum() / s.sum()"
    return replace(cut, do="; and ".join([*filter(None, [cut.do]), f"{do} for its mean"]))
