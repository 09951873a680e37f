"""Values that were computed once and kept, from what a leaf was before it became this one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..graph.history import leaves_behind
from ..graph.recorded import leads_to
from ..program.program import Program
from ..source.lists import parts_of
from ..source.syntax import FUNCTIONS, is_call, name_called
from ..source.texts import everywhere
from ..source.variables import held
from ..words.sentences import say
from .caches import filled_once


def kept_from_before(leaf: Tensor, name: str, program: Program) -> Iterator[str]:
    """That an object keeps a value that it computed from what ``name`` was earlier.

    It leads to the leaf no more than that did, wherever it is used.
    """
    owner, _, own = name.rpartition(".")
    things = [each.thing for each in held(program.variables) if each.path == owner]
    for attribute, kept, value in kept_by(things[0]) if things else ():
        if value is leaf or any(one is leaf for one in leaves_behind(value)):
            continue
        if any(leads_to(cut, leaf) for cut in cuts_of(value)):
            continue  # of what it is now, without recording
        if line := line_that_keeps(attribute, own, program):
            store = f"{owner}.{attribute}"
            emptied = f"del {store}" if kept == attribute else f"{store}.clear()"
            facts = {"kept": f"{owner}.{kept}", "name": name, "line": line, "emptied": emptied}
            yield say("kept-from-before", **facts)
            return


def kept_by(owner: Any) -> Iterator[tuple[str, str, Tensor]]:
    """The tensors that an object keeps under attributes, and in dicts there: how, and where."""
    for attribute, thing in (getattr(owner, "__dict__", None) or {}).items():
        items = thing.items() if isinstance(thing, dict) else ()
        known = [(attribute, thing), *((f"{attribute}[{key!r}]", each) for key, each in items)]
        yield from ((attribute, own, each) for own, each in known if isinstance(each, Tensor))


def line_that_keeps(kept: str, own: str, program: Program) -> str:
    """The line that computes what is kept under a name, where it reads an attribute; else empty."""
    line, _out = filled_once(kept) or ("", "")
    parts = parts_of(line) if line else []
    for source, each in everywhere(program.frame, FUNCTIONS):
        made = [name_called(getattr(one, "func", one)) for one in each.decorator_list]
        if each.name == kept and "cached_property" in made:
            line, parts = source.spoken(each.lineno), [*ast.walk(each)]
    calls = {name_called(part.func) for part in parts if is_call(part)}
    bodies = [e for _, e in everywhere(program.frame, FUNCTIONS) if e.name in calls]
    parts = [*parts, *(part for body in bodies for part in ast.walk(body))]
    reads = any(isinstance(part, ast.Attribute) and part.attr == own for part in parts)
    return line if reads else ""
