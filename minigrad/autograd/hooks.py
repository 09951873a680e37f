"""Running the hooks of tensors during a backward pass.

A hook sees Tensors, and may write to them; a plain pass carries raw arrays. So each function here
wraps what the hooks get and unwraps what they leave. The order is PyTorch's: the tensor's hooks as
registered, then ``retain_grad``, then the node's pre-hooks, the node, the node's hooks. On a leaf:
the tensor's hooks, the pre-hooks of its ``AccumulateGrad``, the accumulation, the post-accumulate
hooks, the node's hooks. Those of nodes are in :mod:`minigrad.extras.node_hooks`.
"""

from __future__ import annotations

import weakref

from ..messages import message
from ..tensor import Tensor, wrap
from .around import notes


def shown(g, recorded: bool) -> Tensor | None:
    """A gradient as a hook sees it."""
    return g if recorded or g is None else wrap(g)


def carried(g: Tensor | None, recorded: bool):
    """A gradient as the pass carries it."""
    return g if recorded or g is None else g._value


def all_shown(node, g, recorded: bool) -> list[Tensor | None]:
    """The gradients of all outputs of a node as hooks see them."""
    grads = [g] if node.outputs == 1 else g or [None] * node.outputs
    return [shown(grad, recorded) for grad in grads]


def all_carried(grads, recorded: bool):
    """What a node gets: its one gradient, or a list; None where there is none at all."""
    raw = [carried(grad, recorded) for grad in grads]
    if len(raw) == 1:
        return raw[0]
    return None if all(g is None for g in raw) else raw


def of_tensor(hooks, g, recorded: bool):
    """What the hooks of one tensor make of its gradient."""
    g = shown(g, recorded)
    for hook in list(hooks.values()):
        g = taken(hook, hook(g), g)
    return carried(g, recorded)


def of_tensors(node, g, recorded: bool):
    """What the hooks of the tensors that a node made leave of the gradient; it may be retained."""
    grads = all_shown(node, g, recorded)
    for number, hooks in node.extras.tensor_hooks.items():
        if node.outputs > 1 or g is not None:
            grads[number] = of_tensor(hooks, grads[number], True)
    for number, reference in node.extras.retains.items():
        tensor, grad = reference(), grads[number]
        if tensor is not None and grad is not None:
            have, new = tensor._meta.grad, grad.clone()
            tensor._meta.grad = new if have is None else have + new
    return all_carried(grads, recorded)


def of_leaf(node, on_tensor, on_node, g, recorded: bool) -> tuple:
    """What the hooks of a leaf, and those before its node, make of a gradient.

    And whether none of them kept its tensor, which is then free to become the ``.grad``.
    """
    g = shown(g, recorded)
    if on_tensor and g is not None:
        g = of_tensor(on_tensor, g, True)
    if on_node is not None:
        g = on_node.before(node, g, True)
    tensor = None if g is None else weakref.ref(g)
    g = carried(g, recorded)
    return g, tensor is not None and tensor() is None


def taken(hook, answer, before):
    """The gradient a hook answered with; None keeps what was there."""
    if answer is None:
        return before
    if not isinstance(answer, Tensor):
        kind, told = TypeError, f"expected Variable, but hook returned '{type(answer).__name__}'"
    elif before is None:
        kind, told = RuntimeError, "can't replace a None gradient with a non-None value"
    elif answer.dtype is not before.dtype:
        types = {"was": before.type(), "got": answer.type()}
        kind, told = RuntimeError, message("hook-changed-type", name=name_of(hook), **types)
    elif answer.shape != before.shape:
        kind, told = RuntimeError, f"hook '{name_of(hook)}' has changed the size of value"
    else:
        return answer
    raise notes.hook_answer(kind(told), hook, answer, before)


def name_of(hook) -> str:
    """What messages call a hook."""
    return getattr(hook, "__name__", "<unknown>")
