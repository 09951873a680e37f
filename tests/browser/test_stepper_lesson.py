"""Lesson 02 as a learner meets it: opened, run, and stepped through by mouse and by keyboard."""

import ast
import json

import pytest

from minigrad.widgets import Stepper
from minigrad.widgets.stored import rows_of
from tests.autograd.recording import STEPS
from tests.browser.harness import ROOT, open_notebook, run_all, screenshot

# The lesson has other players too.
STEPPERS = ".minigrad-player[aria-label^='Backward stepper']"
LESSON = "02_one_node_at_a_time.ipynb"
# The order in which the lesson steps through them.
LEAVES = [STEPS.answers[name]["leaves"] for name in ("000-case1", "003-model")]


@pytest.fixture(scope="module")
def steppers():
    """What the lesson's cells make without a browser."""
    notebook = json.loads((ROOT / "notebooks" / LESSON).read_text(encoding="utf-8"))
    cells = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    scope = {"__name__": "lesson"}
    shown = [run_and_show(cell, scope) for cell in cells]
    return [thing for thing in shown if isinstance(thing, Stepper)]


def run_and_show(source, scope):
    """Run a cell and return the value of its last line, as a notebook does."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), LESSON, "exec"), scope)
    return eval(compile(ast.Expression(last.value), LESSON, "eval"), scope) if last else None


@pytest.fixture(scope="module")
def opened(page, lab):
    open_notebook(page, lab, LESSON)
    return page


def every_player(page, wanted):
    """All players. JupyterLab draws a cell when it comes into view, so each is visited."""
    cells = page.locator(".jp-NotebookPanel .jp-Cell")
    players = page.locator(STEPPERS)
    for _ in range(3):
        for cell in cells.all():
            cell.scroll_into_view_if_needed()
        if players.count() >= wanted:
            break
    return players


def test_before_anything_runs_the_stored_steppers_play(opened, steppers):
    found = every_player(opened, len(steppers))
    assert found.count() == len(steppers) == len(LEAVES)
    first = found.first
    first.scroll_into_view_if_needed()
    first.get_by_role("button", name="To end").click()
    assert first.locator(".sentence").inner_text() == steppers[0].frames[-1]["sentence"]
    screenshot(opened, "lesson-02-stored")


@pytest.fixture(scope="module")
def ran(opened, steppers):
    run_all(opened)
    assert every_player(opened, len(steppers)).count() == len(steppers)
    assert opened.locator(f"{STEPPERS}[data-playing]").count() == 0  # all of them live
    return opened


def walk(page, number, frames, step_on):
    """Step through a player from its first frame and compare each with what it should be."""
    player = page.locator(STEPPERS).nth(number)
    player.scroll_into_view_if_needed()
    asking = player.get_by_role("button", name="Ask me").first
    if asking.get_attribute("aria-pressed") == "true":
        asking.click()
    player.focus()
    page.keyboard.press("Home")
    for at, frame in enumerate(frames):
        assert player.locator(".place").inner_text() == f"step {at + 1} of {len(frames)}"
        assert player.locator(".sentence").inner_text() == frame["sentence"]
        rows = spelled(list(rows_of(frame)), frame, SPELLED[number])
        shown = player.locator(".details tr").all_inner_texts()
        assert [tuple(row.split("\t", 1)) for row in shown] == rows
        screenshot(page, f"lesson-02-stepper-{number + 1}-step-{at + 1}")
        if at < len(frames) - 1:
            step_on(player)
    return player


SPELLED = ["words", "symbols"]  # the first stepper of the lesson begins in words


def spelled(rows, frame, how):
    """The rows with the rule in the spelling that the player begins with."""
    rule = frame["rules"][how]
    return [
        (label, rule if label.startswith("local slope") and rule else text) for label, text in rows
    ]


def test_the_first_stepper_asks_before_each_step(ran):
    player = ran.locator(".minigrad-player").first
    player.scroll_into_view_if_needed()
    assert player.get_by_role("button", name="Ask me").first.get_attribute("aria-pressed") == "true"
    player.get_by_role("button", name="Next").click()
    assert player.locator(".answers button").count() > 1
    assert player.locator(".place").inner_text() == "step 1 of 4"
    player.get_by_role("button", name="Next").click()
    assert player.locator(".place").inner_text() == "step 2 of 4"
    player.get_by_role("button", name="To start").first.click()


def test_an_open_question_is_not_answered_by_what_stands_beside_it(ran):
    player = ran.locator(".minigrad-player").first
    after, came = player.locator("[data-section='1'] tbody"), player.locator("svg .came")
    for _step in range(4):  # two for each step: the question, and then the step
        player.get_by_role("button", name="Next").click()
    assert player.locator(".place").inner_text() == "step 3 of 4"
    assert "3 + 4 = ?" in came.all_text_contents()  # the sum is what the next question asks
    assert "parts, 3 + 4 = ?, and is ready" in player.locator(".sentence").inner_text()
    assert after.is_hidden()
    player.get_by_role("button", name="Next").click()
    assert "What will x.grad be?" in player.locator(".sentence").inner_text()
    assert after.is_hidden()
    assert "3 + 4 = ?" in came.all_text_contents()
    screenshot(ran, "stepper-open-question")
    player.locator(".answers input").fill("7")
    player.locator(".answers button").click()
    assert after.is_visible()
    assert "3 + 4 = 7" in came.all_text_contents()
    player.get_by_role("button", name="Back").first.click()
    ask = player.get_by_role("button", name="Ask me").first
    player.get_by_role("button", name="Next").click()  # to the step before the sum is asked for
    player.get_by_role("button", name="Next").click()
    assert "3 + 4 = ?" in player.locator(".sentence").inner_text()
    text = player.get_by_role("button", name="As text").first
    text.click()
    assert "3 + 4 = ?]" in player.locator(".listing pre").inner_text()
    text.click()
    ask.click()  # without questions all is told
    assert "3 + 4 = 7" in player.locator(".sentence").inner_text()
    assert "3 + 4 = 7" in came.all_text_contents()
    ask.click()
    player.get_by_role("button", name="To start").first.click()


def by_mouse(player):
    player.get_by_role("button", name="Next").click()


def by_key(player):
    player.focus()
    player.page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("step_on", [by_mouse, by_key])
@pytest.mark.parametrize("number", range(len(LEAVES)))
def test_every_step_and_the_golden_numbers(ran, steppers, number, step_on):
    player = walk(ran, number, steppers[number].frames, step_on)
    picture = player.locator(".figure svg").text_content()
    outcome = player.locator(".details").inner_text()
    for leaf, gradient in LEAVES[number].items():
        first = gradient[0] if isinstance(gradient, list) else gradient
        assert f"{leaf} " in outcome
        assert f"{first:g}" in outcome
        assert f"{first:g}" in picture
