"""``grad(..., is_grads_batched=True)``: one backward pass for each of several vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..autograd.grad_mode import enable_grad
from ..ops.more.cat_split import stack
from ..tensor import Tensor


def answers_of_batch(
    answers_of_pass: Callable,
    roots: Sequence,
    inputs: Sequence,
    retain_graph: bool,
    create_graph: bool,
) -> list[Tensor | None]:
    """The gradients for every vector of a batch, stacked along a new first dimension.

    Args:
        answers_of_pass: runs one backward pass; it takes the arguments that follow.
        roots: for each output its edge and the vectors v of v·J, stacked along their first dim.
        inputs: as for :func:`..autograd.grad`.
        retain_graph: whether the last of the passes keeps the saved values.
        create_graph: whether they are recorded.

    Raises:
        ValueError: an output has no batch, or they have different sizes.
        IndexError: there is no output.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> mg.autograd.grad(x * x, x, mg.eye(2), is_grads_batched=True)
    (tensor([[2., 0.],
            [0., 4.]]),)
    """
    for _, seed in roots:
        check_batch(seed)
    sizes = [len(seed) for _, seed in roots]
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    last = sizes[0] - 1
    rows = []
    for i in range(last + 1):
        row = [(edge, seed[i]) for edge, seed in roots]
        kept = retain_graph or i < last
        rows.append(answers_of_pass(row, inputs, kept, create_graph))
    with enable_grad():  # as far as the rows were recorded
        return [None if column[0] is None else stack(column) for column in zip(*rows)]


def check_batch(seed: Tensor) -> None:
    """Refuse what has no first dimension to count vectors."""
    if seed.ndim == 0:
        raise ValueError(
            "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a "
            "Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
        )
