"""The stepper in a real JupyterLab: mouse, keyboard, restarts, two themes."""

import re

import pytest

import minigrad as mg
from minigrad.widgets import stepper
from tests.browser.harness import choose_theme, open_notebook, run_all, screenshot, wait_idle

CASE = """\
import minigrad as mg
from minigrad.widgets import stepper
x = mg.tensor(2.0, requires_grad=True)
a = x + 1
b = x + 2
y = a * b
w = stepper(y)
w"""
PRODUCT = """\
p = mg.tensor(3.0, requires_grad=True)
q = p * p
stepper(q)"""
PYTHON_STEPS = "w.step = 2"
PYTHON_LOOKS = "print('Python sees step', w.step)"

CELLS = [CASE, PRODUCT, PYTHON_STEPS, PYTHON_LOOKS]


@pytest.fixture(scope="module")
def frames():
    x = mg.tensor(2.0, requires_grad=True)
    a = x + 1
    b = x + 2
    y = a * b
    return stepper(y, names={"x": x, "a": a, "b": b, "y": y}).frames


@pytest.fixture(scope="module")
def notebook(page, lab):
    open_notebook(page, lab, lab.write_notebook("stepping.ipynb", *CELLS))
    run_all(page)
    page.locator(".minigrad-player").nth(1).wait_for()
    return page


def cell(page, number):
    return page.locator(".jp-NotebookPanel .jp-Cell").nth(number)


def run_cell(page, number):
    """Run one cell without leaving its output."""
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    wait_idle(page)


def player(page, number=0):
    found = page.locator(".minigrad-player").nth(number)
    found.scroll_into_view_if_needed()
    return found


def to_start(found):
    found.focus()
    found.page.keyboard.press("Home")


def place(found):
    return found.locator(".place").inner_text()


def cells_of(page):
    return page.locator(".jp-NotebookPanel .jp-Cell").count()


def test_the_live_stepper_is_shown_once_a_cell(notebook):
    assert notebook.locator(".minigrad-player").count() == 2
    assert notebook.locator("details").count() == 0
    screenshot(notebook, "lab-stepper")


def test_by_mouse_through_all_steps(notebook, frames):
    found = player(notebook)
    to_start(found)
    for number, frame in enumerate(frames):
        assert place(found) == f"step {number + 1} of {len(frames)}"
        assert found.locator(".sentence").inner_text() == frame["sentence"]
        if number < len(frames) - 1:
            found.get_by_role("button", name="Next").click()
    assert found.get_by_role("button", name="To end").is_disabled()
    assert "x 7" in found.locator(".details").inner_text()


def test_by_keyboard_through_all_steps(notebook, frames):
    found = player(notebook)
    before = cells_of(notebook)
    found.focus()
    notebook.keyboard.press("Home")
    for number, frame in enumerate(frames):
        assert place(found) == f"step {number + 1} of {len(frames)}"
        assert found.locator(".sentence").inner_text() == frame["sentence"]
        notebook.keyboard.press("ArrowRight")
        assert found.evaluate("found => found.contains(document.activeElement)")
    assert cells_of(notebook) == before


@pytest.mark.parametrize("key", ["a", "b", "d", "x", "ArrowDown", "ArrowUp", "Enter"])
def test_no_key_leaks_into_the_notebook(notebook, key):
    found = player(notebook)
    before = cells_of(notebook)
    focusable = found.locator("button, input, select, [tabindex]").locator("visible=true")
    stops = [found, *focusable.all()]
    for stop in stops:
        stop.focus()
        notebook.keyboard.press(key)
    assert cells_of(notebook) == before
    for number, source in enumerate(CELLS[:3]):
        cell(notebook, number).scroll_into_view_if_needed()  # out of sight its text is not there
        content = cell(notebook, number).locator(".cm-content")
        content.filter(has_text="mg." if number < 2 else "w.").wait_for()
        shown = content.inner_text()
        assert shown.replace("\xa0", " ").strip().startswith(source.splitlines()[0])
    to_start(found)
    if found.locator(".menu").is_visible():  # Enter has unfolded it
        notebook.keyboard.press("Escape")


def test_escape_gives_the_notebook_its_keys_back(notebook):
    found = player(notebook)
    found.focus()
    notebook.keyboard.press("Escape")
    assert not found.evaluate("found => found.contains(document.activeElement)")
    assert notebook.evaluate("document.activeElement.closest('.jp-Notebook') !== null")


def test_two_steppers_do_not_interfere(notebook):
    first, second = player(notebook, 0), player(notebook, 1)
    to_start(first)
    second.get_by_role("button", name="To end").click()
    assert place(first) == "step 1 of 4"
    assert place(second) == "step 2 of 2"
    assert second.locator(".figure [id$=-grad]").text_content() == "6"


def test_python_and_the_page_share_the_step(notebook):
    found = player(notebook)
    run_cell(notebook, 2)
    notebook.wait_for_function(
        "document.querySelector('.minigrad-player .place').textContent === 'step 3 of 4'"
    )
    player(notebook).get_by_role("button", name="Back one step").click()
    run_cell(notebook, 3)
    output = cell(notebook, 3).locator(".jp-OutputArea-output")
    output.get_by_text("Python sees step 1").wait_for()
    assert place(found) == "step 2 of 4"


def test_running_again_leaves_no_dead_copy(notebook):
    run_cell(notebook, 0)
    notebook.locator(".minigrad-player").nth(1).wait_for(state="attached")
    notebook.wait_for_timeout(500)
    assert notebook.locator(".minigrad-player").count() == 2
    found = player(notebook)
    found.get_by_role("button", name="Next").click()
    run_cell(notebook, 3)
    cell(notebook, 3).locator(".jp-OutputArea-output").get_by_text("step 1").wait_for()
    assert not found.locator(".lost").is_visible()


def test_the_dark_theme(notebook):
    choose_theme(notebook, "JupyterLab Dark", "false")
    found = player(notebook)
    ground = "getComputedStyle(part).backgroundColor"
    assert found.locator("> .card").evaluate(f"part => {ground}") == "rgb(22, 25, 29)"
    for part in (".sentence", ".details td", ".details th", "button.back, button", "select"):
        text = found.locator(part).first.evaluate("part => getComputedStyle(part).color")
        assert min(int(part) for part in re.findall(r"\d+", text)) > 120, part
    box = found.locator(".figure .b").first
    assert box.evaluate("box => getComputedStyle(box).fill") == "rgb(22, 25, 29)"
    screenshot(notebook, "lab-stepper-dark")
    choose_theme(notebook, "JupyterLab Light", "true")


def test_a_restart_is_said(notebook):
    """The last test of this notebook: its kernel is gone afterwards."""
    notebook.get_by_role("menuitem", name="Kernel", exact=True).click()
    notebook.get_by_role("menuitem", name=re.compile(r"^Restart Kernel…(\s*0, 0)?\s*$")).click()
    notebook.get_by_role("button", name="Confirm Kernel Restart").click()
    found = player(notebook)
    found.locator(".lost").wait_for(timeout=20_000)
    wait_idle(notebook)
    to_start(found)
    found.get_by_role("button", name="To end").click()
    assert place(found) == "step 4 of 4"
    screenshot(notebook, "lab-stepper-restarted")
