"""Lesson 11: nobody who is right is refused, and what is said of wrong answers is true of them."""

import math
import random
import re

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import lesson_11
from minigrad.lessons.snippets import run, run_in
from minigrad.widgets.error_curve.cases import CASES
from minigrad.widgets.error_curve.measured import Measured
from tests.lessons.custom_functions import written
from tests.notebooks.reading import LESSONS, cell

HINTS = {
    name: {mistake: m.hint for mistake, m in exercise.mistakes.items()}
    for exercise in lessons.LESSONS["11"].exercises
    for name in [exercise.name]
}


PAGE = next(path for path in LESSONS if path.name.startswith("11"))


def said_about(name, answer):
    verdict = lessons.check(name, answer)
    return verdict, verdict.words[0]


# --- 11-1, 11-2a and 11-3: every mixture of forward and backward -------------------------------

TIMES = [
    "return grad_output * ctx.c, None",
    "return ctx.c * grad_output, None, None",
    "return grad_output, None",
    "return grad_output * 5, None",
    "return grad_output * -2, None",
    "return mg.full_like(grad_output, ctx.c), None",
    "return grad_output * ctx.c, grad_output",
    "return grad_output * ctx.c, 0",
    "return grad_output * ctx.c",
    "return grad_output * ctx.t, None",
    "return grad_output / ctx.c, None",
    "return grad_output.detach() * ctx.c, None",
    "return None, None",
    "return None",
    "return 1 / 0, None",
    "return grad_output.sum() * ctx.c, None",
    "return grad_output * abs(ctx.c), None",
]


def test_what_is_said_of_each_backward_of_mulconstant():
    right = set()
    for backward in TIMES:
        code = written("Mul", "t, c", "ctx.c, ctx.t = c, t; return t * c", backward)
        verdict, said = said_about("11-1", run(code, mg=mg)[0])
        if verdict.is_yes:
            right.add(backward)
            continue
        hints = HINTS["11-1"]
        claims = {
            hints["as it stands"]: backward.startswith("return grad_output, "),
            hints["the slope alone"]: "full_like" in backward,
            hints["always 5"]: "* 5" in backward,
            hints["the tensor as factor"]: "ctx.t" in backward,
            hints["one answer"]: backward in (TIMES[8], "return None"),
            hints["a gradient for the number"]: backward in (TIMES[6], TIMES[7]),
        }
        assert claims.get(said, True), (backward, said)
        assert len(said) > 20
        lessons.exercises.forget_attempts()
    assert right == {*TIMES[:2]}


@pytest.mark.parametrize("entries", ["grad_output * ctx.c, None", "grad_output", ""])
def test_a_list_is_told_that_a_tuple_is_wanted(entries):
    code = written("Mul", "t, c", "ctx.c = c; return t * c", f"return [{entries}]")
    said = said_about("11-1", run(code, mg=mg)[0])[1]
    assert said == (
        "Backward returns a list, and a tuple is wanted: `return …, …`, without brackets."
    )


def test_a_list_for_one_input_is_told_that_a_tensor_is_wanted():
    code = written("Same", "t", "return t.clone()", "return [grad_output]")
    failed = lessons.checklist(run(code, mg=mg)[0], mg.ones(2)).failed
    assert failed.says == "backward returns a list, and one tensor is wanted."


def test_the_text_of_an_error_ends_before_the_help_begins():
    code = written("Mul", "t, c", "return t * c", "return grad_output * ctx.c, None")
    stopped = said_about("11-1", run(code, mg=mg)[0])[1]
    assert re.search(r": AttributeError: .*[^.]\.$", stopped)
    sent = said_about("11-5", lambda h, most: h.register_hook(h.clamp(-most, most)))[1]
    assert sent.endswith("TypeError: 'Tensor' object is not callable.")


MASKS = {
    "x > ctx.least": True,
    "x >= ctx.least": True,
    "~(x < ctx.least)": True,
    "x < ctx.least": False,
    "x > 0": False,
    "x > 0.3": False,
    "x > -1": False,
    "x > -ctx.least": False,
    "x == x": False,
    "x != x": False,
    "x.abs() > ctx.least": False,
    "grad_output > 0": False,
    "(x > ctx.least) * 2": False,
}


