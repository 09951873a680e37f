"""Whether the program empties gradients, as far as its text shows."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from types import FrameType

from ..source.lists import around_spoken
from ..source.syntax import LOOPS
from ..source.texts import readable, texts

EMPTIES = re.compile(
    r"\bzero_grad\(|\.grad\b(?!\()[^=\n]*=[^=]|\.grad\.(zero|fill|mul)_\(|\bdel .*\.grad"
)
#: empties a gradient through an alias that counts its own writes
UNSEEN = re.compile(r"\.grad\.(data|detach\(\))(\[.*?\])?(\.(zero|fill|mul|copy)_\(| *\*?= *\S)")


def is_emptied_unseen(frame: FrameType | None) -> bool:
    """Whether a line such as ``w.grad.data.zero_()`` empties what nobody can count then."""
    return any(UNSEEN.search(source.text) for source, _ in texts(frame))


def is_emptied_somewhere(frame: FrameType | None) -> bool:
    """Whether a line of the program empties gradients: then adding some up can be meant."""
    known = readable(frame) if frame is not None else ()
    return any(has_a_line_that_empties(source.text) for source, _tree in known)


@lru_cache(maxsize=16)  # of a program it is asked for each way that is cut
def has_a_line_that_empties(text: str) -> bool:
    """Whether a line of a program empties gradients."""
    return any(map(empties, text.splitlines()))


def is_emptied_around(line: str, frame: FrameType | None) -> bool:
    """Whether the innermost loop around a line empties gradients; without one, any line at all."""
    if loops := around_spoken(line, LOOPS):
        return any(map(empties, ast.unparse(loops[-1]).splitlines()))
    return is_emptied_somewhere(frame)


def empties(text: str) -> bool:
    """Whether a line of text empties gradients; a comment does not."""
    return bool(EMPTIES.search(text.partition("#")[0]))
