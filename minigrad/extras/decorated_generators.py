"""``@no_grad()`` and its kin above a generator function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def decorated(function: Callable, context: Callable) -> Callable:
    """The generator function under a context manager, of which ``context()`` makes a fresh one.

    It holds while the generator runs, and not in the caller's code between two items.

    >>> import minigrad as mg
    >>> @mg.no_grad()
    ... def modes():
    ...     yield mg.is_grad_enabled()
    >>> [(inside, mg.is_grad_enabled()) for inside in modes()]
    [(False, True)]
    """

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any):
        generator = function(*args, **kwargs)
        resume, argument = generator.send, None
        while True:
            with context():
                try:
                    item = resume(argument)
                except StopIteration as end:
                    return end.value
            try:
                resume, argument = generator.send, (yield item)
            except BaseException as error:  # also GeneratorExit, by which it is closed
                resume, argument = generator.throw, error

    return run
