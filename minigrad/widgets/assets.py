"""The files next to this module that run in a browser."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from re import MULTILINE, sub

from minigrad import viz

MODULES = [
    "dom",
    "states",
    "drawing",
    "miniature",
    "scenes",
    "track",
    "details",
    "questions",
    "listing",
]
MODULES += ["controls", "player", "morph", "board", "start"]
HERE = Path(__file__).parent


@cache
def read(name: str) -> str:
    """The text of a file such as `shim.js` or `browser/player.css`.

    >>> "render" in read("shim.js")
    True
    """
    return (HERE / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """The player's modules as one, in the order in which they need each other.

    >>> script().count("export default")
    1
    """
    parts = [read(f"browser/{name}.js") for name in MODULES]
    alone = [sub(r"^import .*\n|^export (?!default)", "", part, flags=MULTILINE) for part in parts]
    return "\n".join(alone)


@cache
def style() -> str:
    """The style sheet of player and board, with the colors and the looks of pictures."""
    names = ("player", "board")
    own = [read(f"browser/{name}.css") for name in names]
    return "\n".join([viz.CSS, viz.palette(".minigrad-player"), *own])


@cache
def version() -> str:
    """What tells one version of the player from another that stands on the same page."""
    return sha256((script() + style()).encode()).hexdigest()[:10]


def slim(text: str) -> str:
    r"""The same code for inlining into a page: without comments and indentation.

    Nothing else goes, so what is left is still readable in the page's source. Brackets that stand
    alone end the line above, and the first line within brackets goes on in it: a notebook stores
    each line with 13 characters more.

    >>> slim("// all of it\n  far() {\n    return sum(\n      2,\n      1); // steps\n  }\n")
    'far() { return sum( 2, 1); }'
    """
    lines = (sub(r" // .*", "", line.strip()) for line in text.splitlines())
    kept = (line for line in lines if line and not line.startswith(("//", "/*", "* ", "*/")))
    joined = sub(r"(?<=[,({])\n", " ", "\n".join(kept))
    return sub(r"\n(?=[\])}]+[;,]?$)", " ", joined, flags=MULTILINE)
