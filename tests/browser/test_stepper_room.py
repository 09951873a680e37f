"""Steppers whose picture or rows are large: the card stays in sight, and letters stay readable."""

import pytest

import minigrad as mg
from minigrad.nn import Linear, Sequential, Tanh
from minigrad.nn.functional import cross_entropy
from tests.browser import harness
from tests.browser.harness import screenshot

PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
    '<body style="margin:0">{}</body>'
)


def chain(length):
    h = x = mg.tensor(1.5, requires_grad=True)
    for _ in range(length):
        h = h.sin()
    return mg.stepper(h, names={"x": x, "h": h})


def third_derivative():
    x = mg.tensor(2.0, requires_grad=True)
    y = mg.tensor(3.0, requires_grad=True)
    (first,) = mg.autograd.grad(x * x * x * y, x, create_graph=True)
    (second,) = mg.autograd.grad(first, x, create_graph=True)
    return mg.stepper(second)


def three_floors():
    leaves = [mg.tensor(float(n), requires_grad=True) for n in range(1, 7)]
    a, b, c, d, e, f = leaves
    y = (a * b).exp() + (c * d).sin() * (e / f)
    return mg.stepper(y * a * c * e)


def second_derivative():
    """With its rows it is a few pixels too high, and to see half of it would save none."""
    x = mg.tensor(2.0, requires_grad=True)
    y = mg.tensor(3.0, requires_grad=True)
    start = mg.tensor(1.0)
    with mg.watch():
        (first,) = mg.autograd.grad(x * x * y, x, start, create_graph=True)
    return mg.stepper(first, ask=True, rules="words")


def squares():
    """Its numbers make long rows beside a tall picture."""
    x = mg.tensor([1.0, 2.0, 3.0, 4.5], requires_grad=True)
    with mg.watch():
        y = x * x + 2
        z = y.view(2, 2)
    return mg.stepper(z, mg.tensor([[1.0, 0.1], [1.0, 0.01]]), rules="words")


def network():
    net = Sequential(Linear(4, 6), Tanh(), Linear(6, 3))
    with mg.watch(net):
        loss = cross_entropy(net(mg.ones(8, 4)), mg.zeros(8, dtype=mg.int64))
    return mg.stepper(loss)


def linear():
    mg.manual_seed(0)
    model = Linear(2, 1)
    with mg.watch(model):
        loss = model(mg.ones(1, 2)).square().mean()
    return mg.stepper(loss)


@pytest.fixture(scope="module")
def with_bars(chromium):
    """A driven browser hides the bars of what scrolls; those of readers do not, and lie over it."""
    browser = chromium.browser_type.launch(
        executable_path=harness.find_browser(),
        args=harness.BROWSER_FLAGS,
        ignore_default_args=["--hide-scrollbars"],
    )
    yield browser
    browser.close()


@pytest.fixture
def page_of(with_bars, tmp_path):
    pages = []

    def page_of(player, width=1280, height=720):
        path = tmp_path / "page.html"
        path.write_text(PAGE.format(player.html()), encoding="utf-8")
        size = {"width": width, "height": height}
        page = with_bars.new_page(viewport=size, reduced_motion="reduce")
        pages.append(page)
        page.goto(path.as_uri())
        page.locator(".minigrad-player .place").wait_for()
        return page

    yield page_of
    for page in pages:
        page.close()


SMALLEST_LETTERS = """() => Math.min(...[...document.querySelectorAll(".card *")]
    .filter(element => element.getBoundingClientRect().width > 0
        && [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
    .map(element => {
        const svg = element.ownerSVGElement;
        const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
        return parseFloat(getComputedStyle(element).fontSize) * scale;
    }))"""


@pytest.mark.parametrize("width", [1280, 900, 700])
def test_no_letter_of_a_picture_that_is_too_wide_is_smaller_than_12_px(page_of, width):
    page = page_of(chain(4), width)
    assert page.evaluate(SMALLEST_LETTERS) >= 11.99
    # On a wide page the card is as wide as its picture.
    assert page.locator(".miniature").is_visible() == (width < 1280)
    screenshot(page, f"stepper-too-wide-{width}")


def card(page):
    return page.locator(".minigrad-player > .card").bounding_box()


