"""Lesson 11 as a learner meets it: run, and the error curve with a function of one's own."""

import pytest

from tests.browser.boards import card_of, says
from tests.browser.harness import run_all, screenshot

LESSON = "11_your_own_operation.ipynb"


@pytest.fixture(scope="module")
def curve(opened):
    """The error curve of the lesson, live."""
    run_all(opened)
    return card_of(opened)


def test_an_eps_is_chosen_in_the_table(curve):
    says(curve, "With eps = 0.1, nudging says 12.01 and backward says 12.")
    curve.locator("table [data-to]").nth(4).click()
    says(curve, "No other eps in the list brings float64 closer.")
    screenshot(curve.page, "lesson-11-curve")


def test_a_function_of_ones_own_is_nudged_by_python(curve):
    cells = curve.page.locator(".jp-Cell").count()
    box = curve.locator("[data-input=f]")
    box.fill("exp(x)")
    box.press("Enter")
    says(curve, "backward says 7.38906.")
    box.fill("exp(y)")
    box.press("Enter")
    says(curve, "There is only x here")
    curve.locator("table [data-to]").nth(2).click()
    for key in ("ArrowDown", "a", "b", "ArrowUp"):
        curve.page.keyboard.press(key)
    says(curve, "With eps = 0.001, nudging says 7.38905733")
    assert curve.page.locator(".jp-Cell").count() == cells
