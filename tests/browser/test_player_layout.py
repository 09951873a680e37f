"""The player on a plain page: nothing jumps, groups that open, themes and widths."""

from datetime import datetime, timedelta

import pytest

from tests.browser.harness import screenshot
from tests.browser.player_pages import STEPS, boxes, click, more, place, players, press
from tests.widgets.made_up import GROUP


# --- Nothing jumps -------------------------------------------------------------------------------
@pytest.mark.parametrize("width", [1100, 800, 600])
def test_nothing_moves_from_step_to_step(visit, width):
    found = players(visit(width=width))
    picture = found.locator(".figure svg")

    def look():
        shapes = boxes(picture, "ellipse, polygon, path, rect")
        return shapes + boxes(found, ".figure, .bar > *, .sentence, .details, .section")

    first = look()
    height = found.bounding_box()["height"]
    assert sum(box is not None for box in first) > 15
    for _ in range(STEPS - 1):
        press(found, "ArrowRight")
        pairs = [(old, new) for old, new in zip(first, look(), strict=True) if old and new]
        assert [(old, new) for old, new in pairs if old != new] == []
        assert found.bounding_box()["height"] == height


def test_the_sentence_has_as_many_lines_as_the_longest_and_no_more(visit):
    found = players(visit())
    assert found.locator(".sentence").bounding_box()["height"] == 26


def test_a_long_sentence_grows_and_leaves_two_lines_to_the_others(visit):
    found = players(visit("wordy"))
    lines = found.locator(".sentence")
    assert lines.bounding_box()["height"] > 2 * 26
    press(found, "ArrowRight")
    assert lines.bounding_box()["height"] == 2 * 26


def test_in_a_narrow_card_the_longest_sentence_moves_nothing_either(visit):
    found = players(visit("wordy", width=600))

    def look():
        return boxes(found, ".bar, .figure, summary")

    first = look()
    assert found.locator(".sentence").bounding_box()["height"] > 2 * 26
    for _ in range(STEPS - 1):
        press(found, "ArrowRight")
        assert look() == first


def test_a_folded_section_says_what_it_holds_and_cuts_no_name(visit):
    found = players(visit("bracketed", width=600))
    told = found.locator(".section summary .of").all_inner_texts()
    assert told[1:] == ["next a[1:3] · waiting none", ".grad a [3, 1, 4], b 6"]


@pytest.mark.parametrize("width", [1100, 600])
def test_a_long_name_of_a_row_breaks_and_is_not_printed_over_its_text(visit, width):
    found = players(visit("long names", width=width))
    if width == 600:
        for summary in found.locator(".section summary").all()[1:]:
            summary.click()
    over = found.locator(".details th.long").evaluate_all(
        """all => all.map(one => {
            const name = document.createRange();
            name.selectNodeContents(one);
            return name.getBoundingClientRect().right
                - one.nextSibling.getBoundingClientRect().left;
        })"""
    )
    assert len(over) == 4
    assert max(over) <= 0


@pytest.mark.parametrize("width", [1100, 800])
def test_many_kept_rows_scroll_in_a_card_that_stays_in_sight(visit, width):
    page = visit("wordy", width=width, height=720)
    found = players(page)
    press(found, "ArrowRight")
    assert found.locator("> .card").bounding_box()["height"] <= 600
    rows = found.locator(".section").nth(2).locator("> div")
    assert rows.evaluate("rows => rows.clientHeight >= 38 && rows.scrollHeight > 30 * 15")
    rows.locator("tr").last.scroll_into_view_if_needed()
    assert rows.locator("tr").last.is_visible()


def test_a_player_may_start_with_an_open_group(visit):
    found = players(visit("opened"))
    assert found.locator(".inside .inside-head b").inner_text() == GROUP.name
    click(found, f"close {GROUP.name}")
    assert found.locator(".inside").is_hidden()
    more(found)
    click(found, "Reset")
    assert found.locator(".inside").is_visible()


def test_what_happens_now_is_in_sight(visit):
    """On a narrow page the picture is wider than its box."""
    found = players(visit(width=400))
    for _ in range(STEPS):
        distance = found.evaluate(
            """found => {
                const box = found.querySelector(".figure").getBoundingClientRect();
                const now = found.querySelector("g.now:not(.edge)").getBoundingClientRect();
                return [now.right - box.left, box.right - now.left];
            }"""
        )
        assert min(distance) > 0
        press(found, "ArrowRight")


def test_a_picture_that_is_too_large_is_dragged_and_zoomed(visit):
    page = visit(width=400)
    figure = players(page).locator(".figure")
    press(players(page), "Home")
    figure.evaluate("box => { box.scrollLeft = 0 }")
    box = figure.bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 60)
    page.mouse.up()
    assert figure.evaluate("box => box.scrollLeft") == 100
    more(players(page))
    click(page, "smaller picture")
    assert figure.locator("svg").bounding_box()["width"] == pytest.approx(540 * 0.9 * 0.8, abs=1)


