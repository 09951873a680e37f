"""Reading one node of a backward graph through the doors that every user has.

Nodes of this package and nodes of PyTorch are read alike: by class name, ``next_functions``,
``_saved_*`` and ``_sequence_nr()``. A node of this package also carries its operation's ``rule``;
for others a short table below knows the common operations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .names import is_tensor

SYMBOLS = {
    "Add": "+",
    "Sub": "−",
    "Rsub": "−",
    "Neg": "−",
    "Mul": "×",
    "Div": "÷",
    "Pow": "**",
    "Mm": "@",
    "Mv": "@",
    "Bmm": "@",
    "CopySlices": "[…] =",
    "AccumulateGrad": "+=",
}

#: Which operand a saved value is, where the node does not say so itself.
POSITIONS = {"self": 0, "input": 0, "other": 1, "exponent": 1, "mat2": 1, "vec": 1, "tensor": 1}


class Local(NamedTuple):
    """A local derivative: an expression over the operands and ``result``, and a plain phrase."""

    symbols: str
    words: str


#: Local derivatives of nodes that carry no rule, by class name without ``Backward0``.
LOCALS = {
    "Add": {"self": Local("1", "passes it on"), "other": Local("1", "passes it on")},
    "Sub": {"self": Local("1", "passes it on"), "other": Local("-1", "turns its sign")},
    "Neg": {"self": Local("-1", "turns its sign")},
    "Mul": {
        "self": Local("other", "times the other factor"),
        "other": Local("self", "times the other factor"),
    },
    "Div": {
        "self": Local("1 / other", "divided by the divisor"),
        "other": Local("-self / other ** 2", "times minus the quotient, by the divisor"),
    },
    "Pow": {"self": Local("exponent * self ** (exponent - 1)", "the power rule")},
    "Exp": {"self": Local("result", "times the result itself")},
    "Log": {"self": Local("1 / self", "divided by the operand")},
    "Sin": {"self": Local("cos(self)", "times the cosine")},
    "Cos": {"self": Local("-sin(self)", "times minus the sine")},
    "Tanh": {"self": Local("1 - result ** 2", "times one minus the result squared")},
    "Sqrt": {"self": Local("1 / (2 * result)", "divided by twice the result")},
    "Sum": {"self": Local("1", "every element gets the same")},
    "Mean": {"self": Local("1 / numel", "every element gets an equal share")},
    "View": {"self": Local("1", "puts it back into the old shape")},
}


def class_name(node: Any) -> str:
    """``MulBackward0``, ``AccumulateGrad``: without the namespace that ``name()`` may show."""
    return type(node).__name__


def stem(node: Any) -> str:
    """``Mul`` of ``MulBackward0``."""
    return re.sub(r"Backward\d*$", "", class_name(node))


def accumulates(node: Any) -> bool:
    """Whether this is the node that adds into a leaf's ``.grad``."""
    return class_name(node) == "AccumulateGrad"


def symbol(node: Any) -> str:
    """What to write into the oval: ``×``, ``exp``, ``view``."""
    rule = getattr(node, "rule", None)
    if rule is not None:
        return rule.symbol
    name = stem(node)
    return SYMBOLS.get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def sequence(node: Any) -> int | None:
    """The creation number; None for an ``AccumulateGrad``, which does not wait in line."""
    return None if accumulates(node) else node._sequence_nr()


def operand_names(node: Any) -> tuple[str, ...]:
    """The names of the operands by argument number: ``("self", "other")``."""
    rule = getattr(node, "rule", None)
    if rule is not None and rule.operands:
        return tuple(rule.operands)
    return ("self",) if len(node.next_functions) == 1 else ("self", "other")


def local_rules(node: Any) -> dict[str, Local]:
    """The local derivatives by operand name; empty where only the operation itself knows."""
    rule = getattr(node, "rule", None)
    if rule is not None and rule.locals:
        return {name: Local(*found[:2]) for name, found in rule.locals.items()}
    return LOCALS.get(stem(node), {})


@dataclass
class Keeps:
    """What a node keeps: tensors by slot, other arguments by name, and what became of them."""

    tensors: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)  # slot -> the message when asked for it
    freed: bool = False


def keeps(node: Any) -> Keeps:
    """Read all ``_saved_*`` values of a node. Nothing is raised for freed or changed ones."""
    found = Keeps()
    for slot in _slots(node):
        try:
            value = _read(node, slot)
        except RuntimeError as error:
            if "freed" in str(error):
                found.freed = True
            else:
                found.changed[slot] = str(error)
            continue
        if is_tensor(value):
            found.tensors[slot] = value
        elif isinstance(value, (tuple, list)) and any(is_tensor(part) for part in value):
            members = {f"{slot}[{i}]": v for i, v in enumerate(value) if is_tensor(v)}
            found.tensors.update(members)
        elif value is not None:
            found.arguments[slot] = value
    return found


def _slots(node: Any) -> list[str]:
    if hasattr(node, "saved_names"):
        arguments = getattr(getattr(node, "rule", None), "arguments", ())
        return [*sorted(node.saved_names(), key=_position), *arguments]
    if "saved_tensors" in dir(type(node)):
        return ["saved_tensors"]
    slots = [door.removeprefix("_saved_") for door in dir(node) if door.startswith("_saved_")]
    return sorted(slots, key=_position)


def _position(slot: str) -> tuple[int, str]:
    return POSITIONS.get(slot, 9), slot


def _read(node: Any, slot: str) -> Any:
    return getattr(node, slot if slot == "saved_tensors" else f"_saved_{slot}")
