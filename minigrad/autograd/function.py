"""Custom functions: a forward and a backward written by the user.

``MyFunction.apply(x)`` runs ``forward`` without recording and makes one node, whose derivative is
``backward``. In PyTorch the ``ctx`` that both see *is* that node; here it stands before it, and
what forward leaves on it can be read from ``grad_fn``, too. Source:
https://docs.pytorch.org/docs/2.13/notes/extending.html
"""

from __future__ import annotations

import inspect
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dtypes import type_name
from ..messages import message
from ..ops.broadcasting import sums_to, to_shape_and_dtype
from ..ops.template import notify, save
from ..tensor import Tensor, gradient_edge, wrap
from . import caller
from .around import notes
from .grad_mode import no_grad
from .node import PlainNode, edge_to
from .saved import SavedOutput, unpacked
from .thread_state import OFF, WATCHED, state
from .view_writes import rebase
from .views import CUSTOM, SEVERAL, as_view, check_write


class FunctionCtx:
    """What ``forward`` and ``backward`` are handed: the face of their node.

    It has whatever the node has, and room for the user's own attributes. They are kept here, so
    that one of them may be called ``edges`` or ``function``, too.
    """

    __slots__ = (
        "__node", "needs_input_grad", "materialize_grads", "to_save", "dirty_tensors",
        "non_differentiable", "__dict__",
    )  # fmt: skip

    def __init__(self, node: FunctionNode) -> None:
        self.__node = weakref.ref(node)  # which holds its context
        self.materialize_grads = True
        self.needs_input_grad = self.to_save = self.dirty_tensors = self.non_differentiable = ()

    def __getattr__(self, name: str) -> Any:
        node = self.__node()
        if node is None:
            gone = f"the graph of this {type(self).__name__} is gone"
            raise AttributeError(f"{gone}, and {name} with it; keep the result of apply()")
        return getattr(node, name)

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


class FunctionNode(PlainNode):
    """The node of a custom function.

    What forward left on its context can be read from it, too, if it has no such attribute itself.
    """

    __slots__ = ("ctx", "outputs", "input_specs", "output_specs", "__dict__", "__weakref__")
    function: type

    def __init__(self) -> None:
        super().__init__(())
        self.outputs = 1
        self.ctx = self.function._ctx_cls(self)

    __repr__ = object.__repr__  # with the module, as PyTorch has it for these alone

    # Only of these nodes: their attributes are whatever the user's forward invents.
    def __getattr__(self, name: str) -> Any:
        return object.__getattribute__(self.ctx, name)

    def tracks(self, result: Any) -> bool:
        """Whether this node is the history of a result of forward."""
        if not isinstance(result, Tensor) or result._value.dtype.kind != "f":
            return False
        return bool(self.edges) and not is_among(result, self.ctx.non_differentiable)

    @property
    def saved_tensors(self) -> tuple:
        """What ``save_for_backward`` kept."""
        return tuple([unpacked(kept, self, recorded=True) for kept in self.not_freed()])

    def vjp(self, g, recorded):
        grads = [g] if self.outputs == 1 else g or [None] * self.outputs
        if self.ctx.materialize_grads:
            pairs = zip(grads, self.output_specs)
            grads = [np.zeros(*spec)[()] if g is None and spec else g for g, spec in pairs]
        shown = [g if g is None or isinstance(g, Tensor) else wrap(g) for g in grads]
        answers = self.function.backward(self.ctx, *shown)
        return self.checked(answers if isinstance(answers, tuple) else (answers,), recorded)

    def checked(self, answers: tuple, recorded: bool) -> list:
        """The answers of ``backward`` for the operands that are tensors, in shape and dtype."""
        count, got = len(self.input_specs), len(answers)
        if got < count or any(extra is not None for extra in answers[count:]):
            told = message("wrong-count", name=self.name(), count=count, got=got)
            raise notes.wrong_count(RuntimeError(told), self, got)
        # For help: the shape of what came in each place, None for none.
        self.answered = {i: getattr(each, "shape", None) for i, each in enumerate(answers)}
        result, edges = [], iter(self.edges)
        for i, (answer, spec) in enumerate(zip(answers, self.input_specs)):
            if spec is None and answer is None:
                continue
            if spec is None:
                told = message("gradient-of-a-number", name=self.name(), position=i + 1)
                raise notes.gradient_of_a_number(RuntimeError(told), self.function, position=i + 1)
            if not isinstance(answer, Tensor | None):
                told = f"expected Variable or None (got {type_name(answer)})"
                raise notes.not_a_gradient(RuntimeError(told), self.function, answer)
            if not next(edges) or answer is None:
                result.append(None)
                continue
            shape, dtype = spec
            if not sums_to(answer.shape, shape):
                shapes = {"got": list(answer.shape), "shape": list(shape), "index": len(result)}
                told = message("wrong-shape", name=self.name(), **shapes)
                raise notes.wrong_shape(RuntimeError(told), self, answers, i)
            answer = to_shape_and_dtype(answer, shape, dtype)
            result.append(answer if recorded else answer._value)
        return result


def is_among(tensor: Tensor, tensors: Sequence) -> bool:
    """Whether this very tensor is one of ``tensors``."""
    return any(tensor is t for t in tensors)


def spec_of(value: Any) -> tuple | None:
    """The shape and dtype of a tensor; None for anything else."""
    return (value._value.shape, value._value.dtype) if isinstance(value, Tensor) else None


