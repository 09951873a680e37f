"""Lesson 11 as a learner meets it: run, and the error curve with a function of one's own."""

from tests.browser.boards import nothing_for_the_notebook, says
from tests.browser.harness import screenshot

LESSON = "11_your_own_operation.ipynb"


def test_an_eps_is_chosen_in_the_table(card):
    says(card, "With eps = 0.1, nudging says 12.01 and backward says 12.")
    card.locator("table [data-to]").nth(4).click()
    says(card, "No other eps in the list brings float64 closer.")
    screenshot(card.page, "lesson-11-curve")


def test_a_function_of_ones_own_is_nudged_by_python(card):
    with nothing_for_the_notebook(card.page):
        box = card.locator("[data-input=f]")
        box.fill("exp(x)")
        box.press("Enter")
        says(card, "backward says 7.389056099.")
        box.fill("exp(y)")
        box.press("Enter")
        says(card, "There is only x here")
        card.locator("table [data-to]").nth(2).click()
        for key in ("ArrowDown", "a", "b", "ArrowUp"):
            card.page.keyboard.press(key)
        says(card, "With eps = 0.001, nudging says 7.38905733")