@pytest.mark.parametrize("mask", MASKS)
def test_what_is_said_of_each_mask_of_clamp_min(mask):
    forward = "ctx.save_for_backward(x); ctx.least = least; return x.clamp(min=least)"
    backward = f"x, = ctx.saved_tensors; return grad_output * ({mask}), None"
    verdict, said = said_about(
        "11-2a", run(written("ClampMin", "x, least", forward, backward), mg=mg)[0]
    )
    assert verdict.is_yes == MASKS[mask]
    if not verdict.is_yes:
        x, least = mg.tensor([-1.0, 0.5, 2.0, 3.0]), 1.0
        scope = {"x": x, "ctx": type("ctx", (), {"least": least}), "grad_output": mg.ones(4)}
        through = eval(mask, scope)
        replaced = x < least
        claims = {
            HINTS["11-2a"]["all of it goes on"]: through.all(),
            HINTS["11-2a"]["at zero"]: through[1],
            HINTS["11-2a"]["the wrong side"]: (through == replaced).all(),
        }
        assert bool(claims.get(said, True)), said


def test_forward_is_judged_as_well():
    code = written(
        "ClampMin",
        "x, least",
        "ctx.save_for_backward(x); ctx.least = least; return x.clamp(max=least)",
        "x, = ctx.saved_tensors; return grad_output * (x < ctx.least), None",
    )
    _verdict, said = said_about("11-2a", run(code, mg=mg)[0])
    assert said.startswith("Forward gives [-1.0, 0.5, 1.0, 1.0], and the formula gives")


KEEPS = {
    "ctx.save_for_backward(x, w)": ("ctx.saved_tensors", True),
    "ctx.save_for_backward(x.detach(), w.detach())": ("ctx.saved_tensors", False),
    "ctx.save_for_backward(x.data, w.data)": ("ctx.saved_tensors", False),
    "ctx.x, ctx.w = x, w": ("ctx.x, ctx.w", False),
    "ctx.x, ctx.w = x, w; ctx.save_for_backward(x, w)": ("ctx.x, ctx.w", False),
    "ctx.x, ctx.w = x, w; ctx.save_for_backward(w)": ("ctx.x, ctx.w", False),
    "ctx.x, ctx.w = x, w; ctx.save_for_backward(x, w), 0": ("ctx.saved_tensors", True),
    "ctx.save_for_backward(w); ctx.x = x": ("ctx.x, *ctx.saved_tensors", False),
    "ctx.save_for_backward(x); ctx.w = w": ("*ctx.saved_tensors, ctx.w", False),
    "ctx.x, ctx.w = x.clone(), w.clone()": ("ctx.x, ctx.w", False),
    "ctx.x, ctx.w = x.data, w.data": ("ctx.x, ctx.w", False),
}


@pytest.mark.parametrize("keep", KEEPS)
def test_what_is_said_of_each_way_to_keep_both(keep):
    taken, right = KEEPS[keep]
    backward = f"x, w = {taken}; return grad_output * w, grad_output * x"
    code = written("Weighted", "x, w", f"{keep}; return x * w", backward)
    verdict, said = said_about("11-3", run(code, mg=mg)[0])
    assert verdict.is_yes == right, said
    unread = "ctx.x" in taken and "save_for_backward(x, w)" in keep
    assert (said == HINTS["11-3"]["saved, and not taken out"]) == unread
    if said == HINTS["11-3"]["w on ctx"]:
        assert "save_for_backward(x)" in keep
    if said == HINTS["11-3"]["x on ctx"]:
        assert "ctx.x = x" in keep or keep.startswith("ctx.x, ctx.w = x, w")


NOTICES = {
    "versions": ("(x._version, w._version)", "ctx.kept != (x._version, w._version)"),
    "copies": (
        "x.clone(), w.clone()",
        "not all(mg.equal(*both) for both in zip(ctx.kept, (x, w)))",
    ),
    "always": ("0", "True"),
    "only w": ("w._version", "ctx.kept != w._version"),
}


