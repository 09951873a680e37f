"""A forward graph that grows: frames in which each operation comes into a picture that stands."""

from __future__ import annotations

from collections.abc import Sequence

from minigrad.language import _
from minigrad.trace.model import Graph, Index, Operation
from minigrad.trace.numbers import equals

from .drawing import caption


def growing_frames(
    graph: Graph,
    steps: Sequence[Sequence[str]] | None = None,
    captions: Sequence[str] | None = None,
) -> list[dict]:
    """Frames of a growing forward graph, for one picture of the whole graph.

    What is not there yet bears the mark ``absent`` and what a step adds the mark ``now``.

    Args:
        graph: the finished graph.
        steps: the names of the values that each step adds; by default one operation a step.
        captions: a sentence for each step; by default what was made, and by which operation.

    Raises:
        ValueError: if a step names a value that no operation of the graph made, or if there are
            not as many captions as steps.

    >>> import minigrad as mg
    >>> from minigrad import trace, viz
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> a = x * 3
    >>> y = a * x
    >>> frames = viz.growing_frames(trace.graph_of(y))
    >>> [frame["sentence"] for frame in frames]
    ['× 3 makes a = 6.', '× makes y = 12.']
    >>> sorted(key for key, marks in frames[0]["marks"].items() if "absent" in marks)
    ['e2', 'e3', 'n1']
    """
    index = graph.index
    made = [op for op in graph.operations if op.kind == "operation"]
    groups = [[op] for op in made] if steps is None else _grouped(made, steps, index)
    if captions is not None and len(captions) != len(groups):
        raise ValueError(f"{len(groups)} steps need as many captions, got {len(captions)}")
    parts = {op.key: _with_lines(op, index) for op in made}
    leaves = [value.key for value in graph.values if value.key not in _results(index)]
    frames, there = [], set()
    for number, group in enumerate(groups):
        new = {key for op in group for key in parts[op.key]}
        there |= new
        whole = [*leaves, *(key for op in made for key in parts[op.key])]
        marks = {key: ["absent"] for key in whole if key not in there}
        marks.update({op.key: ["now"] for op in group})
        said = captions[number] if captions else f"{_made_by(group, index)}."
        labels = {op.key: {"state": _("new")} for op in group}
        frames.append(_frame(number, said, marks, labels, last=number == len(groups) - 1))
    return frames


def _frame(number: int, said: str, marks: dict, labels: dict, last: bool) -> dict:
    return {
        "step": number,
        "coarse": number,
        "title": said.rstrip("."),
        "tags": ["end"] if last else [],
        "sentence": said,
        "marks": marks,
        "labels": labels,
        "details": [],
        "rules": None,
        "row": [],
        "question": None,
    }


def _results(index: Index) -> set[str]:
    return {edge.target for edge in index.graph.edges if edge.argument is None}


def _with_lines(operation: Operation, index: Index) -> list[str]:
    """An operation, the lines into it, and the values at their other ends that nothing made."""
    results = _results(index)
    lines = index.operands[operation.key]
    values = [edge.source for edge in lines if edge.source not in results]
    return [operation.key, *(edge.key for edge in lines), *dict.fromkeys(values)]


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
        sign, made = caption(operation), equals(value.name, value.text)
        told.append(_("{sign} makes {made}").format(sign=sign, made=made))
    return ", ".join(told)
