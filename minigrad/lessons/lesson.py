"""What one lesson consists of, and how its parts are found by name."""

from dataclasses import dataclass, field

from .exercises import Exercise
from .questions import Question


@dataclass(frozen=True)
class Lesson:
    """The words and judges of one lesson.

    `misconceptions` maps an id such as "02-one-road" to the wrong idea in one sentence; every
    wrong option and every foreseen mistake names one of them. Raises `ValueError` otherwise.
    """

    number: str
    title: str
    misconceptions: dict[str, str]
    warm_up: tuple[Question, ...]
    predictions: tuple[Question, ...]
    exercises: tuple[Exercise, ...] = field(repr=False)

    def __post_init__(self):
        for question in self.warm_up + self.predictions:
            for option in question.options:
                self._expect_known(option.misconception, question.name)
        for exercise in self.exercises:
            for mistake in exercise.mistakes.values():
                self._expect_known(mistake.misconception, exercise.name)

    def _expect_known(self, misconception: str | None, where: str) -> None:
        if misconception is not None and misconception not in self.misconceptions:
            raise ValueError(f"{where} names the unknown misconception {misconception!r}")
