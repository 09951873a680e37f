"""Tensors and layers that a module holds, and does not know as its own: what `checkup` tells.

Only public doors are used, so nets of PyTorch are looked at in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..language import _
from ..tensor import Tensor
from . import reader
from .computed_leaf import asked_before
from .made_anew import is_held, is_parameter
from .operations import line_of_assignment
from .program import Program


def strangers(net: Any, named: dict) -> Iterator[str]:
    """Tensors and layers that a module holds, but does not know as its own."""
    own = {id(tensor) for tensor in named.values()}
    for within, module in net.named_modules():
        for name, thing in vars(module).items():
            if name.startswith("_"):
                continue
            where = f"{within}.{name}" if within else name
            if any(id(tensor) not in own for layer in parts(thing) for tensor in asked(layer)):
                yield unregistered(where, thing)
            elif is_computed_parameter(thing, own):
                own |= {id(leaf) for leaf in leaves_behind(thing)}  # more may be computed from it
                frame = reader.frame()
                found = asked_before(thing, Program.of(frame), frame) if can_be_read(thing) else []
                line, do = (found[0].line, found[0].asks_last) if len(found) == 1 else ("", "")
                yield _(
                    "{where} is the result of an operation on a Parameter{line}, and none itself, "
                    "so parameters() does not give it. Try: the operation inside of the brackets, "
                    "as in {do}."
                ).format(
                    where=where,
                    line=f" ({line})" if line else "",
                    do=f"`{do}`" if do else "nn.Parameter(torch.randn(3) * 0.1)",
                )


def can_be_read(thing: Any) -> bool:
    """Whether the lines that made it can be asked for: it is a tensor of minigrad."""
    return isinstance(thing, Tensor) and reader.frame() is not None


def is_computed_parameter(thing: Any, own: set[int]) -> bool:
    """Whether this was computed, as large, from the one Parameter that nothing else holds."""
    if not hasattr(type(thing), "grad_fn") or thing.grad_fn is None:
        return False
    behind = leaves_behind(thing)
    is_alike = [leaf.numel() for leaf in behind] == [thing.numel()]
    return is_alike and all(
        is_parameter(leaf) and id(leaf) not in own and not is_held(leaf, behind) for leaf in behind
    )


def unregistered(where: str, thing: Any) -> str:
    """What to do about tensors or layers that ``parameters()`` does not give."""
    line = line_that_fills(where.rpartition(".")[2])
    known = {"where": where, "line": f" ({line})" if line else ""}
    if not isinstance(thing, list | tuple | dict):
        return _(
            "{where} asks for gradients but is a plain tensor{line}, so parameters() does not give "
            "it. Try: nn.Parameter(...) around it."
        ).format(**known)
    kind = _("dict") if isinstance(thing, dict) else _("list")
    if any(map(is_module, parts(thing))):
        said = _(
            "{where} holds layers in a plain {kind}{line}, so the net does not know their "
            "parameters. Try: {room}(...) around it."
        )
        room = "nn.ModuleDict" if isinstance(thing, dict) else "nn.ModuleList"
    else:
        said = _(
            "{where} holds tensors that ask for gradients in a plain {kind}{line}, so parameters() "
            "does not give them. Try: {room}."
        )
        room = _("nn.ParameterList(...) around them")
        if isinstance(thing, dict):
            room = _("self.register_parameter(name, nn.Parameter(...)) for each")
    return said.format(**known, kind=kind, room=room)


def line_that_fills(name: str) -> str:
    """The only line that assigns to an attribute of this name; empty where that is unknown."""
    program = Program.of(reader.frame())
    if program.frame is None:
        return ""
    return line_of_assignment(program, lambda target, _: getattr(target, "attr", "") == name)


def parts(thing: Any) -> Iterable[Any]:
    """What a plain list, tuple or dict holds, else the thing itself."""
    if isinstance(thing, dict):
        return thing.values()
    return thing if isinstance(thing, list | tuple) else (thing,)


def is_module(thing: Any) -> bool:
    """Whether this is a module whose constructor has run."""
    return hasattr(type(thing), "named_parameters") and hasattr(thing, "_modules")


def asked(thing: Any) -> Iterable[Any]:
    """The leaves that ask for gradients in a tensor or a module."""
    if is_module(thing):
        return [tensor for _name, tensor in thing.named_parameters() if tensor.requires_grad]
    is_tensor = hasattr(type(thing), "requires_grad") and hasattr(type(thing), "grad_fn")
    return [thing] if is_tensor and thing.requires_grad and thing.is_leaf else []


def leaves_behind(loss: Any) -> list[Any]:
    """The leaves that ``loss.backward()`` fills."""
    if loss.grad_fn is None:
        return [loss]
    seen, waiting, leaves = {loss.grad_fn}, [loss.grad_fn], []
    while waiting:
        node = waiting.pop()
        if type(node).__name__ == "AccumulateGrad":
            leaves.append(node.variable)
        for after, _number in node.next_functions:
            if after is not None and after not in seen:
                seen.add(after)
                waiting.append(after)
    return leaves
