"""Writes into what was expanded, which shows one number in several places."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType

from ..program.failure import Failure, made_in
from ..source.called import is_in_a_library
from ..source.parsed import text_of_code, tree_of
from ..source.syntax import is_call, scope, statements_at
from ..words.sentences import tell
from .out_of_place import arguments, in_one_line, written_to

EXPAND = {"expand", "expand_as", "broadcast_to"}


def written_expanded(failure: Failure, _: re.Match) -> Iterator[str]:
    """What to write where the tensor was expanded, or was handed over by the pass."""
    frame = failure.frame
    tree = tree_of(text_of_code(frame.f_code))
    for statement in statements_at(tree, frame.f_lineno):
        whole = written_to(statement)
        if whole is None:
            return
        name, around = ast.unparse(whole), scope(tree, frame.f_lineno)
        yield tell("is-expanded", name=name)
        line, made = made_in(whole, frame)
        if is_call(made, EXPAND):
            yield f"Try: `{name} = {ast.unparse(made)}.clone()` in {line}."
            return
        new = in_one_line(statement, name)
        do = f"`{new}` in the place of" if new else f"`{name} = {name}.clone()` above"
        back = tell("as-its-answer", name=name) if is_hook(frame, name, around) else ""
        yield f"Try: {do} that line{back}."


def is_hook(frame: FrameType, name: str, around: ast.AST) -> bool:
    """Whether a pass has called the reader's function with what has this name."""
    caller = frame.f_back
    return (
        name in arguments(around)
        and caller is not None
        and is_in_a_library(caller.f_code.co_filename)
    )
