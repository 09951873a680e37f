"""Each test starts with no guess made, no attempt counted, and nothing revealed."""

import pytest

from minigrad import lessons
from minigrad.lessons.exercises import forget_attempts


@pytest.fixture(autouse=True)
def fresh_lessons(monkeypatch):
    monkeypatch.setattr(lessons, "reveal", False)
    forget_attempts()
    for lesson in (*lessons.LESSONS.values(), lessons.LESSONS["beliefs"]):
        for question in lesson.predictions:
            lessons.predict(question.name).forget()
        for asked in lessons.warm_up(lesson.number).asked:
            asked.forget()
    yield
    forget_attempts()
