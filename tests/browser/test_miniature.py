"""A picture that is larger than its box, and the miniature below it."""

import pytest

import minigrad as mg

PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
    '<body style="margin:0">{}</body>'
)


def chain(length):
    h = x = mg.tensor(1.5, requires_grad=True)
    for _ in range(length):
        h = h.sin()
    return mg.stepper(h, names={"x": x, "h": h})


@pytest.fixture
def page_of(chromium, tmp_path):
    def page_of(player):
        path = tmp_path / "page.html"
        path.write_text(PAGE.format(player.html()), encoding="utf-8")
        page = chromium.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        page.goto(path.as_uri())
        page.locator(".minigrad-player .place").wait_for()
        return page

    return page_of


def test_a_picture_that_is_seen_whole_has_no_miniature(page_of):
    page = page_of(chain(2))
    assert not page.locator(".miniature").is_visible()


def test_it_shows_what_runs_now_and_which_part_is_seen(page_of):
    page = page_of(chain(20))
    page.locator(".minigrad-player").focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    now = page.locator(".miniature .now").bounding_box()
    seen = page.locator(".miniature .seen").bounding_box()
    assert page.locator(".miniature .now").count() == 1
    assert seen["x"] <= now["x"]
    assert now["x"] + now["width"] <= seen["x"] + seen["width"] + 2
    assert page.locator(".miniature .done").count() == 6


def test_a_click_scrolls(page_of):
    page = page_of(chain(20))
    place = "() => document.querySelector('.figure').scrollLeft"
    page.locator(".miniature").click(position={"x": 860, "y": 8})
    right = page.evaluate(place)
    page.locator(".miniature").click(position={"x": 10, "y": 8})
    assert page.evaluate(place) == 0 < right
