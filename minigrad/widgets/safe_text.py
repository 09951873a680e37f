"""Reading a typed expression from left to right: the sentences a learner meets.

Only the order of the pieces is looked at here, so that the first wrong one gets a sentence of its
own ("Expected a number or a name after `*`.") and its column. `safe.parse` makes the tree.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from ..language import _

FUNCTIONS = ("exp", "log", "sin", "cos", "tanh", "relu", "sqrt", "abs", "sum", "mean")
LONGEST_TEXT, LONGEST_NAME = 200, 20
DEEPEST = 20

SAME = str.maketrans("−×·÷\t\n\r", "-**/   ")
_PIECES = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator>\*\*|[-+*/@])|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)"
    r"|(?P<other>[^ ])",
    re.ASCII,
)
_CLOSES = {"(": ")", "[": "]"}


class Refused(ValueError):
    """A text that cannot be used: `str()` says why, `column` (from 0) where.

    >>> from minigrad.widgets.safe import parse
    >>> try:
    ...     parse("2 * ")
    ... except Refused as refused:
    ...     print(refused, refused.column)
    ...     print(refused.caret())
    Expected a number or a name after `*`. 3
    2 *
       ^
    """

    def __init__(self, sentence: str, text: str, column: int):
        super().__init__(sentence)
        self.text, self.column = text, column

    def caret(self) -> str:
        """The text, and below it a caret at the column."""
        shown = self.text.translate(SAME)[: LONGEST_TEXT + 1].rstrip()
        return f"{shown}\n{' ' * self.column}^"


def _pieces(text: str) -> Iterator[tuple[str, str, int]]:
    for found in _PIECES.finditer(text):
        yield found.lastgroup, found[0], found.start()


def read(text: str) -> None:
    """Refuse a text that is no expression, at its first wrong piece."""
    before = ""  # the piece that came last, while the next one has to be a value
    valued = False  # whether a value has just ended
    opened: list[str] = []
    pieces = list(_pieces(text))
    next_pieces = [piece for _kind, piece, _column in pieces[1:]] + [""]
    for (kind, piece, column), following in zip(pieces, next_pieces, strict=False):
        said = _wrong_piece(kind, piece, before, valued, opened, following)
        if said:
            raise Refused(said, text, column)
        if kind == "open":
            opened.append(piece)
            if len(opened) > DEEPEST:
                raise Refused(_("Too many brackets inside each other."), text, column)
        elif kind == "close":
            opened.pop()
        valued = kind in ("number", "close") or (kind == "name" and following != "(")
        before = piece
    if not valued:
        raise Refused(_expected(before, ""), text, len(text.rstrip()) if before else 0)
    if opened:
        said = _("A `{}` is still open: expected `{}`.").format(opened[-1], _CLOSES[opened[-1]])
        raise Refused(said, text, len(text.rstrip()))


def _wrong_piece(
    kind: str, piece: str, before: str, valued: bool, opened: list[str], following: str
) -> str:
    """Say what is wrong with the next piece, or nothing."""
    if kind == "other":
        return _stranger(piece)
    if kind == "close" and (not opened or _CLOSES[opened[-1]] != piece):
        wanted = _("expected `{}`").format(_CLOSES[opened[-1]]) if opened else _("nothing is open")
        return _("This `{}` closes nothing: {}.").format(piece, wanted)
    if valued:
        if kind in ("number", "name", "open"):
            said = _("Expected an operator such as `*` between `{}` and `{}`.")
            return said.format(before, piece)
        if kind == "comma" and (not opened or opened[-1] != "["):
            return _("A comma stands only in a vector such as `[1, 2]`. Decimals have a point.")
        return ""
    if kind in ("close", "comma") or (kind == "operator" and piece not in "+-"):
        return _expected(before, piece)
    if kind == "name":
        return _wrong_name(piece, following)
    return ""


def _expected(before: str, piece: str) -> str:
    if before in _CLOSES and piece:
        return _("Expected a number or a name between `{}` and `{}`.").format(before, piece)
    if before:
        return _("Expected a number or a name after `{}`.").format(before)
    if piece:
        return _("Expected a number or a name before `{}`.").format(piece)
    return _("Nothing is written yet: expected a number or a name.")


def _wrong_name(name: str, following: str) -> str:
    if following == "(":
        if name not in FUNCTIONS:
            return _("There is no function `{}`. There are {}.").format(
                name[:LONGEST_NAME], ", ".join(FUNCTIONS)
            )
    elif name in FUNCTIONS:
        return _("`{0}` is a function: write `{0}(…)`.").format(name)
    if keyword.iskeyword(name):
        return _("`{}` is a word of Python and cannot be a name.").format(name)
    if name.startswith("_"):
        return _("A name begins with a letter.")
    if len(name) > LONGEST_NAME:
        return _("A name has at most {} letters.").format(LONGEST_NAME)
    return ""


def _stranger(piece: str) -> str:
    if piece in ("^", "²", "³"):
        return _("A power is written `**`.")
    if piece == ".":
        return _("A dot stands only inside a number, such as 0.5.")
    if piece == "=":
        return _("Write the expression alone, without `=`.")
    if piece.isalpha():
        return _("Names are written with the letters a to z; this is `{}`.").format(piece)
    return _("`{}` has no place in an expression.").format(piece)
