"""What a loss does not lead back to, of a net and its optimizer; or brings nan or nothing but 0.

It is told why, by `checkup`; and by `explain` what no step changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..gradients.late_binding import bound_late
from ..gradients.passes import roots_of
from ..gradients.results_of_leaf import MEANT_OR_NOT, advice, is_left_out, is_only_added, users_of
from ..gradients.wrong_derivatives import wrong_on_the_way
from ..graph.history import leaves_behind, nodes_behind
from ..graph.recorded import breaks_between, emptied_at, ended, is_made_of, leads_to, told
from ..not_finite.wrong_numbers import hindered, in_result, in_the_rounds, is_zero, why_stopped
from ..paths.path import is_derived, path
from ..program.breaks import Break, blamed, breaks, copied, remedy
from ..program.program import Program
from ..source import reader
from ..source.syntax import is_word, name_called
from ..source.texts import all_calls, everywhere
from ..source.variables import (
    all_stepped,
    held,
    is_module,
    is_parameter,
    optimizers,
    parameters_of,
    stepped_by,
)
from ..training.added_numbers import added_by_calls
from ..training.steps_without_effect import unknown_to_optimizers
from ..training.unchanged import AS_MADE
from ..training.unregistered import unregistered_parts
from ..words.sentences import say, tell
from .parameter_table import shortened

MOST_LOST = 2  #: lines that are told where several have ended a history
IF_MEANT = "If it is to learn: "


def where_a_path_breaks(loss: Any, parameter: Any, net: str, others: int) -> Iterator[str]:
    """What is known of why a loss does not lead back to any parameter, such as this one.

    It leads back to so many ``others``.
    """
    said = []
    if isinstance(loss, Tensor) and isinstance(parameter, Tensor):
        said = [*path(loss, parameter, Program.of(reader.frame()))][1:]
    ends = "Try: ", MEANT_OR_NOT, "The path breaks here"
    is_told = any(each.startswith(ends) or each.endswith("is right.") for each in said)
    said = [each for each in said if is_told or "unknown" not in each and not others]
    if is_told:
        pass
    elif others and parameter.grad is not None:
        said.append("Passes from another one have filled their .grad.")
    elif others:
        lines = {source.spoken(each.lineno) for source, each in copies_of(net)}
        line = lines.pop() if len(lines) == 1 else ""
        key = "leads-to-a-copy" if line else "leads-to-another-net"
        said = [say(key, line=line, others=others, net=net)]
    elif not said and (made := made_a_leaf(loss)):
        said.append(say("made-a-leaf", line=made))
    elif not said:
        said.append(say("look-for-cuts"))
        if isinstance(loss, Tensor):
            said.append(say("watch"))
    yield from said


def made_a_leaf(loss: Any) -> str:
    """The only line that makes a leaf of values and flags it, where a loss is such a leaf."""
    if not isinstance(loss, Tensor) or not loss.is_leaf or not loss.requires_grad:
        return ""
    lines = {
        source.spoken(call.lineno)
        for source, call in all_calls(reader.frame(), {"tensor", "as_tensor"})
        if any(e.arg == "requires_grad" and is_word(e.value, True) for e in call.keywords)
    }
    return lines.pop() if len(lines) == 1 else ""


def copies_of(net: str) -> Iterator[tuple[Any, ast.Call]]:
    """The calls of ``deepcopy`` that copy a net by its name."""
    for source, each in all_calls(reader.frame(), {"deepcopy"}):
        if [*map(ast.unparse, each.args)] == [net]:
            yield source, each


def what_made_it_bad(loss: Any) -> str:
    """What has made the nan or inf in a loss or in its gradients; empty where that is unknown."""
    if not isinstance(loss, Tensor) or loss.grad_fn is None:
        return ""
    program = Program.of(reader.frame())
    said = " ".join(in_result(loss, program.name_of(loss) or "the loss", program))
    return said if re.search("[Tt]ry: ", said) else ""


def what_hinders(loss: Any, program: Program) -> str:
    """What keeps a net from learning well, though gradients come; empty where nothing is known."""
    is_known = isinstance(loss, Tensor) and loss.grad_fn is not None
    if is_known:
        return " ".join(hindered(loss, program))
    return " ".join([*in_the_rounds(loss, program)] or added_by_calls(program))


def what_stops_it(loss: Any, parameter: Any) -> Iterator[str]:
    """Why nothing but 0 comes to a parameter, where the loss that was given tells it."""
    if isinstance(loss, Tensor) and isinstance(parameter, Tensor) and is_zero(parameter):
        yield from why_stopped(loss, parameter, Program.of(reader.frame()))


def wasted_behind(loss: Any) -> Iterator[str]:
    """Gradients behind a loss that nobody reads."""
    if isinstance(loss, Tensor):
        yield from wrong_on_the_way(nodes_behind(loss), Program.of(reader.frame()))


def not_reached(loss: Any, some: str, first: str, parameter: Any, name: str) -> str:
    """That a loss does not lead back to some parameters: what cuts the way to this one of them.

    It may be meant of those that no optimizer holds either.
    """
    program = Program.of(reader.frame())
    if cuts := cuts_to(loss, parameter, name):
        said = "; ".join(cut.said for cut in cuts)
        do = advice(remedy(cuts, program.name_of(loss) or ""), loss, parameter, program)
        is_meant = do.startswith("Try: ") and is_left_out(parameter, program, loss)
        own = "The loss" if loss.numel() == 1 else program.name_of(loss) or "It"
        do = say("if-not-frozen", do=do[5:]) if is_meant else do
        alone = ", so it does not learn" * (not is_meant and not users_of(parameter, program))
        return say("way-cut", loss=own, alone=alone, some=some, first=first, said=said, advice=do)
    is_own = isinstance(loss, Tensor) and isinstance(parameter, Tensor)
    users = users_of(parameter, program).values() if is_own else ()
    if is_own and is_derived(loss) and is_only_added(parameter, users):
        return tell("only-added", b=name)
    if is_own and is_derived(loss) and first.endswith("bias") and not users:
        return say("bias-of-a-derivative", some=some)
    lost = [cut for cut in ended(parameter) if cut.certain] if is_own else []
    flags = everywhere(program.frame, ast.Attribute)
    is_frozen = any(sets_a_flag(each) for _, each in flags)  # when it ran
    if len(lost) == 1 and not is_frozen and (do := remedy(lost)):
        return say("lost-on-a-way", some=some, said=lost[0].said, do=do)
    was_filled = parameter.grad is not None or emptied_at(parameter)
    if not was_filled and (late := [*bound_late(program)]):
        return " ".join([f"The loss does not lead back to {some}.", *late])
    return say("of-another-loss" if was_filled else "not-reached", some=some)


def sets_a_flag(read: ast.Attribute) -> bool:
    """Whether this may freeze something: it writes to ``requires_grad``, or is the method."""
    is_written = read.attr == "requires_grad" and isinstance(read.ctx, ast.Store)
    return is_written or read.attr == "requires_grad_"


def cut_besides(loss: Any, parameter: Any, named: Mapping[str, Any]) -> str:
    """That further parameters are cut off at other lines, on another way than this parameter's."""
    program = Program.of(reader.frame())
    own, known = program.name_of(loss), [cut for cut in cuts_of(loss) if leads_to(cut, parameter)]
    rest = {
        name: leaf
        for name, leaf in (named if known and own else {}).items()
        if isinstance(leaf, Tensor) and not any(leads_to(cut, leaf) for cut in cuts_of(loss))
    }
    for used in program.parts_of(own) if rest else ():
        cuts = cuts_of(program.variables.get(used))
        some = [name for name, leaf in rest.items() if any(leads_to(cut, leaf) for cut in cuts)]
        if some and (do := remedy(told(cuts), own)):
            return say("cut-besides", some=shortened(some), do=do)
    return ""


