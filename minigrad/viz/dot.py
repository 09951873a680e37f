"""The graph model as DOT, the language of Graphviz.

Every node has a fixed size and no edge has a label, so the fonts of a machine change nothing: all
Graphviz programs of today give the same places.
"""

from __future__ import annotations

from minigrad.trace.model import Graph

from .blocks import Block
from .drawing import Drawing, compose

ABOVE, BELOW, APART = 22, 19, 16  #: room for what stands above and below a block, and between two
LINE = 15  #: and for a label
BESIDE = 28  #: between blocks of a picture that grows downwards
GAP = 56  #: the least distance between columns


def to_dot(graph: Graph, view: str = "both", direction: str = "right", **scene) -> str:
    """DOT text of a view: ``"forward"``, ``"backward"`` or ``"both"``.

    Args:
        direction: it grows to the ``"right"`` or ``"down"``.
        scene: ``inside``, ``room`` and ``show`` as in `minigrad.viz.draw`.

    Raises:
        ImportError: if the Python package ``graphviz`` is missing.

    >>> from minigrad.trace import Graph, Value
    >>> print(to_dot(Graph([Value("v0", "x", "2", (), leaf=True)])))  # doctest: +ELLIPSIS
    digraph graph_of_tensors {...v0 [label="x = 2" height=0.77778 width=1.2...]
    }
    <BLANKLINE>
    """
    return dot_of(compose(graph, view, down=direction == "down", **scene), labels=True)


def dot_of(drawing: Drawing, labels: bool = False) -> str:
    """DOT text of a drawing; ``labels`` are for other readers, the layout needs none."""
    import graphviz

    dot = graphviz.Digraph("graph_of_tensors")
    down = drawing.down
    labelled = any(wire.factor or wire.sent for wire in drawing.wires)
    beside = BESIDE if down else ABOVE + BELOW + APART + LINE * labelled
    dot.attr(
        "graph",
        rankdir="TB" if down else "LR",
        nodesep=_inches(beside),
        ranksep=_inches(GAP),
    )
    dot.attr("node", shape="box", fixedsize="true", label="", margin="0")
    dot.attr("edge", dir="forward")
    shift = lean(drawing)
    for place in _in_order(drawing):
        block = drawing.blocks[place]
        width, height = room_of(block, down, shift)
        label = {"label": graphviz.escape(said(block))} if labels else {}
        dot.node(place, width=_inches(width), height=_inches(height), **label)
    for wire in drawing.wires:
        # What was computed runs straight through the picture, leaves stand beside it.
        weight = "4" if drawing.blocks[wire.source].inlet else "1"
        dot.edge(wire.source, wire.target, id=wire.key, weight=weight)
    return dot.source


def _in_order(drawing: Drawing) -> list[str]:
    """The places of the blocks, so that parts without a line between them stand as they came.

    Graphviz puts what it reads first at the lower end of a picture that grows to the right.
    """
    homes = {place: [place] for place in drawing.blocks}
    for wire in drawing.wires:
        one, other = homes[wire.source], homes[wire.target]
        if one is not other:
            one += other
            homes.update(dict.fromkeys(other, one))
    if drawing.down or len({id(home) for home in homes.values()}) == 1:
        return list(drawing.blocks)
    came: dict[int, int] = {}
    for at, home in enumerate(homes.values()):
        came.setdefault(id(home), -at)
    return sorted(homes, key=lambda place: came[id(homes[place])])


def _inches(pixels: float) -> str:
    """In even points: older engines compute with whole halves of them."""
    return f"{2 * round(pixels / 2) / 72:.5f}"


def said(block: Block) -> str:
    """What stands in a block, as lines of plain text."""
    lines = [block.sign] if block.sign else []
    for box in block.boxes:
        lines += [" ".join(text for _, text in line).replace("  ", " ") for line in box.lines]
    if block.group:
        lines.append(block.group.name)
    return "\n".join(lines)


# -- how much room a block takes --------------------------------------------------------------


def reach(block: Block) -> tuple[float, float]:
    """How far a block that grows downwards reaches to both sides of its middle line."""
    right = max([block.width, *(text.x + text.width for text in block.texts())])
    return block.axis, right - block.axis


def lean(drawing: Drawing) -> float:
    """How far right of its line the middle of a node is: one for all, to keep chains straight."""
    if not drawing.down or not drawing.blocks:
        return 0
    reaches = [reach(block) for block in drawing.blocks.values()]
    return round((max(r for _, r in reaches) - max(left for left, _ in reaches)) / 2)


def room_of(block: Block, down: bool, shift: float) -> tuple[float, float]:
    """Width and height of a node; what stands above and below is part of the distances."""
    if not down:
        return block.width, block.height
    left, right = reach(block)
    above = min([0, *(text.y for text in block.texts())])
    return 2 * max(left + shift, right - shift), block.height - 2 * above
