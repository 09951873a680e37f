"""What a net or an optimizer has that a loss does not lead to, or no step changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..gradients.passes import roots_of
from ..gradients.results_of_leaf import users_of
from ..graph.history import leaves_behind
from ..graph.recorded import emptied_at, is_made_of
from ..program.program import Program
from ..source.syntax import is_call, name_called
from ..source.texts import everywhere
from ..source.variables import (
    all_stepped,
    held,
    is_module,
    is_parameter,
    optimizers,
    parameters_of,
    stepped_by,
)
from ..training.steps_without_effect import unknown_to_optimizers
from ..training.unchanged import AS_MADE
from ..training.unregistered import strangers
from ..words.sentences import say
from .parameter_table import shortened
from .unreached import cuts_to, not_reached

IF_MEANT = "If it is to learn: "


def around(loss: Tensor, program: Program) -> Iterator[str]:
    """Of the nets and optimizers that have to do with a loss: what does not learn, and why."""
    behind = leaves_behind(loss)
    reached, things = {*map(id, behind)}, [*held(program.variables)]
    nets = [each for each in things if is_module(each.thing) and is_whole(each.path, things)]
    paths = [each.path for each in things if id(each.thing) in reached]
    is_loss = loss.numel() == 1  # of other results it is told where their way was cut
    for net in nets if is_loss else ():
        if any(path.startswith((f"{net.path}.", f"{net.path}[")) for path in paths):
            if said := [*strangers(net.thing, dict(parameters_of(net.thing)))]:
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
    calls = [each.func for _, each in everywhere(program.frame) if is_call(each)]
    is_only = [*map(name_called, calls)].count("backward") == 1  # else another loss leads to those
    for path, tool in optimizers(program.variables).items() if its and is_loss and is_only else ():
        own = [*stepped_by(tool)]  # of a part that is cut off as a whole
        is_used = f"{path}.step" in map(ast.unparse, calls)
        if (
            is_used
            and all(map(is_untouched, own))
            and cuts_to(loss, own[0], program.name_of(own[0]) or "")
        ):
            owners = {path: [*own, *behind]}
    for path, own in owners.items():
        missed = [each for each in own if id(each) not in reached and is_untouched(each)]
        if missed and len(missed) < len(own) and not all(map(is_untouched, own)):
            called = [program.name_of(each) or "a parameter" for each in missed]
            if is_loss and path or cuts_to(loss, missed[0], called[0]):
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
