"""The operations, grouped as a reader would look them up.

How they become functions, methods and in-place forms is in :mod:`.binding`.
"""

# Each enters its operations into the table.
from . import (  # noqa: F401
    arithmetic,
    broadcasting,
    comparisons,
    elementary,
    indexing,
    inplace,
    linalg,
    piecewise,
    reductions,
    shape,
    strided,
    transpose,
)
