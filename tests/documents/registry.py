"""Who shows what: the snippets of the 138 items, and the items that nothing can show."""

from collections.abc import Callable
from dataclasses import dataclass

SNIPPETS = {}
NOTHING_TO_RUN = {}


@dataclass(frozen=True)
class Snippet:
    """One runnable part of one item."""

    item: str
    run: Callable


def item(name, part=None):
    """Register a snippet under its item, such as ``"000-0.11"``, or as a named part of it."""
    key = f"{name} {part}" if part else name

    def register(run):
        refuse_twice(key)
        SNIPPETS[key] = Snippet(name, run)
        return run

    return register


def nothing_to_run(name, reason):
    """Register an item that no program can check, and say why."""
    refuse_twice(name)
    NOTHING_TO_RUN[name] = reason


def refuse_twice(key):
    """Two snippets under one key would hide each other."""
    if key in SNIPPETS or key in NOTHING_TO_RUN:
        raise ValueError(f"item {key} is registered twice")
