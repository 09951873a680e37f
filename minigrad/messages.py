"""PyTorch's longer sentences, word for word, by name: they stand in ``messages.toml``."""

from __future__ import annotations

import functools


@functools.cache
def messages() -> dict[str, str]:
    """All of them; most programs need none, so they are read when the first one is."""
    import tomllib
    from pathlib import Path

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def message(name: str, /, **values: object) -> str:
    """The sentence of this name, with the values of this time.

    >>> message("leaf-written", what="leaf")
    'a leaf Variable that requires grad is being used in an in-place operation.'
    """
    return messages()[name].format(**values)
