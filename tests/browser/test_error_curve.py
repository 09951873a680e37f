"""The error curve on a plain page: functions and eps by mouse and keyboard, widths, colors."""

import pytest

from minigrad.widgets.error_curve import error_curve
from tests.browser.boards import sentence, too_small
from tests.browser.harness import screenshot


def board():
    return error_curve()


def press(page, says):
    page.get_by_role("button").filter(has_text=says).first.click()


def test_eps_is_chosen_by_button_by_row_and_by_key(visit_board):
    page = visit_board()
    screenshot(page, "error-curve")
    press(page, "eps ÷ 10")
    assert sentence(page).startswith("With eps = 0.01, nudging says 12.0001 and backward says 12.")
    page.locator("table [data-to]").nth(7).click()
    assert sentence(page).startswith("With eps = 1e-8, ")
    assert page.locator("tr.here th").inner_text() == "1e-8"
    page.keyboard.press("ArrowDown")
    assert sentence(page).startswith("With eps = 1e-9, ")
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    assert page.locator("svg desc").first.text_content() in sentence(page)


def test_a_wrong_backward_and_a_kink_are_told_apart(visit_board):
    page = visit_board()
    press(page, "backward has no 5")
    assert "No eps in the list brings float64 closer than 4" in sentence(page)
    assert page.locator("tr.here td").nth(2).inner_text() == "fails"
    screenshot(page, "error-curve-wrong")
    press(page, "at 0")
    assert "a slope of 0 from below and 1 from above" in sentence(page)


def test_a_guess_uncovers_the_curve(visit_board):
    page = visit_board()
    press(page, "ask me")
    assert page.locator(".part circle").count() == 1
    assert sentence(page).startswith("Backward says 12. At which eps")
    screenshot(page, "error-curve-asked")
    page.locator("table [data-to]").nth(6).click()
    assert sentence(page).startswith("You said 1e-7. Not quite: 1e-5 is closest.")
    assert page.locator(".part circle").count() > 12


def test_as_text_a_guess_can_be_pressed_as_well(visit_board):
    page = visit_board()
    press(page, "ask me")
    press(page, "As text")
    offered = page.locator(".answers [data-to]")
    assert offered.all_inner_texts()[:2] == ["0.1", "0.01"]
    assert {one.get_attribute("tabindex") for one in offered.all()} == {"0"}
    assert not too_small(offered)
    screenshot(page, "error-curve-asked-as-text")
    offered.nth(6).focus()
    page.keyboard.press("Enter")
    assert sentence(page).startswith("You said 1e-7. Not quite: 1e-5 is closest.")
    assert offered.count() == 0


@pytest.mark.parametrize("name", ["light", "dark"])
def test_it_fits_a_narrow_page(visit_board, name):
    page = visit_board(name, 600)
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not page.evaluate(wide)
    screenshot(page, f"error-curve-600-{name}")
    page.set_viewport_size({"width": 1280, "height": 720})
    press(page, "3.14")
    screenshot(page, f"error-curve-1280-{name}")
