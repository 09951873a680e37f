"""The stepper on a plain page without a kernel: keys, clicks, questions, looks."""

import pytest

import minigrad as mg
from minigrad.widgets import stepper
from tests.browser.harness import screenshot

PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><body {}>{}</body>'
STEPS = 4


@pytest.fixture(scope="module")
def w():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return stepper(y, names={"x": x, "a": a, "b": b, "y": y})


@pytest.fixture(scope="module")
def files(w, tmp_path_factory):
    """Pages with one stepper, with two copies of it, and with a dark background."""
    folder = tmp_path_factory.mktemp("pages")
    html = w.html()
    pages = {
        "one": PAGE.format("", html),
        "two": PAGE.format("", html + html),
        "dark": PAGE.format('style="background:#111;color:#eee"', html),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def visit(chromium, files):
    """Opens a page: `visit("one", width=600)`. An error of a script fails the test."""
    contexts, errors = [], []

    def open_page(name="one", width=1100, height=900, **settings):
        context = chromium.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.clock.install()
        page.goto((files / f"{name}.html").as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def players(page):
    return page.locator(".minigrad-player")


def place(player):
    return player.locator(".place").inner_text()


def sentence(player):
    return player.locator(".sentence").inner_text()


def press(player, *keys):
    player.focus()
    for key in keys:
        player.page.keyboard.press(key)


def boxes(inside, what):
    """Where things are, relative to what they are in; None for what is not shown."""
    return inside.evaluate(
        """(inside, what) => {
            const origin = inside.getBoundingClientRect();
            return [...inside.querySelectorAll(what)].map(element => {
                const { x, y, width, height } = element.getBoundingClientRect();
                return width || height ? [x - origin.x, y - origin.y].map(Math.round) : null;
            });
        }""",
        what,
    )


# --- Moving ----------------------------------------------------------------------------------


def test_the_player_stands_at_the_first_step(visit, w):
    player = players(visit())
    assert place(player) == "step 1 of 4"
    assert sentence(player) == w.frames[0]["sentence"]
    assert player.locator("details").count() == 0


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        (["ArrowRight"], 2),
        (["ArrowRight", "ArrowRight", "ArrowLeft"], 2),
        (["End"], 4),
        (["End", "Home"], 1),
        (["ArrowLeft"], 1),
        (["End", "ArrowRight"], 4),
        (["n"], 2),
        (["End", "ArrowLeft", "N"], 4),
        (["ArrowDown", "ArrowUp", "a", "b"], 1),
    ],
)
def test_keys(visit, keys, step):
    player = players(visit())
    press(player, *keys)
    assert place(player) == f"step {step} of {STEPS}"


@pytest.mark.parametrize(
    ("buttons", "step"),
    [
        (["next step"], 2),
        (["next step", "next step", "one step back"], 2),
        (["last step"], 4),
        (["last step", "first step"], 1),
        (["jump to next send"], 2),
        (["jump to next leaf"], 4),
        (["jump to end"], 4),
        (["last step", "reset"], 1),
    ],
)
def test_buttons(visit, buttons, step):
    player = players(visit())
    for name in buttons:
        player.get_by_role("button", name=name, exact=True).click()
    assert place(player) == f"step {step} of {STEPS}"


def test_every_step_shows_its_frame(visit, w):
    player = players(visit())
    for frame in w.frames:
        assert sentence(player) == frame["sentence"]
        assert player.locator(".title").inner_text() == frame["title"]
        for label, text in frame["panel"] + frame["table"]:
            row = player.locator("tr", has=player.page.get_by_role("rowheader", name=label))
            assert text in row.filter(has_text=label).first.inner_text()
        for key, slots in frame["labels"].items():
            for slot, text in slots.items():
                found = player.locator(f'svg [id$="-{key}-{slot}"]')
                if found.count():  # a leaf and its accumulator are shown as one
                    assert found.text_content() == text
        press(player, "ArrowRight")


