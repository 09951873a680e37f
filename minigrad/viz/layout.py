"""Where everything goes: DOT in, coordinates out, by whichever Graphviz is at hand.

A ``dot`` program on the PATH is asked first, then the package ``pygraphviz``, which brings its own;
with neither there is no layout, and pictures are shown as text.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

Point = tuple[float, float]


@dataclass
class Route:
    """An edge: a chain of Bézier curves, with the tips of the arrows at both ends."""

    points: list[Point]
    tail: Point  # at the source
    head: Point  # at the target
    label: Point | None = None


@dataclass
class Layout:
    """Centers of nodes and routes of edges, y growing downwards."""

    width: float
    height: float
    centers: dict[str, Point] = field(default_factory=dict)
    routes: dict[str, Route] = field(default_factory=dict)
    downwards: bool = False


@lru_cache(maxsize=64)
def lay_out(dot: str) -> Layout | None:
    """Coordinates for a DOT text; None where no engine is installed."""
    answer = _run_engine(dot)
    return None if answer is None else _read(json.loads(answer))


def engine() -> str | None:
    """The engine that draws here: ``"dot"``, ``"pygraphviz"`` or None."""
    if shutil.which("dot"):
        return "dot"
    try:
        import pygraphviz  # noqa: F401
    except ImportError:
        return None
    return "pygraphviz"


def _run_engine(dot: str) -> str | None:
    chosen = engine()
    if chosen == "dot":
        import graphviz

        return graphviz.Source(dot).pipe(format="json0", encoding="utf-8")
    if chosen == "pygraphviz":
        from pygraphviz import AGraph

        with _without_remarks():
            return AGraph(string=dot).draw(format="json0", prog="dot").decode()
    return None


@contextmanager
def _without_remarks() -> Iterator[None]:
    """Keep what the C libraries write to the standard error off a notebook's page.

    Their remarks are about this machine's fonts, and they go past Python's `sys.stderr`. What
    really goes wrong is raised as an exception.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
            os.dup2(nowhere.fileno(), 2)
            warnings.simplefilter("ignore", RuntimeWarning)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _read(answer: dict) -> Layout:
    _, _, width, height = (float(number) for number in answer["bb"].split(","))

    def point(text: str) -> Point:
        x, y = text.split(",")
        return round(float(x), 1), round(height - float(y), 1)

    layout = Layout(round(width, 1), round(height, 1), downwards=answer.get("rankdir") == "TB")
    for node in answer.get("objects", ()):
        layout.centers[node["name"]] = point(node["pos"])
    for edge in answer.get("edges", ()):
        points, ends = [], {}
        for item in edge["pos"].split():
            if item[0] in "se":
                ends[item[0]] = point(item[2:])
            else:
                points.append(point(item))
        label = point(edge["lp"]) if "lp" in edge else None
        tail, head = ends.get("s", points[0]), ends.get("e", points[-1])
        layout.routes[edge["id"]] = Route(points, tail, head, label)
    return layout
