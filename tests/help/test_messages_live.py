"""The real PyTorch of this environment raises the same messages, and the same advice works."""

import pytest

from tests.help.failing import FAILING
from tests.help.test_messages import check

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.filterwarnings("ignore")
def test_what_is_advised_works(name):
    check(name, torch)
