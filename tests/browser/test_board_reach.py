"""Every board in a notebook beside JupyterLab's list of files, in a window of 1280 x 720 pixels.

There a card is 828 pixels wide and 599 are seen of it: buttons, sentence and picture have to be
among them, so that what a button changes is seen when it is pressed.
"""

import pytest

from minigrad import lessons
from minigrad.lessons import training
from tests.browser.boards import PAGE

WIDTH, SEEN = 828, 599
NARROW = 454  #: a card in a window of 600 pixels without the list of files
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
DRAWN = [name for name in BOARDS if name not in ("v·J", "versions")]  #: the others are tables
LOWEST = """() => {
    const place = element => element.getBoundingClientRect();
    const top = place(document.querySelector(".card")).top;
    const seen = what => [...document.querySelectorAll(what)].find(one => place(one).height);
    return Object.fromEntries([".actions", ".sentence", ".part :is(svg, table)"]
        .map(what => [what, place(seen(what)).bottom - top]));
}"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll("svg")]
    .filter(one => one.clientWidth).flatMap(one => [...one.querySelectorAll("text")]
        .map(text => parseFloat(getComputedStyle(text).fontSize)
            * one.getBoundingClientRect().width / one.viewBox.baseVal.width)))"""
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
def test_a_result_of_the_tape_and_its_box_stand_below_the_sentence(chromium, tmp_path, at):
    page = opened(chromium, tmp_path, "tape")
    page.get_by_role("button", name=at, exact=True).click()
    curve, result, box = (
        page.locator(what).bounding_box()
        for what in ("[data-key=curve].part", "[data-key=results].part", ".own input")
    )
    assert result["y"] == curve["y"]
    assert result["x"] >= curve["x"] + curve["width"]
    said = page.locator(".sentence").bounding_box()
    assert 0 <= result["y"] - said["y"] - said["height"] <= 10
    assert box["y"] + box["height"] <= result["y"] + result["height"] <= SEEN - 150
    page.close()


def test_lines_and_tape_are_seen_below_it_and_other_runs_are_folded(chromium, tmp_path):
    page = opened(chromium, tmp_path, "tape")
    for part in ("lines", "tape"):
        box = page.locator(f"[data-key={part}].part").bounding_box()
        assert box["y"] + box["height"] <= SEEN, part
    runs = page.locator(".graphs-fold")
    assert runs.bounding_box()["height"] < 60
    runs.locator("summary").click()
    assert runs.locator("tr.here").inner_text().startswith("▶ 300")
    page.set_viewport_size({"width": 1200, "height": 720})  # there they stand beside the tape
    assert not runs.is_visible()
    assert page.locator("table.graphs").first.is_visible()
    page.close()


ASKING = [
    ("v·J", "ask me"),
    ("memory", "Ask me"),
    ("trays", "Ask me"),
    ("trays of models", "Ask me"),
]


@pytest.mark.parametrize(("name", "ask"), ASKING)
def test_the_boxes_for_an_answer_are_seen_with_the_question_and_the_buttons(
    chromium, tmp_path, monkeypatch, name, ask
):
    board = BOARDS[name]().press(ask)
    board._start = board._key  # pages without a kernel have no questions
    monkeypatch.setitem(BOARDS, name, lambda: board)
    page = opened(chromium, tmp_path, name)
    guesses = "input[data-input=guess], td.g input, [data-input=guess] ~ button, td.why button"
    boxes = [found.bounding_box() for found in page.locator(guesses).all()]
    assert boxes
    assert max(box["y"] + box["height"] for box in boxes) <= 520
    page.set_viewport_size({"width": NARROW, "height": 720})
    for row in page.locator("tr:has(td.g input)").all():  # no name of a node lies over a box
        box, kind = row.locator("input").bounding_box(), row.locator("td.kind").bounding_box()
        assert box["x"] + box["width"] <= kind["x"]
    page.close()


@pytest.mark.parametrize(("name", "parts"), [("trays", 3), ("trays of models", 2)])
def test_the_table_of_trays_follows_on_the_picture_and_code_is_folded_below_it(
    chromium, tmp_path, name, parts
):
    """What a press leaves is seen in picture and table; two presses make the code longer."""
    page = opened(chromium, tmp_path, name)
    page.locator(".actions button").first.click()
    page.locator(".actions button").first.click()
    seen = page.locator(".part:visible")
    assert seen.count() == parts + 1
    picture, table, fold = (seen.nth(n).bounding_box() for n in (0, parts - 1, parts))
    assert 0 <= table["y"] - picture["y"] - picture["height"] <= 10
    assert table["y"] + 130 <= SEEN  # its head and the first three tensors
    assert fold["height"] < 60
    page.get_by_text("Code of this setting").and_(page.locator("summary")).click()
    assert ".backward()" in page.locator(".trays-fold pre").inner_text()
    page.close()


