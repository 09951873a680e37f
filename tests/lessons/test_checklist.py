"""The checklist of a custom function, and exercises that are judged by it."""

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.checklist import checklist
from minigrad.lessons.checks import TITLES
from minigrad.lessons.exercises import Blank
from minigrad.lessons.reading import exercise, faults
from minigrad.lessons.snippets import run
from tests.lessons.custom_functions import LINEAR, PRESETS, SQUARE, TIMES, written


def tried(name):
    code, inputs, _failing = PRESETS[name]
    return checklist(run(code, mg=mg)[0], *run(f"({inputs},)", mg=mg)[0])


def made(code):
    return run(code, mg=mg)[0]


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_fails_where_it_is_wrong(name):
    done = tried(name)
    assert (done.failed and done.failed.key) == PRESETS[name][2], done.text()
    assert [check.key for check in done.checks] == list(TITLES)
    states = [check.state for check in done.checks]
    if done.failed:
        after = states[states.index("wrong") + 1 :]
        assert set(after) <= {"open"}, "what leans on a failed check stays open"
    else:
        assert set(states) <= {"right", "weak"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing factor", "y[0] by tensor[0]: nudging says 5, you say 1."),
        ("wrong count", "forward takes 2 inputs (tensor, constant), and backward returns 1."),
        ("gradient of a number", "`constant` is no tensor: None stands in its place."),
        ("no number", "MulConstant stopped at line 10 of its text: TypeError: "),
        ("ctx.t", "Backward then gave −14 in place of 6 for x[1], without an error."),
        ("nothing comes in", "backward answers the same to an incoming 2 as to a 1."),
        ("a lost gradient", "`M` gets None, but a nudge of `M` moves y: its gradient is lost."),
        ("wrong transpose", "y[0] by x[1]: nudging says 2, you say 3."),
        ("wrong shape", "`x` has the shape [2], and its gradient [3]."),
        ("detached", "a nudge of x[0] changes the gradient"),
        ("forward fails", "F stopped at line 5 of its text: AttributeError: "),
        ("forward forgets", "forward returned None where a tensor is wanted."),
    ],
)
def test_the_sentence(name, said):
    assert said in tried(name).failed.says


def test_the_three_tables():
    text = tried("missing factor").text()
    assert "by nudging" in text
    assert text.count("y[0]") == 4
    rows = dict(tried("missing factor").failed.tables)["difference"]
    assert rows == [["", "tensor[0]", "tensor[1]"], ["y[0]", "−4", "0"], ["y[1]", "0", "−4"]]
    html = tried("missing factor")._repr_html_()
    assert '<th scope="row">y[0]</th><td>5</td>' in html
    assert 'aria-label="wrong"' in html
    assert "max-width:60em" in html  # room for all three
    assert "max-width:46em" in tried("forward fails")._repr_html_()


def points(code, inputs):
    return checklist(made(code), *inputs).checks[-1]


FINE, RIGHT_TRANSPOSE = (PRESETS[name][0] for name in ("fine", "right transpose"))


@pytest.mark.parametrize(
    ("code", "inputs", "said"),
    [
        (FINE, (mg.tensor([1.0, 3.0]), 1), "constant is 1: a missing factor would not show."),
        (FINE, (mg.tensor([1.0, 3.0]), 0), "constant is 0: a missing factor would not show."),
        (FINE, (mg.ones(2), 5), "tensor has only 1 in it: a missing factor would not show."),
        (FINE, (mg.full((2,), 3.0), 5), "tensor has equal entries: mixed-up ones would not show."),
        (
            RIGHT_TRANSPOSE,
            (mg.tensor([[1.0, 2.0], [2.0, 5.0]]), mg.tensor([1.0, 3.0])),
            "M is symmetric: a missing transpose would not show.",
        ),
        (
            written("Relu", "x", "ctx.save_for_backward(x); return x.relu()",
                    "x, = ctx.saved_tensors; return grad_output * (x > 0)"),
            (mg.tensor([0.0, 2.0]),),
            "x[0] stands on a kink: its slope is 0 from below and 1 from above.",
        ),
    ],
)  # fmt: skip
def test_points_that_prove_too_little(code, inputs, said):
    check = points(code, inputs)
    assert check.state == "weak"
    assert said in check.says


