"""A picture of a graph, in every form in which it may be needed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha1
from typing import Any

from minigrad.trace.model import Graph

from . import style
from .arrange import arrows_seen, most_seen, share_seen
from .describe import describe
from .dot import dot_of
from .drawing import VIEWS, Drawing, compose
from .layout import lay_out
from .saving import Saved
from .shapes import document, escape
from .svg import FITS, Painter
from .text import text_lines, to_text

CARD = '<rect class="card"/>'  #: what `document` adds
SHOWN = ("all", "values")


class Figure(Saved):
    """One scene of a graph in one view, at one step or at rest. Made by `draw`.

    Attributes:
        graph: the graph model.
        view: ``"forward"``, ``"backward"`` or ``"both"``.
        frame: the step that is shown, or None.
        inside: the group whose inside is shown; None for the overview.
        alt: what the picture says, in a sentence.
        prefix: what all ids in the SVG start with.
    """

    def __init__(
        self,
        graph: Graph,
        view: str = "both",
        alt: str | None = None,
        frame: dict | None = None,
        *,
        inside: str | None = None,
        room: Mapping[str, Mapping[str, str]] | None = None,
        show: str = "all",
        prefix: str | None = None,
        direction: str | None = None,
    ):
        self.graph = graph
        self.view = view
        self.frame = frame
        self.inside = inside
        self.alt = alt or describe(graph, view, frame, inside)
        self._played = room is not None
        self._room = _room(frame, room)
        self._show = show
        self._prefix = prefix
        self._direction = direction

    @cached_property
    def prefix(self) -> str:
        """From the content, so that the same picture always has the same ids."""
        if self._prefix:
            return self._prefix
        content = f"{self.view}{self._show}{self.inside}{self._room}{self.graph}"
        return f"mg{sha1(content.encode('utf-8', 'replace')).hexdigest()[:8]}"

    @cached_property
    def painter(self) -> Painter | None:
        """What draws the elements; None where no Graphviz is installed.

        Screens are wide and short, so pictures grow to the right; one that fits no page so
        grows downwards if more of it is seen at once then. One that is played goes from arrow to
        arrow: it does so only if no fewer of them are seen with both ends.
        """
        if self._direction:
            return self._laid_out(self._direction == "down")
        right = self._laid_out(down=False)
        if right is None or right.size[0] <= FITS:
            return right
        seen = share_seen(right.size)
        if seen >= most_seen(self._drawing(down=True)):
            return right
        down = self._laid_out(down=True)
        if seen >= share_seen(down.size):
            return right
        played = self._played and arrows_seen(right.drawing) > arrows_seen(down.drawing)
        return right if played else down

    def _drawing(self, down: bool) -> Drawing:
        more = {"inside": self.inside, "room": self._room, "show": self._show}
        return compose(self.graph, self.view, **more, down=down)

    def _laid_out(self, down: bool) -> Painter | None:
        drawing = self._drawing(down)
        try:
            positions = lay_out(dot_of(drawing))
        except ImportError:  # the package graphviz, which writes DOT, is missing
            return None
        return None if positions is None else Painter(drawing, positions)

    @property
    def heading(self) -> str:
        """What the picture says, for the title of a page."""
        return self.alt

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the picture in pixels; None where no Graphviz is installed."""
        return self.painter.size if self.painter else None

    @property
    def scrolls(self) -> bool:
        """Whether the picture is wider than a page: shrunk to it, it could not be read."""
        return self.painter is not None and self.painter.size[0] > FITS

    def svg(self, styled: bool = True, still: bool = False) -> str | None:
        """The picture as SVG text for a page, light or dark as the page is; None without Graphviz.

        ``styled=False`` leaves out the style sheet `CSS`, for a page that has it already. A
        ``still`` one is smaller, and no step can be shown on it.
        """
        body = self._painted(still=True) if still else self._body
        return None if body is None else self._document(style.CSS if styled else "", body, self.alt)

    @cached_property
    def _body(self) -> str | None:
        """All elements, as they are at this step."""
        return self._painted()

    def _painted(self, still: bool = False) -> str | None:
        if self.painter is None:
            return None
        marks = self.frame["marks"] if self.frame else {}
        labels = self.frame["labels"] if self.frame else None
        return self.painter.paint(self.prefix, marks, labels, still)

    def _document(self, sheet: str, body: str, alt: str) -> str:
        title = {"forward": "graph", "backward": "backward graph", "both": "graph with gradients"}
        return document(self.prefix, self.size, self.scrolls, title[self.view], alt, sheet, body)

    def image(self, still: bool = False) -> str | None:
        """The picture as an ``<img>`` on a white card that carries itself; None without Graphviz.

        Pages that strip SVG, as a notebook that is not trusted, show this one. A ``still`` one is
        smaller, and no player can take it and play on it.
        """
        body = self._painted(still=True) if still else self._body
        if body is None:
            return None
        alt = "" if still else self.alt  # the page that shows it says it beside it
        drawn = self._document(style.paper(body + CARD), body, alt)
        return packed(drawn, self.painter.size, self.alt, self.scrolls)

    def html(self) -> str:
        """The picture for a page, as an image in a box that scrolls, or else the text."""
        picture = self.image(still=True)
        if picture is None:
            card = "background:#fff;color:#111;padding:1em;overflow-x:auto"
            label = escape(self.alt)
            return f'<pre style="{card}" aria-label="{label}">{escape(self.text())}</pre>'
        return in_a_box_that_scrolls(picture, self.painter.size[0])

    def text(self) -> str:
        """A tree of the graph, one value a line."""
        return to_text(self.graph, self.view, self.frame, inside=self.inside)

    def text_lines(self) -> list[tuple[str, str]]:
        """The lines of `text`, each with the key of the element that it tells."""
        return text_lines(self.graph, self.view, self.frame, inside=self.inside)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": self.text()}


