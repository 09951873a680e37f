"""Trays with two models in lesson 06: stored, and live; scissors by mouse and by keyboard."""

import pytest

from tests.browser.boards import card_of, press, says
from tests.browser.harness import run_all, screenshot
from tests.browser.test_trays_lab import CARD, HIGHEST, row

LESSON = "06_cutting_the_graph.ipynb"


@pytest.fixture(scope="module")
def live(opened):
    """The lesson after it was run: the card asks Python now."""
    run_all(opened)
    card = card_of(opened, CARD)
    says(card, "Which trays will fill?")
    return card


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


def test_scissors_freezing_and_asking_again_by_keyboard(live):
    press(live, "nothing cut")
    press(live, "loss.backward()")
    for name, said in (
        ("w.requires_grad_(False)", "the way through B stays open: 20 comes to u"),
        ("a.item()", "loss.backward() stops: no way leads from loss"),
        ("b.requires_grad_()", "10 comes to b, which asks, and goes no further."),
    ):
        switch(live, name).focus()
        live.page.keyboard.press("Enter")
        says(live, said)
        assert switch(live, name).get_attribute("aria-pressed") == "true"
    focused = live.evaluate("card => card.ownerDocument.activeElement.getAttribute('aria-label')")
    assert focused == "b.requires_grad_()"
    screenshot(live.page, "scissors-live")


def test_one_way_to_cut_replaces_the_other(live):
    press(live, "b = a.detach()")
    switch(live, "a.item()").click()
    assert switch(live, "a.item()").get_attribute("aria-pressed") == "true"
    assert switch(live, "a.detach()").get_attribute("aria-pressed") == "false"
    says(live, "Which trays will fill?")


def test_arrow_keys_take_a_step(live):
    press(live, "b = a.detach()")
    for said in ("12 comes to w.", "step() moves w to 4.88.", "The tray of w is gone."):
        live.page.keyboard.press("ArrowRight")
        says(live, said)


def test_guesses_are_judged(live):
    press(live, "B frozen")
    press(live, "Ask me")
    live.locator("[data-input=u]").fill("None")
    live.locator("[data-input=w]").fill("None")
    press(live, "Check")
    says(live, "1 of 2 are right.")
    assert "Not quite. 20: u is a leaf that asks." in row(live, "u")


@pytest.mark.parametrize("preset", ["nothing cut", "both in no_grad"])
@pytest.mark.parametrize("width", [1700, 1280, 900])
def test_a_card_fits_and_nothing_scrolls_sideways(live, preset, width):
    page = live.page
    page.set_viewport_size({"width": width, "height": 900})
    press(live, preset)
    press(live, "▶")
    screenshot(page, f"scissors-{width}-{preset.split(' ')[0]}")
    if width == 1700:
        assert live.locator(".card").bounding_box()["height"] <= HIGHEST
    assert live.evaluate("card => card.scrollWidth - card.clientWidth") <= 1
    page.set_viewport_size({"width": 1280, "height": 900})
