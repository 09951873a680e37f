"""Where PyTorch is installed, other random programs run side by side with it."""

import json
import time

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import minigrad
from tests.fuzz.campaign import Tally, report, tally_of
from tests.fuzz.play import played
from tests.fuzz.program import Program
from tests.fuzz.record import FILE
from tests.oracle.record import the_oracle

FIRST, PROGRAMS = 100_000, 300
SECONDS = 40
LEAST = 50


def test_fresh_programs_show_the_same_on_both():
    torch, tally, start = the_oracle(), Tally(), time.monotonic()
    for seed in range(FIRST, FIRST + PROGRAMS):
        tally.add(tally_of(seed, torch, minigrad, set()))
        if time.monotonic() - start > SECONDS:
            break
    assert tally.programs >= LEAST, "this machine is too slow for the test to mean much"
    assert not tally.faults, report(tally, all_features=False)


def test_recorded_programs_still_show_the_same_on_pytorch():
    stored = json.loads(FILE.read_text(encoding="utf-8"))["answers"]
    for seed in list(stored)[::10]:
        program = Program.from_list(stored[seed]["program"])
        assert json.loads(json.dumps(played(program, the_oracle()))) == stored[seed]["shows"], seed
