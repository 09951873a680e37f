"""A graph as text: a tree that starts at the result, readable where nothing can be drawn.

It tells the same blocks and lines as the picture of the same scene, with what a step says of each.
A graph whose tree would be deep or long is a list instead: a line for each result, the last one
first, that names what it was made from.
"""

from __future__ import annotations

from collections.abc import Iterable

from minigrad.language import _
from minigrad.trace.groups import Line, children
from minigrad.trace.model import Graph, Group, Operation, Value
from minigrad.trace.numbers import equals

from .blocks import clip, no_gradient, shape_text
from .drawing import ANY_ORDER, ORDINALS, caption, keeps
from .measure import clean

LONG = 60  #: names and values are cut off after so many characters
DEEPEST, MOST_LINES = 8, 30  #: a tree of more levels or lines is a list instead
COLUMN = 44  #: characters at most before the second column of a list


def to_text(
    graph: Graph, view: str = "both", frame: dict | None = None, *, inside: str | None = None
) -> str:
    """The tree of a scene, one value a line, with what a step says if a frame is given.

    Raises:
        KeyError: if the graph has no group ``inside``.

    >>> import minigrad as mg
    >>> from minigrad.trace import graph_of
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> a = x - x
    >>> y = a.exp()
    >>> print(to_text(graph_of(y), "forward"))
    y = 1   made by exp (ExpBackward0)
    └─ a = 0   made by − (SubBackward0)
       ├─ ① x = 2   leaf
       └─ ② x   (as above)
    """
    return "\n".join(text for text, _key in text_lines(graph, view, frame, inside=inside))


def text_lines(
    graph: Graph, view: str = "both", frame: dict | None = None, *, inside: str | None = None
) -> list[tuple[str, str]]:
    """The lines of `to_text`, each with the key of what it tells; "" where that was told before."""
    tree = _Tree(graph, view, frame, inside)
    found = tree.lines()
    if (len(found) > MOST_LINES or tree.depth > DEEPEST) and not tree.failed:
        found = tree.listed()
    return [(clean(text), key) for text, key in found]


