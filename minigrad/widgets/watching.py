"""`watch` as notebooks have it: a tape whose block ended in an error shows how far it came."""

from __future__ import annotations

from typing import Any

from minigrad import trace

from .drawing import draw


class watch(trace.watch):
    """As `minigrad.trace.watch`; after an error, a notebook shows the pass up to there."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str] | None:
        """The picture of what ran; None, where nothing failed, leaves the line of `repr`."""
        if self.failure is None:
            return None
        shown = draw(self)._repr_mimebundle_(include, exclude)
        return {**shown, "text/plain": repr(self)}


watch.__doc__ = trace.watch.__doc__
