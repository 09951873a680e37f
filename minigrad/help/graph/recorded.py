"""What the engine has kept of lines that took a history away: they ran, and did this."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...autograd.caller import Place
from ...autograd.meta import EMPTIED
from ...extras.recorded_cuts import KEY, LINES, MADE, NOT_RECORDED, PLAIN, Cut, cuts_of
from ...nn.parameter import Parameter
from ...tensor import Tensor
from ..program.breaks import Break, blamed, breaks
from ..program.breaks import Cut as Told
from ..program.cuts import COMPARES
from ..source import reader
from ..source.called import is_in_a_library
from ..source.parsed import expression_at, statements_at_place, tree_of_code
from ..source.reader import in_brackets
from ..source.syntax import names_in, parents_in, parts_in, scope
from ..source.variables import all_stepped, held, is_module, is_of_library, parts
from ..words.sentences import tell
from .cuts_in_words import (
    is_computed_with,
    is_done_once,
    is_handed_on,
    is_shown,
    meaning,
    outside,
    spoken_place,
    writes_data,
)
from .grad_mode_off import is_checkpointed
from .history import is_stale_view, nodes_behind, way
from .nodes import nodes_behind as all_behind
from .put_into_leaves import USELESS, instead_of_a_leaf, is_step_at

ONLY_VALUES = re.compile(r"\w+\(\.\.\.\) makes a new leaf from the values alone")
FROM_VALUES = MADE | {"detach", "data"}  #: of what never had a history
ANEW = "in forward(), where each pass computes it anew"


def recorded_breaks(thing: Any) -> list[Break]:
    """The lines at which the history of a tensor or a number ended, the last one first.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> [each.said.partition(" (")[0] for each in recorded_breaks(x.detach() * 2)]
    ['detach() gives the same value without history']
    """
    if isinstance(thing, Tensor) and thing.requires_grad:
        return []
    return breaks_by(cuts_of(thing))


def breaks_beside_frozen(thing: Any) -> list[Break]:
    """The same, without the lines that gave frozen parameters behind a tensor their values."""
    if isinstance(thing, Tensor) and thing.requires_grad:
        return []
    frozen = cuts_of_frozen() if (cuts := cuts_of(thing)) else set()
    own = [cut for cut in cuts if cut.place not in frozen]
    return breaks_by(own) if len(own) == len(cuts) or any(cut.source for cut in own) else []


def breaks_by(cuts: Sequence[Cut]) -> list[Break]:
    """Cuts in words; none where values alone are known, that may never have had a history."""
    are_made = are_from_values(cuts)
    return [] if are_made else told(cuts)


def are_from_values(cuts: Sequence[Cut]) -> bool:
    """Whether all that is known is that a tensor was made of values, maybe detached besides."""
    are_open = all(cut.source is None and cut.what in FROM_VALUES for cut in cuts)
    return are_open and (not cuts or any(cut.what in MADE for cut in cuts))


def cuts_of_frozen() -> set[Place | None]:
    """The lines that gave frozen parameters their values, as those of another net or its mean."""
    leaves = [each.thing for each in held(reader.variables()) if isinstance(each.thing, Parameter)]
    return {cut.place for leaf in leaves if not leaf.requires_grad for cut in cuts_of(leaf)}


def told(cuts: Iterable[Cut]) -> list[Break]:
    """Cuts as they are spoken of, those apart that are no line of the reader's: `deepcopy`."""
    placed = [cut for cut in cuts if cut.place is not None]
    known = [cut for cut in placed if not is_in_a_library(cut.place[0].co_filename)]
    known = [cut for cut in known if cut.what != "data" or not writes_data(cut)]
    found = breaks(routes_of([*known, *compared_beside(known)]))
    once = {spoken_place(cut.place) for cut in known if is_done_once(cut.place)}
    return [replace(e, do=f"{e.do}, {ANEW}") if e.do and e.place in once else e for e in found]


def compared_beside(cuts: Iterable[Cut]) -> list[Cut]:
    """Further comparisons of the same leaves, whose results go into one expression with these.

    Of the cuts of its operands, a result takes over those of one.
    """
    asked = [cut for cut in cuts if cut.what in COMPARES and cut.place]
    lines = {reader.spoken(cut.place) for cut in asked}
    codes = {cut.place[0] for cut in asked}
    leaves = {id(leaf()) for cut in asked for leaf in cut.leaves} - {id(None)}
    others = [e for e in [*LINES.values()] if e.what in COMPARES and e.place]
    others = [e for e in others if e.place[0] in codes and reader.spoken(e.place) not in lines]
    others = [e for e in others if leaves & {id(leaf()) for leaf in e.leaves}]
    own = names_bound(asked) if others else set()
    return [e for e in others if are_joined(own, names_bound([e]), e.place)]


