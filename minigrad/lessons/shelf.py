"""All lessons there are, each read from its file when something first asks for it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .lesson import Lesson
from .predictions import Prediction
from .reading import faults, read_lesson
from .warmups import WarmUp


class Shelf(Mapping[str, Lesson]):
    """Lessons by their number, and what they ask by its name.

    A file without a number, such as `beliefs.toml`, is no lesson: what it asks is found by name.
    `revealed` tells whether answers are shown openly; see `Asked`.
    """

    def __init__(self, folder: Path, revealed: Callable[[], bool]):
        self._own = {path.stem: path for path in sorted(folder.glob("*.toml"))}
        self._numbers = dict.fromkeys(name for name in self._own if name.isdigit())
        self._revealed = revealed
        self._lessons: dict[str, Lesson] = {}
        self._asked: dict[str, dict[str, dict[str, Any]]] = {}

    def __getitem__(self, number: str) -> Lesson:
        if number not in self._numbers and number not in self._own:
            raise KeyError(number)
        if number not in self._lessons:
            self._keep(read_lesson(self._own[number]))
        return self._lessons[number]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def load(self, path: str | Path) -> Lesson:
        """Add the lesson in the file at `path`, or read it anew after a change.

        Raises `ValueError` for a number that one of the course's own lessons has, and for answers
        in the file that are not judged as the file says.
        """
        lesson = read_lesson(path)
        if lesson.number in self._own:
            raise ValueError(f"{path}: the course has a lesson {lesson.number} of its own")
        found = list(faults(lesson))
        if found:
            raise ValueError("\n".join([f"{path}:", *found]))
        self._keep(lesson)
        return lesson

    def find(self, what: str, name: str) -> Any:
        """Return the "prediction", "warm-up", "exercise" or "exercise with a picture" of a name.

        Raises `LookupError` with the known names for any other name.
        """
        files = dict.fromkeys((*self, *self._own))
        numbers = [n for n in files if name == n or name.startswith(f"{n}-")] or list(self)
        for number in numbers:
            if name in self._of(number)[what]:
                return self._of(number)[what][name]
        known = (known for number in self for known in self._of(number)[what])
        raise LookupError(f"there is no {what} {name!r}; there are {', '.join(known)}")

    def _of(self, number: str) -> dict[str, dict[str, Any]]:
        self[number]
        return self._asked[number]

    def _keep(self, lesson: Lesson) -> None:
        predictions = (Prediction(question, self._revealed) for question in lesson.predictions)
        exercises = {exercise.name: exercise for exercise in lesson.exercises}
        if lesson.number not in self._own:
            self._numbers.setdefault(lesson.number)
        self._lessons[lesson.number] = lesson
        self._asked[lesson.number] = {
            "prediction": {asked.question.name: asked for asked in predictions},
            "exercise": exercises,
            "exercise with a picture": {n: e for n, e in exercises.items() if e.picture},
            "warm-up": {lesson.number: WarmUp(lesson.warm_up, self._revealed)},
        }
