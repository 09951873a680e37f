"""Pictures of graphs: graph model → DOT → SVG, and → text.

``draw(graph, view, frame=…)`` gives a `Figure`. Its SVG can be played without drawing it
again: every element sits in a group ``<g id="PREFIX-KEY" class="leaf …">``, KEY being a key
of the graph (``v0``, ``n0``, ``e0``); a frame's marks are classes of that group
(``now ready waiting done error kept freed sent skipped``); every changing text is a
``<text id="PREFIX-KEY-SLOT">`` (slots ``status``, ``grad``, ``saved``, ``gradient``), laid out
for the widest text it will show. The root is
``<svg id="PREFIX" class="minigrad-figure" role="img">`` with ``<title id="PREFIX-title">`` and
``<desc id="PREFIX-desc">``. PREFIX is `Figure.prefix`: by default made from the picture's content,
so a cell that runs again gives the same text. Nothing outside the root is styled, and all styles
are scoped to the class ``minigrad-figure``. To show a step, set the classes of each group to its
``data-class`` attribute plus the frame's marks, and the text of each slot to the frame's label or
to nothing.
"""

from .dot import to_dot
from .elements import VIEWS
from .figure import Figure, Picture, draw
from .film import Film, filmstrip, growing
from .layout import engine
from .text import to_text

__all__ = [
    "VIEWS",
    "Figure",
    "Film",
    "Picture",
    "draw",
    "engine",
    "filmstrip",
    "growing",
    "to_dot",
    "to_text",
]
