"""Arguments that losses took before ``reduction``, in the order in which PyTorch has them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

MESSAGE = "size_average and reduce args will be deprecated, please use reduction='{}' instead."


def reduction_of(size_average: bool | None, reduce: bool | None) -> str:
    """The reduction that the two arguments before it stand for; None is True.

    Raises:
        RuntimeError: a tensor of several elements stands there, which is neither True nor False.

    >>> reduction_of(False, None), reduction_of(None, False)
    ('sum', 'none')
    """
    average, reduces = (True if each is None else each for each in (size_average, reduce))
    if average and reduces:
        return "mean"
    return "sum" if reduces else "none"


def takes_size_average(*names: str) -> Callable[[Callable], Callable]:
    """Let a loss take ``size_average`` and ``reduce`` too, with PyTorch's warning.

    ``names`` are those of its positional arguments from ``size_average`` on, in PyTorch's order.
    """

    def with_both(loss: Callable) -> Callable:
        count = loss.__code__.co_argcount

        @wraps(loss)
        def taken(*args: Any, size_average=None, reduce=None, **kwargs: Any) -> Any:
            if size_average is reduce is None and len(args) <= count:
                return loss(*args, **kwargs)
            given = dict(zip(names, args[count:]))
            size_average = given.pop("size_average", size_average)
            reduce = given.pop("reduce", reduce)
            if size_average is not None or reduce is not None:
                kwargs["reduction"] = reduction_of(size_average, reduce)
                warnings.warn(MESSAGE.format(kwargs["reduction"]), stacklevel=1)  # as PyTorch's
            return loss(*args[:count], *args[count + len(names) :], **given, **kwargs)

        return taken

    return with_both
