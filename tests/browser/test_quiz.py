"""Questions in a real JupyterLab: by mouse, by keyboard, stored, untrusted, without a kernel."""

import json
import re

import pytest

from minigrad.lessons import predict
from tests.browser.harness import (
    CONTRAST,
    choose_theme,
    open_notebook,
    resize,
    run_all,
    screenshot,
    wait_idle,
)

CHOICE = """\
from minigrad.widgets import quiz
replies = ['Not quite. The two add.', 'Right. 3 and 4 add up.', 'Not quite. That is the value.']
asked = quiz.choice('Which slope has `y`?', ['6', '7', '12'], reply=replies.__getitem__)
asked"""
GIVEN = "print('Python was told', asked.answer)"
NUMBER = "number = quiz.number('How steep?')\nnumber"
TICKS = "leaves = quiz.ticks('Which are leaves?', ['x', 'a', 'y'])\nleaves"
WARM_UP = "from minigrad.lessons import predict, warm_up\nwarm_up('01')"
PREDICTION = "predict('02-3')"
OUTCOME = "predict('02-3').outcome(20.0)"
CELLS = [CHOICE, GIVEN, NUMBER, TICKS, WARM_UP, PREDICTION, OUTCOME]
HOW = "To answer, run this cell."
GONE = "The kernel that made this is gone"


@pytest.fixture(scope="module")
def notebook(chromium, lab):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    open_notebook(page, lab, lab.write_notebook("asking.ipynb", *CELLS))
    run_all(page)
    page.locator(".minigrad-controls").nth(6).wait_for()
    yield page
    page.close()


def cell(page, number):
    return page.locator(".jp-NotebookPanel .jp-Cell").nth(number)


def run_cell(page, number):
    """Run one cell without leaving its output."""
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    wait_idle(page)


def controls(page, name):
    found = page.get_by_role("group", name=name, exact=True)
    found.scroll_into_view_if_needed()
    return found


def choice(page):
    return controls(page, "Which slope has `y`?")


def says(found, words):
    found.get_by_role("status").get_by_text(words).wait_for()


def cells_of(page):
    return page.locator(".jp-NotebookPanel .jp-Cell").count()


def look(button):
    """What shows whether an option is chosen: the mark, the border, and where things stand."""
    return button.evaluate(
        """button => {
            const style = getComputedStyle(button), mark = getComputedStyle(button, "::before");
            const box = button.getBoundingClientRect();
            return {
                pressed: button.getAttribute("aria-pressed"),
                mark: mark.content[1],
                border: style.borderTopWidth,
                place: [box.x, box.y, box.width, box.height].map(Math.round),
            };
        }"""
    )


def test_a_click_answers_and_python_knows(notebook):
    found = choice(notebook)
    found.get_by_role("button", name="7", exact=True).click()
    says(found, "Right. 3 and 4 add up.")
    run_cell(notebook, 1)
    cell(notebook, 1).get_by_text("Python was told 7").wait_for()


def test_the_chosen_option_is_marked_not_by_color_alone_and_nothing_moves(notebook):
    found = choice(notebook)
    buttons = [found.get_by_role("button", name=name, exact=True) for name in ("6", "7", "12")]
    places = []
    for wrong, reply in ((0, "Not quite. The two add."), (2, "Not quite. That is the value.")):
        buttons[wrong].click()
        says(found, reply)
        looks = [look(button) for button in buttons]
        places.append([seen["place"] for seen in looks])
        for number, seen in enumerate(looks):
            if number == wrong:
                assert (seen["pressed"], seen["mark"], seen["border"]) == ("true", "●", "2px")
            else:
                assert (seen["pressed"], seen["mark"], seen["border"]) == ("false", "○", "1px")
    assert places[0] == places[1]
    assert "✓" not in found.inner_text()


def test_the_line_is_spoken_by_an_element_that_stays(notebook):
    found = choice(notebook)
    found.get_by_role("button", name="6", exact=True).click()
    says(found, "Not quite. The two add.")
    line = found.locator(".minigrad-line [role=status]")
    kept = line.element_handle()
    found.get_by_role("button", name="7", exact=True).click()
    says(found, "Right.")
    assert kept.evaluate("line => line.isConnected && line.getAttribute('aria-live')") == "polite"
    assert kept.inner_text().startswith("Right.")


@pytest.mark.parametrize("name", ["Which slope has `y`?", "How steep?", "Which are leaves?"])
def test_plain_keys_stay_inside(notebook, name):
    found = controls(notebook, name)
    before = cells_of(notebook)
    for stop in found.locator("button, input").all():
        assert stop.get_attribute("data-lm-suppress-shortcuts") == "true"
        stop.focus()
        for key in ("b", "a", "ArrowDown"):
            notebook.keyboard.press(key)
    assert cells_of(notebook) == before


