"""Reading one node of a backward graph through the doors that every user has.

Nodes of this package and nodes of PyTorch are read alike: by class name, ``next_functions``,
``_saved_*`` and ``_sequence_nr()``. A node of this package also carries its operation's ``rule``.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from .derivatives import operands_of
from .names import is_tensor
from .sentences import written

#: Which operand a saved value is, where the node does not say so itself.
POSITIONS = {"self": 0, "input": 0, "other": 1, "exponent": 1, "mat2": 1, "vec": 1, "tensor": 1}


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
    """What to write into the oval: ``×``, ``exp``, ``view``, or the reader's ``Double``."""
    if stem(node) == "ToCopy" and result_dtype(node):
        return f"to {result_dtype(node)}"
    if (rule := getattr(node, "rule", None)) is not None:
        return rule.symbol
    named = getattr(function_of(node), "__name__", snake(stem(node)))
    return written(stem(node), "symbol") or named


def plain_name(node: Any) -> str:
    """The name of the operation as a function: ``softmax``, ``sum``, or the reader's ``Double``."""
    if function_of(node) is not None:
        return function_of(node).__name__
    word = re.fullmatch(r"(?:to )?([a-z]\w+)", symbol(node))  # one name, in the oval and for it
    return word[1] if word else snake(stem(node))


