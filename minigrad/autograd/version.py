"""Versions: how often the memory of a tensor was written to in place."""

from __future__ import annotations

from .grad_mode import state


class VersionCounter:
    """Counts the in-place writes to one piece of memory.

    It remembers where the last few came from (a place of :mod:`.caller`, or None where that is
    unknown), for the note on the error when a derivative needed the old value.
    """

    __slots__ = ("value", "writers")

    def __init__(self) -> None:
        self.value = 0
        self.writers: tuple = ()

    def wrote(self, place: tuple | None) -> None:
        """Count a write that the reader's program made at ``place``."""
        self.value += 1
        self.writers = (*self.writers[-7:], place)


# -- inference tensors -----------------------------------------------------------------------------

NO_VERSION = "Inference tensors do not track version counter."
NOT_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)
NOT_WRITTEN = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone "
    "to get a normal tensor before doing inplace update.See "
    "https://github.com/pytorch/rfcs/pull/17 for more details."
)
NOT_ASKED = "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."


class _Uncounted(VersionCounter):
    """The counter that does not count."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
        self.value = -1

    def wrote(self, place: tuple | None) -> None:
        """A write in inference mode, which nobody needs to know of."""


UNCOUNTED = _Uncounted()


def allow(refusal: str) -> None:
    """Raise ``refusal`` about an inference tensor outside inference mode."""
    if state.here.new_counter is not UNCOUNTED:
        raise RuntimeError(refusal)
