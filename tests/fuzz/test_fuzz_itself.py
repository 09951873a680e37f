"""Test the tester: faults planted in minigrad must be found, shrunk, and told apart."""

import json
import os
from dataclasses import replace

import pytest

import minigrad
from minigrad.autograd import engine, hooks, views
from minigrad.ops import broadcasting
from tests.fuzz import campaign
from tests.fuzz.compare import Difference, compared
from tests.fuzz.functions import FUNCTIONS
from tests.fuzz.judge import EXPLAINED, explanation, judged
from tests.fuzz.play import Player, played
from tests.fuzz.program import Program, Step
from tests.fuzz.recording import PROGRAMS
from tests.fuzz.rounding import as_near
from tests.fuzz.shrink import shrink

STORED = PROGRAMS.answers
ENOUGH = 100  # programs, in which each fault must show


def program(*codes, look="each"):
    return Program(tuple(Step(code) for code in codes), look)


# --- faults planted in minigrad ---


def with_wrong_sign(rule):
    return rule.derivative({name: negated(formula) for name, formula in rule.formulas.items()})


def negated(formula):
    return lambda *values: -formula(*values)


def node_of(call):
    return type(call(minigrad.ones(2, requires_grad=True)).grad_fn)


def write_uncounted(target, value, key=..., write=views.write):
    write(target, value, key)
    target._version_counter().value -= 1


def keep_stale_history(self, view):
    return view._edge


def replace_gradient(target, compute, operand, place, update=views.update):
    if place is None:  # no line of a program wrote: a pass added to a gradient
        target._value = operand
    else:
        update(target, compute, operand, place)


def begin_and_keep(self, retain_graph, *rest, begin=engine._Pass.__init__):
    begin(self, True, *rest)


PLANTED = {
    "wrong rule of *": lambda patch: patch(
        node_of(lambda x: x * 2), "differentiate", with_wrong_sign(node_of(lambda x: x * 2).rule)
    ),
    "wrong rule of sum": lambda patch: patch(
        node_of(lambda x: x.sum()),
        "differentiate",
        with_wrong_sign(node_of(lambda x: x.sum()).rule),
    ),
    "in-place write not counted": lambda patch: patch(views, "write", write_uncounted),
    "stale view not derived anew": lambda patch: patch(views.View, "edge_of", keep_stale_history),
    "hook skipped": lambda patch: patch(hooks, "of_tensor", lambda hooks, g, recorded: g),
    "broadcasting not undone": lambda patch: patch(
        broadcasting, "to_shape_and_dtype", lambda g, shape, dtype: g
    ),
    "= for += in .grad": lambda patch: patch(views, "update", replace_gradient),
    "nothing freed": lambda patch: patch(engine._Pass, "__init__", begin_and_keep),
}


def shows(stored):
    return json.loads(json.dumps(played(Program.from_list(stored["program"]), minigrad)))


@pytest.fixture(scope="module")
def before():
    """What the first programs show as long as nothing is broken."""
    return {seed: shows(STORED[seed]) for seed in list(STORED)[:ENOUGH]}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault, before, monkeypatch):
    PLANTED[fault](monkeypatch.setattr)
    found = [seed for seed, wanted in before.items() if compared(wanted, shows(STORED[seed]))]
    assert found


def test_without_a_fault_nothing_is_found(before):
    assert not any(compared(wanted, shows(STORED[seed])) for seed, wanted in before.items())


# --- shrinking ---