def adversaries():
    """Two networks, one of which runs twice: a tall picture, and headings of two lines."""
    make = Sequential(Linear(2, 4), Tanh(), Linear(4, 3))
    judge = Sequential(Linear(3, 4), Tanh(), Linear(4, 1))
    with mg.watch(make, judge):
        fake = make(mg.ones(5, 2))
        loss = judge(mg.ones(5, 3)).exp().mean() + judge(fake.detach()).exp().mean()
    return mg.stepper(loss)


@pytest.mark.parametrize(
    "make", [third_derivative, three_floors, network, adversaries, second_derivative]
)
def test_the_card_of_a_tall_picture_stays_in_sight(page_of, make):
    page = page_of(make(), 848 if make is second_derivative else 1280)
    before = card(page)
    assert before["height"] <= 660
    for _ in range(4):
        page.locator(".minigrad-player").focus()
        page.keyboard.press("ArrowRight")
        assert card(page) == before
    seen = page.locator(".figure").first.bounding_box()["height"]
    whole = page.locator(".figure svg").first.bounding_box()["height"]
    least = 300 if make is second_derivative else 220
    assert seen >= min(whole, least)
    screenshot(page, f"stepper-tall-{make.__name__}")


def test_a_picture_that_scrolls_sideways_is_seen_in_its_whole_height(page_of):
    """The rows, their headings and the miniature give way: nobody scrolls in both directions."""
    page = page_of(linear(), 833)
    box = page.locator(".figure").first
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") > 100
    for _ in range(6):
        assert box.evaluate("box => box.scrollHeight - box.clientHeight") == 0
        assert card(page)["height"] <= 680
        page.locator(".minigrad-player").focus()
        page.keyboard.press("ArrowRight")
    screenshot(page, "stepper-wide-and-tall")


def test_a_higher_window_shows_more_of_a_tall_picture(page_of):
    low = page_of(third_derivative())
    high = page_of(third_derivative(), height=1200)
    height = "() => document.querySelector('.figure').clientHeight"
    assert high.evaluate(height) > low.evaluate(height) + 200
    assert card(high)["height"] <= 1200


def attention():
    x = mg.tensor([[1.0, 0.5], [-0.3, 2.0], [0.7, -1.1]])
    first, second, third = (mg.ones(2, 2).add(n / 7).requires_grad_() for n in range(3))
    scores = (x @ first) @ (x @ second).T / 2
    out = mg.softmax(scores, dim=-1) @ (x @ third)
    return mg.stepper((out**2).mean(), names={"x": x, "a": first, "b": second, "c": third})


def recurrent():
    w, u = mg.tensor(0.9, requires_grad=True), mg.tensor(0.5, requires_grad=True)
    h = mg.tensor(0.0)
    for number in (0.1, -0.4, 0.3):
        h = mg.tanh(w * h + u * number)
    return mg.stepper((h - 0.7) ** 2, names={"w": w, "u": u, "h": h})


OUT_OF_SIGHT = """() => {
    const figure = document.querySelector(".figure");
    const box = figure.getBoundingClientRect();
    const out = element => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        return width > 0 && (left < box.left - 1 || right > box.left + figure.clientWidth + 1
            || top < box.top - 1 || bottom > box.top + figure.clientHeight + 1);
    };
    const names = ["now", "ready", "waiting"];
    return Object.fromEntries(names.map(name => [name,
        [...document.querySelectorAll(`.figure g.${name}:not(.edge)`)].filter(out)
            .map(({ id }) => id.split("-").at(-1))]));
}"""


@pytest.mark.parametrize("make", [attention, recurrent, linear])
@pytest.mark.parametrize("width", [1280, 833, 600])
def test_the_node_at_work_and_what_it_sends_to_are_in_sight(page_of, make, width):
    w = make()
    page = page_of(w, width)
    page.locator(".minigrad-player").focus()
    leaves = {value.key for value in w.trace.graph.values if value.leaf}
    sent = 0
    for frame, turn in zip(w.frames, w.trace.turns):
        hidden = page.evaluate(OUT_OF_SIGHT)
        assert hidden["now"] == [], frame["sentence"]
        index = w.trace.graph.index
        sources = {index.edges[send.edge].source for send in turn.sends} - leaves
        receivers = {index.maker[source].key for source in sources}
        sent += len(receivers)
        if len(receivers) == 1:  # of several the farthest may have no room
            assert not receivers & {*hidden["ready"], *hidden["waiting"]}, frame["sentence"]
        page.keyboard.press("ArrowRight")
    assert sent >= 3


