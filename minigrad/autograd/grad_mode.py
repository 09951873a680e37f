"""Grad mode: whether operations are recorded, per thread.

``no_grad``, ``enable_grad`` and ``set_grad_enabled`` change one flag of the current thread and put
the old value back, also after an exception. Each works as a context manager and as a decorator of
functions and generators.
"""

from __future__ import annotations

from ..dtypes import check_bool
from .around import Around
from .caller import place
from .thread_state import state


def is_grad_enabled() -> bool:
    """Whether operations are recorded in this thread.

    >>> import minigrad as mg
    >>> with mg.no_grad():
    ...     mg.is_grad_enabled()
    False
    """
    return state.here.enabled


class Decorator:
    """A context manager that works as a decorator, too: a fresh one is entered for each call."""

    def __call__(self, function):
        return Around.load("extras.decorated").decorated(function, self.clone)

    def clone(self):
        return type(self)()


class _GradMode(Decorator):
    """Sets grad mode and restores what was before; ``@no_grad`` needs no parentheses."""

    mode = True

    def __new__(cls, function=None):
        return super().__new__(cls) if function is None else cls()(function)

    def __enter__(self) -> None:
        self.prev, self.since = state.here.enabled, state.here.since
        state.here.set_enabled(self.mode, place(skip=1))

    def __exit__(self, *exception: object) -> None:
        state.here.set_enabled(self.prev, self.since)


class no_grad(_GradMode):
    """Nothing is recorded inside: no ``grad_fn``; leaves may be written in place.

    >>> import minigrad as mg
    >>> x = mg.tensor(1.0, requires_grad=True)
    >>> with mg.no_grad():
    ...     (x * 2).requires_grad
    False
    """

    mode = False


class enable_grad(_GradMode):
    """Operations are recorded inside, also within ``no_grad``.

    >>> import minigrad as mg
    >>> x = mg.tensor(1.0, requires_grad=True)
    >>> with mg.no_grad(), mg.enable_grad():
    ...     (x * 2).requires_grad
    True
    """

    mode = True


class set_grad_enabled(Decorator):
    """Set grad mode at once; as a context manager or decorator, only for a while.

    Args:
        mode: True to record, False not to.

    >>> import minigrad as mg
    >>> with mg.set_grad_enabled(False):
    ...     mg.is_grad_enabled()
    False
    >>> mg.is_grad_enabled()
    True
    """

    def __init__(self, mode: bool):
        check_bool(mode, "set_grad_enabled(): argument 'enabled' (position 1)")
        self.prev, self.since = state.here.enabled, state.here.since
        self.mode = mode
        state.here.set_enabled(mode, place(skip=1))

    def __enter__(self) -> None:
        state.here.set_enabled(self.mode, place(skip=1))

    __exit__ = _GradMode.__exit__

    def __call__(self, function):
        # A decorator acts on calls, not on the place where it is written.
        state.here.set_enabled(self.prev, self.since)
        return super().__call__(function)

    def clone(self):
        return type(self)(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.{type(self).__name__}(mode={self.mode})"
