"""What toy engines get wrong: the fifteen behaviors beyond the documents, as snippets.

They are written like the snippets of the items, recorded from PyTorch into ``behavior.json`` and
replayed on minigrad.
"""

from tests.autograd.behavior import (
    accumulation,
    higher_order,
    hooks,
    in_place,
    leaves,
    modes,
    saved,
)
from tests.autograd.behavior import values as values_and_dtypes
from tests.autograd.behavior.registry import BEHAVIORS

ROOMS = (leaves, accumulation, saved, in_place, values_and_dtypes, higher_order, hooks, modes)

__all__ = ["BEHAVIORS", "ROOMS"]
