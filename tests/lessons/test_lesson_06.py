"""Lesson 06: what its judges say of hundreds of answers is true of them, and none is let through.

An answer is put together at random from right and wrong pieces, and its truth is found by running
it here.
"""

import json
import random
import re
from pathlib import Path

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons import lesson_06
from minigrad.lessons.exercises import LOOK_AGAIN, forget_attempts

EXERCISES = {exercise.name: exercise for exercise in lessons.LESSONS["06"].exercises}


def said_of(name, answer):
    """What is said of an answer: "yes", the name of a foreseen mistake, or the sentence."""
    forget_attempts()
    verdict = lessons.check(name, answer)
    if verdict.is_yes:
        return "yes"
    assert verdict.heading == LOOK_AGAIN
    hints = {mistake.hint: key for key, mistake in EXERCISES[name].mistakes.items()}
    return hints.get(verdict.words[0], verdict.words[0])


# --- folded answers -------------------------------------------------------------------------------


def cell_of(name):
    """The source of one cell of the notebook."""
    path = Path(__file__).parents[2] / "notebooks" / "06_cutting_the_graph.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["id"] == name)


def changed(name, old, new):
    """What a cell prints and ends with after a change."""
    source = cell_of(name)
    assert source.count(old) == 1
    printed = []
    names = {"mg": mg, "print": lambda *shown: printed.append(" ".join(map(str, shown)))}
    try:
        exec(source.replace(old, new), names)
    except RuntimeError as error:
        printed.append(str(error))
    return printed


def test_without_clearing_the_tray_holds_the_sum_of_both_passes():
    first, second = changed("run-constant", "x.grad.zero_()\n", "")
    assert first == "tensor([True, True, True, True])"
    assert second == "tensor([ True, False, False, False])"
    told = "In the second line the last three are False: the tray holds u + 2x"
    assert told in cell_of("run-constant-text")
    x = mg.arange(4.0)
    assert (x * x + 2 * x).tolist() == [0.0, 3.0, 8.0, 15.0]


def test_exp_keeps_its_result_and_bears_a_hidden_write():
    printed = changed("notes-data-run", "y = w ** 2\n", "y = w.exp()\n")
    assert printed[-1] == "tensor([20.0855])"
    assert "20.0855, which is right: exp keeps its result." in cell_of("notes-data")


def test_the_setting_that_is_folded_away_is_one():
    board = lessons.trays("nothing cut")
    board.state = "two models | a.detach(), b.requires_grad_(), w.requires_grad_(False) | "
    assert board.press("loss.backward()").grads == {
        "u": None,
        "w": None,
        "a": None,
        "b": 10.0,
        "y": None,
    }
    assert "`detach()`, `b.requires_grad_()`, and w frozen." in cell_of("part-step")


# --- the six sentences ----------------------------------------------------------------------------


def test_the_sentences_that_are_true_are_those_that_hold():
    w = mg.tensor(5.0, requires_grad=True)
    detached = w.detach()
    (w * w).backward()
    mg.optim.SGD([w], lr=0.1).step()
    holds = {"A": w.item() == 5.0}
    holds["B"] = detached.requires_grad_().requires_grad
    holds["C"] = not mg.nn.Linear(1, 1).eval()(mg.ones(1)).requires_grad
    with mg.no_grad():
        holds["D"] = w.requires_grad
    u, frozen = mg.tensor(3.0, requires_grad=True), mg.tensor(2.0)
    (u * frozen).backward()
    holds["E"] = u.grad is None
    x = mg.tensor(1.0, requires_grad=True)
    y = x * x
    x.data *= 100
    try:
        y.backward()
        holds["F"] = False
    except RuntimeError:
        holds["F"] = True
    ticks = EXERCISES["06-4"].judge.__self__
    assert {letter for letter, true in holds.items() if true} == ticks.right
    assert set(holds) == set(ticks.options)


# --- 06-1: steps that are put together at random --------------------------------------------------

EMPTIED = "{other}.weight.grad is not None and {other}.weight.grad.zero_()"
PIECES = {
    "before": ["", "A.requires_grad_(False)", "B.requires_grad_(False)"],
    "a": ["A(x)", "A(x).detach()", "A(x.detach())"],
    "out": ["B(a)", "B(a)", "B(a).detach()"],
    "after": ["", "{other}.requires_grad_(True)", "{other}.zero_grad()", EMPTIED],
    "rate": ["0.01", "0.01", "0.01", "0.02", "0.0", "-0.01"],
    "who": ["{one}", "{one}", "{one}", "{other}"],
    "back": ["loss.backward()"] * 3 + ["loss.backward(inputs=[{one}.weight])", "pass"],
}  # fmt: skip


