"""Layers that ``forward`` makes anew: the loss leads back to parameters that nobody holds."""

from __future__ import annotations

import ast
import gc
import inspect
from collections.abc import Iterator
from types import FrameType, GeneratorType
from typing import Any

from ..source import reader
from ..source.called import outer_names, thing_called
from ..source.texts import definition_of
from ..source.variables import is_of_library, is_parameter
from ..words.sentences import say


def made_anew(net: Any, leaves: list[Any], own: set[int]) -> Iterator[str]:
    """A sentence on the parameters behind a loss that no module holds any more.

    ``own`` are the ids of those that the net or the optimizer knows; others may belong to a net
    beside this one, which holds them.
    """
    lost = sum(
        is_parameter(leaf) and id(leaf) not in own and not is_held(leaf, leaves) for leaf in leaves
    )
    lines = list(dict.fromkeys(layers_made_in_forward(net))) if lost else []
    if not lines:  # or an earlier net was computed with, whose name means another by now
        return
    yield say("made-anew", count=lost, where="; ".join(lines))


def is_held(thing: Any, apart_from: Any) -> bool:
    """Whether anything but a graph has it, such as a module or a variable."""
    for holder in gc.get_referrers(thing):
        if holder is apart_from or isinstance(holder, FrameType | GeneratorType):
            continue  # these look at it now
        if not is_of_library(holder) and not (
            isinstance(holder, tuple) and not is_held(holder, thing)
        ):
            return True
    return False


def layers_made_in_forward(net: Any) -> Iterator[str]:
    """The lines in the reader's ``forward`` that make a module."""
    for kind in dict.fromkeys(type(module) for module in net.modules()):
        forward = inspect.unwrap(kind.forward)
        code = getattr(forward, "__code__", None)
        if code is None or code.co_filename.startswith(reader.PACKAGE):
            continue
        known = outer_names(forward)
        source, body = definition_of(forward)
        for node in ast.walk(body):
            made = thing_called(node.func, known) if isinstance(node, ast.Call) else None
            if isinstance(made, type) and hasattr(made, "named_parameters"):
                yield source.spoken(node.lineno)
