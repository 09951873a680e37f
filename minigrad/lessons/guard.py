"""Running a learner's code without waiting for ever: a loop without an end is stopped.

Steps of the interpreter are counted, and not lines: a loop that fits on one line, such as
`while ready: pass`, comes to no new line. What help does under an error is not the learner's, and
is not counted: when it is first asked it is loaded, which alone would take more steps than there
may be.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from ..autograd import around

HELP = (around.__file__, str(Path(around.__file__).parents[1] / "help"))
STEPS = 300_000  # a fraction of a second


class TooLong(Exception):
    """The code took more steps than it may; `function` is one that called itself."""

    function = ""


class _Stop(BaseException):
    """Raised inside the code; `except Exception` in it does not catch this."""


def _calls_itself(frame: FrameType | None) -> str:
    """The name of a function that stands in the calls inside calls again and again, or nothing."""
    codes: Counter[CodeType] = Counter()
    while frame is not None:
        codes[frame.f_code] += 1
        frame = frame.f_back
    code, count = codes.most_common(1)[0]
    return code.co_name if count > 10 else ""


def guarded(
    function: Callable[..., Any], *arguments: Any, steps: int = STEPS, file: str = ""
) -> Any:
    """Call `function` and return its result.

    With `file`, only the steps of code in that file are counted, and not those of what it calls.
    Raises `TooLong` after so many steps of the interpreter, and whatever the function raises. A
    tracer that is at work, such as that of a debugger, rests meanwhile.

    >>> guarded(max, 3, 4)
    4
    >>> def for_ever():
    ...     while True:
    ...         pass
    >>> guarded(for_ever)
    Traceback (most recent call last):
    minigrad.lessons.guard.TooLong: more than 300000 steps
    """
    left, helping = steps, False

    def until_helped(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal helping
        helping = event != "return"
        return until_helped

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal helping
        if helping:
            return None
        if frame.f_code.co_filename.startswith(HELP):
            helping = True
            return until_helped
        if file and frame.f_code.co_filename != file:
            return None
        frame.f_trace_opcodes = True
        return count(frame, event, argument)

    def count(frame: FrameType, event: str, argument: Any) -> Any:  # of each step
        nonlocal left
        left -= 1
        if left < 0:
            raise _Stop(_calls_itself(frame))
        return count

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return function(*arguments)
    except _Stop as stop:
        error = TooLong(f"more than {steps} steps")
        error.function = stop.args[0]
        raise error from None
    finally:
        sys.settrace(before)
