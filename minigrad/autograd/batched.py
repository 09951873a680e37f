"""``grad(..., is_grads_batched=True)``: one backward pass for each of several vectors."""

from __future__ import annotations

from collections.abc import Sequence

from ..tensor import Tensor
from .differentiate import grad, make_seed
from .graph import GradientEdge


def grad_of_batch(
    outputs: Sequence, inputs: Sequence, vectors: Sequence, retain_graph: bool, **options: bool
) -> list[Tensor | None]:
    """The gradients for every vector of a batch, stacked along a new first dimension.

    Args:
        outputs, inputs: as for :func:`.grad`, whose further arguments are the ``options``.
        vectors: for each output the vectors v of v·J, stacked along their first dimension.
        retain_graph: whether the last of the passes keeps the saved values.

    Raises:
        RuntimeError: a vector has not the shape of its output.
        ValueError: there is no batch, or they have different sizes.
        IndexError: the batches are empty.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> mg.autograd.grad(x * x, x, mg.eye(2), is_grads_batched=True)
    (tensor([[2., 0.],
            [0., 4.]]),)
    """
    from ..ops.joining import stack

    for i, (output, batch) in enumerate(zip(outputs, vectors)):
        check_shape(i, output, batch)
    sizes = [len(batch) for batch in vectors if batch is not None]
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if sizes[0] == 0:
        raise IndexError("index 0 is out of bounds for dimension 0 with size 0")
    last = sizes[0] - 1
    rows = []
    for i in range(last + 1):
        row = [None if batch is None else batch[i] for batch in vectors]
        rows.append(grad(outputs, inputs, row, retain_graph or i < last, **options))
    return [None if column[0] is None else stack(column) for column in zip(*rows)]


def check_shape(i: int, output: Tensor | GradientEdge, batch: Tensor | None) -> None:
    """Refuse vectors that do not have the shape of their output."""
    if isinstance(output, GradientEdge):
        raise RuntimeError("Batched grads are not supported with GradientEdge")
    if batch is None:
        make_seed(i, output, None)
    elif batch.shape[1:] != output.shape:
        # PyTorch's sentence gives the shape of a vector without its first dimension.
        raise RuntimeError(
            "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as "
            "the batch dimension. The sizes of the remaining dimensions are expected to match the "
            f"shape of corresponding output, but a mismatch was detected: grad_output[{i}] has a "
            f"shape of {batch.shape[2:]} and output[{i}] has a shape of {output.shape}. If you "
            "only want some tensors in `grad_output` to be considered batched, consider using vmap."
        )
