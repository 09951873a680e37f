"""Tensors and layers that no module knows as its own: what `checkup` tells.

A module holds them in plain attributes, or its ``forward`` makes them anew, so that the loss leads
back to parameters that nobody holds. Only public doors are used, so nets of PyTorch are looked at
in the same way.
"""

from __future__ import annotations

import ast
import gc
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, GeneratorType
from typing import Any

from ...tensor import Tensor
from ..gradients.computed_leaf import asked_before
from ..graph.expression_of_node import line_of_assignment
from ..graph.nodes import leaves_behind
from ..program.program import Program
from ..source import reader
from ..source.called import outer_names, thing_called
from ..source.syntax import is_call, name_called, names_in
from ..source.texts import definition_of, everywhere, texts
from ..source.variables import all_stepped, is_module, is_of_library, is_parameter, is_tensor
from ..words.sentences import say

WEIGHT = re.compile(r"weights?|bias(es)?|[wWbB]\d*")
DRAWS = re.compile(r"\brandn?\(|normal|uniform")
CONTAINERS = {"Sequential", "ModuleList"}


def unregistered_parts(net: Any, named: dict, is_empty: bool = False) -> Iterator[str]:
    """Tensors and layers that a module holds, but does not know as its own.

    Of a net that is empty of parameters, each of its tensors may be meant to be one.
    """
    # What another optimizer steps was left out of parameters() on purpose.
    own = {id(tensor) for tensor in named.values()} | {*all_stepped(reader.variables())}
    for within, module in net.named_modules():
        for name, thing in vars(module).items():
            if name.startswith("_"):
                continue
            where = f"{within}.{name}" if within else name
            if any(id(tensor) not in own for layer in parts(thing) for tensor in asked(layer)):
                yield unregistered(where, thing, module)
            elif is_idle(name, thing, module, is_empty):
                line = reader.in_brackets(line_that_fills(name, module))
                yield say("idle-weight", where=where, line=line)
            elif is_computed_parameter(thing, own):
                own |= {id(leaf) for leaf in leaves_behind(thing)}  # more may be computed from it
                program = Program.of(reader.frame())
                found = asked_before(thing, program) if isinstance(thing, Tensor) else []
                line, do = (found[0].line, found[0].asks_last) if len(found) == 1 else ("", "")
                made = f"`{do}`" if do else "nn.Parameter(torch.randn(3) * 0.1)"
                line = reader.in_brackets(line)
                yield say("computed-parameter", where=where, line=line, do=made)
            elif is_kept_result(thing, own) and (made := made_in_init(name, module)):
                line = reader.in_brackets(line_that_fills(name, module))
                yield say("made-once", where=where, line=line, made=made)


def held_unregistered(net: Any) -> set[int]:
    """The ids of the leaves that modules of a net hold in plain attributes."""
    own = (vars(module).items() for module in net.modules())
    things = (thing for each in own for name, thing in each if name[0] != "_")
    return {id(leaf) for thing in things for part in parts(thing) for leaf in asked(part)}


def repeated(net: Any) -> Iterator[str]:
    """That a container holds one layer more than once, because a list repeats it."""
    for within, module in net.named_modules():
        layers = [*module] if type(module).__name__ in CONTAINERS else []
        lists = [*lists_of_one(reader.frame(), layers)] if layers else []
        lists = [each for each in lists if each[0] == max(lists)[0]]
        if len(lists) == 1:
            name = within or reader.name_of(net) or "the container"
            yield say("repeated", name=name, line=lists[0][1], do=lists[0][2])


def lists_of_one(frame: Any, layers: list[Any]) -> Iterator[tuple[int, str, str]]:
    """How many layers ``[layer] * 3`` has given a container, its line, and what makes new ones."""
    kinds = {type(each).__name__ for each in layers}
    for source, tree in texts(frame):
        inside = [*ast.walk(tree)]
        calls = [each for each in inside if is_call(each, CONTAINERS)]
        given = {id(part) for call in calls for part in ast.walk(call)}
        for each in inside:
            match each:
                case ast.BinOp(ast.List(parts), ast.Mult(), count) if parts:
                    made = {name_called(getattr(part, "func", part)) for part in parts}
                    fits, times = id(each) in given or made <= kinds, getattr(count, "value", 2)
                    turns = f" for _ in range({ast.unparse(count)})"
                case ast.ListComp(ast.Name(one) as part, [loop]) if id(each) in given:
                    times = getattr([*getattr(loop.iter, "args", ()), loop][0], "value", 2)
                    parts, turns = [part], ast.unparse(loop)
                    fits = one not in names_in(loop.target)
                case _:
                    continue
            times = times if isinstance(times, int) else 2
            if fits and times > 1 and has_repeats(layers, len(parts), times):
                new = ", ".join(map(another, parts))
                new = f"{new}{turns}" if len(parts) == 1 else f"each{turns} for each in ({new})"
                yield len(parts) * times, source.spoken(each.lineno), f"[{new}]"