class _Tree:
    def __init__(self, graph: Graph, view: str, frame: dict | None, inside: str | None):
        self.graph = graph
        self.index = graph.index
        self.groups = {group.key: group for group in graph.groups}
        self.scene = children(graph, inside)
        self.view = view
        self.labels = frame["labels"] if frame else {}
        self.told = frame is not None
        marks = frame["marks"] if frame else {}
        self.absent = {key for key, said in marks.items() if "absent" in said}
        self.failed = [k for k in self.scene.operations if self.index.operations[k].kind == "error"]
        self.depth = 0
        self.makers = {}
        for key in self.scene.operations:
            for edge in self.index.results[key]:
                self.makers[edge.target] = self.index.operations[key]
        self.into: dict[str, list[Line]] = {}
        for key, maker in self.makers.items():
            if maker.key in self.absent:
                self.absent.add(key)
        for line in self.scene.lines:
            if line.target not in self.absent and (view != "backward" or self.asked(line)):
                self.into.setdefault(line.target, []).append(line)

    def asked(self, line: Line) -> bool:
        edges = (self.index.edges[key] for key in line.edges)
        return any(self.index.values[edge.source].requires_grad for edge in edges)

    def starts(self) -> list[str]:
        """What nothing else in the scene uses, results before the rest."""
        used = {line.source for lines in self.into.values() for line in lines}
        shown = [*self.failed, *self.scene.groups, *self.scene.values]
        there = [key for key in self.graph.roots if key in self.scene.values]
        roots = [key for key in there if key not in self.absent]
        loose = [key for key in shown if key not in {*used, *roots, *self.absent}]
        if self.view == "backward":
            asked = self.index.values
            loose = [k for k in loose if k not in asked or asked[k].requires_grad]
        return roots + loose

    def lines(self) -> list[tuple[str, str]]:
        """All lines as a tree; what was told before is only named."""
        found, told = [], set()
        stack = [(key, "", "", None) for key in reversed(self.starts())]
        while stack:
            key, first, rest, line = stack.pop()
            maker = self.makers.get(key)
            below = maker.key if maker else key
            gradient = self.gradient(line)
            self.depth = max(self.depth, len(rest) // 3)
            if key in told:
                found.append((f"{first}{self.name(key)}   {_('(as above)')}{gradient}", ""))
            elif below in told:
                found.append((f"{first}{self.of_same(key, maker)}{gradient}", ""))
            else:
                found.append((first + self.describe(key) + gradient, below))
                stack += reversed(self.children(below, rest))
            told |= {key, below}
        return found

    def listed(self) -> list[tuple[str, str]]:
        """All lines without a tree: results from the last to the first, then what nobody made."""
        place = {key: number for number, key in enumerate(self.index.operations)}
        last = dict(place)  # of a group, that of its last operation
        for key in place:
            last.update(dict.fromkeys(self.index.around(key), place[key]))
        made = [key for key in self.scene.operations if self.index.results[key]]
        elements = {*made, *self.scene.groups} - self.absent
        outside = [k for k in self.scene.values if k not in self.makers and k not in self.absent]
        if self.view == "backward":
            outside = [key for key in outside if self.index.values[key].requires_grad]
        rows = []
        for key in sorted(elements, key=last.__getitem__, reverse=True):
            results = [edge.target for edge in self.index.results[key]] or [key]
            rows += [(value, key if value == results[0] else "") for value in results]
        rows += [(key, key) for key in [*self.scene.boundary, *outside]]
        heads = [
            self.of_group(self.groups[v]) if v in self.groups else self.head(v) for v, _ in rows
        ]
        wide = min(max(map(len, heads), default=0), COLUMN)
        return [(f"{head:<{wide}}   {self.about(v, k)}", k) for head, (v, k) in zip(heads, rows)]

    def about(self, key: str, below: str) -> str:
        """What a line of the list says behind the name: what it was made from, and its state."""
        maker, lines = self.makers.get(key), self.into.get(below, [])
        if not below:
            return self.of_same(key, maker).removeprefix(self.head(key)).lstrip()
        names = ", ".join(self.operand(line) + self.gradient(line) for line in lines)
        if key in self.groups:
            return (_("from {names}").format(names=names) if names else "") + self.state(key)
        if maker is None or not names:
            return self.describe(key).removeprefix(self.head(key)).lstrip()
        whole = _("made by {sign} from {names} ({node})")
        return whole.format(sign=caption(maker), names=names, node=maker.node) + self.state(below)

    def operand(self, line: Line) -> str:
        """What a line starts at, also where that stands inside of a box."""
        group, value = self.groups.get(line.source), self.index.values.get(line.source_value)
        if group is None or value is None:
            return self.name(line.source)
        if group.kind != "part":
            return self.name(value.key)
        return _("{name} in {group}").format(name=self.name(value.key), group=group.name)

    def of_same(self, key: str, maker: Operation) -> str:
        """Another result of an operation that was told."""
        return f"{self.head(key)}   {_('from the same {sign}').format(sign=maker.symbol)}"

    def children(self, key: str, rest: str) -> list[tuple[str, str, str, Line]]:
        lines = self.into.get(key, [])
        operation = self.index.operations.get(key)
        ordered = operation is not None and operation.symbol not in ANY_ORDER
        found = []
        for number, line in enumerate(lines):
            last = number == len(lines) - 1
            which = ""
            if ordered and 1 < len(lines) <= len(ORDINALS):
                argument = min(self.index.edges[edge].argument for edge in line.edges)
                which = f"{ORDINALS[min(argument, len(ORDINALS) - 1)]} "
            first = f"{rest}{'└─' if last else '├─'} {which}"
            found.append((line.source, first, rest + ("   " if last else "│  "), line))
        return found

    # -- one line --

    def name(self, key: str) -> str:
        if key in self.groups:
            return clip(self.groups[key].name, LONG)
        value = self.index.values[key]
        return clip(value.name or value.role or value.text, LONG)

    def head(self, key: str) -> str:
        """``x = 2``, ``w = all 3 (2×2)``; in the backward view the name alone."""
        value = self.index.values[key]
        text = clip(value.text, LONG)
        if self.view == "backward" or text in ("", "?"):
            shape = shape_text(value.shape) if text in ("", "?") else ""
            return f"{self.name(key)} {shape}".strip()
        shape = f" ({shape_text(value.shape)})" if value.shape else ""
        name = self.name(key)
        return (equals(name, text) if name != value.text else text) + shape

    def describe(self, key: str) -> str:
        if key in self.groups:
            return self.of_group(self.groups[key]) + self.state(key)
        if key in self.index.operations:
            return self.of_error(self.index.operations[key])
        value = self.index.values[key]
        if not value.requires_grad:
            return f"{self.head(key)}   {no_gradient(value)}"
        maker = self.makers.get(key)
        if maker is not None:
            made = _("made by {sign} ({node})").format(sign=caption(maker), node=maker.node)
            return f"{self.head(key)}   {made}{self.kept(maker)}{self.state(maker.key)}"
        if value.leaf and key not in self.scene.boundary:
            return f"{self.head(key)}   {_('leaf')}{self.grad(value)}{self.state(key)}"
        return f"{self.head(key)}   {_('from outside')}"

    def of_error(self, operation: Operation) -> str:
        """The operation at which a forward pass ended: it made nothing."""
        what = _("stopped here: {node}: {message}")
        return what.format(node=operation.node, message=operation.error)

    def of_group(self, group: Group) -> str:
        inside = sum(other.parent == group.key for other in self.graph.groups)
        count = f" × {inside}" if group.kind == "repeat" else ""
        about = f"   {clip(group.about, LONG)}" if group.about else ""
        return f"⊞ {clip(group.name, LONG)}{count}{about}"

    def grad(self, value: Value) -> str:
        grad = self.labels.get(value.key, {}).get("grad", value.grad or "None")
        said = self.told and "grad" in self.labels.get(value.key, {})
        if not said and self.view == "forward" and value.grad is None:
            return ""
        node = self.index.maker.get(value.key)
        name = f", {node.node}" if self.view == "backward" and node is not None else ""
        return f"{name}, .grad {grad}"

    def kept(self, operation: Operation) -> str:
        if self.told or self.view == "forward" or not (operation.saved or operation.freed):
            return ""
        return f", {_('freed') if operation.freed else keeps(operation)}"

    def state(self, key: str) -> str:
        """Its state at this step, with what has arrived: ``[1 of 2 parts: 3 + ?]``."""
        labels = self.labels.get(key, {})
        said = [labels[slot] for slot in ("state", "came") if labels.get(slot)]
        return f"   [{': '.join(said)}]" if said else ""

    def gradient(self, line: Line | None) -> str:
        labels = self.labels.get(line.key, {}) if line else {}
        text = labels.get("factor", "") + labels.get("sent", "")
        return f"   {_('gradient {text}').format(text=text)}" if text else ""


def steps_text(frames: Iterable[dict]) -> str:
    """All steps of a pass as text, each with its details.

    >>> frame = {"step": 0, "title": "run MulBackward0", "sentence": "y sends 3 to x."}
    >>> frame["details"] = [{"title": "This step", "of": "", "rows": [["took", [["1"], ", seed"]]]}]
    >>> print(steps_text([frame]))
    Step 1: run MulBackward0
      y sends 3 to x.
      This step
        took  1, seed
    """
    return "\n\n".join("\n".join(_step(frame)) for frame in frames)


def _step(frame: dict) -> list[str]:
    head = _("Step {n}: {title}").format(n=frame["step"] + 1, title=frame["title"])
    lines = [head, f"  {frame['sentence']}"]
    groups = frame.get("details", ())
    wide = max((len(row[0]) for group in groups for row in group["rows"]), default=0)
    for group in groups:
        lines.append(f"  {group['title']} {group['of']}".rstrip())
        for row in group["rows"]:
            label, pieces = row[:2]
            pieces = [pieces] if isinstance(pieces, str) else pieces
            said = "".join(p if isinstance(p, str) else p[0] for p in pieces)
            first, *more = said.split("\n")
            lines.append(f"    {label:<{wide}}  {first}".rstrip())
            lines += [f"    {'':<{wide}}  {line}".rstrip() for line in more]
    return [clean(line) for line in lines]
