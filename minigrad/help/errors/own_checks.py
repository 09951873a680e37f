"""Checks of the reader's that fail, as ``assert (boxes >= 0).all()``, because of nan or inf."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import dropwhile
from types import FrameType
from typing import Any

from ..gradients.passes import roots_of
from ..graph.nodes import leaves_behind
from ..not_finite.bad_data import is_bad
from ..not_finite.wrong_numbers import in_result
from ..program.cuts import SIZES
from ..program.failure import Failure
from ..program.program import Program
from ..source import reader
from ..source.lists import around_spoken
from ..source.lookup import value_of
from ..words.sentences import tell


def of_own_check(failure: Failure) -> Iterator[str]:
    """That what an ``assert`` asks about holds nan or inf, and where that began.

    Or what the test of an ``if`` around a ``raise`` asks about.
    """
    *_, last = [None, *reader.passed(failure.error.__traceback__)]
    if last is None or last.tb_frame is not failure.frame:
        return  # a library has raised it
    line = reader.spoken((last.tb_frame.f_code, last.tb_lasti))
    for thing in asked_about(around_spoken(line, ast.stmt)):
        if is_bad(failure.value(thing)):
            yield tell("asked-about", line=line, name=ast.unparse(thing))
            yield from begun_at(*failure.first(thing, is_bad)[:2], failure)
            return


def begun_at(first: ast.expr, home: FrameType, failure: Failure) -> Iterator[str]:
    """Where nan or inf began: by the loss of the last pass, or else by the first bad value."""
    for frame, _ in dropwhile(lambda line: line[0] is not home, failure.lines):
        with reader.asked_at(frame):
            program = Program.of(frame)
            for each in filter(is_made_bad, [*roots_of(program), value_of(first, home, None)]):
                said = [*in_result(each, program.name_of(each) or "it", program)]
                if any("ry: " in sentence for sentence in said):
                    yield from said
                    return


def is_made_bad(result: Any) -> bool:
    """Whether a result holds nan or inf, or one of its leaves does, or the gradient of one."""
    leaves = leaves_behind(result) if getattr(result, "grad_fn", None) is not None else []
    return any(map(is_bad, [result, *leaves, *(leaf.grad for leaf in leaves)] if leaves else []))


def asked_about(around: list[ast.stmt]) -> Iterator[ast.expr]:
    """What the test of a failing ``assert`` or ``raise`` computes with; not for its sizes."""
    is_raised = isinstance(around[-1] if around else None, ast.Assert | ast.Raise)
    tests = [each.test for each in around if isinstance(each, ast.If | ast.Assert)]
    parts = [each for test in tests * is_raised for each in ast.walk(test)]
    sizes = [each.value for each in parts if getattr(each, "attr", "") in SIZES]
    yield from (each for each in parts if hasattr(each, "ctx") and each not in sizes)