def has_repeats(layers: list[Any], count: int, times: int) -> bool:
    """Whether so many layers stand so many times behind each other, the same ones."""
    runs = (layers[at : at + count * times] for at in range(len(layers) - count * times + 1))
    return any(
        any(map(asked, run)) and all(run[at] is run[at % count] for at in range(len(run)))
        for run in runs
    )


def another(layer: ast.expr) -> str:
    """What gives another layer whenever it runs, as ``nn.Linear(2, 1)`` does."""
    written = ast.unparse(layer)
    return written if is_call(layer) else f"copy.deepcopy({written})"


def is_idle(name: str, thing: Any, module: Any, is_any: bool = False) -> bool:
    """Whether this is called a weight, or was drawn at random, and is no leaf that asks.

    A draw counts in a module that has no weights besides.
    """
    if not is_tensor(thing) or thing.requires_grad or not thing.is_floating_point():
        return False
    has_weights = any(own.dim() > 1 for _, own in module.named_parameters())
    is_draw = thing.dim() > 1 and not has_weights and DRAWS.search(line_that_fills(name, module))
    return bool(is_draw or (is_any or WEIGHT.fullmatch(name)) and thing.dim())


def is_computed_parameter(thing: Any, own: set[int]) -> bool:
    """Whether this was computed, as large, from the one Parameter that nothing else holds."""
    if not is_tensor(thing) or thing.grad_fn is None:
        return False
    behind = leaves_behind(thing)
    is_alike = [leaf.numel() for leaf in behind] == [thing.numel()]
    return is_alike and all(is_lost(leaf, own, behind) for leaf in behind)


def is_kept_result(thing: Any, own: set[int]) -> bool:
    """Whether this was computed from parameters of which one has been written to since."""
    if getattr(thing, "grad_fn", None) is None:
        return False
    behind = leaves_behind(thing)
    return {*map(id, behind)} <= own and any(leaf._version for leaf in behind)


def made_in_init(name: str, module: Any) -> str:
    """What ``__init__`` alone assigns to this attribute of a module; empty where others do, too."""
    _, body = definition_of(type(module).__init__) if line_that_fills(name, module) else ("", None)
    made = (each for each in ast.walk(body or ast.Pass()) if isinstance(each, ast.Assign))
    of = (ast.unparse(e.value) for e in made if f"self.{name}" in map(ast.unparse, e.targets))
    return next(of, "")


def unregistered(where: str, thing: Any, module: Any) -> str:
    """What to do about tensors or layers that ``parameters()`` does not give."""
    line = line_that_fills(where.rpartition(".")[2], module)
    known = {"where": where, "line": reader.in_brackets(line)}
    if not is_plain(thing):
        return say("plain-tensor", **known)
    kind = next(each for each in (dict, tuple, list) if isinstance(thing, each)).__name__
    known["kind"], is_nested = say(kind), any(map(inside, inside(thing)))
    own = f"self.{where.rpartition('.')[2]}"
    if any(map(is_module, parts(thing))):
        by = "layers-by-name" if all(isinstance(key, str) for key in thing) else "layers-by-key"
        room = "nested-layers" if is_nested else by if kind == "dict" else "layers"
        each = flattened(own, thing, "nn.Module", is_module)
        return say("plain-layers", **known, room=say(room, each=each))
    room = "nested-tensors" if is_nested else f"parameter-{kind.replace('tuple', 'list')}"
    each = flattened(own, thing, "nn.Parameter", lambda part: not inside(part))
    if kind == "dict" and not is_nested and not all(isinstance(key, str) for key in thing):
        room, each = "nested-tensors", f"*{own}.values()"  # other keys are no names of parameters
    made = "" if all(map(is_parameter, filter(asked, parts(thing)))) else say("parameters-first")
    return say("plain-tensors", **known, room=say(room, each=each, made=made))


