"""The dashboard says what its runs say; every screen of it, without a browser."""

import base64
import re

import pytest

import minigrad as mg
from minigrad.lessons import training
from minigrad.lessons import training_runs as runs
from minigrad.lessons.charts import Chart, Curve, digit_image
from minigrad.lessons.dashboard import STEPS, SWITCHES, dashboard, screen
from minigrad.lessons.digits import TRAINED_ON, digits, table
from minigrad.lessons.moons import two_moons

SCREENS = [(fault, turn) for fault in SWITCHES for turn in STEPS]


def run_of(fault):
    return runs.trained(runs.Setting(fault))


def plain_loop(fault):
    """The same training as a learner would write it, apart from `training_runs`."""
    images, kinds, new_images, new_kinds = map(mg.from_numpy, digits())
    mg.manual_seed(0)
    one, two = mg.nn.Linear(64, 32), mg.nn.Linear(32, 10)
    numbers = [*one.parameters(), *two.parameters()]
    optimizer = mg.optim.Adam(numbers, lr=2.0 if fault == runs.RATE else 0.02)
    for turn in range(11):
        inside = mg.tanh(one(images))
        scores = two(inside.detach() if fault == runs.DETACH else inside)
        loss = mg.nn.functional.cross_entropy(
            scores.round() if fault == runs.ROUND else scores, kinds
        )
        if fault != runs.ZERO:
            optimizer.zero_grad()
        loss.backward()
        if turn == 10:
            with mg.no_grad():
                right = (two(mg.tanh(one(new_images))).argmax(1) == new_kinds).sum().item()
            grad = one.weight.grad
            return loss.item(), None if grad is None else grad.norm().item(), right
        optimizer.step()


@pytest.mark.parametrize("fault", SWITCHES)
def test_a_run_has_the_numbers_of_the_loop_that_the_lesson_shows(fault):
    loss, norm, right = plain_loop(fault)
    run = run_of(fault)
    assert run.losses[10] == pytest.approx(loss, rel=1e-4)
    assert run.moments[2].turn == 10
    assert run.moments[2].right == right
    first = run.norms[0][10]
    assert first is None if norm is None else first == pytest.approx(norm, rel=1e-4, abs=1e-7)


def test_each_fault_shows_in_its_own_way():
    whole, zero, rate, detach, rounded = map(run_of, SWITCHES)
    assert whole.moments[-1].right >= 450
    assert whole.losses[-1] < 0.1
    assert min(zero.losses) * 1.25 < zero.losses[-1]
    assert zero.norms[0][-1] > 5 * zero.norms[0][0]
    assert max(rate.losses[:10]) > 5 * rate.losses[0]
    assert set(detach.norms[0]) == {None}
    assert all(detach.norms[1])
    assert 400 < detach.moments[-1].right < whole.moments[-1].right
    assert set(rounded.losses) == {rounded.losses[0]}
    assert {*rounded.norms[0], *rounded.norms[1]} == {0.0}
    second = sorted(run.moments[-1].right for run in (whole, zero, rate, detach, rounded))[-2]
    assert second == detach.moments[-1].right


def test_looking_leaves_the_random_numbers_of_the_reader_alone():
    mg.manual_seed(3)
    expected = mg.rand(2).tolist()
    mg.manual_seed(3)
    runs.trained.__wrapped__(runs.Setting(seed=9))
    assert mg.rand(2).tolist() == expected


@pytest.mark.parametrize(("fault", "turn"), SCREENS)
def test_what_a_screen_says_is_true_of_its_run(fault, turn):
    shown = screen({"broken": fault, "turn": turn})
    run, said = run_of(fault), shown.sentence
    losses = run.losses[: turn + 1]
    assert said.startswith(f"Turn {turn}:")
    assert f"{run.moments[turn // 5].right} of 500" in shown.place
    true = {
        "is falling": losses[-1] < 0.99 * losses[max(turn - 5, 0)],
        "hardly falls": losses[-1] >= 0.99 * losses[max(turn - 5, 0)],
        "not moved at all": len(set(losses)) == 1,
        "leapt": max(losses) > 5 * losses[0],
        "rose again": losses[-1] > min(losses) < losses[0],
        "is None": run.norms[0][turn] is None,
        "a gradient of 0": run.norms[0][turn] == run.norms[1][turn] == 0,
        "have grown": all(norms[turn] > 5 * norms[0] for norms in run.norms if norms[0]),
        "Both layers get a gradient.": all(norms[turn] for norms in run.norms),
    }
    told = [words for words in true if words in said]
    assert len(told) == (2 if turn else 0)
    assert all(true[words] for words in told), said


