"""The results of a leaf: those that lead back to it, and those whose way back is cut."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from ...tensor import Tensor
from ..graph.added_alone import signs
from ..graph.history import (
    is_stale_view,
    keeps_something,
    leaves_behind,
    nodes_behind,
    passes_through,
    stale_values,
    way,
)
from ..graph.nodes import is_custom
from ..graph.recorded import breaks_between, ended, with_its_end
from ..program.breaks import LEFT_OUT, Break, beside_a_way, blamed, breaks, copied, remedy
from ..program.cuts import MEANING
from ..program.derivatives import derivatives
from ..program.program import Program
from ..program.recorded_steps import kept_in_steps
from ..program.training_loop import passes_for
from ..program.updates import updates
from ..source.line_order import text_in, without_text
from ..source.syntax import without_copies
from ..source.variables import held, is_parameter, optimizers, stepped_by
from ..words.sentences import tell
from .custom_backwards import given_none
from .passes import followed, roots_of
from .untracked import was_computed_before

MOST_USERS = 3
MEANT = "no_grad was on"  #: nobody writes that around what is to have a gradient
#: past a history, as of a first value
WRITES = re.compile(r": `[^=(]*\.data(\[[^=]*\])? [-+*/]?= ")
GRADIENT = "grad(...) gives"
MEANT_OR_NOT = "If that way is to count: "
IF_MEANT = MEANT_OR_NOT + "{}."
WHERE = "Try: {}, where that way is to count."
DETACHED = MEANING["detach"].do


def other_ways(leaf: Tensor, name: str, program: Program) -> Iterator[str]:
    """Ways from results of a leaf that are cut, beside those that filled its ``.grad``."""
    said: dict[str, str] = {}
    cuts: dict[Break, None] = {}
    for user, thing in users_of(leaf, program).items():
        known = known_breaks(thing, leaf, (user, name), program, beside_a_way)
        for cut in besides_derivatives(known, leaf, [thing]):
            is_known = cut.certain and not cut.expected and not WRITES.search(cut.said)
            if is_known and not cut.said.startswith(MEANT):
                start = f"Another way from {user} back to {name} is cut, and adds nothing"
                said.setdefault(cut.said, f"{start}: {cut.said}.")
                cuts.setdefault(cut)
    yield from islice(said.values(), MOST_USERS)
    if do := remedy(list(cuts)[:MOST_USERS]):
        yield IF_MEANT.format(do)


def known_breaks(
    y: Tensor, x: Tensor, names: tuple[str, str], program: Program, of_routes: Callable = breaks
) -> list[Break]:
    """What cuts the ways from ``y`` back to ``x``: as it was recorded, or else as lines read.

    Where one is known that was detached on purpose, another may be the mistake: what `grad` gave
    without a history leaves no trace. Nobody misses a way through values that another net began
    with, where there is one beside.
    """
    kept = breaks_between(y, x)
    copies = [cut for cut in kept if cut.said.startswith("load_state_dict(")]
    kept = [cut for cut in kept if cut not in copies]
    is_meant = all(cut.plain in LEFT_OUT for cut in kept) and any(derivatives(program.frame))
    routes = program.routes(names[0], x, names[1]) if is_meant or not kept else []
    places = {without_text(each.line) for route in routes for each in route}
    if not {cut.place for cut in kept} <= places:
        return kept  # the lines do not show all that has happened
    read = of_routes(routes)
    return [e for e in read if not kept or e.said.startswith(GRADIENT)] or kept or copies


def is_only_added(leaf: Tensor, results: Iterable[Tensor]) -> bool:
    """Whether each result has a leaf as a mere term: then no derivative by others depends on it."""
    known = [signs(each, leaf) for each in results]
    return bool(known) and all(known)


def besides_derivatives(cuts: list[Break], leaf: Tensor, results: Iterable[Tensor]) -> list[Break]:
    """The cuts, without those of derivatives that do not depend on a leaf."""
    is_idle = any(each.said.startswith(GRADIENT) for each in cuts) and is_only_added(leaf, results)
    return [each for each in cuts if not (is_idle and each.said.startswith(GRADIENT))]


def what_was_lost(leaf: Tensor, name: str, program: Program) -> Iterator[str]:
    """Where the results of a leaf lost their history, though none of them is left."""
    lost = ended(leaf)[:MOST_USERS]
    yield from (f"What was computed from {name} lost its history: {cut.said}." for cut in lost)
    if do := remedy(lost):
        said = (IF_MEANT if is_left_out(leaf, program) else WHERE).format(do)
        yield follows(leaf, program) or said


def advice(do: str, loss: Any, leaf: Tensor, program: Program) -> str:
    """What to do, with a condition where that may be meant.

    As where a parameter has a gradient, no optimizer steps it, or a result is detached on purpose,
    or a leaf that another loss leads back to.
    """
    if is_parameter(leaf) and leaf.grad is not None:
        return IF_MEANT.format(do)
    if said := follows(leaf, program):
        return said
    is_meant = do.startswith(DETACHED) and (
        not leaf.is_leaf or any(each.numel() == 1 for each in users_of(leaf, program).values())
    )
    return WHERE.format(do) if is_meant or is_left_out(leaf, program, loss) else f"Try: {do}."


def is_left_out(leaf: Tensor, program: Program, loss: Any = None) -> bool:
    """Whether optimizers step others, and not this parameter, as of a target network.

    Those of a loss step something that it leads back to; where none does, any may be meant.
    """
    behind = leaves_behind(loss) if isinstance(loss, Tensor) else ()
    tools = optimizers(program.variables, behind) or optimizers(program.variables)
    stepped = [each for tool in tools.values() for each in stepped_by(tool)]
    return is_parameter(leaf) and bool(stepped) and not any(each is leaf for each in stepped)


def follows(leaf: Tensor, program: Program) -> str:
    """That a leaf has the values of one that is stepped, and is not stepped itself; or nothing."""
    if leaf._edge is not None or leaf.grad is not None:
        return ""
    if (of := followed(leaf, program)) is None:
        return ""
    return tell("follows", name=program.name_of(leaf) or "it", of=program.name_of(of) or "others")


def ways_cut(leaf: Tensor, name: str, program: Program, others: bool) -> list[str]:
    """What is known of results of a leaf that do not lead back to it; ``others`` do."""
    said: dict[str, str] = {}  # by what cut it: other results may be computed from the first
    cuts: dict[Break, None] = {}
    found: dict[str, dict[str, Break]] = {}
    for user, thing in program.variables.items():
        is_other = isinstance(thing, Tensor) and thing is not leaf
        # A parameter is no result: a loop over several gives its name to each of them.
        is_result = is_other and type(thing).__name__ != "Parameter"
        is_result = is_result and not program.used_earlier_value(user, name)
        routes = program.routes(user, leaf, name) if is_result else []
        kept = breaks_between(thing, leaf) if is_other and not is_stale_view(thing) else []
        if routes and (late := program.flagged_after(name, user)):
            said.setdefault(late[1], was_computed_before(name, *late))
        is_there = bool(routes) and way(thing, leaf) is not None
        known = kept or (beside_a_way if is_there else breaks)(routes)
        known = copied(known, is_parameter(leaf))
        known = kept_in_steps(known, name, program.frame)
        is_step = others and is_other and is_of_a_step(user, thing, known, program)
        known = [cut for cut in known if not (others and cut.expected or is_step)]
        found |= {user: {cut.place: cut for cut in known}} if known else {}
    copies = {user for user in found if is_a_copy(user, name, program)}
    others_found = {user: found[user] for user in found if user not in copies}
    found = others_found if others_found or ended(leaf) else found
    users, own = nearest_cuts(found, program), passes_for(leaf, program)
    for user in [each for each in users if each in own] or users:
        for cut in blamed(with_its_end([*found[user].values()], leaf)):
            start = f"A way from {user} back to {name} is cut"
            said.setdefault(cut.said, cut.told(start, f"{start} where this line ran"))
            cuts.setdefault(cut)
    # Where others lead back to it, what is unrecorded is a step or a reading of values.
    told = list(said.values())
    do = remedy([cut for cut in cuts if not (others and cut.said.startswith(MEANT))])
    if (more := len(told) - MOST_USERS) > 0:
        told = [*told[: MOST_USERS - 1], f"{more + 1} more ways are cut."]
    said = (IF_MEANT if others or is_left_out(leaf, program) else WHERE).format(do)
    return [*told, follows(leaf, program) or said] if do else told


def is_a_copy(user: str, name: str, program: Program) -> bool:
    """Whether a name was given to a copy of a leaf as it is, as to compare the two later on."""
    value = getattr(program.step(user), "value", None)
    whole = None if value is None else without_copies(value)
    return whole is not value and ast.unparse(whole) == name


def is_of_a_step(user: str, thing: Tensor, cuts: list[Break], program: Program) -> bool:
    """Whether this is a leaf that a step by gradients changes, or such a gradient, read once."""
    if cuts and all(made_by_a_step(cut.said) for cut in cuts):
        return True
    if thing.requires_grad:
        is_stepped = thing.is_leaf and thing._version > 0
        return is_stepped and any(cut.said.startswith(MEANT) for cut in cuts)
    is_gradient = any(cut.said.startswith(GRADIENT) for cut in cuts)
    is_read = all(cut.said.startswith((GRADIENT, MEANT)) for cut in cuts)
    return is_gradient and is_read and not is_used(user, program)


def made_by_a_step(said: str) -> bool:
    """Whether the line of a cut makes leaves by a step: ``(w - lr * g).requires_grad_()``."""
    text = text_in(said)
    return "requires_grad" in text and bool(updates(text))


def is_used(name: str, program: Program) -> bool:
    """Whether what was computed from a value has a history of something else, as is often meant.

    What a leaf is stepped by where grad mode is off has no part in what is computed of it later.
    """
    return any(
        used == name and not any(cut.loss.off for cut in cuts)
        for own, thing in program.variables.items()
        if own != name and isinstance(thing, Tensor) and thing.requires_grad and not thing.is_leaf
        for used, _, cuts in program.ingredients(own)
    )


def nearest_cuts(found: dict[str, dict[str, Break]], program: Program) -> list[str]:
    """The results with the fewest cuts: what is computed from those has lost more than they.

    Where some have a history of other leaves, a pass can have come from these alone.
    """
    recorded = [each for each in found if program.variables[each].requires_grad]
    some = recorded or [*found]
    # The last one that was recorded comes first.
    some = sorted(some, key=lambda e: -getattr(program.variables[e].grad_fn, "sequence", 0))
    cuts = {each: found[each].keys() for each in some}  # nothing is nearer than a single one
    return [
        e for e, own in cuts.items() if len(own) == 1 or not any(o < own for o in cuts.values())
    ]


def users_of(leaf: Tensor, program: Program) -> dict[str, Tensor]:
    """The reader's results from which a gradient would reach ``leaf``; the last ones made first.

    Where none has a name, those that objects of the reader's hold: ``trainer.loss``.
    """
    inside = {each.path: each.thing for each in held(program.variables) if each.path[-1] != "]"}
    for own in (program.variables, inside):
        found = {
            name: thing
            for name, thing in own.items()
            if isinstance(thing, Tensor) and not name.startswith("_") and thing is not leaf
            if not is_stale_view(thing) and not thing.is_leaf and way(thing, leaf) is not None
        }
        if found:
            break
    inner = {node for t in found.values() for node in nodes_behind(t)[1:]}
    return {name: thing for name, thing in found.items() if thing.grad_fn not in inner}


def passed_beside(leaf: Tensor, users: dict[str, Tensor], program: Program) -> bool:
    """Whether ``backward()`` is called on results that a way from ``leaf`` led to, and was cut.

    Nothing has come through those that lead back to it.
    """
    roots = roots_of(program)
    known = [each for each in roots if isinstance(each, Tensor) and each.requires_grad]
    nodes = {node for each in users.values() for node in way(each, leaf) or ()}
    is_gone = not any(isinstance(each, Tensor) for each in roots)  # with the functions they ran in
    is_cut = bool(roots) and (is_gone or len(known) == len(roots)) and bool(ended(leaf))
    return is_cut and not passes_through(nodes) and all(way(each, leaf) is None for each in known)


def from_user(
    user: str, tensor: Tensor, leaf: Tensor, name: str, is_stepped: bool = False
) -> Iterator[str]:
    """What is known of passes from one result of ``leaf``, which an optimizer may hold."""
    nodes = way(tensor, leaf) or []
    call, rest = backward_of(user, tensor), nodes_behind(tensor)
    known = [*given_none(tensor, leaf, name)]
    if lines := passes_through(nodes):
        yield tell("filled-nothing", user=user, lines="; ".join(lines), name=name)
        if not known and not any("backward(" in line and "inputs" not in line for line in lines):
            known = [tell("asked-for-others")]
            known += [tell("fill-by-backward", call=call)] * is_stepped
        elif not known and any(map(keeps_something, nodes)):  # it has not come through
            known = ["An error ended the pass on its way, of which why() tells."]
        yield from known
    elif known:
        yield from (f"{name}.grad is None: no backward pass has filled it.", *known)
    elif any(map(is_custom, nodes)) or passes_through(rest) or any(stale_values(rest)):  # may raise
        yield tell("no-pass-there", name=name, user=user)
    else:
        yield tell("would-fill-it", name=name, user=user, call=call)


def backward_of(name: str, tensor: Tensor) -> str:
    """The call that starts a pass at a tensor."""
    return f"{name}.backward()" if tensor.numel() == 1 else f"{name}.backward(gradient=...)"