@pytest.mark.parametrize("stop", ["raise RuntimeError('changed')", "raise ValueError('changed')"])
@pytest.mark.parametrize("name", NOTICES)
def test_who_notices_the_change_in_own_code_is_right(name, stop):
    kept, changed = NOTICES[name]
    code = written(
        "Weighted",
        "x, w",
        f"ctx.x, ctx.w = x, w; ctx.kept = {kept}; return x * w",
        f"x, w = ctx.x, ctx.w; if {changed}: {stop}; return grad_output * w, grad_output * x",
    )
    function = run(code, mg=mg)[0]
    verdict, said = said_about("11-3", function)
    assert verdict.is_yes == (name in ("versions", "copies") and "Runtime" in stop), said
    inputs = mg.tensor([1.0, 3.0]), mg.tensor([2.0, 4.0])
    keys = [check.key for check in lessons.checklist(function, *inputs).checks]
    assert len(keys) == len(set(keys))
    if not verdict.is_yes and name in ("versions", "copies"):
        assert re.fullmatch(
            r"`x` was changed in place after forward, and then Weighted stopped at line \d+ of its "
            r"text: ValueError: changed\. Raise a RuntimeError\.",
            said,
        )
    if name == "only w" and "Runtime" in stop:
        assert said == HINTS["11-3"]["x on ctx"] or "`x` was changed in place" in said


# --- 11-2b ------------------------------------------------------------------------------------


def right_points(at):
    return (
        any(x > 1 for x in at)
        and any(0 < x < 1 for x in at)
        and not any(abs(x - 1) < 2e-6 for x in at)
    )


def test_what_is_said_of_points_is_true_of_them():
    draw, heard = random.Random(11), set()
    for _ in range(300):
        at = [draw.choice([-3.0, -0.2, 0.4, 0.9, 1.0, 1.5, 7.0]) for _ in range(draw.randint(1, 4))]
        forms = [at, tuple(at), mg.tensor(at), [at], (at, 1), (mg.tensor(at), 1.0)]
        answer = draw.choice(forms)
        verdict, said = said_about("11-2b", answer)
        assert verdict.is_yes == right_points(at), (at, said)
        claims = {
            HINTS["11-2b"]["on the kink"]: 1.0 in at,
            HINTS["11-2b"]["only those that stay"]: min(at) >= 1,
            HINTS["11-2b"]["only those that are replaced"]: max(at) <= 1,
            HINTS["11-2b"]["nothing between"]: not any(0 < x < 1 for x in at),
        }
        assert claims.get(said, verdict.is_yes), (at, said)
        heard.add(said)
    assert len(heard) == 5


def test_another_least_beside_the_points_is_told():
    said = said_about("11-2b", ([0.5, 3.0], 2))[1]
    assert said == "The test is of ClampMin with a `least` of 1, and yours is 2."
    assert lessons.check("11-2b", ([...], 1)).heading == "Not yet"
    assert lessons.check("11-2b", (mg.tensor(3.0), mg.tensor(0.5))).is_yes


@pytest.mark.parametrize("odd", [[float("nan")], [1e9], ["a"], list(range(99)), {"x": 1}, True])
def test_points_that_cannot_be_nudged_are_refused(odd):
    verdict, said = said_about("11-2b", odd)
    assert verdict.heading == "Look again"
    assert said not in HINTS["11-2b"].values()


def test_points_at_a_kink_of_the_wrong_function_do_no_harm():
    """0 is the kink of what decides at 0, and of nothing else."""
    assert lessons.check("11-2b", [0.0, 0.5, 2.0]).is_yes


# --- 11-4 -------------------------------------------------------------------------------------


def sinc(safe, chosen):
    def function(x):
        divisor = mg.where(x == 0, 1.0, x) if safe else x
        ratio = mg.sin(x) / divisor
        return mg.where(x == 0, 1.0, ratio) if chosen else ratio

    return function


def flat(width):
    """1 within `width` of 0: the value is nearly right there, and the slope is 0."""

    def function(x):
        near = x.abs() < width
        safe = mg.where(near, 1.0, x)
        return mg.where(near, 1.0, mg.sin(safe) / safe)

    return function


def series(x):
    near = x.abs() < 0.1
    safe = mg.where(near, 1.0, x)
    return mg.where(near, 1 - x * x / 6 + x**4 / 120, mg.sin(safe) / safe)