def test_a_kink_is_not_called_a_lost_second_order():
    """At 0 the slope of |x| jumps, and no graph says so; at other points there is nothing amiss."""
    code = written("Abs", "x", "ctx.save_for_backward(x); return x.abs()",
                   "x, = ctx.saved_tensors; return grad_output * mg.sign(x)")  # fmt: skip
    done = checklist(made(code), mg.tensor([0.0, 1.0]))
    assert done.failed is None
    assert "x[0] stands on a kink: its slope is −1 from below" in done.checks[-1].says
    cut = code.replace("return grad_output", "return grad_output.detach()")
    assert checklist(made(cut), mg.tensor([0.0, 1.0])).failed.key == "second"


def test_slopes_that_are_all_nothing_prove_nothing():
    code = written("Bell", "x", "return mg.exp(-x * x)", "return 0 * grad_output")
    done = checklist(made(code), mg.tensor([9.0, 10.0]))
    assert done.failed is None
    assert "No nudge moves y: a backward that returns 0 would" in done.checks[-1].says
    assert checklist(made(code), mg.tensor([0.5, 10.0])).failed.key == "jacobian"


ABS = written("Abs", "x", "ctx.save_for_backward(x); return x.abs()",
              "x, = ctx.saved_tensors; return grad_output * mg.sign(x)")  # fmt: skip


def test_at_a_kink_that_is_the_same_on_both_sides_a_nudge_moves_y():
    """The difference to both sides is 0 there, and yet |x| moves with x."""
    last = checklist(made(ABS), mg.tensor([0.0])).checks[-1]
    assert "No nudge moves y" not in last.says
    assert "x[0] stands on a kink: its slope is −1 from below and 1 from above." in last.says
    lost = ABS.replace("return grad_output * mg.sign(x)", "return None")
    assert checklist(made(lost), mg.tensor([0.0])).failed.says == (
        "`x` gets None, but a nudge of `x` moves y: its gradient is lost."
    )


