"""The operations, grouped as a reader would look them up.

How they become functions, methods and in-place forms is in :mod:`.bind`.
"""

from . import (  # noqa: F401  each enters its operations into the table
    arithmetic,
    casting,
    closeness,
    cumulative,
    diagonals,
    einsum,
    extremes,
    functions,
    gathering,
    indexing,
    inplace,
    joining,
    kinks,
    linalg,
    logic,
    norms,
    permuting,
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