def test_a_failing_program_is_shrunk_to_its_core(monkeypatch):
    healthy = program(
        "t0 = torch.tensor([[1.25, 2.5]], dtype=torch.float64, requires_grad=True)",
        "t1 = torch.tensor([3.0, 0.5], requires_grad=True)",
        "t2 = t0 + t1",
        "t3 = t2.sin()",
        "t4 = t3 * t1",
        "h0 = t1.register_hook(lambda g: see('hook', g))",
        "t5 = t4.detach()",
        "t4.sum().backward(retain_graph=True)",
        look="end",
    )
    node = node_of(lambda x: x.sin())

    def fails(candidate):
        expected = played(candidate, minigrad)
        with monkeypatch.context() as context:
            context.setattr(node, "differentiate", with_wrong_sign(node.rule))
            verdict = judged(candidate, None, minigrad, expected)
        return verdict.kind == "silently wrong"

    assert fails(healthy)
    small = shrink(healthy, fails)
    assert fails(small)
    assert len(small.steps) == 3
    assert "sin" in small.source()
    assert "+" not in small.source()
    assert small.look == "each"


def test_what_a_missing_step_made_is_missing_from_the_rest():
    steps = program("t0 = torch.ones(2)", "t1 = t0 + 1", "t0 = torch.zeros(2)", "t2 = t0 * t1")
    assert [step.code for step in steps.without([0]).steps] == ["t0 = torch.zeros(2)"]
    assert [step.code for step in steps.without([1]).steps] == [
        "t0 = torch.ones(2)",
        "t0 = torch.zeros(2)",
    ]


# --- comparing ---

