"""Positions of nodes and edges: DOT in, coordinates out, by whichever Graphviz is at hand.

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
class Positions:
    """Centers of nodes and the Bézier points of edges, y growing downwards."""

    centers: dict[str, Point] = field(default_factory=dict)
    routes: dict[str, list[Point]] = field(default_factory=dict)


@lru_cache(maxsize=64)
def lay_out(dot: str) -> Positions | None:
    """Positions for a DOT text; None where no engine is installed."""
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


def _read(answer: dict) -> Positions:
    height = float(answer["bb"].split(",")[3])

    def point(text: str) -> Point:
        x, y = text.split(",")
        return round(float(x), 1), round(height - float(y), 1)

    positions = Positions()
    for node in answer.get("objects", ()):
        positions.centers[node["name"]] = point(node["pos"])
    for edge in answer.get("edges", ()):
        ends = {item[0]: point(item[2:]) for item in edge["pos"].split() if item[0] in "se"}
        points = [point(item) for item in edge["pos"].split() if item[0] not in "se"]
        if "e" in ends:
            points += [points[-1], ends["e"], ends["e"]]
        positions.routes[edge["id"]] = points
    return positions
