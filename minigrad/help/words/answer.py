"""What ``explain`` returns: sentences, and in a notebook a small picture of what they say."""

from __future__ import annotations

import html
import re
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...autograd.around import Around
from ..source import reader
from .noted import as_imported

MOST_SHOWN = 3  #: sentences below the first one that a notebook does not fold


@dataclass(frozen=True)
class Scissors:
    """A way that was cut: from what, to what, by what, and in which line."""

    before: str
    after: str
    by: str
    line: str


@dataclass(frozen=True)
class BadNode:
    """A node behind a tensor that no finite gradient comes out of, known by its number.

    ``names`` are the reader's, for the tensors that live when it is shown.
    """

    behind: weakref.ref
    sequence: int
    slope: str
    names: Mapping[str, weakref.ref]


@dataclass
class Shown:
    """What a notebook shows beside the sentences.

    Attributes:
        scene: a `Scissors` or a `BadNode`, or None.
        steps: the reader's name of a tensor whose pass can be stepped through; may be empty.
    """

    scene: Any = None
    steps: str = ""


class Explanation:
    """An answer in sentences, one to a line, the answer first.

    A notebook shows the first sentence in bold, below it why and what to do, and a small picture;
    where nothing is to be done, why ``.grad`` is None. The rest is folded. Where a sentence runs
    over several lines of our source, each break and indent is one space. The package is named as
    the reader has imported it, unless the answer is about PyTorch's own (not ``own``).

    >>> Explanation(["x is a leaf.", "x.grad is None."])
    x is a leaf.
    x.grad is None.
    """

    def __init__(self, sentences: Iterable[str], shown: Shown | None = None, own: bool = True):
        self.sentences = tuple(dict.fromkeys(as_told(sentences, own)))
        self.shown = shown or Shown()  # known now: the sentences have all been made
        self.library = reader.library() or "minigrad"

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        first, *rest = map(as_html, self.sentences or ("",))
        tries = [number for number, said in enumerate(rest) if said.startswith("Try: ")]
        if not tries:  # then it is no mistake, and what is asked most is told
            tries = [n for n, said in enumerate(rest) if ".grad is None" in said][:1] or [0]
        unfolded = range(tries[-1] + 1) if tries[-1] < MOST_SHOWN else tries
        do = [said for number, said in enumerate(rest) if number in unfolded]
        more = [said for number, said in enumerate(rest) if number not in unfolded]
        if self.shown.steps:
            more.append(as_html(f"Step by step: `{self.library}.stepper({self.shown.steps})`"))
        listed = "".join(f"<li>{said}</li>" for said in more)
        folded = f"<details><summary>more</summary><ul>{listed}</ul></details>" if more else ""
        answer = f"<p><b>{first}</b></p>{''.join(f'<p>{said}</p>' for said in do)}"
        return f"{answer}{self.picture}{folded}"

    @property
    def picture(self) -> str:
        """The picture as HTML; empty where there is none."""
        if self.shown.scene is None:
            return ""
        room = Around.load("widgets.explained")
        return "" if room is None else room.picture(self.shown.scene, self.sentences[0])


def as_told(sentences: Iterable[str], own: bool = True) -> Iterator[str]:
    """Sentences as every answer shows them: each in one line, and in the reader's spelling."""
    for sentence in sentences:
        line = re.sub(r"\n\s*", " ", sentence)
        yield as_imported(line) if own else line


def as_html(sentence: str) -> str:
    """A sentence, escaped, with quoted lines set as code."""
    return re.sub("`(.+?)`", as_code, html.escape(sentence))


def as_code(quoted: re.Match) -> str:
    """A line of the program, which a narrow window may break after a dot or a bracket."""
    return "<code>{}</code>".format(re.sub("([.(,])", r"\1<wbr>", quoted[1]))
