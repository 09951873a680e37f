"""``backward`` and ``grad``: what users call; both check everything and then run :mod:`.engine`."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ..dtypes import Size, type_name
from ..messages import message
from ..ops.broadcasting import to_shape_and_dtype
from ..ops.promotion import copied
from ..tensor import Tensor, gradient_edge, wrap
from .around import Around, notes
from .engine import run_backward
from .node import DEAD_END, DeadEnd, GradientEdge, Node, Output, edge_to
from .warn import due


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Send gradients from ``tensors`` back through the graph, into ``.grad`` of the leaves.

    Args:
        tensors: a tensor or several: the roots.
        grad_tensors: for each root the vector v of v·J, in its shape; None for roots of one
            element.
        retain_graph: keep the saved values for another pass (default: the value of
            ``create_graph``).
        create_graph: record the pass itself, for higher derivatives.
        inputs: fill ``.grad`` of these alone: a tensor, several, or the values of a dict.

    Raises:
        RuntimeError: a root has several elements and no vector, needs no gradient, or its graph was
            freed.
        AssertionError: a root is no tensor.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.autograd.backward.html

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> mg.autograd.backward((x + 1) * (x + 2))
    >>> x.grad
    tensor(7.)
    """
    targets = () if inputs is None else wanted(inputs, "backward")
    roots = roots_of(tensors, grad_tensors)
    if create_graph and due("reference-cycle"):  # PyTorch names its own line, too
        warnings.warn(message("reference-cycle"), UserWarning, stacklevel=1)
    for target in targets:
        if isinstance(target, Tensor):
            gradient_edge(target)  # which brings the history of a view up to date
            target.retain_grad()
    edges = [target_edge(target) for target in targets] if targets else ()
    retain_graph = bool(create_graph if retain_graph is None else retain_graph)
    run_backward(roots, retain_graph=retain_graph, create_graph=bool(create_graph), targets=edges)


def backward_from(self, gradient=None, retain_graph=None, create_graph=False, inputs=None) -> None:
    """Send gradients back to the leaves this tensor depends on, adding into their ``.grad``.

    Args:
        gradient: the vector v of v·J, in the shape of this tensor; may be left out for one
            element.
        retain_graph: keep the saved values for another pass (default: the value of
            ``create_graph``).
        create_graph: record the backward pass itself, for higher derivatives.
        inputs: fill ``.grad`` of these alone: a tensor, several, or the values of a dict.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.backward.html

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).backward(mg.tensor([1.0, 10.0]))
    >>> x.grad
    tensor([ 2., 40.])
    """
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


backward_from.__name__ = "backward"
backward_from.__qualname__ = "Tensor.backward"


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
    if materialize_grads and allow_unused is False:
        raise ValueError(message("materialized-and-refused"))
    if allow_unused is None:
        allow_unused = materialize_grads
    names = list(inputs) if type(inputs) is dict else None
    outputs = as_tuple(outputs)
    inputs = wanted(inputs, "grad")
    retain_graph = bool(create_graph if retain_graph is None else retain_graph)
    answers_of = Around.load("extras.batched").answers_of if is_grads_batched else answers_of_pass
    answers = answers_of(outputs, grad_outputs, inputs, retain_graph, bool(create_graph))
    for i, answer in enumerate(answers):
        if answer is None:
            if not allow_unused:
                raise notes.unused(RuntimeError(message("unused", i=i)), inputs[i], outputs)
            if materialize_grads:
                if isinstance(inputs[i], GradientEdge):
                    raise RuntimeError(message("materialized-edge"))
                answers[i] = wrap(np.zeros_like(copied(inputs[i]._value)))
                answers[i].requires_grad = create_graph
    return tuple(answers) if names is None else dict(zip(names, answers))


