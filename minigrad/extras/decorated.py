"""Context managers as decorators: ``@no_grad()`` above a function or a generator function."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from ..messages import message


def decorated(function: Callable, context: Callable) -> Callable:
    """The function under a context manager, of which ``context()`` makes one for each call.

    >>> import minigrad as mg
    >>> @mg.no_grad()
    ... def mode():
    ...     return mg.is_grad_enabled()
    >>> mode(), mg.is_grad_enabled()
    (False, True)
    """
    if inspect.isclass(function):
        warnings.warn(message("decorated-class"), FutureWarning, stacklevel=3)
    if inspect.isgeneratorfunction(function):
        return decorated_generator(function, context)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with context():
            return function(*args, **kwargs)

    return call


def decorated_generator(function: Callable, context: Callable) -> Callable:
    """The same of a generator function.

    The mode holds while the generator runs, and not in the caller's code between two items.

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
