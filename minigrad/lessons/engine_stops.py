"""Where a learner's engine stopped: the line, its function, and what a rule was asked with."""

import linecache
from types import FrameType
from typing import Any

from ..language import _
from .guard import TooLong

RULES = ("rule", "<lambda>")


def where(error: BaseException) -> str:
    """A sentence about the line that stopped; empty where its text is not known.

    A rule is called by a line of `send`: that line is told, and what it gave to the rule.
    """
    frames = _learners(error)
    if not frames:
        return ""
    told = []
    last = frames[-1][0].f_code
    asked = len(frames) > 1 and last.co_name in RULES and last.co_argcount == 1
    if asked:
        frame, _number = frames.pop()
        told.append(_("A rule was asked with {what}.").format(what=kind(_first_argument(frame))))
    frame, number = frames[-1]
    line = linecache.getline(frame.f_code.co_filename, number).strip()
    if line:
        said = _("The line is `{line}`, in `{function}`.")
        told.append(said.format(line=line, function=frame.f_code.co_name))
    return "".join(f" {sentence}" for sentence in told)


def which(error: TooLong) -> str:
    """What went on and on."""
    if error.function:
        return _("`{function}` calls itself again and again.").format(function=error.function)
    return _("Which loop goes on?")


def calls_itself(error: BaseException) -> str:
    """The name of a function that stands in the calls inside calls again and again, or nothing."""
    codes = [frame.f_code for frame, _line in _learners(error)]
    often = {code for code in codes if codes.count(code) > 10}
    names = sorted({code.co_name for code in often} - set(RULES))
    return names[0] if names else ""


def kind(thing: Any) -> str:
    """What something is, for a sentence: a number as it is, a function as a function."""
    if callable(thing):
        return _("a function")
    if thing == "":
        return _("an empty text")
    if isinstance(thing, tuple):
        return _("a tuple")
    return f"{thing:g}" if isinstance(thing, (int, float)) else repr(thing)


def _learners(error: BaseException) -> list[tuple[FrameType, int]]:
    """The frames of the traceback that are not minigrad's, the innermost last."""
    found, step = [], error.__traceback__
    while step is not None:
        if not step.tb_frame.f_globals.get("__name__", "").startswith("minigrad"):
            found.append((step.tb_frame, step.tb_lineno))
        step = step.tb_next
    return found


def _first_argument(frame: FrameType) -> Any:
    names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    return frame.f_locals.get(names[0]) if names else None
