"""``grad(..., is_grads_batched=True)``: one backward pass for each of several vectors."""

from __future__ import annotations

from typing import Any

from ..autograd.backward import answers_of_pass, as_tuple, roots_of
from ..autograd.grad_mode import enable_grad
from ..autograd.node import GradientEdge
from ..dtypes import Size
from ..messages import message
from ..ops.more.cat_split import stack
from ..tensor import Tensor


def answers_of(
    outputs: Any, vectors: Any, inputs: tuple, retain_graph: bool, create_graph: bool
) -> list[Tensor | None]:
    """The gradients for every vector of a batch, stacked along a new first dimension.

    Args:
        outputs: as for :func:`..autograd.grad`.
        vectors: for each output the vectors v of v·J, stacked along their first dim.
        inputs: as for :func:`..autograd.grad`.
        retain_graph: whether the last of the passes keeps the saved values.
        create_graph: whether they are recorded.

    Raises:
        RuntimeError: a vector has another shape than its output.
        ValueError: an output has no batch, or they have different sizes.
        IndexError: there is no output.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> mg.autograd.grad(x * x, x, mg.eye(2), is_grads_batched=True)
    (tensor([[2., 0.],
            [0., 4.]]),)
    """
    outputs = as_tuple(outputs)
    batches = (None,) * len(outputs) if vectors is None else as_tuple(vectors)
    for i, pair in enumerate(zip(outputs, batches)):
        check_shape(i, *pair)
    firsts = [batch[0] if isinstance(batch, Tensor) else batch for batch in batches]
    if len(roots_of(outputs, firsts)) > len([first for first in firsts if first is not None]):
        raise ValueError(
            "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a "
            "Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
        )
    sizes = [len(batch) for batch in batches]
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    last = sizes[0] - 1
    rows = []
    for i in range(last + 1):
        row = [batch[i] for batch in batches]
        kept = retain_graph or i < last
        rows.append(answers_of_pass(outputs, row, inputs, kept, create_graph))
    with enable_grad():  # as far as the rows were recorded
        return [None if column[0] is None else stack(column) for column in zip(*rows)]


def check_shape(i: int, output: Any, batch: Any) -> None:
    """Refuse vectors that have another shape than their output."""
    if not isinstance(batch, Tensor) or not isinstance(output, Tensor | GradientEdge):
        return  # that is refused as it is without a batch
    spec = output.spec if isinstance(output, GradientEdge) else (output.shape, None)
    if spec is not None and batch[0].shape != spec[0]:
        # PyTorch's sentence gives the shape of a vector without its first dimension.
        values = {"i": i, "given": batch[0].shape[1:], "shape": Size(spec[0])}
        raise RuntimeError(message("batch-mismatch", **values))
