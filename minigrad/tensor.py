"""Tensor: a value, and where its gradient goes.

A tensor is four references, and a fifth for help. ``_value`` is the number or array; ``_edge`` is
the edge along which its gradient goes, None for leaves and for results nobody tracks; ``_counter``
counts in-place writes; ``_meta`` holds what is rare: the flag and gradient of a leaf, hooks, the
base of a view. Most tensors have no ``_meta``: operations read that as "nothing special here". Help
keeps in ``_cuts`` which lines took a history away (:mod:`minigrad.extras.recorded_cuts`); results
with a history leave it unset.

The operations live in :mod:`minigrad.ops`, what makes and reads tensors in
:mod:`minigrad.creation` and :mod:`minigrad.methods`. They are bound to this class there.
"""

from __future__ import annotations

import sys
import warnings
import weakref
from collections import OrderedDict

import numpy as np

from . import dtypes
from .autograd.around import Around, notes
from .autograd.handle import RemovableHandle
from .autograd.meta import AutogradMeta, check_assigned_grad, check_new_shape
from .autograd.node import DEAD_END, AccumulateGrad, Node, Output
from .autograd.thread_state import state
from .autograd.version import VersionCounter
from .dtypes import check_bool, type_name
from .messages import message


class Tensor:  # without `__getattr__`, which would make all attributes of a class slow
    """A multi-dimensional array that remembers how it was made.

    ``Tensor(data)`` makes a float32 tensor from numbers or a view of a tensor, ``Tensor(2, 3)`` one
    of that size with arbitrary values; use :func:`minigrad.tensor` to let the data choose the
    dtype. Source: https://docs.pytorch.org/docs/2.13/tensors.html

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([2., 4.])
    """

    __slots__ = ("_value", "_edge", "_counter", "_meta", "_cuts", "__dict__", "__weakref__")

    # -- value -------------------------------------------------------------------------------------

    def _array(self) -> np.ndarray:
        """The value as an array whose memory this tensor owns or shares.

        A 0-d result stays a NumPy scalar, which is faster, until somebody shares or changes it.
        """
        if self._value.__class__ is not np.ndarray:
            self._value = np.array(self._value)
            if self._edge is not None:
                self._edge.node.result_moved(self, self._edge.number)
        return self._value

    @property
    def shape(self) -> dtypes.Size:
        """The size of each dimension."""
        return dtypes.Size(self._value.shape)

    @property
    def dtype(self) -> dtypes.dtype:
        """The type of the elements."""
        return dtypes.of_numpy(self._value.dtype)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._value.ndim

    @property
    def data(self) -> Tensor:
        """The same memory without history; writes through it are counted apart, so go unnoticed.

        A saved value changed this way gives a wrong gradient without an error; write under
        ``no_grad`` instead. Data of another shape is refused where a graph would mistake it.
        """
        return Around.cut(wrap(self._array()), "data", self)

    @data.setter
    def data(self, other: Tensor) -> None:
        if not isinstance(other, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(other).__name__}")
        if self._meta is not None and self._meta.requires_grad and other._value.dtype.kind != "f":
            raise RuntimeError(message("data-not-floating"))
        if other.shape != self.shape:
            check_new_shape(self, other.shape)
        Around.cut(self, "data", other)
        self._value = other._array()

    # -- autograd ----------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether gradients are asked for: set on a leaf, inherited by results."""
        if self._edge is not None:
            return True
        meta = self._meta
        if meta is None:
            return False
        return meta.requires_grad or meta.base is not None and meta.base.requires_grad

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise RuntimeError("requires_grad must be a bool")
        if flag is True and self._edge is not None:
            raise RuntimeError("you can only change requires_grad flags of leaf variables.")
        refusal = "only Tensors of floating point and complex dtype can require gradients"
        self._set_requires_grad(flag, refusal)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Ask for gradients of this leaf (or stop asking); returns the tensor itself.

        >>> import minigrad as mg
        >>> mg.ones(2).requires_grad_()
        tensor([1., 1.], requires_grad=True)
        """
        check_bool(requires_grad, "requires_grad_(): argument 'requires_grad' (position 1)")
        refusal = "only Tensors of floating point dtype can require gradients"
        self._set_requires_grad(requires_grad, refusal)
        return self

    def _set_requires_grad(self, flag: bool, refusal: str) -> None:
        if self._edge is not None:
            if flag:
                return
            raise notes.not_a_leaf(RuntimeError(message("flag-of-non-leaf")), self)
        if flag and self._value.dtype.kind != "f":
            raise notes.not_floating(RuntimeError(refusal), self.dtype)
        if flag and self._counter is not None:
            self._counter.check("inference-asked")
        self._autograd_meta().requires_grad = flag

    @property
    def is_leaf(self) -> bool:
        """True where no recorded operation made this tensor: exactly when ``grad_fn`` is None.

        So asking brings the history of a view up to date, too.
        """
        return self.grad_fn is None

    @property
    def grad_fn(self) -> Node | None:
        """The node that sends this tensor's gradient further back; None for a leaf."""
        meta = self._meta
        edge = self._edge if meta is None or meta.base is None else meta.edge_of(self)
        return None if edge is None else edge.node

    @property
    def output_nr(self) -> int:
        """Which result of ``grad_fn`` this tensor is."""
        return 0 if self._edge is None else self._edge.number

    @property
    def grad(self) -> Tensor | None:
        """The gradient that ``backward`` added up here; None until one arrived.

        Reading it on a non-leaf that does not retain its gradient warns, as in PyTorch.
        """
        meta = self._meta
        grad = None if meta is None else meta.grad
        if grad is None and self._edge is not None and not self.retains_grad:
            warnings.warn(message("grad-of-non-leaf"), UserWarning, stacklevel=2)
        return grad

    @grad.setter
    def grad(self, new: Tensor | None) -> None:
        if new is not None:
            if not isinstance(new, Tensor):
                raise notes.known(TypeError(message("grad-of-a-type", kind=type_name(new))))
            check_assigned_grad(self, new)
        caught = sys._getframe(1)  # the line itself, without a search
        meta = self._meta or self._autograd_meta()
        meta.assign(new, (caught.f_code, caught.f_lasti))

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    @property
    def retains_grad(self) -> bool:
        """Whether ``retain_grad()`` was called on this non-leaf."""
        return self._meta is not None and self._meta.retains_grad

    def retain_grad(self) -> None:
        """Have ``backward`` fill ``.grad`` of this non-leaf too; nothing happens on a leaf.

        Raises:
            RuntimeError: the tensor does not require grad.

        >>> import minigrad as mg
        >>> x = mg.tensor(2.0, requires_grad=True)
        >>> y = x * 3
        >>> y.retain_grad()
        >>> (y * y).backward()
        >>> y.grad
        tensor(12.)
        """
        if not self.requires_grad:
            told = "can't retain_grad on Tensor that has requires_grad=False"
            raise notes.not_tracked(RuntimeError(told), self)
        if self._edge is None or self.retains_grad:
            return
        self.grad_fn._extras().retains[self._edge.number] = weakref.ref(self)
        self._autograd_meta().retains_grad = True

    def register_hook(self, hook) -> RemovableHandle:
        """Call ``hook(grad)`` when this tensor's gradient is known; it may return another gradient.

        >>> import minigrad as mg
        >>> x = mg.tensor(2.0, requires_grad=True)
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> (x * 3).backward()
        >>> x.grad
        tensor(30.)
        """
        self._check_hookable()
        node = self.grad_fn  # first: it brings the history of a view up to date, hooks and all
        meta = self._autograd_meta()
        if meta.hooks is None:
            meta.hooks = OrderedDict()
            if node is not None:
                node._extras().tensor_hooks[self._edge.number] = meta.hooks
        return RemovableHandle.add(meta.hooks, hook)

    def register_post_accumulate_grad_hook(self, hook) -> RemovableHandle:
        """Call ``hook(tensor)`` after a gradient was added into this leaf's ``.grad``."""
        self._check_hookable()
        if self.grad_fn is not None:
            raise notes.only_on_leaves(RuntimeError(message("post-hook-of-non-leaf")), self)
        meta = self._autograd_meta()
        if meta.post_hooks is None:
            meta.post_hooks = OrderedDict()
        return RemovableHandle.add(meta.post_hooks, hook)

    def _check_hookable(self) -> None:
        if not self.requires_grad:
            told = "cannot register a hook on a tensor that doesn't require gradient"
            raise notes.not_tracked(RuntimeError(told), self)

    @property
    def _backward_hooks(self) -> OrderedDict | None:
        return None if self._meta is None else self._meta.hooks

    @property
    def _post_accumulate_grad_hooks(self) -> OrderedDict | None:
        return None if self._meta is None else self._meta.post_hooks

    def detach(self) -> Tensor:
        """The same memory and version counter, without history.

        >>> import minigrad as mg
        >>> x = mg.ones(2, requires_grad=True)
        >>> (x * 2).detach()
        tensor([2., 2.])
        """
        result = wrap(self._array())
        result._counter = self._version_counter()
        return Around.cut(result, "detach", self)

    # -- versions and views ------------------------------------------------------------------------

    @property
    def _version(self) -> int:
        """How often this memory was written to in place, as far as autograd was told."""
        if self._counter is None:
            return 0
        self._counter.check("inference-version")
        return self._counter.value

    def is_inference(self) -> bool:
        """Whether this tensor was made in inference mode: then no graph can keep it.

        >>> import minigrad as mg
        >>> with mg.inference_mode():
        ...     mg.ones(2).is_inference()
        True
        """
        return self._counter is not None and self._counter.value < 0

    def _version_counter(self) -> VersionCounter:
        self._counter = self._counter or VersionCounter()
        return self._counter

    @property
    def _base(self) -> Tensor | None:
        """What this tensor is a view of; None for a tensor with memory of its own."""
        return None if self._meta is None else self._meta.base

    def _is_view(self) -> bool:
        return self._base is not None

    def _autograd_meta(self) -> AutogradMeta:
        if self._meta is None:
            self._meta = AutogradMeta()
        return self._meta

    def __hash__(self) -> int:
        return id(self)


