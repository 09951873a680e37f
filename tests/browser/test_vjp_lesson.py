"""Lesson 04 as a learner meets it: run, a prediction, and the viewer with typed numbers."""

from tests.browser.boards import nothing_for_the_notebook, says
from tests.browser.harness import screenshot

LESSON = "04_many_outputs.ipynb"


def test_the_viewer_begins_with_the_weights_of_the_lesson(card):
    says(card, "x[1] gets 0.1 × 4 = 0.4.")
    assert card.locator("td.product").all_inner_texts() == ["2", "0.4", "6", "0.09"]
    screenshot(card.page, "lesson-04-viewer")


def test_a_typed_number_of_v_goes_through_a_real_pass(card):
    box = card.locator("[data-input=v1]")
    box.fill("-0.5")
    box.press("Enter")
    says(card, "x[1] gets −0.5 × 4 = −2.")
    assert card.locator("td.product").nth(1).inner_text() == "−2"
    box.fill("half")
    box.press("Enter")
    says(card, "number")


def test_tab_enters_a_number_of_v_and_a_button_takes_half_typed_ones_back(card):
    first, second = card.locator("[data-input=v0]"), card.locator("[data-input=v1]")
    second.fill("4")
    second.press("Tab")
    says(card, "gets")
    card.page.wait_for_function(
        "document.querySelectorAll('td.product')[1]?.textContent === '16'", timeout=15_000
    )
    first.fill("hal")
    card.locator("[data-input=v2]").focus()
    says(card, "number")
    card.get_by_role("button", name="ones", exact=True).click()
    card.page.wait_for_function(
        "document.querySelector('[data-input=v0]').value === '1'", timeout=15_000
    )
    assert second.input_value() == "1"


def test_a_function_of_ones_own_gets_its_table(card):
    card.locator("[data-input=f]").fill("sum(x) * x")
    card.locator("[data-input=x]").fill("1, 2, 3")
    card.get_by_role("button", name="show it").click()
    says(card, "x[0] gets")
    assert card.locator("td.product").all_inner_texts() == ["12", "12", "12"]
    card.locator("[data-input=f]").fill("x.__class__")
    card.locator("[data-input=f]").press("Enter")
    says(card, "A dot stands only inside a number")
    screenshot(card.page, "lesson-04-own")


def test_no_key_of_the_table_reaches_the_notebook(card):
    page = card.page
    card.get_by_role("button", name="softmax(x)").click()
    says(card, "The three outputs always sum to 1.")
    card.locator("td.product [data-to]").first.focus()
    with nothing_for_the_notebook(page):
        for key in ("ArrowRight", "ArrowUp", "a", "b", "ArrowUp", "ArrowLeft"):
            page.keyboard.press(key)
        spoken = page.evaluate("document.activeElement.ariaLabel")
    assert spoken == "row p[1], column x[0], ≈−0.022"


def test_a_guess_is_judged_by_python(card):
    card.get_by_role("button", name="M @ x").click()
    card.get_by_role("button", name="ask me").click()
    says(card, "Your guess first: what does x[0] get?")
    assert card.locator("td.product").all_inner_texts() == ["?", "?"]
    card.locator("[data-input=guess]").fill("3")
    card.locator("[data-input=guess]").press("Enter")
    says(card, "You said 3. Not quite. x[0] gets 1 × 1 + 1 × 3 = 4.")
    screenshot(card.page, "lesson-04-asked")