def step_of(draw, one, other):
    """A function that takes a step, and its source."""
    chosen = {
        key: draw.choice(pieces).format(one=one, other=other) for key, pieces in PIECES.items()
    }
    source = f"""
def step(A, B, x, goal):
    {chosen["before"] or "pass"}
    a = {chosen["a"]}
    loss = (({chosen["out"]} - goal) ** 2).mean()
    {chosen["back"]}
    with mg.no_grad():
        for p in {chosen["who"]}.parameters():
            p -= {chosen["rate"]} * p.grad
    {chosen["after"] or "pass"}
    return loss
"""
    names = {"mg": mg}
    exec(source, names)
    return names["step"], source


def outcome(step, one, other):
    """What a step really does to both models."""
    A, B = lesson_06._model(0.5), lesson_06._model(3.0)
    models = {"A": A, "B": B}
    came = []
    models[other].weight.register_hook(lambda gradient: came.append(1))
    before = {name: model.weight.item() for name, model in models.items()}
    error = ""
    try:
        step(A, B, mg.tensor([[2.0], [1.5]]), 4.0)
    except Exception as raised:
        error = str(raised)
    after = {name: model.weight.item() for name, model in models.items()}
    moved = {name: after[name] - before[name] for name in models}
    return models, moved, bool(came), error


#: How far a step of 0.01 moves the weight, by hand: u = 0.5, w = 3, x = 2 and 1.5, goal 4.
RIGHT = {
    "B": -0.01 * sum(2 * (3 * 0.5 * x - 4) * 0.5 * x for x in (2, 1.5)) / 2,
    "A": -0.01 * sum(2 * (3 * 0.5 * x - 4) * 3 * x for x in (2, 1.5)) / 2,
}


@pytest.mark.parametrize(("name", "one", "other"), [("06-1a", "B", "A"), ("06-1b", "A", "B")])
def test_what_is_said_of_a_step_is_true_of_it(name, one, other):
    draw, heard = random.Random(6), set()
    for _ in range(400):
        step, source = step_of(draw, one, other)
        models, moved, came, error = outcome(step, one, other)
        tray = models[other].weight.grad
        right = (
            not error
            and not came
            and tray is None
            and moved[other] == 0
            and models[other].weight.requires_grad
            and models[one].weight.requires_grad
            and moved[one] == pytest.approx(RIGHT[one], rel=1e-3)
        )
        said = said_of(name, step)
        assert (said == "yes") == right, (source, said)
        claims = {
            "gets a gradient": tray is not None and tray.item() != 0,
            "gets zeros": tray is not None and tray.item() == 0,
            "thrown away": came and tray is None and moved[other] == 0,
            "stays frozen": not models[other].weight.requires_grad and not came,
            "all cut": "does not require grad and does not have a grad_fn" in error,
            "nothing comes": "NoneType" in error and models[one].weight.grad is None,
            "stands still": not error and moved == {"A": 0, "B": 0} and not came,
        }
        assert claims.get(said, True), (source, said)
        if found := re.match(r"The weight of (.) should go from .* goes to (\S+)\.$", said):
            assert found[1] == one
            assert float(found[2]) == pytest.approx(models[one].weight.item(), abs=1e-3)
        if found := re.match(r"The weight of (.) was .* it is (\S+)\.$", said):
            assert found[1] == other
            assert float(found[2]) == pytest.approx(models[other].weight.item(), abs=1e-3)
            assert moved[other]
        heard.add(re.sub(r"[\d.]+", "#", said))
    assert len(heard) >= 7, heard


def test_the_mended_step_can_be_taken_again():
    source = cell_of("try-half").partition("check(")[0]
    assert source.count("a = A(x)\n") == 1
    names = {"mg": mg}
    exec(source.replace("a = A(x)", "a = A(x).detach()"), names)
    A, B = lesson_06._model(0.5), lesson_06._model(3.0)
    w = 3.0
    for _ in range(3):
        names["train_b"](A, B, mg.tensor([[2.0], [1.5]]), 4.0)
        w -= 0.01 * lesson_06._slope(0.5, w, "B")
        assert B.weight.item() == pytest.approx(w, rel=1e-5)


# --- 06-2: three products -------------------------------------------------------------------------

FACTORS = ["x", "x", "x.detach()", "x.item()"]


def product(draw):
    """A result, its source, how often x is recorded in it, and whether it has the value x³."""
    number = draw.choice([3, 3, 3, 3, 2])
    factors = [draw.choice(FACTORS) for _ in range(number)]
    source = " * ".join(factors)
    return source, factors.count("x"), number == 3


