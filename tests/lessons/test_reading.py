"""Lessons from data files: what is read, what is refused, and a teacher's own lesson."""

import re
from pathlib import Path

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.kinds import KINDS
from minigrad.lessons.reading import faults, read_lesson
from minigrad.lessons.shelf import Shelf

ROOT = Path(__file__).resolve().parents[2]

MINE = """
number = "mine"
title = "Mine"
[misconceptions]
"mine-1" = "Wrong idea."

[[predictions]]
name = "mine-1"
asks = "What is `1 + 1`?"
options = [
    { says = "2", reply = "One and one." },
    { says = "11", reply = "That joins texts.", misconception = "mine-1" },
]

[[exercises]]
name = "mine-2"
kind = "choice"
options = { A = "yes", B = "no", C = "both" }
right = "B"
steps = ["First.", "Second.", "Third."]
idea = "It is so."
solution = { answer = '"B"', because = "It is so." }
mistakes = [{ name = "yes", misconception = "mine-1", hint = "Not A.", says = "A" }]

[[exercises]]
name = "mine-3"
kind = "ticks"
options = { A = "one", B = "two", C = "three", D = "four" }
right = ["A", "C"]
steps = ["First.", "Second.", "Third."]
idea = "It is so."
solution = { answer = '"AC"', because = "It is so." }
mistakes = [{ name = "b", misconception = "mine-1", hint = "Not B.", says = "ABC", at = "B" }]
"""


@pytest.fixture
def shelf(monkeypatch):
    """A shelf of its own, so that nothing of a test stays behind."""
    fresh = Shelf(Path(lessons.__file__).parent, lambda: False)
    monkeypatch.setattr(lessons, "LESSONS", fresh)
    return fresh


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_nothing_is_read_before_it_is_asked_for(monkeypatch, shelf):
    read = []
    monkeypatch.setattr(
        "minigrad.lessons.shelf.read_lesson",
        lambda path: read.append(path.stem) or read_lesson(path),
    )
    assert "02" in list(shelf)
    assert read == []
    lessons.check("02-2", ...)
    lessons.warm_up("02")
    assert read == ["02"]


def test_a_lesson_of_ones_own_works_like_the_others(shelf, mine):
    lessons.load(mine)
    prediction = lessons.predict("mine-1")
    prediction.choose("11")
    assert repr(prediction.outcome(2)) == (
        "Not quite. You said 11. It is 2. That joins texts. One and one."
    )
    assert lessons.check("mine-2", "b").is_yes
    assert lessons.check("mine-2", "A").words == ("Not A.",)
    assert lessons.check("mine-2", "C").words == ("Second.",)
    assert lessons.check("mine-3", "A and C").is_yes
    assert lessons.check("mine-3", ["a", "b"]).words == ("Not B.",)
    assert lessons.check("02-2", lambda x: 8 * x + 12).is_yes


def test_ticks_say_how_many_are_right(shelf, mine):
    lessons.load(mine)
    assert lessons.check("mine-3", "A").words == ("About 3 of the 4 you are right.",)


def test_letters_that_are_no_options_are_refused_and_no_letter_is_blank(shelf, mine):
    lessons.load(mine)
    assert lessons.check("mine-3", "X").words[0] == "Answer with letters out of A, B, C, D."
    assert lessons.check("mine-2", "AB").words[0].startswith("Answer with one letter")
    assert lessons.check("mine-3", " ").heading == "Not yet"


def test_a_changed_file_may_be_loaded_again(shelf, mine):
    lessons.load(mine)
    mine.write_text(MINE.replace("Not A.", "No: not A."), encoding="utf-8")
    lessons.load(mine)
    assert lessons.check("mine-2", "A").words == ("No: not A.",)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('number = "mine"', 'number = "02"', "the course has a lesson 02 of its own"),
        ('kind = "choice"', 'kind = "guess"', "mine-2 has the kind 'guess'; there are function"),
        ('title = "Mine"', "", "'title' is missing"),
        ('right = "B"', "", "'right' is missing"),
        (
            'misconception = "mine-1", hint',
            'misconception = "x", hint',
            "unknown misconception 'x'",
        ),
        (', "Third."', "", "mine-2 needs three steps of help"),
        (', misconception = "mine-1" }', " }", "mine-1 needs exactly one right option"),
        ('title = "Mine"', "title = Mine", "Invalid value"),
        ('says = "A" }', 'says = "B" }', "mine-2: the answer of the mistake 'yes' is judged None"),
        ("answer = '\"AC\"'", "answer = '\"AB\"'", "mine-3: the solution is judged 'b'"),
        ("answer = '\"B\"'", "answer = 'B'", 'mine-2: the solution is judged "NameError'),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_name(shelf, mine, old, new, what):
    mine.write_text(MINE.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=what) as refusal:
        lessons.load(mine)
    assert "mine.toml" in str(refusal.value)
    assert "mine" not in shelf


@pytest.mark.parametrize("number", ["01", "02"])
def test_the_lessons_of_the_course_keep_what_they_say(shelf, number):
    assert list(faults(shelf[number])) == []


def test_the_example_of_the_page_for_teachers_works(shelf, tmp_path):
    page = (ROOT / "notebooks/teacher/own_questions.md").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    path.write_text("\n".join(blocks), encoding="utf-8")
    lessons.load(path)
    assert lessons.warm_up("own").asked[0].choose("1").startswith("You said 1. Not quite.")
    assert lessons.check("own-1", lambda x: 3 * x * x).is_yes
    assert lessons.check("own-1", lambda x: 3 * x).words == (
        "At x = 2 yours says 6, and a small nudge says 12.",
    )
    said = lessons.check(
        "own-2", lessons.LESSONS["own"].exercises[1].mistakes["no factor"].wrong(mg)
    )
    assert said.words[0].startswith("With the constant 1 this would be right.")
    assert "y[0] by a[0]: nudging says 5, you say 1." in repr(said)
    for kind in KINDS:
        assert re.search(rf"^\| `{kind}` \|", page, re.MULTILINE), kind


def test_the_engine_agrees_with_the_numbers_that_stand_in_words(shelf):
    """Solutions are checked elsewhere; these are what hints and reasons call right."""
    model = shelf["02"].exercises[0]
    truth = model.judge.__self__.truth()
    assert truth == {"l3": 1.0, "l1": 3.5, "w1": 14.0, "w2": 6.0, "w3": 12.0}
