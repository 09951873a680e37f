"""The table of operations: each operation of the first ring, called on samples that probe it.

A call is written as a user writes it, ``call(torch, *inputs)``, for whichever library it is given.
From the table come the comparison with PyTorch, the check against finite differences and the page
of operations.
"""

from tests.ops.table import (
    arithmetic,
    in_place,
    indexing,
    linear_algebra,
    pointwise,
    reductions,
    shapes,
)
from tests.ops.table.case import CASES, Case

GROUPS = (pointwise, arithmetic, reductions, linear_algebra, shapes, indexing, in_place)

__all__ = ["CASES", "GROUPS", "Case"]
