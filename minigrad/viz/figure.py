"""A picture of a graph, in every form in which it may be needed."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha1
from html import escape
from typing import Any

from minigrad.trace.model import Graph

from . import elements
from .dot import to_dot
from .layout import lay_out
from .svg import Painter, document
from .text import to_text


class Picture:
    """What every picture can do: show itself in a notebook, or be asked for SVG, HTML or text."""

    alt: str

    def svg(self) -> str | None:
        """The picture as SVG text; None where no Graphviz is installed."""
        raise NotImplementedError

    def text(self) -> str:
        """The picture as text, complete in itself."""
        raise NotImplementedError

    def html(self) -> str:
        """The picture for a page: SVG in a box that scrolls, or else the text."""
        drawn = self.svg()
        if drawn is None:
            card = "background:#fff;color:#111;padding:1em;overflow-x:auto"
            label = escape(self.alt)
            return f'<pre style="{card}" aria-label="{label}">{escape(self.text())}</pre>'
        return f'<div style="overflow-x:auto">{drawn}</div>'

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": self.text()}


class Figure(Picture):
    """One graph in one view, at one step or at rest. Made by `draw`.

    Attributes:
        graph: the graph model.
        view: ``"forward"``, ``"backward"`` or ``"both"``.
        frame: the step that is shown, or None.
        alt: what the picture says, in a sentence.
        prefix: what all ids in the SVG start with.
    """

    def __init__(
        self,
        graph: Graph,
        view: str = "both",
        alt: str | None = None,
        frame: dict | None = None,
        prefix: str | None = None,
        drawn: set[str] | None = None,
        direction: str | None = None,
    ):
        self.graph = graph
        self.view = view
        self.frame = frame
        self.alt = alt or describe(graph, view, frame)
        self._prefix = prefix
        self._drawn = drawn
        self._direction = direction

    @cached_property
    def dot(self) -> str:
        """The DOT text that Graphviz lays out."""
        return to_dot(self.graph, self.view, self._direction)

    @cached_property
    def prefix(self) -> str:
        """From the content, so that the same picture always has the same ids."""
        return self._prefix or f"mg{sha1((self.dot + self.view).encode()).hexdigest()[:8]}"

    @cached_property
    def painter(self) -> Painter | None:
        """What draws the elements; None where no Graphviz is installed."""
        try:
            layout = lay_out(self.dot)
        except ImportError:  # the package graphviz, which writes DOT, is missing
            return None
        if layout is None:
            return None
        shapes = elements.shapes(self.graph, self.view)
        lines = elements.lines(self.graph, self.view)
        return Painter(self.prefix, self.view, layout, shapes, lines, self.graph.room)

    def svg(self) -> str | None:
        """The picture as SVG text; None where no Graphviz is installed."""
        painter = self.painter
        if painter is None:
            return None
        title = f"{self.view} graph" if self.view != "both" else "graph with gradients"
        return document(self.prefix, painter.size, title, self.alt, self.body())

    def body(self) -> str:
        """The inside of the SVG."""
        freed = {op.key: ["freed"] for op in self.graph.operations if op.freed}
        marks = self.frame["marks"] if self.frame else freed
        labels = self.frame["labels"] if self.frame else None
        return self.painter.paint(marks, labels, self._drawn)

    def text(self) -> str:
        """A tree of the graph, one value a line."""
        return to_text(self.graph, self.view, self.frame)


def draw(
    graph: Graph,
    view: str = "both",
    alt: str | None = None,
    frame: dict | None = None,
    *,
    prefix: str | None = None,
    direction: str | None = None,
) -> Figure:
    """Draw a graph.

    Args:
        graph: from `minigrad.trace.graph_of`, or the ``graph`` of a recorded pass.
        view: ``"forward"`` shows values and operations, ``"backward"`` the nodes of ``grad_fn`` and
            what they keep, ``"both"`` gradients on the forward picture. All are laid out alike.
        alt: what the picture says, in a sentence of at least twenty characters.
        frame: a step of a recorded pass.
        prefix: what the ids in the SVG start with.
        direction: ``"right"`` or ``"down"``; by default to the right where the graph is short.

    Raises:
        ValueError: if view or direction is unknown, or ``alt`` too short to say anything.

    >>> import minigrad as mg
    >>> from minigrad import trace, viz
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> viz.draw(trace.graph_of(y), "forward")
    y = 6   made by × 3 (MulBackward0)
    └─ x = 2   leaf
    """
    if view not in elements.VIEWS:
        raise ValueError(f"view must be one of {', '.join(elements.VIEWS)}; got {view!r}")
    if direction not in (None, "right", "down"):
        raise ValueError(f"direction must be 'right' or 'down', got {direction!r}")
    if alt is not None and len(alt) < 20:
        raise ValueError("alt must say what the picture shows, in at least 20 characters")
    return Figure(graph, view, alt, frame, prefix, direction=direction)


def describe(graph: Graph, view: str, frame: dict | None) -> str:
    """The point of a picture whose author did not state it."""
    if frame is not None:
        return frame["sentence"]
    names = {value.key: value.name for value in graph.values}
    count = sum(op.hidden or op.kind == "operation" for op in graph.operations)
    leaves = [value.name for value in graph.values if value.leaf]
    roots = ", ".join(names[key] for key in graph.roots)
    what = "Backward graph" if view == "backward" else "Graph"
    plural = "" if count == 1 else "s"
    return f"{what} of {roots}: {count} operation{plural} on the leaves {', '.join(leaves)}."
