"""How a reply of the lessons looks: a heading, a few sentences, a card of its own.

The card has the colors of JupyterLab's theme and is white elsewhere, and its heading is a word,
so nothing depends on color. The same sentences are the plain text of the output: they can
be read on a page that shows no HTML, and tests compare them.
"""

from dataclasses import dataclass
from html import escape

from ..language import _
from ..widgets.quiz_html import PAPER
from ..widgets.quiz_html import code as as_html

_STYLE = (
    PAPER + ";border:1px solid #6e6e6e;border-left:6px solid {edge};"
    "border-radius:4px;padding:.5em .9em;margin:.2em 0;max-width:{width};line-height:1.45"
)


@dataclass(frozen=True)
class Card:
    """A short reply to a learner: `heading` is its verdict in one or two words, `words` the rest.

    >>> Card("Look again", ("One road is missing.", "How many roads lead to x?"))
    Look again. One road is missing. How many roads lead to x?
    """

    heading: str
    words: tuple[str, ...] = ()
    edge: str = "#0072B2"

    @property
    def sentence(self) -> str:
        """The heading as a sentence of its own."""
        heading = _(self.heading)
        return heading if heading.endswith((".", "。")) else f"{heading}."

    def __repr__(self) -> str:
        return " ".join((self.sentence, *self.words))

    def _repr_html_(self) -> str:
        sentences = "".join(f"<div>{as_html(words)}</div>" for words in self.words)
        return framed(f"<strong>{escape(self.sentence)}</strong>{sentences}", self.edge)


def framed(html: str, edge: str = "#0072B2", width: str = "46em") -> str:
    """Put `html` on a card with a colored edge, at most so wide: sentences are read in 46em."""
    return f'<div style="{_STYLE.format(edge=edge, width=width)}">{html}</div>'
