"""Each mistake of `matrix.toml` in each form of a program: its line is named first, no other is."""

import pytest

from tests.help.matrix import cells

CELLS = [*cells()]


@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_the_line_of_the_mistake_is_named_and_no_other(cell):
    assert not cell.faults()


def test_the_matrix_is_as_large_as_it_says():
    mistakes = {cell.mistake for cell in CELLS if cell.mistake}
    assert len(CELLS) > 480
    assert len({cell.form for cell in CELLS}) == 14
    assert len(mistakes) == 29
    assert all(cell.wrong["cause"] for cell in CELLS if cell.mistake)
