"""The reader's own program, as help speaks of it: the line that called, and the names they chose.

A **place** is a pair (code, instruction), as cheap to keep as it sounds: a write in place remembers
one. What is dear, such as the number and the text of the line, is found when somebody asks.
"""

from __future__ import annotations

import functools
import itertools
import linecache
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType, FrameType, TracebackType
from typing import Any

from ...autograd import caller
from ...autograd.caller import PACKAGE, Place, place  # noqa: F401  (handed on)
from . import prompt
from .variables import at, has_any_name, held, parameters_of

#: the number and the text of a line, of what `spoken` says
SPOKEN_LINE = re.compile(r"line (\d+) of (.*?)(?:: `|$)")


#: what is read in the place of the frame that asks: see `asked_at`
ELSEWHERE: ContextVar[FrameType | None] = ContextVar("ELSEWHERE", default=None)


def frame() -> FrameType | None:
    """The frame whose lines are read: that of the reader's line that called, if no other is set."""
    return ELSEWHERE.get() or caller.frame()


@contextmanager
def asked_at(found: FrameType | None) -> Iterator[None]:
    """Read the lines of another frame for a while: of one that an error has passed, for example."""
    token = ELSEWHERE.set(found)
    try:
        yield
    finally:
        ELSEWHERE.reset(token)


def line_number(where: Place) -> int:
    """The number of the line a place is in."""
    line = position(where)[0]
    return where[0].co_firstlineno if line is None else line


def position(where: Place) -> tuple[int | None, ...]:
    """The first line and the last, and the first column and the last, of an instruction.

    >>> position((compile("y = 1", "train.py", "exec"), 2))
    (1, 1, 4, 5)
    """
    code, instruction = where
    known = POSITIONS.get(id(code))
    if known is None or known[0] is not code:
        POSITIONS.clear()  # one piece of code is asked about many times in a row
        known = POSITIONS[id(code)] = code, list(code.co_positions())
    at = instruction // 2
    return known[1][at] if at < len(known[1]) else (None,) * 4


POSITIONS: dict[int, tuple[CodeType, list[tuple]]] = {}


def lines_run(places: Iterable[Place]) -> set[tuple[str, int]]:
    """The (name of the file, number of the line) of many places.

    >>> lines_run([(compile("y = 1", "train.py", "exec"), 2)])
    {('train.py', 1)}
    """
    found, names = set(), functools.cache(file_name)
    for code, instruction in places:
        starts, lines = lines_of(code)
        found.add((names(code.co_filename), lines[bisect_right(starts, instruction) - 1]))
    return found


def lines_of(code: CodeType) -> tuple[list[int], list[int]]:
    """The first instructions of the lines of a piece of code, and the numbers of these lines.

    They are kept: after many cells, each question asks for those of thousands of pieces.
    """
    known = KEPT_LINES.get(id(code))
    if known is None or known[0] is not code:
        if len(KEPT_LINES) >= MOST_KEPT:
            KEPT_LINES.clear()
        parts = [*code.co_lines()]
        numbers = [code.co_firstlineno if line is None else line for _, _, line in parts]
        known = KEPT_LINES[id(code)] = code, [start for start, _, _ in parts], numbers
    return known[1:]


MOST_KEPT = 10_000  #: as many as lines are remembered
KEPT_LINES: dict[int, tuple[CodeType, list[int], list[int]]] = {}


def spoken(where: Place) -> str:
    """A place in words, with the line itself where it can be read.

    >>> spoken((compile("y = 1", "train.py", "exec"), 2))
    'line 1 of train.py'
    """
    if where[0].co_filename in prompt.PROMPTS:
        return prompt.spoken(where[0], line_number(where))
    return spoken_line(where[0].co_filename, line_number(where))


def spoken_line(filename: str, number: int) -> str:
    """A line in words, with its text in backquotes where that can be read."""
    return quoted(file_name(filename), number, linecache.getline(filename, number))


def quoted(name: str, number: int, text: str) -> str:
    """A line in words.

    >>> quoted("cell In[2]", 3, "    y.add_(1)")
    'line 3 of cell In[2]: `y.add_(1)`'
    """
    return f"line {number} of {name}" + (f": `{text.strip()}`" if text.strip() else "")


def in_brackets(line: str | None) -> str:
    """A line in words behind what it did; nothing where no line is known.

    >>> in_brackets("line 1 of train.py"), in_brackets("")
    (' (line 1 of train.py)', '')
    """
    return f" ({line})" if line else ""