def test_a_narrower_page_is_measured_anew(visit):
    page = visit()
    found = players(page)
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_timeout(200)
    height = found.bounding_box()["height"]
    press(found, "End")
    assert found.bounding_box()["height"] == height


# --- Groups --------------------------------------------------------------------------------------
def test_a_group_is_opened_by_a_click_and_shows_the_same_step(visit):
    found = players(visit())
    press(found, "ArrowRight")
    found.locator(".figure [data-open]").click()
    inside = found.locator(".inside")
    assert inside.locator(".inside-head").inner_text().split("\n")[-1].endswith("Linear 1 → 1")
    assert inside.locator("[id$=-n1]").get_attribute("class") == "node now"
    press(found, "ArrowRight")
    assert inside.locator("[id$=-n0]").get_attribute("class") == "node now"
    wedge = found.locator(".wedge").bounding_box()
    assert wedge["height"] == 28
    click(found, "close net.0")
    assert not inside.is_visible()


def test_a_drag_that_begins_on_a_group_does_not_open_it(visit):
    page = visit(width=400)
    figure = players(page).locator(".figure")
    group = figure.locator("[data-open]")
    group.scroll_into_view_if_needed()
    box = group.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=3)
    page.mouse.up()
    assert not players(page).locator(".inside").is_visible()
    group.click(position={"x": box["width"] / 2, "y": box["height"] - 8})
    assert players(page).locator(".inside").is_visible()


def test_a_group_is_opened_and_closed_by_key(visit):
    found = players(visit())
    group = found.get_by_role("button", name="net.0: show its inside")
    group.focus()
    assert group.get_attribute("aria-expanded") == "false"
    found.page.keyboard.press("Enter")
    assert group.get_attribute("aria-expanded") == "true"
    assert place(found) == "step 1 of 4"
    found.page.keyboard.press(" ")
    assert not found.locator(".inside").is_visible()


def test_a_group_that_is_not_stored_says_what_to_do(visit):
    found = players(visit("other groups"))
    found.locator(".figure [data-open]").click()
    said = "The inside of net.0 is not stored here. Run the stepper in a notebook to open it"
    assert found.get_by_text(f"{said}, or save a stepper with module='net.0'.").is_visible()
    assert not found.locator(".inside").is_visible()


# --- Looks ---------------------------------------------------------------------------------------
WHITE, DARK = "rgb(255, 255, 255)", "rgb(22, 25, 29)"


@pytest.mark.parametrize(
    ("page", "system", "card"),
    [
        ("dark", "light", DARK),
        ("light", "dark", WHITE),
        ("one", "dark", DARK),
        ("one", "light", WHITE),
    ],
)
def test_the_theme_of_the_notebook_decides_and_else_the_systems(visit, page, system, card):
    found = players(visit(page, color_scheme=system))
    look = found.locator("> .card").evaluate("card => getComputedStyle(card).backgroundColor")
    assert look == card
    screenshot(found.page, f"player-{page}-{system}")


@pytest.mark.parametrize("width", [600, 320])
def test_a_narrow_page_loses_nothing(visit, width):
    """600 px is a small window; 320 px is what 400 % of zoom leaves of 1280."""
    page = visit(width=width)
    found = players(page)
    press(found, "ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert found.locator("summary").nth(1).inner_text() == "After it next a · waiting x"
    for name in ("To start", "To end", "Ask me", "As text"):
        assert not found.get_by_role("button", name=name, exact=True).is_visible()
    more(found)
    for name in ("To start", "To end", "Ask me", "As text"):
        assert found.get_by_role("button", name=name, exact=True).is_visible()
    screenshot(page, f"player-{width}")


def test_twice_the_size(visit):
    page = visit(width=550, height=450, device_scale_factor=2)
    press(players(page), "ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") <= 550
    screenshot(page, "player-zoom")


def test_less_motion_means_none(visit):
    page = visit(reduced_motion="reduce")
    press(players(page), "ArrowRight")
    durations = page.evaluate(
        """() => [...document.querySelectorAll(".minigrad-player *")].flatMap(element => {
            const style = getComputedStyle(element);
            return [style.transitionDuration, style.animationDuration];
        })"""
    )
    assert set(durations) <= {"0s", "auto"}


def test_the_dashes_run_on_a_step_forth_and_not_on_a_step_back(visit):
    found = players(visit())
    found.page.clock.pause_at(datetime.now() + timedelta(hours=1))  # else a slow page ends it
    running = found.locator("svg.running")
    press(found, "ArrowRight")
    assert running.count() == 1
    found.page.clock.run_for(200)
    assert running.count() == 0
    press(found, "ArrowLeft")
    assert running.count() == 0


RING = """card => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(card);
    return [outlineStyle, parseFloat(outlineWidth), parseFloat(outlineOffset)];
}"""


def test_the_ring_of_the_focus_is_inside_the_card_where_no_output_cuts_it(visit):
    found = players(visit())
    press(found, "ArrowRight")
    style, width, offset = found.locator("> .card").evaluate(RING)
    assert style == "solid"
    assert width + offset <= 0
