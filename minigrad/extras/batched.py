"""``grad(..., is_grads_batched=True)``: one backward pass for each of several vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..autograd.grad_mode import enable_grad
from ..ops.more.cat_split import stack
from ..tensor import Tensor


def answers_of_batch(
    answers_of_pass: Callable,
    outputs: Sequence,
    inputs: Sequence,
    seeds: Sequence,
    retain_graph: bool,
    create_graph: bool,
) -> list[Tensor | None]:
    """The gradients for every vector of a batch, stacked along a new first dimension.

    Args:
        answers_of_pass: runs one backward pass; it takes the arguments that follow.
        outputs, inputs: as for :func:`..autograd.grad`.
        seeds: for each output the vectors v of v·J, stacked along their first dimension.
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
    for seed in seeds:
        check_batch(seed)
    sizes = [len(seed) for seed in seeds]
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    last = sizes[0] - 1
    rows = []
    for i in range(last + 1):
        row = [seed[i] for seed in seeds]
        kept = retain_graph or i < last
        rows.append(answers_of_pass(outputs, inputs, row, kept, create_graph))
    with enable_grad():  # as far as the rows were recorded
        return [None if column[0] is None else stack(column) for column in zip(*rows)]


def check_batch(seed: Tensor | None) -> None:
    """Refuse what has no first dimension to count vectors."""
    called = "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for"
    if seed is None:
        raise ValueError(
            f"{called} an input but the input is of type {type(seed)}. We cannot vmap over "
            "non-Tensor arguments, please use None as the respective in_dim"
        )
    if seed.ndim == 0:
        raise ValueError(
            f"{called} some input, but that input is a Tensor of dimensionality 0 so expected "
            "in_dim to satisfy 0 <= in_dim < 0."
        )
