"""Pictures of a tensor's graph: at rest, growing line by line, or a few moments of a pass."""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from minigrad import viz
from minigrad.help.source import reader
from minigrad.trace import (
    Graph,
    at_depth,
    error_frame,
    find_group,
    graph_of,
    graph_until_error,
    watch,
)
from minigrad.trace.model import Index

from ..language import _
from .film import Film
from .given import check_scene, ends_in_the_readers_line, need_graph
from .packing import Frame
from .player import Player

PROGRAM = 40  #: lines of a program that are shown beside its graph
PANELS = 4  #: frames of a growing graph that one stored picture shows beside each other


@ends_in_the_readers_line
def draw(
    *tensors: Any,
    view: str = "forward",
    names: Mapping[str, Any] | None = None,
    tape: Any = None,
    alt: str | None = None,
    depth: int = 1,
    module: str | None = None,
) -> viz.Figure:
    """Draw the graph that made a tensor, or several in one picture.

    Looking changes nothing. `save("page.html")` of what is returned writes a page with it.

    Args:
        tensors: what was computed, tensors of minigrad or of PyTorch; or one `watch` whose block
            ended in an error, to see the forward pass up to there.
        view: ``"forward"`` shows values and operations, ``"backward"`` the nodes of ``grad_fn``
            and what they keep, ``"both"`` the forward picture with room for gradients.
        names: names for tensors, ``{"x": x}``; by default those of your variables.
        tape: a recorded forward pass, which knows plain numbers.
        alt: what the picture says, in a sentence; by default it is made from the graph.
        depth: of a watched model: 1 draws its modules as boxes, 2 those in them, 0 no boxes.
        module: the path of a watched module whose inside is drawn: ``"encoder.layers.0"``.

    Raises:
        TypeError: for something that is no tensor, no `watch`, or no path.
        ValueError: for a tensor without a graph, an unknown view, or a negative depth.
        KeyError: if no module of that path ran.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> mg.draw(y)
    y = 6   made by × 3 (MulBackward0)
    └─ x = 2   leaf
    """
    if not tensors:
        raise TypeError(_("draw() takes a tensor: draw(y)"))
    check_scene(depth, module, "draw")
    if tape is not None and not isinstance(tape, watch):
        given = type(tape).__name__
        raise TypeError(
            _("tape is what `with mg.watch() as tape:` gives, not {given}").format(given=given)
        )
    if alt is not None and not isinstance(alt, str):
        given = type(alt).__name__
        raise TypeError(_("alt is a sentence on the picture, not {given}").format(given=given))
    frame = room = None
    if len(tensors) == 1 and isinstance(tensors[0], watch):
        graph = graph_until_error(tensors[0], names)
        frame = error_frame(graph)
        room, view = frame["labels"], "both"
    else:
        for tensor in tensors:
            need_graph(tensor, "draw")
        graph = graph_of(*tensors, names=names, tape=tape)
    found = find_group(graph, module) if module is not None else None
    inside = found.key if found else None
    graph = graph if module is not None else at_depth(graph, depth)
    return viz.draw(graph, view, alt, frame, inside=inside, room=room)


def growing(
    *roots: Any,
    steps: Sequence[Sequence[str]] | None = None,
    captions: Sequence[str] | None = None,
    names: Mapping[str, Any] | None = None,
    tape: Any = None,
) -> Player:
    """Play how the forward graph grows: what each operation adds, and the line that made it.

    Args:
        roots: the tensors to explain.
        steps: the names of the values that each step adds; by default one operation a step.
        captions: a sentence for each step; by default what was made, and by which operation.
        names, tape: as in `draw`.

    Raises:
        TypeError, ValueError: as in `draw`.
        ValueError: if a step names a value that is not in the graph.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> a = x * 3
    >>> y = a * x
    >>> w = growing(y)
    >>> w.go(1).sentence
    '× makes y = 12.'
    """
    for root in roots:
        need_graph(root, "growing")
    graph = graph_of(*roots, names=names, tape=tape)
    source, lines = _program(graph.index)
    frames = [
        {**frame, **_told(frame, graph.index, lines)}
        for frame in viz.growing_frames(graph, steps, captions)
    ]
    title = _("How {root} is made")
    return _film(title, graph, frames, source, PANELS, view="forward", show="values")