def test_what_is_said_of_three_products_is_true_of_the_first_wrong_one():
    draw, heard = random.Random(7), set()
    for _ in range(400):
        three = [product(draw) for _ in range(3)]
        if draw.random() < 0.7:
            three[0] = ("x * x.detach() * x.detach()", 1, True)
        if draw.random() < 0.4:
            three[1] = ("x * x.detach() * x", 2, True)
        source = f"lambda x: ({', '.join(one for one, *_ in three)})"
        said = said_of("06-2", eval(source, {"mg": mg}))
        heard.add(re.sub(r"[\d.]+", "#", said))
        wrong = [i for i, (_s, roads, cube) in enumerate(three) if (roads, cube) != (i + 1, True)]
        assert (said == "yes") == (not wrong), (source, said)
        if not wrong or any("x" not in s.replace("x.item()", "").replace("detach", "")
                            for s, *_ in three):  # fmt: skip
            continue
        place = lesson_06.ORDER[wrong[0]]
        assert place in said.replace("The first is right. The second", "second"), (source, said)
        roads = three[wrong[0]][1]
        claims = {"nothing cut": 3, "one cut": 2, "two cut": 1, "no road": 0}
        if ": " in said and said.partition(": ")[2] in claims:
            assert claims[said.partition(": ")[2]] == roads, (source, said)
        if found := re.search(r"gradient of the (\w+) should be (\S+), and yours is (\S+)\.", said):
            x = float(re.search(r"At x = (\S+) ", said)[1])
            assert float(found[2]) == pytest.approx((wrong[0] + 1) * x * x, rel=1e-2)
            assert float(found[3]) == pytest.approx(roads * x * x, rel=1e-2)
    assert len(heard) >= 8, heard


# --- 06-3: evaluations ----------------------------------------------------------------------------

ERRORS = ["error", "error.item()", "error.detach()", "error.data", "error.clone()", "float(error)"]
ENDS = ["total", "total", "total * 1", "mg.tensor(float(total))", "float(total)"]
AROUND = ["if True:", "with mg.no_grad():", "with mg.inference_mode():", "with mg.enable_grad():"]


@pytest.mark.filterwarnings("ignore:Converting a tensor")
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("evaluated", [True, False])
def test_what_is_said_of_an_evaluation_is_true_of_it(around, error, end, evaluated):
    source = f"""
def mean_error(model, inputs, goals):
    {"model.eval()" if evaluated else "pass"}
    total = 0.
    {around}
        for x, goal in zip(inputs, goals):
            error = ((model(x) - goal) ** 2).mean()
            total = total + {error}
    return {end} / len(inputs)
"""
    names = {"mg": mg}
    exec(source, names)
    recorded = around in (AROUND[0], AROUND[3])
    gathers = recorded and error in ("error", "error.clone()")
    in_the_end = gathers and "float" not in end
    wanted = "yes"
    if in_the_end:
        wanted = "eval" if evaluated else "kept"
    elif gathers:
        wanted = "cut at the end"
    assert said_of("06-3", names["mean_error"]) == wanted


def test_recording_is_as_it_was_after_every_judgement():
    for mistake in EXERCISES["06-3"].mistakes.values():
        lessons.check("06-3", mistake.wrong(mg))
        assert mg.is_grad_enabled()


def test_what_is_kept_elsewhere_is_told_with_its_bytes():
    elsewhere = []

    def mean_error(model, inputs, goals):
        for x, goal in zip(inputs, goals, strict=True):
            elsewhere.append(((model(x) - goal) ** 2).mean())
        return sum(error.item() for error in elsewhere) / len(inputs)

    said = said_of("06-3", mean_error)
    assert re.fullmatch(
        r"The number is .* But \d+ bytes of graphs are still kept elsewhere\.", said
    )
    assert said_of("06-3", lambda model, inputs, goals: 7.0).endswith("and yours is 7.")


def in_eval_mode(model):
    model.eval()
    yield
    model.train()


def frozen(model):
    model.requires_grad_(False)
    yield
    model.requires_grad_(True)


def with_empty_trays(model):
    model.zero_grad()
    yield
    assert next(model.parameters()).grad is None


@pytest.mark.parametrize("around", [in_eval_mode, frozen, with_empty_trays])
def test_the_model_of_an_evaluation_has_what_modules_have(around):
    def mean_error(model, inputs, goals):
        total = 0.0
        for _ in around(model):
            for x, goal in zip(inputs, goals, strict=True):
                total += ((model(x) - goal) ** 2).mean().item()
        return total / len(inputs)

    assert said_of("06-3", mean_error) == "yes"


def test_a_function_that_stops_is_told_in_two_lines():
    said = said_of("06-3", lambda model, inputs, goals: model.wait())
    assert "'Model' object has no attribute 'wait'" in said
    assert said.endswith("Called with Model(), a list of 8 entries, a list of 8 entries.")
    assert len(said) < 200


