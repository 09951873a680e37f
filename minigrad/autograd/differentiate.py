"""``backward`` and ``grad``: what users call; both check everything and then run :mod:`.engine`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..ops.layouts import copied
from ..tensor import Tensor, gradient_edge, wrap
from . import notes
from .engine import fit, run_backward
from .graph import DEAD_END, DeadEnd, GradientEdge, Node, Output, edge_to
from .part import owner
from .views import as_view
from .warned import due

CYCLE_WARNING = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
    "gradient for other parts of the graph, please use torch.autograd.backward."
)
UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)

NO_ZEROS_OF_AN_EDGE = "materialize_grads cannot be used when the given input is a GradientEdge"


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, *, inputs=None
) -> None:
    """Send gradients from ``tensors`` back through the graph, into ``.grad`` of the leaves.

    Args:
        tensors: a tensor or several: the roots.
        grad_tensors: for each root the vector v of v·J, in its shape; None for roots of one
            element.
        retain_graph: keep the saved values for another pass (default: the value of
            ``create_graph``).
        create_graph: record the pass itself, for higher derivatives.
        inputs: fill ``.grad`` of these tensors alone.

    Raises:
        RuntimeError: a root has several elements and no vector, needs no gradient, or its graph was
            freed.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.autograd.backward.html

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> mg.autograd.backward((x + 1) * (x + 2))
    >>> x.grad
    tensor(7.)
    """
    targets = () if inputs is None else _as_tuple(inputs)
    if inputs is not None and not targets:
        raise notes.no_inputs(RuntimeError("`inputs` argument to `backward()` cannot be empty."))
    roots = start(_as_tuple(tensors), grad_tensors)
    if create_graph and due(CYCLE_WARNING):
        warnings.warn(CYCLE_WARNING, UserWarning, stacklevel=1)  # PyTorch names its own line, too
    for target in targets:
        if isinstance(target, Tensor):
            gradient_edge(target)  # which brings the history of a view up to date
            target.retain_grad()
    run_backward(
        roots,
        retain_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        targets=[target_edge(target) for target in targets],
    )


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True,
    allow_unused=None, is_grads_batched=False, materialize_grads=False,
):  # fmt: skip
    """The gradients of ``outputs`` with respect to ``inputs``, as a tuple; ``.grad`` is left alone.

    Args:
        outputs: a tensor or several: the roots.
        inputs: a tensor, several, or a dict of them; the answer has the same form (a tuple for one
            tensor).
        grad_outputs: the vectors, as the ``grad_tensors`` of :func:`backward`.
        retain_graph, create_graph: as in :func:`backward`.
        only_inputs: ignored; old programs say it.
        allow_unused: answer None for an input that the outputs do not depend on, instead of
            raising.
        is_grads_batched: the first dimension of each vector counts several; there is a backward
            pass for each, and the answers are stacked.
        materialize_grads: answer zeros instead of None.

    Raises:
        RuntimeError: an output has several elements and no vector, nothing requires grad, an input
            is not used, or the graph was freed.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.autograd.grad.html

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = mg.tensor(3.0, requires_grad=True)
    >>> mg.autograd.grad(x * x * y, (x, y))
    (tensor(12.), tensor(4.))
    """
    if not only_inputs:
        warnings.warn(ONLY_INPUTS, FutureWarning, stacklevel=2)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    names = list(inputs) if isinstance(inputs, dict) else None
    inputs = tuple(inputs.values()) if names is not None else _as_tuple(inputs)
    if not inputs:
        raise notes.no_inputs(RuntimeError("`inputs` argument to `grad()` cannot be empty."))
    outputs = _as_tuple(outputs)
    retain_graph = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        from .batched import grad_of_batch

        vectors = vectors_of(outputs, grad_outputs)
        answers = grad_of_batch(
            outputs, inputs, vectors, bool(retain_graph), create_graph=create_graph,
            allow_unused=allow_unused, materialize_grads=materialize_grads,
        )  # fmt: skip
        return tuple(answers) if names is None else dict(zip(names, answers))
    roots = start(outputs, grad_outputs)
    targets = [target_edge(t) for t in inputs]
    answers: list[Any] = [None] * len(inputs)
    known = Known([seed for _, seed in roots if seed is not None and not create_graph])

    def capture(i: int, g: Any) -> None:
        if g is not None:
            answers[i] = g if create_graph else known.tensor(g)

    run_backward(
        roots,
        retain_graph=retain_graph,
        create_graph=create_graph,
        targets=targets,
        capture=capture,
    )
    for i, answer in enumerate(answers):
        if answer is None:
            if not allow_unused:
                raise notes.unused(RuntimeError(UNUSED.format(i)), inputs[i], outputs)
            if materialize_grads:
                if isinstance(inputs[i], GradientEdge):
                    raise RuntimeError(NO_ZEROS_OF_AN_EDGE)
                answers[i] = wrap(np.zeros_like(copied(inputs[i]._value)))
                answers[i].requires_grad = create_graph
    return tuple(answers) if names is None else dict(zip(names, answers))


class Known:
    """The tensors that gradients may turn out to be: the vectors, and those handed out already.

    A vector that arrives unchanged is itself, what arrives at two inputs is one tensor, and what
    looks at the memory of one of these is its view, as a formula makes it that expands or turns.
    """

    def __init__(self, vectors: Iterable):
        self.by_array: dict[int, Tensor] = {}
        self.by_memory: dict[int, Tensor] = {}
        for vector in vectors:
            self.add(vector, vector._array())

    def add(self, tensor: Tensor, g) -> Tensor:
        """Remember the tensor of a raw gradient."""
        self.by_array[id(g)] = tensor
        return self.by_memory.setdefault(id(owner(g)), tensor)

    def tensor(self, g) -> Tensor:
        """The tensor of a raw gradient."""
        if id(g) not in self.by_array:
            tensor = wrap(g)
            first = self.add(tensor, g)
            if first is not tensor:
                as_view(tensor, first)
        return self.by_array[id(g)]


def _as_tuple(tensors) -> tuple:
    if isinstance(tensors, (Tensor, GradientEdge)):
        return (tensors,)
    return tuple(tensors)


def vectors_of(outputs: Sequence, vectors) -> tuple:
    """For each root the vector that was given, or None."""
    return (None,) * len(outputs) if vectors is None else _as_tuple(vectors)


def start(outputs: Sequence, vectors) -> list[tuple]:
    """Where gradients enter the graph, each edge with the seed that starts there."""
    vectors = vectors_of(outputs, vectors)
    if len(outputs) > len(vectors):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(vectors)} gradients")
    seeds = [make_seed(i, *pair) for i, pair in enumerate(zip(outputs, vectors))]
    return [(root_edge(i, output), seeds[i]) for i, output in enumerate(outputs)]


def make_seed(i: int, output, vector):
    """The gradient that starts at one root: the given vector, or 1 for a root of one element."""
    edge_given = isinstance(output, GradientEdge)
    if vector is None:
        if edge_given:
            return wrap(np.float32(1))
        if not isinstance(output, Tensor):
            raise TypeError(f"expected Tensor or GradientEdge, but got {type(output).__name__}")
        if not output.requires_grad:
            return None
        value = output._value
        if value.size != 1:
            error = RuntimeError("grad can be implicitly created only for scalar outputs")
            raise notes.not_scalar(error, output)
        return wrap(value.dtype.type(1) if value.ndim == 0 else np.ones_like(value))
    if not isinstance(vector, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(vector).__name__}")
    if edge_given:
        return vector
    if vector.shape != output.shape:
        error = RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {vector.shape} and output[{i}] "
            f"has a shape of {output.shape}."
        )
        raise notes.shape_mismatch(error, output, given=list(vector.shape))
    if vector._value.dtype is not output._value.dtype and output._value.dtype.kind == "f":
        vector = fit(vector, None, output._value.dtype)
    return vector


def root_edge(i: int, root) -> Node | Output:
    """Where the gradient of one root enters the graph."""
    edge = edge_to(*root[:2]) if isinstance(root, GradientEdge) else gradient_edge(root)
    if edge is None or edge is DEAD_END:
        error = RuntimeError(
            f"element {i} of tensors does not require grad and does not have a grad_fn"
        )
        raise notes.not_tracked(error, root)
    return edge


def target_edge(tensor) -> Node | Output | None:
    """The edge at which the gradient of an input is taken."""
    if isinstance(tensor, GradientEdge):
        return edge_to(*tensor[:2])
    if not isinstance(tensor, Tensor):
        raise RuntimeError(
            f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}"
        )
    edge = gradient_edge(tensor)
    if edge is None:
        error = RuntimeError("One of the differentiated Tensors does not require grad")
        raise notes.not_tracked(error, tensor)
    return DeadEnd() if edge is DEAD_END else edge  # one that no pass can reach
