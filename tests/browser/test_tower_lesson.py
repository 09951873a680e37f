"""Lesson 09 as a learner meets it: the tower stored, then card, by mouse and by keyboard."""

import pytest

from tests.browser.boards import card_of, press, says
from tests.browser.harness import resize, screenshot

LESSON = "09_gradients_of_gradients.ipynb"
CARD = "tower"
BEGINS = "Now go back from z."
RECORDED = "grad(…, x, create_graph=True)"


def test_before_anything_runs_the_stored_card_builds_floors(opened):
    card = card_of(opened, CARD)
    for said in ("∂z/∂x = 12.", "∂²z/∂x² = 6.", "No road leads from ∂²z/∂x² to x."):
        press(card, RECORDED)
        says(card, said)
    assert card.locator("svg.tower ellipse").count() == 9
    assert card.locator("svg.tower .link").count() == 5
    screenshot(opened, "tower-stored")
    press(card, "Reset")
    press(card, "grad(…, x)")
    says(card, "nothing was recorded")
    press(card, RECORDED)
    says(card, "element 0 of tensors does not require grad")


def test_a_guess_is_judged_and_builds_the_floor(card):
    press(card, "tanh(x)")
    for guess, said in (("3", "Right: 3."), ("5", "Not quite: you said 5, and there are 6.")):
        box = card.locator("[data-input=guess]")
        box.fill(guess)
        box.press("Enter")
        says(card, said)
        assert box.input_value() == ""  # the next number is not appended to this one
        assert box.evaluate("box => box === document.activeElement")
    assert card.locator("svg.tower rect.band").count() == 3
    screenshot(card.page, "tower-guessed")


def test_a_formula_of_ones_own_is_built_by_arrow_keys(card):
    cells, box = card.page.locator(".jp-NotebookPanel .jp-Cell"), card.locator("[data-input=text]")
    before = cells.count()
    box.fill("exp(x * y)")
    box.press("Enter")
    says(card, "z = 403.4.")
    press(card, "Reset")
    for said in ("Its graph has 6:", "Its graph has 8:", "Its graph has 10:"):
        card.page.keyboard.press("ArrowRight")
        says(card, said)
    card.page.keyboard.press("ArrowLeft")
    says(card, "Its graph has 8:")
    box.fill("x.__class__")
    box.press("Enter")
    says(card, "A dot stands only inside a number")
    assert cells.count() == before > 0  # no key was a command of the notebook


@pytest.mark.parametrize("width", [1700, 1280, 960])
@pytest.mark.parametrize("preset", ["x * x * y", "tanh(x)"])
def test_the_picture_scrolls_and_the_page_does_not(card, preset, width):
    resize(card.page, width, 900)
    press(card, preset)
    for count in range(2 if "y" in preset else 5):
        press(card, RECORDED)
        says(
            card,
            f"The walk to it left {([4, 3] if 'y' in preset else [1, 4, 9, 21, 51])[count]} new",
        )
    screenshot(card.page, f"tower-{width}-{'product' if 'y' in preset else 'tanh'}")
    assert card.evaluate("card => card.scrollWidth - card.clientWidth") <= 1
    resize(card.page, 1280, 900)