def names_bound(cuts: Iterable[Cut]) -> set[str]:
    """The names that the lines of some cuts give a value."""
    statements = (each for cut in cuts for each in statements_at_place(cut.place))
    return {name for each in statements for name in names_in(each, ast.Store)}


def are_joined(one: set[str], other: set[str], place: Place) -> bool:
    """Whether a statement of a function reads names of both."""
    around = scope(tree_of_code(place[0]), reader.line_number(place))
    lines = (each for each in parts_in(around, ast.stmt) if not hasattr(each, "body"))
    reads = [names_in(each, ast.Load) for each in lines]
    return any(one & names and other & names for names in reads)


def routes_of(cuts: Iterable[Cut]) -> list[tuple[Told, ...]]:
    """What each cut has taken away; what only makes a leaf of values goes with what these lost."""
    routes: list[tuple[Told, ...]] = []
    made: tuple[Told, ...] = ()
    for cut in cuts:
        route = (*made, *outside(cut), Told(*meaning(cut)))
        made = route if cut.what in MADE and cut.source is None else ()
        routes += [] if made else [route]
    return routes + [made] * bool(made)


def lines_made(thing: Any) -> list[str]:
    """The line that made a tensor from plain values, where no history is known to have ended."""
    cuts = cuts_of(thing) if isinstance(thing, Tensor) else ()
    is_known = bool(cuts) and are_from_values(cuts) and all(cut.place for cut in cuts)
    return [reader.spoken(cuts[0].place)] if is_known else []


def breaks_between(y: Tensor, x: Tensor) -> list[Break]:
    """The lines that are known to have cut the way from ``y`` back to ``x``."""
    if y.requires_grad:
        own = [
            (cuts, leaf)
            for cuts, leaf in behind(y, x)
            if any(leads_to(cut, x) or leaf is not None and line_leads_to(cut, x) for cut in cuts)
        ]
        found = told([cut for cuts, _ in own for cut in cuts] or checkpointed(y, x))
        for cuts, leaf in own if found else ():
            found = found if leaf is None else put_into(leaf, cuts[0], found, way(y, x) is not None)
        return found
    return recorded_breaks(y) if any(leads_to(cut, x) for cut in cuts_of(y)) else []


def put_into(leaf: Tensor, cut: Cut, found: list[Break], is_beside: bool) -> list[Break]:
    """The breaks, with another remedy where a line put a value into a leaf that keeps its own.

    Beside a way that is whole, nobody would look for one more through a step.
    """
    do = "" if cut.place is None else instead_of_a_leaf(leaf, cut.place)
    if not do:
        return found
    place = spoken_place(cut.place)
    at = next((at for at, each in enumerate(found) if each.place == place), 0)
    others = [part for part in found[at].do.split("; ") if part not in ("", do)]  # of one more leaf
    do = "; ".join([do, *(part for part in others if not USELESS.match(part))])
    if id(leaf) in all_stepped(reader.variables()) and not leads_to(cut, leaf):
        do = ""  # an optimizer steps the leaf itself from there on
    is_step = is_beside and (cut.what is NOT_RECORDED or is_step_at(cut.place))
    found[at] = replace(found[at], do=do, place=place, expected=is_step)
    return found


def behind(y: Tensor, x: Tensor) -> Iterator[tuple[tuple[Cut, ...], Tensor | None]]:
    """The cuts of each operand that brings no history, and of leaves other than ``x``, with those.

    A pass that is watched keeps them; some operands are saved, and some leaves were made of values,
    of which ``y`` may be one.
    """
    if is_leaf(y):
        yield cuts_of(y), None
    for node in nodes_behind(y):
        known = () if node.extras is None else node.extras.metadata.get(KEY, ())
        yield from (((cut,), None) for cut in known)
        saved = () if node.is_freed else node.saved or ()
        operands = [getattr(each, "kept", each) for each in saved]
        for each in (*operands, getattr(node, "variable", None)):
            if isinstance(each, Tensor) and is_leaf(each) and each is not x:
                yield cuts_of(each), each if each.requires_grad else None


def checkpointed(y: Tensor, x: Tensor) -> list[Cut]:
    """The only line where a reentrant checkpoint computed with a parameter that ``y`` misses."""
    if not isinstance(x, Parameter) or runs_again(y):
        return []
    cuts = [cut for cut in [*LINES.values()] if is_checkpointed(cut.off) and leads_to(cut, x)]
    return cuts if len(cuts) == 1 else []


