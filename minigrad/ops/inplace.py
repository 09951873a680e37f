"""Writing into a tensor: every in-place form is its operation, then a write, then a new history.

    check that the write may be recorded  →  compute out of place  →  check that the result fits
        →  write, count it
        →  make the new node the history of the tensor (or of its base: :mod:`..autograd.views`)

Nothing is changed unless everything has been checked.
"""

from __future__ import annotations

import itertools
import operator
from functools import partial

import numpy as np
from numpy import ndarray

from ..autograd import caller, view_writes, views
from ..autograd.around import Around, notes
from ..autograd.saved import SavedInput, SavedOutput
from ..autograd.thread_state import OFF, WATCHED, state
from ..dtypes import KIND_RANK, check_long, converted, name_of, type_name
from ..tensor import Tensor, wrap
from .broadcasting import expand
from .elementwise import special
from .indexing import walk
from .promotion import cast, number, raw
from .shape import clone
from .template import notify, save


def in_place(operation, name: str):
    """The in-place form of ``operation``, such as ``add_`` of ``add``."""
    ufunc = UFUNCS.get(name)

    def operation_(self, *args, **kwargs):
        if ufunc is not None and len(args) == 1 and kwargs.keys() <= {"alpha"}:
            if update(self, ufunc, *args, **kwargs):
                return self
        compute = allowed(operation, self, *args, *kwargs.values())
        return changed(self, compute(self, *args, **kwargs), *args)

    operation_.__name__ = operation_.__qualname__ = name
    operation_.__doc__ = f"In-place form of :func:`{name[:-1]}`: changes and returns the tensor."
    return operation_


def augmented(operation, name: str):
    """The operator of an in-place form, such as ``-=``."""
    ufunc = UFUNCS.get(name)
    method = special(in_place(operation, name))

    def operator_(self, other):
        if other.__class__ is not Tensor:
            return method(self, other)
        if ufunc is not None and self._edge is None and update(self, ufunc, other):
            return self
        return changed(self, allowed(operation, self, other)(self, other), other)

    return operator_


def allowed(operation, target: Tensor, *args):
    """The operation, whose result may be written into ``target``; no watcher hears of it yet."""
    views.check_write(target, target._edge is not None or any_tracked(target, *args))
    if target._value.__class__ is ndarray:
        views.refuse_expanded(target._value)
    return partial(state.here.unwatched, operation) if state.here.watchers else operation


def changed(target: Tensor, result: Tensor, *args) -> Tensor:
    """The target, after a result of it and ``args`` was written into it, and that recorded."""
    value, node = result._value, result._edge  # an operation with an in-place form has one result
    if value.__class__ is ndarray or value.__class__ is not target._value.__class__:
        check_fits(target, result)  # what is not scalars of one dtype
    if target._edge is None:
        Around.written(target, *args)
    if node is None:
        views.write(target, value)
        return target
    saves = node.rule.saves
    if saves:
        keep_original(node, target)
    if state.here.mode is WATCHED:
        notify(node, (target, *args), result)
    views.write(target, value)
    if target._meta is None:
        target._edge = node
    else:
        view_writes.rebase(target, node)
    if saves:
        keep_written(node, target)
    return target


def any_tracked(*operands) -> bool:
    """Whether some operand requires grad."""
    for x in operands:
        if isinstance(x, Tensor) and not (x._edge is x._meta is None) and x.requires_grad:
            return True
    return False


def check_fits(target: Tensor, result: Tensor) -> None:
    """Refuse a result whose shape or kind the target cannot hold."""
    x, y = result._value, target._value
    if x.shape != y.shape:
        raise shape_refusal(target, result.shape)
    if x.dtype is not y.dtype and KIND_RANK[x.dtype.kind] > KIND_RANK[y.dtype.kind]:
        told = f"{name_of(x.dtype)} can't be cast to the desired output type {name_of(y.dtype)}"
        raise notes.known(RuntimeError(f"result type {told}"))


def shape_refusal(target: Tensor, shape: tuple) -> Exception:
    """The error of a result that is larger than the target."""
    told = f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(shape)}"
    return notes.known(RuntimeError(told))


