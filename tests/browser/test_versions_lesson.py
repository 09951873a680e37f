"""Lesson 07 as a learner meets it: the picture of names, the card, and own lines in it."""

from tests.browser.boards import press, says
from tests.browser.harness import screenshot
from tests.lessons.solutions_07 import OWN

LESSON = "07_changing_values_in_place.ipynb"


def test_the_lines_are_walked_by_keyboard_to_the_message(card):
    says(card, "Line 1 makes a, at version 0.")
    card.focus()
    for _ in range(4):
        card.page.keyboard.press("ArrowRight")
    says(card, "MulBackward0 kept b at version 0. Line 4 made it version 1")
    card.locator('.phrase[data-key="D"]').click()
    says(card, "Line 4 made b as it is now. It is not the one that complains.")
    screenshot(card.page, "lesson-07-debugger")


def test_all_ways_are_compared(card):
    press(card, "compare all")
    card.get_by_text("no error, wrong").first.wait_for(timeout=15_000)
    screenshot(card.page, "lesson-07-ways")
    press(card, "compare all")


def test_lines_of_the_last_exercise_can_be_stepped_through_first(card):
    press(card, "your own lines")
    box = card.locator("textarea[data-input]")
    box.fill(OWN[1])
    press(card, "run these lines")
    says(card, "SinBackward0 kept w at version 0. Line 5 made it version 1")
    screenshot(card.page, "lesson-07-own")


def test_names_and_memory_are_drawn(card):
    pictures = card.page.locator('img[alt^="a means a tensor of 2 numbers in the memory"]')
    for cell in card.page.locator(".jp-NotebookPanel .jp-Cell").all()[:20]:
        cell.scroll_into_view_if_needed()
        if pictures.count():
            break
    assert pictures.first.bounding_box()["width"] > 400
    screenshot(card.page, "lesson-07-memory")
