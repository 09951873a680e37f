"""Whether steps have changed a leaf, as its version and the text of the program tell."""

from __future__ import annotations

import ast
import re
from types import FrameType
from typing import Any

from ..source.texts import everywhere
from ..source.variables import is_parameter

#: changes a leaf through its data, which its own version does not count
PAST = re.compile(r"[\w.\[\]]+(?<!\.grad)\.data(\[.*\])?( [-+]?= |\.(sub|add|addcdiv|copy)_\()")


def was_stepped(leaf: Any, frame: FrameType | None) -> bool:
    """Whether a leaf was changed since it was made, or a line changes some past their history.

    A layer has written to its own parameters once when it made them.
    """
    if leaf._version > is_parameter(leaf):
        return True
    lines = (ast.unparse(each) for _, each in everywhere(frame, ast.stmt))
    return any(map(PAST.match, lines))
