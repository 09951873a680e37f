"""Where a gradient of ``y`` would go on its way to ``x``, and where it cannot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..gradients.custom_backwards import given_none, idle_methods, summed_on_the_way
from ..gradients.frozen import thawed_since
from ..gradients.hidden_leaves import hidden_from_apply
from ..gradients.idle_hooks import hooks_that_answer
from ..gradients.misspelt import idle_flags_for
from ..gradients.passes import added_up, made_of_a_gradient
from ..gradients.rebinding_steps import put_back
from ..gradients.results_of_leaf import (
    DETACHED,
    IF_MEANT,
    advice,
    besides_derivatives,
    is_only_added,
    known_breaks,
    users_of,
)
from ..gradients.untracked import (
    ask_before,
    cuts_behind,
    how_to_ask,
    is_copied,
    is_read,
    lost_history,
    not_read,
    was_computed_before,
    what_it_shows,
)
from ..gradients.wrong_derivatives import wrong_on_the_way
from ..gradients.zero_gradient import cancelled
from ..graph.history import (
    is_stale_view,
    leaves_behind,
    nodes_behind,
    nodes_between,
    passes_through,
    way,
)
from ..graph.recorded import (
    breaks_between,
    breaks_by,
    emptied_at,
    ended,
    is_made_of,
    last_pass,
    runs_again,
    same_gradient,
    with_its_end,
    written_past,
)
from ..not_finite.wrong_numbers import between
from ..program.above_loops import above_its_loop
from ..program.breaks import Break, beside_a_way, blamed, breaks, copied, remedy, scissors
from ..program.cuts import MEANING
from ..program.derivatives import in_order, is_recorded
from ..program.dropped_values import dropped_of
from ..program.program import TO_CHANGE_A_LEAF, Program
from ..program.recorded_steps import kept_in_steps
from ..source.called import function_called
from ..source.line_order import without_text
from ..source.reader import in_brackets
from ..source.syntax import calls_in, names_in, whole_of
from ..source.variables import held, is_parameter
from ..training.grown_histories import plain_average
from ..training.kept_states import shared_values
from ..training.steps_without_effect import held_before, line_that_asks, unknown_to_optimizers
from ..words.sentences import tell
from .about import name_kept, of_computed_leaf, refused, why_no_gradient
from .made_twice import derived_twice, made_twice, root_of, where_made
from .sibling_inputs import made_beside

MOST_SHOWN = 12  #: nodes of a path


def path(y: Tensor, x: Tensor, program: Program) -> Iterator[str]:
    """Sentences on the recorded path, or on where it breaks."""
    a = program.name_of_argument(y, 0) or "y"
    b = program.name_of_argument(x, 1) or "x"
    for tensor, name in ((y, a), (x, b)):
        if is_stale_view(tensor) and (broken := refused(tensor)):
            yield f"{name} cannot be used any more. {broken}"
            return
    if y is x:
        yield f"{a} and {b} are the same tensor, so the derivative is 1."
        yield from same_gradient([y], program.variables)
        return
    nodes = way(y, x)
    # Nobody misses another way to a parameter: results of it are shown, kept, and given as targets.
    is_asked = nodes is None or not is_parameter(x)
    cuts = known = cuts_on_the_way(y, x, nodes, (a, b), program) if is_asked else []
    yield from dropped_of({a: y, b: x}, nodes_behind(y), program)
    yield from held_before([x], program)
    if nodes is not None or not y.requires_grad:
        results = [y] if nodes is not None else [*users_of(x, program).values()]
        cuts = besides_derivatives(known, x, results)
    if nodes is None:
        if known and not cuts:
            yield f"There is no recorded path from {a} back to {b}: {a} does not require grad."
            yield tell("only-added", b=b)
            return
        yield from no_path(y, x, a, b, program, blamed(cuts))
    else:
        yield from idle_flags_for(x, program)
        yield from thawed_since([x], program)
        if not any(node.is_freed for node in nodes):
            program.shown.steps = a[1:-1] if a.startswith("(") else a
        said = [*between(y, x, (a, b), program)]
        said += [] if x.is_leaf or said else cancelled(y, x, program)
        already = " ".join(said)
        if x.is_leaf and x.grad is not None:  # what came is known, and the way explains it
            yield from said
            said = []
        unknown = (
            [*unknown_to_optimizers(x, b, program)] if x.is_leaf and x.grad is not None else []
        )
        passes = unknown or ([*added_up(x, b, program)] if x.is_leaf else [])
        if len(passes) > 1:  # which is a mistake, and comes first
            yield from passes
        if x.is_leaf and emptied_at(x):
            is_passed = any(node.is_freed for node in nodes)
            yield from why_no_gradient(x, b, program) if is_passed else ()
        for line, instead in written_past(y, x):
            yield tell("written-past", line=line, instead=instead)
        yield from a_path(y, x, a, b, nodes, program)
        cuts = [c for c in cuts if c.certain and not c.expected and c.place not in already]
        for cut in cuts:
            yield f"Another way is cut, and adds nothing to the gradient: {cut.said}."
        if do := remedy(cuts):
            yield IF_MEANT.format(do)
        yield from passes
        yield from said


def cuts_on_the_way(
    y: Tensor, x: Tensor, nodes: list | None, names: tuple[str, str], program: Program
) -> list[Break]:
    """What cuts a way that is not there, or another one, as it was recorded, or as lines read."""
    a, b = names
    of_routes = breaks if nodes is None else beside_a_way
    cuts = known_breaks(y, x, names, program, of_routes)
    if nodes is None and all(cut.expected for cut in cuts):  # another way may bring the values
        read = of_routes(program.routes(a, x, b))
        cuts = cuts if cuts and all(cut.expected for cut in read) else read
    if nodes is None:
        cuts = cuts or cut_in_parts(a, x, program)
        cuts = with_its_end(cuts, x) if x.is_leaf else cuts
    cuts = [by_the_pass(cut, x) for cut in copied(cuts, is_parameter(x))]
    return kept_in_steps(cuts, b, program.frame)


def a_path(y: Tensor, x: Tensor, a: str, b: str, nodes: list, program: Program) -> Iterator[str]:
    """What there is to know of a path that exists."""
    shown = [node.name() for node in nodes[:-1]]  # the last one made x, or fills its .grad
    shown = shown if len(shown) <= MOST_SHOWN else [*shown[:6], "…", *shown[-5:]]
    yield f"There is a recorded path from {a} back to {b}: {' → '.join([a, *shown, b])}."
    on_all_ways = nodes_between(y, x) if y.grad_fn is not None else nodes
    yield from wrong_on_the_way([*on_all_ways, *differentiated(a, program)], program)
    yield from hooks_that_answer(on_all_ways, b)
    freed = [node for node in on_all_ways if node.is_freed and node is not x.grad_fn]
    if freed:
        yield tell("node-let-go", node=freed[0].name(), passes="; ".join(passes_through(freed)))
    if x.grad_fn is not None and not x.retains_grad:
        yield tell("reaches-a-result", b=b)
        said = [*of_computed_leaf(x, b, program)]
        line = program.binding_line(b) if program.used_earlier_value(b, b) else None
        if not said and line and (do := name_kept(x, b, program)):
            said = [tell("name-of-a-new-tensor", name=b, line=line), do]
        yield from said
    yield from (*given_none(y, x, b), *summed_on_the_way(y, x, b))
    yield from idle_methods((each.thing for each in held(program.variables)), program.frame)


def differentiated(name: str, program: Program) -> list:
    """The nodes behind what a name goes by a recorded derivative of."""
    given = [each for call in recorded_derivatives(name, program) for each in call.args[:1]]
    things = [program.variables.get(each) for part in given for each in names_in(part)]
    return [node for each in things if isinstance(each, Tensor) for node in nodes_behind(each)]


def recorded_derivatives(name: str, program: Program) -> list[ast.Call]:
    """The calls that have given recorded derivatives which a name was computed from."""
    steps = [program.step(name), *(program.steps[at] for _, at, _ in program.ingredients(name))]
    calls = [whole_of(each.value) for each in steps if each is not None]
    return [in_order(call) for call in calls if is_recorded(call)]


def by_the_pass(cut: Break, x: Tensor) -> Break:
    """A break at a ``.grad`` without history is made by the pass that filled it."""
    line = last_pass(x) if cut.said.startswith(f"{MEANING['grad'].says} (") else None
    if line is None:
        return cut
    return replace(
        cut,
        said=f".grad has no history, because the pass ran without create_graph=True ({line})",
        do="pass create_graph=True there, if the gradient itself is to be differentiated",
        place=without_text(line),
    )


def no_path(
    y: Tensor, x: Tensor, a: str, b: str, program: Program, cuts: list[Break]
) -> Iterator[str]:
    """Where a path that does not exist breaks, as far as that can be known."""
    start = f"There is no recorded path from {a} back to {b}: "
    breaks_there = "The path breaks here", "Where this line ran, the path breaks there"
    breaking = [cut.told(*breaks_there) for cut in cuts]
    if cuts and (cuts[0].certain or len(cuts) == 1):
        program.shown.scene = scissors(b, a, cuts[0])
    if y.is_leaf and y.requires_grad and cuts and (line := line_that_asks(a, program)):
        asking = f"To ask {a} for gradients ({line}) brings no history back"
        breaking.append(f"{asking}: leave that out, too.")
    same = shared_values(y, a, program) or shared_values(x, b, program)
    own = cuts_behind(b, program) if not x.requires_grad and x.is_leaf and not same else []
    # With one of them left out alone no gradient comes.
    if do := remedy([*own, *cuts]) if own else remedy(cuts, a):
        if same:
            told = f"If its gradient is wanted: {do}."
        else:
            is_meant = own and do.startswith(DETACHED)
            told = IF_MEANT.format(do) if is_meant else advice(do, y, x, program)
        breaking.append(told)
    from_earlier = program.used_earlier_value(a, b)
    if not x.requires_grad:
        yield f"{start}{b} does not require grad."
        yield from same
        if is_meant := [*plain_average(x, program)]:
            yield from is_meant
            return
        lost = lost_history(b, program)
        if from_earlier:
            yield f"{a} was computed from what {b} meant before."
        if lost:
            yield from lost
        elif not x.dtype.is_floating_point:
            yield what_it_shows(x)
        elif y.grad_fn and (said := computed_from_others(a, b, x, program)):
            yield said
        else:
            besides = [cut for cut in cuts if not cut.expected]
            besides = remedy(besides) if all(program.routes(a, x, b)) else ""
            yield from how_to_ask(x, b, before_its_results(a, b, program), program, besides)
        is_open = y.requires_grad and not lost  # another way may be there: it would not be recorded
        if not is_open and not is_copied(lost) and any(not cut.expected for cut in cuts or own):
            yield from breaking
        return
    if not y.requires_grad:
        yield f"{start}{a} does not require grad."
        yield from same
    elif y.grad_fn is None:
        yield f"{start}{a} is a leaf: it keeps no history of what came before it."
    else:
        leaves = [program.name_of(leaf) for leaf in leaves_behind(y)]
        known = ", ".join(name for name in leaves if name)
        several = "leaves" if leaves[1:] else "a leaf"
        known = known or f"{several} that no variable names now"
        yield f"{start}the history of {a} leads to {known}, not to {b}."
    base = x._base if program.name_of(x) is None else None
    if base is not None and base.is_leaf and way(y, base) is not None:
        yield tell("part-made-anew", a=a, b=b, whole=program.name_of(base) or "a leaf")
    elif said := [*derived_twice(a, b, x, program)]:
        yield from said
    elif late := program.flagged_after(b, a):
        yield was_computed_before(b, *late)
        yield ask_before(b, *late)
    elif cuts and not (from_earlier and x.is_leaf):
        yield from breaking
    elif from_earlier:
        line = in_brackets(program.binding_line(b))
        yield f"{a} was computed from what {b} meant before; now {b} is another tensor{line}."
        do = (
            put_back(b, program) * (not x.is_leaf)  # a new leaf in each round may be meant
            or TO_CHANGE_A_LEAF.format(b).replace("To", "Try: to", 1) * program.is_updated(b)
            or f"Try: run the lines that compute {a} again, so that it is computed from this {b}."
        )
        yield from [do] if not [*held_before([x], program)] else ()
    elif is_made_of(x, {*map(id, leaves_behind(y))}) and (made := breaks_by(cuts_of(x))):
        yield tell("made-of-its-leaf", a=a, b=b, said=made[0].said)
    elif not (lost := ended_for(y, x, a, program)) and (
        said := [*made_beside(y, x, a, b, program)]
    ):
        said = said[:-1] if ended(x) else said  # what else was made of x is what it is for
        yield from [tell("derived-beside", a=a, b=b)] if is_derived(y) else said
    elif runs_again(y):
        yield tell("checkpoint-computes-again", a=a)
    elif not is_read(a, program) and len(lost) == 1:
        program.shown.scene = scissors(b, a, lost[0])
        yield f"What was computed from {b} lost its history: {lost[0].said}."
        if do := remedy(lost):
            is_made = y.grad_fn is None and y.requires_grad
            itself = f"; and the result itself where tensor(...) makes the leaf {a} of it"
            yield advice(f"{do}{itself * is_made}", y, x, program)
    elif (said := [*made_twice(y, x, a, b, program)]) or (
        said := [*hidden_from_apply(y, x, b, program)]
    ):
        yield from said
    else:
        if said := computed_from_others(a, b, x, program):
            yield said
            return
        if not y.requires_grad:
            if said := [*made_of_a_gradient(a, program)]:
                yield from said
                return
            yield what_it_shows(y)
        is_added = is_derived(y) and is_only_added(x, users_of(x, program).values())
        nodes = differentiated(a, program)
        by = {ast.unparse(e) for call in recorded_derivatives(a, program) for e in call.args[1:]}
        is_behind = b in by or any(getattr(node, "variable", None) is x for node in nodes)
        if is_added or is_behind or is_derived(y) and is_parameter(x):
            no_part = tell("no-part-in-a-derivative", a=a, b=b)
            yield tell("only-added", b=b) if is_added else no_part
            return
        yield tell("path-unknown", a=a, b=b)
        yield from not_read(a, program)


def before_its_results(a: str, b: str, program: Program) -> str:
    """When a leaf has to ask: before its first result, which each round has to compute."""
    own = root_of(b)
    at = sorted(n for used, n, lost in program.ingredients(a) if used == own and not lost)
    first = next((name for n in at if (name := program.steps[n].target).isidentifier()), a)
    loop = above_its_loop(first, program.frame) if program.frame and first != a else None
    of = f", and that inside of the loop of {loop[1].partition(': `')[0]}" if loop else ""
    return f" before {first} is computed{of}"


def ended_for(y: Tensor, x: Tensor, a: str, program: Program) -> list[Break]:
    """The lines at which a history of ``x`` ended, without those that ``y`` has no part in.

    Such a line binds a name that ``y`` was not computed from, as that of a measure beside a loss.
    """
    lost, used = ended(x), {a, *program.parts_of(a)}
    if y.grad_fn is None or program.last(a) < 0:
        return lost
    bound = [{e.target for e in program.steps if e.line.startswith(f"{c.place}:")} for c in lost]
    return [cut for cut, names in zip(lost, bound) if not names or names & used]


def cut_in_parts(a: str, x: Tensor, program: Program) -> list[Break]:
    """The recorded breaks between what a result was computed from, under a name, and ``x``."""
    parts = {used for used, at, _ in program.ingredients(a) if program.is_present(used, at)}
    known = [program.variables.get(each) for each in sorted(parts - {a})]
    return next((c for t in known if isinstance(t, Tensor) and (c := breaks_between(t, x))), [])


def is_derived(y: Tensor) -> bool:
    """Whether a pass with a history has made a part of what ``y`` was computed from."""
    return any("BackwardBackward" in node.name() for node in nodes_behind(y))


def computed_from_others(a: str, b: str, x: Tensor, program: Program) -> str:
    """What a result was computed from, where all of that can be read and ``x`` is not in it."""
    used, line = {used for used, _, _ in program.ingredients(a)}, program.binding_line(a)
    is_reached = used & program.names_that_reach(x, b) or program.routes(a, x, b)
    if line is None or is_reached or not all_entered(a, program):
        return ""
    own, inner = where_made(a, program)
    parts = names_in(getattr(inner.step(own), "value", ast.Pass())) & inner.parts_of(own)
    tensors = [each for each in used if isinstance(program.variables.get(each), Tensor)]
    first = [each for each in tensors if not program.parts_of(each) & {*tensors}]
    if not first or a in first:  # a step of its own goes by a gradient, which may lead there
        return ""
    if inner is not program:
        first, line = parts or first, inner.binding_line(own) or line
    return tell("computed-from-others", a=a, others=", ".join(sorted(first)), line=line, b=b)


def all_entered(name: str, program: Program) -> bool:
    """Whether the lines of all functions of the reader's can be read that gave a result."""
    targets = {name} | program.parts_of(name)
    calls = [e for s in program.steps if s.target in targets for e in calls_in(s.value)]
    calls = [each for each in calls if function_called(each, program.variables)]
    return all(program.inside(each) is not None for each in calls)
