"""Inference mode: like ``no_grad``, and the tensors made inside can never become part of a graph.

Such an **inference tensor** has no version counter. So nothing outside may write to it, for nobody
could tell, and nothing may be saved that is one. In its place it carries the one counter
``UNCOUNTED``, whose value is below zero.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.autograd.grad_mode.inference_mode.html
"""

from __future__ import annotations

from ..autograd.caller import place
from ..autograd.grad_mode import Decorator
from ..autograd.thread_state import state
from ..autograd.version import VersionCounter
from ..messages import message


class Uncounted(VersionCounter):
    """The counter that does not count."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
        self.value = -1

    def wrote(self, place: tuple | None) -> None:
        """A write in inference mode, which nobody needs to know of."""

    def check(self, use: str) -> None:
        """Refuse some uses always, others outside of inference mode; ``use`` names the message."""
        if use in ("inference-saved", "inference-version") or not is_inference_mode_enabled():
            raise RuntimeError(message(use))


UNCOUNTED = Uncounted()


class inference_mode(Decorator):
    """Nothing is recorded inside, and the tensors made inside are inference tensors.

    Args:
        mode: True to enter the mode, False to leave it for a while.

    >>> import minigrad as mg
    >>> w = mg.tensor(1.0, requires_grad=True)
    >>> with mg.inference_mode():
    ...     y = w * 2
    >>> y.requires_grad, y.is_inference()
    (False, True)
    >>> y * w
    Traceback (most recent call last):
    RuntimeError: Inference tensors cannot be saved for backward. Please do not use Tensors...
    """

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)  # @inference_mode without parentheses

    def __init__(self, mode: bool = True):
        self.mode = mode

    def __enter__(self) -> None:
        here = state.here
        self._before = here.new_counter, (here.enabled, here.since)
        here.new_counter = UNCOUNTED if self.mode else None
        here.set_enabled(not self.mode, place(skip=1))

    def __exit__(self, *exception: object) -> None:
        state.here.new_counter, before = self._before
        state.here.set_enabled(*before)

    def clone(self) -> inference_mode:
        return type(self)(self.mode)


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode.

    >>> import minigrad as mg
    >>> with mg.inference_mode():
    ...     mg.is_inference_mode_enabled()
    True
    """
    return state.here.new_counter is UNCOUNTED
