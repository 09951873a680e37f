"""The small pictures beside an explanation: scissors at a cut, or the bad node marked in its graph.

They are images that carry themselves, on a white card: notebooks show them trusted or not, by day
and by night.
"""

from __future__ import annotations

from minigrad import viz
from minigrad.help.words.answer import BadNode, Scissors
from minigrad.trace import graph_of
from minigrad.viz import style
from minigrad.viz.figure import CARD, packed
from minigrad.viz.measure import clip
from minigrad.viz.shapes import document, r, rect

from ..language import _
from .trays.drawn import BLADES, arrow, middle

WIDTH, HEIGHT = 400, 96
MIDDLE, LANE, BACK = 200, 34, 52  #: where the scissors are, and the two lanes
BOX = 96, 52  #: the size of a box
MOST_OPERATIONS = 12  #: a larger graph is no small picture


def picture(scene: Scissors | BadNode, alt: str) -> str:
    """The picture of a scene as HTML; empty where there is none to draw.

    >>> from minigrad.help.words.answer import Scissors
    >>> picture(Scissors("x", "y", "detach()", "line 3"), "y does not require grad.")[:26]
    '<div style="overflow-x:aut'
    """
    if isinstance(scene, Scissors):
        return cut_road(scene, alt)
    return marked_graph(scene, alt)


def cut_road(scene: Scissors, alt: str) -> str:
    """Two boxes; the value goes from one to the other, and no gradient comes back past the cut."""
    width, height = BOX
    top, left, right = 43 - height / 2, 8 + width, WIDTH - 8 - width
    body = rect("o", 8, top, width, height, 6) + rect("o", right, top, width, height, 6)
    body += middle("nm", 8 + width / 2, 48, clip(scene.before, 11))
    body += middle("nm", right + width / 2, 48, clip(scene.after, 11))
    body += f'<g class="edge">{arrow(((left, LANE), (right - 1, LANE)), "f")}'
    body += f"{arrow(((right - 1, BACK), (MIDDLE + 17, BACK)), 'g')}</g>"
    body += f'<circle class="o" cx="{MIDDLE}" cy="{BACK}" r="14"/>'
    body += (
        f'<g fill="none" stroke="{style.LIGHT["ink"]}" stroke-width="1.9" stroke-linecap="round" '
        f'transform="translate({r(MIDDLE)} {BACK})scale(.75)">{BLADES}</g>'
    )
    body += middle("mono", MIDDLE, 20, scene.by)
    body += middle("small dim", MIDDLE, 86, clip(scene.line, 44))
    said = _("{} The gradient stops at {}, {}.").format(alt, scene.by, scene.line)
    size = WIDTH, HEIGHT
    sheet = style.paper(body + CARD)
    drawn = document("cut", size, False, _("A way that was cut"), said, sheet, body)
    return f'<div style="overflow-x:auto">{packed(drawn, size, said)}</div>'


def marked_graph(scene: BadNode, alt: str) -> str:
    """The graph behind a tensor, with the node marked whose slope is not finite."""
    tensor = scene.behind()
    if tensor is None or tensor.grad_fn is None:
        return ""
    names = {name: there for name, ref in scene.names.items() if (there := ref()) is not None}
    graph = graph_of(tensor, names=names)
    bad = next((each for each in graph.operations if each.sequence == scene.sequence), None)
    if bad is None or len(graph.operations) > MOST_OPERATIONS:
        return ""
    state = _("slope {}").format(scene.slope)
    frame = {"marks": {bad.key: ["error"]}, "labels": {bad.key: {"state": state}}}
    said = _("{} At {} the slope is {}.").format(alt, bad.node, scene.slope)
    return viz.draw(graph, "forward", said, frame).html()
