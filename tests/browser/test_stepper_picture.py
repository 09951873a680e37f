"""The stepper's card and its picture, measured: what touches what, how large, how high."""

import pytest

import minigrad as mg
from minigrad.trace import record
from tests.browser.harness import screenshot

PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
    '<body style="margin:0">{}</body>'
)


def case_1():
    x = mg.tensor(2.0, requires_grad=True)
    with record() as tape:
        a = x + 1
        b = x + 2
        y = a * b
    return mg.stepper(y, names={"x": x, "a": a, "b": b, "y": y}), tape


def model_003():
    input = mg.ones(2, 2)
    w1 = mg.tensor(2.0, requires_grad=True)
    w2 = mg.tensor(3.0, requires_grad=True)
    w3 = mg.tensor(4.0, requires_grad=True)
    l1 = input * w1
    l2 = l1 + w2
    l3 = l1 * w3
    l4 = l2 * l3
    loss = l4.mean()
    return mg.stepper(loss), None


def squares():
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x + x
    return mg.stepper(y), None


GRAPHS = {"case 1": case_1, "model 003": model_003, "x·x + x": squares}


@pytest.fixture(scope="module", params=GRAPHS)
def shown(request, chromium, tmp_path_factory):
    """A stepper on a page of 1280×720, and its frames."""
    w, tape = GRAPHS[request.param]()
    path = tmp_path_factory.mktemp("pictures") / "page.html"
    path.write_text(PAGE.format(w.html()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.goto(path.as_uri())
    page.locator(".minigrad-player .place").wait_for()
    del tape
    yield request.param, page, w.frames
    page.close()


MEASURE = """() => {
    const svg = document.querySelector(".figure svg");
    const seen = element => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && getComputedStyle(element).display !== "none"
            && getComputedStyle(element).visibility !== "hidden";
    };
    const rect = element => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return [left, right, top, bottom];
    };
    const points = path => {
        const matrix = path.getScreenCTM();
        const length = path.getTotalLength();
        return Array.from({ length: 101 }, (_, at) => {
            const point = path.getPointAtLength(length * at / 100).matrixTransform(matrix);
            return [point.x, point.y];
        });
    };
    const all = selector => [...svg.querySelectorAll(selector)].filter(seen);
    return {
        labels: all(".edge text").filter(text => text.textContent.trim()).map(text =>
            [text.textContent, rect(text)]),
        lines: all(".edge path.f, .edge path.g").map(path =>
            [path.closest("g[data-class]").id, path.classList.contains("g"), points(path)]),
        shapes: all(".o, .b, .m, .tray").map(rect),
        states: all(".state text").filter(text => text.textContent.trim()).map(rect),
        sizes: [...document.querySelectorAll(".card *")].filter(element =>
            element.textContent.trim() && seen(element)
            && [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
            .map(element => [parseFloat(getComputedStyle(element).fontSize)
                * (element.ownerSVGElement ? svg.getBoundingClientRect().width
                    / svg.viewBox.baseVal.width : 1), element.textContent.trim()]),
        card: rect(document.querySelector(".card")),
    };
}"""


@pytest.fixture(scope="module")
def measured(shown):
    """What the picture looks like at each step."""
    name, page, frames = shown
    page.locator(".minigrad-player").focus()
    page.keyboard.press("Home")
    steps = []
    for at in range(len(frames)):
        steps.append(page.evaluate(MEASURE))
        screenshot(page, f"stepper-{name}-{at + 1}".replace(" ", "-"))
        page.keyboard.press("ArrowRight")
    return steps


def holds(box, point, inside=0.0):
    left, right, top, bottom = box
    x, y = point
    return left + inside < x < right - inside and top + inside < y < bottom - inside


def overlap(one, other):
    wide = min(one[1], other[1]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[2], other[2])
    return wide > 1 and high > 1


def test_the_whole_card_is_seen(shown, measured):
    assert {tuple(step["card"]) for step in measured} == {tuple(measured[0]["card"])}
    top, bottom = measured[0]["card"][2:]
    assert bottom - top <= 600


def test_no_letter_is_smaller_than_12_px(measured):
    for step in measured:
        small = [text for size, text in step["sizes"] if size < 11.99]
        assert small == []


def test_no_label_lies_on_a_line(measured):
    for step in measured:
        for text, box in step["labels"]:
            struck = [key for key, _, line in step["lines"] if any(holds(box, p, 1) for p in line)]
            assert struck == [], text


def test_no_label_lies_on_a_block_a_state_or_another_label(measured):
    for step in measured:
        for at, (text, box) in enumerate(step["labels"]):
            others = [other for place, (_, other) in enumerate(step["labels"]) if place != at]
            for other in [*step["shapes"], *step["states"], *others]:
                assert not overlap(box, other), text


def test_the_two_arrows_of_an_edge_are_14_px_apart(measured):
    pairs = 0
    for step in measured:
        forward = {key: line for key, back, line in step["lines"] if not back}
        for key, back, line in step["lines"]:
            if not back:
                continue
            middle = line[50]
            gap = min(((x - middle[0]) ** 2 + (y - middle[1]) ** 2) ** 0.5 for x, y in forward[key])
            assert gap == pytest.approx(14, abs=1.5), key
            pairs += 1
    assert pairs > 0


def test_every_arrow_ends_at_an_outline(shown, measured):
    """The tip is drawn on; the line ends a head's length before it."""
    for step in measured:
        for key, _, line in step["lines"]:
            for point in (line[0], line[-1]):
                near = [box for box in step["shapes"] if holds(box, point, -13)]
                assert near, (key, point)


def test_the_numbers_on_the_arrows_are_those_of_the_frames(shown, measured):
    _, _, frames = shown
    for step, frame in zip(measured, frames, strict=True):
        told = {
            labels.get("factor", "") + labels.get("sent", "")
            for key, labels in frame["labels"].items()
            if key.startswith("e") and labels.get("sent")
        }
        drawn = {text for text, _ in step["labels"]}
        assert {"".join(text.split()) for text in told} <= {"".join(t.split()) for t in drawn}


def test_a_label_on_two_lines_has_its_arrow_before_the_number_at_every_step(chromium, tmp_path):
    w, _tape = model_003()
    (tmp_path / "page.html").write_text(PAGE.format(w.html()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.goto((tmp_path / "page.html").as_uri())
    page.locator(".minigrad-player").focus()
    page.keyboard.press("ArrowRight")  # l4 sends to l2 and to l3
    second = page.locator(".figure .edge.now tspan[data-arrow]")
    told = {line.evaluate("one => one.previousSibling.textContent"): line for line in second.all()}
    assert {above: line.text_content() for above, line in told.items()} == {
        "×8": "→ all 2",
        "×5": "→ all 1.25",
    }
    page.keyboard.press("Home")
    assert page.locator(".figure tspan[data-arrow]").all_text_contents().count("") >= 2
    page.close()


def test_a_sum_without_a_place_is_told_without_its_terms_at_every_step(chromium, tmp_path):
    x, k = mg.tensor(3.0, requires_grad=True), mg.tensor(-2.0, requires_grad=True)
    s = x * k
    t = s + x
    w = mg.stepper(s * t - k * t)
    (tmp_path / "page.html").write_text(PAGE.format(w.html()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.goto((tmp_path / "page.html").as_uri())
    page.locator(".minigrad-player .place").wait_for()
    brief, told = page.locator("[data-brief]"), []
    for _frame in w.frames:
        told.append(brief.text_content())
        page.locator("button.main").click()
    page.close()
    assert list(dict.fromkeys(told)) == ["", "−3 + ?", "−7"]
