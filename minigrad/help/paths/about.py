"""What there is to say about one tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ...autograd.function import FunctionNode
from ...autograd.node import AccumulateGrad
from ...autograd.thread_state import state
from ...extras.recorded_cuts import PLAIN, cuts_of
from ...nn.parameter import Parameter
from ...tensor import Tensor
from ..gradients.asked_too_late import asked_too_late
from ..gradients.beside_the_pass import beside_the_pass
from ..gradients.computed_leaf import Asked, asked_before, updated_by
from ..gradients.frozen import froze
from ..gradients.idle_hooks import hooks_that_answer, hooks_that_read_too_early
from ..gradients.late_binding import bound_late
from ..gradients.misspelt import bare_methods, idle_flags_for, not_asked
from ..gradients.no_gradient import asked_besides, has_lost_a_leaf, kept_beside
from ..gradients.passes import GRAD, added_up
from ..gradients.rebinding_steps import how_to_step, put_back
from ..gradients.results_of_leaf import (
    MOST_USERS,
    backward_of,
    from_user,
    is_used,
    other_ways,
    passed_beside,
    users_of,
    ways_cut,
    what_was_lost,
)
from ..gradients.same_memory import shared_with
from ..gradients.stale_caches import kept_from_before
from ..gradients.untracked import (
    IF_THAT,
    is_a_gradient,
    is_copied,
    to_be_learned,
    what_to_do,
    why_untracked,
)
from ..gradients.weighted_passes import lines_that_filled, rows_added, weighted
from ..gradients.wrong_derivatives import wrong_on_the_way
from ..graph import nan_and_inf
from ..graph.expression_of_node import line_of, line_that_binds
from ..graph.history import (
    keeps_something,
    kept_as,
    leaves_behind,
    nodes_behind,
    nodes_between,
    passes_through,
    stale_values,
)
from ..graph.nodes import kind_of
from ..graph.out_of_place import written_by_a_layer
from ..graph.recorded import breaks_between, emptied_at, ended, last_pass, same_gradient, told
from ..not_finite.wrong_numbers import (
    besides,
    hindered,
    in_gradient,
    in_gradient_of_0,
    in_result,
    in_stepped_leaf,
    steps_of,
)
from ..program.breaks import remedy
from ..program.cuts import BY_GRAD
from ..program.derivatives import is_recorded
from ..program.dropped_values import dropped_of
from ..program.program import TO_CHANGE_A_LEAF, Program
from ..program.stepped import was_stepped
from ..program.training_loop import not_called
from ..program.unread_values import unread
from ..source import reader
from ..source.texts import everywhere
from ..source.variables import is_parameter, optimizer_of
from ..training.added_numbers import added_by_calls
from ..training.grown_histories import plain_average, summed_up
from ..training.kept_states import shared_parts, shared_values
from ..training.lost_derivatives import columns_added
from ..training.made_in_each_round import gone_through
from ..training.steps_without_effect import asked_in_vain, held_before, unknown_to_optimizers
from ..training.unchanged import unchanged
from ..words.sentences import say, tell

PARTS = {"Slice", "Select", "Index", "Narrow"}


def about(tensor: Tensor, program: Program) -> Iterator[str]:
    """Sentences on being a leaf, on ``.grad``, and on the state of the graph behind."""
    name = program.name_of_argument(tensor, 0) or "the tensor"
    if broken := refused(tensor):
        yield f"{name} cannot be used any more. {broken}"
        return
    yield from dropped_of({name: tensor}, nodes_behind(tensor), program)
    yield from held_before(leaves_behind(tensor) or [tensor] * tensor.requires_grad, program)
    if tensor.is_leaf:
        yield from nan_and_inf.values(tensor, name, program)
        users = users_of(tensor, program) if tensor.requires_grad else {}
        nodes = dict.fromkeys(n for each in users.values() for n in nodes_between(each, tensor))
        yield from wrong_on_the_way(nodes, program)
        hooks = [*hooks_that_answer(nodes or [AccumulateGrad(tensor)], name)]
        yield from hooks if tensor.grad is not None else ()
        yield from hooks_that_read_too_early(tensor, name) if tensor.requires_grad else ()
        yield from in_gradient(tensor, name, users, program)
        yield from in_stepped_leaf(tensor, users, program)
        yield from of_leaf(tensor, name, program)
        yield from hooks
    else:
        yield from wrong_on_the_way(nodes_behind(tensor), program)
        yield from in_result(tensor, name, program)
        yield from of_result(tensor, name, program)
        yield from hooks_that_answer([tensor.grad_fn], name)
    yield from of_graph(tensor, name)


def refused(tensor: Tensor) -> str | None:
    """The error of a view that a write to its base has made useless."""
    try:
        _ = tensor.grad_fn
    except RuntimeError as error:
        return str(error)
    return None


# -- leaves ----------------------------------------------------------------------------------------


def of_leaf(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """A leaf: what its ``.grad`` holds, and whether it asks for gradients."""
    grad = None if tensor._meta is None else tensor._meta.grad
    if not tensor.requires_grad:
        stays = f"{name}.grad stays None: " if grad is None else ""
        used = [*program.ingredients(name)]
        lines = [cut.line for _, _, cuts in used for cut in cuts if cut.loss == GRAD]
        parts = [program.variables.get(each) for each, _, _ in used] if lines else ()
        if same := [*same_gradient([tensor, *parts], program.variables, lines)]:
            yield from same
            return
        yield f"{stays}{name} does not ask for gradients (requires_grad=False)."
        is_meant = [*plain_average(tensor, program)] or shared_parts(name, program)
        if known := is_meant or shared_values(tensor, name, program):
            yield from known
            return
        read = {cut.line for _, _, cuts in used for cut in cuts if cut.loss in (GRAD, BY_GRAD)}
        yield from weighted(lines_that_filled(read, program.frame), program, name)
        yield from rows_added(name, program)
        yield from (said := why_untracked(tensor, name, program))
        is_known = program.shown.scene is not None or not_asked(program)
        is_known = is_known or name in to_be_learned(name, program)
        if is_known and (do := what_to_do(name, program)):
            is_meant = tensor._version or is_copied(said)  # or an average, by hand
            own = filter(is_parameter, (leaf() for cut in cuts_of(tensor) for leaf in cut.leaves))
            beside = any(each.grad is not None or emptied_at(each) for each in own)
            meant = "If its gradient is wanted" if beside else "Try"
            meant = f"If a gradient is to go through {name}" if is_used(name, program) else meant
            if is_a_gradient(name, program):
                meant, do = "If it is to be differentiated again", do.replace(IF_THAT, "")
            yield f"{'If its gradient is wanted' if is_meant else meant}: {do}"
        elif isinstance(tensor, Parameter) and (line := froze([(name, tensor)], program)):
            yield f"{name} is frozen{line}."
            yield from unread(program)
    elif grad is None:
        yield from why_no_gradient(tensor, name, program)
    else:
        if not nan_and_inf.kind_of(grad):
            yield tell("sum-since-emptied", name=name)
            yield from weighted({last_pass(tensor) or ""}, program)
        yield from asked_in_vain(tensor, name, program)
        unknown = [*unknown_to_optimizers(tensor, name, program, is_asked=True)]
        yield from unknown or [*gone_through(program)] or added_up(tensor, name, program)
        for own, each in program.variables.items() if not is_parameter(tensor) else ():
            if isinstance(each, Tensor) and any(e is tensor for e in leaves_behind(each)):
                yield from written_by_a_layer(each, own, program.binding_line(own) or "")
        users = [*users_of(tensor, program).values()][:1]
        its = optimizer_of(tensor, program.variables)
        hints = [] if users else [*added_by_calls(program)] or [*unchanged([tensor], its, program)]
        yield from hints
        for user in users:
            hints = [*hindered(user, program)]
            yield from hints or (() if unknown else steps_of(user, program))
        if not grad._value.any():
            yield from besides([*in_gradient_of_0(tensor, name, users, program)], hints)
        if not hints and not is_parameter(tensor):
            yield from other_ways(tensor, name, program)
    yield from idle_flags_for(tensor, program) if tensor.requires_grad else ()
    asks = " and asks for gradients (requires_grad=True)" if tensor.requires_grad else ""
    yield f"{name} is a leaf{asks}: no recorded operation made it (grad_fn is None)."


def why_no_gradient(leaf: Tensor, name: str, program: Program) -> Iterator[str]:
    """Why a leaf that asks for gradients has none."""
    if state.here.running is not None:
        yield tell("pass-is-running", name=name)
        yield tell("read-after-the-pass", name=name)
        return
    users = users_of(leaf, program)
    cut = ways_cut(leaf, name, program, bool(users))
    if line := emptied_at(leaf):
        yield tell("emptied-since", name=name, line=line)
        hints = [
            said
            for user in [*users.values()][:1]
            for said in [*hindered(user, program)] or steps_of(user, program)
        ]
        if not hints and not was_stepped(leaf, program.frame):
            yield tell("read-before-that", name=name)
        yield from hints
        return
    for own, thing in program.variables.items():
        is_leaf = isinstance(thing, Tensor) and thing.is_leaf and thing.requires_grad
        said = [*asked_in_vain(thing, own, program)] if is_leaf else []
        if said and breaks_between(thing, leaf):
            yield from (f"{name}.grad is None: no backward pass has filled it.", *said)
            return
    if passed_beside(leaf, users, program):
        users = {}
    for user, tensor in islice(users.items(), MOST_USERS):
        is_stepped = bool(optimizer_of(leaf, program.variables))
        yield from from_user(user, tensor, leaf, name, is_stepped)
    if len(users) > MOST_USERS:
        yield f"The same can be asked of {len(users) - MOST_USERS} more results of {name}."
    if not users:
        yield f"{name}.grad is None: no backward pass has filled it."
    yield from not_called(program, ("backward",))
    yield from cut or (what_was_lost(leaf, name, program) if not users else ())
    if why := [] if cut else why_not_led_to(leaf, name, program, bool(users)):
        yield from why
    elif not users and not cut and not ended(leaf):
        yield tell("nobody-leads-back", name=name)


def why_not_led_to(leaf: Tensor, name: str, program: Program, is_used: bool) -> list[str]:
    """What a program computes with in the place of a leaf, or has computed before it was one."""
    before = kept_from_before(leaf, name, program)
    if is_used:
        return [*before]
    asked = [*shared_with(leaf, name, program)] or [*asked_too_late(leaf, name, program)]
    return asked or [*before] or [*bound_late(program)]


# -- results ---------------------------------------------------------------------------------------


def of_result(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """A non-leaf: what made it, and why its ``.grad`` is empty."""
    line = program.binding_line(name) or line_that_binds(name, tensor.grad_fn, program)
    inside = line_of(tensor.grad_fn, program)
    maker = tensor.grad_fn.name() + reader.in_brackets(inside if inside != line else "")
    yield f"{name} is not a leaf: {maker} made it from a tensor that requires grad."
    yield from part_of_a_leaf(tensor, name, program)
    yield from written_by_a_layer(tensor, name, line) if line else ()
    yield from summed_up(tensor, name, program)
    yield from columns_added(program, name)
    if update := updated_by(tensor, name, program):
        passes = everywhere(program.frame, ast.Call)
        if any(others_of(tensor)) and any(is_recorded(each) for _, each in passes):
            yield tell("recorded-step", name=name, line=update)
            yield tell("retain-each-step", name=name)
            return
        yield f"It is a new tensor, in the place of the leaf ({update})."
        yield how_to_step(name, update, program)
        return
    if ended := [*through_numbers(tensor)]:
        yield from ended
    elif said := [*of_computed_leaf(tensor, name, program)]:
        yield from said
        return
    if line and program.used_earlier_value(name, name):
        yield tell("name-of-a-new-tensor", name=name, line=line)
        if program.is_updated(name):
            # Else it may well be meant, as in an inner loop that is differentiated as a whole.
            is_lost = has_lost_a_leaf(tensor, program) and not any(others_of(tensor))
            yield from [TO_CHANGE_A_LEAF.format(name)] * is_lost
        elif do := name_kept(tensor, name, program):
            yield do
    if tensor._meta is not None and tensor._meta.grad is not None:
        yield f"{name}.grad is filled, because it was asked to keep it (retain_grad or inputs=)."
    elif not tensor.retains_grad:
        yield tell("passes-through", name=name)
        for bare in bare_methods("retain_grad", program):
            if bare.owner is tensor:
                yield from (bare.said, f"Try: {bare.do}")
    elif lines := passes_through([tensor.grad_fn]):
        yield tell("retained-too-late", name=name, lines="; ".join(lines))
    else:
        yield tell("nothing-came-through", name=name)
        yield from beside_the_pass(tensor, name, program)


def part_of_a_leaf(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """That a result whose ``.grad`` is read is a part of one leaf, whose own holds it."""
    nodes, leaves = nodes_behind(tensor), leaves_behind(tensor)
    is_part = len(nodes) == 2 and kind_of(tensor.grad_fn) in PARTS and len(leaves) == 1
    leaf = program.name_of(leaves[0]) if is_part else None
    reads = [each for _, each in everywhere(program.frame, ast.Attribute) if each.attr == "grad"]
    line = program.binding_line(name) or line_of(tensor.grad_fn, program)
    if leaf and line and any(ast.unparse(each.value) == name for each in reads):
        yield say("part-of-a-leaf", leaf=leaf, line=line, name=name)


def others_of(step: Tensor) -> list[Any]:
    """The nodes that made what a step goes by; None where that has no history."""
    return [node for node, _number in step.grad_fn.next_functions[1:]]


def is_alike(tensor: Tensor) -> bool:
    """Whether a result is as large as the one leaf behind it, which may have been meant."""
    return [leaf.numel() for leaf in leaves_behind(tensor)] == [tensor.numel()]


def computed_leaf(tensor: Tensor, program: Program) -> list[Asked]:
    """The lines where a leaf was meant, and a result as large as the leaf was given the name."""
    is_meant = is_alike(tensor) and not tensor.retains_grad and program.frame is not None
    found = asked_before(tensor, program) if is_meant else []
    return found if len({each.operation for each in found}) == 1 else []


def of_computed_leaf(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """The same in words, and the others of the program, or that a leaf has lost its name."""
    found = computed_leaf(tensor, program)
    if not found:
        return
    lines = "; or ".join(dict.fromkeys(each.line for each in found))
    yield tell("computed-leaf", found=found, lines=lines, name=name)
    as_in, also = "as in " * (len(found) > 1), asked_besides(tensor, lines, program)
    yield f"Try: {as_in}`{found[0].asks_last}` there, so that the result is the leaf{also}."


def name_kept(tensor: Tensor, name: str, program: Program) -> str:
    """How a leaf keeps its name that a line gave to a result of it; empty where it has others."""
    if do := put_back(name, program):
        return do
    is_lost = len(leaves_behind(tensor)) == 1 and has_lost_a_leaf(tensor, program)
    return tell("keep-either", **kept_beside(name, program)) if is_lost else ""


def through_numbers(tensor: Tensor) -> Iterator[str]:
    """That a result leads back to leaves that were made of plain numbers, and to nothing else."""
    cuts = [cuts_of(leaf) for leaf in leaves_behind(tensor)]
    if cuts and all(any(cut.what in PLAIN for cut in each) for each in cuts):
        ends = told(each for leaf in cuts for each in leaf)
        for cut in ends[:MOST_USERS]:
            yield f"Its history ends at a leaf that was made of numbers: {cut.said}."
        if do := remedy(ends):
            yield f"Try: {do}."


# -- the graph behind ------------------------------------------------------------------------------


def of_graph(tensor: Tensor, name: str) -> Iterator[str]:
    """What the graph behind can still do: freed nodes, and saved values that were changed."""
    if tensor.is_leaf:
        return
    call = backward_of(name, tensor)
    nodes = [node for node in nodes_behind(tensor) if node.edges]
    freed = [node for node in nodes if node.is_freed]
    if freed:
        names = list(dict.fromkeys(node.name() for node in freed))
        some = ", ".join(names[:5]) + ", …" * (len(names) > 5)
        yield tell("nodes-let-go", name=name, some=some, passes="; ".join(passes_through(freed)))
        custom = all(isinstance(node, FunctionNode) for node in freed)
        when = "where it reads ctx.saved_tensors again" if custom else "now"
        yield tell("raises-again", call=call, when=when, name=name)
    elif not any(keeps_something(node) for node in nodes):
        yield f"The nodes behind {name} save nothing, so {call} may run as often as you like."
    for node, counter, version in dict.fromkeys(stale_values(nodes)):
        place = next((p for p in counter.writers[-(counter.value - version) :] if p), None)
        line = f" ({reader.spoken(place)})" if place else ""
        kept = [kept for kept in node.saved or () if getattr(kept, "_counter", None) is counter]
        facts = {"kept": kept_as(node, kept[0]) if kept else "", "version": version, "line": line}
        yield tell("saved-at-a-version", node=node.name(), now=counter.value, call=call, **facts)
