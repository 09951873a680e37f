"""Pictures of graphs: graph model → DOT → places → own geometry → SVG, and → text.

``draw(graph, view, frame=…)`` gives a `Figure`. Its SVG can be played without drawing it
again: every element sits in a group ``<g id="PREFIX-KEY" class="leaf …">``, KEY being a key
of the graph (``v0``, ``n0``, ``e0``, ``m0``); a frame's marks are classes of that group (on blocks
``now ready waiting done error changed absent``, on lines ``now held past left skipped error
absent``); every changing text is a ``<tspan id="PREFIX-KEY-SLOT">`` (slots ``state``, ``came``,
``grad``, ``factor``, ``sent``), laid out for the widest text it will show. A ``grad`` slot has the
class ``full`` where it does not say None. The boxes of groups have ``data-open="KEY"``. The root is
``<svg id="PREFIX" class="minigrad-figure" role="img">`` with ``<title id="PREFIX-title">`` and
``<desc id="PREFIX-desc">``. PREFIX is `Figure.prefix`: by default made from the picture's content,
so a cell that runs again gives the same text. Nothing outside the root is styled, and all styles
are scoped to the class ``minigrad-figure``. To show a step, set the classes of each group to its
``data-class`` attribute plus the frame's marks, and the text of each slot to the frame's label or
to nothing; of a sum in a slot with ``data-brief`` only what it comes to has room.
"""

from .dot import to_dot
from .drawing import VIEWS
from .figure import Figure, draw
from .growing import growing_frames
from .layout import engine
from .saving import Saved
from .style import CSS, palette, paper
from .text import steps_text, to_text

__all__ = [
    "CSS",
    "VIEWS",
    "Figure",
    "Saved",
    "draw",
    "engine",
    "growing_frames",
    "palette",
    "paper",
    "steps_text",
    "to_dot",
    "to_text",
]
