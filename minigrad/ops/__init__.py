"""The operations, grouped as a reader would look them up.

How they become functions, methods and in-place forms is in :mod:`.bind`.
"""

from . import (
    casting,
    closeness,
    cumulative,
    diagonals,
    einsum,
    extremes,
    gathering,
    indexing,
    inplace,
    joining,
    linalg,
    logic,
    norms,
    permuting,
    pointwise,
    random_fill,
    reduction,
    rule,
    shape,
    softmax,
    sorting,
    statistics,
    turning,
)
from .bind import bind

bind()

__all__ = [
    "casting",
    "closeness",
    "cumulative",
    "diagonals",
    "einsum",
    "extremes",
    "gathering",
    "indexing",
    "inplace",
    "joining",
    "linalg",
    "logic",
    "norms",
    "permuting",
    "pointwise",
    "random_fill",
    "reduction",
    "rule",
    "shape",
    "softmax",
    "sorting",
    "statistics",
    "turning",
]
