"""Each mistake of `matrix.toml` in each form of a program: its line is named first, no other is."""

import re

import pytest

from tests.help.as_told import mended
from tests.help.matrix import cells

CELLS = [*cells()]
TO_BE_MENDED = [cell for cell in CELLS if cell.wrong.get("mends")]
#: lines that ask what the mended program is not looked at for
BESIDE = re.compile(r"(?m)^ *(?:isinstance\(.*\) or )?ask\('(?:before|leaf|value|net)'.*\n")


# The scope lets both tests of a cell follow one another.
@pytest.mark.parametrize("cell", CELLS, ids=str, scope="module")
@pytest.mark.filterwarnings("ignore")
def test_the_line_of_the_mistake_is_named_and_no_other(cell):
    assert not cell.faults()


@pytest.mark.parametrize("cell", TO_BE_MENDED, ids=str, scope="module")
@pytest.mark.filterwarnings("ignore")
def test_done_as_it_is_told_the_gradient_arrives(cell):
    text, _at = cell.program()
    answers, failed = cell.answers(text)
    told = answers[-1] if failed else answers[0]
    better = mended(text, told.said)
    assert better != text, told.said
    answers, _failed = cell.answers(BESIDE.sub("", better))
    doors = {answer.door: answer.said for answer in answers}
    assert "There is a recorded path" in doors["path"], (told.said, better)
    assert "error" not in doors, (doors["error"], better)


def test_the_matrix_is_as_large_as_it_says():
    mistakes = {cell.mistake for cell in CELLS if cell.mistake}
    assert len(CELLS) > 480
    assert len({cell.form for cell in CELLS}) == 14
    assert len(mistakes) == 29
    assert all(cell.wrong["cause"] for cell in CELLS if cell.mistake)
