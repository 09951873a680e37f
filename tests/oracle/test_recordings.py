"""Every file of recorded answers is whole, is asked for, and can be read in a diff."""

import json

import pytest

from tests.oracle.accepted import accepted
from tests.oracle.recorded import DATA, ORACLE, recordings, written

RECORDINGS = recordings()


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_question_has_its_answer(name):
    recording = RECORDINGS[name]
    numbered = isinstance(recording.answers, list)
    assert (list(range(len(recording.answers))) if numbered else list(recording.answers)) == (
        recording.keys
    )
    answers = recording.answers if numbered else recording.answers.values()
    assert all(answers), "a question that shows nothing checks nothing"
    assert accepted(name).keys() <= set(recording.keys)


@pytest.mark.parametrize("path", sorted(DATA.iterdir()), ids=lambda path: path.name)
def test_a_file_has_one_answer_a_line_and_somebody_who_asks(path):
    text = path.read_text(encoding="utf-8")
    stored = json.loads(text)
    assert text == written(stored["answers"], stored["recorded_with"])
    assert stored["recorded_with"] == ORACLE
    assert path.stem in RECORDINGS