class Function:
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

    def __init_subclass__(cls, **options: Any) -> None:
        """Give a function its own class of nodes, named as in PyTorch: ``DoubleBackward``."""
        super().__init_subclass__(**options)
        name, shown = f"{cls.__name__}Backward", {"__module__": "torch.autograd.function"}
        cls._ctx_cls = type(name, (FunctionCtx,), shown)
        cls._backward_cls = type(name, (FunctionNode,), {**shown, "function": cls, "__slots__": ()})

    def __call__(self, *args: Any, **kwargs: Any):
        raise notes.known(RuntimeError(message("called-function")))

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result."""
        raise NotImplementedError(message("no-forward"))

    @staticmethod
    def setup_context(ctx: FunctionCtx, inputs: tuple, output: Any) -> None:
        """Prepare ``ctx`` after a ``forward`` that does not take it."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: FunctionCtx, *grad_outputs: Any) -> Any:
        """Compute the gradients of the arguments of forward."""
        raise notes.no_backward(NotImplementedError(message("no-backward")), ctx)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` and record it as one node."""
        takes_ctx = cls.setup_context is Function.setup_context
        if kwargs or not takes_ctx:
            args = by_position(cls.forward, takes_ctx, args, kwargs)
        mode = state.here.mode
        tensors = [a for a in args if isinstance(a, Tensor)]
        # Before the node is made: a view that is derived anew for it has the smaller number.
        edges = tuple([gradient_edge(t) for t in tensors]) if mode is not OFF else ()
        tracked = any(edge is not None for edge in edges)
        node = cls._backward_cls()
        ctx = node.ctx
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        with no_grad():
            if takes_ctx:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        several = isinstance(output, tuple)
        given = output if several else (output,)
        node.edges = edges if tracked else ()
        check_written(node, given, tensors)
        node.outputs = len(given)
        node.input_specs = tuple([spec_of(a) for a in args])
        node.output_specs = tuple([spec_of(r) for r in given])
        made = CUSTOM if sum(map(node.tracks, given)) == 1 else SEVERAL
        results = [returned(node, i, r, tensors, made) for i, r in enumerate(given)]
        if tracked:
            inputs = [t for t in tensors if not is_among(t, ctx.dirty_tensors)]
            node.saved = tuple(
                [saved_value(i, t, inputs, given, results) for i, t in enumerate(ctx.to_save)]
            )
            # A node must not hold its own results.
            ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ()
            if mode is WATCHED:
                notify(node, args, results if len(results) != 1 else results[0])
        return tuple(results) if several else results[0]


def by_position(forward: Callable, takes_ctx: bool, args: tuple, kwargs: dict) -> tuple:
    """All arguments by position, also those given by name: each may be an operand."""
    bound = inspect.signature(forward).bind(*[None] * takes_ctx, *args, **kwargs)
    if not takes_ctx:
        bound.apply_defaults()
    for name in bound.kwargs:
        raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    return bound.args[takes_ctx:]


def check_written(node: FunctionNode, results: tuple, inputs: list) -> None:
    """Count the writes of forward, and refuse those that autograd cannot follow."""
    written = node.ctx.dirty_tensors
    for tensor in written:
        tensor._version_counter().wrote(caller.place())
    for result in results:
        if not (is_among(result, written) and node.tracks(result)):
            continue
        if not is_among(result, inputs):
            # PyTorch names its own line, too.
            warnings.warn(message("dirty-not-an-input"), UserWarning, stacklevel=1)
        elif result.requires_grad and result._edge is None:
            raise notes.leaf_written(RuntimeError(message("leaf-was-written")), result)
        elif result._is_view() and len(results) > 1:
            raise RuntimeError(message("dirty-view-of-several"))
    if not all(is_among(tensor, results) for tensor in written):
        raise RuntimeError(message("dirty-not-returned"))


def returned(node: FunctionNode, number: int, result: Any, inputs: list, made: str) -> Any:
    """What apply() makes of a result of forward; its history is ``node``, if that tracks it.

    It is no input itself, unless forward wrote to that. A view of something that requires grad does
    so, too; one that is tracked is ``made`` in this way.
    """
    if not isinstance(result, Tensor):
        return result
    tracked = node.tracks(result)
    written, is_input = is_among(result, node.ctx.dirty_tensors), is_among(result, inputs)
    if not tracked and result.requires_grad and (is_input or not result._is_view()):
        return result.detach()
    if tracked and written:
        if result._meta is not None:
            result._meta.grad = None
        check_write(result, True)
        rebase(result, node)
        if result._edge is None or result._edge.node is not node:  # of a view, whose base has it
            return result
    if is_input and not written:
        result = as_view(wrap(result._array()), result)
    if result._is_view() and not written:
        result._meta.made = CUSTOM
        if tracked:  # a write would put its own history in place of the custom one
            result._meta.made, result._meta.version = made, result._counter.value
    if tracked:
        result._edge = edge_to(node, number)
    return result


def saved_value(place: int, tensor: Any, inputs, originals, results) -> Any:
    """What a context keeps of a tensor: outputs raw, inputs as they are, also if returned."""
    if tensor is None:
        return None
    if not isinstance(tensor, Tensor):
        raise TypeError(message("saved-no-tensor", place=place, kind=type_name(tensor)))
    outputs = () if is_among(tensor, inputs) else zip(originals, results)
    for i, (original, result) in enumerate(outputs):
        if tensor is original and isinstance(result, Tensor) and result._edge is not None:
            return SavedOutput(result, i)
    return save(tensor)
