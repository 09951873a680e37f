"""Parameters, modules, layers and losses as snippets, recorded from PyTorch into ``nn.json``."""

from tests.nn.registry import SNIPPETS
from tests.nn.snippets import layers, losses, modules, parameters

__all__ = ["SNIPPETS", "layers", "losses", "modules", "parameters"]
