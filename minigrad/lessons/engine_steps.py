"""The engine of lesson 05 after each of its steps, put together from the lesson's solutions."""

import ast
import linecache
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from .snippets import run_in

LESSON = Path(__file__).with_name("05.toml")


@cache
def solutions() -> dict[str, str]:
    """The code of each step, by the name of its exercise."""
    exercises = tomllib.loads(LESSON.read_text(encoding="utf-8"))["exercises"]
    return {e["name"]: without_last_value(e["solution"]["answer"]) for e in exercises}


def without_last_value(code: str) -> str:
    """Leave out the last line that only says what is handed in."""
    last = ast.parse(code).body[-1]
    lines = code.strip("\n").splitlines()
    kept = lines[:-1] if isinstance(last, ast.Expr) else lines
    return "\n".join(kept).strip("\n") + "\n"


def built(before: str | None = None) -> dict[str, Any]:
    """Run the steps before the exercise called `before`, or all, and return what they define.

    >>> sorted(name for name in built("05-3") if not name.startswith("_"))
    ['Value', 'add', 'as_value', 'multiply']
    """
    scope: dict[str, Any] = {"__name__": "reference"}
    for name, code in solutions().items():
        if name == before:
            break
        file = f"<step {name}>"
        linecache.cache[file] = (len(code), None, code.splitlines(True), file)
        run_in(scope, code, file)
    return scope