def packed(drawn: str, size: tuple[int, int], alt: str, scrolls: bool = False) -> str:
    """A picture as an ``<img>`` that carries itself; ``scrolls`` where it is never made smaller.

    It says so itself, because JupyterLab makes every picture as narrow as its page.
    """
    data = b64encode(drawn.encode()).decode()
    width, height = size
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(alt)}" '
        f'width="{width}" height="{height}"{KEPT if scrolls else fitting(width)}>'
    )


def in_a_box_that_scrolls(picture: str, width: float) -> str:
    """A picture in its box, with a shade at the right as long as there is more to come.

    The shade sticks to the box, and at the end of the picture a strip of its card lies over it. A
    bar for scrolling does not tell: it stands below a tall picture, and some systems hide it.
    """
    if READABLE * width <= NARROWEST:
        return f'<div style="overflow-x:auto">{picture}</div>'
    place, shade = f"flex:none;width:{STRIP}px", "linear-gradient(90deg,#0000,#0004)"
    return (
        f'<div style="display:flex;overflow-x:auto">{picture}'
        f'<i style="{place};position:sticky;right:0;background:{shade}"></i>'
        f'<i style="{place};margin-left:-{STRIP}px;z-index:1;background:#fff"></i></div>'
    )


NARROWEST = 330  #: so wide is every page
STRIP = 10  #: how wide the shade is that says: more to the right
KEPT = ' style="max-width:none"'  #: its size, in a box that scrolls
READABLE = 0.75  #: of its size; a picture that would become smaller scrolls in its box


def fitting(width: float) -> str:
    """The style of a picture that becomes as small as the page, as long as it can be read."""
    room = f"max-width:calc(100% - {STRIP}px)"  # the strip at its right
    return f' style="{room};min-width:{round(READABLE * width)}px;height:auto"'


def _room(frame: dict | None, room: Mapping | None) -> Mapping:
    """The widest text of every slot: as given, or as this frame has it."""
    if room is not None:
        return room
    return frame["labels"] if frame else {}


def draw(
    graph: Graph,
    view: str = "both",
    alt: str | None = None,
    frame: dict | None = None,
    *,
    inside: str | None = None,
    room: Mapping[str, Mapping[str, str]] | None = None,
    show: str = "all",
    prefix: str | None = None,
    direction: str | None = None,
) -> Figure:
    """Draw a graph.

    Args:
        graph: from `minigrad.trace.graph_of`, or the ``graph`` of a recorded pass.
        view: ``"forward"`` shows values and operations, ``"backward"`` the nodes of ``grad_fn`` and
            what they keep, ``"both"`` gradients on the forward picture.
        alt: what the picture says, in a sentence of at least twenty characters.
        frame: a step of a recorded pass.
        inside: the key of a group (``"m3"``): its inside is drawn, and not the overview.
        room: the widest text of every slot, as in ``frames.room``: with it all steps of a pass are
            laid out alike.
        show: ``"values"`` leaves out ``.grad`` and the classes of nodes, for a first look.
        prefix: what the ids in the SVG start with.
        direction: ``"right"`` or ``"down"``; by default to the right where that fits a page.

    Raises:
        ValueError: if view, show or direction is unknown, or ``alt`` too short to say anything.
        KeyError: if the graph has no group ``inside``.

    >>> import minigrad as mg
    >>> from minigrad import trace, viz
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> viz.draw(trace.graph_of(y), "forward")
    y = 6   made by × 3 (MulBackward0)
    └─ x = 2   leaf
    """
    for name, given, known in (("view", view, VIEWS), ("show", show, SHOWN)):
        if given not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}; got {given!r}")
    if direction not in (None, "right", "down"):
        raise ValueError(f"direction must be 'right' or 'down', got {direction!r}")
    if alt is not None and len(alt) < 20:
        raise ValueError("alt must say what the picture shows, in at least 20 characters")
    if inside is not None and all(group.key != inside for group in graph.groups):
        raise KeyError(f"the graph has no group {inside!r}")
    return Figure(
        graph,
        view,
        alt,
        frame,
        inside=inside,
        room=room,
        show=show,
        prefix=prefix,
        direction=direction,
    )
