"""What one picture shows: the blocks of a scene, and the lines between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from minigrad.language import _
from minigrad.trace.groups import Line, children
from minigrad.trace.model import Graph, Group, Operation, Value

from . import building
from .blocks import Block, Needs
from .measure import clip

VIEWS = ("forward", "backward", "both")
ORDINALS = "①②③④⑤⑥⑦⑧⑨"
USES = 3  #: so many lines leave a leaf; each further use has a stub
FEW = 60  #: of so many lines words below ovals may reach between them; each such word takes time
PARAMETERS = 4, 12  #: a module lists up to 4 parameters of its own where there are up to 12 in all
ANY_ORDER = {"+", "×", "add", "mul", "maximum", "minimum", "logaddexp", "dot"}


@dataclass
class Wire:
    """A line from a value to its use, with room for the widest gradient it will carry."""

    key: str
    source: str  # places of blocks
    value: str  # which outlet of the source it leaves
    target: str
    argument: int = 0
    ordinal: str = ""
    asked: bool = True
    factor: str = ""
    sent: str = ""


@dataclass
class Drawing:
    """Blocks by place, and wires, in the order in which they were made."""

    blocks: dict[str, Block] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)
    view: str = "both"
    down: bool = False


def compose(
    graph: Graph,
    view: str = "both",
    *,
    inside: str | None = None,
    room: Mapping[str, Mapping[str, str]] | None = None,
    show: str = "all",
    down: bool = False,
) -> Drawing:
    """The drawing of a scene of a graph, its blocks with their sizes, nothing in its place yet.

    Raises:
        KeyError: if the graph has no group ``inside``.

    >>> graph = Graph([Value("v0", "x", "2", (), leaf=True)])
    >>> compose(graph).blocks["v0"].kind
    'leaf'
    """
    return _Composer(graph, view, inside, room or {}, show, down).drawing


class _Composer:
    """Builds the drawing of one scene."""

    def __init__(self, graph, view, inside, room, show, down):
        self.graph, self.view, self.room, self.show, self.down = graph, view, room, show, down
        self.index = graph.index
        self.scene = children(graph, inside)
        self.drawing = Drawing(view=view, down=down)
        self.makers = {}  # value -> the operation of this scene that made it
        for operation in (self.index.operations[key] for key in self.scene.operations):
            if operation.kind != "accumulate":
                for edge in self.index.results[operation.key]:
                    self.makers[edge.target] = operation.key
        self.leaves = sum(value.leaf for value in graph.values)
        self.twins = Counter(value.name for value in graph.values if not value.named)
        made = [op for op in graph.operations if op.kind == "operation"]
        twins = [op for op in made if self.twin(self.index.values[op.makes])]
        self.counted = {op.node for op in twins}  # their results are told apart by their roles
        self.stubs = self.choose_stubs()
        self.count()
        self.build()
        self.drawing.wires = [self.wire(line) for line in self.scene.lines]
        if view == "backward":
            self.leave_out_unasked()

    def choose_stubs(self) -> dict[str, str]:
        """The lines that start at a stub: key of the line -> place of the stub."""
        uses: dict[str, list[Line]] = defaultdict(list)
        for line in self.scene.lines:
            if line.source in self.index.values and line.source not in self.makers:
                uses[line.source].append(line)
        found = {}
        for key, lines in uses.items():
            homes = list(dict.fromkeys(line.target for line in lines))[:USES]
            late = [line for line in lines if line.target not in homes]
            found.update((line.key, f"{key}_{line.target}") for line in late)
        return found

    def count(self) -> None:
        """How many lines reach and leave each block."""
        lines = self.scene.lines
        self.inputs = Counter(line.target for line in lines)
        self.users: Counter[str] = Counter()
        for line in lines:
            if line.key not in self.stubs:
                value = line.source_value if line.source in self.index.values else line.source
                self.users[value] += 1

    def needs(self, key: str, **more) -> Needs:
        room = self.room.get(key, {})
        plain = self.show == "values"
        shown = {"tray": not plain, "classes": not plain, "twofold": self.view == "both"}
        more |= {"room": room, "rooms": self.room, "few": len(self.scene.lines) <= FEW}
        return Needs(self.down, self.inputs[key], self.users, **shown, **more)

    # -- blocks --

    def build(self) -> None:
        operations = [self.index.operations[key] for key in self.scene.operations]
        for key in [*self.scene.boundary, *self.scene.values]:
            if key not in self.makers:
                self.add(self.value(self.index.values[key], key in self.scene.boundary))
        for key in self.scene.groups:
            self.add(self.group(next(g for g in self.graph.groups if g.key == key)))
        for operation in operations:
            if operation.kind != "accumulate":
                self.add(self.operation(operation))
        for line in self.scene.lines:
            place = self.stubs.get(line.key)
            if place and place not in self.drawing.blocks:
                value = self.index.values[line.source]
                self.add(building.stub(value, place, self.down))

    def add(self, block: Block) -> None:
        self.drawing.blocks[block.place] = block

    def value(self, value: Value, boundary: bool) -> Block:
        kind = "leaf" if value.leaf else "value" if boundary else "unasked"
        if not value.requires_grad:
            kind = "unasked"
        elif boundary:
            kind = "value"
        maker = self.index.maker.get(value.key)
        if self.view == "backward" and kind == "leaf" and maker is not None:
            needs = self.needs(value.key)
            return building.node(maker.key, maker.node, value.name, "", value, needs)
        return building.value(value, kind, self.needs(value.key))

    def operation(self, operation: Operation) -> Block:
        made = [self.index.values[edge.target] for edge in self.index.results[operation.key]]
        if self.view == "backward":
            names = ", ".join(value.name for value in made if value.name)
            sign = caption(operation)
            said = _("{sign} made {names}").format(sign=sign, names=names) if names else sign
            kept = _("freed") if operation.freed else keeps(operation)
            block = building.node(
                operation.key, operation.node, said, kept, None, self.needs(operation.key)
            )
            block.outlets = {value.key: block.outlets[""] for value in made}
            return block
        needs = self.needs(operation.key, ordered=self.ordered(operation))
        told = self.told(operation, made)
        return building.operation(operation, caption(operation), made, needs, told)

    def twin(self, value: Value) -> bool:
        """Whether its box says the same as that of another result."""
        return not value.named and self.twins[value.name] > 1

    def told(self, operation: Operation, made: list[Value]) -> str:
        """What sentences call a result where boxes of its kind say the same: all three products."""
        nameless = len(made) == 1 and not made[0].named
        counted = operation.node in self.counted
        return made[0].role if self.room and nameless and counted else ""

    def ordered(self, operation: Operation) -> bool:
        """Whether it matters which operand is which."""
        several = 1 < self.inputs[operation.key] <= len(ORDINALS)
        return several and operation.symbol not in ANY_ORDER

    def group(self, group: Group) -> Block:
        if group.kind == "repeat":
            members = [g for g in self.graph.groups if g.parent == group.key]
            return building.repeat(group, members, self.needs(group.key))
        inside = [v for v in self.graph.values if v.group == group.key]
        # Of a module that is frozen as a whole, its own line says so.
        own = [v for v in inside if v.leaf or (v.frozen and any(w.leaf for w in inside))]
        few = len(own) <= PARAMETERS[0] and self.leaves <= PARAMETERS[1]
        shown = own if group.kind == "module" and few else []
        shown = shown if self.show != "values" and self.view != "backward" else []
        return building.group(group, shown, self.needs(group.key))

    # -- lines --

    def wire(self, line: Line) -> Wire:
        source = self.stubs.get(line.key) or self.makers.get(line.source, line.source)
        wire = Wire(line.key, source, line.source_value, line.target)
        edges = [self.index.edges[key] for key in line.edges]
        wire.argument = min(edge.argument for edge in edges)
        wire.asked = any(self.index.values[edge.source].requires_grad for edge in edges)
        operation = self.index.operations.get(line.target)
        if operation is not None and self.view != "backward" and self.ordered(operation):
            if wire.argument < len(ORDINALS):
                wire.ordinal = ORDINALS[wire.argument]
        if self.view != "forward" and wire.asked:
            room = self.room.get(line.key, {})
            wire.factor, wire.sent = room.get("factor", ""), room.get("sent", "")
        return wire

    def leave_out_unasked(self) -> None:
        drawing = self.drawing
        drawing.wires = [wire for wire in drawing.wires if wire.asked]
        drawing.blocks = {p: b for p, b in drawing.blocks.items() if b.kind != "unasked"}


def caption(operation: Operation) -> str:
    """The symbol with the plain numbers that went in: ``+ 1``, ``1 ÷``.

    >>> caption(Operation("n0", "AddBackward0", "+", 0, "v1", constants={1: "1"}))
    '+ 1'
    """
    numbers = operation.constants
    if 1 in numbers:
        turned = operation.node.startswith("Rsub")
        sides = (numbers[1], operation.symbol) if turned else (operation.symbol, numbers[1])
        return clip(" ".join(sides), 16)
    if 0 in numbers:
        return clip(f"{numbers[0]} {operation.symbol}", 16)
    return clip(operation.symbol, 16)


def keeps(operation: Operation) -> str:
    """What an operation keeps; the version at which it was saved is said where it is not 0.

    >>> from minigrad.trace.model import Saved
    >>> kept = [Saved("a", "3", 0, "self"), Saved("b", "4", 1, "other")]
    >>> keeps(Operation("n0", "MulBackward0", "×", 0, "v1", saved=kept))
    'keeps a, b v1'
    """
    kept = dict.fromkeys(s.name + (f" v{s.version}" if s.version else "") for s in operation.saved)
    return _("keeps {names}").format(names=", ".join(kept)) if kept else ""