def cuts_to(loss: Any, parameter: Any, name: str) -> list[Break]:
    """The lines that cut the way from a loss back to a parameter, where they are known."""
    program = Program.of(reader.frame())
    known = isinstance(loss, Tensor) and isinstance(parameter, Tensor)
    cuts = breaks_between(loss, parameter) if known else []
    cuts = cuts or breaks(program.routes(program.name_of(loss) or "", parameter, name))
    cuts = blamed(cut for cut in copied(cuts, True) if cut.certain and cut.do)
    lost = ended(parameter) if known and not cuts else []
    behind = leaves_behind(loss) if lost else ()
    kept = {each.place for leaf in behind for each in ended(leaf)}
    lost = [each for each in lost if each.place not in kept]  # else it ended no way of these
    certain = [cut for cut in lost if not cut.expected]
    return cuts or (lost if len(lost) == 1 else certain[:MOST_LOST])


def around(loss: Tensor, program: Program) -> Iterator[str]:
    """Of the nets and optimizers that have to do with a loss: what does not learn, and why."""
    behind = leaves_behind(loss)
    reached, things = {*map(id, behind)}, [*held(program.variables)]
    nets = [each for each in things if is_module(each.thing) and is_whole(each.path, things)]
    paths = [each.path for each in things if id(each.thing) in reached]
    is_loss = loss.numel() == 1  # of other results it is told where their way was cut
    for net in nets if is_loss else ():
        if any(path.startswith((f"{net.path}.", f"{net.path}[")) for path in paths):
            if said := [*unregistered_parts(net.thing, dict(parameters_of(net.thing)))]:
                yield from said
                return
    for leaf in sorted(behind, key=Tensor.dim, reverse=True) if is_loss else ():
        name = program.name_of(leaf)
        said = [*unknown_to_optimizers(leaf, name, program)] if name else []
        if said[1:]:  # else what a net is given is to change
            is_new = leaf._version <= AS_MADE
            yield from said if is_new else [e.replace("Try: ", IF_MEANT) for e in said]
            return
    its = optimizers(program.variables, behind)
    owners = {path: [*stepped_by(tool)] for path, tool in its.items()}
    if not its and not optimizers(program.variables):
        owners = {net.path: [own for _, own in parameters_of(net.thing)] for net in nets}
    stepped = all_stepped(program.variables)
    own = [leaf for leaf in behind if is_parameter(leaf)]
    made = [leaf for leaf in behind if not is_parameter(leaf) and not leaf._version]
    is_flagged = any(cut.leaves for leaf in made for cut in cuts_of(leaf))
    if all(is_made_of(leaf, stepped) for leaf in own):
        cut = {each(): None for leaf in behind for cut in cuts_of(leaf) for each in cut.leaves}
        known = [*filter(program.name_of, filter(is_untouched, cut))] or [*stepped.values()]
        owners[""] = [*behind, *filter(is_untouched, known)]
    calls = [each.func for _, each in everywhere(program.frame, ast.Call)]
    is_alone = its and is_loss and [*map(name_called, calls)].count("backward") == 1
    for owner, tool in optimizers(program.variables).items() if is_alone else ():
        own = [*stepped_by(tool)]  # of a part that is cut off as a whole
        is_idle = f"{owner}.step" in map(ast.unparse, calls) and all(map(is_untouched, own))
        if is_idle and cuts_to(loss, own[0], program.name_of(own[0]) or ""):
            owners = {owner: [*own, *behind]}
    for owner, own in owners.items():
        missed = [each for each in own if id(each) not in reached and is_untouched(each)]
        if missed and len(missed) < len(own) and not all(map(is_untouched, own)):
            called = [program.name_of(each) or "a parameter" for each in missed]
            if is_loss and owner or cuts_to(loss, missed[0], called[0]):
                yield not_reached(loss, shortened(called), called[0], missed[0], called[0])
                yield from (say("asks-in-vain"),) * is_flagged
            return


