"""A board on a plain page without a kernel: screens, keys, focus, what is off, looks."""

import re

import pytest

from minigrad.widgets.board import Board, Part, Screen
from tests.browser.boards import too_small
from tests.browser.harness import screenshot
from tests.widgets.made_up_board import board

PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><body {}>{}</body>'


def typing():
    """A board whose part comes and goes, below an element that stays."""
    part = Part("p", "<p data-to='1'>one</p><p data-to='0'>zero</p>", "p")
    other = Part("q", "<p>words of another part</p>", "q")

    def show(state):
        return Screen("t", "", (), (other, part) if state else (part,), f"state {state}", ())

    return Board("comes and goes", show, 0, stored=[1])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("boards")
    pages = {
        "one": PAGE.format("", board().html()),
        "two": PAGE.format("", board().html() + board(figure="<i>f</i>")._html()),
        "dark": PAGE.format('data-jp-theme-light="false"', board().html()),
        "parts": PAGE.format("", typing().html()),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def visit(chromium, files):
    """Opens a page: `visit("one", width=600)`. An error of a script fails the test."""
    contexts, errors = [], []

    def open_page(name="one", width=1280, height=720, **settings):
        context = chromium.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((files / f"{name}.html").as_uri())
        if settings.get("java_script_enabled", True):
            page.locator(".minigrad-board .sentence").first.wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def click(page, name):
    page.get_by_role("button", name=name, exact=True).first.click()


def sentence(page):
    return page.locator(".sentence").first.inner_text()


def focused(page):
    return page.evaluate("document.activeElement.textContent")


def test_it_begins_with_the_first_screen(visit):
    page = visit()
    assert page.get_by_role("group", name="a lamp", exact=True).count() == 1
    assert page.locator(".head b").inner_text() == "A lamp"
    assert page.locator(".place").inner_text() == "0 times"
    assert sentence(page) == "The red lamp was lit 0 times."
    screenshot(page, "board")


def test_a_button_leads_to_its_screen_and_keeps_the_focus(visit):
    page = visit()
    click(page, "light it")
    assert sentence(page) == "The red lamp was lit 1 times."
    assert page.locator("circle").get_attribute("r") == "15"
    assert focused(page) == "light it"


def test_the_chosen_one_is_told_by_more_than_color(visit):
    page = visit()
    click(page, "lamp = green")
    green, red = (page.get_by_role("button", name=f"lamp = {one}") for one in ("green", "red"))
    assert green.get_attribute("aria-pressed") == "true"
    assert red.get_attribute("aria-pressed") == "false"
    assert green.evaluate("e => getComputedStyle(e, '::before').borderRadius") == "50%"
    assert page.get_by_role("button", name="light it").get_attribute("aria-pressed") is None


@pytest.mark.parametrize("width", [1280, 600])
def test_the_mark_of_the_chosen_one_touches_neither_border_nor_text(visit, width):
    page = visit(width=width)
    chosen = page.locator(".groups button[aria-pressed=true]").first
    left, right, padding = chosen.evaluate(
        """one => {
            const { left, width } = getComputedStyle(one, "::before");
            const from = parseFloat(left);
            return [from, from + parseFloat(width), parseFloat(getComputedStyle(one).paddingLeft)];
        }"""
    )
    assert left >= 3
    assert right <= padding - 5  # nearer, it would be read as a sign of a formula


def test_choosing_moves_nothing(visit):
    page = visit()

    def places():
        return page.locator(".groups button").evaluate_all(
            "all => all.map(e => e.getBoundingClientRect()).map(({ x, width }) => [x, width])"
        )

    before = places()
    click(page, "lamp = green")
    assert places() == before


def test_what_is_off_can_be_reached_and_says_why(visit):
    page = visit()
    back = page.get_by_role("button", name="back", exact=True)
    assert back.get_attribute("aria-disabled") == "true"
    back.focus()
    page.keyboard.press("Enter")
    assert sentence(page) == "It starts here."
    assert back.get_attribute("title") == "It starts here."
    click(page, "light it")
    assert back.get_attribute("aria-disabled") is None
    assert sentence(page) == "The red lamp was lit 1 times."


def test_without_a_kernel_what_is_not_stored_is_off_with_the_reason(visit):
    page = visit()
    click(page, "light it")
    click(page, "light it")
    page.keyboard.press("Enter")
    assert "2 times" in page.locator(".place").inner_text()
    assert "needs Python" in sentence(page)
    assert page.locator("[data-input=count]").is_disabled()
    cell = page.locator("td span").nth(3)
    assert cell.get_attribute("aria-disabled") == "true"


def test_keys_of_buttons_work_wherever_the_focus_is(visit):
    page = visit()
    click(page, "light it")
    page.locator(".minigrad-board").focus()
    page.keyboard.press("ArrowLeft")
    assert sentence(page) == "The red lamp was lit 0 times."


def test_a_table_is_one_tab_stop_and_arrows_go_from_cell_to_cell(visit):
    page = visit()
    cells = page.locator("td span")
    assert [cell.get_attribute("tabindex") for cell in cells.all()] == ["0", "-1", "-1", "-1"]
    cells.nth(0).focus()
    page.keyboard.press("ArrowRight")
    assert (focused(page), sentence(page)) == ("1", "The red lamp was lit 1 times.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert (focused(page), sentence(page)) == ("1", "The red lamp was lit 1 times.")
    assert [cell.get_attribute("tabindex") for cell in cells.all()] == ["-1", "0", "-1", "-1"]
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")


def test_every_control_keeps_its_keys_in_jupyterlab(visit):
    page = visit()
    controls = page.locator(".card :is(button, input, summary, [tabindex])")
    assert controls.count() > 10
    assert all(one.get_attribute("data-lm-suppress-shortcuts") == "true" for one in controls.all())


def test_as_text_shows_the_parts_as_text_and_comes_back(visit):
    page = visit()
    page.locator(".minigrad-board").focus()
    page.keyboard.press("t")
    assert page.locator("pre").inner_text() == "red: ○\n\nFacts\nlamp   red\ntimes  0"
    click(page, "light it")
    assert page.locator("pre").inner_text().startswith("red: ●\n")
    click(page, "As text")
    assert page.locator("circle").get_attribute("r") == "15"


def test_as_text_words_stay_whole_where_jupyterlab_breaks_them(visit):
    page = visit()
    page.add_style_tag(content="body pre { white-space: pre-wrap; word-break: break-all }")
    page.locator(".minigrad-board").focus()
    page.keyboard.press("t")
    text = page.locator(".as-text")
    assert text.evaluate("text => getComputedStyle(text).wordBreak") == "normal"


def test_what_was_unfolded_stays_unfolded(visit):
    page = visit()
    page.locator("summary").click()
    click(page, "light it")
    assert page.locator("details").get_attribute("open") is not None


def test_an_element_keeps_the_focus_when_a_part_comes_before_it(visit):
    page = visit("parts")
    page.get_by_role("button", name="one").focus()
    page.keyboard.press("Enter")
    assert sentence(page) == "state 1"
    assert page.locator(".part").count() == 2
    assert focused(page) == "one"
    page.get_by_role("button", name="zero").focus()
    page.keyboard.press(" ")
    assert (sentence(page), focused(page)) == ("state 0", "zero")


def test_two_boards_with_one_name_have_each_their_own_state(visit):
    page = visit("two")
    page.locator(".minigrad-board").nth(1).get_by_role("button", name="light it").click()
    places = page.locator(".place").all_inner_texts()
    assert places == ["0 times", "1 times"]


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (1000, False), (600, False)])
def test_parts_stand_beside_each_other_as_far_as_there_is_room(visit, width, beside):
    page = visit(width=width)
    first, second = (page.locator(".part").nth(n).bounding_box() for n in (0, 1))
    assert (first["y"] == second["y"]) == beside
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    screenshot(page, f"board-{width}")


def test_targets_are_44_px_high(visit):
    assert too_small(visit(width=600).locator(".groups button")) == []


def test_a_dark_page_has_a_dark_board(visit):
    page = visit("dark")
    color = page.locator(".card").evaluate("e => getComputedStyle(e).backgroundColor")
    assert max(map(int, re.findall(r"\d+", color))) < 60
    screenshot(page, "board-dark")


def test_where_no_script_runs_there_is_text_to_unfold(visit):
    page = visit(java_script_enabled=False)
    page.locator("summary").first.click()
    assert "The red lamp was lit 1 times." in page.inner_text("details >> nth=0")
    assert "times  0" in page.inner_text("body")
    hint = "run this cell to press the buttons"
    assert hint in page.inner_text("body")
    assert hint not in visit().inner_text("body")


def test_the_ring_of_the_focus_is_inside_the_board_where_no_output_cuts_it(visit):
    page = visit()
    page.locator(".minigrad-board").focus()
    page.keyboard.press("Shift")
    ring = """card => {
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(card);
        return [outlineStyle, parseFloat(outlineWidth), parseFloat(outlineOffset)];
    }"""
    style, width, offset = page.locator(".minigrad-board > .card").evaluate(ring)
    assert style == "solid"
    assert width + offset <= 0
