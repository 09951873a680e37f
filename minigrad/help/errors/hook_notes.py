"""Notes on hooks that return what cannot take the gradient's place."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ...tensor import Tensor
from ..gradients.idle_hooks import function_of, is_lambda, no_return
from ..source import reader
from .for_notes import line_that_returns


def hook_answer(hook: Any, answer: Any, before: Any) -> dict[str, str]:
    """Where the answer comes from, why it is refused, and what to do.

    ``before`` is the gradient that the hook was given, or a tuple of them for the hook of a node;
    the leaf itself for a hook that runs after the accumulation.
    """
    posts = getattr(getattr(before, "_meta", None), "post_hooks", None) or {}
    both = isinstance(before, Tensor) and isinstance(answer, Tensor)
    of_another_dtype = both and before.dtype is not answer.dtype
    wanted, given = (kind_of(value, of_another_dtype) for value in (before, answer))
    name = f"{spoken(hook)} returned {given}"
    look = no_return(hook)
    if hook in posts.values():
        why = (
            f"{spoken(hook)} is called after the gradient was added, so nothing can take its place."
        )
        do = f"{look}; to change the gradient, write into the .grad of what it is given."
    elif isinstance(before, tuple):
        why = f"What the hook of a node returns takes the gradients' place, {wanted}; {name}."
        do = f"{look}, if the hook only looks; else return {wanted}, as it is given."
    elif before is None:
        why = f"{name}, but no gradient came here (None), whose place it could take."
        do = f"{look} where the gradient is None."
    else:
        why = f"What a hook returns takes the gradient's place, {wanted}; {name}."
        do = f"{look}, if the hook only looks; else return {wanted}."
    return {"where": line_of(hook), "why": why, "do": do}


def line_of(hook: Any) -> str:
    """The line of a hook's only ``return``, or else the line at which it begins."""
    function = function_of(hook)
    if not isinstance(function, FunctionType):
        return ""
    line, gives = line_that_returns(function)
    first = f"{reader.first_line(function)} is the hook"
    return f"{line} gives what the hook returns" if line and gives else first


def spoken(hook: Any) -> str:
    """What a hook is called."""
    if is_lambda(hook):
        return "the lambda"
    return getattr(hook, "__name__", None) or getattr(function_of(hook), "__name__", "the hook")


def kind_of(value: Any, with_dtype: bool = False) -> str:
    """What a value is, in words.

    >>> import minigrad as mg
    >>> kind_of(mg.ones(2, 3)), kind_of(1.5), kind_of((1, 2))
    ('a tensor of shape [2, 3]', 'a float', 'a tuple of 2')
    """
    if isinstance(value, Tensor):
        dtype = f"{value.dtype} " if with_dtype else ""
        return f"a {dtype}tensor of shape {list(value.shape)}"
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a {type(value).__name__}"
