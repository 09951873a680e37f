"""Attributes that nobody reads, and that look like a flag: ``x.require_grad = True``."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

FLAGS = ("requires_grad", "grad", "data", "retain_grad", "requires_grad_")


def misspelt(tensor: Any, name: str) -> Iterator[str]:
    """Sentences on what was set on a tensor, and what it was probably meant to be.

    >>> import minigrad as mg
    >>> x = mg.ones(1)
    >>> x.require_grad = True
    >>> print(*misspelt(x, "x"))
    x.require_grad is an attribute that nothing reads. Try: x.requires_grad.
    """
    for attribute in getattr(tensor, "__dict__", ()):
        meant = get_close_matches(attribute, FLAGS, n=1, cutoff=0.8)
        if meant and attribute not in FLAGS and not attribute.startswith("_"):
            yield (
                f"{name}.{attribute} is an attribute that nothing reads. Try: {name}.{meant[0]}."
            )
