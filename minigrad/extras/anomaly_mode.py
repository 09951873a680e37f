"""Anomaly mode: remember where each node was made, and stop at the first nan.

While it is on, every node keeps the traceback of its forward operation. When a derivative fails or
gives nan, that traceback is shown as a warning, so that the reader sees the line of the forward
pass that is to blame. Source: https://docs.pytorch.org/docs/2.13/autograd.html#anomaly-detection
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from ..autograd.around import Around, notes
from ..autograd.caller import frame
from ..autograd.thread_state import state
from ..dtypes import check_bool

GAVE_NAN = "returned nan values"


class _Anomaly:
    enabled = False
    nan_checked = True
    gave_inf: ClassVar = WeakKeyDictionary()  # the first node of each pass that gave inf


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return _Anomaly.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether a nan in the backward pass is an error."""
    return _Anomaly.nan_checked


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Turn anomaly mode on or off."""
    check_bool(mode, "set_anomaly_enabled(): argument 'enabled' (position 1)")
    check_bool(check_nan, "set_anomaly_enabled(): argument 'check_nan' (position 2)")
    _Anomaly.enabled, _Anomaly.nan_checked = mode, check_nan
    Around.anomaly = sys.modules[__name__] if mode else None
    state.here.unwatch(remember)
    if mode:
        state.here.watch(remember)


class _Restored:
    """A context manager that puts back the anomaly mode of the place where it was made."""

    def __init__(self) -> None:
        self.prev, self.prev_check_nan = _Anomaly.enabled, _Anomaly.nan_checked

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class set_detect_anomaly(_Restored):
    """Turn anomaly mode on or off; as a context manager, only for a while.

    Args:
        mode: whether to remember where nodes were made.
        check_nan: whether a nan in a gradient raises.

    >>> import minigrad as mg
    >>> x = mg.tensor(-1.0, requires_grad=True)
    >>> with mg.autograd.set_detect_anomaly(True):
    ...     mg.autograd.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True):
        super().__init__()
        set_anomaly_enabled(mode, check_nan)


class detect_anomaly(_Restored):
    """Anomaly mode for the body of a ``with`` statement; entering it warns that it is slow.

    Args:
        check_nan: whether a nan in a gradient raises.
    """

    def __init__(self, check_nan: bool = True):
        super().__init__()
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        set_anomaly_enabled(True, self.check_nan)


def remember(node: Any, inputs: tuple = (), output: object = None) -> None:
    """Keep the traceback of the line that recorded ``node``."""
    import traceback  # here, because few programs need it

    node.metadata["traceback_"] = traceback.format_stack(frame())


def check_nan(node: Any, answers, recorded: bool) -> None:
    """Raise if a derivative gave nan while anomaly mode checks for it."""
    if not (_Anomaly.enabled and _Anomaly.nan_checked):
        return
    for i, answer in enumerate(answers):
        value = answer._value if answer is not None and recorded else answer
        if value is not None and np.isnan(value).any():
            raise RuntimeError(f"Function '{node.name()}' {GAVE_NAN} in its {i}th output.")
        if value is not None and np.isinf(value).any():
            _Anomaly.gave_inf.setdefault(state.here.running, node)


def telling(step: Callable) -> Callable:
    """The step of a pass, which first tells where its node was made if it fails."""
    first: list = []  # the node that gave inf first, and what it had saved

    def told(node: Any, *args):
        saved, running = node.saved, state.here.running
        try:
            answer = step(node, *args)
        except Exception as error:
            report(node)
            if GAVE_NAN in str(error):
                notes.nan_returned(error, node, saved, first)
            raise
        if not first and _Anomaly.gave_inf.get(running) is node:
            first.extend((node, saved))
        return answer

    return told


def report(node: Any) -> None:
    """Warn with the traceback of the forward operation whose derivative failed."""
    made = node.metadata.get("traceback_")
    if made is None:
        told = (
            "No forward pass information available. Enable detect anomaly during forward pass for "
            "more information."
        )
    else:
        told = "Traceback of forward call that caused the error:\n" + "".join(made)
    warnings.warn(f"Error detected in {node.name()}. {told}", stacklevel=2)