def test_a_picture_that_nearly_fits_is_not_cut(page_of):
    net = Sequential(Linear(3, 4), Tanh(), Linear(4, 1))
    with mg.watch(net):
        loss = mg.nn.functional.mse_loss(net(mg.ones(5, 3)), mg.zeros(5, 1))
    page = page_of(mg.stepper(loss, names={}))
    box = page.locator(".figure").first
    assert box.evaluate("box => box.scrollHeight - box.clientHeight") == 0
    assert card(page)["height"] <= 680


def four_leaves():
    x, y, c, d = (mg.tensor(value, requires_grad=True) for value in (2.0, 3.0, 1.0, 2.0))
    return mg.stepper((x + c) * (y + d), names={"x": x, "y": y, "c": c, "d": d})


@pytest.mark.parametrize("width", [1280, 848])
def test_a_box_is_as_high_as_its_picture_where_that_costs_less_than_a_miniature(page_of, width):
    page = page_of(four_leaves(), width)
    box = page.locator(".figure").first
    assert box.evaluate("box => box.scrollHeight - box.clientHeight") == 0
    assert page.locator(".miniature").is_hidden()
    assert card(page)["height"] <= 680


def test_what_is_cut_has_a_sign(page_of):
    """A box that scrolls draws a line at the side where there is more."""
    page = page_of(third_derivative())
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".section > div, .figure, .listing")]
            .filter(box => box.scrollHeight > box.clientHeight + 1)
            .map(box => getComputedStyle(box).backgroundAttachment)"""
    )
    assert cut
    assert all("local" in attachment and "scroll" in attachment for attachment in cut)


# --- As text ---------------------------------------------------------------------------------


def test_text_says_what_a_reader_sees(page_of):
    page = page_of(network())
    player = page.locator(".minigrad-player")
    player.focus()
    page.keyboard.press("End")
    page.keyboard.press("t")
    rows = page.locator(".listing tbody tr").all_inner_texts()
    assert rows[0].split("\t")[1:3] == ["NllLossBackward0 of loss", "the start"]
    assert rows[0].split("\t")[2] == "the start"
    assert "-" not in "".join(rows)
    assert any("−" in row for row in rows)
    broken = page.evaluate(
        """() => {
            const broken = [];
            const rows = document.querySelector(".listing tbody");
            const texts = document.createTreeWalker(rows, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const { data } = texts.currentNode;
                for (const { 0: word, index } of data.matchAll(/[A-Za-z]+\\d*/g)) {
                    const range = document.createRange();
                    range.setStart(texts.currentNode, index);
                    range.setEnd(texts.currentNode, index + word.length);
                    if (range.getClientRects().length > 1) broken.push(word);
                }
            }
            return broken;
        }"""
    )
    assert broken == []
    screenshot(page, "stepper-as-text")


def test_the_heading_of_the_steps_stays_in_sight(page_of):
    page = page_of(third_derivative(), 833)
    page.locator(".minigrad-player").focus()
    page.keyboard.press("End")
    page.keyboard.press("t")
    above, steps, tree = page.evaluate(
        """() => {
            const box = document.querySelector(".listing .steps");
            const head = box.querySelector("thead th").getBoundingClientRect();
            const pre = document.querySelector(".listing pre");
            return [head.top - box.getBoundingClientRect().top, box, pre].map(found =>
                found.tagName ? [found.scrollHeight, found.clientHeight] : found);
        }"""
    )
    assert steps[0] > steps[1] + 40
    assert 0 <= above < 1
    assert tree[1] <= tree[0]  # no room stays free below the graph


def lines(page, mark):
    return page.locator(f".listing .line.{mark}").all_inner_texts()


def test_the_graph_as_text_says_where_the_pass_is(page_of):
    w = recurrent()
    page = page_of(w)
    page.locator(".minigrad-player").focus()
    page.keyboard.press("t")
    page.keyboard.press("ArrowRight")
    (now,) = lines(page, "now")
    came = w.frames[1]["labels"][w.trace.turns[1].node]["came"]
    assert now.startswith("h−0.7 ≈ ")
    assert now.endswith(f"made by − 0.7 from h (SubBackward0)   [now: {came}]")
    assert len(lines(page, "done")) == 1
    assert page.locator(".listing .line", has_text="w = 0.9").inner_text().endswith(".grad None")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        inside = page.evaluate(
            """() => {
                const box = document.querySelector(".listing pre").getBoundingClientRect();
                const line = document.querySelector(".line.now").getBoundingClientRect();
                return line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
            }"""
        )
        assert inside, lines(page, "now")
    page.keyboard.press("End")
    leaf = page.locator(".listing .line", has_text="w = 0.9").inner_text()
    assert f".grad {w.go(-1).trays['w']}   [now: " in leaf
    assert w.trays["w"] != "None"
    screenshot(page, "stepper-recurrent-as-text")


def test_the_menu_explains_the_signs_that_are_in_sight(page_of):
    page = page_of(recurrent())
    page.get_by_role("button", name="More").click()
    _keys, only = page.locator(".legend p").all_inner_texts()
    assert only.startswith("≈ rounded to three digits")
    page.keyboard.press("Escape")
    page = page_of(attention())
    page.locator(".minigrad-player").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="More").click()
    assert [text[0] for text in page.locator(".legend p").all_inner_texts()] == ["K", "≈", "‖"]
    screenshot(page, "stepper-signs")


def test_code_in_a_note_is_set_as_code(page_of):
    x = mg.tensor(2.0, requires_grad=True)
    page = page_of(mg.stepper(((x + 5) * 2 + 1).exp(), names={"x": x}))
    assert page.locator(".note code").inner_text() == "with mg.watch():"
    assert "`" not in page.locator(".note").inner_text()


def case_1():
    x = mg.tensor(2.0, requires_grad=True)
    with mg.watch():
        a = x + 1
        b = x + 2
        y = a * b
    return mg.stepper(y)


def test_in_a_narrow_card_a_picture_that_is_a_little_too_wide_is_smaller_and_whole(page_of):
    page = page_of(case_1(), 485)
    box = page.locator(".figure").first
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert box.locator("svg").bounding_box()["width"] < 460
    assert not page.locator(".miniature").is_visible()
    screenshot(page, "stepper-narrow-whole")
    much_too_wide = page_of(chain(4), 485)
    svg = much_too_wide.locator(".figure svg").first
    whole = svg.evaluate("svg => svg.viewBox.baseVal.width")
    assert svg.bounding_box()["width"] == pytest.approx(0.9 * whole, abs=1)


def test_the_frame_in_a_miniature_is_closed(page_of):
    page = page_of(chain(20), 848)
    small = page.locator(".miniature")
    assert small.evaluate("svg => getComputedStyle(svg).overflow") == "visible"


def test_a_picture_that_is_wider_than_its_box_has_a_map_where_rows_can_give_way(page_of):
    page = page_of(linear(), 863)  # with the bar of the page
    assert page.locator(".miniature").is_visible()
    assert card(page)["height"] <= 672


def test_as_text_the_table_has_what_is_free_beside_the_rows_and_says_what_is_above(page_of):
    page = page_of(case_1(), 848)
    page.get_by_role("button", name="As text", exact=True).click()
    free = page.evaluate(
        """() => {
            const [view, listing] = [".view", ".listing"].map(name =>
                document.querySelector(name).getBoundingClientRect());
            return view.height - listing.height;
        }"""
    )
    assert abs(free) < 2
    page.close()
    page = page_of(chain(20), 848)
    page.get_by_role("button", name="As text", exact=True).click()
    shade = "() => getComputedStyle(document.querySelector('.steps thead th'), '::after').content"
    assert page.evaluate(shade) == "none"
    page.locator(".minigrad-player").focus()
    page.keyboard.press("End")
    page.wait_for_function(f"({shade})() !== 'none'")


def test_beside_a_tall_picture_no_row_hides_above_empty_space(page_of):
    page = page_of(squares(), 848)
    page.locator(".minigrad-player").focus()
    heights = {card(page)["height"]}
    for step in range(1, 5):
        hidden = page.evaluate(
            """() => [...document.querySelectorAll(".section > div")]
                .map(rows => rows.scrollHeight - rows.clientHeight)"""
        )
        assert hidden == [0, 0, 0], step
        page.keyboard.press("ArrowRight")
        heights.add(card(page)["height"])
    assert len(heights) == 1
