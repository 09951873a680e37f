"""Custom functions: a forward and a backward written by the user.

``MyFunction.apply(x)`` runs ``forward`` without recording and makes one node, whose derivative is
``backward``. The ``ctx`` that both see *is* that node, as in PyTorch, so what forward leaves on it
can be read from ``grad_fn``. Source: https://docs.pytorch.org/docs/2.13/notes/extending.html
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ops.casting import sums_to
from ..ops.rule import notify, save
from ..tensor import Tensor, gradient_edge, made_by, wrap
from . import notes, reader
from .engine import fit
from .grad_mode import OFF, WATCHED, no_grad, state
from .graph import DEAD_END, Node, edge_to
from .part import whole
from .saved import SavedOutput, already_freed, unchanged
from .views import as_view, check_write, rebase


class FunctionCtx(Node):
    """The context of a custom function, and its node."""

    __slots__ = ("__dict__",)
    function: type | None = None

    def __init__(self) -> None:
        super().__init__(())
        self.outputs = 1
        self.materialize_grads = True
        self.needs_input_grad = self.to_save = self.dirty_tensors = self.non_differentiable = ()

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
            raise already_freed(self, self.saved)
        return tuple(
            unchanged(kept, self) if isinstance(kept, Tensor) else kept and kept.tensor(self)
            for kept in self.saved
        )

    def vjp(self, g, recorded):
        grads = [g] if self.outputs == 1 else g or [None] * self.outputs
        if self.materialize_grads:
            pairs = zip(grads, self.output_specs)
            grads = [np.zeros(*spec)[()] if g is None and spec else g for g, spec in pairs]
        elif self.outputs == 1 and g is None:
            return [None] * len(self.edges)
        shown = [g if g is None or isinstance(g, Tensor) else wrap(whole(g)) for g in grads]
        answers = self.function.backward(self, *shown)
        return self.checked(answers if isinstance(answers, tuple) else (answers,), recorded)

    def checked(self, answers: tuple, recorded: bool) -> list:
        """The answers of ``backward`` for the operands that are tensors, in shape and dtype."""
        count, got = len(self.input_specs), len(answers)
        if got < count or any(extra is not None for extra in answers[count:]):
            error = RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{count}, got {got})"
            )
            arguments = f"{count} argument{'s' * (count != 1)}"
            raise notes.wrong_count(error, self.function, arguments=arguments, got=got)
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
                raise notes.gradient_of_a_number(error, self.function, position=i + 1)
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
                raise notes.wrong_shape(error, self.function, index=i)
            answer = fit(answer, shape, dtype)
            result.append(answer if recorded else answer._value)
        return result


def spec_of(value: Any) -> tuple | None:
    """The shape and dtype of a tensor; None for anything else."""
    return (value._value.shape, value._value.dtype) if isinstance(value, Tensor) else None


class FunctionMeta(type):
    """Gives each custom function its node class, named as in PyTorch: ``MulConstantBackward``."""

    def __init__(cls, name: str, bases: tuple, attributes: dict):
        super().__init__(name, bases, attributes)
        members = {"function": cls, "__module__": "torch.autograd.function"}
        cls._backward_cls = type(f"{name}Backward", (FunctionCtx,), members)


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
        mode = state.recorder.mode
        tensors = [a for a in args if isinstance(a, Tensor)]
        edges = tuple([gradient_edge(t) for t in tensors]) if mode is not OFF else ()
        tracked = any(edges)
        with no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args, **kwargs)
            else:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
        several = isinstance(output, tuple | list)
        results = output if several else (output,)
        for dirty in ctx.dirty_tensors:
            dirty._version_counter().wrote(reader.place())
            if tracked and dirty.requires_grad and dirty._edge is None:
                raise notes.leaf_written(RuntimeError(LEAF_WRITTEN), dirty)
        if not tracked:
            results = [untracked(r, tensors, ctx) for r in results]
        else:
            ctx.edges = edges
            ctx.input_specs = tuple([spec_of(a) for a in args])
            ctx.outputs = len(results)
            ctx.output_specs = tuple([spec_of(r) for r in results])
            made = [tracked_result(ctx, r, i, tensors) for i, r in enumerate(results)]
            ctx.saved = tuple([saved_value(t, results, made) for t in ctx.to_save])
            results = made
            # A node must not hold its own results.
            ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ()
            if mode is WATCHED:
                notify(ctx, args, results if len(results) != 1 else results[0])
        return tuple(results) if several else results[0]


LEAF_WRITTEN = "a leaf Variable that requires grad has been used in an in-place operation."


def is_among(tensor: Tensor, tensors: Sequence) -> bool:
    """Whether this very tensor is one of ``tensors``."""
    return any(tensor is t for t in tensors)


def untracked(result: Any, inputs: list, ctx: FunctionCtx) -> Any:
    """A result of forward when nothing is recorded: it requires no grad, and is no input itself."""
    if not isinstance(result, Tensor):
        return result
    if result.requires_grad:
        return result.detach()
    is_new = is_among(result, ctx.dirty_tensors) or not is_among(result, inputs)
    return result if is_new else as_view(wrap(result._array()), result)


def tracked_result(ctx: FunctionCtx, result: Any, number: int, inputs: list) -> Any:
    """A result of forward with ``ctx`` as its history."""
    if not isinstance(result, Tensor):
        return result
    if is_among(result, ctx.non_differentiable) or result._value.dtype.kind != "f":
        return result.detach() if is_among(result, inputs) else result
    if is_among(result, ctx.dirty_tensors):
        if result._meta is not None:
            result._meta.grad = None
        check_write(result, True)
        rebase(result, ctx)
        if result._edge is None or result._edge.node is not ctx:  # of a view, whose base has it
            return result
    elif is_among(result, inputs):
        result = as_view(wrap(result._array()), result)
    result._edge = edge_to(ctx, number)
    return result


def saved_value(tensor: Tensor | None, originals: Sequence, results: Sequence) -> Any:
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
    return save(tensor)


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
        refuse = NotAgain(())
        several = answers if isinstance(answers, tuple) else (answers,)
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


NotAgain.__name__ = NotAgain.__qualname__ = "Error"  # as a tensor prints its grad_fn
