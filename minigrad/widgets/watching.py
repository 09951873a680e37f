"""`watch` as programs call it: it keeps what a forward pass knows, and what never came into it.

A tape whose block ended in an error shows in a notebook how far it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad import trace
from minigrad.extras.recorded_cuts import Cut, watching

from .drawing import draw


class watch(trace.watch):
    """As `minigrad.trace.watch`; it also hears of each history that ends, for `explain`.

    Attributes:
        cuts: what ended a history in the block, in order (:mod:`minigrad.extras.recorded_cuts`).
    """

    cuts: Sequence[Cut] = ()

    def __enter__(self) -> watch:
        super().__enter__()
        self._hearing = watching()
        self.cuts = self._hearing.__enter__()
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        self._hearing.__exit__(None, None, None)
        super().__exit__(kind, error, traceback)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str] | None:
        """The picture of what ran; None, where nothing failed, leaves the line of `repr`."""
        if self.failure is None:
            return None
        shown = draw(self)._repr_mimebundle_(include, exclude)
        return {**shown, "text/plain": repr(self)}


watch.__doc__ = trace.watch.__doc__
