"""Writes that autograd was not told of, counted by hand."""

from __future__ import annotations

from collections.abc import Iterable

from ..autograd import caller
from ..tensor import Tensor


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count an in-place write that autograd was not told of, such as one through ``numpy()``.

    >>> import minigrad as mg
    >>> x = mg.ones(2)
    >>> mg.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if not isinstance(each, Tensor):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        each._version_counter().wrote(caller.place())
