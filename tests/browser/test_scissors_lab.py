"""Trays with two models in lesson 06: stored, and live; scissors by mouse and by keyboard."""

import pytest

from tests.browser.boards import card_of, press, says
from tests.browser.harness import resize, screenshot
from tests.browser.test_trays_lab import CARD, HIGHEST, row

LESSON = "06_cutting_the_graph.ipynb"
BEGINS = "Which trays will fill?"


def switch(card, name):
    return card.locator(f"svg:visible [data-to][aria-label='{name}']")


def test_before_anything_runs_the_stored_card_answers(opened):
    card = card_of(opened, CARD)
    press(card, "loss.backward()")
    says(card, "12 comes to w, and through b and a 20 to u.")
    switch(card, "a.detach()").click()
    says(card, "Nothing comes to u, because the way to it is cut.")
    assert "b = a.detach() has no history" in row(card, "u")
    screenshot(opened, "scissors-stored")


def test_scissors_freezing_and_asking_again_by_keyboard(card):
    press(card, "nothing cut")
    press(card, "loss.backward()")
    for name, said in (
        ("w.requires_grad_(False)", "the way through B stays open: 20 comes to u"),
        ("a.item()", "loss.backward() stops: no way leads from loss"),
        ("b.requires_grad_()", "10 comes to b, which asks, and goes no further."),
    ):
        switch(card, name).focus()
        card.page.keyboard.press("Enter")
        says(card, said)
        assert switch(card, name).get_attribute("aria-pressed") == "true"
    focused = card.evaluate("card => card.ownerDocument.activeElement.getAttribute('aria-label')")
    assert focused == "b.requires_grad_()"
    screenshot(card.page, "scissors-live")


def test_one_way_to_cut_replaces_the_other(card):
    press(card, "b = a.detach()")
    switch(card, "a.item()").click()
    assert switch(card, "a.item()").get_attribute("aria-pressed") == "true"
    assert switch(card, "a.detach()").get_attribute("aria-pressed") == "false"
    says(card, "Which trays will fill?")


def test_arrow_keys_take_a_step(card):
    press(card, "b = a.detach()")
    for said in ("12 comes to w.", "step() moves w to 4.88.", "The tray of w is gone."):
        card.page.keyboard.press("ArrowRight")
        says(card, said)


def test_guesses_are_judged(card):
    press(card, "B frozen")
    press(card, "Ask me")
    card.locator("[data-input=u]").fill("None")
    card.locator("[data-input=w]").fill("None")
    press(card, "Check")
    says(card, "1 of 2 are right.")
    assert "Not quite. 20: u is a leaf that asks." in row(card, "u")


@pytest.mark.parametrize("preset", ["nothing cut", "both in no_grad"])
@pytest.mark.parametrize("width", [1700, 1280, 900])
def test_a_card_fits_and_nothing_scrolls_sideways(card, preset, width):
    page = card.page
    resize(page, width, 900)
    press(card, preset)
    press(card, "▶")
    screenshot(page, f"scissors-{width}-{preset.split(' ')[0]}")
    if width == 1700:
        assert card.locator(".card").bounding_box()["height"] <= HIGHEST
    assert card.evaluate("card => card.scrollWidth - card.clientWidth") <= 1
    resize(page, 1280, 900)
