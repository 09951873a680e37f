"""``backward`` and ``grad``: what users call; both check everything and then run :mod:`.engine`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from ..dtypes import Size, type_name
from ..ops.broadcasting import fit
from ..ops.memory_order import copied
from ..tensor import Tensor, gradient_edge, wrap
from .around import Around, notes
from .caller import due
from .engine import run_backward
from .node import DEAD_END, DeadEnd, GradientEdge, Node, Output, edge_to

CYCLE_WARNING = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
BATCH_MISMATCH = (
    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
    "dimension. The sizes of the remaining dimensions are expected to match the shape of "
    "corresponding output, but a mismatch was detected: grad_output[{}] has a shape of {} and "
    "output[{}] has a shape of {}. If you only want some tensors in `grad_output` to be considered "
    "batched, consider using vmap."
)
UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None
) -> None:  # fmt: skip
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
    if tensors.__class__ is Tensor and grad_tensors is inputs is None:  # the commonest call
        targets, roots = (), [(root_edge(0, tensors), make_seed(0, tensors, None))]
    else:
        targets = () if inputs is None else wanted(inputs, "backward")
        outputs = _as_tuple(tensors)
        roots = start(outputs, seeds_of(outputs, grad_tensors))
    retain_graph = flag(create_graph if retain_graph is None else retain_graph)
    create_graph = flag(create_graph)
    if create_graph and due(CYCLE_WARNING):
        warnings.warn(CYCLE_WARNING, UserWarning, stacklevel=1)  # PyTorch names its own line, too
    for target in targets:
        if isinstance(target, Tensor):
            gradient_edge(target)  # which brings the history of a view up to date
            target.retain_grad()
    run_backward(
        roots,
        retain_graph=retain_graph,
        create_graph=create_graph,
        targets=[target_edge(target) for target in targets] if targets else (),
    )


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
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    outputs = _as_tuple(outputs)
    names = list(inputs) if type(inputs) is dict else None
    inputs = wanted(inputs, "grad")
    seeds = seeds_of(outputs, grad_outputs, is_grads_batched)
    retain_graph = flag(create_graph if retain_graph is None else retain_graph)
    create_graph, allow_unused = flag(create_graph), flag(allow_unused)
    how = outputs, inputs, seeds, retain_graph, create_graph
    if is_grads_batched:
        answers = Around.load("extras.batched").answers_of_batch(answers_of_pass, *how)
    else:
        answers = answers_of_pass(*how)
    for i, answer in enumerate(answers):
        if answer is None:
            if not allow_unused:
                raise notes.unused(RuntimeError(UNUSED.format(i)), inputs[i], outputs)
            if materialize_grads:
                if isinstance(inputs[i], GradientEdge):
                    raise RuntimeError(
                        "materialize_grads cannot be used when the given input is a GradientEdge"
                    )
                answers[i] = wrap(np.zeros_like(copied(inputs[i]._value)))
                answers[i].requires_grad = create_graph
    return tuple(answers) if names is None else dict(zip(names, answers))


def answers_of_pass(
    outputs: tuple, inputs: tuple, seeds: list, retain_graph: bool, create_graph: bool
) -> list[Tensor | None]:
    """What arrives at each input in one backward pass; None where nothing does."""
    answers: list[Tensor | None] = [None] * len(inputs)
    # A vector that arrives unchanged is itself, and what arrives at two inputs is one tensor.
    known = {id(seed._array()): seed for seed in seeds if seed is not None and not create_graph}

    def capture(i: int, g: Any) -> None:
        if g is not None:
            answers[i] = g if create_graph else known.setdefault(id(g), wrap(g))

    run_backward(
        start(outputs, seeds),
        retain_graph=retain_graph,
        create_graph=create_graph,
        targets=[target_edge(t) for t in inputs],
        capture=capture,
    )
    return answers


def _as_tuple(tensors) -> tuple:
    if isinstance(tensors, (Tensor, GradientEdge)):
        return (tensors,)
    return tuple(tensors)


def flag(option) -> bool:
    """An option that is on or off; an integer will do, and a tensor of one."""
    return option if option is True or option is False else bool(index(option))


def wanted(inputs, caller: str) -> tuple:
    """The inputs whose gradients are asked for: one, several, or the values of a dict."""
    if type(inputs) is dict:
        inputs = inputs.values()
    elif isinstance(inputs, Mapping):
        raise TypeError(
            f"`inputs` argument to `{caller}()` must be a dict, not {type(inputs).__name__}. Other "
            "Mapping types are not supported."
        )
    targets = _as_tuple(inputs)
    if not targets:
        raise notes.no_inputs(RuntimeError(f"`inputs` argument to `{caller}()` cannot be empty."))
    return targets


def start(outputs: Sequence, seeds: Sequence) -> list[tuple]:
    """Where gradients enter the graph, each edge with the seed that starts there."""
    if len(outputs) > len(seeds):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(seeds)} gradients")
    return [(root_edge(i, output), seeds[i]) for i, output in enumerate(outputs)]


def seeds_of(outputs: Sequence, vectors, batched: bool = False) -> list[Tensor | None]:
    """The gradients that start at the roots; of a batch, whose first dim counts, all at once."""
    vectors = (None,) * len(outputs) if vectors is None else _as_tuple(vectors)
    return [make_seed(i, *pair, batched) for i, pair in enumerate(zip(outputs, vectors))]


def make_seed(i: int, output, vector, batched: bool = False) -> Tensor | None:
    """The gradient that starts at one root: the given vector, or 1 for a root of one element."""
    from_edge = isinstance(output, GradientEdge)
    if not from_edge and not isinstance(output, Tensor):
        error = AssertionError("Expected output to be a torch.Tensor")
        raise notes.no_root(error, type_name(output))
    if vector is not None and not isinstance(vector, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(vector).__name__}")
    spec = output.spec if from_edge else (output._value.shape, output._value.dtype)
    if spec is None:  # an edge made by hand, and its node does not know
        return wrap(np.float32(1)) if vector is None else vector
    shape, dtype = spec
    if vector is None:
        if not from_edge and not output.requires_grad:
            return None
        if math.prod(shape) != 1:
            error = RuntimeError("grad can be implicitly created only for scalar outputs")
            raise error if from_edge else notes.not_scalar(error, output)
        return wrap(np.ones(shape, dtype) if shape else dtype.type(1))
    given = (vector[0] if batched else vector).shape
    if given != shape:
        shape = Size(shape)
        if batched:
            # PyTorch's sentence gives the shape of a vector without its first dimension.
            raise RuntimeError(BATCH_MISMATCH.format(i, given[1:], i, shape))
        error = RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {given} and output[{i}] has a "
            f"shape of {shape}."
        )
        raise error if from_edge else notes.shape_mismatch(error, output, given=list(given))
    return fit(vector, None, dtype) if dtype.kind == "f" else vector


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
            f"all inputs have to be Tensors or GradientEdges, but got {type_name(tensor)}"
        )
    edge = gradient_edge(tensor)
    if edge is None:
        error = RuntimeError("One of the differentiated Tensors does not require grad")
        raise notes.not_tracked(error, tensor)
    return DeadEnd() if edge is DEAD_END else edge  # one that no pass can reach
