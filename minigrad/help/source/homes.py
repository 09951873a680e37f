"""Which module of the reader's made what is asked about, where the lines that ask only ask."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from traceback import walk_stack
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from . import reader
from .called import is_in_a_library
from .parsed import text_of
from .variables import groups_of, held, is_module

MOST_LOOKED_AT = 20  #: things of a list, a dict or an object
#: nothing of these types learns or holds what does; most of what modules have is of one
PLAIN = frozenset(
    (type, ModuleType, FunctionType, BuiltinFunctionType, type(None), bool, int, float, str, bytes)
)
IDLE = PLAIN | {dict, list, tuple, set, frozenset}  #: nothing of these types learns itself


class Ended(NamedTuple):
    """A module that has run to its end, read like the frame that ran it."""

    f_code: CodeType
    f_globals: dict[str, Any]
    f_locals: dict[str, Any]
    f_lineno: int
    f_lasti: int = -1
    f_back: None = None


def home(things: Iterable[Any], found: FrameType | None) -> FrameType | Ended | None:
    """The module that holds all things, and whatever learns in a frame; else the frame itself.

    Of several it is the one that holds most of what learns.
    """
    if found is None:
        return None
    given = [*things, *filter(learns, reader.variables_of(found).values())]
    wanted = {id(each) for each in given if learns(each) or hasattr(type(each), "grad_fn")}
    running = {id(frame.f_globals) for frame, _line in walk_stack(found)}
    most, best = 0, found
    for filename, variables in modules(found) if wanted else ():
        known = {id(each.thing): each.thing for each in held(variables)}
        count, lines = sum(map(learns, known.values())), text_of(filename, variables).splitlines()
        if id(variables) not in running and wanted <= known.keys() and lines and count > most:
            code = compile("", filename, "exec")
            most, best = count, Ended(code, variables, variables, len(lines))
    return best


def learns(thing: Any) -> bool:
    """Whether this takes part in a training: a net, an optimizer, or a tensor with gradients."""
    if type(thing) in IDLE:
        return False
    asks = getattr(thing, "requires_grad", False) is True  # of a class it is something else
    return is_module(thing) or bool(groups_of(thing)) or asks


def modules(frame: FrameType) -> Iterator[tuple[str, dict[str, Any]]]:
    """The files that have run beside a frame, also by ``runpy``, and what each has under names."""
    spaces = [vars(each) for each in [*sys.modules.values()] if isinstance(each, ModuleType)]
    spaces += [each for each in frame.f_locals.values() if isinstance(each, dict)]
    for each in spaces:
        filename = each.get("__file__")
        if isinstance(filename, str) and is_own(filename) and any(map(learns, nearest(each))):
            yield filename, each


@cache
def is_own(filename: str) -> bool:
    """Whether this is a file of the reader's; of each of a thousand modules that is asked again."""
    return filename.endswith(".py") and not is_in_a_library(filename)


def nearest(variables: dict[str, Any]) -> Iterator[Any]:
    """What a module has under names, and what stands first in that: a look that takes no time.

    Nothing that is idle anyway, which is most of it, and no name that `held` passes over.
    """
    for name, each in variables.items():
        if type(each) in PLAIN or not name[:1].isalpha():
            continue
        yield each
        if isinstance(each, dict):
            inside = islice(each.values(), MOST_LOOKED_AT)
        elif isinstance(each, list | tuple):
            inside = each[:MOST_LOOKED_AT]
        elif not isinstance(each, type):
            inside = islice(getattr(each, "__dict__", {}).values(), MOST_LOOKED_AT)
        else:
            continue
        yield from (part for part in inside if type(part) not in IDLE)
