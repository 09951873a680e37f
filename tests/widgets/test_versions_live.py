"""Where PyTorch is installed it runs further programs of the version debugger."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

from minigrad.widgets.versions.words import tried
from tests.oracle.recorded import the_oracle
from tests.widgets.random_lines import program, told, unlike, verdict_of

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("seed", range(1000, 1200))
def test_further_programs_are_alike(seed):
    import minigrad as mg

    text = program(seed)
    answer = told(text, the_oracle())
    assert unlike(told(text, mg), answer) == [], text
    assert tried(tuple(text.splitlines())).verdict == verdict_of(answer), text
