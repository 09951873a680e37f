"""Lesson 07 as a learner meets it: the picture of names, the debugger, and own lines in it."""

import pytest

from tests.browser.boards import card_of, press, says
from tests.browser.harness import run_all, screenshot
from tests.lessons.solutions_07 import OWN

LESSON = "07_changing_values_in_place.ipynb"


@pytest.fixture(scope="module")
def debugger(opened):
    """The debugger of the lesson, live."""
    run_all(opened)
    return card_of(opened)


def test_the_lines_are_walked_by_keyboard_to_the_message(debugger):
    says(debugger, "Line 1 makes a, at version 0.")
    debugger.focus()
    for _ in range(4):
        debugger.page.keyboard.press("ArrowRight")
    says(debugger, "MulBackward0 kept b at version 0. Line 4 made it version 1")
    debugger.locator('.phrase[data-key="D"]').click()
    says(debugger, "Line 4 made b as it is now. It is not the one that complains.")
    screenshot(debugger.page, "lesson-07-debugger")


def test_all_ways_are_compared(debugger):
    press(debugger, "compare all")
    debugger.get_by_text("no error, wrong").first.wait_for(timeout=15_000)
    screenshot(debugger.page, "lesson-07-ways")
    press(debugger, "compare all")


def test_lines_of_the_last_exercise_can_be_stepped_through_first(debugger):
    press(debugger, "your own lines")
    box = debugger.locator("textarea[data-input]")
    box.fill(OWN[1])
    press(debugger, "run these lines")
    says(debugger, "SinBackward0 kept w at version 0. Line 5 made it version 1")
    screenshot(debugger.page, "lesson-07-own")


def test_names_and_memory_are_drawn(debugger):
    pictures = debugger.page.locator('img[alt^="a means a tensor of 2 numbers in the memory"]')
    for cell in debugger.page.locator(".jp-NotebookPanel .jp-Cell").all()[:20]:
        cell.scroll_into_view_if_needed()
        if pictures.count():
            break
    assert pictures.first.bounding_box()["width"] > 400
    screenshot(debugger.page, "lesson-07-memory")
