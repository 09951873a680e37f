"""Looking up rows of a table by their numbers: ``embedding`` as a function and as a module."""

from __future__ import annotations

import numpy as np

from ..autograd.grad_mode import no_grad
from ..dtypes import type_name
from ..extras import random
from ..extras.factories import empty
from ..ops.more.gather_scatter import index_select, masked_fill
from ..ops.more.index_put import written
from ..ops.promotion import raw
from ..ops.rule import Rule
from ..ops.shape import reshape, view
from ..tensor import Tensor, wrap
from .module import Module
from .parameter import Parameter

NO_PADDING = 2**64 - 1  # nodes show −1, which is no row, as an unsigned number


def into_rows(g, indices, padding_idx, weight_sym_argsize_0):
    """The gradient of the table: zeros, with ``g`` added to the rows that were looked up."""
    places, rows = raw(indices).reshape(-1), raw(g).reshape(-1, raw(g).shape[-1])
    kept = places != padding_idx
    table = np.zeros((weight_sym_argsize_0, rows.shape[1]), rows.dtype)
    table = written(table, (places[kept],), rows[kept], add=True)
    return INTO_ROWS.record(table, g, indices=indices, padding_idx=padding_idx)


def looked_up(g, indices, padding_idx):
    """The rows of ``g`` that :func:`into_rows` added up, and 0 for the row of padding."""
    flat = reshape(indices, -1)
    rows = index_select(g, 0, flat)
    if padding_idx != NO_PADDING:
        rows = masked_fill(rows, reshape(flat == padding_idx, -1, 1), 0)
    return view(rows, *indices.shape, g.shape[1])


EMBEDDING = Rule(
    "embedding",
    arguments=("padding_idx", "scale_grad_by_freq", "sparse", "weight_sym_argsize_0"),
    weight=into_rows,
)
INTO_ROWS = Rule(
    "embedding_dense_backward", node="EmbeddingDenseBackwardBackward0", grad_output=looked_up
)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of ``weight`` that ``input`` names; a row named twice gets both gradients.

    Args:
        input: integers of any shape.
        weight: the table, shape (rows, size).
        padding_idx: a row that gets no gradient.
        max_norm, norm_type, scale_grad_by_freq, sparse: not supported.

    Returns:
        A tensor of shape (…, size).

    Raises:
        IndexError: there is no such row; negative numbers name none.
        RuntimeError: ``weight`` is no matrix, or ``input`` holds no integers.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.embedding.html

    >>> import minigrad as mg
    >>> table = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> rows = mg.nn.functional.embedding(mg.tensor([1, 1, 0]), table)
    >>> rows.sum().backward()
    >>> table.grad
    tensor([[1., 1.],
            [2., 2.]])
    """
    refuse_left_out(max_norm, scale_grad_by_freq, sparse)
    for name, position, given in (("weight", 1, weight), ("indices", 2, input)):
        if not isinstance(given, Tensor):
            wanted = f"argument '{name}' (position {position}) must be Tensor"
            raise TypeError(f"embedding(): {wanted}, not {type_name(given)}")
    if padding_idx is not None:
        padding_idx = row_of(padding_idx, len(weight))
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    table, places = raw(weight), raw(input)
    if places.dtype not in (np.int32, np.int64):
        got = "CPUBoolType" if places.dtype.kind == "b" else input.type()
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {got} instead (while checking arguments for embedding)"
        )
    if places.size and not (0 <= places.min() and places.max() < len(table)):
        raise IndexError("index out of range in self")
    return EMBEDDING.record(
        np.take(table, places, axis=0),
        weight,
        indices=input,
        padding_idx=NO_PADDING if padding_idx is None else padding_idx,
        scale_grad_by_freq=False,
        sparse=False,
        weight_sym_argsize_0=len(table),
    )


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """For each number a row of zeros with a 1 in its place: the row that a table looks up.

    Args:
        tensor: int64 numbers of any shape, none below 0.
        num_classes: the size of a row; -1 is one more than the largest number.

    Returns:
        An int64 tensor of shape (…, num_classes).

    Raises:
        RuntimeError: the elements are not int64, below 0, or too large for a row.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.one_hot.html

    >>> import minigrad as mg
    >>> mg.nn.functional.one_hot(mg.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    places = raw(tensor)
    if places.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not places.size and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if places.size and places.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(places.max()) + 1
    elif places.size and places.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return wrap((places[..., None] == np.arange(num_classes)).astype(np.int64))


def refuse_left_out(max_norm, scale_grad_by_freq, sparse) -> None:
    """Say what PyTorch's embedding can do besides, where it is asked for."""
    asked = {"max_norm": max_norm, "scale_grad_by_freq": scale_grad_by_freq, "sparse": sparse}
    for name, value in asked.items():
        if value is not None and value is not False:
            raise NotImplementedError(f"embedding(): {name}= is not supported")


def row_of(padding_idx: int, rows: int) -> int:
    """The row of padding, which may be counted from the end."""
    if padding_idx and not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx + rows if padding_idx < 0 else padding_idx


class Embedding(Module):
    """A table of which the input names rows: a learned vector for each of so many things.

    The numbers start normal, with mean 0 and deviation 1; the row of padding starts with zeros.

    Args:
        num_embeddings: how many rows there are.
        embedding_dim: the size of each.
        padding_idx: a row that gets no gradient.
        max_norm, norm_type, scale_grad_by_freq, sparse: not supported.
        dtype: the dtype of the table.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.Embedding.html

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.Embedding(3, 2, padding_idx=0)(mg.tensor([2, 0]))
    tensor([[-1.0845, -1.3986],
            [ 0.0000,  0.0000]], grad_fn=<EmbeddingBackward0>)
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        refuse_left_out(max_norm, scale_grad_by_freq, sparse)
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = None if padding_idx is None else row_of(padding_idx, num_embeddings)
        shape = (num_embeddings, embedding_dim)
        if _weight is not None and _weight.shape != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        given = empty(shape, dtype=dtype) if _weight is None else _weight
        self.weight = Parameter(given, requires_grad=not _freeze)
        if _weight is None:
            self.reset_parameters()

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None
    ) -> Embedding:
        """A module whose table is this matrix, in the same memory; frozen unless asked otherwise.

        >>> import minigrad as mg
        >>> mg.nn.Embedding.from_pretrained(mg.ones(3, 2))
        Embedding(3, 2)
        """
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        return cls(*embeddings.shape, padding_idx, _weight=embeddings, _freeze=freeze)

    def reset_parameters(self) -> None:
        """Draw new random numbers; the row of padding gets zeros."""
        with no_grad():
            drawn = random.randn(self.weight.shape, self.weight.dtype.numpy)
            self.weight.copy_(wrap(drawn))
            if self.padding_idx is not None:
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        return embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
