"""The memory lab on a plain page: columns by mouse and keyboard, widths, both themes."""

import pytest

from minigrad.widgets.memory import memory_lab
from tests.browser.boards import check_size, too_small
from tests.browser.harness import screenshot


def board():
    return memory_lab(depth=32)


def columns(page, kind):
    return page.locator(f"svg.memory:visible .column.{kind}").count()


def test_a_backward_by_mouse_and_a_second_one_by_key(visit_board):
    page = visit_board()
    page.get_by_role("button", name="loss.backward()").click()
    assert columns(page, "back") == 32 + 1  # one in the legend
    assert "0 bytes are left, and 32 nodes" in page.locator(".sentence").inner_text()
    page.keyboard.press("ArrowRight")
    assert "Trying to backward through" in page.locator(".sentence").inner_text()
    page.keyboard.press("Home")
    assert columns(page, "back") == 0
    focused = page.evaluate("document.activeElement.textContent")
    assert focused == "loss.backward()"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 1280), ("light", 600)])
def test_what_runs_again_is_hatched_and_fits(visit_board, theme, width):
    page = visit_board(theme, width)
    page.get_by_role("button", name="parts of 4").click()
    page.get_by_role("button", name="loss.backward()").click()
    again = page.locator("svg.memory:visible .column.again")
    assert again.count() == 32 + 1
    fill = again.first.evaluate("one => getComputedStyle(one).fill")
    pattern = fill.partition("#")[2].rstrip('")')
    assert page.locator(f"svg.memory:visible #{pattern}").count() == 1
    heights = again.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert heights[0] < heights[3] == max(heights[:-1])
    check_size(page, width)
    screenshot(page, f"memory-{theme}-{width}")


@pytest.mark.parametrize("width", [848, 1085])
def test_picture_and_buttons_are_seen_at_once_in_jupyterlab(visit_board, width):
    page = visit_board(width=width + 16)  # the page has a margin
    page.get_by_role("button", name="loss.backward()").click()
    card, done, drawn = (
        page.locator(one).bounding_box() for one in (".card", ".actions", "svg.memory:visible")
    )
    assert drawn["x"] + drawn["width"] <= card["x"] + card["width"]
    assert done["y"] + done["height"] - card["y"] <= 599
    check_size(page, width + 16)
    screenshot(page, f"memory-lab-{width}")


def test_buttons_are_large_enough_and_named(visit_board):
    page = visit_board(width=600)
    buttons = page.locator(".minigrad-board .groups button")
    assert too_small(buttons) == []
    assert all(one.get_attribute("aria-label") or one.inner_text().strip() for one in buttons.all())
