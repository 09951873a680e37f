"""The files next to this module that run in a browser."""

from functools import cache
from pathlib import Path


@cache
def read(name: str) -> str:
    """The text of `player.js`, `player.css` or `shim.js`.

    >>> "export" in read("player.js")
    True
    """
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@cache
def slim(name: str) -> str:
    """The same file for inlining into a page: without comment lines and indentation.

    Only whole lines go, so what is left is still readable in the page's source.
    """
    lines = (line.strip() for line in read(name).splitlines())
    kept = (line for line in lines if line and not line.startswith(("//", "/*")))
    return "\n".join(kept)
