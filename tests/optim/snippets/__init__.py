"""Optimizers as snippets, recorded from PyTorch into ``optim.json``."""

from tests.optim.registry import SNIPPETS
from tests.optim.snippets import manners, steps

__all__ = ["SNIPPETS", "manners", "steps"]