_new = Tensor.__new__


def wrap(value) -> Tensor:
    """A tensor around a raw value, without history."""
    tensor = _new(Tensor)
    tensor._value = value
    tensor._edge = None
    tensor._counter = state.here.new_counter
    tensor._meta = tensor._cuts = None
    return tensor


def made_by(edge: Node | Output, value) -> Tensor:
    """A tensor around a raw value that is the result of a node, or one of its several."""
    tensor = _new(Tensor)
    tensor._value = value
    tensor._edge = edge
    tensor._counter = tensor._meta = None
    return tensor


def gradient_edge(tensor: Tensor) -> Node | Output | None:
    """Where the gradient of ``tensor`` goes: a node or one of its outputs; None if it needs none.

    For a leaf that is its ``AccumulateGrad``, made on first use and shared while anybody holds it.
    A view made under no_grad of a tensor that requires grad has no way back to it; yet it requires
    grad like its base, and so do results computed from it.
    """
    edge, meta = tensor._edge, tensor._meta
    if meta is None:
        return edge
    if meta.base is not None and meta.version != tensor._counter.value:
        edge = meta.edge_of(tensor)
    if edge is not None:
        return edge
    if not meta.requires_grad:
        return DEAD_END if meta.base is not None and meta.base.requires_grad else None
    node = meta.accumulator()
    if node is None:
        node = AccumulateGrad(tensor)
        meta.accumulator = weakref.ref(node)
    return node
