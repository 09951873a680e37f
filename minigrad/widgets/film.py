"""Several figures beside and below each other, with captions: one picture to store or to show."""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

from minigrad import viz

WIDEST = 980  #: panels that do not fit beside each other go below
LINE = 18
CHARACTER = 7.6  #: how wide a letter of a caption is at most, on average
FONT = '13px "Helvetica Neue",Helvetica,Arial,"Segoe UI","DejaVu Sans",sans-serif'
LOOK = f".minigrad-film{{background:#fff}}.minigrad-film>text{{font:{FONT};fill:#111}}"


class Film:
    """Panels with captions, read from left to right and from top to bottom.

    Args:
        panels: figures, all of them of one size if they are steps of one graph.
        captions: a line for each.
        alt: what the film says; by default the captions.

    Raises:
        ValueError: if there are not as many captions as panels.
    """

    def __init__(self, panels: Sequence[viz.Figure], captions: Sequence[str], alt: str = ""):
        if len(panels) != len(captions):
            raise ValueError(f"{len(panels)} panels need as many captions, got {len(captions)}")
        self.panels, self.captions = list(panels), list(captions)
        self.alt = alt or " ".join(f"{n}: {text}" for n, text in enumerate(captions, 1))

    def svg(self) -> str | None:
        """All panels in one SVG on a white card; None where no Graphviz is installed."""
        panels = [panel.svg(styled=False, still=True) for panel in self.panels]
        if None in panels:
            return None
        width = max(panel.size[0] for panel in self.panels)
        columns = max(1, min(len(panels), int(WIDEST // width)))
        captions = [
            textwrap.wrap(f"{n}. {text}", max(20, int((width - 16) / CHARACTER)))
            for n, text in enumerate(self.captions, 1)
        ]
        body, top = [], 0
        for first in range(0, len(panels), columns):
            row = range(first, min(first + columns, len(panels)))
            lines = max(len(captions[number]) for number in row)
            for number in row:
                left = (number - first) * width
                body += [
                    f'<text x="{left + 8}" y="{top + LINE * place}">{escape(line)}</text>'
                    for place, line in enumerate(captions[number], 1)
                ]
                body.append(self._placed(number, panels[number], left, top + LINE * lines + 8))
            top += LINE * lines + 16 + max(self.panels[number].size[1] for number in row)
        size, drawn = (columns * width, top), "".join(body)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {size[0]} {size[1]}" '
            f'width="{size[0]}" height="{size[1]}" class="minigrad-film">'
            f"<title>{escape(self.alt)}</title><style>{viz.paper(drawn)}{LOOK}</style>{drawn}</svg>"
        )

    def _placed(self, number: int, svg: str, x: float, y: float) -> str:
        """A panel at its place, its ids unlike those of the others."""
        prefix = self.panels[number].prefix
        own = svg.replace(prefix, f"{prefix}p{number}")
        return own.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1)

    def image(self) -> str | None:
        """The film as an ``<img>`` that carries itself; None where no Graphviz is installed."""
        drawn = self.svg()
        if drawn is None:
            return None
        coded = base64.b64encode(drawn.encode("utf-8", "replace")).decode("ascii")
        source = f"data:image/svg+xml;base64,{coded}"
        return f'<img src="{source}" alt="{escape(self.alt)}" style="max-width:100%;height:auto">'

    def text(self) -> str:
        """The captions, each with its tree."""
        told = []
        for number, (panel, caption) in enumerate(zip(self.panels, self.captions), 1):
            told.append(f"{number}. {caption}\n{textwrap.indent(panel.text(), '   ')}")
        return "\n\n".join(told)

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.image() or f"<pre>{escape(self.text())}</pre>",
                "text/plain": self.text()}  # fmt: skip
