"""The operations, grouped as a reader would look them up.

How they become functions, methods and in-place forms is in :mod:`.bind`.
"""

# Each enters its operations into the table.
from . import (  # noqa: F401
    arithmetic,
    casting,
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
    permuting,
    random_fill,
    reduction,
    selecting,
    shape,
    softmax,
    sorting,
    statistics,
    strided,
    turning,
)
from .bind import bind

bind()
