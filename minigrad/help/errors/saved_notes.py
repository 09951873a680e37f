"""Notes on values that a node had saved: changed in place since, or let go of by a pass."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ...autograd.caller import Place
from ..gradients.caches import kept_by_a_cache
from ..graph.expression_of_node import recorded_line
from ..graph.history import kept_as
from ..graph.out_of_place import beside_a_view, out_of_place
from ..graph.saved_views import reads_beside, view_kept
from ..program.program import Program
from ..source import reader
from ..source.line_order import without_text
from ..source.syntax import called_on, is_at, is_call
from ..words.noted import asks_by_grad, noted
from ..words.sentences import tell
from .before_the_loop import before_the_loop
from .both_passes import gone_through_by_both
from .earlier_pass import begun_before, is_by_grad, without_history
from .for_notes import asked_about, asks_what_a_loop_gives
from .graph_across_rounds import carried_over, computed_with, is_stepped_below, is_unchanged
from .lists_across_rounds import rounds_around
from .sum_across_rounds import of_changed_rounds

AGAIN = "compute the result again before each backward()."


def stale(error: Exception, tensor: Any, node: Any, expected: int, counter: Any) -> Exception:
    """A value that ``node`` had saved at version ``expected`` was changed."""
    count = counter.value - expected
    known = [reader.spoken(writer) for writer in counter.writers[-count:] if writer is not None]
    is_part = tensor._is_view() and tensor.numel() < tensor._base.numel()
    did = tell("shared-write") if is_part else "changed the value in place"
    where = f"{known[0]} {did}" if known else ""
    if len(known) > 1:
        where += f" ({count} writes in all)"
    it = f"{maker(node)} had kept the value{kept_as(node, tensor)}"
    why = tell("kept-for-its-derivative", it=it, expected=expected, now=counter.value)
    why = why if known else f"{tell('changed-unseen')} {why}"

    def is_owner(thing: Any) -> bool:  # of a value that the node saved as its own result
        return getattr(thing, "_counter", None) is counter and not thing._is_view()

    writer = next(filter(None, counter.writers[-count:]), None)
    view = view_kept(tensor, writer)
    name = reader.name_of(tensor) or reader.name_among(reader.variables(), is_owner)
    is_result = kept_as(node, tensor).endswith("result)")
    owner = tensor._base if tensor._is_view() else tensor
    if owner._edge is None and owner.requires_grad:
        do = after_an_update(name or "the leaf", node, counter.writers[-count:])
    elif view is not None:
        is_named = reader.name_of(tensor) is not None
        that = f"That is {view.name}, a view" if is_named else f"That is a view, as {view.name} is,"
        why += f" {that} of {view.whole} ({view.line})."
        do = f"{view.name} = {view.written}.clone() there, which has values of its own."
        if view.is_written and is_named and writer is not None:
            do = f"{beside_a_view(writer, view.name)}, which leaves {view.whole} as it is."
    elif not is_result and (copied := reads_beside(tensor, node, writer)):
        do = copied
    elif instead := out_of_place(counter.writers[-count:], owner.requires_grad):
        do = f"{instead}."
    else:
        new = "make a new tensor instead."
        do = new if name is None else tell("new-tensor-or-clone", name=name)
    why += f" {tell('shared-version')}" * is_part
    return noted(error, where=where, why=why, do=do)


def after_an_update(leaf: str, node: Any, writers: Sequence) -> str:
    """What to do where a leaf was changed between a forward pass and its backward pass."""
    place, here = next(filter(None, writers), None), reader.place()
    in_loop = place and here and place[0] is here[0] and place[1] > here[1]
    if in_loop and (carried := carried_over(node)):
        return carried
    if kept := kept_by_a_cache(node):
        return kept
    if place and (moved := moved_below_the_pass(place)):
        return moved
    again = {} if place is None else computed_with(place)
    root = asked_about() or "what backward() starts from"
    if place and (summed := of_changed_rounds(root, leaf, place)):
        return summed
    made = Program.of(reader.frame()).binding_line(root) or ""
    several = " and ".join(f"{name} ({line})" for name, line in again.items())
    is_moved = not several and "," not in made.partition(": `")[2].partition("=")[0]
    what = (several or f"{root}{reader.in_brackets(made)}") + " again" * (not is_moved)
    return tell("compute-after-that", what=what, leaf=leaf)


def moved_below_the_pass(writer: Place) -> str:
    """Where to call a function of the reader's that changes leaves between loss and pass.

    Empty where the write is made in the loop itself, or by an optimizer.
    """
    frame = reader.frame()
    called = writer[0].co_name
    for source, loop in rounds_around(frame)[:1]:
        calls = [e for e in loop.body if isinstance(e, ast.Expr) and is_call(e.value, {called})]
        passes = [e for e in loop.body if is_at(e, frame.f_lineno)]
        steps = [e for e in loop.body if called_on(e, "step") is not None]
        if len(calls) == len(passes) == 1 and calls[0].lineno < passes[0].lineno:
            last = next((e for e in steps if e.lineno > passes[0].lineno), passes[0])
            call, line = ast.unparse(calls[0]), source.spoken(calls[0].lineno)
            below = source.spoken(last.lineno)
            return tell("move-below", call=call, line=without_text(line), below=below)
    return ""


def maker(node: Any) -> str:
    """A node, and the reader's line that recorded it, where that is known."""
    line = recorded_line(node)
    return f"{node.name()}, recorded at {line}," if line else node.name()


def freed(error: Exception, node: Any, by: Any) -> Exception:
    """The values that ``node`` had saved were let go by an earlier pass."""
    name, place, here, through = node.name(), by.place, reader.place(), ""
    in_loop = place and here and place[0] is here[0] and place[1] >= here[1]
    by_grad = place is not None and is_by_grad(place)
    is_stepped = in_loop or by_grad or (place and is_stepped_below(node, place))
    is_kept = is_unchanged(node) or not is_stepped  # after a step it has old values
    also = ", or create_graph=True where a loss is computed from what it gives"
    recorded = also * (by_grad and asks_by_grad())
    do = f"pass retain_graph=True to the earlier call{recorded}."
    do = do if is_kept else AGAIN
    if place and (kept := kept_by_a_cache(node)):
        do = kept
    elif in_loop:
        is_a_loop = rounds_around(reader.frame())
        do = f"{tell('compute-in-the-loop')}." if is_a_loop else AGAIN
        if carried := carried_over(node):
            do = carried
        elif before := before_the_loop(node):
            do = before
        elif asks_what_a_loop_gives():
            do = "add up what the loop goes through, and call backward() once, below the loop."
        elif is_kept and asks_by_grad():
            do = "pass retain_graph=True to this call, which has gone through this graph before"
            do += f"{recorded}."
    elif place and (again := begun_before(place)):
        do = again
    elif place and not is_by_grad(place):
        through, instead = gone_through_by_both(node, place)
        do = instead or do
    why = f"{name} lets go of the values it had saved as soon as a pass has used them."
    why += f" {through}" * bool(through)
    if place and (lines := without_history(place)):
        root = asked_about() or "what backward() starts from"
        why += f" {root} was computed from what grad(...) gave, too, and that has no history."
        those = "there" if len(lines) == 1 else f"in each of these lines: {'; '.join(lines)}"
        do = f"pass create_graph=True to grad(...) {those}."
    by = f"{reader.spoken(place)} ran a backward pass through {name}" if place else ""
    return noted(error, where=by, why=why, do=do)
