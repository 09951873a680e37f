"""One hook for several tensors."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence

from ..autograd.handle import RemovableHandle
from ..autograd.node import AccumulateGrad
from ..autograd.thread_state import state
from ..tensor import Tensor, gradient_edge


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable, *, mode: str = "all"
) -> MultiHandle:
    """Call ``fn`` once in every backward pass that reaches these tensors.

    Args:
        tensors: tensors that require grad.
        fn: with mode "all" it gets a list, the gradient of each tensor (None where this pass does
            not compute it), after the last of them is known. With mode "any" it gets the first
            gradient that is known. What it returns is ignored.
        mode: "all" or "any".

    Returns:
        A handle; its ``remove()`` takes the hook away from all tensors.

    Raises:
        ValueError: another mode.

    Source: https://docs.pytorch.org/docs/2.13/autograd.html#torch.autograd.graph.register_multi_grad_hook

    >>> import minigrad as mg
    >>> x, y = mg.ones(2, requires_grad=True).unbind()
    >>> handle = mg.autograd.graph.register_multi_grad_hook((x, y), print)
    >>> (x * 2 + y * 3).backward()
    [tensor(2.), tensor(3.)]
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        seen: weakref.WeakSet = weakref.WeakSet()  # the passes in which the hook has run

        def first(grad: Tensor) -> None:
            if state.here.running not in seen:
                seen.add(state.here.running)
                fn(grad)

        return MultiHandle(tuple(t.register_hook(first) for t in tensors if t.requires_grad))

    edges = [gradient_edge(tensor) for tensor in tensors]
    if None in edges:
        raise AssertionError("Expected gradient function to be set")
    nodes = [edge.node for edge in edges]
    known = weakref.WeakKeyDictionary()  # pass -> what is known so far

    def hook_of(i: int) -> Callable[[Tensor], None]:
        def hook(grad: Tensor) -> None:
            running = state.here.running
            reached = [node for node in nodes if running.reaches(node)]
            if running.capture is not None and any(
                node.__class__ is AccumulateGrad and node in running.targets for node in reached
            ):
                raise RuntimeError(LEAF_ASKED_FOR)
            if running not in known:
                known[running] = [None] * len(tensors), len(reached)
            grads, left = known.pop(running)
            grads[i] = grad
            if left == 1:
                fn(grads)
            else:
                known[running] = grads, left - 1

        return hook

    return MultiHandle(tuple(t.register_hook(hook_of(i)) for i, t in enumerate(tensors)))


LEAF_ASKED_FOR = (
    "A leaf node was passed to _will_engine_execute_node but we are currently running "
    "autograd.grad(). This is currently not supported."
)


class MultiHandle(RemovableHandle):
    """The handles of one hook on several tensors."""

    def __init__(self, handles: tuple[RemovableHandle, ...]):
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()
