"""Every wrong claim of the notes is asked once, and its run says whether it holds."""

import re

import pytest

import minigrad as mg
from minigrad import lessons
from tests.notebooks import twice
from tests.notebooks.as_torch import played
from tests.notebooks.reading import FOLDER, read
from tests.notebooks.test_sources import ITEMS

PATH = FOLDER / "true_or_false.ipynb"
CELLS = [cell for cell in read(PATH).cells if cell.cell_type == "code"]
RUNS = {cell.metadata["source"][0]: cell for cell in CELLS if "source" in cell.metadata}
WRONG = {name for name, item in ITEMS.items() if "X" in item["kind"]}
CLAIMS = {question.name: question for question in lessons.LESSONS["beliefs"].predictions}


def claim(item):
    return CLAIMS[f"beliefs-{item.partition('-')[2]}"]


def outcomes(engine):
    """The sentence that each run ends with, by item."""
    shown = played(read(PATH), engine)
    return {item: shown[cell.id] for item, cell in RUNS.items()}


def test_each_wrong_claim_of_the_notes_is_asked_and_run_once():
    assert RUNS.keys() == WRONG
    assert len(WRONG) == len(CLAIMS) == 33
    for item, cell in RUNS.items():
        asked = CELLS[CELLS.index(cell) - 1]
        assert asked.source == f'predict("{claim(item).name}")'
        assert f"{asked.source}.outcome(" in cell.source


def test_every_run_comes_to_what_is_said_of_it():
    for item, said in outcomes(mg).items():
        right = claim(item).right
        assert said.endswith(f"It is {right.says}. {right.reply}"), item


def test_saying_false_every_time_is_no_way_through():
    said = [question.right.says for question in CLAIMS.values()]
    assert 9 <= said.count("True") <= 16


@pytest.mark.parametrize("item", sorted(WRONG))
def test_a_reply_names_the_lesson_and_what_the_notes_say(item):
    (wrong,) = (option for option in claim(item).options if not option.is_right)
    lesson = re.search(r"\(Lesson (\d\d)\.\)$", claim(item).right.reply)[1]
    assert lesson in ITEMS[item]["lessons"]
    assert wrong.reply.endswith(f"({item.partition('-')[2]}).")


def test_every_cell_can_be_run_again():
    assert list(twice.differences(read(PATH))) == []


def test_no_answer_is_stored_below_its_question():
    assert [cell.id for cell in RUNS.values() if cell.outputs] == []