TENSOR = {"dtype": "float32", "shape": [2], "numbers": [1.0, 2.0], "prints": "tensor([1., 2.])"}
SHOWN = [
    {"now": {"t0": TENSOR}},
    {"raises": ["RuntimeError", "freed"]},
    {"warned": [["W", "x", 1]]},
]
CHANGES = {
    "a number": (0, {"now": {"t0": {**TENSOR, "numbers": [1.0, 2.01]}}}, "silently wrong"),
    "a nan": (0, {"now": {"t0": {**TENSOR, "numbers": [1.0, "nan"]}}}, "silently wrong"),
    "the dtype": (0, {"now": {"t0": {**TENSOR, "dtype": "float64"}}}, "silently wrong"),
    "the shape": (0, {"now": {"t0": {**TENSOR, "shape": [1, 2]}}}, "silently wrong"),
    "the print": (0, {"now": {"t0": {**TENSOR, "prints": "tensor([1.,2.])"}}}, "attribute"),
    "a flag": (0, {"now": {"t0": {**TENSOR, "leaf": True}}}, "attribute"),
    "a path": (0, {"now": {"t0": {**TENSOR, "requires_grad": True}}}, "silently wrong"),
    "a gradient": (0, {"now": {"t0": {**TENSOR, "grad": TENSOR}}}, "silently wrong"),
    "an exception more": (0, {"raises": ["TypeError", "no"]}, "crash"),
    "something missing": (0, {"raises": ["NotImplementedError", "no"]}, "unsupported"),
    "an exception less": (1, {}, "not refused"),
    "a view refused": (0, {"now": {"t0": {"raises": ["RuntimeError", "no"]}}}, "crash"),
    "the exception's text": (1, {"raises": ["RuntimeError", "free"]}, "message"),
    "the exception's class": (1, {"raises": ["ValueError", "freed"]}, "message"),
    "the warning's text": (2, {"warned": [["W", "y", 1]]}, "message"),
    "the warning's place": (2, {"warned": [["W", "x", 2]]}, "message"),
    "a warning less": (2, {}, "message"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_difference_is_noticed_and_named(change):
    place, shown, kind = CHANGES[change]
    changed = [*SHOWN[:place], shown, *SHOWN[place + 1 :]]
    found = compared(SHOWN, changed)
    assert kind in {difference.kind for difference in found}
    assert {difference.step for difference in found} == {place}


def test_an_infinity_is_rounding_only_where_the_whole_number_is():
    assert as_near(3.0, "inf", -2.0, 1.0)
    assert not as_near(3.0, "inf", 3.001, 2.999)
    assert not as_near(3.0, "nan", -2.0, 1.0)
    assert as_near("nan", "-inf", -2.0, "nan")
    assert not as_near("nan", "-inf", "nan", "nan")


def test_rounding_is_no_difference():
    near = {**TENSOR, "numbers": [1.0, 2.0000002], "prints": "tensor([1.0000, 2.0000])"}
    assert not compared([{"now": {"t0": TENSOR}}], [{"now": {"t0": near}}])
    far = {**TENSOR, "numbers": [1.0, 2.0002]}
    assert compared([{"now": {"t0": TENSOR}}], [{"now": {"t0": far}}])


def test_an_explanation_has_to_fit_and_never_covers_numbers():
    code = program("t0 = torch.zeros(2).view(2)")
    entries = [{"why": "because", "what": "stride$", "code": r"view\(", "expected": "1"}]
    stride = Difference("attribute", 0, "now.t0.stride", [1], [2])
    assert explanation(code, [stride], entries) == "because"
    assert explanation(code, [stride, replace(stride, what="now.t0.view")], entries) is None
    assert explanation(program("t0 = 1"), [stride], entries) is None
    for earlier, why in {"zeros": "because", "ones": None}.items():
        assert explanation(code, [stride], [{"why": "because", "program": earlier}]) == why
    assert explanation(code, [replace(stride, kind="silently wrong")], entries) is None
    for steps, why in {(3, 1): "because", (1, 2): None}.items():
        ordered = [{"why": "because", "what": "stride$", "reading_order": True}]
        assert explanation(code, [replace(stride, actual=list(steps))], ordered) == why


def test_every_explanation_says_why_and_where():
    for entry in EXPLAINED.get("difference", []):
        assert entry["why"]
        assert {"what", "code", "program", "expected", "actual"} & entry.keys()


def test_how_a_gradient_was_computed_is_nobodys_business():
    case = program(
        "t0 = torch.ones(2, requires_grad=True)",
        "t1 = t0.log1p()",
        "(t2,) = torch.autograd.grad(t1.sum(), t0, create_graph=True)",
        "t3 = torch.ones(2)",
        "t4 = t3.view(2)",
        "t3.mul_(t2)",
    )
    seen = played(case, minigrad)[5]["now"]["t4"]["graph"]
    # What a gradient is written into counts as one from then on.
    assert seen == ["AsStridedBackward0", ["a gradient's node", 0]]


# --- programs and campaigns ---


def test_a_program_is_a_snippet_that_runs_by_itself(capsys):
    ran = 0
    for stored in list(STORED.values())[:40]:
        if not any("raises" in step for step in stored["shows"]):
            with Player(minigrad):  # puts settings back
                exec(compile(Program.from_list(stored["program"]).source(), "snippet", "exec"), {})
            ran += 1
    assert ran >= 5


def test_the_programs_use_every_custom_function():
    text = json.dumps([stored["program"] for stored in STORED.values()])
    assert [name for name in FUNCTIONS if f"{name}.apply" not in text] == []


def test_player_puts_settings_back_and_goes_on_after_an_error():
    steps = program("torch.set_grad_enabled(False)", "1 / 0", "t0 = torch.ones(2)")
    shown = played(steps, minigrad)
    assert minigrad.is_grad_enabled()
    assert shown[1]["raises"] == ["ZeroDivisionError", "division by zero"]
    assert shown[2]["now"]["t0"]["numbers"] == [1.0, 1.0]


def dying(connection):
    """A process that does not survive seed 3."""
    while (seeds := connection.recv()) is not None:
        for seed in seeds:
            if seed == 3:
                os._exit(1)
            connection.send(campaign.Tally(programs=1, steps=2))
        connection.send(None)


def test_a_program_that_ends_its_process_is_named_and_the_others_run():
    tally = campaign.campaign(0, 7, 2, work=dying)
    assert tally.crashed == [3]
    assert tally.programs == 7
    assert not tally.passed
    assert "seeds [3]" in campaign.report(tally)


def test_seldom_features_fail_a_campaign():
    tally = campaign.Tally(programs=campaign.RARE * 2)
    tally.features.update(dict.fromkeys(campaign.FEATURES, 2))
    assert tally.passed
    tally.features["backward"] = 1
    assert not tally.passed
    assert "'backward': 1" in campaign.report(tally)
