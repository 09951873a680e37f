"""nan and inf in graphs of the real PyTorch of this environment: the same node, the same mend."""

import pytest

from tests.help.bad_numbers import BAD
from tests.help.test_not_finite import check

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("name", BAD)
def test_where_it_begins_and_what_mends_it(name):
    check(name, torch)