def test_a_choice_by_keyboard(notebook):
    found = choice(notebook)
    found.get_by_role("button", name="6", exact=True).focus()
    notebook.keyboard.press("Tab")
    notebook.keyboard.press(" ")
    says(found, "Right.")
    chosen = found.get_by_role("button", pressed=True)
    assert chosen.inner_text() == "7"
    assert chosen.evaluate("button => button === document.activeElement")


def test_a_number_by_keyboard(notebook):
    found = controls(notebook, "How steep?")
    box = found.get_by_role("textbox")
    box.fill("steep")
    notebook.keyboard.press("Enter")
    says(found, "'steep' is no number.")
    notebook.keyboard.type("0.25")  # what was refused is selected: typing replaces it
    notebook.keyboard.press("Enter")
    says(found, "You said 0.25.")
    assert box.input_value() == "0.25"
    assert box.evaluate("box => box === document.activeElement")
    notebook.keyboard.press("Tab")
    say = found.get_by_role("button", name="That is my answer")
    assert say.evaluate("button => button === document.activeElement")


def test_ticks_by_keyboard(notebook):
    found = controls(notebook, "Which are leaves?")
    found.get_by_role("checkbox", name="x").focus()
    notebook.keyboard.press(" ")
    found.get_by_role("button").focus()
    notebook.keyboard.press("Enter")
    says(found, "You said x.")


def test_escape_gives_the_notebook_its_keys_back(notebook):
    found = controls(notebook, "How steep?")
    found.get_by_role("textbox").focus()
    notebook.keyboard.press("Escape")
    assert not found.evaluate("found => found.contains(document.activeElement)")
    assert notebook.evaluate("document.activeElement.closest('.jp-Notebook') !== null")


def test_shift_enter_on_a_button_runs_the_cell(notebook):
    cell(notebook, 1).locator(".cm-content").click()
    notebook.keyboard.press("Escape")
    prompt = cell(notebook, 0).locator(".jp-InputPrompt").first
    before = prompt.inner_text()
    choice(notebook).get_by_role("button", name="12", exact=True).click()
    notebook.keyboard.press("Shift+Enter")
    notebook.wait_for_function(
        """([prompt, before]) => prompt.textContent !== before
            && /\\d/.test(prompt.textContent)""",
        arg=[prompt.element_handle(), before],
    )


def test_a_warm_up_says_right_or_wrong(notebook):
    found = controls(notebook, "What is (x + 1)(x + 2) when x is 2?")
    found.get_by_role("button", name="7", exact=True).click()
    says(found, "You said 7. Not quite. 7 is 3 plus 4.")
    found.get_by_role("button", name="12", exact=True).click()
    says(found, "You said 12. Right. 3 times 4.")
    screenshot(notebook, "quiz-warm-up")


def test_the_outcome_repeats_the_guess(notebook):
    question = predict("02-3").question.asks
    run_cell(notebook, 6)
    outcome = cell(notebook, 6).locator(".jp-OutputArea-output")
    assert outcome.inner_text().startswith("It is 20.")
    found = controls(notebook, question)
    assert "No guess yet" not in found.inner_text() + outcome.inner_text()
    found.get_by_role("button", name="10", exact=True).click()
    says(found, "You said 10. Not quite.")
    run_cell(notebook, 6)
    outcome.get_by_text("You said 10. It is 20.").wait_for()
    assert outcome.inner_text().startswith("Not quite.")
    found.scroll_into_view_if_needed()
    screenshot(notebook, "quiz-outcome")


# Pieces of code that are broken, such as `y = y|+ 1`, in cards of many widths.
IN_TWO_LINES = """() => [...document.querySelectorAll(".minigrad-controls")].flatMap(card => {
    const broken = new Set();
    for (let width = 300; width < 420; width += 10) {
        card.style.width = `${width}px`;
        for (const code of card.querySelectorAll("strong code")) {
            if (code.getBoundingClientRect().height > 26) broken.add(code.textContent);
        }
    }
    card.style.width = "";
    return [...broken];
})"""


def test_the_dark_theme_and_a_narrow_window(notebook):
    ground = "found => getComputedStyle(found).backgroundColor"
    assert choice(notebook).evaluate(ground) == "rgb(255, 255, 255)"
    choose_theme(notebook, "JupyterLab Dark", "false")
    for name in ("Which slope has `y`?", "How steep?", "Which are leaves?"):
        found = controls(notebook, name)
        assert found.evaluate(ground) == "rgb(22, 25, 29)"
        parts = found.locator("strong, code, p:visible, button, input, .widget-checkbox label span")
        for part in parts.all():
            if part.is_visible():
                assert part.evaluate(CONTRAST) > 4.5, part.inner_text()
    outcome = cell(notebook, 6).locator(".jp-OutputArea-output")
    for part in outcome.locator("strong, div > div, code").all():
        assert part.evaluate(CONTRAST) > 4.5, part.inner_text()
    found = outcome.locator("strong").first.evaluate("part => getComputedStyle(part).color")
    assert min(map(int, re.findall(r"\d+", found)[:3])) > 120
    choice(notebook)
    screenshot(notebook, "quiz-dark")
    resize(notebook, 600, 900)
    for found in notebook.locator(".minigrad-controls").all():
        found.scroll_into_view_if_needed()
        assert found.evaluate("found => found.scrollWidth <= found.clientWidth + 1")
        for button in found.get_by_role("button").all():
            assert button.bounding_box()["height"] >= 44
            assert button.evaluate("button => button.scrollWidth <= button.clientWidth + 1")
    choice(notebook)
    screenshot(notebook, "quiz-600-dark")
    choose_theme(notebook, "JupyterLab Light", "true")
    screenshot(notebook, "quiz-600")
    resize(notebook, 1280, 900)
    assert notebook.evaluate(IN_TWO_LINES) == []


