"""What a recorded write leaves behind: the new history of a tensor, or of the base of a view.

``CopySlices`` sends the gradient of everything outside the view on to the old history, and runs the
write's own derivative inside (see the picture in :mod:`.views`).
"""

from __future__ import annotations

import weakref

from ..messages import message
from ..ops.broadcasting import like_operands
from ..ops.strided import AS_STRIDED, as_strided, copy_with_geometry, geometry
from ..tensor import gradient_edge
from .node import Node, PlainNode
from .saved import SavedOutput
from .thread_state import state
from .views import refuse_expanded, repeats, set_history


def rebase(target, node: Node) -> None:
    """Make ``node`` the history of ``target``, whose memory was just written."""
    meta = target._meta
    if meta is not None and meta.base is not None:
        set_history(meta.base, CopySlices(meta.base, target, node))
        meta.edge_of(target)
    else:
        set_history(target, node)


class CopySlices(PlainNode):
    """The history of a base after a write to a part: the old one outside, the write's inside."""

    __slots__ = ("base_geometry", "view_geometry", "__weakref__")

    def __init__(self, base, view, write: Node):
        super().__init__((gradient_edge(base), *write.edges[1:]), saved=(write,))
        self.base_geometry = geometry(base)
        self.view_geometry = geometry(view, of=base)

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def vjp(self, g, recorded):
        (write,) = self.not_freed()
        if g is None:
            return (None,) * len(self.edges)
        if repeats(*self.base_geometry[:2]):
            raise RuntimeError(message("shared-memory"))
        outside = copy_with_geometry(g, self.base_geometry)
        inside = as_strided(outside, *self.view_geometry)
        copy = inside.clone() if recorded else inside.copy()
        answers = [g for _, g in like_operands(write, write.differentiate(copy, recorded, None))]
        before = self.edges[0]
        if not before or not state.here.running.reaches(before.node):
            return [None, *answers[1:]]
        replacement = answers[0] if answers and answers[0] is not None else inside * 0
        if recorded:
            inside.copy_(replacement)
        else:
            refuse_expanded(inside)
            inside[...] = replacement
        return [outside, *answers[1:]]


class SavedInView(SavedOutput):
    """A result that was written into a view: its history is now the view's, not the write's own.

    The node is inside the ``CopySlices`` that the view leads to, so it refers to both weakly.
    """

    __slots__ = ("view", "slices")

    def __init__(self, view, number: int):
        super().__init__(view, number)
        self.view = weakref.ref(view)
        self.slices = weakref.ref(view._base._edge.node)

    def tensor_of(self, node):
        result, view, slices = super().tensor_of(node), self.view(), self.slices()
        if view is not None:
            result._edge = view._edge
        elif slices is not None:
            args = (slices.base_geometry, *slices.view_geometry)
            result._edge = AS_STRIDED.new_node((slices,), args)
        return result
