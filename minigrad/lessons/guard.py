"""Running a learner's code without waiting for ever: a loop without an end is stopped.

Steps of the interpreter are counted, and not lines: a loop that fits on one line, such as
`while ready: pass`, comes to no new line.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

STEPS = 300_000  # a fraction of a second


class TooLong(Exception):
    """The code took more steps than it may."""


class _Stop(BaseException):
    """Raised inside the code; `except Exception` in it does not catch this."""


def guarded(function: Callable[..., Any], *arguments: Any, steps: int = STEPS) -> Any:
    """Call `function` and return its result.

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
    left = steps

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        frame.f_trace_opcodes = True
        left -= 1
        if left < 0:
            raise _Stop
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return function(*arguments)
    except _Stop:
        raise TooLong(f"more than {steps} steps") from None
    finally:
        sys.settrace(before)
