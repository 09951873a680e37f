"""Where PyTorch is installed, other random programs run side by side with it."""

import json
import time

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

import minigrad
from tests.fuzz.campaign import Tally, report, tally_of
from tests.fuzz.compare import compared
from tests.fuzz.judge import ROUNDING, judged
from tests.fuzz.play import played
from tests.fuzz.program import Program, Step
from tests.fuzz.rounding import is_rounding, other_last_bits
from tests.fuzz.test_fuzz_itself import ENOUGH, PLANTED, STORED, node_of
from tests.oracle.recorded import the_oracle

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
    for seed in list(STORED)[::10]:
        program = Program.from_list(STORED[seed]["program"])
        assert json.loads(json.dumps(played(program, the_oracle()))) == STORED[seed]["shows"], seed


# --- what is rounding, and what is not ---

# Each with what its last bits decide: numbers near a pole, and what a subtraction leaves over.
MAGNIFYING = {
    "a pole": (
        "t0 = torch.tensor(2.75, requires_grad=True)",
        "t1 = torch.tan(t0.cosh())",
        "t1.backward()",
    ),
    "the sign of a zero": (
        "t0 = torch.tensor([0.0, -1.25], requires_grad=True)",
        "t1 = torch.outer(t0, t0).rsqrt()",
        "t1.sum().backward()",
    ),
    "cancellation": (
        "t0 = torch.tensor([0.3, 0.7, 1.1], requires_grad=True)",
        "t1 = (t0.exp() - t0.cosh() - t0.sinh()) * 1e6",
        "t1.sum().backward()",
    ),
    "how many are different": (
        "t0 = torch.tensor([0.1, 0.2, 0.3, 0.7, 0.9])",
        "t1 = (t0.exp().log() - t0).unique()",
    ),
    "a tie of deviations": (
        "t0 = torch.tensor([[0.5, -0.25, -0.5], [-0.25, 0.75, 0.5]], dtype=torch.float64)",
        "t0.requires_grad_()",
        "t0.std(dim=-1).max().backward()",
    ),
}
# Ties of numbers that were rounded: nothing here moves with the last bits.
TIED = (
    "t0 = torch.tensor([0.3, 0.7], requires_grad=True)",
    "t1 = t0.exp() + 1",
    "t2 = torch.maximum(t1, t0.exp() + 1) + torch.maximum(t1 * 2, t1 + t1)",
    "t2.sum().backward()",
)


def program(codes):
    return Program(tuple(Step(code) for code in codes))


@pytest.mark.parametrize("what", MAGNIFYING)
def test_magnified_last_bits_are_known_as_rounding(what):
    torch, case = the_oracle(), program(MAGNIFYING[what])
    with other_last_bits(torch, seed=5):
        shown = played(case, torch)
    expected = played(case, torch)
    found = compared(expected, shown)
    assert {difference.kind for difference in found} >= {"silently wrong"}
    assert is_rounding(case, found, expected, torch)


def all_to_the_first(rule):
    return rule.derivative({**rule.formulas, "self": lambda g, self, other: g * (self >= other)})


def test_a_wrong_tie_is_not_known_as_rounding(monkeypatch):
    node = node_of(lambda x: minigrad.maximum(x, x))
    monkeypatch.setattr(node, "differentiate", all_to_the_first(node.rule))
    verdict = judged(program(TIED), the_oracle(), minigrad)
    assert verdict.kind == "silently wrong"
    assert verdict.unexplained


@pytest.mark.parametrize("fault", ["wrong rule of *", "wrong rule of sum", "= for += in .grad"])
def test_a_planted_fault_is_not_known_as_rounding(fault, monkeypatch):
    PLANTED[fault](monkeypatch.setattr)
    wrong = 0
    for stored in list(STORED.values())[:ENOUGH]:
        planted = Program.from_list(stored["program"])
        verdict = judged(planted, the_oracle(), minigrad, stored["shows"])
        assert verdict.why != ROUNDING, planted.source()
        wrong += verdict.kind == "silently wrong"
    assert wrong >= 5
