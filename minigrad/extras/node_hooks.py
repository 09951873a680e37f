"""Hooks of nodes: functions of the program that run before and after a step of the pass.

``register_prehook(hook)`` calls ``hook(grad_outputs)`` before the node runs, and
``register_hook(hook)`` calls ``hook(grad_inputs, grad_outputs)`` afterwards. Each gets tuples of
gradients and may return others. The order among all kinds of hooks is told in
:mod:`..autograd.hooks`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..autograd.around import notes
from ..autograd.handle import RemovableHandle
from ..autograd.hooks import all_carried, all_shown, carried, name_of, shown, taken
from ..autograd.node import Node
from ..messages import message


class NodeHooks:
    """The hooks of one node; the engine finds them in ``node.extras.hooks``."""

    __slots__ = ("pre", "post")

    def __init__(self) -> None:
        self.pre: OrderedDict = OrderedDict()
        self.post: OrderedDict = OrderedDict()

    def before(self, node: Node, g: Any, recorded: bool) -> Any:
        """What the pre-hooks make of the gradients of all outputs."""
        grads = tuple(all_shown(node, g, recorded))
        for hook in list(self.pre.values()):
            grads = all_taken(hook, hook(grads), grads)
        return all_carried(grads, recorded)

    def after(self, node: Node, answers: Any, g: Any, recorded: bool) -> list:
        """What the hooks make of the answers of the node; they see what came in, too."""
        came = tuple(all_shown(node, g, recorded))
        answers = tuple([shown(answer, recorded) for answer in answers])
        for hook in list(self.post.values()):
            answers = all_taken(hook, hook(answers, came), answers)
        return [carried(answer, recorded) for answer in answers]


def all_taken(hook: Callable, answer: Any, before: tuple) -> tuple:
    """The gradients that a hook answered with; None in place of one takes it away."""
    if answer is None:
        return before
    if not isinstance(answer, tuple):
        kind, told = TypeError, f"expected tuple, but hook returned '{type(answer).__name__}'"
    elif len(answer) != len(before):
        counts = {"got": len(answer), "count": len(before)}
        kind, told = RuntimeError, message("hook-count", name=name_of(hook), **counts)
    else:
        pairs = zip(answer, before)
        return tuple([None if new is None else taken(hook, new, old) for new, old in pairs])
    raise notes.hook_answer(kind(told), hook, answer, before)


def hooks_of(node: Node) -> NodeHooks:
    """The hooks of a node, which are made when they are first asked for."""
    extras = node._extras()
    if extras.hooks is None:
        extras.hooks = NodeHooks()
    return extras.hooks


def register_hook(self: Node, hook: Callable, /) -> RemovableHandle:
    """Call ``hook(grad_inputs, grad_outputs)`` afterwards; it may return new inputs.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> handle = y.grad_fn.register_hook(lambda sent, came: print(sent, came))
    >>> y.backward()
    (tensor(3.), None) (tensor(1.),)
    """
    return RemovableHandle.add(hooks_of(self).post, hook)


def register_prehook(self: Node, hook: Callable, /) -> RemovableHandle:
    """Call ``hook(grad_outputs)`` before this node runs; it may return new ones."""
    return RemovableHandle.add(hooks_of(self).pre, hook)


def own_hooks(extras: Any) -> list[OrderedDict]:
    """The pre-hooks and hooks of a node with these ``extras``; none where there are no extras."""
    hooks = getattr(extras, "hooks", None)
    return [] if hooks is None else [hooks.pre, hooks.post]


for method in (register_hook, register_prehook):
    method.__qualname__ = f"Node.{method.__name__}"
    setattr(Node, method.__name__, method)
