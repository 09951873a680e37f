"""Reading a lesson from its data file.

A lesson's words, answers and judges stand in one TOML file: `title`, the table `misconceptions`,
and the lists `warm_up`, `predictions` and `exercises`. Words are read as they stand, in English;
they are looked up in the reader's language when they are shown.
"""

import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import minigrad as mg

from .exercises import Exercise, Mistake, Solution
from .kinds import KINDS, named
from .lesson import Lesson
from .questions import Option, Question
from .snippets import run_in


def read_lesson(path: str | Path) -> Lesson:
    """Read the lesson in the TOML file at `path`.

    Raises `ValueError` that names the file and the place for whatever is missing or unknown.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        return Lesson(
            str(data["number"]),
            data["title"],
            data.get("misconceptions", {}),
            tuple(question(table) for table in data.get("warm_up", ())),
            tuple(question(table) for table in data.get("predictions", ())),
            tuple(exercise(table) for table in data.get("exercises", ())),
        )
    except KeyError as missing:
        raise ValueError(f"{path}: {missing.args[0]!r} is missing") from missing
    except ValueError as refusal:
        raise ValueError(f"{path}: {refusal}") from refusal


def faults(lesson: Lesson) -> Iterator[str]:
    """Find what an exercise says of its own answers and does not keep.

    Each planned wrong answer has to be recognized as the mistake that it stands for, and the
    solution has to be right.
    """
    for exercise in lesson.exercises:
        for name, mistake in exercise.mistakes.items():
            found = _found(exercise, partial(mistake.wrong, mg))
            if found != name:
                yield f"{exercise.name}: the answer of the mistake {name!r} is judged {found!r}"
        found = _found(exercise, partial(solved, exercise))
        if found is not None:
            yield f"{exercise.name}: the solution is judged {found!r}"


def solved(exercise: Exercise) -> Any:
    """The answer that the solution of an exercise gives."""
    scope = exercise.scope()
    scope["mg"] = mg
    return run_in(scope, exercise.solution.answer)


def _found(exercise: Exercise, answer: Callable[[], Any]) -> str | None:
    """What the judge finds: None when the answer is right, else a mistake, a fact, an error."""
    try:
        found = exercise.judge(answer())
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return found.hint if isinstance(found, Mistake) else found


def question(table: dict[str, Any]) -> Question:
    """A question with its options; the right one names no misconception."""
    options = tuple(
        Option(option["says"], option["reply"], option.get("misconception"))
        for option in table["options"]
    )
    shows, otherwise = table.get("shows", ""), table.get("otherwise", {})
    return Question(table["name"], table["asks"], options, shows, otherwise)


def exercise(table: dict[str, Any]) -> Exercise:
    """An exercise with the judge of its kind."""
    if table["kind"] not in KINDS:
        known = ", ".join(KINDS)
        raise ValueError(f"{table['name']} has the kind {table['kind']!r}; there are {known}")
    if len(table["steps"]) != 3:
        raise ValueError(f"{table['name']} needs three steps of help")
    kind = KINDS[table["kind"]](table)
    mistakes = {
        mistake["name"]: Mistake(
            mistake["misconception"], mistake["hint"], partial(kind.wrong, mistake)
        )
        for mistake in table["mistakes"]
    }
    return Exercise(
        table["name"],
        kind.judge,
        mistakes,
        tuple(table["steps"]),
        table["idea"],
        Solution(**table["solution"]),
        named(table["picture"]) if "picture" in table else None,
        named(table["drawing"]) if "drawing" in table else getattr(kind, "drawing", None),
        scope=getattr(kind, "scope", dict),
    )
