"""What the functions that run now call one tensor, which each was handed by the one around it."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType
from typing import Any

from ..source import reader
from ..source.called import function_called
from ..source.parsed import expression_at
from ..source.syntax import is_call
from .program import Program
from .statements import BINDS
from .steps import Step


def known_as(tensor: Any, name: str) -> Iterator[tuple[Program, str]]:
    """The functions that run now, the innermost first, each with its own word for a tensor.

    The innermost calls it ``name``. Where another has no name for it, that is what it wrote in the
    call of the one inside; those that have neither are left out.
    """
    inner: FrameType | None = None
    for frame in reader.callers(reader.frame()):
        program = Program.of(frame)
        if inner is not None:
            name = program.name_of(tensor) or handed(name, inner, frame, program)
        if name:
            yield program, name
        inner = frame


def handed(name: str, inner: FrameType, outer: FrameType, program: Program) -> str:
    """What a function was called with as one of its arguments, as the line that called it says."""
    call = expression_at((outer.f_code, outer.f_lasti))
    called = function_called(call, program.variables) if is_call(call) else None
    given = called[1].get(name, ()) if called and called[0].__code__ is inner.f_code else ()
    if len(given) != 1:
        return ""
    line = reader.spoken_line(outer.f_code.co_filename, given[0].lineno)
    program.add(Step(f"({name})", given[0], line, None, BINDS))
    return f"({name})"