@pytest.mark.parametrize("width", [WIDTH, NARROW])
@pytest.mark.parametrize("name", DRAWN)
def test_no_text_in_a_picture_is_smaller_than_twelve_pixels(chromium, tmp_path, name, width):
    page = opened(chromium, tmp_path, name)
    page.set_viewport_size({"width": width, "height": 720})
    for pressed in presses(page):
        assert page.evaluate(SMALLEST) > 11.99, pressed
    page.close()


def test_at_600_pixels_each_row_of_trays_says_which_value_is_its_grad(chromium, tmp_path):
    page = opened(chromium, tmp_path, "trays of models")
    page.set_viewport_size({"width": 454, "height": 720})
    said = "getComputedStyle(document.querySelector('td.g'), '::before').content"
    assert page.evaluate(said) == '".grad "'
    page.close()


#: The memory lab has six settings, and takes three rows for them.
ONE_ROW = [name for name in BOARDS if name not in ("memory", "dashboard")]
ROWS = """() => [...document.querySelectorAll(".card > .groups")].map(row =>
    new Set([...row.querySelectorAll("button")].filter(one => one.offsetHeight
        && !one.matches(".text-switch")).map(one => one.offsetTop
        + one.closest(".group").offsetTop)).size)"""


@pytest.mark.parametrize("name", ONE_ROW)
def test_no_button_is_left_over_in_a_row_of_its_own(chromium, tmp_path, name):
    page = opened(chromium, tmp_path, name)
    for pressed in presses(page):
        if not pressed.startswith("ask me"):  # answers stand above the ways to write
            assert max(page.evaluate(ROWS)) == 1, pressed
    page.close()


def test_all_ways_to_write_a_line_are_compared_in_sight(chromium, tmp_path):
    """The last of them, through `.data`, is the answer to the question that the lesson asks."""
    page = opened(chromium, tmp_path, "versions")
    page.get_by_role("button", name="compare all").click()
    last = page.locator("table.ways tr").last
    assert "through" in last.inner_text()
    box = last.bounding_box()
    assert box["y"] + box["height"] <= SEEN
    page.close()


@pytest.mark.parametrize(
    ("name", "box"), [("playground", ".graph"), ("tower", ".floors"), ("trays", ".part")]
)
def test_a_picture_that_scrolls_sideways_has_a_shade_where_more_is_hidden(
    chromium, tmp_path, name, box
):
    page = opened(chromium, tmp_path, name)
    page.set_viewport_size({"width": 420, "height": 720})
    found = page.locator(box).filter(has=page.locator("svg:visible")).first
    assert found.evaluate("one => one.scrollWidth > one.clientWidth")
    shade = found.evaluate("one => getComputedStyle(one).background")
    assert shade.count("linear-gradient") == 8
    assert "local" in shade
    page.close()


def test_the_graph_of_the_playground_is_seen_with_the_buttons(chromium, tmp_path):
    """Its gradients are what a nudge is compared with."""
    page = opened(chromium, tmp_path, "playground")
    graph = page.locator(".graph").bounding_box()
    assert graph["y"] + graph["height"] <= SEEN
    page.close()


def test_the_sum_behind_an_entry_of_a_product_is_seen_with_the_buttons(chromium, tmp_path):
    page = opened(chromium, tmp_path, "v·J")
    for mode in ("v·J", "J·u"):
        page.get_by_role("button", name=mode, exact=True).click()
        box = page.locator(".written-out").bounding_box()
        assert box["y"] + box["height"] <= SEEN, mode
    page.close()


@pytest.mark.parametrize("text", ["x * x * y", "tanh(x)"])
def test_the_box_for_a_guess_stands_between_the_buttons_and_the_floors(chromium, tmp_path, text):
    """It builds a floor as the buttons do; below the picture it would be a screen away."""
    page = opened(chromium, tmp_path, "tower")
    page.get_by_role("button", name=text, exact=True).click()
    for _floor in range(2):
        page.get_by_role("button", name="grad(…, x, create_graph=True)").click()
        said, box, floors = (
            page.locator(what).bounding_box()
            for what in (".sentence", "[data-input=guess]", ".floors")
        )
        assert said["y"] + said["height"] <= box["y"]
        assert box["y"] + box["height"] <= floors["y"]
        assert box["y"] == page.locator("[data-input=text]").bounding_box()["y"]
    page.close()


def test_all_floors_are_scrolled_with_the_page_where_nothing_stands_beside_them(chromium, tmp_path):
    page = opened(chromium, tmp_path, "tower")
    page.get_by_role("button", name="tanh(x)", exact=True).click()
    for _floor in range(4):
        page.get_by_role("button", name="grad(…, x, create_graph=True)").click()
    page.locator(".sentence", has_text="34").wait_for()
    hidden = "one => one.scrollHeight - one.clientHeight"
    assert page.locator(".floors").evaluate(hidden) <= 1
    page.close()
