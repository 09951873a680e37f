"""Finite differences: how far they are from what backward says, for every eps, and the verdict.

`error_curve()` is a board with functions to choose from, and
`error_curve("exp(x)", x=2.)` begins with one of one's own. `cases` has the functions,
`measured` nudges them and asks gradcheck, `drawn` makes the chart and the table, and `words` says
what they show.
"""

from .board import ErrorCurve, error_curve

__all__ = ["ErrorCurve", "error_curve"]