def test_the_leaf_ends_with_its_gradient(visit):
    player = players(visit())
    press(player, "End")
    assert ".grad 7" in player.locator(".figure svg").text_content()


def test_the_slider(visit):
    player = players(visit())
    slider = player.get_by_role("slider", name="step")
    slider.focus()
    player.page.keyboard.press("ArrowRight")
    player.page.keyboard.press("ArrowRight")
    assert place(player) == "step 3 of 4"
    assert slider.get_attribute("aria-valuetext") == "step 3 of 4"
    box = slider.bounding_box()
    player.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    assert place(player) == "step 4 of 4"


def test_focus_stays_where_it_is(visit):
    page = visit()
    following = page.get_by_role("button", name="next step")
    following.focus()
    for _ in range(STEPS):
        page.keyboard.press("Enter")
        assert following.evaluate("button => button === document.activeElement")


def test_escape_leaves(visit):
    player = players(visit())
    press(player, "Escape")
    assert not player.evaluate("player => player.contains(document.activeElement)")


def test_it_never_plays_by_itself(visit):
    page = visit()
    page.clock.run_for(60_000)
    assert place(players(page)) == "step 1 of 4"


def test_playing_goes_on_and_stops_at_the_end(visit):
    page = visit()
    player = players(page)
    press(player, " ")
    assert page.get_by_role("button", name="pause").is_visible()
    page.clock.run_for(1_700)
    assert place(player) == "step 2 of 4"
    press(player, " ")
    page.clock.run_for(10_000)
    assert place(player) == "step 2 of 4"
    page.get_by_role("button", name="play").click()
    page.clock.run_for(60_000)
    assert place(player) == "step 4 of 4"
    page.get_by_role("button", name="play").click()  # from the end it starts over
    assert place(player) == "step 1 of 4"


def test_speed(visit):
    page = visit()
    page.get_by_role("combobox", name="speed").select_option("4")
    page.get_by_role("button", name="play").click()
    page.clock.run_for(900)
    assert place(players(page)) == "step 3 of 4"


# --- Two copies ------------------------------------------------------------------------------


def test_two_copies_do_not_interfere(visit):
    page = visit("two")
    one, two = players(page).nth(0), players(page).nth(1)
    press(one, "ArrowRight", "t")
    press(two, "End")
    assert [place(one), place(two)] == ["step 2 of 4", "step 4 of 4"]
    assert one.locator(".listing").is_visible()
    assert not two.locator(".listing").is_visible()
    assert "▶ now" in two.locator(".figure svg").text_content()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids)) > 0


# --- Nothing jumps ---------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1100, 600])
def test_nothing_moves_from_step_to_step(visit, width):
    player = players(visit(width=width))
    picture = player.locator(".figure svg")

    def look():
        shapes = boxes(picture, "ellipse, polygon, path, rect")
        return shapes + boxes(player, ".figure, .bar *, .sentence, .panel, .after")

    first = look()
    height = player.bounding_box()["height"]
    assert sum(box is not None for box in first) > 30
    for _ in range(STEPS - 1):
        press(player, "ArrowRight")
        pairs = zip(first, look(), strict=True)
        assert [pair for pair in pairs if None not in pair and pair[0] != pair[1]] == []
        assert player.bounding_box()["height"] == height


def test_what_happens_now_is_in_sight(visit):
    """On a narrow page the picture is wider than its box."""
    player = players(visit(width=400))
    for _ in range(STEPS):
        distance = player.evaluate(
            """player => {
                const box = player.querySelector(".figure").getBoundingClientRect();
                const now = player.querySelector("g.now:not(.edge)").getBoundingClientRect();
                return [now.right - box.left, box.right - now.left];
            }"""
        )
        assert min(distance) > 0
        press(player, "ArrowRight")


def test_a_narrower_page_is_measured_anew(visit):
    page = visit()
    player = players(page)
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_timeout(200)
    height = player.bounding_box()["height"]
    press(player, "End")
    assert player.bounding_box()["height"] == height


