"""Lesson 04 as a learner meets it: run, a prediction, and the viewer with typed numbers."""

import pytest

from tests.browser.boards import card_of, says
from tests.browser.harness import run_all, screenshot

LESSON = "04_many_outputs.ipynb"


@pytest.fixture(scope="module")
def viewer(opened):
    """The viewer of the lesson, live."""
    run_all(opened)
    return card_of(opened)


def test_the_viewer_begins_with_the_weights_of_the_lesson(viewer):
    says(viewer, "x[1] gets 0.1 × 4 = 0.4.")
    assert viewer.locator("td.product").all_inner_texts() == ["2", "0.4", "6", "0.09"]
    screenshot(viewer.page, "lesson-04-viewer")


def test_a_typed_number_of_v_goes_through_a_real_pass(viewer):
    box = viewer.locator("[data-input=v1]")
    box.fill("-0.5")
    box.press("Enter")
    says(viewer, "x[1] gets −0.5 × 4 = −2.")
    assert viewer.locator("td.product").nth(1).inner_text() == "−2"
    box.fill("half")
    box.press("Enter")
    says(viewer, "number")


def test_tab_enters_a_number_of_v_and_a_button_takes_half_typed_ones_back(viewer):
    first, second = viewer.locator("[data-input=v0]"), viewer.locator("[data-input=v1]")
    second.fill("4")
    second.press("Tab")
    says(viewer, "gets")
    viewer.page.wait_for_function(
        "document.querySelectorAll('td.product')[1]?.textContent === '16'", timeout=15_000
    )
    first.fill("hal")
    viewer.locator("[data-input=v2]").focus()
    says(viewer, "number")
    viewer.get_by_role("button", name="ones", exact=True).click()
    viewer.page.wait_for_function(
        "document.querySelector('[data-input=v0]').value === '1'", timeout=15_000
    )
    assert second.input_value() == "1"


def test_a_function_of_ones_own_gets_its_table(viewer):
    viewer.locator("[data-input=f]").fill("sum(x) * x")
    viewer.locator("[data-input=x]").fill("1, 2, 3")
    viewer.get_by_role("button", name="show it").click()
    says(viewer, "x[0] gets")
    assert viewer.locator("td.product").all_inner_texts() == ["12", "12", "12"]
    viewer.locator("[data-input=f]").fill("x.__class__")
    viewer.locator("[data-input=f]").press("Enter")
    says(viewer, "A dot stands only inside a number")
    screenshot(viewer.page, "lesson-04-own")


def test_no_key_of_the_table_reaches_the_notebook(viewer):
    page = viewer.page
    cells = page.locator(".jp-Cell").count()
    viewer.get_by_role("button", name="softmax(x)").click()
    says(viewer, "The three outputs always sum to 1.")
    viewer.locator("td.product [data-to]").first.focus()
    for key in ("ArrowRight", "ArrowUp", "a", "b", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.ariaLabel") == "row p[1], column x[0], ≈−0.022"
    assert page.locator(".jp-Cell").count() == cells


def test_a_guess_is_judged_by_python(viewer):
    viewer.get_by_role("button", name="M @ x").click()
    viewer.get_by_role("button", name="ask me").click()
    says(viewer, "Your guess first: what does x[0] get?")
    assert viewer.locator("td.product").all_inner_texts() == ["?", "?"]
    viewer.locator("[data-input=guess]").fill("3")
    viewer.locator("[data-input=guess]").press("Enter")
    says(viewer, "You said 3. Not quite. x[0] gets 1 × 1 + 1 × 3 = 4.")
    screenshot(viewer.page, "lesson-04-asked")
