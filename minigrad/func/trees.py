"""Trees: tuples, lists and dicts of tensors, nested as a function takes or returns them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


def is_named(tree: Any) -> bool:
    """Whether ``tree`` is a named tuple, whose fields are passed one by one to make another."""
    return isinstance(tree, tuple) and hasattr(tree, "_fields")


def leaves(tree: Any) -> list:
    """What is no tuple, list or dict, in order.

    >>> leaves((1, {"a": 2, "b": [3, 4]}))
    [1, 2, 3, 4]
    """
    if isinstance(tree, dict):
        tree = tree.values()
    elif not isinstance(tree, tuple | list):
        return [tree]
    return [leaf for branch in tree for leaf in leaves(branch)]


def mapped(function: Callable, tree: Any) -> Any:
    """The tree of ``function(leaf)``.

    >>> mapped(str, (1, {"a": 2}))
    ('1', {'a': '2'})
    """
    if isinstance(tree, dict):
        return tree | {key: mapped(function, branch) for key, branch in tree.items()}
    if is_named(tree):
        return type(tree)(*[mapped(function, branch) for branch in tree])
    if isinstance(tree, tuple | list):
        return type(tree)(mapped(function, branch) for branch in tree)
    return function(tree)


def like(tree: Any, values: Iterable) -> Any:
    """The tree with ``values`` in the places of its leaves.

    >>> like((1, {"a": 2}), ["x", "y"])
    ('x', {'a': 'y'})
    """
    values: Iterator = iter(values)
    return mapped(lambda _: next(values), tree)


class _Leaf:
    def __repr__(self) -> str:
        return "*"


def shown(tree: Any) -> str:
    """The form of a tree in one line: two trees of one form show the same.

    >>> shown((1, {"a": 2}))
    "(*, {'a': *})"
    """
    return repr(mapped(lambda _: _Leaf(), tree))


def spec(tree: Any, indent: int = 2) -> str:
    """The form of a tree as PyTorch's ``TreeSpec`` shows it.

    >>> print(spec((1, 2)))
    TreeSpec(tuple, None, [*,
      *])
    """
    if not isinstance(tree, tuple | list | dict):
        return "*"
    branches = tree.values() if isinstance(tree, dict) else tree
    keys = list(tree) if isinstance(tree, dict) else None
    parts = f",\n{' ' * indent}".join(spec(branch, indent + 2) for branch in branches)
    return f"TreeSpec({type(tree).__name__}, {keys}, [{parts}])"


def spread(prefix: Any, tree: Any) -> list | None:
    """For each leaf of ``tree`` the leaf of ``prefix`` at or above it; None if it does not fit.

    >>> spread((0, None), (1, {"a": 2, "b": 3}))
    [0, None, None]
    """
    if not isinstance(prefix, tuple | list | dict):
        return [prefix] * len(leaves(tree))
    if type(prefix) is not type(tree) or len(prefix) != len(tree):
        return None
    if isinstance(prefix, dict):
        if prefix.keys() != tree.keys():
            return None
        pairs = [(prefix[key], tree[key]) for key in tree]
    else:
        pairs = list(zip(prefix, tree))
    parts = [spread(*pair) for pair in pairs]
    return None if None in parts else [leaf for part in parts for leaf in part]
