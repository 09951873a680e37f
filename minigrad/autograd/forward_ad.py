"""Forward mode: dual numbers, whose tangents travel with the values.

The code is in :mod:`minigrad.extras.forward_ad`.
"""

from ..extras import forward_ad
from ..extras.forward_ad import *  # noqa: F403

__all__ = forward_ad.__all__