def optimizer_of(net: Any, program: Program) -> Any:
    """The only optimizer of a program that steps a parameter of a net.

    Where none does, and passes came to the net all the same, the only one at all.
    """
    own = [each for _, each in parameters_of(net)]
    known = {id(each): each for each in optimizers(program.variables, own).values()}
    if not known and any(each.grad is not None or emptied_at(each) for each in own):
        tools = optimizers(program.variables).values()
        known = {id(each): each for each in tools if any(map(is_parameter, stepped_by(each)))}
    return known.popitem()[1] if len(known) == 1 else None


def loss_of(net: Any, program: Program) -> Any:
    """What a program calls ``backward()`` on, if its only optimizer steps parameters of a net.

    Else the only number among its results that leads back to some.
    """
    own = [each for _, each in parameters_of(net) if isinstance(each, Tensor)]
    roots = roots_of(program)
    if len(roots) == 1 and isinstance(roots[0], Tensor) and roots[0].requires_grad:
        if len(optimizers(program.variables)) == len(optimizers(program.variables, own)) == 1:
            return roots[0]
    found = {id(one): one for each in own for one in users_of(each, program).values()}
    known = [each for each in found.values() if each.numel() == 1]
    return known[0] if len(known) == 1 else None


def is_whole(path: str, things: list[Any]) -> bool:
    """Whether what stands at a path is no part of a module that stands at another."""
    wholes = (each.path for each in things if is_module(each.thing))
    return not any(path.startswith((f"{whole}.", f"{whole}[")) for whole in wholes)


def is_untouched(leaf: Any) -> bool:
    """Whether no gradient is there for a leaf, and no step has changed it."""
    is_own = isinstance(leaf, Tensor) and leaf.requires_grad
    return is_own and leaf.grad is None and leaf._version <= is_parameter(leaf)