def snake(name: str) -> str:
    """The name of a class in the way of functions: ``log_softmax``, ``avg_pool2d``.

    >>> snake("MaxPool2DWithIndices")
    'max_pool2d_with_indices'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-CE-Z])|(?<=\dD)(?=[A-Z])", "_", name).lower()


def output_count(node: Any) -> int:
    """How many results an operation had."""
    metadata = getattr(node, "_input_metadata", ())
    return getattr(node, "outputs", None) or len(metadata) or 1


def result_dtype(node: Any, output: int = 0) -> str:
    """``bfloat16``: the dtype of a result, where the node knows it; "" otherwise."""
    metadata = getattr(node, "_input_metadata", ())
    return dtype_name(metadata[output].dtype) if output < len(metadata) else ""


def dtype_name(dtype: Any) -> str:
    """``float32`` of ``torch.float32``."""
    return str(dtype).rpartition(".")[2]


def narrow(dtype: str) -> str:
    """A floating dtype of less than 32 bits, which rounds visibly; "" for any other."""
    return dtype if dtype.startswith(("bfloat16", "float16", "float8")) else ""


def sequence(node: Any) -> int | None:
    """The creation number; None for an ``AccumulateGrad``, which does not wait in line."""
    return None if accumulates(node) else node._sequence_nr()


def operand_names(node: Any) -> tuple[str, ...]:
    """The names of the operands by argument number: ``("self", "other")``."""
    rule = getattr(node, "rule", None)
    if rule is not None and rule.operands:
        return tuple(rule.operands)
    return operands_of(class_name(node), len(node.next_functions))


def function_of(node: Any) -> type | None:
    """The custom function that a node runs; None where it is an operation of the library."""
    return getattr(type(node), "function", None) or getattr(type(node), "_forward_cls", None)


def is_readers(function: type | None) -> bool:
    """Whether a custom function was written outside of this package and of PyTorch."""
    return function is not None and function.__module__.split(".")[0] not in ("minigrad", "torch")


def runs_once(node: Any) -> bool:
    """Whether a node gives its saved tensors away when they are read for the first time."""
    return bool(getattr(function_of(node), "clear_saved_tensors_on_access", False))


@dataclass
class Keeps:
    """What a node keeps: tensors by slot, other arguments by name, and what became of them.

    Slots in ``packed`` are behind hooks, which alone can turn them into tensors again; they are
    not read. With each stands the module of its hook.
    """

    tensors: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)  # slot -> the message when asked for it
    packed: dict[str, str] = field(default_factory=dict)
    freed: bool = False


def keeps(node: Any) -> Keeps:
    """Read all ``_saved_*`` values of a node. Nothing is raised for freed or changed ones."""
    found = Keeps()
    if runs_once(node):
        return found
    found.packed = _packed(node)
    for slot in _slots(node):
        if slot in found.packed:
            continue
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
        elif value is not None and value != ():
            found.arguments[slot] = value
    return found


def _packed(node: Any) -> dict[str, str]:
    """The slots that saved-tensor hooks stand before, and the module of the hook of each."""
    if hasattr(node, "saved_names"):
        hooks = sys.modules.get("minigrad.extras.saved_hooks")
        if hooks is None or node.is_freed:
            return {}
        names = node.saved_names() or ("saved_tensors",) * len(node.saved)
        behind = {name: _hook(kept, "unpack") for name, kept in zip(names, node.saved)}
    else:
        behind = {}
        for slot in _slots(node):
            try:
                kept = getattr(node, "_raw_saved_" + slot.removeprefix("saved_"), None)
            except RuntimeError:  # it was freed
                return {}
            behind[slot] = _hook(kept, "unpack_hook")
    return {
        slot: getattr(hook, "__module__", None) or ""
        for slot, hook in behind.items()
        if hook is not None
    }


def _hook(kept: Any, door: str) -> Any | None:
    """The unpack hook of a saved value, or of the first that has one of several under one name."""
    several = kept if isinstance(kept, (tuple, list)) else getattr(kept, "kept", None)
    each = several if isinstance(several, (tuple, list)) else (kept,)
    return next((h for h in (getattr(one, door, None) for one in each) if h is not None), None)


#: The doors of node classes, which are the same for all of their nodes.
_DOORS: WeakKeyDictionary[type, list[str]] = WeakKeyDictionary()


def _slots(node: Any) -> list[str]:
    if hasattr(node, "saved_names"):
        if function_of(node) is not None:
            return ["saved_tensors"]
        arguments = getattr(getattr(node, "rule", None), "arguments", ())
        return [*sorted(node.saved_names(), key=_position), *arguments]
    kind = type(node)
    if kind not in _DOORS:
        doors = dir(kind)
        slots = [door.removeprefix("_saved_") for door in doors if door.startswith("_saved_")]
        several = "saved_tensors" in doors
        _DOORS[kind] = ["saved_tensors"] if several else sorted(slots, key=_position)
    return _DOORS[kind]


def _position(slot: str) -> tuple[int, str]:
    return POSITIONS.get(slot, 9), slot


def _read(node: Any, slot: str) -> Any:
    return getattr(node, slot if slot == "saved_tensors" else f"_saved_{slot}")


def signed(dim: Any) -> Any:
    """Dims as they were given; PyTorch keeps those that count from the end without their sign."""
    if isinstance(dim, (tuple, list)):
        return [signed(d) for d in dim]
    return dim - 2**64 if dim >= 2**63 else dim


def taken(arguments: dict[str, Any]) -> int | slice | None:
    """Which part of its dim an index or a slice took; None for a node that did neither.

    >>> taken({"dim": 0, "index": 2**64 - 1}), taken({"dim": 0, "start": 1, "end": None, "step": 1})
    (-1, slice(1, None, None))
    """
    if isinstance(arguments.get("index"), int):
        return signed(arguments["index"])
    if not {"start", "step"} <= arguments.keys():
        return None
    start, end, step = (arguments[name] for name in ("start", "end", "step"))
    end = None if end is None or end == WHOLE else signed(end)
    return slice(signed(start or 0) or None, end, None if step == 1 else step)


WHOLE = 2**63 - 1  #: where a slice ends that has no end


def written_index(dim: int, part: int | slice) -> str:
    """``[1]``, ``[:, 1:]``: the part of a dim as a reader writes it.

    >>> written_index(0, -1), written_index(1, slice(None, 3, 2))
    ('[-1]', '[:, :3:2]')
    """
    text = str(part)
    if isinstance(part, slice):
        start, end, step = ("" if n is None else n for n in (part.start, part.stop, part.step))
        text = f"{start}:{end}" + (f":{step}" if step else "")
    return f"[{':, ' * dim}{text}]"