def test_the_next_error_may_still_find_the_last_graph_and_no_older_one():
    def mean_error(model, inputs, goals, back=1):
        errors, total = [], 0.0
        for x, goal in zip(inputs, goals, strict=True):
            errors = [*errors, ((model(x) - goal) ** 2).mean()][-back:]
            total += errors[-1].item()
        return total / len(inputs)

    assert said_of("06-3", mean_error) == "yes"
    two = lambda *given: mean_error(*given, back=2)  # noqa: E731
    assert said_of("06-3", two) == "cut at the end"


def test_what_the_page_counts_is_what_hangs_behind_the_sum():
    source = cell_of("run-memory").replace('predict("06-4").outcome', "print")
    printed = []
    exec(source, {"mg": mg, "print": lambda *shown: printed.append(shown)})
    assert printed == [(6, 0), (12, 0), (18, 0), (0, "float"), (True,)]


# --- 06-5: values and gradients -------------------------------------------------------------------

VALUES = ["x.round()", "x", "x.floor()", "-x.round()", "x.round() * 2", "x.sign()"]
SLOPES = ["x", "x.round()", "x.tanh()", "-x", "2 * x", "x.detach()"]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("slope", SLOPES)
def test_what_is_said_of_a_value_and_a_gradient_chosen_apart_is_true(value, slope):
    answer = eval(f"lambda x: ({slope}) + ({value} - ({slope})).detach()", {"mg": mg})
    said = said_of("06-5", answer)
    right_value, right_slope = value == "x.round()", slope == "x"
    assert (said == "yes") == (right_value and right_slope), said
    claims = {
        "flat": right_value and slope == "x.round()",
        "turned": right_value and slope == "-x",
        "no road": slope == "x.detach()" and right_value,
        "not rounded": value == "x" and right_slope,
    }
    if said in claims:
        assert claims[said], said
    if found := re.match(r"The gradient at x\[0\].* should be 1, and yours is (\S+)\.$", said):
        x = mg.tensor(-1.2, requires_grad=True, dtype=mg.float64)
        (came,) = mg.autograd.grad(answer(x), x)
        assert float(found[1]) == pytest.approx(came.item(), rel=1e-3)
    if found := re.match(
        r"Every gradient is 1. But x\[(\d)\] should become (\S+), and yours is (\S+)\.$", said
    ):
        at = [-1.2, 0.4, 2.6][int(found[1])]
        assert float(found[2]) == mg.tensor(at).round().item()
        assert float(found[3]) == pytest.approx(answer(mg.tensor(at)).item(), rel=1e-3)
        assert right_slope


# --- what else may be handed in ------------------------------------------------------------------


def walked(x):
    y = x.round() + x
    y.sum().backward()
    return y


def overwritten(x):
    x.data = x.data.round()
    return x


def stepped_by_a_new_weight(A, B, x, goal):
    loss = ((B(A(x).detach()) - goal) ** 2).mean()
    loss.backward()
    B.weight = mg.nn.Parameter(B.weight.detach() - 0.01 * B.weight.grad)


def evaluated_by_backward(model, inputs, goals):
    total = 0.0
    for x, goal in zip(inputs, goals, strict=True):
        error = ((model(x) - goal) ** 2).mean()
        error.backward()
        total += error.item()
    return total / len(inputs)


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("06-2", lambda x: [(y := x**3, y.backward())[0]] * 3, "Going back from your result stop"),
        ("06-2", lambda x: (x, x), "Return three results"),
        ("06-2", lambda x: (1.0, 2.0, 3.0), "Return three tensors"),
        ("06-5", lambda x: x.sum(), "Return a tensor of the shape of x."),
        ("06-5", lambda x: (y := x * x, y.sum().backward())[0], "Going back from your result st"),
        ("06-5", lambda x: mg.ones(6), "From your result no road leads back to x."),
        ("06-5", overwritten, "Your function wrote into x itself, and x belongs to the caller."),
        ("06-1a", stepped_by_a_new_weight, "The weight of B is another tensor now."),
        ("06-1a", lambda A, B, x, goal: A(x).requires_grad_(False), "Your function stopped: Run"),
        ("06-3", evaluated_by_backward, "After your function there is a gradient in the tray"),
    ],
)
def test_what_nobody_foresaw_is_told_as_a_fact_and_never_raises(name, answer, said):
    assert said_of(name, answer).startswith(said)


def test_a_graph_that_keeps_nothing_may_be_walked_in_the_function():
    assert said_of("06-5", walked).startswith("Every gradient is 1. But x[0] should become -1")
