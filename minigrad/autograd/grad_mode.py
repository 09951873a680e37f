"""Grad mode: whether operations are recorded, per thread.

``no_grad``, ``enable_grad`` and ``set_grad_enabled`` change one flag of the current thread and put
the old value back, also after an exception. Each works as a context manager and as a decorator of
functions and generators.

The thread's state also says whether anybody *watches* the recording (anomaly mode, saved-tensor
hooks, observers), so that an operation asks one question, ``state.here.mode``, and nobody pays
for what nobody uses.
"""

from __future__ import annotations

import contextvars
from _thread import _local as thread_local  # threading itself takes a millisecond to import

import numpy as np

from ..dtypes import type_name
from .around import Around
from .caller import Place, place

OFF, ON, WATCHED = 0, 1, 2


# NumPy keeps what it warns of in a context variable. To set that, as in_silence() does, takes a
# quarter of the time of ``with np.errstate(all="ignore")``. So we look up which, and what it holds.
_outside = contextvars.copy_context()
_inside = contextvars.copy_context()
_inside.run(np.seterr, all="ignore")
SILENCE = [(each, value) for each, value in _inside.items() if _outside.get(each) is not value]


def in_silence(run, *args):
    """Call a function without floating-point warnings from here on in this context."""
    for each, value in SILENCE:
        each.set(value)
    return run(*args)


class ThreadState:
    """What a thread knows while it records; a new thread starts with grad mode on.

    Attributes:
        mode: OFF, ON, or WATCHED (on, and ``watchers`` want to hear of every new node).
        quiet: runs a NumPy function without floating-point warnings; PyTorch gives inf and nan
            without a word.
        enabled: grad mode as the user set it.
        since: the line that set it (:mod:`.caller`); None where that is over.
        watchers: functions ``(node, inputs, output)``, called after each recorded operation.
        before_write: None, or a function called with a tensor whose memory is about to be written.
        new_counter: the version counter of new tensors: None, except in inference mode.
        running: the backward pass under way in this thread, or None.
    """

    __slots__ = (
        "mode", "quiet",
        "enabled", "since", "watchers", "before_write", "new_counter", "running",
    )  # fmt: skip

    def __init__(self) -> None:
        self.mode = ON
        context = contextvars.copy_context()
        context.run(in_silence, int)  # int() does nothing: the context stays silent
        self.quiet = context.run
        self.enabled = True
        self.since = None
        self.watchers: tuple = ()
        self.before_write = None
        self.new_counter = None
        self.running = None

    def set_enabled(self, enabled: bool, since: Place | None) -> None:
        if enabled or self.enabled or not self.since:  # else it stays off since it went off first
            self.since = since
        self.enabled = enabled
        self._settle()

    def watch(self, watcher) -> None:
        self.watchers += (watcher,)
        self._settle()

    def unwatch(self, watcher) -> None:
        self.watchers = tuple(w for w in self.watchers if w is not watcher)
        self._settle()

    def unwatched(self, function, *args, **kwargs):
        """Call a function of which the watchers hear nothing."""
        watchers, mode = self.watchers, self.mode
        self.watchers, self.mode = (), min(mode, ON)
        try:
            return function(*args, **kwargs)
        finally:
            self.watchers, self.mode = watchers, mode

    def _settle(self) -> None:
        recording = self.enabled and self.new_counter is None  # not in inference mode
        self.mode = OFF if not recording else WATCHED if self.watchers else ON


class Threads(thread_local):
    """The state of each thread. It is one attribute, since to find one of a thread takes long."""

    def __init__(self) -> None:
        self.here = ThreadState()


state = Threads()


def is_grad_enabled() -> bool:
    """Whether operations are recorded in this thread.

    >>> import minigrad as mg
    >>> with mg.no_grad():
    ...     mg.is_grad_enabled()
    False
    """
    return state.here.enabled


def check_bool(value, argument: str) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise TypeError(f"{argument} must be bool, not {type_name(value)}")


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

    def __exit__(self, *exception: object) -> None:
        state.here.set_enabled(self.prev, self.since)

    def __call__(self, function):
        # A decorator acts on calls, not on the place where it is written.
        state.here.set_enabled(self.prev, self.since)
        return super().__call__(function)

    def clone(self):
        return type(self)(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.{type(self).__name__}(mode={self.mode})"
