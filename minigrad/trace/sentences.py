"""The tables beside this module (``*.toml``), and the sentences of one of them."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from minigrad.language import _


@cache
def table(name: str) -> dict[str, Any]:
    """A whole table.

    >>> table("operations")["Mul"]["symbol"]
    '×'
    """
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


def written(stem: str, how: str) -> str:
    """How an operation is written: its ``symbol``, ``sign`` or ``writes``; "" where it has none."""
    return table("operations").get(stem, {}).get(how, "")


MOST = 3  #: names or numbers in one list of a sentence


def say(key: str, **slots: Any) -> str:
    """A sentence of the table in the reader's language, its slots filled.

    >>> say("gift", grad="3", target="x")
    '3 to x'
    """
    return _(table("sentences")[key]).format(**slots)


def listed(items: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return say("and", first=", ".join(items[:-1]), last=items[-1])


def capped(items: Sequence[str], most: int = MOST) -> str:
    """As `listed`; of a long list the beginning, and how many more there are."""
    if len(items) <= most + (most == MOST):
        return listed(items)
    return say("and-more", first=", ".join(items[:most]), count=len(items) - most)
