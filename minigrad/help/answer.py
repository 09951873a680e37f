"""What ``explain`` returns: sentences."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable


class Explanation:
    """An answer in sentences, one to a line, the answer first.

    A notebook shows the first sentence in bold, what to do below it, and the rest folded. Where a
    sentence runs over several lines of our source, each break and indent is one space.

    >>> Explanation(["x is a leaf.", "x.grad is None."])
    x is a leaf.
    x.grad is None.
    """

    def __init__(self, sentences: Iterable[str]):
        told = (re.sub(r"\n\s*", " ", sentence) for sentence in sentences)
        self.sentences = tuple(dict.fromkeys(told))

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        first, *rest = map(as_html, self.sentences or ("",))
        do = [said for said in rest if said.startswith("Try: ")]
        more = "".join(f"<li>{said}</li>" for said in rest if said not in do)
        folded = f"<details><summary>more</summary><ul>{more}</ul></details>" if more else ""
        return f"<p><b>{first}</b></p>{''.join(f'<p>{said}</p>' for said in do)}{folded}"


def as_html(sentence: str) -> str:
    """A sentence, escaped, with quoted lines set as code."""
    return re.sub("`(.+?)`", as_code, html.escape(sentence))


def as_code(quoted: re.Match) -> str:
    """A line of the program, which a narrow window may break after a dot or a bracket."""
    line = re.sub("([.(,])", r"\1<wbr>", quoted[1])
    return f"<code>{line}</code>"
