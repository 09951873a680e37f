"""What ``explain`` returns: sentences."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable


class Explanation:
    """An answer in sentences, one to a line; a notebook shows them as a list.

    Where a sentence runs over several lines of our source, each break and indent is one space.

    >>> Explanation(["x is a leaf.", "x.grad is None."])
    x is a leaf.
    x.grad is None.
    """

    def __init__(self, sentences: Iterable[str]):
        self.sentences = tuple(re.sub(r"\n\s*", " ", sentence) for sentence in sentences)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.sentences)
        return re.sub("`(.+?)`", as_code, f"<ul>{items}</ul>")


def as_code(quoted: re.Match) -> str:
    """A line of the program, which a narrow window may break after a dot or a bracket."""
    line = re.sub("([.(,])", r"\1<wbr>", quoted[1])
    return f"<code>{line}</code>"
