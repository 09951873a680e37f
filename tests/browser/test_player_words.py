"""The player on a plain page: what is spoken, asked, and told as text."""

import pytest

from minigrad.widgets.words import player_words
from tests.browser.player_pages import (
    PAGE,
    STEPS,
    boxes,
    click,
    more,
    place,
    players,
    press,
    sentence,
)
from tests.widgets.made_up import FINE, FRAMES, Figure, player


# --- What is spoken ------------------------------------------------------------------------------
def test_the_sentence_is_spoken_once_a_step(visit):
    page = visit()
    found = players(page)
    assert page.locator("[aria-live]").count() == 1
    found.locator("[aria-live]").evaluate(
        """line => {
            window.changes = 0;
            new MutationObserver(list => window.changes += list.length)
                .observe(line, { childList: true, characterData: true, subtree: true });
        }"""
    )
    for spoken in range(1, STEPS):
        press(found, "ArrowRight")
        assert page.evaluate("window.changes") == spoken


@pytest.mark.parametrize("width", [1100, 600])
def test_everything_has_a_name_and_keeps_its_keys(visit, width):
    page = visit(width=width)
    more(players(page))
    page.get_by_role("button", name="Ask me").last.click()
    press(players(page), "ArrowRight")
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, summary, [tabindex]")]
            .filter(element => element.dataset.lmSuppressShortcuts !== "true"
                || !(element.getAttribute("aria-label") || element.textContent.trim()
                     || element.labels?.[0]?.textContent.trim()))
            .map(element => element.outerHTML)"""
    )
    assert nameless == []
    assert page.get_by_role("group", name="Backward stepper for y").count() == 1
    assert page.locator(".figure svg > title").count() == 1
    assert page.locator(".figure svg > desc").text_content() == FRAMES[0]["sentence"]


def test_keys_are_named_by_their_buttons_and_in_the_menu(visit):
    found = players(visit())
    named = found.locator("[aria-keyshortcuts]").evaluate_all(
        "all => all.map(one => [one.getAttribute('aria-keyshortcuts'), one.title])"
    )
    assert dict(named) == {
        "Home": "To start (Home)",
        "ArrowLeft": "Back one step (←)",
        "ArrowRight": "Next (→)",
        "End": "To end (End)",
        "Space": "Play (Space)",
    }
    told = more(found).locator(".legend p").first.inner_text()
    assert all(key in told for key in ("← →", "Home", "End", "Space", "Esc", "1 2"))


def test_tables_have_row_headers(visit):
    found = players(visit())
    assert found.locator(".details td").count() == found.locator(".details th[scope=row]").count()
    assert found.locator(".details td").count() > 4


@pytest.mark.parametrize("width", [1100, 600])
def test_targets_are_big_enough(visit, width):
    """36 px are seen and 44 are hit."""
    found = players(visit(width=width))
    more(found)
    heights = found.evaluate(
        """found => [...found.querySelectorAll("button")].filter(b => b.offsetParent).map(b => {
            const { inset } = getComputedStyle(b, "::after");
            return b.getBoundingClientRect().height - 2 * parseFloat(inset);
        })"""
    )
    assert len(heights) > 6
    assert min(heights) >= 44
    assert found.get_by_role("slider").bounding_box()["height"] >= 44


def test_none_is_a_word_and_a_gradient_stands_out(visit):
    found = players(visit())
    assert found.locator(".details .none").first.inner_text() == "None"
    assert found.locator(".details b.gradient").first.inner_text() == "3"


# --- Questions, text, rules ----------------------------------------------------------------------
def test_a_question_comes_before_its_frame(visit):
    found = players(visit())
    click(found, "Ask me")
    question = FRAMES[1]["question"]
    press(found, "ArrowRight")
    assert place(found) == "step 1 of 4"
    assert sentence(found).startswith(question["text"])
    buttons = found.locator(".answers button")
    assert buttons.count() == len(question["options"])
    press(found, "1")
    assert sentence(found) == f"Not quite. {question['reply']}"
    press(found, "2")
    assert sentence(found) == f"Right. {question['reply']}"
    pressed = [button.get_attribute("aria-pressed") for button in buttons.all()]
    assert pressed == ["false", "true"]
    press(found, "ArrowRight")
    assert (place(found), sentence(found)) == ("step 2 of 4", FRAMES[1]["sentence"])
    assert buttons.count() == 0


def test_until_a_question_comes_its_place_says_so(visit):
    """Its room is kept, and would be an empty band."""
    found = players(visit())
    click(found, "Ask me")
    room, words = found.locator(".answers"), player_words()
    for shown in FRAMES[1:]:
        said = room.evaluate("e => getComputedStyle(e, '::before').content")
        assert said == f'"{words["asks" if shown["question"] else "asks_not"]}"'
        press(found, *["ArrowRight"] * (2 if shown["question"] else 1))
    assert place(found) == "step 4 of 4"
    assert room.evaluate("e => getComputedStyle(e, '::before').content") == '""'


@pytest.mark.parametrize("width", [1100, 600])
def test_what_comes_after_is_hidden_until_the_question_is_answered(visit, width):
    """It stood there until Next was pressed, and was asked for then."""
    found = players(visit(width=width))
    rows = found.locator("[data-section='1'] tbody")

    def hidden():
        return rows.evaluate("e => getComputedStyle(e).visibility") == "hidden"

    assert not hidden()
    if width < 640:
        more(found)
    found.page.get_by_role("button", name="Ask me").last.click()
    for step, coming in enumerate(FRAMES[1:], 1):
        asked = bool(coming["question"])
        assert hidden() is asked, step
        if not asked:
            press(found, "ArrowRight")
            continue
        press(found, "ArrowRight")
        assert hidden()
        press(found, "1")
        found.page.keyboard.press("Enter")
        assert not hidden()
        press(found, "t", "t")  # what is drawn anew keeps it
        assert not hidden()
        press(found, "ArrowRight")
    assert place(found) == "step 4 of 4"
    press(found, "Home")
    found.page.get_by_role("button", name="Ask me").last.click()
    assert not hidden()


@pytest.mark.parametrize(("typed", "word"), [("4", "Right."), ("5", "Not quite."), ("-4", "Not")])
def test_a_number_is_typed_and_the_arrows_go_on(visit, typed, word):
    found = players(visit())
    press(found, "ArrowRight")
    click(found, "Ask me")
    press(found, "ArrowRight", *typed)
    found.page.keyboard.press("Enter")
    assert sentence(found).startswith(word)
    assert sentence(found).endswith(FRAMES[2]["question"]["reply"])
    found.page.keyboard.press("ArrowRight")  # the box has given the focus back
    assert place(found) == "step 3 of 4"


def test_a_question_may_be_left_unanswered(visit):
    found = players(visit())
    click(found, "Ask me")
    press(found, "ArrowRight", "ArrowRight")
    assert place(found) == "step 2 of 4"
    press(found, "ArrowRight", "ArrowLeft")
    assert place(found) == "step 1 of 4"
    assert found.locator(".answers button, .answers input").count() == 0


@pytest.mark.parametrize("width", [1100, 600])
def test_questions_move_nothing_either(visit, width):
    found = players(visit(width=width))
    more(found)
    found.get_by_role("button", name="Ask me").last.click()
    press(found, "Escape")
    before = boxes(found, ".figure, .details")
    for _ in range(2 * STEPS):
        press(found, "ArrowRight")
        assert boxes(found, ".figure, .details") == before


def test_as_text(visit):
    found = players(visit())
    height = found.bounding_box()["height"]
    press(found, "t")
    assert not found.locator(".figure").is_visible()
    rows = found.locator(".listing tbody tr")
    assert rows.count() == 1
    assert found.bounding_box()["height"] == height
    press(found, "ArrowRight")
    assert rows.count() == 2
    assert FRAMES[1]["row"][0] in rows.nth(1).inner_text()
    assert rows.nth(1).get_attribute("aria-current") == "step"
    press(found, "t")
    assert found.locator(".figure").is_visible()


def test_a_question_outlives_a_look_at_the_text(visit):
    found = players(visit())
    click(found, "Ask me")
    press(found, "ArrowRight", "t", "t")
    assert sentence(found).startswith(FRAMES[1]["question"]["text"])


def test_without_a_drawing_there_is_a_tree(visit, files, monkeypatch):
    monkeypatch.setattr(Figure, "svg", lambda figure, styled=True: None)
    (files / "tree.html").write_text(PAGE.format("", player().html()), encoding="utf-8")
    found = players(visit("tree"))
    press(found, "End")
    assert ".grad 7" in found.locator("pre").inner_text()
    assert found.locator(".listing tbody tr").nth(3).is_visible()
    assert not found.get_by_role("button", name="As text").is_visible()
    press(found, "Home", "t")
    assert ".grad None" in found.locator("pre").inner_text()


def test_rules_in_three_spellings(visit):
    found = players(visit())
    choice = more(found).get_by_role("combobox", name="rules in")
    for spelling, text in FRAMES[0]["rules"].items():
        choice.select_option(spelling)
        assert found.locator(".details td").filter(has_text=text).count() == 1


def test_finer_steps(visit):
    found = players(visit())
    press(found, "ArrowRight")
    more(found).get_by_label("fine steps").check()
    assert place(found) == f"step 3 of {len(FINE)}"
    assert sentence(found) == FINE[2]["sentence"]


def test_finer_steps_that_are_not_stored_say_what_to_do(visit):
    found = players(visit("long"))
    assert more(found).get_by_label("fine steps").count() == 0


def test_kept_values_can_be_put_away(visit):
    found = players(visit())
    more(found).get_by_label("kept values").uncheck()
    assert not found.get_by_text("freed").is_visible()


def test_the_program_points_at_its_line(visit):
    found = players(visit("program"))
    lines = found.locator(".code li")
    at = []
    for _ in range(STEPS):
        at.append([line.get_attribute("aria-current") for line in lines.all()])
        press(found, "ArrowRight")
    assert at == [[None, None], [None, "step"], ["step", None], ["step", None]]
