"""What a picture says, in a sentence, where its author did not state it."""

from __future__ import annotations

from minigrad.language import _
from minigrad.trace.groups import children
from minigrad.trace.model import Graph, Index, Operation, Value
from minigrad.trace.numbers import equals

from .blocks import NAME, TEXT, clip, shape_text
from .drawing import caption

TOLD = 6  #: up to so many operations are told one by one


def describe(graph: Graph, view: str, frame: dict | None, inside: str | None = None) -> str:
    """The point of a picture: the sentence of its step, or what was made from what.

    >>> graph = Graph([Value("v0", "x", "2", (), leaf=True)], roots=("v0",))
    >>> describe(graph, "forward", None)
    'Graph of x = 2: no operation.'
    """
    if frame is not None:
        return frame["sentence"]
    index = graph.index
    scene = children(graph, inside)
    named = {group.key: clip(group.name, NAME) for group in graph.groups}
    drawn = [index.operations[key] for key in scene.operations]
    drawn = [operation for operation in drawn if operation.kind != "accumulate"]
    if scene.groups or not 0 < len(drawn) <= TOLD:
        said = _counted(drawn, [named[key] for key in scene.groups])
        leaves = [clip(v.name, NAME) for v in graph.values if v.leaf and v.key in scene.values]
        if leaves and drawn:
            said = _("{said} on the leaves {names}").format(said=said, names=_list(leaves))
    else:
        said = "; ".join(_told(operation, index, view) for operation in drawn)
    what = _("Backward graph of {what}: {said}.") if view == "backward" else ""
    what = what or _("Graph of {what}: {said}.")
    inner = _("the inside of {name}").format(name=named[inside]) if inside else ""
    roots = ", ".join(_named(index.values[key]) for key in graph.roots)
    return what.format(what=inner or roots, said=said)


def _counted(drawn: list[Operation], boxes: list[str]) -> str:
    parts = []
    if drawn:
        one, several = _("1 operation"), _("{count} operations").format(count=len(drawn))
        parts.append(one if len(drawn) == 1 else several)
    if boxes:
        parts.append(_("the boxes {names}").format(names=_list(boxes)))
    return _(" and ").join(parts) or _("no operation")


def _list(names: list[str]) -> str:
    if len(names) > TOLD:
        first = ", ".join(names[:TOLD])
        return _("{first} and {more} more").format(first=first, more=len(names) - TOLD)
    return ", ".join(names)


def _named(value: Value) -> str:
    """A value as its box has it: ``x = 2``, ``w 2×2``."""
    name, text = clip(value.name or value.role or _("a result"), NAME), clip(value.text, TEXT)
    if text and text != "?":
        return equals(name, text)
    return f"{name} {shape_text(value.shape)}".strip()


def _told(operation: Operation, index: Index, view: str) -> str:
    """``a = 3 by + 1 from x``, or the node, what it made and what it sends to."""
    made = ", ".join(_named(index.values[e.target]) for e in index.results[operation.key])
    used = [index.values[edge.source] for edge in index.operands[operation.key]]
    if view == "backward":
        used = [value for value in used if value.requires_grad]
    names = [clip(value.name or value.role or _("a result"), NAME) for value in used]
    if operation.kind == "error":
        stopped = _("{sign} of {names} stopped with {error}")
        error = f"{operation.node}: {operation.error}".strip(": ")
        return stopped.format(sign=caption(operation), names=_list(names), error=error)
    if view == "backward":
        receivers = _list(names) or _("nobody")
        return _("{node} sends to {names}").format(node=operation.node, names=receivers)
    whole = _("{made} by {sign} from {names}")
    made = made or operation.node
    return whole.format(made=made, sign=caption(operation), names=_list(names) or _("nothing"))
