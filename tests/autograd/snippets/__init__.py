"""The rest of `torch.autograd` as snippets: what its tools answer, and what they refuse.

They are written like the snippets of the items, recorded from PyTorch into ``autograd.json`` and
replayed on minigrad. Every module of this folder is a room of them.
"""

import importlib
import pkgutil

from tests.autograd.snippets.registry import SNIPPETS

ROOMS = [
    importlib.import_module(f"{__name__}.{module.name}")
    for module in pkgutil.iter_modules(__path__)
    if module.name != "registry"
]

__all__ = ["ROOMS", "SNIPPETS"]
