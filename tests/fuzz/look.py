"""What can be seen of a tensor, as plain data: its numbers, its flags, its place in the graph."""

import math

from tests.oracle.observer import normalized, plain

GRAPH_DEPTH = 3
KEPT = ("numbers", "shape")  # even if there are none; of flags and the like only what is set
# What a gradient does not have to share: whether PyTorch computed it as a view of something, how
# often it was written to on the way, and which nodes lie under its own.
OF_THE_WAY = ("version", "view", "stride", "output_nr")


def is_tensor(value):
    return hasattr(value, "requires_grad") and hasattr(value, "tolist")


def look_at(value, apart=frozenset()):
    """Everything about a value that another library must show as well.

    The graph ends at the nodes ``apart``.
    """
    if not is_tensor(value):
        if isinstance(value, (list, tuple)):
            return [look_at(part, apart) for part in value]
        return plain(value) if not hasattr(value, "remove") else "a handle"
    seen = {
        **contents(value),
        "prints": normalized(repr(value)),
        "leaf": value.is_leaf,
        "requires_grad": value.requires_grad,
        "retains_grad": value.retains_grad,
        "version": value._version,
        "view": value._is_view(),
        "output_nr": value.output_nr,
        "graph": graph_below(value.grad_fn, apart=apart),
    }
    if seen["leaf"] or seen["retains_grad"]:
        seen["grad"] = look_at_grad(value.grad, seen["leaf"])
    return {part: shown for part, shown in seen.items() if shown or part in KEPT}


def look_at_gradient(value):
    """As `look_at`, for what a backward pass computed: without the traces of how it did that."""
    seen = look_at(value)
    if isinstance(seen, list):
        return [look_at_gradient(part) for part in value]
    if isinstance(seen, dict):
        if seen.get("graph"):
            seen["graph"] = seen["graph"][0]
        seen = {part: shown for part, shown in seen.items() if part not in OF_THE_WAY}
    return seen


def look_at_grad(grad, of_leaf):
    """What a ``.grad`` shows; None where there is none. That of a leaf has the leaf's strides."""
    if grad is None:
        return None
    seen = {**contents(grad), "prints": normalized(repr(grad))}
    if grad.grad_fn is not None:
        seen["graph"] = graph_below(grad.grad_fn, 0)
    if not of_leaf:
        del seen["stride"]
    return seen


def contents(tensor):
    """The numbers of a tensor and how they lie in memory."""
    return {
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "stride": strides_that_matter(tensor),
        "numbers": flat(numbers_of(tensor)),
    }


def numbers_of(tensor):
    """The numbers of a tensor. PyTorch may hand out a zero without memory; its copy has some."""
    without_memory = getattr(tensor, "_is_zerotensor", bool)()  # reading a part of one crashes
    return (tensor.clone() if without_memory else tensor).tolist()


def strides_that_matter(tensor):
    """The strides of dimensions with more than one place; of an empty tensor none."""
    if tensor.numel() == 0:
        return []
    return [step for step, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1]


def flat(numbers):
    """Nested lists of numbers as one list; what JSON cannot hold as text."""
    if isinstance(numbers, list):
        return [number for part in numbers for number in flat(part)]
    if isinstance(numbers, float) and not math.isfinite(numbers):
        return [repr(numbers)]
    return [numbers]


def graph_below(node, depth=GRAPH_DEPTH, apart=frozenset()):
    """The names of a node and of those below it, a few levels deep; none of those ``apart``."""
    if node is None:
        return None
    if node in apart:
        return "a gradient's node"
    name = type(node).__name__
    if name != node.name().split("::")[-1]:
        name += f" ({node.name()})"
    if depth == 0:
        return name
    below = [[graph_below(each, depth - 1, apart), nr] for each, nr in node.next_functions]
    return [name, *below]
