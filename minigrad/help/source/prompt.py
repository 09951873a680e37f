"""What was typed at Python's own prompt, which keeps no text: found in the history of the lines.

Every input is compiled on its own and is called ``<stdin>``, so the number of a line says nothing.
Where the terminal remembers what was typed, the input is the one that compiles to the same code.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

from .syntax import names_in

PROMPTS = {"<stdin>", "<console>"}
KEPT = re.compile(r"<(?:stdin>|python-input)-(\d+)>?")  #: from Python 3.13 on, whose text is kept
MOST_BACK = 200  #: lines of the history that are looked at
MOST_NAMES = 5
LONGEST = 20  #: lines of one input


def is_typed(filename: str) -> bool:
    """Whether this is the name of what was typed at Python's prompt.

    >>> is_typed("<stdin>"), is_typed("train.py")
    (True, False)
    """
    return filename in PROMPTS or KEPT.fullmatch(filename) is not None


def spoken(code: CodeType, number: int) -> str:
    """A line of an input in words: itself where it is known, else what the input names.

    >>> spoken(compile("loss.backward()", "<stdin>", "single"), 1)
    'an input that names `loss`, `backward`'
    """
    if text := typed(code):
        lines = text.splitlines()
        line = lines[number - 1] if number <= len(lines) else lines[0]
        return f"the input `{line.strip()}`"
    if code.co_name != "<module>":
        return f"line {number - code.co_firstlineno + 1} of {code.co_name}() from the prompt"
    names = ", ".join(f"`{name}`" for name in code.co_names[:MOST_NAMES])
    return f"an input that names {names}" if names else "an input at the prompt"


@lru_cache(maxsize=32)
def typed(code: CodeType) -> str:
    """The input that made a piece of code; empty where nobody remembers it."""
    lines = remembered()
    for start in reversed(range(len(lines))):
        for end in range(start + 1, min(start + LONGEST, len(lines)) + 1):
            text = "\n".join(lines[start:end]) + "\n"
            try:
                made = compile(text, code.co_filename, "single", dont_inherit=True)
            except (SyntaxError, ValueError):
                continue
            if code in all_within(made):
                return text
            if end < len(lines) and not lines[end].startswith((" ", "\t", "el", "ex", "fi")):
                break
    return ""


def remembered() -> list[str]:
    """The last lines that were typed, where the terminal keeps them."""
    history = sys.modules.get("readline")
    if history is None:
        return []
    count = history.get_current_history_length()
    numbers = range(max(1, count - MOST_BACK + 1), count + 1)
    return [history.get_history_item(number) or "" for number in numbers]


def names_bound() -> set[str]:
    """The names that remembered lines may have given another meaning since the file was run."""
    found = set()
    for line in remembered():
        text = line.strip()
        try:
            tree = ast.parse(f"{text} pass" if text.endswith(":") else text)
        except (SyntaxError, ValueError):
            continue
        found |= names_in(tree, ast.Store)
    return found


def all_within(code: CodeType) -> Iterator[CodeType]:
    """A piece of code, and those of the functions that are defined in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from all_within(each)
