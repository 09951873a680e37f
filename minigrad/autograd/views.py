"""Views and in-place writes: how history follows memory that several tensors share.

A view looks at the memory of its **base** (the root: a view of a view has the same base). A write
into any of them changes them all, so history is kept in one place, the base::

    v = base[1:]          base ── grad_fn: Old            v ── grad_fn: SliceBackward0 → Old
    v.mul_(w)             base ── grad_fn: CopySlices → (Old, w)
                          v    ── grad_fn: AsStridedBackward0 → CopySlices     (made when next asked
                          for)

The other views of the base notice by the version counter that their history is stale, and are
re-derived at next use. ``CopySlices`` and what else a write leaves behind is in
:mod:`.view_writes`.
"""

from __future__ import annotations

import operator
from types import NoneType

from numpy import ndarray, ufunc

from ..messages import message
from ..tensor import gradient_edge
from . import caller
from .around import notes
from .meta import AutogradMeta
from .node import Node, Output
from .saved import short_name
from .thread_state import OFF, state

PLAIN = "plain"
# Other views are refused when they or their base are written; these are the messages that say so.
NO_GRAD, INFERENCE = "view-under-no-grad", "view-in-inference-mode"
SEVERAL, CUSTOM = "one-of-several-views", "view-of-custom-function"


class View(AutogradMeta):
    """What a view has of autograd's state: besides the rest, what it is a view of.

    Attributes:
        base: the tensor that owns the memory.
        made: PLAIN, NO_GRAD (while nothing was recorded), INFERENCE (in inference mode), SEVERAL
            (one of many outputs, as of ``unbind``) or CUSTOM (by a custom Function).
        version: the version of the memory for which the tensor's ``_edge`` is right.
    """

    __slots__ = ("made", "version")
    __init__ = object.__init__  # as_view() fills it: a call would take half as long again

    def edge_of(self, view) -> Node | Output | None:
        """The gradient edge of ``view``, derived again from the base if that was written to."""
        version = view._counter.value
        if version != self.version and (view._edge is not None or self.base.requires_grad):
            edge = gradient_edge(self.base)
            if self.made is not PLAIN:
                raise self.refusal(view, "its base or another view of its base has been")
            set_history(view, self.node_of(view, edge))
            self.version = version
        return view._edge

    def node_of(self, view, base_edge) -> Node:
        """The node of ``view`` that leads to its base; it is an operation's, so that adds it here.

        See :mod:`minigrad.ops.strided`.
        """
        raise NotImplementedError

    def refusal(self, view, written: str) -> RuntimeError:
        """Why the view may not be used any more, or not be written to; ``written`` says by what."""
        edge = view._edge
        which = f"Output {edge.number} of {short_name(edge.node)} is a view" if edge else "A view"
        how = self.made if edge or self.made is INFERENCE else NO_GRAD
        if how in (NO_GRAD, INFERENCE):
            which += " of a view which was" if edge else " was"
        told = message(how, which=which, written=written)
        error = RuntimeError(f"{told} {message(f'why-{self.made}')}")
        return notes.view_refused(error, self, view)


def as_view(result, of, made: str = PLAIN):
    """Declare ``result`` a view of ``of``: same base, same version counter."""
    base, meta, counter = of, of._meta, of._counter or of._version_counter()
    result._counter = counter
    if counter.value < 0:  # nobody counts the writes to an inference tensor, nor needs its views
        return result
    if meta is not None and meta.base is not None:
        base, made = meta.base, meta.made if made is PLAIN else made
    if result._edge is None and state.here.mode is OFF:  # what has a history was recorded
        made = NO_GRAD if state.here.new_counter is None else INFERENCE
    view = result._meta = View()
    view.requires_grad = view.retains_grad = False
    view.grad = view.hooks = view.post_hooks = None
    view.accumulator = NoneType
    view.base = base
    view.made = made
    view.version = counter.value
    return result


# -- writing ---------------------------------------------------------------------------------------


def check_write(target, tracked: bool) -> None:
    """Refuse an in-place write that autograd could not follow, before anything is changed."""
    view, counter = target._meta, target._counter
    if counter is not None and counter.value < 0:
        counter.check("inference-written")
    if view is None or not tracked or state.here.mode is OFF:
        return
    if view.base is not None:
        if view.made is not PLAIN:
            raise view.refusal(target, "is being")
        if view.base._edge is None and target.requires_grad:
            told = message("leaf-written", what="view of a leaf")
            # No name for the error: a frame that holds it would keep the graph from being freed.
            raise notes.leaf_written(RuntimeError(told), view.base, True)
    if target.requires_grad and target._edge is None:
        raise notes.leaf_written(RuntimeError(message("leaf-written", what="leaf")), target)


def repeats(shape: tuple, strides: tuple) -> bool:
    """Whether such a geometry has several elements in one place."""
    if 0 not in strides or 0 in shape:
        return False
    return any(step == 0 and n > 1 for step, n in zip(strides, shape))


def refuse_expanded(x) -> None:
    """Refuse a write into memory that several elements of an array share, as ``expand`` makes it.

    What they hold then would depend on the order of writing.
    """
    if x.__class__ is ndarray and repeats(x.shape, x.strides):
        raise notes.known(RuntimeError(message("shared-memory")))


def write(target, value) -> None:
    """Put ``value`` into the memory of ``target``, and count the write."""
    here, have = state.here, target._value
    if here.before_write is not None:
        here.before_write(target)
    if have.__class__ is ndarray:
        here.quiet(operator.setitem, have, ..., value)
    else:
        target._value = value if value.__class__ is have.__class__ else have.dtype.type(value)
    (target._counter or target._version_counter()).wrote(caller.place(skip=3))


def update(target, compute: ufunc, operand, place: caller.Place | None) -> None:
    """Make ``compute(x, operand)`` of the value of ``target``; count a write made at ``place``."""
    here, have = state.here, target._value
    if here.before_write is not None:
        here.before_write(target)
    if have.__class__ is ndarray:
        here.quiet(compute, have, operand, have)
    else:
        target._value = here.quiet(compute, have, operand)
    (target._counter or target._version_counter()).wrote(place)


def set_history(target, node: Node) -> None:
    """Let the gradient of ``target`` go to ``node`` from now on.

    ``retain_grad`` speaks of the tensor, so it moves on to the node of its new value. PyTorch looks
    for it at the number that the tensor has as an output of the new node, which is 0: after a write
    to another output of a custom Function, the first one's moves.
    """
    old, target._edge, meta = target._edge, node, target._meta
    if meta is None:
        return
    meta.hooks = None  # hooks of the old value stay with the old node
    if meta.retains_grad and old is not None:
        retained = old.node._extras().retains.pop(0, None)
        if retained is not None:
            node._extras().retains[0] = retained
