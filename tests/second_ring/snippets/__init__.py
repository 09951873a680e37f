"""The second ring as snippets: forward mode, transforms, inference mode, checkpoints.

They are written like the snippets of the items, recorded from PyTorch into ``second_ring.json`` and
replayed on minigrad.
"""

from tests.second_ring.snippets import (
    batched_grads,
    checkpoints,
    forward_mode,
    inference,
    modules,
    transforms,
    tutorials,
    vmaps,
)
from tests.second_ring.snippets.registry import SNIPPETS

ROOMS = (
    batched_grads,
    checkpoints,
    forward_mode,
    inference,
    modules,
    transforms,
    tutorials,
    vmaps,
)

__all__ = ["ROOMS", "SNIPPETS"]
