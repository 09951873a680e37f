"""Custom functions: a forward and a backward written by the user.

``MyFunction.apply(x)`` runs ``forward`` without recording and makes one node, whose derivative is
``backward``. The ``ctx`` that both see *is* that node, as in PyTorch, so what forward leaves on it
can be read from ``grad_fn``. Source: https://docs.pytorch.org/docs/2.13/notes/extending.html
"""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np

from ..ops.casting import sums_to
from ..tensor import Tensor, gradient_edge, made_by, wrap
from . import notes, reader
from .engine import fit
from .grad_mode import OFF, WATCHED, no_grad, state
from .graph import DEAD_END, Node
from .saved import Freed, SavedInput, SavedOutput, already_freed, unchanged
from .views import as_view, check_write, rebase


class FunctionCtx(Node):
    """The context of a custom function, and its node."""

    __slots__ = ("__dict__", "freed")
    function: type | None = None

    def __init__(self) -> None:
        self.edges = ()
        self.saved = ()
        self.specs = None
        self.extras = None
        self.sequence = state.next_sequence()
        self.freed = None
        self.needs_input_grad: tuple = ()
        self.materialize_grads = True
        self.to_save: tuple = ()
        self.dirty_tensors: tuple = ()
        self.non_differentiable: tuple = ()
        self.outputs = 1

    # -- for forward and setup_context -------------------------------------------------------------

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors; ``ctx.saved_tensors`` gives them back, checked for in-place changes."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Accepted for ``jvp``, which is not called: forward mode uses ``backward``."""

    def mark_dirty(self, *args: Tensor) -> None:
        """Say which inputs ``forward`` changed in place; they must be returned."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Say which results have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether ``backward`` gets zeros (default) or None where no gradient arrived."""
        self.materialize_grads = value

    # -- for backward ------------------------------------------------------------------------------

    @property
    def saved_tensors(self) -> tuple:
        """What ``save_for_backward`` kept."""
        if self.is_freed:
            raise already_freed(self, self.freed)
        return tuple(self._unpack(kept) for kept in self.saved)

    def _unpack(self, kept):
        if kept is None:
            return None
        return unchanged(kept, self) if isinstance(kept, Tensor) else kept.tensor(self)

    @property
    def is_freed(self) -> bool:
        return self.freed is not None

    def free(self, by: Freed) -> None:
        if self.saved:
            self.saved, self.freed = (), by

    def name(self) -> str:
        return type(self).__name__

    def vjp(self, g, recorded):
        grads = g if self.outputs > 1 else [g]
        if self.materialize_grads:
            grads = [
                zeros(spec) if grad is None else grad
                for grad, spec in zip(grads, self.output_specs)
            ]
            if recorded:
                grads = [grad if isinstance(grad, Tensor) else wrap(grad) for grad in grads]
        elif all(grad is None for grad in grads) and self.outputs == 1:
            return [None] * len(self.edges)
        shown = [grad if recorded or grad is None else wrap(grad) for grad in grads]
        answers = self.function.backward(self, *shown)
        return self.checked(answers if isinstance(answers, tuple) else (answers,), recorded)

    def checked(self, answers: tuple, recorded: bool) -> list:
        """The answers of ``backward`` for the operands that are tensors, in shape and dtype."""
        count = len(self.input_specs)
        if (
            len(answers) > count
            and any(extra is not None for extra in answers[count:])
            or len(answers) < count
        ):
            error = RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{count}, got {len(answers)})"
            )
            raise notes.wrong_count(error, self.function, count, len(answers))
        result = []
        edges = iter(self.edges)
        for i, (answer, spec) in enumerate(zip(answers, self.input_specs)):
            if spec is None and answer is None:
                continue
            if spec is None:
                error = RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{i + 1}, but the corresponding forward input was not a Variable"
                )
                raise notes.gradient_of_a_number(error, self.function, i + 1)
            if next(edges) in (None, DEAD_END) or answer is None:
                result.append(None)
                continue
            if not isinstance(answer, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(answer).__name__})")
            shape, dtype = spec
            if not sums_to(answer.shape, shape):
                error = RuntimeError(
                    f"Function {self.name()} returned an invalid gradient at index {len(result)} - "
                    f"got {list(answer.shape)} but expected shape compatible with {list(shape)}"
                )
                raise notes.wrong_shape(error, self.function, i)
            answer = fit(answer, shape, dtype)
            result.append(answer if recorded else answer._value)
        return result


def zeros(spec):
    """Raw zeros of a shape and dtype."""
    shape, dtype = spec
    return np.zeros(shape, dtype)[()]


class FunctionMeta(type):
    """Gives each custom function its node class, named as in PyTorch: ``MulConstantBackward``."""

    def __init__(cls, name: str, bases: tuple, attributes: dict):
        super().__init__(name, bases, attributes)
        cls._backward_cls = type(
            f"{name}Backward",
            (FunctionCtx,),
            {"function": cls, "__module__": "torch.autograd.function"},
        )