# -- short ways, as optimizers go: `p -= lr * g` and `p.add_(g, alpha=-lr)` ----------------------

# What computes an untracked result where it stands, without a copy.
UFUNCS = {"add_": np.add, "sub_": np.subtract, "mul_": np.multiply, "div_": np.true_divide}


def update(target: Tensor, ufunc: np.ufunc, operand, alpha: float = 1.0) -> bool:
    """Compute ``ufunc(target, alpha * operand)`` where the target stands, unless it is tracked.

    The target must be a floating array that keeps its form, and no element may be in two places:
    arrays that own their memory have none, others are looked at.

    Returns:
        whether it was done; else nothing was changed.
    """
    here, x, counter = state.here, target._value, target._counter
    if here.mode is not OFF and (target._edge is not None or any_tracked(target, operand)):
        return False
    if x.__class__ is not ndarray or x.dtype.kind != "f" or alpha.__class__ is not float:
        return False
    y = operand._value if operand.__class__ is Tensor else raw(operand)
    if y.__class__ is ndarray:
        if y.dtype is not x.dtype or y.shape != x.shape:
            return False
        if (x.base is not None or y.base is not None) and np.may_share_memory(x, y):
            return False
    elif y.__class__ is not float:
        return False
    if x.base is not None and views.repeats(x.shape, x.strides):
        return False
    if counter is not None and counter.value < 0:  # of inference
        return False
    if alpha != 1.0:
        y = here.quiet(operator.mul, y, alpha)
    if here.mode is OFF and target._meta is not None and operand.__class__ is Tensor:
        if operand._edge or operand._meta or getattr(operand, "_cuts", None):  # it had a history
            Around.written(target, operand)
    views.update(target, ufunc, y, caller.place(skip=2))
    return True


def keep_original(node, target: Tensor) -> None:
    """Where the derivative needs the value that is about to be overwritten, keep a copy of it."""
    for i, (name, kept) in enumerate(zip(node.saved_names(), node.saved)):
        original = kept.kept if isinstance(kept, SavedInput) else kept
        if name == "self" and original is target:
            node.saved = (*node.saved[:i], save(clone(target)), *node.saved[i + 1 :])


def keep_written(node, target: Tensor) -> None:
    """A saved result now lives in the target's memory."""
    kind = view_writes.SavedInView if target._is_view() else SavedOutput
    saved = [kind(target, k.number) if isinstance(k, SavedOutput) else k for k in node.saved]
    node.saved = tuple(saved)


def setitem(self, key, value) -> None:
    """``self[key] = value``: a copy or fill into the selected view, or an indexed write.

    >>> import minigrad as mg
    >>> x = mg.zeros(3)
    >>> x[1:] = 5
    >>> x
    tensor([0., 5., 5.])
    """
    if not isinstance(value, (Tensor, int, float, np.generic)):
        kind = f"torch.{self.dtype.legacy_name}"
        raise TypeError(f"can't assign a {type_name(value)} to a {kind}")
    if key is False:  # alone it selects nothing, and True a view of everything
        return
    key = None if key is True else key
    # As a tuple: `x[:] = v` writes into x itself, although `x[:]` reads a view of it.
    target, indices = walk(self, key if isinstance(key, tuple | list) else (key,))
    if not isinstance(value, Tensor):
        check_long(value)
        kind = target._value.dtype  # float16 takes infinity for what is too large for it
        value = wrap((cast if kind == np.float16 else converted)(number(value), kind))
    if indices is not None:
        ones = value.ndim and value.shape[0] == 1
        target.index_put_(indices, value.view(without_leading_ones(value.shape)) if ones else value)
    elif value.ndim == 0:
        target.fill_(value) if target.ndim else target.copy_(value)
    else:
        if value.shape != target.shape:
            value = value.view(without_leading_ones(value.shape))
        target.copy_(value if value.shape == target.shape else expand(value, target.shape))


def without_leading_ones(shape: tuple) -> tuple:
    """A shape without its leading dims of size 1, which broadcasting would give it again."""
    return shape[len(list(itertools.takewhile(lambda n: n == 1, shape))) :]
