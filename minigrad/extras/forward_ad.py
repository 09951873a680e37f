"""Forward mode: tensors that carry a tangent.

    with dual_level():
        x = make_dual(primal, tangent)
        y, jvp = unpack_dual(f(x))            # f(primal) and J·tangent

Inside a level ``f`` is recorded as for a backward pass; :func:`unpack_dual` gets J·t out of the
record by differentiating a backward pass (:func:`.variable_node.linearized`). So every
operation with a derivative has this one too, also custom Functions, which need no ``jvp``. The
price is the memory of the record. A level turns grad mode on; what runs under ``no_grad`` inside it
carries no tangent.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#forward-mode-automatic-differentiation
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from ..autograd.grad_mode import Decorator, is_grad_enabled, set_grad_enabled
from ..autograd.node import PlainNode
from ..tensor import Tensor, gradient_edge
from .factories import zeros_like
from .variable_node import Entry, detached_unless, linearized, nodes_before, without_closed

__all__ = [
    "UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual",
    "unpack_dual",
]  # fmt: skip


class UnpackedDualTensor(NamedTuple):
    """A value and its tangent, None if there is none."""

    primal: Tensor
    tangent: Tensor | None


class Dual(Entry):
    """The entry of a dual tensor, which knows the tangent."""

    __slots__ = ("tangent",)


class Primal(PlainNode):
    """Behind the primal of an unpacked dual tensor: gradients pass, tangents do not."""

    __slots__ = ()

    def vjp(self, g, recorded):
        return (None if _level.pushing else g,)


class _Level(threading.local):
    """The level of this thread.

    Attributes:
        duals: the dual tensors of the level; None outside.
        grad_mode_outside: grad mode before it was entered.
        pushing: whether tangents are being computed right now.
    """

    duals: list[Dual] | None = None
    grad_mode_outside = True
    pushing = False


_level = _Level()


def enter_dual_level() -> int:
    """Enter the level, of which there is one; answers its number, 0.

    Raises:
        RuntimeError: this thread is in it already.
    """
    if _level.duals is not None:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _level.duals, _level.grad_mode_outside = [], is_grad_enabled()
    set_grad_enabled(True)
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Leave the level: all its tangents are gone.

    Raises:
        RuntimeError: this thread is not in a level, or not in this one.
    """
    if level is None and _level.duals is None:
        raise RuntimeError("Dual level must be a positive number.")
    if level not in (None, 0) or _level.duals is None:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is "
            "not supported."
        )
    for dual in _level.duals:
        dual.is_open = False
    _level.duals = None
    set_grad_enabled(_level.grad_mode_outside)


class dual_level(Decorator):
    """``with dual_level():`` enters the level and leaves it; also a decorator.

    >>> import minigrad as mg
    >>> import minigrad.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(mg.tensor(2.0), mg.tensor(1.0))
    ...     fwAD.unpack_dual(x * x * x)
    UnpackedDualTensor(primal=tensor(8.), tangent=tensor(12.))
    """

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exception: object) -> None:
        exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A tensor with the memory of ``tensor`` that carries ``tangent``, of the same shape.

    Raises:
        RuntimeError: no level, another size, or ``tensor`` carries a tangent already.
        ValueError: one of the two is not floating point.
    """
    if _level.duals is None:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    check_pair(tensor, tangent)
    if duals_before(tensor):
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the "
            "same level 0 is not supported."
        )
    dual = Dual(tensor)
    dual.tangent = tangent
    _level.duals.append(dual)
    return dual.result(tensor)


def check_pair(primal: Tensor, tangent: Tensor) -> None:
    """Refuse what is not floating point, and a tangent of another shape."""
    for called, part in (("primal", primal), ("tangent", tangent)):
        if not part.dtype.is_floating_point:
            raise ValueError(
                f"Expected {called} to be floating point or complex, but got: {part.dtype}"
            )
    if primal.shape != tangent.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original "
            f"Tensor, this is not supported. Tensor is of size {list(primal.shape)} while the "
            f"given forward gradient is of size {list(tangent.shape)}."
        )


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The value of ``tensor`` without its tangent, and the tangent; both can be differentiated.

    The tangent is None for a tensor that depends on no dual tensor, and outside a level.
    """
    duals = duals_before(tensor)
    if not duals:
        return UnpackedDualTensor(without_closed(tensor), None)
    _level.pushing = True
    try:
        push = linearized([tensor], duals)
    finally:
        _level.pushing = False
    (tangent,) = push([dual.tangent for dual in duals])
    tangent = zeros_like(tensor) if tangent is None else tangent
    primal = Entry.result(Primal((gradient_edge(tensor),)), tensor)

    def is_beyond(entry: Entry) -> bool:  # of something else that still runs, such as func.grad
        return entry.is_open and not isinstance(entry, Dual)

    return UnpackedDualTensor(*[detached_unless(t, is_beyond) for t in (primal, tangent)])


def duals_before(tensor: Tensor) -> list[Dual]:
    """The dual tensors of the level that ``tensor`` depends on, in the order of their making."""
    if _level.duals is None:
        return []
    before = set(nodes_before(tensor, barrier=Primal))
    return [dual for dual in _level.duals if dual in before]