SINCS = {
    "flat": (flat(0.1), False),
    "flat, less": (flat(0.01), False),
    "flat, little": (flat(1e-4), False),
    "flat, least": (flat(1e-5), False),
    "divisor, not moved": (lambda x: mg.where(x == 0, 1.0, mg.sin(x) / (x + 1e-30)), True),
    "flat, within rounding": (flat(1e-9), True),
    "shifted": (lambda x: mg.sin(x + 1e-8) / (x + 1e-8), False),
    "shifted, little": (lambda x: mg.sin(x + 1e-12) / (x + 1e-12), False),
    "divisor": (lambda x: mg.where(x == 0, 1.0, mg.sin(x) / (x + 1e-12)), False),
    "series": (series, True),
    "entries": (lambda x: mg.stack([mg.sin(e) / e if e != 0 else e * 0 + 1 for e in x]), True),
    "nearly 0": (lambda x: (lambda s: mg.sin(s) / s)(mg.where(x == 0, 1e-6, x)), True),
    "right": (sinc(True, True), True),
    "as given": (sinc(False, True), False),
    "0 at 0": (sinc(True, False), False),
    "no where": (sinc(False, False), False),
    "nan replaced": (lambda x: mg.nan_to_num(mg.sin(x) / x, nan=1.0), False),
    "detached": (lambda x: sinc(True, True)(x.detach()), False),
    "twice": (lambda x: 2 * sinc(True, True)(x), False),
    "cosine": (lambda x: mg.cos(x), False),
    "half cut": (lambda x: sinc(True, True)(mg.where(x > 1, x, x.detach())), False),
    "one": (lambda x: mg.ones_like(x), False),
    "a sum": (lambda x: sinc(True, True)(x).sum(), False),
    "python": (lambda x: 1.0 if x == 0 else mg.sin(x) / x, False),
    "x": (lambda x: x, False),
}  # fmt: skip


@pytest.mark.parametrize("name", SINCS)
def test_what_is_said_of_a_sinc_is_true_of_it(name):
    function, right = SINCS[name]
    verdict, said = said_about("11-4", {"node": "DivBackward0", "sinc": function})
    assert verdict.is_yes == right, said
    x = mg.tensor([0.0, 2.0], dtype=mg.float64, requires_grad=True)
    if said == HINTS["11-4"]["sinc: still nan"]:
        assert mg.autograd.grad(function(x).sum(), x)[0].isnan()[0]
    if said == HINTS["11-4"]["sinc: another value at 0"]:
        assert function(x)[0].item() != 1
    if said == HINTS["11-4"]["sinc: cut off"]:
        assert not function(x).requires_grad
        assert function(x)[1].item() == pytest.approx(math.sin(2) / 2)
    if found := re.match(
        r"sinc: at x = (\S+) the value should be (\S+), and yours is (\S+)\.$", said
    ):
        at, wanted, got = map(float, found.groups())
        assert wanted == pytest.approx(math.sin(at) / at if at else 1, rel=1e-2)
        value = function(mg.tensor([at], dtype=mg.float64))[0].item()
        assert value == pytest.approx(got, rel=1e-2, nan_ok=True)
        assert found[2] != found[3]


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ("WhereBackward0", "node: where"),
        ("where", "node: where"),
        ("SinBackward0", "node: another"),
        ("EqBackward0", "node: another"),
        ("AccumulateGrad", "node: another"),
    ],
)
def test_what_is_said_of_a_node(node, said):
    answer = {"node": node, "sinc": SINCS["right"][0]}
    assert said_about("11-4", answer)[1] == HINTS["11-4"][said]


def test_the_node_may_be_handed_in_as_a_node_or_with_its_message():
    message = "Function 'DivBackward0' returned nan values in its 0th output."
    assert lessons.check("11-4", {"node": message, "sinc": SINCS["right"][0]}).is_yes
    x = mg.tensor(2.0, requires_grad=True)
    assert lessons.check("11-4", {"node": (x / x).grad_fn, "sinc": SINCS["right"][0]}).is_yes
    assert "quotation marks" in said_about("11-4", {"node": 3, "sinc": SINCS["right"][0]})[1]


def test_the_node_that_is_asked_for_is_the_one_of_the_page():
    assert lesson_11._culprit() == "div"


# --- 11-5 -------------------------------------------------------------------------------------


def hook_of(change):
    return lambda h, most: h.register_hook(lambda g: change(g, most))