# --- What is spoken --------------------------------------------------------------------------


def test_the_sentence_is_spoken_once_a_step(visit):
    page = visit()
    player = players(page)
    assert page.locator("[aria-live]").count() == 1
    player.locator("[aria-live]").evaluate(
        """line => {
            window.changes = 0;
            new MutationObserver(list => window.changes += list.length)
                .observe(line, { childList: true, characterData: true, subtree: true });
        }"""
    )
    for spoken in range(1, STEPS):
        press(player, "ArrowRight")
        assert page.evaluate("window.changes") == spoken


def test_everything_has_a_name_and_keeps_its_keys(visit):
    page = visit()
    page.get_by_label("ask me").check()
    press(players(page), "ArrowRight")
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, [tabindex]")]
            .filter(element => element.dataset.lmSuppressShortcuts !== "true"
                || !(element.getAttribute("aria-label") || element.textContent.trim()
                     || element.labels?.[0]?.textContent.trim()))
            .map(element => element.outerHTML)"""
    )
    assert nameless == []
    assert page.get_by_role("group", name="Backward stepper for y").count() == 1
    # A picture with a name, and a description that is the sentence of the step.
    picture = page.locator(".figure svg[role=img]")
    assert picture.locator("> title").count() == 1


def test_tables_have_row_headers(visit):
    player = players(visit())
    assert player.locator(".side td").count() == player.locator(".side th[scope=row]").count() > 4


def test_targets_are_big_enough(visit):
    player = players(visit(width=600))
    sizes = player.locator("button:visible, select:visible, input[type=range]:visible")
    for control in sizes.all():
        assert control.bounding_box()["height"] >= 44


# --- Questions, text, rules ------------------------------------------------------------------


def test_a_question_comes_before_its_frame(visit, w):
    page = visit()
    player = players(page)
    page.get_by_label("ask me").check()
    question = w.frames[1]["question"]
    press(player, "ArrowRight")
    assert place(player) == "step 1 of 4"
    assert sentence(player).startswith(question["text"])
    buttons = player.locator(".answers button")
    assert buttons.count() == len(question["options"])
    wrong = (question["answer"] + 1) % len(question["options"])
    press(player, str(wrong + 1))
    assert sentence(player) == f"Not this one. {question['reply']}"
    press(player, str(question["answer"] + 1))
    assert sentence(player) == f"Yes. {question['reply']}"
    press(player, "ArrowRight")
    assert (place(player), sentence(player)) == ("step 2 of 4", w.frames[1]["sentence"])
    assert buttons.count() == 0


def test_a_number_is_typed(visit, w):
    page = visit()
    player = players(page)
    at = next(i for i, f in enumerate(w.frames) if (f["question"] or {}).get("kind") == "number")
    question = w.frames[at]["question"]
    for _ in range(at - 1):
        press(player, "ArrowRight")
    page.get_by_label("ask me").check()
    press(player, "ArrowRight", *f"{question['answer']:g}")
    page.keyboard.press("Enter")
    assert sentence(player) == f"Yes. {question['reply']}"


def test_a_question_may_be_left_unanswered(visit):
    page = visit()
    player = players(page)
    page.get_by_label("ask me").check()
    press(player, "ArrowRight", "ArrowRight")
    assert place(player) == "step 2 of 4"
    press(player, "ArrowRight", "ArrowLeft")
    assert place(player) == "step 1 of 4"
    assert player.locator(".answers button, .answers input").count() == 0


def test_as_text(visit, w):
    page = visit()
    player = players(page)
    press(player, "t")
    assert not player.locator(".figure").is_visible()
    rows = player.locator(".listing tbody tr")
    assert rows.count() == STEPS
    assert [row.is_visible() for row in rows.all()] == [True, False, False, False]
    press(player, "ArrowRight")
    assert w.frames[1]["row"][0] in rows.nth(1).inner_text()
    assert rows.nth(1).get_attribute("aria-current") == "step"
    press(player, "t")
    assert player.locator(".figure").is_visible()


def test_a_question_outlives_a_look_at_the_text(visit, w):
    page = visit()
    player = players(page)
    page.get_by_label("ask me").check()
    press(player, "ArrowRight", "t", "t")
    assert sentence(player).startswith(w.frames[1]["question"]["text"])


def test_without_a_drawing_there_is_a_tree(visit, files, w, monkeypatch):
    monkeypatch.setattr("minigrad.viz.Figure.svg", lambda figure: None)
    html = type(w)(w.trace).html()
    assert "<svg" not in html
    (files / "tree.html").write_text(PAGE.format("", html), encoding="utf-8")
    player = players(visit("tree"))
    press(player, "End")
    assert ".grad 7" in player.locator("pre").inner_text()
    assert player.locator(".listing tbody tr").nth(3).is_visible()
    assert not player.get_by_label("as text", exact=True).is_visible()
    press(player, "Home", "t")
    assert ".grad None" in player.locator("pre").inner_text()


def test_rules_in_three_spellings(visit, w):
    page = visit()
    for spelling, text in w.frames[0]["rules"].items():
        page.get_by_role("combobox", name="rules").select_option(spelling)
        assert players(page).locator(".panel td").filter(has_text=text.split("\n")[0]).count()


def test_finer_steps(visit, w):
    page = visit()
    player = players(page)
    press(player, "ArrowRight")
    page.get_by_role("combobox", name="step by").select_option("fine")
    w.detail = "fine"
    fine, w.detail = w.frames, "coarse"
    at = next(i for i, frame in enumerate(fine) if frame["coarse"] == 1)
    assert place(player) == f"step {at + 1} of {len(fine)}"
    assert sentence(player) == fine[at]["sentence"]


# --- Looks -----------------------------------------------------------------------------------


def test_a_white_card_on_a_dark_page(visit):
    page = visit("dark", color_scheme="dark")
    player = players(page)
    press(player, "ArrowRight")
    colors = player.evaluate(
        "player => [getComputedStyle(player).backgroundColor, getComputedStyle(player).color]"
    )
    assert colors == ["rgb(255, 255, 255)", "rgb(17, 17, 17)"]
    for part in (".sentence", ".panel td", "button", "select"):
        color = player.locator(part).first.evaluate("part => getComputedStyle(part).color")
        assert color in ("rgb(17, 17, 17)", "rgb(85, 85, 85)")
    screenshot(page, "stepper-dark")


@pytest.mark.parametrize("width", [600, 320])
def test_a_narrow_page_loses_nothing(visit, width):
    """600 px is a small window; 320 px is what 400 % of zoom leaves of 1280."""
    page = visit(width=width)
    press(players(page), "ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    screenshot(page, f"stepper-{width}")


def test_twice_the_size(visit):
    page = visit(width=550, height=450, device_scale_factor=2)
    press(players(page), "ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") <= 550
    screenshot(page, "stepper-zoom")


def test_less_motion_means_none(visit):
    page = visit(reduced_motion="reduce")
    durations = page.evaluate(
        """() => [...document.querySelectorAll(".minigrad-player *")].flatMap(element => {
            const style = getComputedStyle(element);
            return [style.transitionDuration, style.animationDuration];
        })"""
    )
    assert set(durations) <= {"0s", "auto"}


def test_without_scripts_the_steps_unfold(visit, w):
    page = visit(java_script_enabled=False)
    assert page.locator("details").count() == STEPS
    page.locator("summary").nth(1).click()
    assert page.get_by_text(w.frames[1]["sentence"]).is_visible()
    screenshot(page, "stepper-no-scripts")


def test_a_picture_of_the_stepper(visit):
    page = visit()
    press(players(page), "ArrowRight")
    screenshot(page, "stepper-wide")
