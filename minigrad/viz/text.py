"""A graph as text: a tree that starts at the result, readable where nothing can be drawn."""

from __future__ import annotations

from minigrad.trace.model import Graph, Index, Operation, Value

from .elements import caption, with_versions


def to_text(graph: Graph, view: str = "both", frame: dict | None = None) -> str:
    """The tree of a graph, one value a line, with what a step says if a frame is given.

    >>> import minigrad as mg
    >>> from minigrad.trace import graph_of
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> a = x * x
    >>> y = a.exp()
    >>> print(to_text(graph_of(y), "forward"))
    y = 54.5981   made by exp (ExpBackward0)
    └─ a = 4   made by × (MulBackward0)
       ├─ ① x = 2   leaf
       └─ ② x   (as above)
    """
    return "\n".join(_Tree(graph, view, frame).lines())


class _Tree:
    def __init__(self, graph: Graph, view: str, frame: dict | None):
        self.graph = graph
        self.index = Index(graph)
        self.view = view
        self.labels = frame["labels"] if frame else {}
        self.told = frame is not None

    def lines(self) -> list[str]:
        """All lines; what was told before is only named."""
        found, told = [], set()
        stack = [(key, "", "", "") for key in reversed(self.graph.roots)]
        while stack:
            key, first, rest, edge = stack.pop()
            value = self.index.values[key]
            if key in told:
                found.append(f"{first}{value.name}   (as above){self.gradient(edge)}")
                continue
            told.add(key)
            found.append(first + self.describe(value) + self.gradient(edge))
            stack += reversed(self.children(key, rest))
        if self.graph.note:
            found.append(f"({self.graph.note})")
        return found

    def children(self, key: str, rest: str) -> list[tuple[str, str, str, str]]:
        operation = self.index.maker.get(key)
        if operation is None or operation.kind == "accumulate":
            return []
        edges = self.index.operands[operation.key]
        found = []
        for number, edge in enumerate(edges):
            last = number == len(edges) - 1
            which = f"{'①②③④⑤⑥⑦⑧⑨'[edge.argument]} " if 1 < len(edges) < 10 else ""
            first = f"{rest}{'└─' if last else '├─'} {which}"
            found.append((edge.source, first, rest + ("   " if last else "│  "), edge.key))
        return found

    def describe(self, value: Value) -> str:
        operation = self.index.maker.get(value.key)
        if not value.requires_grad:
            return f"{value.name} = {value.text}   no grad"
        text = f"{value.name} = {value.text}" if self.view != "backward" else value.name
        if operation is None:
            return text
        if operation.kind == "accumulate":
            return f"{text}   leaf{self.of_leaf(value, operation)}"
        kept = self.kept(operation)
        made = f"made by {caption(operation)} ({operation.node})"
        return f"{text}   {made}{kept}{self.status(operation.key)}"

    def of_leaf(self, value: Value, operation: Operation) -> str:
        if self.told:
            grad = self.labels.get(operation.key, {}).get("grad", "")
            return f", {grad}{self.status(operation.key)}"
        if self.view == "forward" and value.grad is None:
            return ""
        node = f", {operation.node}" if self.view == "backward" else ""
        return f"{node}, .grad {value.grad or 'None'}"

    def kept(self, operation: Operation) -> str:
        if self.view == "forward" or not (operation.saved or operation.freed):
            return ""
        if self.told:
            return f", {self.labels.get(operation.key, {}).get('saved', '')}"
        return ", freed" if operation.freed else f", {with_versions(operation)}"

    def status(self, key: str) -> str:
        status = self.labels.get(key, {}).get("status", "")
        return f"   [{status}]" if status else ""

    def gradient(self, edge: str) -> str:
        text = self.labels.get(edge, {}).get("gradient", "") if edge else ""
        return f"   gradient {text}" if text else ""
