"""What is wrong with numbers: nan or inf in a result, and gradients that are nan, inf or 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from ...tensor import Tensor
from ..gradients.leaves_of_results import leaves_of_results
from ..gradients.loss_with_itself import alike_on_both_sides, kept_uncopied, with_itself
from ..gradients.passes import added_up, emptied_others, rounds, zeroed_at
from ..gradients.sigmoids import as_good_as_zero, nearly_flat, vanishing
from ..gradients.zero_gradient import ALWAYS, flat_between, jump_between, stays_0, to_ask, why_zero
from ..graph import nan_and_inf
from ..graph.added_alone import cancels
from ..graph.expression_of_node import in_words
from ..graph.history import keeps_something, leaves_behind, nodes_behind, passes_through, way
from ..graph.masked import masked_by
from ..graph.nodes import kind_of, next_of
from ..graph.recorded import emptied_at
from ..graph.zero_slopes import FLATS, TERMS
from ..program.emptied import is_emptied_somewhere, is_emptied_unseen
from ..program.program import Program
from ..program.stepped import was_stepped
from ..program.training_loop import not_called, steps_without_gradients
from ..program.unread_values import unread
from ..source import reader
from ..source.variables import optimizer_of, optimizers, parameters_of, stepped_by
from ..training.added_numbers import added_numbers
from ..training.collapsed import alike_rows
from ..training.exploded import beyond_measure, exploded, overshot
from ..training.gradient_ascent import uphill
from ..training.grown_histories import grown
from ..training.kept_states import kept_states, kept_values
from ..training.learning_rates import of_rates
from ..training.log_likelihood_sign import downhill
from ..training.lost_derivatives import beyond_flat_slopes, lost_derivatives
from ..training.made_in_each_round import (
    computed_once,
    gone_through,
    leaf_each_round,
    made_each_round,
)
from ..training.order_of_calls import in_vain, left_behind
from ..training.outputs import at_the_loss
from ..training.redundant_parts import as_one
from ..training.unchanged import unchanged
from ..training.unreachable_targets import near_its_lowest, out_of_reach
from ..training.unrecorded_samples import unrecorded_samples
from ..words.sentences import is_guess, tell
from . import suspects
from .bad_data import bad_inputs, dropped_too_late, nan_that_is_dropped

MOST = 2
SUMS = {"Sum", "Mean"}
MOST_FLAT = 6  #: leaves of which that is asked
WHAT_CAME_IS_0 = "is 0 everywhere"


def in_result(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """Where nan or inf is, or will be, in a result and behind it; and gradients of 0 behind it."""
    said = [*nan_and_inf.values(tensor, name, program)]
    if node := masked_by(tensor):
        yield from [*said, tell("masked-inf", node=in_words(node, program))]
        things = {n: t for n, t in program.variables.items() if isinstance(t, Tensor)}
        after = {n: t for n, t in things.items() if tensor.grad_fn in nodes_behind(t)[1:]}
        if any("Softmax" in kind_of(n) for t in after.values() for n in nodes_behind(t)):
            yield tell("masked-for-softmax")
        for own, result in after.items():
            if nan_and_inf.kind_of(result):
                yield from suspects.of_values(result, own, program, freed=True)
                return
        return
    if slopes := [*nan_to_come(tensor, name, program)]:
        said += slopes
    elif passes_through(nodes_behind(tensor)):
        said += [*after_a_pass(tensor, name, program)] or [*exploded(tensor, program)]
        said = said or [*at_the_loss(tensor, program)] or [*downhill(tensor, program)]
        said = said or [*zeros_behind(tensor, program)]
    elif nan_and_inf.kind_of(tensor):
        said += suspects.of_values(tensor, name, program, freed=False)
    is_0 = bool(said) and WHAT_CAME_IS_0 in said[0] and not any(ALWAYS in each for each in said)
    is_bad = bool(nan_and_inf.kind_of(tensor))
    first = [*never_emptied(tensor, program)] if is_0 or is_bad else []  # which makes steps so long
    if is_bad and first:
        said = [*nan_and_inf.values(tensor, name, program), *first]
    elif is_0:
        said = first or said
    said = the_nearest(said) or [*hindered(tensor, program)] or [*never_emptied(tensor, program)]
    yield from said or [*steps_of(tensor, program)] or kept_values(program)


def nan_to_come(y: Tensor, name: str, program: Program, x: Tensor | None = None) -> Iterator[str]:
    """What will make nan or inf of a gradient: values that are dropped, or infinite slopes."""
    said = [*nan_that_is_dropped(y, name, program, x)]
    yield from said or nan_and_inf.infinite_slopes(y, program, x)


def never_emptied(loss: Tensor, program: Program) -> Iterator[str]:
    """That the leaves behind a loss are stepped by all passes so far, as no line empties them."""
    is_open = not is_emptied_somewhere(program.frame)
    filled = [leaf for leaf in leaves_behind(loss) if leaf.grad is not None]
    moving = [leaf for leaf in filled if leaf.grad._value.any()]
    for leaf in moving[: 1 if is_open else MOST_FLAT]:
        name = program.name_of(leaf)
        if name and was_stepped(leaf, program.frame) and (rounds(leaf) or 0) > 1:
            if is_open or emptied_others(leaf, program):
                yield from added_up(leaf, name, program)
                return


def hindered(loss: Tensor, program: Program) -> Iterator[str]:
    """What keeps a net from learning well, though gradients come: the gravest alone."""
    yield from (
        [*constant_sum(loss, program)]
        or [*with_itself(loss, program)]
        or [*alike_on_both_sides(loss, program)]
        or [*at_the_loss(loss, program)]
        or [*leaves_of_results(loss, program)]
        or [*out_of_reach(loss, program)]
        or [*near_its_lowest(loss, program)]
        or [*exploded(loss, program)]
        or [*overshot(loss, program)]
        or [*beyond_measure(loss, program)]
        or [*stays_0(loss, program)]
        or [*alike_rows(loss, program)]
        or [*gone_through(program)]
        or [*in_the_rounds(loss, program)]
        or [*added_numbers(loss, program)]
        or [*lost_derivatives(loss, program)]
        or [*unrecorded_samples(loss, program)]
        or [*uphill(loss, program)]
        or [*downhill(loss, program)]
        or [*computed_once(loss, program)]
        or [*nearly_flat(loss, program)]
        or [*vanishing(loss, program)]
        or [*as_good_as_zero(loss, program)]
        or [*as_one(loss, program)]
    )


def constant_sum(loss: Tensor, program: Program) -> Iterator[str]:
    """That a loss adds up all of a softmax: what comes back is 0, or what rounding has left."""
    node = loss.grad_fn
    while kind_of(node) in SUMS | TERMS:
        if kind_of(node) in SUMS and not FLATS["Sum"].lets(node, None, None):
            yield f"At {in_words(node, program)} {FLATS['Sum'].why}."
            yield f"Try: {FLATS['Sum'].do}."
        node = next_of(node)[0] if len(next_of(node)) == 1 else None


def in_the_rounds(loss: Any, program: Program) -> Iterator[str]:
    """What the rounds of training do in vain, whatever their loss is: the gravest alone."""
    yield from (
        [*left_behind(program)][:2]
        or [*kept_states(program)]
        or [*kept_uncopied(program)]
        or [*unread(program)]
        or [*in_vain(loss, program)]
        or [*grown(program)]
    )


def steps_of(loss: Tensor, program: Program) -> Iterator[str]:
    """That steps move nothing behind a loss far enough, or what the next round makes anew."""
    if named := [*not_called(program, ("step", "zero_grad"))]:
        yield from named
        return
    leaves = {id(leaf) for leaf in leaves_behind(loss)}
    own = {name: thing for name, thing in program.variables.items() if name[0] != "_"}
    tools = optimizers(program.variables, leaves_behind(loss))
    its, optimizer = next(iter(tools.items()), ("", None))
    if optimizer is not None:
        lines = {emptied_at(leaf) or zeroed_at(leaf) for leaf in stepped_by(optimizer)}
        if said := [*steps_without_gradients(program.frame, its, lines)]:
            yield said[0]
            return
    if told := of_rates(optimizer, its, program):
        yield from told[0]
        return
    for thing in own.values():
        if id(thing) in leaves:
            said = [*leaf_each_round(thing, program)]
        elif any(id(leaf) in leaves for _, leaf in parameters_of(thing)):
            said = [*made_each_round(thing, optimizer, its, program)]
            held = [leaf for _, leaf in parameters_of(thing) if id(leaf) in leaves]
            own_its = optimizer_of(held[0], program.variables) or its
            said = said or [*unchanged(held, own_its, program)]
        else:
            continue
        if said:
            yield from said
            return


def the_nearest(said: list[str]) -> list[str]:
    """The sentences, without the first tensor that is bad where one operation is to blame."""
    if any(" is computed from " in each for each in said):  # data that was bad before
        return [each for each in said if not each.startswith("Of the tensors with a name")]
    to_blame = {each: 0 for each in said if each.startswith("At ") or is_guess(each)}
    if len(to_blame) != 1 or "line " not in next(iter(to_blame)):
        return said
    return [each for each in said if not each.startswith("Of the tensors with a name")]


def after_a_pass(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """Where nan or inf began, as far as that is known when a pass has freed the values."""
    if nan_and_inf.kind_of(tensor):
        said = [*suspects.of_values(tensor, name, program, freed=True)]
    else:
        bad = [leaf for leaf in leaves_behind(tensor) if leaf.grad is not None]
        bad = [leaf for leaf in bad if nan_and_inf.kind_of(leaf.grad)]
        if not bad:
            return
        kind, own = nan_and_inf.kind_of(bad[0].grad), program.name_of(bad[0]) or "a leaf"
        yield f"The gradient that came to {own} holds {kind}, though {name} itself does not."
        said = [*suspects.of_slopes(tensor, program)]
    yield from said


def zeros_behind(tensor: Tensor, program: Program) -> Iterator[str]:
    """The leaves to which nothing but 0 has come from a result, and what stopped it."""
    flat = [e for e in leaves_behind(tensor) if is_zero(e) and not cancels(tensor, e)]
    flat = [] if is_emptied_unseen(program.frame) else flat
    flat = [leaf for leaf in flat if id(leaf) in beyond_flat_slopes(tensor)]
    reasons = [(leaf, [*why_stopped(tensor, leaf, program)]) for leaf in flat[:MOST_FLAT]]
    known = [each for each in reasons if each[1]] or reasons
    leaves = leaves_behind(tensor)
    if all(leaf.grad is None or rounds(leaf) == 0 for leaf in leaves):  # nothing is left of it
        for leaf in leaves[:MOST_FLAT]:
            if jumps := jump_between(tensor, leaf, program):
                yield from jumps
                return
    for leaf, said in known[:1]:
        own = program.name_of(leaf) or "a leaf"
        more = f", and so is that of {len(flat) - 1} more leaves" if len(flat) > 1 else ""
        is_known = said and not is_guess(said[0])
        yield f"The gradient that came to {own} {WHAT_CAME_IS_0}{more}."
        ends = [each for each in out_of_reach(tensor, program) if each not in said]
        said = [*ends, *besides(said, ends)] if is_known else ends or said
        said = said or [*hindered(tensor, program)] or to_ask(tensor, leaf, program)
        yield from said or [tell("zero-at-rest")] * bool(leaf._version)


def besides(said: list[str], hints: list[str]) -> list[str]:
    """What hints have not said; where they name its line, their advice stands for its own."""
    rest = [each for each in said if each not in hints]
    found = [reader.SPOKEN_LINE.search(each) for each in rest if not each.startswith("Try: ")]
    is_same = any(line and line[0] in hint for line in found for hint in hints)
    return [each for each in rest if not (is_same and each.startswith("Try: "))]


def why_stopped(tensor: Tensor, leaf: Tensor, program: Program) -> Iterator[str]:
    """What lets no gradient through from a result back to one of its leaves."""
    if said := beside_slopes(tensor, leaf, program):
        yield from said
        return
    jumps = jump_between(tensor, leaf, program)
    if lost := [] if jumps else [*lost_derivatives(tensor, program)]:
        yield from lost
        return
    told = [*out_of_reach(tensor, program)]
    is_all = len(told) > 2  # of the targets, so that no other start would help
    yield from told if is_all else why_zero(tensor, leaf, way(tensor, leaf) or [], program)


def beside_slopes(tensor: Tensor, leaf: Tensor, program: Program) -> list[str]:
    """That a derivative depends on a leaf by the slopes of relus alone, of which nothing comes."""
    is_beside = leaf.is_leaf and id(leaf) not in beyond_flat_slopes(tensor)
    return [tell("only-a-side", name=program.name_of(leaf) or "the leaf")] * is_beside


def in_gradient_of_0(
    leaf: Tensor, name: str, users: Iterable[Tensor], program: Program
) -> Iterator[str]:
    """That the ``.grad`` of a leaf is 0, and which line or which operation has made it so."""
    by = zeroed_at(leaf)
    yield f"Now {name}.grad is 0 everywhere{f': {by} emptied it' if by else ''}."
    for user in users:
        if by is None:
            yield from why_stopped(user, leaf, program)
        else:
            yield from jump_between(user, leaf, program)


def is_zero(leaf: Tensor) -> bool:
    """Whether a pass has brought nothing but 0, and nobody has emptied the gradient since."""
    grad = leaf.grad
    return grad is not None and not grad._value.any() and rounds(leaf) != 0


def in_gradient(
    leaf: Tensor, name: str, users: Mapping[str, Tensor], program: Program
) -> Iterator[str]:
    """That the ``.grad`` of a leaf holds nan or inf, and where that began behind its results."""
    # What had no pass brought nothing.
    users = {n: y for n, y in users.items() if passes_through(nodes_behind(y))} or users
    said = [*nan_and_inf.gradient(leaf, name, users, program)]
    if leaf.grad is not None and not said and not nan_and_inf.kind_of(leaf):
        for user, tensor in users.items():
            if nan_and_inf.kind_of(tensor) and not masked_by(tensor):
                yield from nan_and_inf.values(tensor, user, program)
                yield from suspects.of_values(tensor, user, program, freed=True)
                return
    if not said or any(each.startswith("Try:") for each in said):
        yield from the_nearest(said)
        return
    found = []
    for user, tensor in islice(users.items(), MOST):
        if nan_and_inf.kind_of(tensor):
            found = [*suspects.of_values(tensor, user, program, freed=True)]
        found = found or [*suspects.of_slopes(tensor, program)]
        if not found and (inputs := bad_inputs(tensor, user, program)):
            yield from [*said, *dropped_too_late(*inputs, user)]
            return
        if found:
            break
    yield from the_nearest([*said, *found])


def in_stepped_leaf(leaf: Tensor, users: Mapping[str, Tensor], program: Program) -> Iterator[str]:
    """Where nan in a leaf began that was stepped, when its gradient has been emptied since."""
    is_stepped = bool(users) and was_stepped(leaf, program.frame)
    if not is_stepped or not nan_and_inf.kind_of(leaf) or kind_of_grad(leaf):
        return
    for user, tensor in users.items():
        if nan_and_inf.kind_of(tensor):
            yield from suspects.of_values(tensor, user, program, freed=True)
            return


def between(y: Tensor, x: Tensor, names: tuple[str, str], program: Program) -> Iterator[str]:
    """What is wrong with the gradient that goes, or has gone, from one tensor back to another."""
    a, b = names
    if nan_and_inf.kind_of(y) and not kind_of_grad(x):
        yield from in_result(y, a, program)
        return
    behind = nodes_behind(y)
    freed = any(node.is_freed for node in behind)
    is_0 = freed and x.is_leaf and x.grad is not None and not x.grad._value.any()
    why = [*in_gradient_of_0(x, b, [y], program)] if is_0 or x.is_leaf and is_zero(x) else []
    is_known = why[1:] and not is_guess(why[1])
    hints = [*(at_the_loss if is_known or not is_0 else hindered)(y, program)]
    yield from hints
    said = [] if freed else [*nan_to_come(y, a, program, x)]
    if not freed:
        flat = beside_slopes(y, x, program) or [*flat_between(y, x, program)]
        said = said or flat and [*lost_derivatives(y, program)] or flat
    if said or not freed and any(map(keeps_something, behind)):  # what came, came from others
        yield from said or [*computed_once(y, program)] or in_vain(y, program)
    elif kind_of_grad(x):
        yield from in_gradient(x, b, {a: y}, program)
    elif why:
        yield from besides(why, hints)
        yield from to_ask(y, x, program) if freed and len(why) == 1 and not hints else ()
    elif freed:
        said = [*hindered(y, program)] or steps_of(y, program)
        yield from (each for each in said if each not in hints)


def kind_of_grad(x: Tensor) -> str:
    """``nan`` or ``inf`` of the gradient of a leaf; empty for numbers."""
    return nan_and_inf.kind_of(x.grad) if x.is_leaf and x.grad is not None else ""