def ended(x: Tensor, is_summed: bool = False) -> list[Break]:
    """The lines at which a history ended that led back to a leaf, the last one first.

    Not those that only show a number, or the leaf as it is, unless a line computes with that; of
    sums of numbers where ``is_summed``; nor those that write into the leaf itself. Those where
    nobody would look for a gradient count where there are no others.
    """
    own = {cut.place for cut in cuts_of(x)}
    cuts = [cut for cut in reversed([*LINES.values()]) if cut.place not in own and leads_to(cut, x)]
    results = [cut for cut in cuts if cut.what is NOT_RECORDED or not is_of_leaves(cut)]
    cuts = results or [cut for cut in cuts if is_computed_with(cut) or is_handed_on(cut)]
    cuts = [cut for cut in cuts if cut.place is not None]
    cuts = [cut for cut in cuts if not is_shown(cut.place, is_summed, cut.what in PLAIN)]
    found = told(cuts)
    for each in held(reader.variables()) if found else ():
        if isinstance(leaf := each.thing, Tensor) and leaf.requires_grad and is_leaf(leaf):
            places = {cut.place for cut in cuts_of(leaf)}
            for cut in (cut for cut in cuts if cut.place in places):
                found = put_into(leaf, cut, found, False)
    return blamed(found)


def is_of_leaves(cut: Cut) -> bool:
    """Whether what a line read without its history was a leaf itself, as in a loop over several."""
    source = None if cut.source is None else cut.source()
    return any(leaf() is source for leaf in cut.leaves)


def is_made_of(leaf: Tensor, others: Container[int]) -> bool:
    """Whether a leaf was made of a result of one of others, by their id; or its line did."""
    cuts = [cut for cut in cuts_of(leaf) if cut.source is not None and not is_of_leaves(cut)]
    lines = [LINES.get((id(each.place[0]), each.place[1])) for each in cuts if each.place]
    return any(id(own()) in others for cut in [*cuts, *filter(None, lines)] for own in cut.leaves)


def runs_again(y: Any) -> bool:
    """Whether a node behind ``y`` is a checkpoint, which leads to more than the graph shows."""
    return any(node.name().startswith("CheckpointFunction") for node in all_behind(y))


def with_its_end(cuts: list[Break], x: Tensor, is_summed: bool = False) -> list[Break]:
    """The breaks, and the one line that is known to have ended a history of a leaf, if no other is.

    Some breaks only make a leaf of values, which gave up their history before; of some that were
    read nobody would look for a gradient, such as an index. What is known stands for those. Of
    sums of numbers where ``is_summed``.
    """
    is_weak = all(cut.expected for cut in cuts)
    if not cuts or not (is_weak or are_of_values(cuts)) or {c.place for c in cuts} & places_of(x):
        return cuts
    lost = [cut for cut in ended(x, is_summed) if not cut.expected]
    if len(lost) != 1:
        return cuts
    return lost if is_weak else [*cuts, *lost]


def places_of(x: Tensor) -> set[str]:
    """The lines, without their texts, at which a history that led to a leaf has ended."""
    places = (cut.place for cut in LINES.values() if cut.place is not None and leads_to(cut, x))
    return {f"line {number} of {name}" for name, number in reader.lines_run(places)}


def are_of_values(cuts: list[Break]) -> bool:
    """Whether lines do no more than make leaves of values, which had given up a history before."""
    return all(ONLY_VALUES.fullmatch(cut.said.partition(" (line")[0]) for cut in cuts)


def is_leaf(tensor: Tensor) -> bool:
    """Whether nothing was recorded for a tensor; looking makes no node."""
    return tensor._edge is None


def written_past(y: Tensor, x: Tensor) -> Iterator[tuple[str, str]]:
    """The lines that write into a result of ``x`` through ``.data``, and what they would record.

    Those are calls, as ``h.data.clamp_(0, 1)``. A result that ``y`` is not computed from is none.
    """
    for cut in [*LINES.values()]:
        if cut.what != "data" or cut.place is None or is_of_leaves(cut) or not leads_to(cut, x):
            continue
        source = None if cut.source is None else cut.source()
        if source is not None and source.grad_fn not in nodes_behind(y):
            continue
        around = parents_in(tree_of_code(cut.place[0]))
        read = expression_at(cut.place)
        match call := around.get(around.get(read)):
            case ast.Call(ast.Attribute(ast.Attribute(ast.Name(own), "data"), name)) if (
                name.endswith("_") and not name.startswith("requires")
            ):
                args = ", ".join(map(ast.unparse, [*call.args, *call.keywords]))
                yield reader.spoken(cut.place), f"{own} = {own}.{name[:-1]}({args})"


def leads_to(cut: Cut, x: Tensor) -> bool:
    """Whether what lost its history is known to have been computed from ``x``."""
    if any(leaf() is x for leaf in cut.leaves):
        return True
    source = None if cut.source is None else cut.source()
    if source is None or is_stale_view(source):
        return False
    return source is x or way(source, x) is not None or are_of_one_layer(source, x)


