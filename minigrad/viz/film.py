"""Several pictures of one graph beside each other: key frames of a pass, or a graph that grows."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from hashlib import sha1
from html import escape
from typing import Any

from minigrad.trace import graph_of
from minigrad.trace.model import Graph, Index, Operation

from .elements import caption
from .figure import Figure, Picture
from .svg import document

WIDEST = 980  #: panels that do not fit beside each other go below
CAPTION = 20


class Film(Picture):
    """Panels with captions, read from left to right and from top to bottom."""

    def __init__(self, panels: Sequence[Figure], captions: Sequence[str], alt: str | None):
        if len(panels) != len(captions):
            raise ValueError(f"{len(panels)} panels need as many captions, got {len(captions)}")
        self.panels = list(panels)
        self.captions = list(captions)
        self.alt = alt or " ".join(f"{n}: {text}" for n, text in enumerate(captions, 1))

    def svg(self) -> str | None:
        """The panels as one SVG; None where no Graphviz is installed."""
        if not self.panels or self.panels[0].painter is None:
            return None
        content = "".join(self.captions) + "".join(panel.dot for panel in self.panels)
        prefix = f"mg{sha1(content.encode()).hexdigest()[:8]}"
        width, height = self.panels[0].painter.size
        columns = max(1, min(len(self.panels), int(WIDEST // width)))
        chars = int((width - 24) / 8.4)
        wrapped = [textwrap.wrap(f"{n}. {t}", chars) for n, t in enumerate(self.captions, 1)]
        tall = height + CAPTION * max(len(lines) for lines in wrapped) + 8
        body = []
        for number, (panel, lines) in enumerate(zip(self.panels, wrapped)):
            row, column = divmod(number, columns)
            panel.painter.prefix = f"{prefix}-{number + 1}"
            body.append(f'<g transform="translate({column * width:g} {row * tall:g})">')
            for place, line in enumerate(lines):
                kind = "heading" if place == 0 else "caption"
                y = 18 + CAPTION * place
                body.append(f'<text class="caption {kind}" x="16" y="{y}">{escape(line)}</text>')
            drop = CAPTION * len(lines)
            body.append(f'<g transform="translate(0 {drop})">{panel.body()}</g></g>')
        rows = -(-len(self.panels) // columns)
        size = (columns * width, rows * tall)
        return document(prefix, size, "film strip", self.alt, "\n".join(body))

    def text(self) -> str:
        """The captions, each with its tree."""
        told = []
        for number, (panel, said) in enumerate(zip(self.panels, self.captions), 1):
            told.append(f"{number}. {said}\n{textwrap.indent(panel.text(), '   ')}")
        return "\n\n".join(told)


def filmstrip(
    graph: Graph,
    frames: Sequence[dict],
    captions: Sequence[str] | None = None,
    *,
    view: str = "both",
    alt: str | None = None,
) -> Film:
    """Key frames of a recorded pass in one figure.

    Args:
        graph: the ``graph`` of the recorded pass.
        frames: three to six of its frames.
        captions: a line for each; by default the sentences of the frames.
        view: as in `minigrad.viz.draw`.
        alt: what the strip says; by default the captions.

    Raises:
        ValueError: if there are not as many captions as frames.

    >>> import minigrad as mg
    >>> from minigrad import trace, viz
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> passed = trace.record_backward(y)
    >>> viz.filmstrip(passed.graph, passed.frames()).captions[-1]
    '3 goes into x.grad, which was None.'
    """
    captions = [frame["sentence"] for frame in frames] if captions is None else captions
    return Film([Figure(graph, view, None, frame) for frame in frames], captions, alt)


def growing(
    *roots: Any,
    steps: Sequence[Sequence[str]] | None = None,
    captions: Sequence[str] | None = None,
    names: Mapping[str, Any] | None = None,
    tape: Any = None,
    alt: str | None = None,
) -> Film:
    """The forward graph in cumulative pictures: what each operation added.

    Args:
        roots: the tensors to explain.
        steps: the names of the values that each picture adds; by default one operation a picture.
        captions: a line for each picture; by default what was made, and by which operation.
        names, tape: as in `minigrad.trace.graph_of`.
        alt: what the strip says; by default the captions.

    Raises:
        ValueError: if a step names a value that is not in the graph.

    >>> import minigrad as mg
    >>> from minigrad import viz
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> a = x * 3
    >>> y = a * x
    >>> print(viz.growing(y))
    1. × 3 makes a = 6
       a = 6   made by × 3 (MulBackward0)
       └─ x = 2   leaf
    <BLANKLINE>
    2. × makes y = 12
       y = 12   made by × (MulBackward0)
       ├─ ① a = 6   made by × 3 (MulBackward0)
       │  └─ x = 2   leaf
       └─ ② x   (as above)
    """
    graph = graph_of(*roots, names=names, tape=tape)
    index = Index(graph)
    made = [op for op in graph.operations if op.kind == "operation"]
    groups = [[op] for op in made] if steps is None else _grouped(made, steps, index)
    panels, drawn = [], set()
    for group in groups:
        for operation in group:
            drawn |= {operation.key, *operation.outputs}
            drawn |= {edge.source for edge in index.operands[operation.key]}
        panels.append(_part(graph, drawn, group[-1].outputs))
    lines = [_made_by(group, index) for group in groups] if captions is None else captions
    return Film(panels, lines, alt)


class _Part(Figure):
    """A figure that draws a part of a graph, in the places of the whole."""

    part: Graph

    def text(self) -> str:
        return Figure(self.part, self.view).text()


def _part(graph: Graph, drawn: set[str], roots: tuple[str, ...]) -> Figure:
    panel = _Part(graph, "forward", drawn=set(drawn))
    panel.part = Graph(
        [value for value in graph.values if value.key in drawn],
        [op for op in graph.operations if op.key in drawn or op.makes in drawn],
        [edge for edge in graph.edges if {edge.source, edge.target} <= drawn],
        roots,
    )
    return panel


def _grouped(
    made: list[Operation], steps: Sequence[Sequence[str]], index: Index
) -> list[list[Operation]]:
    by_name = {index.made(operation): operation for operation in made}
    groups = []
    for step in steps:
        unknown = [name for name in step if name not in by_name]
        if unknown:
            known = ", ".join(by_name)
            raise ValueError(f"no value named {', '.join(unknown)} was made; there are {known}")
        groups.append([by_name[name] for name in step])
    return groups


def _made_by(group: list[Operation], index: Index) -> str:
    told = []
    for operation in group:
        value = index.values[operation.makes]
        told.append(f"{caption(operation)} makes {value.name} = {value.text}")
    return ", ".join(told)
