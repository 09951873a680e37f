"""Running hooks during a backward pass.

A hook sees Tensors, and may write to them; a plain pass carries raw arrays. So each function here
wraps what the hooks get and unwraps what they leave. The order is PyTorch's: the tensor's hooks as
registered, then ``retain_grad``, then the node's pre-hooks, the node, the node's hooks. On a leaf:
the tensor's hooks, the pre-hooks of its ``AccumulateGrad``, the accumulation, the post-accumulate
hooks, the node's hooks.
"""

from __future__ import annotations

import weakref

from ..tensor import Tensor, wrap


def shown(g, recorded: bool):
    """A gradient as a hook sees it."""
    return g if recorded or g is None else wrap(g)


def carried(g, recorded: bool):
    """A gradient as the pass carries it."""
    return g if recorded or g is None else g._value


def taken(hook, answer, before):
    """The gradient a hook answered with; None keeps what was there."""
    if answer is None:
        return before
    if not isinstance(answer, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(answer).__name__}'")
    if before is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if answer.dtype is not before.dtype:
        raise RuntimeError(
            f"hook '{name_of(hook)}' has changed the type of value (was {before.type()} got "
            f"{answer.type()})"
        )
    if answer.shape != before.shape:
        raise RuntimeError(f"hook '{name_of(hook)}' has changed the size of value")
    return answer


def name_of(hook) -> str:
    """What messages call a hook."""
    return getattr(hook, "__name__", "<unknown>")


def run_tensor_hooks(hooks, g, recorded: bool):
    """Pass a gradient through the hooks of one tensor."""
    g = shown(g, recorded)
    for hook in list(hooks.values()):
        g = taken(hook, hook(g), g)
    return carried(g, recorded)


def before_node(node, g, recorded: bool):
    """Tensor hooks and retained gradients of each output of ``node``."""
    extras = node.extras
    grads = _of_each_output(node, g)
    for number, hooks in extras.tensor_hooks.items():
        if node.outputs > 1 or grads[number] is not None:
            grads[number] = run_tensor_hooks(hooks, grads[number], recorded)
    for number, reference in extras.retains.items():
        tensor, grad = reference(), grads[number]
        if tensor is not None and grad is not None:
            new = grad.clone() if recorded else wrap(grad.copy())
            have = tensor._meta.grad
            tensor._meta.grad = new if have is None else have + new
    return _together(grads)


def before_leaf(leaf, g, recorded: bool) -> tuple:
    """A gradient after the hooks of a leaf tensor, and whether none of them kept its tensor."""
    hooks = leaf._meta.hooks
    if not hooks or g is None:
        return g, False
    g = shown(g, recorded)
    for hook in list(hooks.values()):
        g = taken(hook, hook(g), g)
    tensor = weakref.ref(g)
    g = carried(g, recorded)
    return g, tensor() is None


def before_accumulation(node, g, recorded: bool) -> tuple:
    """A gradient after the pre-hooks of an ``AccumulateGrad``, and whether they let it go."""
    (g,) = _after_pre_hooks(node, g, recorded)
    tensor = None if g is None else weakref.ref(g)
    g = carried(g, recorded)
    return g, tensor is not None and tensor() is None


def run_pre_hooks(node, g, recorded: bool):
    """The node's pre-hooks, which see the gradients of all its outputs as a tuple."""
    return _together(_each(carried, _after_pre_hooks(node, g, recorded), recorded))


def _after_pre_hooks(node, g, recorded: bool) -> tuple:
    grads = _each(shown, _of_each_output(node, g), recorded)
    for hook in list(node.extras.pre_hooks.values()):
        grads = _taken_tuple(hook, hook(grads), grads)
    return grads


def run_post_hooks(node, answers, g, recorded: bool):
    """The node's hooks: they see what goes out and what came in."""
    outputs = _each(shown, _of_each_output(node, g), recorded)
    answers = _each(shown, answers, recorded)
    for hook in list(node.extras.post_hooks.values()):
        answers = _taken_tuple(hook, hook(answers, outputs), answers)
    return _each(carried, answers, recorded)


def _of_each_output(node, g) -> list:
    return [g] if node.outputs == 1 else list(g or [None] * node.outputs)


def _together(grads):
    """What a node gets: its one gradient, or a list; None where there is none at all."""
    if len(grads) == 1:
        return grads[0]
    return None if all(g is None for g in grads) else list(grads)


def _each(form, grads, recorded: bool) -> tuple:
    return tuple([form(grad, recorded) for grad in grads])


def _taken_tuple(hook, answer, before: tuple) -> tuple:
    if answer is None:
        return before
    if not isinstance(answer, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(answer).__name__}'")
    if len(answer) != len(before):
        raise RuntimeError(
            f"hook '{name_of(hook)}' has returned an incorrect number of values (got "
            f"{len(answer)}, but expected {len(before)})"
        )
    pairs = zip(answer, before)
    return tuple([None if new is None else taken(hook, new, old) for new, old in pairs])
