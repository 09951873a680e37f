"""A pass through the graph as plain data: recorded, told as events, cut into frames.

* `graph_of` reads the graph that made a tensor into a `Graph` of values, operations and edges.
* `record_backward` runs a backward pass, changes nothing, and gives a `Trace`: its events, and
  `Trace.frames`, one dict for each step on the screen (see `minigrad.trace.frames`).
* `record` watches a forward pass.

Everything goes through the doors a user has: ``grad_fn``, ``next_functions``, ``_saved_*`` and
the hooks of nodes.
"""

from .backward import Trace, record_backward
from .collapse import collapse
from .forward import record
from .model import Edge, Graph, Operation, Saved, Value
from .survey import graph_of

__all__ = [
    "Edge",
    "Graph",
    "Operation",
    "Saved",
    "Trace",
    "Value",
    "collapse",
    "graph_of",
    "record",
    "record_backward",
]
