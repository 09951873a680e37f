"""Values that were written over: the name means the new value, so the old one needs another."""

from __future__ import annotations

import linecache
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from minigrad.help.source import reader
from minigrad.language import _

from . import read
from .sentences import written

if TYPE_CHECKING:
    from .survey import Survey


def old_values(survey: Survey) -> dict[str, str]:
    """Names for the values that a named tensor had before it was written to.

    A tensor of this package remembers which lines wrote to it. A node that such a line may have
    made is taken for the write, and its first operand for the old value. Where the line and the
    node do not agree, nothing is said.
    """
    found: dict[str, list[str]] = {}
    for name, tensor in survey.names.tensors.items():
        for key, line in _overwritten(survey, tensor):
            found.setdefault(key, []).append(
                _("{name} before line {line}").format(name=name, line=line)
            )
    told = Counter(text for texts in found.values() for text in texts)
    return {key: texts[0] for key, texts in found.items() if told[texts[0]] == 1}


def _overwritten(survey: Survey, tensor: Any) -> list[tuple[str, int]]:
    """The values that a tensor had, newest first, each with the line that wrote over it.

    Each write must fit a node; a write that was not recorded would shift all the others.
    """
    counter = getattr(tensor, "_counter", None)
    writers = counter.writers if counter is not None and tensor.grad_fn is not None else ()
    if not writers or counter.value != len(writers):
        return []
    found = []
    key = survey.key_of_tensor(tensor)
    lines = [_line(writer) for writer in reversed(writers)]
    for number, line in enumerate(lines):
        operation = survey.index.maker.get(key)
        if line is None or operation is None or not _made_by(survey, operation, line[1]):
            return []
        edges = survey.index.operands[operation.key]
        key = next((edge.source for edge in edges if edge.argument == 0), None)
        if key is None and number == len(lines) - 1:
            break  # what it was at first has no node, and stands in no graph
        if key is None or survey.index.values[key].named:
            return []
        found.append((key, line[0]))
    return found


def _line(writer: Any) -> tuple[int, str] | None:
    """The number and the text of the line that wrote."""
    if writer is None:
        return None
    number = reader.line_number(writer)
    text = linecache.getline(writer[0].co_filename, number).strip()
    return (number, text) if text else None


def _made_by(survey: Survey, operation: Any, text: str) -> bool:
    """Whether a line of the reader's may have made an operation by writing."""
    node = survey.nodes[operation.key]
    return re.search(written(read.stem(node), "writes") or "(?!)", text) is not None
