"""Trays in lesson 03: stored, and live with guesses; by mouse and by keyboard."""

import re

import pytest

from tests.browser.boards import card_of, press, says
from tests.browser.harness import resize, screenshot

LESSON = "03_where_gradients_land.ipynb"
CARD = "trays"
BEGINS = "Say what every .grad will be."
HIGHEST = 656  #: of a card on a screen of 1280 pixels, so that it is seen whole


def row(card, name):
    found = card.locator("table.facts tbody tr", has=card.page.locator(f"th:text-is('{name}')"))
    return re.sub(r"\s+", " ", found.inner_text())


def test_before_anything_runs_the_stored_card_answers(opened):
    card = card_of(opened, CARD)
    press(card, "a.detach()")
    press(card, "y.backward()")
    says(card, "Only 3 reaches x.")
    assert "3: x is a leaf" in row(card, "x")
    off = card.get_by_role("button", name="step", exact=False).first
    assert off.get_attribute("aria-disabled") == "true"
    screenshot(opened, "trays-stored")


def test_a_switch_in_the_picture_changes_the_setting(card):
    press(card, "as written")
    press(card, "y.backward()")
    says(card, "4 + 3 = 7")
    scissors = card.locator("svg:visible [data-to][aria-label='b.detach()']")
    scissors.focus()
    card.page.keyboard.press("Enter")
    says(card, "Only 4 reaches x.")
    focused = card.evaluate("card => card.ownerDocument.activeElement.getAttribute('aria-label')")
    assert focused == "b.detach()"
    assert scissors.get_attribute("aria-pressed") == "true"
    screenshot(card.page, "trays-live")


def test_what_is_not_stored_comes_from_python(card):
    press(card, "as written")
    for _ in range(3):
        press(card, "y.backward()")
    says(card, "The tray held 14, so it now holds 14 + 7 = 21.")
    press(card, "step x -= 0.1 * x.grad")
    says(card, "x is now −0.1.")


def test_guesses_are_judged(card):
    press(card, "as written")
    press(card, "Ask me")
    for name, guess in (("x", "7"), ("a", "4"), ("b", "None")):
        card.locator(f"[data-input={name}]").fill(guess)
    screenshot(card.page, "trays-asking")
    press(card, "Check")
    says(card, "2 of 3 are right.")
    assert "Not quite. None: 4 passed through a" in row(card, "a")
    assert "Right. None: 3 passed through b" in row(card, "b")
    screenshot(card.page, "trays-judged")


def test_arrow_keys_go_through_the_story(card):
    press(card, "mean, then sum")
    for said in ("out sends 4.5", "4.5 + 1 = 5.5", "zero_() writes 0"):
        card.page.keyboard.press("ArrowRight")
        says(card, said)
    card.page.keyboard.press("ArrowLeft")
    says(card, "4.5 + 1 = 5.5")
    card.page.keyboard.press("Home")
    says(card, "Two results were made from x.")


@pytest.mark.parametrize("preset", ["a.detach()", "mean, then sum", "never zeroed"])
@pytest.mark.parametrize("width", [1700, 1480, 1280, 960])
def test_a_card_fits_and_nothing_scrolls_sideways(card, preset, width):
    page = card.page
    resize(page, width, 900)
    press(card, preset)
    press(card, "▶")
    screenshot(page, f"trays-{width}-{preset.split(' ')[0].strip(',()')}")
    box = card.locator(".card").bounding_box()
    if width == 1700:
        assert box["height"] <= HIGHEST
    wide = card.evaluate("card => card.scrollWidth - card.clientWidth")
    assert wide <= 1
    resize(page, 1280, 900)