class Function(metaclass=FunctionMeta):
    """Base class of operations with a derivative of their own.

    Subclasses define static ``forward(ctx, *args)`` (or ``forward(*args)`` and ``setup_context(ctx,
    inputs, output)``) and ``backward(ctx, *grad_outputs)``, which answers one gradient for each
    argument of forward.

    >>> import minigrad as mg
    >>> class Double(mg.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         return grad_output * 2
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> y = Double.apply(x)
    >>> y.backward()
    >>> y, x.grad
    (tensor(6., grad_fn=<DoubleBackward>), tensor(2.))
    """

    def __init__(self, *args: Any, **kwargs: Any):
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use "
            "new-style autograd function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: FunctionCtx, inputs: tuple, output: Any) -> None:
        """Prepare ``ctx`` after a ``forward`` that does not take it."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: FunctionCtx, *grad_outputs: Any) -> Any:
        """Compute the gradients of the arguments of forward."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` and record it as one node."""
        ctx = cls._backward_cls()
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        mode = state.mode
        operands = [a for a in args if isinstance(a, Tensor)] if mode is not OFF else []
        edges = tuple([gradient_edge(operand) for operand in operands])
        tracked = any(edges)
        inputs = {id(a): a for a in args if isinstance(a, Tensor)}
        with no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args, **kwargs)
            else:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
        results = output if isinstance(output, tuple | list) else (output,)
        for dirty in ctx.dirty_tensors:
            dirty._version_counter().wrote(reader.place())
            if tracked and dirty.requires_grad and dirty._edge is None:
                error = RuntimeError(
                    "a leaf Variable that requires grad has been used in an in-place operation."
                )
                raise notes.leaf_written(error, dirty)
        if not tracked:
            results = tuple(untracked(r, inputs, ctx) for r in results)
        else:
            ctx.edges = edges
            ctx.input_specs = tuple(
                (a._value.shape, a._value.dtype) if isinstance(a, Tensor) else None for a in args
            )
            ctx.outputs = len(results)
            ctx.output_specs = tuple(
                (r._value.shape, r._value.dtype) if isinstance(r, Tensor) else ((), np.float32)
                for r in results
            )
            originals, results = (
                results,
                tuple(tracked_result(ctx, r, i, inputs) for i, r in enumerate(results)),
            )
            ctx.saved = tuple(saved_value(t, originals, results) for t in ctx.to_save)
            # A node must not hold its own results.
            ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ()
            if mode is WATCHED:
                for watcher in state.watchers:
                    watcher(ctx, args, results[0] if len(results) == 1 else list(results))
        return tuple(results) if isinstance(output, tuple | list) else results[0]


def is_among(tensor: Tensor, tensors: tuple) -> bool:
    """Whether this very tensor is one of ``tensors``."""
    return any(tensor is t for t in tensors)


def untracked(result, inputs: dict, ctx: FunctionCtx):
    """A result of forward when nothing is recorded: it requires no grad, and is no input itself."""
    if not isinstance(result, Tensor):
        return result
    if result.requires_grad:
        return result.detach()
    if is_among(result, ctx.dirty_tensors):
        return result
    return as_view(wrap(result._array()), result) if id(result) in inputs else result


def tracked_result(ctx: FunctionCtx, result, number: int, inputs: dict):
    """A result of forward with ``ctx`` as its history."""
    if not isinstance(result, Tensor):
        return result
    if is_among(result, ctx.non_differentiable) or result._value.dtype.kind != "f":
        return result.detach() if id(result) in inputs else result
    if is_among(result, ctx.dirty_tensors):
        check_write(result, True)
        if result._meta is not None:
            result._meta.grad = None
        rebase(result, ctx)
        if result._edge is not None and result._edge[0] is ctx:
            result._edge = (ctx, number)
        return result
    if id(result) in inputs:
        fresh = as_view(wrap(result._array()), result)
        fresh._edge = (ctx, number)
        return fresh
    result._edge = (ctx, number)
    return result


def saved_value(tensor, originals: tuple, results: tuple):
    """What a context keeps of a tensor: outputs raw, inputs as they are."""
    if tensor is None:
        return None
    if not isinstance(tensor, Tensor):
        raise TypeError(
            "save_for_backward can only save variables, but argument 0 is of type "
            f"{type(tensor).__name__}"
        )
    for i, (original, result) in enumerate(zip(originals, results)):
        if tensor is original and isinstance(result, Tensor) and result._edge is not None:
            return SavedOutput(result, i)
    counter = tensor._counter
    return tensor if counter is None or counter.value == 0 else SavedInput(tensor)


def once_differentiable(function):
    """Decorator for a ``backward`` that computes in a way that cannot be differentiated again.

    Raises:
        RuntimeError: when the result is differentiated all the same.
    """

    @functools.wraps(function)
    def wrapper(ctx, *args):
        with no_grad():
            answers = function(ctx, *args)
        if not state.enabled or not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return answers
        several = answers if isinstance(answers, tuple) else (answers,)
        refuse = NotAgain(())
        marked = tuple(made_by(refuse, a._value) if isinstance(a, Tensor) else a for a in several)
        return marked if isinstance(answers, tuple) else marked[0]

    return wrapper


class NotAgain(Node):
    """The history of a gradient that was computed by a once-differentiable backward.

    It leads nowhere: a pass that asks for certain inputs alone does not come by.
    """

    __slots__ = ()

    def name(self) -> str:
        return "torch::autograd::Error"

    def vjp(self, g, recorded):
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )
