"""Lesson 03: what its judges say of hundreds of answers is true of them, and none is let through.

An answer is put together at random from right and wrong pieces, and its truth is found by running
it here.
"""

import json
import random
import warnings
from pathlib import Path

import pytest

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.exercises import LOOK_AGAIN

EXERCISES = {exercise.name: exercise for exercise in lessons.LESSONS["03"].exercises}
MANY = 200


def said_of(name, answer):
    """What is said of an answer: "yes", the name of a foreseen mistake, or the sentence."""
    lessons.exercises.forget_attempts()
    verdict = lessons.check(name, answer)
    if verdict.is_yes:
        return "yes"
    assert verdict.heading == LOOK_AGAIN
    hints = {mistake.hint: key for key, mistake in EXERCISES[name].mistakes.items()}
    return hints.get(verdict.words[0], verdict.words[0])


def leaf(value, dtype=mg.float64):
    return mg.tensor(value, dtype=dtype, requires_grad=True)


# --- folded answers -----------------------------------------------------------------------------


def cell_of(name):
    """The source of one cell of the notebook."""
    path = Path(__file__).parents[2] / "notebooks" / "03_where_gradients_land.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["id"] == name)


def run_cell(code):
    """What the names of a cell stand for afterwards."""
    names = {"mg": mg, "predict": lessons.predict, "print": lambda *shown: None}
    with warnings.catch_warnings(action="ignore"):
        exec(code, names)
    return names


def test_a_folded_answer_says_what_its_change_gives():
    loop = cell_of("run-descent")
    assert loop.count("    v.grad = None\n") == 1
    end = run_cell(loop.replace("    v.grad = None\n", ""))["v"].item()
    assert f"v ends at {end:.4f}:" in cell_of("run-descent-text")

    made, told, passed, shown = cell_of("run-retain").splitlines()
    late = run_cell("\n".join([made, passed, told, f"kept = {shown}"]))
    assert late["kept"] is None
    assert "`square.grad` is None: the 3 has passed" in cell_of("run-retain-text")

    ratio = cell_of("notes-clearing-run")
    assert ratio.count("ones = mg.ones(2, 2)") == 1
    doubled = run_cell(ratio.replace("ones = mg.ones(2, 2)", "ones = 2 * mg.ones(2, 2)"))
    assert f"{doubled['total'].item()}, not inf." in cell_of("notes-clearing")


# --- 03-1 ---------------------------------------------------------------------------------------


def some_kept(draw):
    """A function that keeps a and b, or fails to, in one of many ways."""
    before = [name for name in "ab" if draw.random() < 0.7]
    after = [name for name in "ab" if draw.random() < 0.3]
    inputs = draw.choice([""] * 5 + ["ab", "xab", "x"])
    cut = draw.choice(["", "", "", "", "a", "b"])
    scale, turned = draw.choice([1, 1, 1, 2]), draw.random() < 0.3

    def kept(x):
        made = {"a": x + 1, "b": x + 2}
        if cut:
            made[cut] = made[cut].detach()
        for name in before:
            if name != cut:
                made[name].retain_grad()
        given = [{"x": x, **made}[name] for name in inputs if name != cut]
        (made["a"] * made["b"] * scale).backward(inputs=given or None)
        for name in after:
            if name != cut:
                made[name].retain_grad()
        pair = [made["a"], made["b"]]
        return pair[::-1] if turned else pair

    return kept


def truth_of_kept(answer):
    """What is in the three trays at x = 5, and whether a and b were told to keep theirs."""
    x = leaf(5.0, mg.float32)
    pair = sorted(answer(x), key=lambda tensor: tensor.item())
    with warnings.catch_warnings(action="ignore"):
        held = [t.grad if t.grad is None else t.grad.item() for t in (*pair, x)]
    return held, [t.retains_grad for t in pair]


def test_03_1_says_what_is_in_the_trays():
    draw, met = random.Random(1), set()
    for _ in range(MANY):
        answer = some_kept(draw)
        said = said_of("03-1", answer)
        (a, b, x), told = truth_of_kept(answer)
        assert (said == "yes") == ([a, b, x] == [7, 6, 13]), said
        if said == "after backward":
            assert any(grad is None and kept for grad, kept in zip((a, b), told, strict=True))
        if said == "not kept":
            assert (a, b) == (None, None)
            assert told == [False, False]
        if said == "one not kept":
            assert sorted([(a is None, told[0]), (b is None, told[1])])[1] == (True, False)
            assert None not in (a, b) or a != b
        if said == "nothing in x":
            assert (a, b, x) == (7, 6, None)
        if said == "no backward":
            assert (a, b, x) == (None, None, None)
        met.add(said)
    assert {"yes", "after backward", "not kept", "one not kept", "nothing in x"} <= met


def test_03_1_names_a_tray_that_was_filled_by_hand_with_the_right_numbers():
    def kept(x, late=False):
        a, b = x + 1, x + 2
        a.retain_grad()
        b.retain_grad()
        (a * b).backward()
        a.grad = (x + 2).detach()
        return a, b

    assert said_of("03-1", kept) == "by hand"
    setter = mg.Tensor.grad
    with pytest.raises(ZeroDivisionError), lessons.lesson_03._assigned():
        1 / 0  # noqa: B018
    assert mg.Tensor.grad is setter


def test_03_1_takes_both_orders_and_a_cleared_tray():
    def turned(x):
        a, b = x + 1, x + 2
        a.grad = None
        for one in (b, a):
            one.retain_grad()
        (a * b).backward()
        return b, a

    assert said_of("03-1", turned) == "yes"


# --- 03-2 ---------------------------------------------------------------------------------------


def some_loop(draw):
    """A loop in which each of w and b is stepped and cleared in some way."""
    step = {name: draw.choice(["in place"] * 4 + ["new", "none", "0.2"]) for name in "wb"}
    clear = {name: draw.choice(["zero", "None", "zero", "never", "early"]) for name in "wb"}
    velocity = draw.random() < 0.1

    def train(w, b, rounds):
        now, speed = {"w": w, "b": b}, {"w": 0.0, "b": 0.0}
        for _ in range(rounds):
            loss = (now["w"] - 5) ** 2 + (now["b"] + 1) ** 2
            loss.backward()
            for name in "wb":
                one = now[name]
                if clear[name] == "early":
                    one.grad.zero_()
                rate = {"0.2": 0.2, "none": 0.0}.get(step[name], 0.1)
                speed[name] = one.grad + speed[name] * velocity
                with mg.no_grad():
                    if step[name] == "new":
                        now[name] = one - rate * speed[name]
                    else:
                        one -= rate * speed[name]
                if clear[name] == "zero":
                    now[name].grad.zero_()
                elif clear[name] == "None":
                    now[name].grad = None
        return now["w"], now["b"]

    train.truth = (step, clear, velocity)
    return train


def walked(answer):
    """Where three rounds lead, whether the leaves came back, and whose tray was not empty."""
    w, b, full = leaf(0.25), leaf(2.5), {"w": False, "b": False}
    for name, one in (("w", w), ("b", b)):

        def heard(_gradient, name=name, one=one):
            full[name] |= one.grad is not None and one.grad.item() != 0

        one.register_hook(heard)
    try:
        pair = answer(w, b, 3)
    except Exception:
        return None
    return w.item(), b.item(), pair[0] is w, pair[1] is b, full


def test_03_2_says_what_the_loop_does():
    draw, met = random.Random(2), set()
    for _ in range(MANY):
        answer = some_loop(draw)
        said, found = said_of("03-2", answer), walked(answer)
        met.add(said)
        if found is None:
            assert (
                said == "a new w"
                or said.startswith("Your function stopped")
                or "as b is not" in said
            )
            continue
        w, b, same_w, same_b, full = found
        right = (5 - 4.75 * 0.8**3, -1 + 3.5 * 0.8**3)
        arrived = (w, b) == pytest.approx(right, rel=1e-4) and same_w and same_b
        assert (said == "yes") == arrived, (answer.truth, said)
        if said == "a new w":
            assert not same_w
        if said in ("w never cleared", "neither cleared"):
            assert full["w"], answer.truth
        if said in ("b never cleared", "neither cleared"):
            assert full["b"], answer.truth
        if said == "cleared too early":
            assert (w, b) == (0.25, 2.5)
    assert {"yes", "w never cleared", "b never cleared", "neither cleared"} <= met
    assert any(said.startswith("From ") for said in met)


def test_03_2_as_it_stands_on_the_page_is_told_of_the_new_w():
    def train(w, b, rounds):
        for _ in range(rounds):
            loss = (w - 5) ** 2 + (b + 1) ** 2
            loss.backward()
            with mg.no_grad():
                w = w - 0.1 * w.grad
                b -= 0.1 * b.grad
            w.grad.zero_  # noqa: B018
        return w, b

    assert said_of("03-2", train) == "a new w"


def test_03_2_tells_the_other_order_from_a_new_w():
    def train(w, b, rounds):
        return b, w

    assert said_of("03-2", train) == "w and b are returned in the other order: `return w, b`."


def test_03_2_counts_one_round_as_one():
    assert ", 1 round should lead to" in said_of("03-2", _one_round)


def _one_round(w, b, rounds):
    with mg.no_grad():
        w -= 1
    return w, b


def test_an_error_that_has_nothing_to_do_with_w_is_shown_as_it_is():
    said = said_of("03-2", lambda w, b, rounds: 1 / 0)
    stop = "Your function stopped: ZeroDivisionError: division by zero. Called with tensor("
    assert said.startswith(stop)


# --- 03-3 ---------------------------------------------------------------------------------------


def some_thirds(draw):
    """A way to go through the batches: with a weight, clearing or not, some left out."""
    weight = draw.choice([1 / 3, 1 / 3, 1.0, 0.5, 1 / 12, 3.0])
    clears = draw.choice(["never", "never", "never", "before each", "after each", "None"])
    used = draw.choice([slice(None)] * 4 + [slice(2), slice(1, None)])
    at_once = draw.random() < 0.2

    def in_thirds(w, batches, loss_of):
        if at_once:
            (sum(loss_of(w, batch) for batch in batches[used]) * weight).backward()
            return w.grad
        for batch in batches[used]:
            if clears == "before each":
                w.grad = None
            (loss_of(w, batch) * weight).backward()
            if clears == "after each":
                w.grad.zero_()
            if clears == "None":
                w.grad = None
        return w.grad

    in_thirds.truth = (weight, clears, used, at_once)
    return in_thirds


def test_03_3_says_what_is_in_the_tray():
    draw, met = random.Random(3), set()
    for _ in range(MANY):
        answer = some_thirds(draw)
        weight, clears, used, at_once = answer.truth
        said = said_of("03-3", answer)
        adds = at_once or clears == "never"
        right = weight == 1 / 3 and used == slice(None) and adds
        assert (said == "yes") == (right and not at_once), (answer.truth, said)
        if said == "all at once":
            assert right
            assert at_once
        if said == "three times":
            assert weight == 1.0
            assert adds
            assert used == slice(None)
        if said == "the last third":
            assert clears == "before each"
        assert (said == "taken away") == (clears == "None" and not at_once), said
        met.add(said)
    assert {"yes", "all at once", "three times", "the last third", "taken away"} <= met
    assert any(said.startswith("`w.grad` should be") for said in met)


def test_03_3_wants_the_tray_and_shows_no_addresses():
    def whole(w, batches, loss_of):
        for batch in batches:
            (loss_of(w, batch) / 3).backward()
        return w

    assert said_of("03-3", whole) == "You return w itself. Return `w.grad`, its tray."
    said = said_of("03-3", lambda w, batches, loss_of: 1 / 0)
    assert said == "With three batches, your function stopped: ZeroDivisionError: division by zero."


def test_03_3_does_not_say_of_grad_that_it_took_a_tray_away():
    def returned(w, batches, loss_of):
        return sum(mg.autograd.grad(loss_of(w, batch), w)[0] for batch in batches) / 3

    assert said_of("03-3", returned) == "taken away"
    assert "Did `grad()` return them" in EXERCISES["03-3"].mistakes["taken away"].hint


# --- 03-4 ---------------------------------------------------------------------------------------


def some_descent(draw):
    """A descent with some step, some number of rounds, and some way to clear."""
    step = draw.choice([0.05, 0.1, 0.2, 0.3, 0.5, 0.9, 0.99, 1.0, 1.1, -0.1])
    rounds = draw.choice([1, 3, 20, 60, 61, 90])
    clears = draw.random() < 0.8
    returns = draw.choice(["w"] * 5 + ["copy", "loss"])

    def minimum(w):
        for _ in range(rounds):
            loss = (w - 3) ** 2
            loss.backward()
            with mg.no_grad():
                w -= step * w.grad
            if clears:
                w.grad = None
        return {"w": w, "copy": w.clone(), "loss": loss}[returns]

    minimum.truth = (step, rounds, clears, returns)
    return minimum


def test_03_4_says_what_the_descent_does():
    draw, met = random.Random(4), set()
    for _ in range(MANY):
        answer = some_descent(draw)
        step, rounds, clears, returns = answer.truth
        said = said_of("03-4", answer)
        met.add(said)
        places = [leaf(start) for start in (0.0, 7.0)]
        for one in places:
            answer(one)
        arrived = all(abs(one.item() - 3) <= 1e-6 for one in places)
        right = arrived and rounds <= 60 and returns == "w"
        assert (said == "yes") == right, (answer.truth, said)
        if said == "never cleared":
            assert not clears
        if said == "not there yet":
            assert 0 < step < 1
        if said == "too far":
            assert step >= 1 or step < 0
        if said == "too many":
            assert rounds > 60
        if said == "a new w":
            assert returns != "w"
    foreseen = set(EXERCISES["03-4"].mistakes) - {"no backward"}
    assert {"yes", *foreseen} <= met


def test_a_step_that_is_recorded_is_answered_with_no_grad_first():
    def minimum(w, b=None, rounds=1):
        ((w - 3) ** 2).backward()
        w -= 0.3 * w.grad
        return w

    for name in ("03-2", "03-4"):
        assert said_of(name, minimum).startswith("Take each step under `no_grad()`. Without it")


def test_03_4_tells_a_loop_that_stops_of_the_new_w():
    def minimum(w):
        for _ in range(30):
            ((w - 3) ** 2).backward()
            with mg.no_grad():
                w = w - 0.3 * w.grad
        return w

    assert said_of("03-4", minimum) == "a new w"


def test_03_4_wants_a_gradient_to_find_the_way():
    assert said_of("03-4", lambda w: w) == "no backward"
    assert said_of("03-4", lambda w: w.detach().fill_(3.0).requires_grad_()) == "no backward"


# --- 03-5 ---------------------------------------------------------------------------------------


def test_03_5_asks_about_a_program_whose_trays_are_as_the_solution_says():
    x, u = leaf(2.0), leaf(4.0)
    c = mg.tensor(3.0, dtype=mg.float64)
    d = x.detach()
    p = x * c
    q = p + d
    q.retain_grad()
    q.backward()
    with pytest.warns(UserWarning, match=r"The \.grad attribute"):
        held = [t.grad is not None for t in (x, c, d, p, q, u)]
    letters = {letter for letter, there in zip("ABCDEF", held, strict=True) if there}
    assert letters == EXERCISES["03-5"].judge.__self__.right
