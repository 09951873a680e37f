"""The version debugger on a plain page: its table, its phrases, its measures."""

import re

import pytest

from minigrad.widgets.versions import version_debugger
from tests.browser.boards import sentence
from tests.browser.harness import screenshot


def board():
    return version_debugger(line=5)


def click(page, name):
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("script", ["b * b", "a view"])
@pytest.mark.parametrize("then", [None, "compare all", "through .data"])
def test_the_card_is_in_sight_as_a_whole(visit_board, script, then):
    page = visit_board()
    page.locator(".presets button", has_text=script).click()
    page.keyboard.press("End")
    if then:
        click(page, then)
    assert page.locator(".card").bounding_box()["height"] <= 656
    screenshot(page, f"versions-{then or 'error'}")


ROOM = 599  # how high a notebook is seen in JupyterLab, in a window of 1280 x 720
BESIDE_FILES, ALONE = 848, 1085  # how wide a card is there, beside the list of files and without it


@pytest.mark.parametrize("width", [BESIDE_FILES, ALONE])
@pytest.mark.parametrize("script", ["b * b", "exp's result", "a view", "no_grad"])
def test_lines_and_all_that_can_be_done_are_seen_at_once_in_jupyterlab(visit_board, script, width):
    page = visit_board(width=width + 16)  # the page has a margin
    page.locator(".presets button", has_text=script).click()
    page.keyboard.press("End")
    card, done = (page.locator(one).bounding_box() for one in (".card", ".actions"))
    assert abs(card["width"] - width) <= 1
    assert done["y"] + done["height"] - card["y"] <= ROOM
    assert card["height"] <= 750
    screenshot(page, f"versions-lab-{script[:3].strip()}-{width}")


@pytest.mark.parametrize("width", [1280, 850, 600])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_page_never_scrolls_sideways(visit_board, name, width):
    page = visit_board(name, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    turned = page.locator("table.turned").is_visible()
    assert turned == (width == 600)
    assert page.locator("table.timeline").is_visible() != turned
    screenshot(page, f"versions-{name}-{width}")


@pytest.mark.parametrize("width", [1280, 850, 800])
def test_the_line_that_is_shown_is_in_sight(visit_board, width):
    page = visit_board(width=width)
    page.locator(".presets button", has_text="a view").click()
    for key in ("End", "Home"):
        page.locator(".minigrad-board").focus()
        page.keyboard.press(key)
        box = page.locator(".timeline th.here").bounding_box()
        around = page.locator(".scroll").bounding_box()
        assert around["x"] <= box["x"]
        assert box["x"] + box["width"] <= around["x"] + around["width"] + 1


def test_no_ticket_and_no_head_is_cut(visit_board):
    page = visit_board()
    cut = page.locator(".ticket, .timeline th").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    )
    assert cut == []


def test_a_phrase_rings_what_it_points_at(visit_board):
    page = visit_board()
    page.locator('.phrase[data-key="E"]').focus()
    page.keyboard.press("Enter")
    assert sentence(page) == "b is at version 1 now."
    bead = page.locator(".timeline .bead.lit")
    assert (bead.count(), bead.inner_text()) == (1, "v1")
    assert page.evaluate("document.activeElement.dataset.key") == "E"
    page.keyboard.press("Enter")
    assert page.locator(".timeline .lit").count() == 0


def test_arrows_go_line_by_line_and_home_and_end_to_the_ends(visit_board):
    page = visit_board()
    page.locator(".minigrad-board").focus()
    page.keyboard.press("Home")
    assert page.locator(".place").inner_text().startswith("line 1 of 5")
    page.keyboard.press("ArrowRight")
    assert sentence(page) == "Line 2 makes b, at version 0. AddBackward0 keeps no tensor."
    page.keyboard.press("End")
    assert page.locator(".place").inner_text() == "line 5 of 5: loss.backward() stops"


def test_the_heads_of_lines_are_one_tab_stop(visit_board):
    page = visit_board()
    heads = page.locator("thead [data-to]")
    heads.nth(4).focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".place").inner_text().startswith("line 4 of 5")
    stops = [head.get_attribute("tabindex") for head in heads.all()]
    assert stops == ["-1", "-1", "-1", "0", "-1"]


def test_the_write_that_is_not_counted_looks_fine(visit_board):
    page = visit_board()
    click(page, "through .data")
    assert sentence(page).startswith("No error, and a wrong gradient: [1000, 5].")
    assert page.locator(".timeline .tape.hidden i").inner_text() == "changed, not counted"
    assert "It looks fine." in page.locator(".timeline .found").inner_text()


def test_as_text_has_the_message_and_the_tickets(visit_board):
    page = visit_board()
    page.locator(".minigrad-board").focus()
    page.keyboard.press("t")
    text = page.locator("pre").inner_text()
    assert "MulBackward0 keeps b at version 0, twice" in text
    assert "✗ MulBackward0: kept v0, now v1" in text
    assert re.search(r"RuntimeError: one of the variables .* expected version 0 instead", text)


def test_ask_me_hides_the_decisive_line_until_an_answer_is_given(visit_board):
    page = visit_board()
    click(page, "ask me")
    assert sentence(page) == "Next comes line 5, loss.backward(). What will it do?"
    assert page.locator(".timeline .found").count() == 0
    assert page.locator(".card").bounding_box()["height"] <= 656
    screenshot(page, "versions-ask")
    click(page, "through .data")
    click(page, "it stops")
    assert sentence(page).startswith("You said it stops. Not quite. No error, and a wrong gradient")
    assert page.locator(".card").bounding_box()["height"] <= 656
    screenshot(page, "versions-answered")
    click(page, "ask me")
    assert sentence(page).startswith("No error, and a wrong gradient")
