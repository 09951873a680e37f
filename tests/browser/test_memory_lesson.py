"""Lesson 08 as a learner meets it: run, then the lab with a typed guess and another width."""

from tests.browser.boards import nothing_for_the_notebook, says
from tests.browser.harness import screenshot

LESSON = "08_what_the_graph_keeps.ipynb"
CARD = "memory lab"


def test_a_guess_is_typed_and_judged_by_python(card):
    card.get_by_role("button", name="Ask me").click()
    says(card, "Your guess first")
    card.get_by_role("button", name="how many: 16").click()
    card.locator(".head", has_text="16 tanh in a chain").wait_for()
    assert "64,000" not in card.inner_text()
    card.get_by_role("button", name="As text").click()
    card.locator("[data-input=guess]").fill("64,000")
    card.locator("[data-input=guess]").press("Enter")
    says(card, "You said 64,000. Right.")
    assert card.locator("[data-input=guess]").count() == 0
    card.get_by_role("button", name="As text").click()
    card.get_by_role("button", name="loss.backward()").click()
    says(card, "0 bytes are left, and 16 nodes.")
    screenshot(card.page, "lesson-08-lab")


def test_a_setting_that_is_not_stored_is_run(card):
    card.get_by_role("button", name="numbers in each: 100,000").click()
    says(card, "Your guess first")
    card.get_by_role("button", name="Ask me").click()
    says(card, "16 × 100,000 × 4 = 6,400,000 bytes")
    card.get_by_role("button", name="how many: 64").click()
    says(card, "64 × 100,000 × 4")
    card.get_by_role("button", name="parts of 8").click()
    says(card, "Each part keeps what it began with")
    card.get_by_role("button", name="loss.backward()").click()
    says(card, "Backward ran 64 operations again")
    screenshot(card.page, "lesson-08-parts")


def test_no_key_of_the_lab_reaches_the_notebook(card):
    card.get_by_role("button", name="loss.backward()").focus()
    with nothing_for_the_notebook(card.page):
        for key in ("a", "b", "ArrowLeft", "ArrowDown"):
            card.page.keyboard.press(key)
    says(card, "Each part keeps what it began with")
