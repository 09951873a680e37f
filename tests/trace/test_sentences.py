"""The table of sentences and the code that says them: no key is missing, none is left over."""

import ast
import re
from pathlib import Path

import pytest

from minigrad import trace
from minigrad.trace.sentences import say, table

TREES = [
    ast.parse(path.read_text(encoding="utf-8")) for path in Path(trace.__file__).parent.glob("*.py")
]
NODES = [node for tree in TREES for node in ast.walk(tree)]
CONSTANTS = {n.value for n in NODES if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def pieces(node):
    """A text with slots as a list: what stands between them, and None for each slot."""
    return [part.value if isinstance(part, ast.Constant) else None for part in node.values]


PATTERNS = [pieces(node) for node in NODES if isinstance(node, ast.JoinedStr)]


def is_said(key):
    """Whether the code names a key, makes it (``state-{mark}``), or makes it of another one."""
    if key in CONSTANTS:
        return True
    for first, *rest in PATTERNS:
        if first is not None and re.fullmatch(r"[a-z]+-", first) and key.startswith(first):
            return True
        if first is None and len(rest) == 1 and rest[0] and key.endswith(rest[0]):
            if is_said(key.removesuffix(rest[0])):
                return True
    return False


def texts(node):
    """The texts that an expression may be: those of both branches of a choice."""
    if isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def keys_asked_for():
    """The keys in calls of `say`, and those that are kept in a variable ``key`` for one."""
    for node in NODES:
        called = getattr(node, "func", None)
        if isinstance(node, ast.Call) and "say" in (
            getattr(called, "attr", None),
            getattr(called, "id", None),
        ):
            yield from texts(node.args[0])
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "key":
            yield from texts(node.value)


def test_no_sentence_is_left_over():
    assert [key for key in table("sentences") if not is_said(key)] == []
    assert not is_said("a-sentence-that-nobody-says")


def test_no_sentence_is_missing():
    asked = set(keys_asked_for())
    assert len(asked) > 100
    assert asked - set(table("sentences")) == set()


def test_an_unknown_key_is_an_error():
    with pytest.raises(KeyError):
        say("a-sentence-that-nobody-says")
