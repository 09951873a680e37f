"""Lesson 08 as a learner meets it: run, then the lab with a typed guess and another width."""

import pytest

from tests.browser.boards import card_of, says
from tests.browser.harness import run_all, screenshot

LESSON = "08_what_the_graph_keeps.ipynb"


@pytest.fixture(scope="module")
def memory(opened):
    """The memory lab of the lesson, live."""
    run_all(opened)
    return card_of(opened, "memory lab")


def test_a_guess_is_typed_and_judged_by_python(memory):
    memory.get_by_role("button", name="Ask me").click()
    says(memory, "Your guess first")
    memory.get_by_role("button", name="d = 16").click()
    memory.locator(".head", has_text="16 tanh in a chain").wait_for()
    assert "64,000" not in memory.inner_text()
    memory.locator("[data-input=guess]").fill("64,000")
    memory.locator("[data-input=guess]").press("Enter")
    says(memory, "You said 64,000. Right.")
    memory.get_by_role("button", name="loss.backward()").click()
    says(memory, "0 bytes are left, and 16 nodes.")
    screenshot(memory.page, "lesson-08-lab")


def test_a_setting_that_is_not_stored_is_run(memory):
    memory.get_by_role("button", name="w = 100000").click()
    says(memory, "Your guess first")
    memory.get_by_role("button", name="Ask me").click()
    says(memory, "16 × 100,000 × 4 = 6,400,000 bytes")
    memory.get_by_role("button", name="d = 64").click()
    says(memory, "64 × 100,000 × 4")
    memory.get_by_role("button", name="parts of 8").click()
    says(memory, "Each part keeps what it began with")
    memory.get_by_role("button", name="loss.backward()").click()
    says(memory, "Backward ran 64 operations again")
    screenshot(memory.page, "lesson-08-parts")


def test_no_key_of_the_lab_reaches_the_notebook(memory):
    page = memory.page
    cells = page.locator(".jp-Cell").count()
    memory.get_by_role("button", name="loss.backward()").focus()
    for key in ("a", "b", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator(".jp-Cell").count() == cells
    says(memory, "Each part keeps what it began with")