def answers_of_pass(
    outputs: tuple, vectors: Any, inputs: tuple, retain_graph: bool, create_graph: bool
) -> list[Tensor | None]:
    """What arrives at each input in one backward pass; None where nothing does."""
    roots = roots_of(outputs, vectors)
    answers: list[Tensor | None] = [None] * len(inputs)
    # Where the gradient is the vector that was given, the answer is that very tensor; and what
    # arrives at two inputs is one tensor.
    known = {} if create_graph else {id(seed._array()): seed for _, seed in roots}

    def capture(i: int, g: Any) -> None:
        if g is not None:
            answers[i] = g if create_graph else known.setdefault(id(g), wrap(g))

    edges = [target_edge(target) for target in inputs]
    run_backward(
        roots, retain_graph=retain_graph, create_graph=create_graph, targets=edges, capture=capture
    )
    return answers


def as_tuple(tensors) -> tuple:
    """One tensor or several, as several."""
    return (tensors,) if isinstance(tensors, Tensor | GradientEdge) else tuple(tensors)


def wanted(inputs, caller: str) -> tuple:
    """The inputs whose gradients are asked for: one, several, or the values of a dict."""
    targets = as_tuple(inputs.values() if type(inputs) is dict else inputs)
    if not targets:
        raise notes.no_inputs(RuntimeError(f"`inputs` argument to `{caller}()` cannot be empty."))
    return targets


ONES = {kind: kind(1) for kind in (np.float16, np.float32, np.float64)}  # what scalars begin with


def roots_of(outputs, vectors) -> list[tuple[Node | Output, Tensor]]:
    """Where a pass begins: for each output its edge, and the gradient that starts there."""
    if outputs.__class__ is Tensor and vectors is None:  # the commonest call
        one = ONES.get(outputs._value.__class__)
        edge = one is not None and gradient_edge(outputs)
        return [(edge, wrap(one)) if edge else root_of(0, outputs, None)]
    outputs = as_tuple(outputs)
    vectors = (None,) * len(outputs) if vectors is None else as_tuple(vectors)
    roots = [root_of(i, *pair) for i, pair in enumerate(zip(outputs, vectors))]
    if len(outputs) > len(vectors):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(vectors)} gradients")
    return roots


def root_of(i: int, output, vector) -> tuple[Node | Output, Tensor]:
    """One root: its edge, and the given vector, or 1 for an output of one element."""
    from_edge = output.__class__ is not Tensor and isinstance(output, GradientEdge)
    if not from_edge and not isinstance(output, Tensor):
        told = "Expected output to be a torch.Tensor"
        raise notes.no_root(AssertionError(told), type_name(output))
    if vector is not None and not isinstance(vector, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(vector).__name__}")
    spec = output.spec if from_edge else (output._value.shape, output._value.dtype)
    if vector is not None and spec and vector.shape != spec[0]:
        told = message("vector-of-another-shape", i=i, given=vector.shape, shape=Size(spec[0]))
        if from_edge:
            raise RuntimeError(told)
        raise notes.shape_mismatch(RuntimeError(told), output, given=list(vector.shape))
    edge = edge_to(*output[:2]) if from_edge else gradient_edge(output)
    if not edge:
        raise notes.not_tracked(RuntimeError(message("untracked-root", i=i)), output)
    if spec is None:  # an edge made by hand, and its node does not know
        return edge, wrap(np.float32(1)) if vector is None else vector
    shape, dtype = spec
    if vector is not None:
        return edge, to_shape_and_dtype(vector, None, dtype) if dtype.kind == "f" else vector
    if shape and math.prod(shape) != 1:
        told = "grad can be implicitly created only for scalar outputs"
        raise RuntimeError(told) if from_edge else notes.not_scalar(RuntimeError(told), output)
    return edge, wrap(np.ones(shape, dtype) if shape else dtype.type(1))


def target_edge(tensor) -> Node | Output | None:
    """The edge at which the gradient of an input is taken."""
    if isinstance(tensor, GradientEdge):
        return edge_to(*tensor[:2])
    if not isinstance(tensor, Tensor):
        told = f"all inputs have to be Tensors or GradientEdges, but got {type_name(tensor)}"
        raise RuntimeError(told)
    edge = gradient_edge(tensor)
    if edge is None:
        told = "One of the differentiated Tensors does not require grad"
        raise notes.input_not_tracked(RuntimeError(told), tensor)
    return DeadEnd((), sequence=0) if edge is DEAD_END else edge  # one that no pass can reach
