"""The one door from the core to what stands around it.

The core is complete without those rooms. Where one of them has something to add (a note under an
error, the traceback that anomaly mode keeps), the core asks here for the room by name, and the
package fills in what answers. Nothing is loaded before somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Around:
    """Where the package puts what the core asks for.

    Attributes:
        load: gives the module of a room by its name in the package, or None.
        anomaly: what anomaly mode does while it is on; None while it is off.
        cut: keeps which line made a result without history, and of what; gives the result back.
            It is called with the result, the name of what made it, and its operands.
        written: keeps which line writes values with a history into a leaf. It is called with what
            is written to, a leaf or a tensor without history, and the operands.
    """

    load: Callable[[str], Any] = staticmethod(lambda name: None)
    anomaly: Any = None
    cut: Callable = staticmethod(lambda result, *_: result)
    written: Callable = staticmethod(lambda target, *_: None)


class Notes:
    """``notes.not_scalar(error, tensor)`` adds to an error what would have helped.

    The functions are those of :mod:`minigrad.help.errors.error_notes`; without that room the error
    stays as it is.
    """

    def __getattr__(self, kind: str) -> Callable[..., Exception]:
        room = Around.load("help.errors.under_errors")
        return (lambda error, *_, **__: error) if room is None else getattr(room, kind)


notes = Notes()
