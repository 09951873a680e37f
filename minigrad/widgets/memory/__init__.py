"""The memory lab: what does a graph keep, for how long, and what would it cost to keep less?

    w = memory_lab("tanh", depth=16)
    w.press("loss.backward()")
    w.text()

`kept` counts, `running` runs a chain and counts after each operation, `drawn` and `sentences` say
what was counted, and `lab` puts them on a board.
"""

from .kept import GraphMemory, graph_memory
from .lab import MemoryLab, memory_lab

__all__ = ["GraphMemory", "MemoryLab", "graph_memory", "memory_lab"]
