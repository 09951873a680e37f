"""Forward mode: dual numbers, whose tangents travel with the values.

The code is in :mod:`minigrad.extras.forward_ad`.
"""

from ..extras.forward_ad import (
    UnpackedDualTensor,
    dual_level,
    enter_dual_level,
    exit_dual_level,
    make_dual,
    unpack_dual,
)

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]
