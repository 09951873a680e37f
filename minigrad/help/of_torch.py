"""What a tensor of real PyTorch can be asked about itself.

Its flags and the graph behind it are read, through the doors that every user has; lines of the
program are not. So what left no trace in the tensor is said to be unknown.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from typing import Any

from .graph import nan_and_inf
from .graph.nodes import fills_a_leaf, is_custom, leaves_behind
from .program.program import Program
from .source import reader
from .words.answer import Shown
from .words.sentences import tell

DEEPEST = 100_000  #: nodes that are looked at


def is_torch_tensor(thing: Any) -> bool:
    """Whether this is a tensor of PyTorch, which is not imported for that.

    >>> is_torch_tensor(2.0)
    False
    """
    torch = sys.modules.get("torch")
    return hasattr(torch, "Tensor") and isinstance(thing, torch.Tensor)


def about(tensor: Any, shown: Shown) -> Iterator[str]:
    """Sentences on ``.grad`` first, then on what made the tensor and on the graph behind it."""
    name = reader.name_of(tensor) or "(the tensor)"
    variables = reader.variables()
    program = Program(variables, shown=shown)
    yield from nan_and_inf.values(tensor, name, program)
    if tensor.is_leaf:
        users = {
            user: thing
            for user, thing in variables.items()
            if is_torch_tensor(thing) and not user.startswith("_") and way_to(thing, tensor)
        }
        said = [*nan_and_inf.gradient(tensor, name, users, program)]
        yield from [*said, tell("not-seen")] if len(said) == 1 else said
        yield from of_leaf(tensor, name)
    else:
        yield from nan_and_inf.infinite_slopes(tensor, program)
        yield from of_result(tensor, name)


# -- leaves ----------------------------------------------------------------------------------------


def of_leaf(leaf: Any, name: str) -> Iterator[str]:
    """A leaf: whether it asks for gradients, and whether some have come."""
    is_leaf = f"{name} is a leaf: no recorded operation made it (grad_fn is None)."
    if leaf.grad is not None:
        yield tell("torch-sum", name=name)
        if is_zero(leaf.grad):
            yield f"Now {name}.grad is 0 everywhere."
        yield is_leaf
        if not leaf.requires_grad:
            yield f"{name} asks for no more of them (requires_grad=False)."
    elif leaf.requires_grad:
        yield tell("torch-not-filled", name=name)
        yield f"{is_leaf} It asks for gradients (requires_grad=True)."
        yield tell("torch-ask-the-result", name=name)
    else:
        yield f"{name}.grad is None: {name} does not ask for gradients (requires_grad=False)."
        yield is_leaf
        yield from why_none_asked(leaf, name)


def is_zero(grad: Any) -> bool:
    """Whether a gradient whose elements can be read is 0 everywhere."""
    dense = str(grad.layout) == "torch.strided" and not grad.is_meta
    return dense and not grad.detach().any()


def why_none_asked(leaf: Any, name: str) -> Iterator[str]:
    """Why a leaf asks for no gradients, as far as the tensor shows it."""
    if leaf.is_inference():
        yield f"{name} was made under inference_mode(), so it cannot be saved for a backward pass."
    elif not (leaf.is_floating_point() or leaf.is_complex()):
        yield f"Its dtype is {leaf.dtype}: only floating-point and complex tensors can ask."
    else:
        yield tell("torch-never-asked", name=name)


# -- results ---------------------------------------------------------------------------------------


def of_result(tensor: Any, name: str) -> Iterator[str]:
    """A non-leaf: what made it, and why its ``.grad`` is as it is."""
    maker = tensor.grad_fn.name()
    passed, waits = state_of_graph(tensor, name)
    # Asked for otherwise, .grad of a non-leaf warns, and PyTorch warns once only.
    if not tensor.retains_grad:
        yield tell("torch-not-a-leaf", name=name)
        if is_meant_as_leaf(tensor):
            yield tell("torch-computed-leaf", maker=maker, name=name)
        yield f"{name} was made by {maker}, which is its grad_fn."
    elif tensor.grad is not None:
        yield f"{name}.grad is filled, because it was asked to keep it (retain_grad or inputs=)."
        yield f"{name} is not a leaf: {maker} made it."
    else:
        yield tell("torch-nothing-came", name=name)
        if passed:
            yield "A pass has freed its graph already: retain_grad() has to come before backward()."
        yield f"{name} is not a leaf: {maker} made it."
    yield from waits


def is_meant_as_leaf(tensor: Any) -> bool:
    """Whether one leaf alone is behind a result, as large, and nobody has a name for it."""
    leaves = leaves_behind(tensor)
    is_alone = len(leaves) == 1 and leaves[0].shape == tensor.shape
    return is_alone and reader.name_of(leaves[0]) is None


def state_of_graph(tensor: Any, name: str) -> tuple[bool, list[str]]:
    """Whether the node of a tensor is freed, and sentences on what the graph can still do."""
    nodes = nodes_behind(tensor.grad_fn)
    states = {node: state_of(node) for node in nodes}
    call = f"{name}.backward()" if tensor.numel() == 1 else f"{name}.backward(gradient=...)"
    freed = [node for node in nodes if states[node] == "freed"]
    said = []
    if freed:
        names = list(dict.fromkeys(node.name() for node in freed))
        some = ", ".join(names[:5]) + ", …" * (len(names) > 5)
        custom = all(map(is_custom, freed))
        when = "where it reads ctx.saved_tensors again" if custom else "now"
        said.append(tell("torch-freed", some=some, call=call, when=when, name=name))
    elif changed := [node for node in nodes if states[node] == "changed"]:
        said.append(tell("torch-changed", call=call, node=changed[0].name()))
    elif "unknown" in states.values():
        pass
    elif "kept" in states.values():
        said.append(tell("torch-still-there"))
    else:
        said.append("The nodes behind save nothing, so whether a pass has run is unknown.")
    return states[tensor.grad_fn] == "freed", said


def nodes_behind(start: Any) -> list[Any]:
    """A node and all that a gradient passes after it, those that fill leaves left out."""
    seen, waiting = {start: None}, [start]
    while waiting and len(seen) < DEEPEST:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in seen:
                seen[node] = None
                waiting.append(node)
    return [node for node in seen if not fills_a_leaf(node)]


def state_of(node: Any) -> str:
    """What became of the tensors that a node saved: freed, changed, kept, nothing or unknown.

    A slot behind hooks of the reader is not read, because reading it would run them.
    """
    if getattr(type(node), "clear_saved_tensors_on_access", False):
        return "unknown"
    kind, states = type(node), set()
    custom = is_custom(node)
    slots = [door[len("_raw_saved_") :] for door in dir(kind) if door.startswith("_raw_saved_")]
    for slot in slots:
        try:
            raw = getattr(node, f"_raw_saved_{slot}")
            held = raw if isinstance(raw, (tuple, list)) else (raw,)
            if any(getattr(kept, "unpack_hook", None) is not None for kept in held):
                states.add("unknown")
                continue
            value = getattr(node, "saved_tensors" if custom else f"_saved_{slot}")
            is_empty = value is None or isinstance(value, (tuple, list)) and not value
            states.add("nothing" if is_empty else "kept")
        except RuntimeError as error:
            states.add("freed" if "freed" in str(error) else "changed")
    order = ("freed", "changed", "kept", "unknown")
    return next((state for state in order if state in states), "nothing")


# -- the way to another tensor ---------------------------------------------------------------------


def path(y: Any, x: Any) -> Iterator[str]:
    """Whether a gradient of ``y`` arrives at ``x``, by the graph alone."""
    a, b = reader.name_of(y) or "y", reader.name_of(x) or "x"
    if y is x:
        yield f"{a} and {b} are the same tensor, so the derivative is 1."
        return
    for tensor, name in ((x, b), (y, a)):
        if not tensor.requires_grad:
            yield f"There is no recorded path from {a} back to {b}: {name} does not require grad."
            yield f"Where that was lost cannot be read from {name} itself."
            return
    way = way_to(y, x)
    if way is None:
        yield f"There is no recorded path from {a} back to {b}: no node behind {a} leads to it."
        yield tell("torch-no-trace", a=a, b=b)
        return
    if x.is_leaf:
        yield from nan_and_inf.gradient(x, b, {a: y}, Program())
    names = [node.name() for node in way[:-1]]  # the last one made x, or fills its .grad
    shown = names if len(names) <= 12 else [*names[:6], "…", *names[-5:]]
    yield f"There is a recorded path from {a} back to {b}: {' → '.join([a, *shown, b])}."
    yield from state_of_graph(y, a)[1] if not y.is_leaf else ()
    if x.grad_fn is not None and not x.retains_grad:
        yield f"{b} is not a leaf: {b}.grad is filled only after {b}.retain_grad()."


def way_to(y: Any, x: Any) -> list[Any] | None:
    """The nodes on one way from a result to a tensor, or None."""
    if y.grad_fn is None:
        return None
    first = (y.grad_fn, y.output_nr)
    came: dict[tuple[Any, int], tuple[Any, int] | None] = {first: None}
    waiting = deque([first])
    while waiting and len(came) < DEEPEST:
        edge = waiting.popleft()
        if arrives(edge, x):
            way = []
            while edge is not None:
                way.append(edge[0])
                edge = came[edge]
            return way[::-1]
        for after in edge[0].next_functions:
            if after[0] is not None and after not in came:
                came[after] = edge
                waiting.append(after)
    return None


def arrives(edge: tuple[Any, int], x: Any) -> bool:
    """Whether an edge carries a gradient to this tensor, not to another result of its node."""
    node, number = edge
    if x.grad_fn is None:
        return fills_a_leaf(node) and node.variable is x
    return node is x.grad_fn and number == x.output_nr