def test_no_fault_is_found_where_a_nudge_leads_out_of_the_function():
    class Root(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return mg.sqrt(x)

        @staticmethod
        def backward(ctx, incoming):
            (x,) = ctx.saved_tensors
            return incoming / (2 * mg.sqrt(x))

    for at in ([0.0, 4.0], [0.0]):
        done = checklist(Root, mg.tensor(at))
        assert done.failed is None
        assert "A nudge leads to where y is no number" in done.text()
        assert "Beside x[0] y is no number." in done.text()


@pytest.mark.parametrize(("x", "jumps"), [(1.0, True), (1.5, False)])
def test_a_jump_is_not_called_a_kink(x, jumps):
    code = written("Down", "x", "return x.floor()", "return 0 * grad_output")
    done = checklist(made(code), mg.tensor([x, 2.5]))
    assert done.failed is None
    said = " ".join(check.says for check in done.checks)
    assert "kink" not in said
    assert ("At x[0] y jumps, and a jump has no slope." in said) == jumps
    assert ("y jumps here, so this point cannot decide." in said) == jumps


@pytest.mark.parametrize("y", ["1e6 * x.relu()", "x.clamp(min=0).sqrt()"])
def test_a_steep_kink_is_no_jump(y):
    backward = "x, = ctx.saved_tensors; return 0 * grad_output"
    code = written("Steep", "x", f"ctx.save_for_backward(x); return {y}", backward)
    last = checklist(made(code), mg.tensor([0.0])).checks[-1]
    assert "x[0] stands on a kink: its slope is 0 from below and 1" in last.says


def test_a_forward_that_writes_into_its_input_is_told_so():
    code = written("Clamp", "x", "x[x < 1] = 1; return x * 1", "return grad_output")
    failed = checklist(made(code), mg.tensor([-2.0, 3.0])).failed
    assert (failed.key, failed.says) == (
        "forward",
        "it writes into `x`, which others may hold, too. A new tensor is wanted.",
    )


def test_a_backward_that_writes_into_what_comes_in_is_told_so():
    for name, says in {"grad_output": "writes", "grad_output.clone()": None}.items():
        code = written("Twice", "x", "return 2 * x", f"g = {name}; g *= 2; return g")
        failed = checklist(made(code), mg.tensor([1.0, 3.0])).failed
        assert (failed and failed.says) == (
            "backward writes into what comes in, which others may hold. Return a new tensor."
            if says
            else None
        )


def test_y_is_told_in_few_digits():
    code = written("Bell", "x", "return mg.exp(-x * x)", "return grad_output")
    assert checklist(made(code), mg.tensor([0.5])).checks[0].says == "y = [0.778801]."


def test_float32_is_no_fault():
    check = points(FINE, (mg.tensor([1.0, 3.0]), 5))
    assert check.state == "right"
    assert check.says == "tensor is float32: the nudges were made in float64."


def test_a_gradient_within_a_kink_is_no_fault_and_one_beside_it_is():
    def relu(at_zero):
        backward = (
            f"x, = ctx.saved_tensors; return grad_output * mg.where(x == 0, {at_zero}, (x > 0) * 1)"
        )
        code = written("Relu", "x", "ctx.save_for_backward(x); return x.relu()", backward)
        return checklist(made(code), mg.tensor([0.0, 2.0]))

    assert relu(0.0).failed is relu(1.0).failed is relu(0.3).failed is None
    assert relu(2.0).failed.key == "jacobian"


def test_nothing_of_the_learners_changes():
    x = mg.tensor([1.0, 3.0], requires_grad=True)
    checklist(made(FINE), x, 5)
    assert x.grad is None
    assert (x._version, x.tolist(), x.dtype) == (0, [1.0, 3.0], mg.float32)


def test_several_outputs_once_only_setup_context_and_a_mask():
    both = written("Both", "x", "ctx.save_for_backward(x); return x * 2, x * x", "pass").replace(
        "(ctx, grad_output):\n        pass",
        "(ctx, a, b):\n        x, = ctx.saved_tensors\n        return 2 * a + 2 * x * b",
    )
    assert checklist(made(both), mg.tensor([1.0, 3.0])).failed is None
    wrong = both.replace("2 * a", "3 * a")
    said = checklist(made(wrong), mg.tensor([1.0, 3.0])).failed.says
    assert said == "y0[0] by x[0]: nudging says 2, you say 3."
    once = written(*SQUARE, "x, = ctx.saved_tensors; return 2 * grad_output * x").replace(
        "    @staticmethod\n    def backward",
        "    @staticmethod\n    @mg.autograd.function.once_differentiable\n    def backward",
    )
    done = checklist(made(once), mg.tensor([1.0, 3.0]))
    assert done.failed is None
    assert done.checks[5].says == "it says itself that it works once only."
    modern = """
class Mul(mg.autograd.Function):
    @staticmethod
    def forward(a, factor):
        return a * factor
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None
Mul
"""
    done = checklist(made(modern), mg.tensor([1.0, 3.0]), 5)
    assert done.failed is None
    assert "2: a, factor." in done.text()
    masked = written(
        "Relu", "x", "ctx.mask = x > 0; return x.relu()", "return grad_output * ctx.mask"
    )
    assert checklist(made(masked), mg.tensor([-1.0, 2.0])).failed is None


@pytest.mark.parametrize("cut", ["grad_output.detach()", "grad_output.data"])
def test_a_cut_between_what_comes_in_and_what_goes_out_is_noticed(cut):
    """gradgradcheck nudges what comes in, too."""
    code = written(*TIMES, f"return {cut} * ctx.constant, None")
    done = checklist(made(code), mg.tensor([1.0, 3.0]), 5)
    assert done.failed.key == "second"
    assert done.failed.says.startswith("what comes in changes the gradient")
    x = mg.tensor([1.0, 3.0], dtype=mg.float64, requires_grad=True)
    assert not mg.autograd.gradgradcheck(made(code).apply, (x, 5), raise_exception=False)


def test_a_saved_result_is_noticed():
    saved = written("Exp", "x", "y = x.exp(); ctx.save_for_backward(y); return y",
                    "y, = ctx.saved_tensors; return grad_output * y")  # fmt: skip
    assert checklist(made(saved), mg.tensor([1.0, 2.0])).failed is None
    kept = written("Exp", "x", "ctx.y = x.exp(); return ctx.y", "return grad_output * ctx.y")
    assert checklist(made(kept), mg.tensor([1.0, 2.0])).failed.key in ("saved", "second")


@pytest.mark.parametrize("blank", ["return ...", "raise NotImplementedError"])
def test_blanks(blank):
    for parts in ((blank, "return grad_output"), ("return x * 2", blank)):
        with pytest.raises(Blank):
            checklist(made(written("F", "x", *parts)), mg.tensor(1.0))


def test_what_cannot_be_tried():
    with pytest.raises(TypeError, match=r"The class itself is wanted"):
        checklist(made(FINE).apply, mg.tensor(1.0))
    with pytest.raises(ValueError, match="a tensor of floats"):
        checklist(made(FINE), 3, 5)


# --- Exercises of the kind "class" ---------------------------------------------------------------

TABLE = {
    "name": "own-1",
    "kind": "class",
    "forward": "lambda a, constant: a * constant",
    "cases": ["mg.tensor([1., 3.]), 5", "mg.tensor([2.]), -2.0"],
    "steps": ["One.", "Two.", "Three."],
    "idea": "What comes in, times the constant.",
    "solution": {"answer": FINE, "because": "The rule of a product."},
    "mistakes": [
        {"name": "no factor", "misconception": "", "hint": "A",
         "answer": PRESETS["missing factor"][0]},
        {"name": "count", "misconception": "", "hint": "B", "any": True,
         "answer": PRESETS["wrong count"][0]},
    ],
}  # fmt: skip


@pytest.fixture
def task():
    return exercise(TABLE)


def judged(task, name, inputs, forward, backward):
    return task.judge(made(written(name, inputs, forward, backward)))


def test_the_table_keeps_what_it_says(task):
    class Lesson:
        exercises = (task,)

    assert list(faults(Lesson)) == []


def test_mistakes_are_recognized_in_other_words(task):
    other = ("Mine", "a, k", "return k * a")
    assert judged(task, *other, "return 1 * grad_output, None") == "no factor"
    assert judged(task, *other, "return grad_output, None, None") == "no factor"
    assert judged(task, *other, "return (grad_output,)") == "count"
    assert judged(task, *other, "return grad_output, None, grad_output") == "count"
    said = judged(task, *other, "return 4 * grad_output, None")
    assert said.hint == "y[0] by a[0]: nudging says 5, you say 4."
    said = judged(task, "Mine", "a, k", "return k + a", "return grad_output, None")
    assert said.hint == "Forward gives [6.0, 8.0], and the formula gives [5.0, 15.0]."


def test_an_error_of_the_learners_is_told_and_never_taken_for_a_wrong_count(task):
    said = judged(task, "Mine", "a, k", "return k * a", "return 1 / 0, None")
    assert "ZeroDivisionError: division by zero" in said.hint


def test_right_in_other_ways(task):
    kept = "ctx.k = constant; return constant * tensor"
    for backward in ("return ctx.k * grad_output, None", "return grad_output * ctx.k, None, None"):
        assert judged(task, *TIMES[:2], kept, backward) is None
    assert task.judge(made(FINE).apply) is None


def test_only_where_a_second_case_shows_it(task):
    kept = ("Mine", "a, k", "ctx.k = k; return k * a")
    said = judged(task, *kept, "return grad_output * abs(ctx.k), None")
    assert said.hint == "y[0] by a[0]: nudging says −2, you say 2."


def test_the_checklist_is_shown_below_the_hint(task, monkeypatch):
    verdict = lessons.judge(task, made(PRESETS["missing factor"][0]))
    assert verdict.words == ("A",)
    assert "Yours:\n✓ forward runs" in repr(verdict)
    assert "<td>5</td>" in verdict._repr_html_()


@pytest.mark.parametrize("odd", [3, "x", object(), len, mg.Tensor, mg.autograd.Function, [1], int])
def test_odd_answers_are_refused_with_a_sentence(task, odd):
    verdict = lessons.judge(task, odd)
    assert verdict.heading == "Look again"
    assert "made from" in verdict.words[0]


def test_a_second_order_may_be_waived():
    cases = ["mg.tensor([1., 3.]),"]
    table = {**TABLE, "forward": "lambda x: x * x", "cases": cases, "mistakes": []}
    detached = made(PRESETS["detached"][0])
    assert exercise(table).judge(detached).hint.startswith("A nudge of x[0]")
    assert exercise({**table, "second": False}).judge(detached) is None


def test_many_wrong_answers_get_true_facts():
    """Each stated number is looked up: what nudging says is the slope, what you say is yours."""
    table = {**TABLE, "forward": "lambda M, x: M @ x", "mistakes": []}
    table["cases"] = ["mg.tensor([[1., 2.], [3., 4.]]), mg.tensor([1., 3.])"]
    task = exercise(table)
    parts = [
        "mg.outer(grad_output, x)",
        "mg.outer(x, grad_output)",
        "M",
        "None",
        "x",
        "'M'",
        "2 * M",
    ]
    ends = ["M.T @ grad_output", "M @ grad_output", "grad_output", "None", "x", "3", "[x]", "M"]
    verdicts = {}
    for one in parts:
        for other in ends:
            code = written(*LINEAR, f"M, x = ctx.saved_tensors; return {one}, {other}")
            found = task.judge(made(code))
            verdicts[one, other] = found and found.hint
    assert [pair for pair, said in verdicts.items() if said is None] == [(parts[0], ends[0])]
    assert all(len(said) > 20 for said in verdicts.values() if said)
