"""How a copy lies in memory: as its original does, without gaps.

It decides what a reshape has to copy, and so whether a write through it shows.
"""

from __future__ import annotations

from numpy import ndarray


def copied(x):
    """A copy of a raw value that lies in memory as the original does, but without gaps.

    Where elements are repeated its steps tell no order, and the copy is in reading order.

    >>> import numpy as np
    >>> copied(np.ones((3, 2), order="F")).strides, copied(np.broadcast_to(1.0, (2, 3))).strides
    ((8, 24), (24, 8))
    """
    if x.__class__ is not ndarray:
        return x
    return x.copy("K") if 0 not in x.strides else x.copy("C")
