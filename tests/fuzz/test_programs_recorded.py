"""Random programs must show what PyTorch showed when they were recorded."""

import pytest

import minigrad
from tests.fuzz.campaign import source_with_marker
from tests.fuzz.judge import judged
from tests.fuzz.program import Program
from tests.fuzz.recording import PROGRAMS

STORED = PROGRAMS.answers


@pytest.mark.parametrize("seed", STORED)
def test_program_shows_what_pytorch_showed(seed):
    program = Program.from_list(STORED[seed]["program"])
    verdict = judged(program, None, minigrad, STORED[seed]["shows"])
    if verdict.kind and not verdict.why:
        shown = "\n".join(map(str, verdict.differences))
        pytest.fail(f"{source_with_marker(program, verdict.differences)}\n\n{shown}", pytrace=False)


def test_few_differences_are_explained_away():
    explained = 0
    for stored in STORED.values():
        verdict = judged(Program.from_list(stored["program"]), None, minigrad, stored["shows"])
        explained += verdict.why is not None
    assert explained <= len(STORED) // 100
