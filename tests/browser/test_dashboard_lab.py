"""The training dashboard of lesson 12: stored and live, by mouse and by key."""

from tests.browser.boards import card_of, press, says
from tests.browser.harness import resize, run_all, screenshot

LESSON = "12_your_engine_learns_to_see.ipynb"
CARD = "Training dashboard"
PLACES = "names => names.map(name => document.querySelector(name).getBoundingClientRect())"


def test_before_anything_runs_the_stored_card_answers(opened):
    card = card_of(opened, CARD)
    press(card, "to the last turn")
    says(card, "Turn 60: the loss is falling.")
    press(card, "detach() in the middle")
    says(card, "The gradient of the first layer is None")
    screenshot(opened, "lab-dashboard-stored")
    press(card, "whole numbers")
    says(card, "the loss has not moved at all.")
    press(card, "turn 10")
    says(card, "Turn 10: the loss has not moved at all.")
    assert card.get_by_role("button", name="turn 10").get_attribute("aria-current") == "true"


def test_it_plays_until_it_is_paused_or_over(opened):
    card = card_of(opened, CARD)
    press(card, "nothing")
    press(card, "to the first turn")
    says(card, "Turn 0:")
    press(card, "Play")
    card.get_by_role("button", name="Pause", exact=True).wait_for()
    says(card, "Turn 15:")
    press(card, "Pause")
    card.get_by_role("button", name="Play", exact=True).wait_for()
    told = card.locator(".sentence").inner_text()
    opened.wait_for_timeout(1200)
    assert card.locator(".sentence").inner_text() == told
    press(card, "turn 50")
    press(card, "Play")
    says(card, "Turn 60:")
    card.get_by_role("button", name="Play", exact=True).wait_for(timeout=5_000)


def test_keys_go_through_the_turns_and_leave_the_notebook_alone(opened):
    card = card_of(opened, CARD)
    cells = opened.locator(".jp-Cell").count()
    press(card, "to the first turn")
    opened.keyboard.press("ArrowRight")
    says(card, "Turn 5:")
    opened.keyboard.press("End")
    says(card, "Turn 60:")
    card.get_by_role("button", name="turn 60").focus()
    opened.keyboard.press("ArrowLeft")
    says(card, "Turn 55:")
    opened.keyboard.press("a")
    opened.keyboard.press("t")
    assert "first layer:" in card.locator("pre.as-text").inner_text()
    opened.keyboard.press("t")
    assert opened.locator(".jp-Cell").count() == cells


def test_what_belongs_together_stands_side_by_side(opened):
    """Beside the list of files, in a window of 1280 pixels: loss and gradient norms of each run."""
    for one, other in (("curve A", "curve B"), ("P: loss", "P: gradient norms")):
        found = [f"img[alt^='{alt}']" for alt in (one, other)]
        for cell in opened.locator(".jp-NotebookPanel .jp-Cell").all():
            if opened.locator(found[0]).count():
                break
            cell.scroll_into_view_if_needed()
        left, right = opened.evaluate(PLACES, found)  # at once: cells above are still drawn
        assert left["y"] == right["y"]
        assert left["right"] <= right["x"]


def test_live_it_shows_the_same(opened):
    """The last test of this page: from here on Python answers."""
    run_all(opened)
    card = card_of(opened, CARD)
    says(card, "Turn 0:", 60_000)
    press(card, "no zero_grad()")
    press(card, "to the last turn")
    says(card, "the loss fell, and then it rose again.")
    resize(opened, 600, 900)
    card_of(opened, CARD)
    screenshot(opened, "lab-dashboard-600")