def test_the_gallery_shows_digits_that_are_wrong_and_what_was_said_of_them():
    for number, kind, says in run_of(runs.NOTHING).moments[-1].wrong:
        assert table()[TRAINED_ON + number, 64] == kind != says


def test_buttons_lead_through_the_turns_and_end_where_the_run_ends():
    board = dashboard()
    with pytest.raises(ValueError, match="This is the first turn"):
        board.press("◀")
    board.press("▶").press("▶")
    assert board.state == {"broken": "nothing", "turn": 10}
    board.press("lr × 100")
    assert board.state == {"broken": "lr", "turn": 10}
    board.press("▶▶")
    with pytest.raises(ValueError, match="This is the last turn"):
        board.press("▶")
    (playing,) = (one for one in board.screen.buttons if one.plays)
    assert playing.says == "▶"
    board.press("◀◀")
    assert board.state["turn"] == 0


@pytest.mark.parametrize(
    "state",
    [{"broken": "all", "turn": 0}, {"broken": "lr", "turn": 3},
     {"broken": "lr", "turn": 0, "data": "cats"}],
)  # fmt: skip
def test_a_run_or_turn_that_there_is_not_is_refused(state):
    with pytest.raises(ValueError, match="no such"):
        screen(state)


@pytest.mark.parametrize("fault", SWITCHES)
def test_the_moons_are_those_of_a_plain_loop_and_their_boundary_is_drawn(fault):
    points, signs = training.moons()
    kinds = (signs[:, 0] > 0).long()
    mg.manual_seed(0)
    one, two = mg.nn.Linear(2, 16), mg.nn.Linear(16, 2)
    optimizer = mg.optim.Adam(
        [*one.parameters(), *two.parameters()], lr=10.0 if fault == runs.RATE else 0.1
    )
    for turn in range(11):
        inside = mg.tanh(one(points))
        scores = two(inside.detach() if fault == runs.DETACH else inside)
        loss = mg.nn.functional.cross_entropy(
            scores.round() if fault == runs.ROUND else scores, kinds
        )
        if turn == 10:
            break
        if fault != runs.ZERO:
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    right = (two(mg.tanh(one(points))).argmax(1) == kinds).sum().item()
    shown = screen({"broken": fault, "turn": 10, "data": "moons"})
    assert runs.trained(runs.of_moons(fault)).losses[10] == pytest.approx(loss.item(), rel=1e-3)
    assert f"{right} of 400 points right" in shown.place
    (border,) = (part for part in shown.parts if part.key == "border")
    assert f"Turn 10: {right} of 400 right." in border.html
    assert [part.key for part in shown.parts] == ["loss", "norms", "border", "turns"]


def test_a_page_without_scripts_speaks_of_no_buttons_and_says_nothing_twice():
    shown = screen({"broken": runs.NOTHING, "turn": 0})
    assert "Press" not in shown.sentence
    assert re.fullmatch(r"[\d.]+ at turn 0", shown.parts[0].text)


def test_three_charts_fit_beside_each_other_in_a_window_of_1280_pixels():
    column = 261  # what JupyterLab leaves for each, beside its list of files
    shown = screen({"broken": runs.NOTHING, "turn": 10, "data": "moons"})
    charts = [part.html for part in shown.parts if part.key in ("loss", "norms")]
    least = [int(px) for html in charts for px in re.findall(r"min-width:(\d+)px", html)]
    assert len(least) == 2
    assert max(least) <= column


def test_moments_of_a_film_are_images_that_wrap():
    film = training.Boundary(*two_moons(10))
    assert film._repr_html_().count("<img") == 1
    for turn in range(4):
        film.take(turn, lambda at: at[:, 1:])
    html = film._repr_html_()
    assert "flex-wrap:wrap" in html
    alts = re.findall(r'alt="([^"]+)"', html)
    assert [alt.split(". ")[1].partition(":")[0] for alt in alts] == [
        f"Turn {turn}" for turn in (0, 1, 3)
    ]


@pytest.mark.parametrize("fault", SWITCHES)
@pytest.mark.parametrize("turn", [5, 20, 60])
def test_what_is_said_of_the_moons_is_true_of_their_run(fault, turn):
    run = runs.trained(runs.of_moons(fault))
    said = screen({"broken": fault, "turn": turn, "data": "moons"}).sentence
    losses = run.losses[: turn + 1]
    assert ("leapt" in said) <= (max(losses) > 5 * losses[0])
    assert ("is falling" in said) <= (losses[-1] < 0.99 * losses[turn - 5])
    assert ("is None" in said) == (run.norms[0][turn] is None)
    assert ("not moved" in said) == (len(set(losses)) == 1)


