"""The v·J viewer on a plain page: the table under the keyboard, what is spoken, widths, colors."""

import re

import pytest

from minigrad.widgets.vjp import vjp_viewer
from tests.browser.boards import check_size, press, sentence, too_small
from tests.browser.harness import screenshot


def board():
    return vjp_viewer()


def spoken(page):
    return page.evaluate("document.activeElement.ariaLabel")


def test_the_table_is_walked_by_arrows_and_left_by_escape(visit_board):
    page = visit_board()
    product = page.locator("td.product.chosen [data-to]")
    assert product.get_attribute("tabindex") == "0"
    product.focus()
    assert spoken(page) == "x[1] gets 0.4"
    page.keyboard.press("ArrowRight")
    assert spoken(page) == "x[2] gets 6"
    assert sentence(page).startswith("x[2] gets 1 × 6 = 6.")
    page.keyboard.press("ArrowUp")
    assert spoken(page) == "row z[1,1], column x[2], 0"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    assert spoken(page) == "row z[1,0], column x[1], 0"
    assert sentence(page).startswith("x[1] gets")
    stops = page.locator(".jacobian [data-to][tabindex='0']")
    assert stops.count() == 1
    assert stops.evaluate("one => one === document.activeElement")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")


def test_the_tab_key_stops_once_in_the_table(visit_board):
    page = visit_board()
    page.locator(".minigrad-board").focus()
    stops = []
    for _ in range(40):
        page.keyboard.press("Tab")
        inside = "document.activeElement.closest('.jacobian') !== null"
        stops.append(page.evaluate(inside))
        if page.evaluate("document.activeElement === document.body"):
            break
    assert stops.count(True) == 1
    assert stops.index(True) > 8  # after the presets and the buttons of v


def test_it_is_a_table_with_named_rows_and_columns(visit_board):
    page = visit_board()
    table = page.get_by_role("table", name="J, with v beside its rows and v·J below")
    assert table.get_by_role("columnheader").all_inner_texts() == [
        "v",
        *[f"x[{j}]" for j in range(4)],
    ]
    assert table.get_by_role("rowheader").all_inner_texts() == [
        "z[0,0]", "z[0,1]", "z[1,0]", "z[1,1]", "v·J", "= x.grad",
    ]  # fmt: skip


def test_a_v_is_chosen_and_the_focus_stays(visit_board):
    page = visit_board()
    press(page, "row z[1,0]")
    assert "returns row z[1,0] of J" in sentence(page)
    assert page.locator("td.product").all_inner_texts() == ["0", "0", "6", "0"]
    assert page.evaluate("document.activeElement.textContent") == "row z[1,0]"
    boxes = page.locator("[data-input^=v]")
    assert [box.input_value() for box in boxes.all()] == ["0", "0", "1", "0"]
    assert all(box.is_disabled() for box in boxes.all())
    press(page, "4 in one row")
    assert "Mismatch in shape: grad_output[0] has a shape of torch.Size([4])" in sentence(page)
    assert page.locator("td.product").all_inner_texts() == ["—"] * 4
    screenshot(page, "vjp-refused")


def test_j_is_built_row_by_row(visit_board):
    page = visit_board()
    press(page, "build J")
    for row in range(4):
        assert page.locator(".jacobian tbody").inner_text().count("?") == 16 - 4 * row
        page.get_by_role("button", name="next row: one backward").click()
    assert sentence(page).endswith("J is complete, after 4 passes.")
    screenshot(page, "vjp-build")


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (900, True), (600, False)])
def test_v_and_j_stand_side_by_side_as_far_as_there_is_room(visit_board, width, beside):
    page = visit_board(width=width)
    v, table = (page.locator(f".part[data-key={key}]").bounding_box() for key in ("v", "table"))
    assert (v["y"] == table["y"]) == beside
    check_size(page, width)
    screenshot(page, f"vjp-{width}")


def test_cells_and_buttons_are_large_enough(visit_board):
    page = visit_board(width=600)
    controls = ":is(.groups button, .jacobian td[class*=plus])"
    assert too_small(page.locator(f".minigrad-board {controls}")) == []


def luminance(color):
    channels = [int(float(c)) / 255 if float(c) > 1 else float(c) for c in color[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def channels(color):
    numbers = [float(n) for n in re.findall(r"[\d.]+(?:e-\d+)?", color)]
    return [n * 255 for n in numbers] if color.startswith("color(") else numbers


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_can_be_read_on_every_color_of_the_scale(visit_board, theme):
    page = visit_board(theme)
    press(page, "softmax(x)")
    painted = page.locator(".jacobian td:is([class*=plus], [class*=minus])").evaluate_all(
        "all => all.map(e => { const s = getComputedStyle(e);"
        " return [s.color, s.backgroundColor]; })"
    )
    assert len(painted) == 9
    for ink, paper in painted:
        light, dark = sorted((luminance(channels(ink)), luminance(channels(paper))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, paper)
    screenshot(page, f"vjp-softmax-{theme}")
