"""Lesson 10 as a learner meets it: the tape by mouse and keyboard, live and without a kernel."""

import pytest

from minigrad.widgets.tape import tape_viewer
from tests.browser.boards import PAGE, press, says
from tests.browser.harness import screenshot

LESSON = "10_loops_ifs_and_replay.ipynb"


def test_a_typed_input_is_run(card):
    says(card, "With 300 the line b = b * 2 ran once.")
    screenshot(card.page, "lesson-10-tape")
    box = card.locator("[data-input=a]")
    box.fill("-0.7056439518928528")
    box.press("Enter")
    says(card, "The graph holds 12 multiplications")
    assert card.get_by_role("row", name="a.grad == result / a").inner_text().endswith("False")
    box.fill("half")
    box.press("Enter")
    says(card, "number")
    press(card, "0")
    says(card, "After 2,000 rounds the run was stopped.")


def test_a_tape_is_recorded_and_repeated_by_the_keyboard(card):
    press(card, "200")
    says(card, "With 200 the line")
    record = card.get_by_role("button", name="record here, replay with another input")
    record.focus()
    card.page.keyboard.press("Enter")
    says(card, "Every answer is the one it was at 200")
    press(card, "−300")
    says(card, "The tape gives −2400 and no error; f gives −120000.")
    guard = card.get_by_role("button", name="guard: look at the answers")
    guard.focus()
    card.page.keyboard.press("Space")
    says(card, "Refused: ")
    assert guard.get_attribute("aria-pressed") == "true"
    assert guard.evaluate("one => one === document.activeElement")
    screenshot(card.page, "lesson-10-refused")
    press(card, "put the tape away")
    says(card, "With −300 the line")


@pytest.mark.parametrize(("theme", "width"), [("", 1280), ("", 600), ("dark", 1280)])
def test_what_is_stored_works_without_a_kernel(chromium, tmp_path, theme, width):
    dark = 'data-jp-theme-light="false"' if theme else ""
    file = tmp_path / "tape.html"
    file.write_text(PAGE.format(dark, tape_viewer().html()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": width, "height": 720})
    page.goto(file.as_uri())
    board = page.locator(".minigrad-board")
    press(board, "record here, replay with another input")
    press(board, "200")
    says(board, "The tape gives 800 and no error; f gives 1600.")
    assert board.locator("tr.here").inner_text().endswith("nobody looks")
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    if width == 1280:
        assert board.bounding_box()["height"] <= 656
        press(board, "put the tape away")
        press(board, "0.98")
        says(board, "ran 9 times")
        assert board.bounding_box()["height"] <= 656
    screenshot(page, f"tape-{theme or 'light'}-{width}")
    page.close()
