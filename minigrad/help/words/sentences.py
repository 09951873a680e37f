"""The tables of words (``*.toml``, in their rooms), and the sentences of two of them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from ...language import _

GUESS = "That can come from"  #: begins a cause that no value confirms


@cache
def table(name: str) -> dict[str, Any]:
    """A whole table, by its room and its name.

    >>> table("errors/messages")["freed"]["text"]
    'Trying to backward through the graph a second time'
    """
    file = files(__package__.rpartition(".")[0]) / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def say(key: str, **slots: Any) -> str:
    """A sentence of the table in the reader's language, its slots filled.

    >>> say("and-more", shown="a, b, c", more=2)
    'a, b, c and 2 more'
    """
    return _(table("words/sentences")[key]).format(**slots)


def tell(key: str, **slots: Any) -> str:
    """A sentence of an answer in the reader's language, its slots filled.

    >>> tell("reaches-a-result", b="h")[:36]
    'h is not a leaf: the gradient reache'
    """
    return _(table("words/answers")[key]).format(**slots)


def is_guess(said: str) -> bool:
    """Whether a sentence names a cause that no value confirms.

    >>> is_guess("That can come from SqrtBackward0, if its input is 0."), is_guess("x is 0.")
    (True, False)
    """
    return said.startswith(GUESS)
