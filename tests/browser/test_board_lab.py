"""A board in JupyterLab: what is not stored comes from Python, typed text goes there."""

import re

from tests.browser.boards import says
from tests.browser.harness import ROOT, screenshot, wait_idle

PROGRAM = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.widgets.made_up_board import board
w = board()
w"""
FURTHER = ["print(w.state)"]  # where the board stands


def test_what_is_not_stored_comes_from_python(live):
    for lit in (1, 2, 3):
        live.get_by_role("button", name="light it", exact=True).click()
        says(live, f"lit {lit} times")
    assert live.evaluate("document.activeElement.textContent") == "light it"
    live.locator(".jp-Cell .cm-content").nth(1).click()
    live.keyboard.press("Control+Enter")
    wait_idle(live)
    live.get_by_text("{'count': 3, 'lamp': 'red'}").wait_for()
    screenshot(live, "lab-board")


def test_typed_text_goes_to_python(live):
    box = live.locator("[data-input=count]")
    box.fill("1")
    box.press("Enter")
    says(live, "lit 1 times")
    assert box.evaluate("box => box === document.activeElement")
    box.fill("many")
    box.press("Enter")
    says(live, "many is no number.")
    assert box.input_value() == "many"


def test_a_box_is_entered_when_it_is_left_and_alone(live):
    count, most = live.locator("[data-input=count]"), live.locator("[data-input=most]")
    count.fill("3")
    count.press("Enter")
    says(live, "lit 3 times")
    count.fill("hal")
    most.fill("2")
    most.press("Tab")
    says(live, "lit 2 times")
    assert count.input_value() == "2"


def test_a_button_lets_the_boxes_show_the_state_again(live):
    count, most = live.locator("[data-input=count]"), live.locator("[data-input=most]")
    reset = live.get_by_role("button", name="reset", exact=True)
    reset.click()
    says(live, "lit 0 times")
    for _attempt in range(2):
        count.fill("hal")
        most.press_sequentially("7")
        reset.click()
        live.wait_for_function("!document.querySelector('[data-input=count]').value.includes('h')")
        assert (count.input_value(), most.input_value()) == ("0", "3")
    says(live, "lit 0 times")


def test_no_key_leaks_to_the_notebook(live):
    cells = live.locator(".jp-Cell").count()
    for name in ("light it", "reset"):
        live.get_by_role("button", name=name, exact=True).focus()
        live.keyboard.press("a")
        live.keyboard.press("ArrowDown")
    assert live.locator(".jp-Cell").count() == cells
    assert live.evaluate("document.activeElement.textContent") == "reset"


def test_when_the_kernel_is_gone_the_board_says_so_and_keeps_what_is_stored(live):
    """The last test of this notebook."""
    live.get_by_role("button", name="reset", exact=True).click()
    says(live, "lit 0 times")
    live.get_by_role("menuitem", name="Kernel", exact=True).click()
    live.get_by_role("menuitem", name=re.compile(r"^Restart Kernel…(\s*0, 0)?\s*$")).click()
    live.get_by_role("button", name="Confirm Kernel Restart").click()
    live.locator(".minigrad-board .lost").wait_for(timeout=20_000)
    live.get_by_role("button", name="light it", exact=True).click()
    says(live, "lit 1 times")
    assert live.locator("[data-input=count]").is_disabled()
    screenshot(live, "lab-board-lost")
