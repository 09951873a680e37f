"""What each element of a graph looks like in a view: its lines of text, its slots, its size.

Sizes do not depend on the view, so the forward and the backward picture of a graph
have everything in the same place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from minigrad.trace.model import Graph, Index, Operation, Value

from .measure import text_width

VIEWS = ("forward", "backward", "both")

MAIN, SMALL = 14, 12  #: font sizes
LINE = 18  #: height of a line
TRAY = 24  #: height of the tray under a leaf, and of the box for saved values
PAD = 12

ORDINALS = "①②③④⑤⑥⑦⑧⑨"


@dataclass
class Shape:
    """A drawn node: ``form`` is ``box`` or ``oval``, ``size`` includes what hangs below it."""

    key: str
    form: str
    classes: list[str]
    lines: list[tuple[str, str]]  # (class, text)
    size: tuple[float, float]
    below: str | None = None  # the slot in the tray: "grad" or "saved"
    texts: dict[str, str] = field(default_factory=dict)  # what slots say without a frame

    @property
    def body(self) -> float:
        """The height of the shape itself."""
        return self.size[1] - (TRAY if self.below else 0)


@dataclass
class Line:
    """A drawn edge, in the direction of the forward pass."""

    key: str
    source: str  # keys of shapes
    target: str
    operand: bool
    classes: list[str]
    number: str = ""  # which operand it is, where there are several
    room: str = ""  # the widest gradient it will carry


def shapes(graph: Graph, view: str) -> dict[str, Shape]:
    """All drawn nodes of a view, by the key at which they stand: a leaf's is the leaf's own."""
    accumulators = {op.makes: op for op in graph.operations if op.kind == "accumulate"}
    found = {}
    for value in graph.values:
        shape = _value(graph, value, view, accumulators.get(value.key))
        found[value.key] = shape
    for operation in graph.operations:
        if operation.kind != "accumulate":
            found[operation.key] = _operation(graph, operation, view)
    return found


def lines(graph: Graph, view: str) -> list[Line]:
    """All drawn edges of a view."""
    index = Index(graph)
    found = []
    for edge in graph.edges:
        operand = edge.argument is not None
        ends = [index.values.get(edge.source), index.values.get(edge.target)]
        asked = all(end is None or end.requires_grad for end in ends)
        classes = ["edge", "operand" if operand else "result"]
        if not asked:
            classes.append("unasked")
        number = ""
        if operand and len(index.operands[edge.target]) > 1 and edge.argument < len(ORDINALS):
            number = ORDINALS[edge.argument]
        room = graph.room.get(edge.key, {}).get("gradient", "")
        found.append(Line(edge.key, edge.source, edge.target, operand, classes, number, room))
    return found


def _value(graph: Graph, value: Value, view: str, accumulator: Operation | None) -> Shape:
    reserved = _value_lines(value)
    room = {**graph.room.get(value.key, {})}
    tray = f".grad {value.grad or 'None'}"
    widths = [text_width(text, MAIN if kind == "main" else SMALL) for kind, text in reserved]
    height = LINE * len(reserved) + PAD
    texts = {}
    if accumulator is not None:
        widths += [text_width(tray, SMALL), text_width(room.get("grad", ""), SMALL)]
        widths.append(text_width("AccumulateGrad", SMALL))
        height = max(height, 2 * LINE + PAD) + TRAY
        texts["grad"] = tray
    size = (max(widths) + 2 * PAD, height)
    below = "grad" if accumulator is not None else None
    if view == "backward":
        if accumulator is not None:
            named = [("small", accumulator.node), ("small", value.name)]
            classes = ["node", "accumulate"]
            return Shape(accumulator.key, "oval", classes, named, size, below, texts)
        classes = ["value", "ghost" if value.requires_grad else "unasked"]
        return Shape(value.key, "box", classes, [("small", value.name)], size)
    kind = "leaf" if accumulator is not None else "result"
    classes = ["value", kind if value.requires_grad else "unasked"]
    return Shape(value.key, "box", classes, reserved, size, below, texts)


def _value_lines(value: Value) -> list[tuple[str, str]]:
    """``x = 2`` on one line; a matrix that would make it long on several."""
    whole = f"{value.name} = {value.text}"
    if len(whole) <= 26 or not value.text.startswith("[["):
        if value.text.startswith("shape "):
            shape, _, span = value.text.partition("], ")
            found = [("main", value.name), ("small", shape + "]"), ("small", span)]
        else:
            found = [("main", whole)]
    else:
        rows = value.text.replace("], [", "],\n [").split("\n")
        found = [("main", f"{value.name} ="), *(("main", row) for row in rows)]
    if not value.requires_grad:
        found.append(("small", "no grad"))
    return found


def _operation(graph: Graph, operation: Operation, view: str) -> Shape:
    named = [("symbol", caption(operation)), ("small", operation.node)]
    if view == "backward":
        named = [("small", operation.node), ("small", caption(operation))]
    kept = with_versions(operation) if view == "backward" else ""
    room = [graph.room.get(operation.key, {}).get("saved", ""), with_versions(operation)]
    texts = [(19, caption(operation)), (SMALL, operation.node)]
    width = max(text_width(text, size) for size, text in texts) * 1.1 + 2 * PAD
    height = 2 * LINE + PAD + 6
    below, texts = None, {}
    if operation.saved or operation.freed:
        width = max(width, *(text_width(text, SMALL) + PAD for text in room))
        height += TRAY
        below = "saved" if view != "forward" else None
        texts["saved"] = "freed" if operation.freed else kept or room[0] or with_versions(operation)
    classes = ["node", "operation"]
    return Shape(operation.key, "oval", classes, named, (width, height), below, texts)


def caption(operation: Operation) -> str:
    """The symbol with the plain numbers that went in: ``+ 1``, ``1 ÷``."""
    numbers = operation.constants
    if 1 in numbers:
        turned = operation.node.startswith("Rsub")
        sides = (numbers[1], operation.symbol) if turned else (operation.symbol, numbers[1])
        return " ".join(sides)
    if 0 in numbers:
        return f"{numbers[0]} {operation.symbol}"
    return operation.symbol


def with_versions(operation: Operation) -> str:
    """What an operation keeps, each with the version at which it was saved: ``keeps a v0``."""
    kept: dict[str, None] = {}
    for saved in operation.saved:
        version = "" if saved.version is None else f" v{saved.version}"
        kept[f"{saved.name}{version}"] = None
    return "keeps " + ", ".join(kept) if kept else ""