def line_leads_to(cut: Cut, x: Tensor) -> bool:
    """Whether something else on the line lost a history of ``x``: ``w.copy_(w - lr * g)``."""
    line = cut.place and reader.spoken(cut.place)
    others = [each for each in LINES.values() if line and each.place and each.what is cut.what]
    return any(reader.spoken(each.place) == line and leads_to(each, x) for each in others)


def are_of_one_layer(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are parameters of one ready-made layer, which uses them together."""
    for each in held(reader.variables()) if isinstance(a, Parameter) else ():
        is_layer = is_module(each.thing) and is_of_library(each.thing)
        own = each.thing._parameters.values() if is_layer else ()
        if any(parameter is a for parameter in own):
            return any(parameter is b for parameter in own)
    return False


def unrecorded_pass(
    tensor: Any, name: str, variables: Mapping[str, Any], may_copy: bool = False
) -> list[str]:
    """That a tensor is the ``.grad`` of a leaf, or a copy of it, and which pass filled that."""
    own = [(each.path, each.thing) for each in held(variables) if isinstance(each.thing, Tensor)]
    nets = variables.items()
    own += [(reader.at(o, path), e) for o, net in nets for path, e in reader.parameters_of(net)]
    own = [(path, leaf) for path, leaf in own if getattr(leaf, "_meta", None) is not None]
    filled = [(path, leaf) for path, leaf in own if leaf._meta.grad is not None]
    ways = (operator.is_, is_copy)[: 1 + may_copy]
    for is_of in ways if isinstance(tensor, Tensor) else ():
        for path, leaf in filled:
            if is_of(tensor, leaf._meta.grad) and (line := last_pass(leaf)):
                without = "kept no history of its own, because it ran without create_graph=True"
                if variables.get(name) is not tensor:  # but what holds it
                    name = reader.name_of(tensor) or name
                by = "is" if is_of is operator.is_ else "holds the numbers of"
                it = "The" if name == f"{path}.grad" else f"{name} {by} {path}.grad, and the"
                return [f"{it} last pass that filled it {without} ({line})."]
    return []


def is_copy(tensor: Tensor, gradient: Tensor) -> bool:
    """Whether a tensor without a history has the numbers of a gradient, several and different."""
    given, own = tensor._value, gradient._value
    is_alike = tensor._edge is None and given.shape == own.shape and given is not own
    return is_alike and given.size > 1 and np.ptp(own) > 0 and np.array_equal(given, own)


def same_gradient(
    tensors: Iterable[Any], variables: Mapping[str, Any], lines: Iterable[str] = ()
) -> Iterator[str]:
    """That several names are one ``.grad``, into which every pass writes; or were, in two lists.

    The ``lines`` are those that keep it.
    """
    kept = in_brackets("; ".join(dict.fromkeys(lines)))
    given = [e for each in tensors for e in (each, *(e for _, e in parts("", each)))]
    given = [each for each in given if isinstance(each, Tensor)]
    for tensor in {id(each): each for each in given}.values():
        names = [own for own, thing in variables.items() if thing is tensor and own[0] != "_"]
        lists: dict[int, list[str]] = {}
        for own, thing in variables.items():
            if isinstance(thing, list | tuple | dict) and own[0] != "_":
                lists[id(thing)] = [path for path, each in parts(own, thing) if each is tensor]
        names += [path for paths in lists.values() for path in paths]
        is_passed = tensor._counter is not None and None in tensor._counter.writers
        if kept and is_passed and sum(map(bool, lists.values())) > 1:
            yield tell("one-grad-in-lists", names=", ".join(names), line=kept)
            yield tell("copy-the-grad")
            return
        for each in held(variables) if len(names) > 1 else ():
            leaf = each.thing
            if isinstance(leaf, Tensor) and leaf._meta is not None and leaf._meta.grad is tensor:
                filled = f"{each.path}.grad"
                yield f"""{", ".join(names)} and {filled} are one tensor: each backward() adds into
                    it, and zero_() empties it, under all of these names."""
                yield f"Try: {filled}.clone() where it is kept{kept}, which makes a copy."
                return


def last_pass(leaf: Tensor) -> str | None:
    """The line that last added to the ``.grad`` of a leaf; None if that was taken away since."""
    touched = getattr(leaf._meta, "touched", None)
    return None if touched is None or EMPTIED in touched else reader.spoken(touched)


def emptied_at(leaf: Any) -> str | None:
    """The line that took the gradient of a leaf away, if none has come since; of minigrad's."""
    touched = getattr(getattr(leaf, "_meta", None), "touched", None)
    if touched is None or EMPTIED not in touched:
        return None
    is_own = touched[0].co_filename.startswith(reader.PACKAGE)
    return "a line of this package" if is_own else reader.spoken(touched[:2])
