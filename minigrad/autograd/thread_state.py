"""What a thread knows while it records: grad mode, who listens, and how to keep NumPy silent.

An operation asks one question, ``state.here.mode``: whether it is to be recorded, and whether
anybody *watches* that (anomaly mode, saved-tensor hooks, observers). So nobody pays for what nobody
uses.
"""

from __future__ import annotations

import contextvars
from _thread import _local as thread_local  # threading itself takes a millisecond to import

import numpy as np

from .caller import Place

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