def filmstrip(
    graph: Graph,
    frames: Sequence[Frame],
    captions: Sequence[str] | None = None,
    *,
    view: str = "both",
) -> Player:
    """Play some frames of a recorded pass; where nothing plays, they stand beside each other.

    Args:
        graph: the ``graph`` of the recorded pass.
        frames: three to six of its frames.
        captions: a sentence for each; by default those of the frames.
        view: as in `draw`.

    Raises:
        ValueError: if there are not as many captions as frames.

    >>> import minigrad as mg
    >>> from minigrad import trace
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> passed = trace.record_backward(y)
    >>> filmstrip(passed.graph, passed.frames()).go(-1).sentence
    '3 goes into x.grad, which was None.'
    """
    if captions is not None and len(captions) != len(frames):
        raise ValueError(f"{len(frames)} frames need as many captions, got {len(captions)}")
    told = list(frames) if captions is None else [
        {**frame, "sentence": said} for frame, said in zip(frames, captions)
    ]  # fmt: skip
    told = [{**frame, "step": place, "coarse": place} for place, frame in enumerate(told)]
    return _film(_("Moments of backward through {root}"), graph, told, view=view)


def _film(
    title: str,
    graph: Graph,
    frames: list[Frame],
    code: list[str] | None = None,
    most: int = 6,
    **look: str,
) -> Player:
    """A player whose stored picture shows all frames, or only the last where they are more."""
    names = {value.key: value.name for value in graph.values}
    title = title.format(root=", ".join(names[key] for key in graph.roots))
    room = _room(frames)

    def picture(frame: Frame | None, inside: str | None) -> viz.Figure:
        return viz.draw(graph, frame=frame, inside=inside, room=room, **look)

    if len(frames) > most:
        return Player(title, frames, picture, code=code)
    strip = Film([picture(frame, None) for frame in frames], [f["sentence"] for f in frames])
    return Player(title, frames, picture, code=code, picture=strip)


def _room(frames: Sequence[Frame]) -> dict[str, dict[str, str]]:
    """The widest text of every slot, so that all frames are laid out alike."""
    room: dict[str, dict[str, str]] = {}
    for frame in frames:
        for key, slots in frame["labels"].items():
            widest = room.setdefault(key, {})
            for slot, text in slots.items():
                widest[slot] = max(widest.get(slot, ""), text, key=len)
    return room


# -- the graph that grows ---------------------------------------------------------------------


def _told(frame: Frame, index: Index, lines: Mapping[str, int]) -> dict[str, Any]:
    """The rows of a step, and its line in the program."""
    rows, line = [], None
    for operation in index.graph.operations:
        if "now" not in frame["marks"].get(operation.key, ()):
            continue
        sources = (index.values[edge.source].name for edge in index.operands[operation.key])
        operands = list(dict.fromkeys([*sources, *operation.constants.values()]))
        kept = list(dict.fromkeys(saved.name for saved in operation.saved))
        rows.append([_("node"), [operation.node]])
        rows.append([_("from"), [", ".join(operands) or _("none")]])
        rows.append([_("keeps"), [", ".join(kept) or _("none")]])
        line = lines.get(index.made(operation), line)
    tree = viz.to_text(index.graph, "forward", frame)
    details = [{"title": _("This line"), "of": "", "rows": rows}]
    return {"details": details, "line": line, "tree": tree}


def _program(index: Index) -> tuple[list[str] | None, dict[str, int]]:
    """The reader's lines from which the values have their names, and the line of each name.

    Only lines of the cell or file that runs now, above where it is, and outside of functions: a
    name that an earlier cell gave has no line here.
    """
    frame = reader.frame()
    if frame is None or frame.f_code.co_name != "<module>":
        return None, {}
    text = linecache.getlines(frame.f_code.co_filename)
    try:
        tree = ast.parse("".join(text))
    except SyntaxError:  # not Python alone: a cell with magics
        return None, {}
    lines = {name: at for name, at in _assigned(tree) if at < frame.f_lineno}
    named = {value.name: key for key, value in index.values.items() if value.named}
    wanted = {name: at for name, at in lines.items() if name in named}
    made = {name: at for name, at in wanted.items() if named[name] in index.maker}
    if not made:
        return None, {}
    first, last = min(wanted.values()), max(wanted.values())
    if last - first >= PROGRAM:
        return None, {}
    shown = textwrap.dedent("".join(text[first - 1 : last])).splitlines()
    return shown, {name: at - first + 1 for name, at in made.items()}


def _assigned(block: ast.AST) -> Iterator[tuple[str, int]]:
    """Names and the lines that bind them, in this order; what functions do is their own."""
    for statement in ast.iter_child_nodes(block):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    yield target.id, statement.lineno
        yield from _assigned(statement)
