"""The graph model as DOT, the language of Graphviz.

The DOT text can be drawn by any Graphviz program as it is. It fixes the size of every node and
keeps room for the widest label of every edge, so that all views and all steps of a graph share
one layout.
"""

from __future__ import annotations

from minigrad.trace.model import Graph

from .elements import Line, Shape, lines, shapes

BLUE, GRAY, INK, RUST = "#0072B2", "#6E6E6E", "#111111", "#D55E00"

#: Graphs with more layers than this grow downwards instead of to the right.
WIDE = 5


def to_dot(graph: Graph, view: str = "both", direction: str | None = None) -> str:
    """DOT text of a view: ``"forward"``, ``"backward"`` or ``"both"``.

    It grows to the ``"right"`` or ``"down"``; by default to the right where it is short.

    Raises:
        ImportError: if the Python package ``graphviz`` is missing.

    >>> from minigrad.trace import Graph, Value
    >>> print(to_dot(Graph([Value("v0", "x", "2", (), leaf=True)])))  # doctest: +ELLIPSIS
    digraph graph_of_tensors {...v0 [label="x = 2" ... shape=box style=solid width=...]
    }
    <BLANKLINE>
    """
    import graphviz

    dot = graphviz.Digraph("graph_of_tensors")
    across = depth(graph) <= WIDE if direction is None else direction == "right"
    beside = "0.4" if across or not graph.room else "0.8"  # room for badges
    layers = {"rankdir": "LR", "ranksep": "0.4"} if across else {"ranksep": "0.35"}
    dot.attr("graph", bgcolor="white", nodesep=beside, **{"rankdir": "TB", **layers})
    dot.attr("node", fixedsize="true", fontname="Helvetica", fontsize="12", margin="0")
    dot.attr("edge", arrowsize="0.8", dir="both", fontname="Courier", fontsize="13")
    drawn = shapes(graph, view)
    for place, shape in drawn.items():
        dot.node(place, graphviz.escape("\n".join(text for _, text in shape.lines)), **look(shape))
    for line in lines(graph, view):
        dot.edge(line.source, line.target, **path(line, view))
    return dot.source


def look(shape: Shape) -> dict[str, str]:
    """Size, outline and color of a node."""
    # Graphviz draws a second border around the first, four points further out.
    double = bool({"leaf", "accumulate"} & set(shape.classes))
    width, height = (side - 8 if double else side for side in shape.size)
    style, color = "solid", BLUE
    if "unasked" in shape.classes:
        style, color = "dotted", GRAY
    elif "ghost" in shape.classes:
        style, color = "invis", GRAY
    elif shape.form == "oval":
        color = INK
    return {
        "shape": "ellipse" if shape.form == "oval" and not shape.below else "box",
        "peripheries": "2" if double else "1",
        "style": style,
        "color": color,
        "width": f"{width / 72:.3f}",
        "height": f"{height / 72:.3f}",
    }


def path(line: Line, view: str) -> dict[str, str]:
    """Line style and room of an edge."""
    backward = view == "backward" and "unasked" not in line.classes
    look = {
        "id": line.key,
        "color": GRAY if "unasked" in line.classes else RUST if backward else BLUE,
        "style": "dashed" if backward else "solid",
    }
    if line.room:
        look["label"] = line.room
    elif line.number:
        look["label"] = line.number
    return look


def depth(graph: Graph) -> int:
    """The number of layers of a graph: of values and operations on its longest path."""
    below: dict[str, list[str]] = {}
    waiting: dict[str, int] = {}
    for edge in graph.edges:
        below.setdefault(edge.source, []).append(edge.target)
        waiting[edge.target] = waiting.get(edge.target, 0) + 1
    ready = [element.key for element in graph.elements() if element.key not in waiting]
    layer = dict.fromkeys(ready, 1)
    while ready:
        key = ready.pop()
        for target in below.get(key, ()):
            layer[target] = max(layer.get(target, 0), layer[key] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return max(layer.values(), default=0)
