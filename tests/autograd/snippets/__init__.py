"""The rest of `torch.autograd` as snippets: what its tools answer, and what they refuse.

They are written like the snippets of the items, recorded from PyTorch into ``autograd.json`` and
replayed on minigrad.
"""

from tests.autograd.snippets import (
    anomaly,
    corners,
    edges,
    functional,
    functions,
    gradcheck,
    mutation,
    passes,
    saved_hooks,
    shared_memory,
    views,
)
from tests.autograd.snippets.registry import SNIPPETS

ROOMS = (
    anomaly,
    corners,
    edges,
    functional,
    functions,
    gradcheck,
    mutation,
    passes,
    saved_hooks,
    shared_memory,
    views,
)

__all__ = ["ROOMS", "SNIPPETS"]
