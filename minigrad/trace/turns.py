"""What happened while a node ran, as plain data: a backward pass is a list of turns.

Arrays are copies, so later in-place work cannot rewrite the record. Keys are those of the graph.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from .numbers import Sum, sum_text


class Send(NamedTuple):
    """A gradient on its way to an operand, and the sum at the receiver with it."""

    edge: str
    grad: np.ndarray | None  #: None counts as zero
    after: np.ndarray | None


class Skip(NamedTuple):
    """An operand that is sent nothing."""

    argument: int
    edge: str | None  #: None where the operand is not drawn
    constant: str | None  #: the plain number it is, printed; None where it is a tensor


class Change(NamedTuple):
    """A hook of the reader put one gradient in the place of another."""

    value: str
    before: np.ndarray
    after: np.ndarray | None


class Accumulation(NamedTuple):
    """What was added into ``.grad`` of a leaf; None stands for no gradient."""

    before: np.ndarray | None
    added: np.ndarray | None
    after: np.ndarray | None


class Stop(NamedTuple):
    """The error that ended the pass."""

    message: str
    value: str | None = None  #: the value that was changed since it was kept, if that is known
    slot: str | None = None  #: under which name the node had kept it
    kept_version: int | None = None
    version_now: int | None = None
    place: str = ""  #: the line that changed it, if that is known: ``line 5: y += 1``


@dataclass
class Turn:
    """Everything that happened while one node ran."""

    node: str  #: key of the operation
    incoming: list[np.ndarray | None]  #: one for each output of the node, after the hooks
    changes: list[Change] = field(default_factory=list)  #: by hooks, before the node ran
    retained: list[tuple[str, np.ndarray]] = field(default_factory=list)  #: (value, its .grad)
    sends: list[Send] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    accumulation: Accumulation | None = None
    rewrites: list[Change] = field(default_factory=list)  #: of .grad itself, by a hook
    freed: tuple[str, ...] = ()  #: names of the kept values that were let go
    stop: Stop | None = None

    def sum_in_grad(self, digits: int) -> Sum | None:
        """What is added to the ``.grad`` that was there, as a sum, if it can be written truly."""
        before, added, after = self.accumulation
        total = self.rewrites[0].before if self.rewrites else after
        known = before is not None and added is not None and total is not None
        return sum_text([before, added], total, digits) if known else None
