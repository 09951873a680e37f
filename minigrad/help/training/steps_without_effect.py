"""Passes and steps in vain: a loss that was made a leaf, and a leaf that no optimizer holds."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..gradients.results_of_leaf import users_of
from ..gradients.untracked import LOST
from ..graph.expression_of_node import line_of_assignment
from ..graph.nodes import leaves_behind
from ..graph.recorded import is_made_of, told, with_its_end
from ..program.breaks import breaks, remedy
from ..program.derivatives import derivatives
from ..program.emptied import is_emptied_somewhere
from ..program.program import Program
from ..program.statements import BINDS
from ..program.stepped import was_stepped
from ..program.training_loop import blocks
from ..program.updates import without_history
from ..source.called import is_in_a_library
from ..source.reader import callers, in_brackets, variables_of
from ..source.syntax import FUNCTIONS, LOOPS, is_call, name_called, names_in, parts_up_to
from ..source.texts import Source, everywhere
from ..source.variables import (
    all_stepped,
    held,
    is_module,
    is_parameter,
    last_name,
    optimizers,
    parameters_of,
    stepped_by,
)
from ..source.variables import at as path_at
from ..source.variables import parts as parts_of
from ..words.sentences import say
from .unregistered import unregistered_parts

MOST = 2


def asked_in_vain(tensor: Tensor, name: str, program: Program) -> Iterator[str]:
    """That a loss lost its history, and was asked for gradients, so that a pass ends at it.

    Each pass from it adds 1 to its gradient; anything else came from results of it.
    """
    if tensor.grad is not None and not bool((tensor.grad.detach() >= 1).all()):
        return
    line = line_that_asks(name, program)
    cuts = told(cuts_of(tensor)) if line and tensor.numel() == 1 else []
    stepped = all_stepped(program.variables)
    for leaf in [*stepped.values()][:1] if line and not cuts and not tensor._version else ():
        cuts = breaks(program.routes(name, leaf, program.name_of(leaf) or ""))
    if not cuts or users_of(tensor, program):
        return
    for leaf in [*stepped.values()][:1]:
        cuts = with_its_end(cuts, leaf, is_summed=True)
    yield say("ends-at-itself", name=name)
    for cut in cuts[:MOST]:
        yield cut.told(*LOST)
    yield say("asked-in-vain", name=name, line=line)
    if do := remedy(cuts):
        yield f"Try: {do}."


def line_that_asks(name: str, program: Program) -> str:
    """The line that asks a result for gradients, maybe in the only function that hands one back."""
    bound = program.binding_line(name) or ""
    own = program.asks_line(name) or (bound if "requires_grad" in bound else "")
    lines = set()
    for source, function in everywhere(program.frame, ast.FunctionDef) if not own else ():
        parts = [*ast.walk(function)]
        given = {getattr(each.value, "id", "") for each in parts if isinstance(each, ast.Return)}
        for each in parts:
            match each:
                case ast.Assign(
                    [ast.Attribute(ast.Name(its), "requires_grad")], ast.Constant(True)
                ) | ast.Expr(
                    ast.Call(
                        ast.Attribute(ast.Name(its), "requires_grad_"), [] | [ast.Constant(True)]
                    )
                ) if its in given:
                    lines.add(source.spoken(each.lineno))
    return own or (lines.pop() if len(lines) == 1 else "")


def held_before(leaves: Iterable[Any], program: Program) -> Iterator[str]:
    """That an optimizer holds what a name meant, before each round gave that to a new leaf.

    It was made from that name, and such a leaf is among these ``leaves``.
    """
    stepped = all_stepped(program.variables)
    shapes = {leaf.shape for leaf in leaves if id(leaf) not in stepped}
    tools = optimizers(program.variables).items() if shapes else ()
    tools = {its: shapes & {each.shape for each in stepped_by(tool)} for its, tool in tools}
    for source, loop in everywhere(program.frame, LOOPS) if any(tools.values()) else ():
        parts = [*parts_up_to(loop.body, FUNCTIONS | ast.ClassDef)]
        steps = {ast.unparse(e)[:-5] for e in parts if getattr(e, "attr", "") == "step"}
        made = {e.id for e in parts if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Store)}
        said = []
        for its in tools.keys() & steps - made:
            for name in sorted(made & program.parts_of(its)):
                own = program.variables.get(name)
                own = [e for e in (own if isinstance(own, list) else [own]) if id(e) not in stepped]
                if any(getattr(each, "shape", None) in tools[its] for each in own):
                    do = instead_of_new_leaves(name, parts, source, program)
                    said += kept_by(its, name, do, program) if do else ()
        if said:
            yield from said
            return
    yield from kept_by_objects(tools, program)


def kept_by_objects(tools: Iterable[str], program: Program) -> Iterator[str]:
    """The same of an optimizer in an object, one of whose methods makes an attribute anew.

    The optimizer holds a leaf of its shape that nothing else means any more.
    """
    things = {each.path: each.thing for each in held(program.variables)}
    meant, stepped = {*map(id, things.values())}, all_stepped(program.variables)
    for its in (each for each in tools if "." in each):
        owner, _, own = its.rpartition(".")
        lost = {each.shape for each in stepped_by(things[its]) if id(each) not in meant}
        attributes = getattr(things.get(owner), "__dict__", None) or {}
        for source, each in everywhere(program.frame, ast.ClassDef) if lost and attributes else ():
            is_its = each.name == type(things[owner]).__name__
            methods = [[*ast.walk(method)] for method in (each.body if is_its else ())]
            parts = [
                part for method in methods if f"self.{own}" not in bound(method) for part in method
            ]
            for name in sorted(bound(parts)):
                path = name.replace("self", owner, 1)
                leaf = attributes.get(name.partition("[")[0].removeprefix("self."))
                leaves = [part for _, part in parts_of("", leaf)] if "[" in name else [leaf]
                leaves = [e for e in leaves if isinstance(e, Tensor) and e.requires_grad]
                if any(e.is_leaf and id(e) not in stepped and e.shape in lost for e in leaves):
                    do = instead_of_new_leaves(name, parts, source, program)
                    yield from kept_by(its, path, do, program) if do else ()


def bound(parts: Iterable[ast.AST]) -> set[str]:
    """The attributes that some lines bind, or an item of one, as they are written."""
    items = (each for each in parts if isinstance(each, ast.Attribute | ast.Subscript))
    return {ast.unparse(each) for each in items if isinstance(each.ctx, ast.Store)}


def kept_by(its: str, name: str, do: dict[str, str], program: Program) -> Iterator[str]:
    """What the first of some lines makes in vain, and what to write in their places."""
    yield say("held-before", its=its, name=name, line=next(iter(do)))
    new = "`with torch.no_grad(): {}` in the place of {}"
    what = "; ".join(new.format(do[at], at) if do[at] else f"leave out {at}" for at in do)
    what += "" if is_emptied_somewhere(program.frame) else say("and-empty", its=its)
    yield say("keep-held", do=what, name=name, its=its)


def instead_of_new_leaves(
    name: str, parts: list[ast.AST], source: Source, program: Program
) -> dict[str, str]:
    """The lines of a loop that give a leaf's name to new ones, or write to those; what instead.

    Nothing where one of them starts from other values.
    """
    off = {id(each) for block in parts if isinstance(block, ast.With) for each in block.body}
    do = {}
    for each in parts:
        match each:
            case ast.Assign([target], value) if ast.unparse(target) == name:
                is_own = name in map(ast.unparse, ast.walk(value))
                if not is_own and not program.used_earlier_value(name, name):
                    return {}
                written = ast.unparse(value)
                new = f"{name}.copy_({written})"
                if isinstance(program.variables.get(name), list):
                    new = f"[a.copy_(b) for a, b in zip({name}, {written})]"
                do[each.lineno] = "" if ast.unparse(without_history(value)) == name else new
            case ast.Expr(ast.Call(ast.Attribute(own, method))) if ast.unparse(own) == name:
                if method[-1] == "_" and method != "requires_grad_" and id(each) not in off:
                    do[each.lineno] = ast.unparse(each)
    return {source.spoken(at): do[at] for at in sorted(do)}


def group_left_out(leaves: Iterable[Any], its: str, program: Program) -> str:
    """What to do where a group was made of such parameters, and no optimizer was given it."""
    wanted = {id(each) for each in leaves}
    for own, thing in program.variables.items():
        held_there = thing.get("params", ()) if isinstance(thing, dict) else ()
        listed = held_there if isinstance(held_there, list | tuple) else ()
        if own[0] != "_" and wanted & {*map(id, listed)}:
            return say("group-left-out", group=own, its=its)
    return ""


def unknown_to_optimizers(
    leaf: Tensor, name: str, program: Program, is_asked: bool = False
) -> Iterator[str]:
    """That optimizers step what was computed with a leaf, and not the leaf itself.

    Of a net that none of them steps it may be meant, unless it ``is_asked`` about.
    """
    tools, stepped = optimizers(program.variables), stepped_around(program)
    if id(leaf) in stepped or not tools or is_made_of(leaf, stepped):
        return
    if [*held_before([leaf], program)]:
        return
    is_shared = any(np.may_share_memory(e._value, leaf._value) for e in stepped.values())
    lasting = {n: thing for n, thing in program.variables.items() if n not in program.turning}
    things = [*held(lasting)]
    path = next((each.path for each in things if each.thing is leaf), "")
    modules = {each.path: each.thing for each in things if is_module(each.thing)}
    nets = {own: dict(parameters_of(net)) for own, net in modules.items()}
    nets = {own: held for own, held in nets.items() if any(e is leaf for e in held.values())}
    path = path if "." in path else f"{next(iter(nets), path)}."
    owners = {own: net for own, net in modules.items() if path.startswith((f"{own}.", f"{own}["))}
    by = {own for _, _, call, _ in derivatives(program.frame) for own in names_in(call)}
    is_one = leaf.numel() == 1 and name not in by and bool(users_of(leaf, program))
    is_own = owners or is_one  # as a rate that is to be found
    is_by_hand = was_stepped(leaf, program.frame) or leaf._version and not nets
    if not (is_shared or (is_parameter(leaf) or is_own) and not is_by_hand):
        return
    beside = [each for user in users_of(leaf, program).values() for each in leaves_behind(user)]
    is_beside = any(id(each) in stepped for each in beside)  # what is stepped goes on to be used
    if len(tools) == 1:
        [its] = tools
        line = line_that_makes(its, program)
        line = in_brackets(line if is_shared or "param" in line else "")
        later = [made_later(owner, its, program) for owner in nets if not is_beside]
        yield say("not-held", name=name, its=its, line=next(filter(None, later), line))
        if any(later):
            yield f"Try: {say('make-it-anew', net=next(iter(nets)))}"
            return
        if not is_shared and not any(map(is_parameter, stepped.values())):
            return  # which changes what a net is given
    elif is_beside or leaf.grad is not None:
        lines = {line for each in tools if (line := line_that_makes(each, program))}
        its, line = ("one of them", lines.pop()) if len(lines) == 1 else ("an optimizer", "")
        yield say("held-by-none", name=name, line=in_brackets(line))
    else:
        return
    for owner, net in owners.items():
        own = dict(parameters_of(net))
        if said := [*unregistered_parts(net, own)] if own and owner not in nets else []:
            yield from said
            return
    for owner, own in nets.items():
        path = next(path for path, each in own.items() if each is leaf)
        is_of_others = stepped and not any(id(each) in stepped for each in own.values())
        if len(tools) == 1 and (lines := set_below(path, tools[its], program)):
            yield say("set-below", name=name, line=lines[0], its=its, made=lines[1])
            yield f"Try: {say('make-it-below', its=its)}"
        elif len(tools) == 1 and (do := group_left_out([leaf], its, program)):
            yield f"Try: {do}"
        elif len(tools) == 1 and is_of_others:
            do = say("add-a-group", optimizer=its, net=owner)
            yield f"Try: {do}" if is_asked else say("if-it-is-to-learn", net=owner, do=do)
        else:
            yield say("make-it-of", its=its, net=owner)
        return
    yield say("hold-itself" if is_shared else "add-this", its=its, name=name)


def stepped_around(program: Program) -> dict[int, Any]:
    """The tensors that optimizers change, also those that a caller of the function has."""
    own = (e for e in callers(program.frame) if not is_in_a_library(e.f_code.co_filename))
    rooms = [program.variables, *map(variables_of, own)]
    return {number: leaf for room in rooms for number, leaf in all_stepped(room).items()}


def set_below(parameter: str, optimizer: Any, program: Program) -> tuple[str, str] | None:
    """The line that set what holds a parameter, and the one above in its block that made this.

    That is an optimizer, and ``parameter`` a path in the net that it was made from.
    """
    found = set()
    for source, block in blocks(program.frame):
        for at, above in enumerate(block.body):
            made = above.value if isinstance(above, ast.Assign) else None
            if not is_call(made, {type(optimizer).__name__}):
                continue
            nets = [n.func.value for n in ast.walk(made) if is_call(n, {"parameters"})]
            paths = [path_at(ast.unparse(net), parameter) + "." for net in nets]
            for below in block.body[at + 1 :]:
                written = [f"{ast.unparse(each)}." for each in getattr(below, "targets", ())]
                if any(path.startswith(each) for path in paths for each in written):
                    found.add((source.spoken(below.lineno), source.spoken(above.lineno)))
    return found.pop() if len(found) == 1 else None


def made_later(net: str, optimizer: str, program: Program) -> str:
    """That a net got its name below the line that made its optimizer, if so; else empty."""
    at, before = (program.last(each, kinds=(BINDS,)) for each in (net, optimizer))
    lines = program.sure_line(at), program.sure_line(before)
    if at <= before or None in lines:
        return ""
    return say("made-for-another-net", net=net, line=lines[0], before=lines[1])


def line_that_makes(its: str, program: Program) -> str:
    """The only line that makes an optimizer, maybe among others; empty where that is unknown."""

    def is_made(target: Any, value: Any) -> bool:
        is_one = isinstance(value, ast.Call | ast.List | ast.ListComp | ast.Dict | ast.DictComp)
        return is_one and name_called(target) == last_name(its)

    return line_of_assignment(program, is_made)
