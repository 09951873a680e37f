"""Remembering what a pass may change, and putting it back: containers, tensors, random generators.

Dicts, lists, sets, arrays and tensors are remembered with all they hold; any other object only as
the object it is.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

import minigrad.extras.random

from .names import is_tensor, version_of
from .numbers import raw


def remember(thing: Any) -> Callable[[], None]:
    """A function that puts everything inside of ``thing`` back as it is now.

    >>> kept = {"calls": [1, 2]}
    >>> put_back = remember(kept)
    >>> kept["calls"].append(3)
    >>> kept["more"] = True
    >>> put_back()
    >>> kept
    {'calls': [1, 2]}
    """
    jobs: list[Callable[[], Any]] = []
    _remember(thing, jobs, set())
    return lambda: [job() for job in jobs] and None


def _remember(thing: Any, jobs: list, seen: set[int]) -> None:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, (dict, list, set, tuple)):
        items = dict(thing) if isinstance(thing, dict) else list(thing)
        if not isinstance(thing, tuple):
            jobs.append(lambda: _refill(thing, items))
        for each in items.values() if isinstance(thing, dict) else items:
            _remember(each, jobs, seen)
    elif isinstance(thing, np.ndarray):
        numbers = thing.copy()
        jobs.append(lambda: np.copyto(thing, numbers))
    elif is_tensor(thing) and has_numbers(thing):
        jobs.append(remember_tensor(thing, raw(thing)))


def _refill(container: Any, items: Any) -> None:
    container.clear()
    (getattr(container, "extend", None) or container.update)(items)


def remember_tensor(tensor: Any, numbers: np.ndarray) -> Callable[[], bool]:
    """A function that puts a tensor's ``numbers`` and version back; it says if they had changed."""
    version = version_of(tensor)
    writers = [*_counter(tensor).writers] if _counter(tensor) else []

    def put_back() -> bool:
        written = version_of(tensor) != version or not equal(seen(tensor), numbers)
        if written:
            write(tensor, numbers)
            if _counter(tensor):
                _counter(tensor).value, _counter(tensor).writers = version, [*writers]
            elif not tensor.is_inference():
                torch = sys.modules["torch"]
                torch._C._autograd._unsafe_set_version_counter((tensor,), (version,))
        return written

    return put_back


def has_numbers(tensor: Any) -> bool:
    """Whether there is memory behind a tensor; there is none on PyTorch's device ``meta``."""
    return not getattr(tensor, "is_meta", False)


def seen(tensor: Any) -> np.ndarray:
    """A tensor's numbers, not copied if that can be avoided."""
    try:
        return tensor.detach().numpy()
    except (TypeError, RuntimeError):  # of a dtype or on a device that NumPy does not know
        return raw(tensor)


def write(tensor: Any, numbers: np.ndarray) -> None:
    """Put numbers into a tensor's memory without counting that as a write."""
    try:
        tensor.detach().numpy()[...] = numbers
    except (TypeError, RuntimeError):
        tensor.data.copy_(sys.modules["torch"].as_tensor(numbers))


def _counter(tensor: Any) -> Any:
    """The version counter of a tensor of this package; PyTorch's cannot be reached."""
    find = getattr(tensor, "_version_counter", None)
    return find() if find else None


def equal(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two arrays hold the same numbers; a nan is itself."""
    return left.shape == right.shape and np.array_equal(
        left, right, equal_nan=left.dtype.kind in "fc" and right.dtype.kind in "fc"
    )


@contextmanager
def generators_put_back() -> Iterator[None]:
    """Leave the generators of Python, NumPy, minigrad and PyTorch as they were before the block.

    Those of PyTorch and NumPy count only if they were loaded before.
    """
    with ExitStack() as stack:
        stack.callback(random.setstate, random.getstate())
        own = minigrad.extras.random.default_generator
        stack.callback(own.set_state, own.get_state())
        numpy = sys.modules.get("numpy.random")
        if numpy is not None:
            stack.callback(numpy.set_state, numpy.get_state())
        torch = sys.modules.get("torch")
        if torch is not None and hasattr(torch, "get_rng_state"):
            stack.callback(torch.set_rng_state, torch.get_rng_state())
            if torch.cuda.is_initialized():
                stack.callback(torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all())
        yield
