"""Who is spoken of: what values and operations are called in sentences and in lists."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from minigrad.language import _

from .roles import nth, shortened
from .sentences import MOST, listed, say

if TYPE_CHECKING:
    from .model import Index, Operation

#: Signs of operations that send the same to both operands of ``x × x``.
SYMMETRIC = {"+", "×", "add", "mul", "maximum", "minimum", "logaddexp", "dot"}


class Speakers:
    """What values and operations are called: in sentences (`of`) and in lists (`name`).

    A long path is said without its middle.
    """

    def __init__(self, index: Index):
        self.index, values = index, index.values.values()
        short = shortened(value.name for value in values if value.named)
        self._names = {value.key: short.get(value.name, value.name) for value in values}
        unnamed = [value for value in values if not value.named]
        self._spoken = {v.key: _(v.role) or v.name or say("a-result") for v in unnamed}
        shared = Counter(value.name for value in unnamed)
        self._shared = {value.key for value in unnamed if shared[value.name] > 1}

    def of(self, key: str) -> str:
        """A value in a sentence: its name, or ``the product``."""
        return self._spoken.get(key) or self._names[key]

    def name(self, key: str) -> str:
        """A value in a list: its name or an expression of its own, or else its role."""
        own = "" if key in self._shared else self._names[key]
        return own or self._spoken[key]

    def written(self, key: str) -> str:
        """A value in a formula: its name or expression, though others may have the same."""
        return self._names[key] or self._spoken[key]

    def place(self, edge: str | None) -> str:
        """``first``: which operand an edge leads to, where another has the same name; else ""."""
        if edge is None:
            return ""
        here = self.index.edges[edge]
        alike = self.index.operations[here.target].symbol in SYMMETRIC
        for other in self.index.operands[here.target]:
            same = other.source == here.source
            named = self._names[here.source] and not same
            twin = other is not here and not alike if same else named
            if twin and self._names[other.source] == self._names[here.source]:
                return nth(here.argument + 1)
        return ""

    def made(self, operation: Operation, name: bool = False) -> str:
        """What an operation made, its results by their names, or counted if they are many."""
        if len(operation.outputs) < 2:
            return self.name(operation.makes) if name else self.of(operation.makes)
        keys = operation.outputs
        named = all(self.index.values[key].named for key in keys)
        if len(keys) > MOST + 2 * named:
            return say("its-results", count=len(keys), node=operation.node)
        return listed([self.name(key) if name else self.of(key) for key in keys])

    def opening(self, sentence: str, key: str | None) -> str:
        """A sentence that begins with a role gets its capital letter, not with an expression."""
        role = self._spoken.get(key, "") if key is not None else ""
        if key is not None and role == self._names[key]:  # kᵀ is no word
            return sentence
        starts = bool(role) and sentence.startswith(role)
        return sentence[:1].upper() + sentence[1:] if starts else sentence