def test_data_and_faults_are_chosen_apart():
    board = dashboard().press("detach() in the middle").press("two moons").press("▶")
    assert board.state == {"broken": "detach", "turn": 5, "data": "moons"}
    assert board.press("digits").state == {"broken": "detach", "turn": 5}


def test_all_screens_are_stored():
    data = dashboard()._data(dashboard()._start)
    assert len(data["screens"]) == len(SCREENS)
    assert len(dashboard()._html()) < 60_000


# --- the pictures beside it -------------------------------------------------------------------


def test_curves_are_told_by_their_first_turns():
    curves = training.curves()
    for name, setting in training.UNNAMED.items():
        losses = runs.trained(setting).losses
        assert curves.like(losses[:20]) == f"curve {name}"
        assert curves.like([1.1 * loss for loss in losses]) == "none of the five curves"
        assert curves.like(losses[:3]) == "none of the five curves"
    assert curves.like(run_of(runs.NOTHING).losses) == "none of the five curves"


def test_what_the_predictions_say_of_the_fifth_curve_is_so():
    five = {name: runs.trained(setting) for name, setting in training.UNNAMED.items()}
    whole = run_of(runs.NOTHING)
    assert [name for name, run in five.items() if run.setting.fault == runs.NOTHING] == ["E"]
    e, d = five["E"].losses, five["D"].losses
    assert e[-1] == min(e)
    assert abs(e[-1] - whole.losses[-1]) < 0.01
    assert d[-1] > 3 * e[-1]


def test_pictures_of_runs_do_not_name_the_faults():
    for panels in (training.curves(), training.runs()):
        told = panels.alt.lower() + repr(panels).lower()
        assert not [word for word in ("zero_grad", "detach", "round", "rate", "lr") if word in told]


def test_each_chart_is_an_image_of_its_own_so_that_it_stays_legible_on_a_narrow_page():
    for panels, count in ((training.curves(), 5), (training.runs(), 10)):
        html = panels._repr_html_()
        assert f'aria-label="{panels.alt}"' in html
        drawn = [base64.b64decode(found).decode() for found in re.findall(r"base64,([^\"]+)", html)]
        assert len(drawn) == count
        assert all('viewBox="0 0 380 176"' in svg for svg in drawn)
        headings = [re.search(r'font-size="13">(.*?)<', svg)[1] for svg in drawn]
        assert headings == re.findall(r'alt="(.*?)"', html)
        assert len(set(headings)) == count


def test_what_is_too_small_for_a_chart_lies_on_its_floor():
    chart = Chart((Curve("a", [10.0, 0.0, None]),), 2, -2, 1, "a curve that falls to nothing")
    drawn = chart.svg()
    assert 'points="44 12 298 166"' in drawn
    assert chart.alt in drawn


def test_a_curve_of_one_turn_is_seen():
    curves = Curve("first layer", [1.0]), Curve("second layer", [0.1], "other")
    assert Chart(curves, 60, -3, 2, "").svg().count("<circle") == 2


def test_a_digit_is_the_same_bytes_everywhere():
    image = digit_image(table()[0, :64], "a 0")
    assert image == digit_image(table()[0, :64], "a 0")
    assert 'alt="a 0"' in image
    assert image.startswith('<img src="data:image/png;base64,iVBORw0KGgo')


def test_grads_are_written_by_hand():
    class Value:
        def __init__(self, grad):
            self.grad = grad

    x, y = Value(mg.tensor([2.0, 0.4])), Value(None)
    assert repr(training.grads(x=x, y=y)) == "x.grad = [2, 0.4]; y.grad = None"


def test_the_numbers_of_an_axis_can_be_read_beside_a_list_of_files():
    """There two charts of a row have 392 pixels each; a chart that gets less scrolls."""
    drawn = "".join(part.html for part in screen({"broken": runs.NOTHING, "turn": 0}).parts)
    charts = re.findall(r'viewBox="0 0 (\d+) \d+".*?min-width:(\d+)px.*?font-size="(\d+)"', drawn)
    assert len(charts) == 2
    for width, least, letters in charts:
        assert int(least) <= 392
        assert int(letters) * int(least) / int(width) > 11.9
        first = re.search(r'<text x="([\d.]+)"[^>]*>0\.001<', drawn)[1]
        assert float(first) >= 2.5 * int(letters)
        last = re.search(r'<text x="([\d.]+)"[^>]*>60<', drawn)[1]
        assert float(last) + 0.64 * int(letters) <= int(width)