CLIPS = {
    "right": (hook_of(lambda g, most: g.clamp(-most, most)), True),
    "by parts": (hook_of(lambda g, most: g.clamp(max=most).clamp(min=-most)), True),
    "nothing": (hook_of(lambda g, most: None), False),
    "in place": (hook_of(lambda g, most: g.clamp_(-most, most)), False),
    "high": (hook_of(lambda g, most: g.clamp(max=most)), False),
    "low": (hook_of(lambda g, most: g.clamp(min=-most)), False),
    "norm": (hook_of(lambda g, most: g * most / g.norm()), False),
    "doubled": (hook_of(lambda g, most: g * 2), False),
    "gone": (hook_of(lambda g, most: g * 0), False),
    "fixed": (hook_of(lambda g, most: g.clamp(-0.5, 0.5)), False),
    "sign": (hook_of(lambda g, most: g.sign() * most), False),
    "no handle": (lambda h, most: h.register_hook(lambda g: g.clamp(-most, most)) and None, False),
    "a number": (lambda h, most: 3, False),
    "a tensor": (lambda h, most: h.clamp(-most, most), False),
    "one too few": (lambda h: h, False),
    "other shape": (hook_of(lambda g, most: g.sum()), False),
}


@pytest.mark.parametrize("name", CLIPS)
def test_what_is_said_of_a_clipping_hook_is_true_of_it(name):
    function, right = CLIPS[name]
    verdict, said = said_about("11-5", function)
    assert verdict.is_yes == right, said
    owners = {
        "nothing returned": {"nothing"},
        "in place": {"in place"},
        "one side": {"high"},
        "the whole is shortened": {"norm", "gone"},
        "the value is clipped": {"a tensor"},
    }
    for mistake, names in owners.items():
        assert said != HINTS["11-5"][mistake] or name in names
    if found := re.match(r"With a limit of (\S+), (\S+) came in, and (\S+) went on\.", said):
        most, came, went = map(float, found.groups())
        assert abs(went) > most or went != pytest.approx(came)


@pytest.mark.parametrize("name", ["h", "another tensor", "clipped value"])
def test_who_returns_a_tensor_is_asked_for_the_handle(name):
    def clip_at(h, most):
        h.register_hook(lambda g: g.clamp(-most, most))
        return {"h": h, "another tensor": 2 * h, "clipped value": h.clamp(-most, most)}[name]

    said = said_about("11-5", clip_at)[1]
    if name == "clipped value":
        assert said == HINTS["11-5"]["the value is clipped"]
    else:
        asked = "Return the handle, that is, what `h.register_hook(…)` returned."
        assert said == f"You return a tensor. {asked}"


def test_a_hook_that_stays_is_noticed():
    def clip_at(h, most):
        h.register_hook(lambda g: g.clamp(-most, most))
        return h.register_hook(lambda g: g)

    said = said_about("11-5", clip_at)[1]
    assert said == "After `handle.remove()` the gradient is still clipped."


# --- What the page says of its own changes ----------------------------------------------------


def changed(cell_id, old, new, *before):
    """What a cell of the page shows after a change, with cells before it that it needs."""
    scope = {"mg": mg, "predict": lessons.predict, "checklist": lessons.checklist}
    for name in before:
        run_in(scope, cell(PAGE, name).source)
    source = cell(PAGE, cell_id).source
    assert source.count(old) == 1
    return run_in(scope, source.replace(old, new))


def test_a_constant_of_a_half_is_noticed_and_relu_beside_its_kink_passes():
    before = ("open-question", "run-printed")
    with pytest.raises(RuntimeError, match=r"numerical:tensor\(\[\[0\.5000"):
        changed("run-times-one", "(a, 1)", "(a.double().detach().requires_grad_(), .5)", *before)
    assert changed("run-relu", "[0., 2.]", "[.5, 2.]").heading == "Changed."


def test_a_hook_that_doubles_is_passed_on(capsys):
    changed("run-hooks", "print(name, g.item())", "print(name, g.item()); return 2 * g")
    assert capsys.readouterr().out == "y 1.0\nb 6.0\na 8.0\nx 28.0\n"


def test_a_constant_of_1_is_no_good_test_point():
    shown = changed("step-checklist", "5)", "1)", "open-question")
    assert shown.failed is None
    assert shown.checks[-1].says.endswith("constant is 1: a missing factor would not show.")


def test_what_the_page_says_of_the_curves():
    curves = {name: Measured(case).points for name, case in CASES.items()}
    flat = {
        name
        for name, points in curves.items()
        if max(p.error for p in points["float64"]) < 1.2 * min(p.error for p in points["float64"])
    }
    assert flat == {"forgets", "nearly", "kink"}
    assert min(curves["cube"]["float32"], key=lambda p: p.error).eps == 0.01
    assert 1 - 3.14 / math.pi == pytest.approx(0.0005, rel=0.02)