def first_line(function: Any) -> str:
    """The line at which a function of Python's begins, in words; empty for others."""
    code = getattr(function, "__code__", None)
    return "" if code is None else spoken_line(code.co_filename, code.co_firstlineno)


def file_name(filename: str) -> str:
    """A file as the reader knows it: a notebook's cell by its number, a near file without its path.

    >>> file_name("<stdin>")
    'an input at the prompt'
    >>> file_name("<python-input-3>")
    'input 3 at the prompt'
    """
    return file_names([filename])[filename]


def file_names(filenames: Iterable[str]) -> dict[str, str]:
    """How the reader knows each of many files."""
    describe, folder = describer(), os.path.join(os.getcwd(), "")
    found = {}
    for each in filenames:
        if each in prompt.PROMPTS:
            found[each] = "an input at the prompt"
        elif kept := prompt.KEPT.fullmatch(each):
            found[each] = f"input {kept[1]} at the prompt"
        else:
            cell = described_cell(describe(each))
            found[each] = f"cell {cell}" if cell else each.removeprefix(folder)
    return found


#: where cells ended in an error, by name: `%load_ext minigrad` notes each, Python only the last
STOPPED: dict[str, int] = {}


def passed(traceback: TracebackType | None) -> Iterator[TracebackType]:
    """The parts of a traceback: the frames that an error has passed, the outermost first."""
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def stopped(traceback: TracebackType | None) -> dict[str, int]:
    """The lines at which pieces of a program ended in an error, by the names of their files."""
    own = [each for each in passed(traceback) if each.tb_frame.f_code.co_name == "<module>"]
    return {file_name(each.tb_frame.f_code.co_filename): each.tb_lineno for each in own}


def notebook_cell(filename: str) -> str | None:
    """``In[3]`` for the made-up file name under which IPython compiles the third cell."""
    return described_cell(describer()(filename))


def describer() -> Callable[[str], tuple[str, str] | None]:
    """What tells the kind and the number of a piece of code, such as ``("Cell", "In[3]")``."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    describe = getattr(getattr(shell, "compile", None), "format_code_name", None)
    return describe or (lambda filename: None)


def described_cell(described: tuple[str, str] | None) -> str | None:
    """The number of a piece of code that is a cell."""
    return described[1] if described and described[0].lower() == "cell" else None


def callers(found: FrameType | None) -> Iterator[FrameType]:
    """A frame of the reader's, and those that called it."""
    while found is not None:
        yield found
        found = None if found.f_code.co_name == "<module>" else found.f_back


def variables() -> dict[str, Any]:
    """The reader's variables at this point, locals before globals."""
    found = frame()
    return {} if found is None else variables_of(found)


def variables_of(frame: FrameType) -> dict[str, Any]:
    """The variables in a frame, locals before globals, without those that have any name."""
    known = {**frame.f_locals, **frame.f_globals, **frame.f_locals}
    return {name: thing for name, thing in known.items() if not has_any_name(thing)}


def library() -> str | None:
    """The name under which the reader has imported this package, such as ``mg`` or ``torch``."""
    package = sys.modules[__name__.partition(".")[0]]
    for each in callers(frame()):  # the first may be a function of NumPy's
        known = {**each.f_locals, **each.f_globals}
        if name := next((name for name, thing in known.items() if thing is package), None):
            return name
    return None


def name_of(tensor: Any) -> str | None:
    """The name under which the reader knows a tensor."""
    return name_among(variables(), lambda thing: thing is tensor)


def name_among(names: Mapping[str, Any], is_meant: Callable[[Any], bool]) -> str | None:
    """The first name whose value is meant, or how else a program gets at it.

    That is ``net[0].weight``, by which a module has it, or ``trainer.cache["a"]``.
    """
    own = {name: thing for name, thing in names.items() if name[0] != "_"}
    found = (name for name, thing in own.items() if is_meant(thing))
    parameters = (
        at(name, path)
        for name, thing in own.items()
        for path, parameter in parameters_of(thing)
        if is_meant(parameter)
    )
    others = (
        each.path
        for each in held(own)
        if is_meant(each.thing) and each.is_typed
        if hasattr(type(each.thing), "grad_fn") or "[" not in each.path
    )
    return next(itertools.chain(found, parameters, others), None)