def flattened(own: str, thing: Any, kind: str, is_one: Callable) -> str:
    """What lists all that stands in the containers of a container, written out.

    An ellipsis where they differ in kind, or hold containers themselves.
    """
    groups = inside(thing)
    has_values = {isinstance(group, dict) for group in groups}
    within = [each for group in groups for each in inside(group)]
    if len(has_values) > 1 or any(map(inside, within)) or not all(map(inside, groups)):
        return "..."
    outer, inner = (".values()" * each for each in (isinstance(thing, dict), *has_values))
    only = "" if all(map(is_one, within)) else f" if isinstance(each, {kind})"
    return f"each for part in {own}{outer} for each in part{inner}{only}"


def line_that_fills(name: str, module: Any) -> str:
    """The only line that assigns to this attribute of a module; empty where that is unknown.

    What another class assigns to its own ``self`` is of another module.
    """
    program = Program(frame=reader.frame())
    kinds, own, others = {each.__name__ for each in type(module).__mro__}, set(), set()
    for _, each in everywhere(program.frame, ast.ClassDef):
        (own if each.name in kinds else others).update(map(id, ast.walk(each)))

    def fills(target: ast.expr, _value: ast.expr) -> bool:
        is_of_self = getattr(getattr(target, "value", None), "id", "") == "self"
        is_others = is_of_self and id(target) in others - own
        return getattr(target, "attr", "") == name and not is_others

    return line_of_assignment(program, fills)


def inside(thing: Any) -> list[Any]:
    """What a plain list, tuple or dict holds itself."""
    return [*(thing.values() if isinstance(thing, dict) else thing)] if is_plain(thing) else []


def is_plain(thing: Any) -> bool:
    """Whether this is a plain list, tuple or dict."""
    return isinstance(thing, list | tuple | dict)


def parts(thing: Any) -> Iterator[Any]:
    """What plain lists, tuples and dicts hold that stand in each other, or the thing itself."""
    waiting = [thing]
    seen = {id(thing)}
    for each in waiting:  # the list grows while it is walked
        if not is_plain(each):
            yield each
        new = [one for one in inside(each) if id(one) not in seen]
        seen |= {*map(id, new)}
        waiting.extend(new)


def asked(thing: Any) -> Iterable[Any]:
    """The leaves that ask for gradients in a tensor or a module."""
    if is_module(thing):
        return [tensor for _name, tensor in thing.named_parameters() if tensor.requires_grad]
    return [thing] if is_tensor(thing) and thing.requires_grad and thing.is_leaf else []


def made_anew(net: Any, leaves: list[Any], own: set[int]) -> Iterator[str]:
    """A sentence on the parameters behind a loss that no module holds any more.

    ``own`` are the ids of those that the net or the optimizer knows; others may belong to a net
    beside this one, which holds them.
    """
    lost = sum(is_lost(leaf, own, leaves) for leaf in leaves)
    lines = list(dict.fromkeys(layers_made_in_forward(net))) if lost else []
    if lines:  # else an earlier net was computed with, whose name means another by now
        yield say("made-anew", count=lost, where="; ".join(lines))


def is_lost(leaf: Any, own: set[int], leaves: list[Any]) -> bool:
    """Whether a leaf is a parameter that is none of a net's own, and that only graphs have."""
    return is_parameter(leaf) and id(leaf) not in own and not is_held(leaf, leaves)


def is_held(thing: Any, apart_from: Any) -> bool:
    """Whether anything but a graph has it, such as a module or a variable."""
    for holder in gc.get_referrers(thing):
        if holder is apart_from or isinstance(holder, FrameType | GeneratorType):
            continue  # these look at it now
        is_lost_too = isinstance(holder, tuple) and not is_held(holder, thing)
        if not is_of_library(holder) and not is_lost_too:
            return True
    return False


def layers_made_in_forward(net: Any) -> Iterator[str]:
    """The lines in the reader's ``forward`` that make a module."""
    for kind in dict.fromkeys(type(module) for module in net.modules()):
        forward = inspect.unwrap(kind.forward)
        code = getattr(forward, "__code__", None)
        if code is None or code.co_filename.startswith(reader.PACKAGE):
            continue
        known = outer_names(forward)
        source, body = definition_of(forward)
        calls = [each for each in ast.walk(body) if isinstance(each, ast.Call)]
        for node in sorted(calls, key=lambda each: each.lineno):
            made = thing_called(node.func, known)
            if isinstance(made, type) and hasattr(made, "named_parameters"):
                yield source.spoken(node.lineno)