def test_a_busy_kernel_is_not_silent(notebook, lab):
    cell(notebook, 1).locator(".cm-content").click()
    notebook.keyboard.press("Control+a")
    notebook.keyboard.type("import os, time\nwhile not os.path.exists('go'): time.sleep(0.1)")
    notebook.keyboard.press("Control+Enter")
    found = choice(notebook)
    found.get_by_role("button", name="7", exact=True).click()
    says(found, "No reply yet.")
    screenshot(notebook, "quiz-busy")
    (lab.folder / "go").touch()
    says(found, "Right.")
    found.get_by_text("No reply yet.").wait_for(state="detached")
    wait_idle(notebook)


def test_a_restart_is_said(notebook):
    """The last test with this kernel."""
    assert not choice(notebook).get_by_text(GONE).is_visible()
    notebook.get_by_role("menuitem", name="Kernel", exact=True).click()
    notebook.get_by_role("menuitem", name=re.compile(r"^Restart Kernel…(\s*0, 0)?\s*$")).click()
    notebook.get_by_role("button", name="Confirm Kernel Restart").click()
    choice(notebook).get_by_text(GONE).wait_for(timeout=20_000)
    wait_idle(notebook)
    for found in notebook.locator(".minigrad-controls").all():
        found.scroll_into_view_if_needed()
        assert found.get_by_text(GONE).is_visible()
        assert not found.get_by_text("No guess yet").is_visible()
        assert found.get_by_role("button", disabled=True).count() > 0
    choice(notebook)
    screenshot(notebook, "quiz-restarted")
    run_cell(notebook, 0)
    assert not choice(notebook).get_by_text(GONE).is_visible()


def test_a_kernel_that_died_is_not_silent(notebook):
    run_cell(notebook, 0)
    cell(notebook, 1).locator(".cm-content").click()
    notebook.keyboard.press("Control+a")
    notebook.keyboard.type("import os; os._exit(1)")
    notebook.keyboard.press("Control+Enter")
    dialog = notebook.locator(".jp-Dialog")
    dialog.wait_for(timeout=30_000)
    dialog.get_by_role("button").last.click()
    wait_idle(notebook)
    choice(notebook).get_by_text(GONE).wait_for()
    screenshot(notebook, "quiz-died")


def test_what_is_stored_shows_where_the_notebook_is_not_trusted(chromium, lab):
    from minigrad.lessons import predict, warm_up

    shown = [predict("02-2")._repr_mimebundle_(), warm_up("02")._repr_mimebundle_()]
    name = lab.write_notebook("stored.ipynb", "predict('02-2')", "warm_up('02')")
    path = lab.folder / name
    content = json.loads(path.read_text(encoding="utf-8"))
    for stored, bundle in zip(content["cells"], shown, strict=True):
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        kept = {kind: data[kind] for kind in ("text/plain", "text/html")}
        output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}}
        stored["outputs"] = [output | {"data": kept}]
    path.write_text(json.dumps(content), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    open_notebook(page, lab, name)
    shield = page.locator(".jp-StatusBar-TrustedItem, [title*='trusted']").first
    assert "0 of 2" in shield.get_attribute("title")
    for number, count in enumerate((1, 3)):
        outputs = cell(page, number).locator(".jp-OutputArea-output")
        assert outputs.get_by_text(HOW).count() == count
        assert outputs.locator("li").count() >= 2 * count
        assert outputs.get_by_text(HOW).first.is_visible()
        answer = outputs.locator("details p").first
        assert not answer.is_visible()
        outputs.locator("summary").first.click()
        assert answer.is_visible()
    for theme, light in (("JupyterLab Dark", "false"), ("JupyterLab Light", "true")):
        choose_theme(page, theme, light)
        for part in page.locator(".jp-OutputArea-output :is(code, p, li)").all():
            if part.is_visible():
                assert part.evaluate(CONTRAST) > 4.5, (theme, part.inner_text())
        screenshot(page, f"quiz-untrusted-{light}")
    page.close()
