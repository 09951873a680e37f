"""A pass through the graph as plain data: recorded turn by turn, told in frames.

* `graph_of` reads the graph that made a tensor into a `Graph` of values, operations and edges.
* `record_backward` runs a backward pass, changes nothing, and gives a `Trace`: its turns, and
  `Trace.frames`, one dict for each step on the screen (see `minigrad.trace.frames`).
* `watch` and `record` watch a forward pass: values, plain numbers, names, modules.
* `graph_until_error` is the graph of a watched forward pass that raised.

Everything goes through the doors a user has: ``grad_fn``, ``next_functions``, ``_saved_*`` and
the hooks of nodes. The modules, in the order in which they are best read:

1. What all the others speak of: ``model`` (values, operations, edges, groups), ``numbers`` (how
   they are printed), ``sentences`` (the readers of the tables beside them, ``*.toml``).
2. From tensors to a graph: ``names`` (whose name a tensor bears), ``read`` (what one node says of
   itself), ``survey``.
3. What a value without a name is called: ``expressions`` (x·x), ``roles`` ("the product"),
   ``old_values`` (x before line 5).
4. A watched forward pass: ``forward`` (what it leaves behind), ``listen`` (who hears it), ``tape``
   (`watch` and `record`), ``modules`` (boxes for them), ``failed`` (one that raised).
5. A recorded backward pass: ``turns`` (what happens while a node runs), ``hooks`` (which write
   that down), ``contents`` (what is remembered and put back), ``unchanged`` (what of all that a
   pass needs), ``recording`` (`record_backward`).
6. The rule of a step: ``derivatives`` (the table), ``formulas`` (in words, symbols and code),
   ``factors`` (with the numbers of this step).
7. What stands on the screen: ``groups`` (what of a large graph one picture shows), ``screen``,
   ``walk`` (one walk over the turns), ``speakers`` (who is spoken of), ``words`` (the sentence),
   ``rows`` (the details), ``questions`` (what "ask me" asks), ``frames``.
"""

from .failed import error_frame, graph_until_error
from .model import Edge, Graph, Operation, Saved, Value
from .modules import at_depth, find_group
from .recording import Trace, record_backward
from .survey import graph_of
from .tape import record, watch

__all__ = [
    "Edge",
    "Graph",
    "Operation",
    "Saved",
    "Trace",
    "Value",
    "at_depth",
    "error_frame",
    "find_group",
    "graph_of",
    "graph_until_error",
    "record",
    "record_backward",
    "watch",
]
