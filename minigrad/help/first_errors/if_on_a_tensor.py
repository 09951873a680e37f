"""An `if` that asks a tensor where each element is to choose: ``torch.where``, as it is written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..program.failure import Failure
from ..source.reader import file_name, spoken_line
from ..source.texts import texts
from ..words.sentences import tell

MOST_WRITTEN = 120  #: letters of what is written out


def chosen_by_element(failure: Failure, _: re.Match) -> Iterator[str]:
    """What an `if` of two results is with tensors; nothing for others."""
    frame = failure.frame
    if frame is None:
        return
    for source, tree in texts(frame):
        if source.name != file_name(frame.f_code.co_filename):
            continue
        for block in ast.walk(tree):
            body = getattr(block, "body", None)
            for at, each in enumerate(body if isinstance(body, list) else ()):
                if isinstance(each, ast.If) and each.lineno == frame.f_lineno:
                    written = as_where(each, body[at + 1 :])
                    if written and len(written) <= MOST_WRITTEN:
                        yield tell("answers-for-each")
                        line = spoken_line(frame.f_code.co_filename, each.lineno)
                        yield tell("where-in-its-place", written=written, line=line)


def as_where(choice: ast.If, below: list[ast.stmt]) -> str:
    """An `if` whose two ways return or bind one thing, written out; empty for others.

    >>> text = '''
    ... if a > 0:
    ...     y = a
    ... else:
    ...     y = 2
    ... '''
    >>> as_where(ast.parse(text).body[0], [])
    'y = torch.where(a > 0, a, 2)'
    """
    match choice.body, choice.orelse or below[:1]:
        case [ast.Return(one)], [ast.Return(other)] if one is not None and other is not None:
            start = "return "
        case [ast.Assign([ast.Name(name)], one)], [ast.Assign([ast.Name(second)], other)]:
            if name != second or not choice.orelse:
                return ""
            start = f"{name} = "
        case _:
            return ""
    if any(isinstance(getattr(each, "value", 0), bool | str | None) for each in (one, other)):
        return ""
    asked, one, other = map(ast.unparse, (choice.test, one, other))
    return f"{start}torch.where({asked}, {one}, {other})"
