"""Every board in a notebook beside JupyterLab's list of files, in a window of 1280 x 720 pixels.

There a card is 828 pixels wide and 599 are seen of it: buttons, sentence and picture have to be
among them, so that what a button changes is seen when it is pressed.
"""

import pytest

from minigrad import lessons
from minigrad.lessons import training
from tests.browser.boards import PAGE

WIDTH, SEEN = 828, 599
BOARDS = {
    "playground": lambda: lessons.playground("(2*x + 3)**2", x=1.0),
    "trays": lessons.trays,
    "trays of models": lambda: lessons.trays("nothing cut"),
    "v·J": lessons.vjp_viewer,
    "versions": lessons.version_debugger,
    "memory": lessons.memory_lab,
    "tower": lessons.tower,
    "tape": lessons.tape_viewer,
    "error curve": lessons.error_curve,
    "dashboard": training.dashboard,
}
LOWEST = """() => {
    const place = element => element.getBoundingClientRect();
    const top = place(document.querySelector(".card")).top;
    const seen = what => [...document.querySelectorAll(what)].find(one => place(one).height);
    return Object.fromEntries([".actions", ".sentence", ".part :is(svg, table)"]
        .map(what => [what, place(seen(what)).bottom - top]));
}"""
WIDE = "() => document.documentElement.scrollWidth"


def presses(page):
    """Press each choice and, after it, the first action; says what was pressed."""
    yield "nothing"
    choices = page.locator(".presets button")
    number = -1
    while (number := number + 1) < choices.count():  # some choices bring others
        choice = choices.nth(number)
        if choice.get_attribute("aria-disabled"):
            continue
        choice.click()
        yield (name := choice.inner_text())
        action = page.locator(".actions button:not([aria-disabled], .text-switch)")
        if action.count():
            action.first.click()
            yield f"{name}, {action.first.inner_text()}"


def opened(chromium, tmp_path, name):
    (tmp_path / "page.html").write_text(
        PAGE.format('style="margin:0"', BOARDS[name]().html()), encoding="utf-8"
    )
    page = chromium.new_page(viewport={"width": WIDTH, "height": 720})
    page.goto((tmp_path / "page.html").as_uri())
    page.locator(".minigrad-board .sentence").wait_for()
    return page


@pytest.mark.parametrize("name", BOARDS)
def test_buttons_sentence_and_picture_are_seen_at_once(chromium, tmp_path, name):
    page = opened(chromium, tmp_path, name)
    for pressed in presses(page):
        lowest = page.evaluate(LOWEST)
        assert max(lowest.values()) <= SEEN, (pressed, lowest)
        assert page.evaluate(WIDE) <= WIDTH, pressed
    page.close()


def test_the_message_of_the_version_debugger_is_seen_where_it_comes(chromium, tmp_path):
    """Its phrases are pressed, and point at the timeline above: all but the last line of them."""
    page = opened(chromium, tmp_path, "versions")
    for _line in range(4):
        page.get_by_role("button", name="one line on").click()
    boxes = [phrase.bounding_box() for phrase in page.locator(".message .phrase").all()]
    assert len(boxes) == 6
    assert all(box["y"] + box["height"] <= SEEN for box in boxes[:5])
    assert boxes[5]["y"] <= SEEN
    page.close()


@pytest.mark.parametrize("at", ["300", "0.97"])
def test_a_result_of_the_tape_and_its_box_stand_beside_the_curve(chromium, tmp_path, at):
    page = opened(chromium, tmp_path, "tape")
    page.get_by_role("button", name=at, exact=True).click()
    curve, result, box = (
        page.locator(what).bounding_box()
        for what in ("[data-key=curve].part", "[data-key=results].part", ".own input")
    )
    assert result["y"] == curve["y"]
    assert result["x"] >= curve["x"] + curve["width"]
    assert box["y"] + 22 <= SEEN  # its middle, with what was typed
    page.close()
