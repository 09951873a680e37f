"""A learner's own lines in the version debugger, in JupyterLab."""

from tests.browser.boards import nothing_for_the_notebook, says
from tests.browser.harness import screenshot

PROGRAM = """\
from minigrad.widgets import version_debugger
w = version_debugger()
w"""


def test_own_lines_are_run(live):
    live.get_by_role("button", name="your own lines", exact=True).click()
    box = live.locator("textarea[data-input]")
    box.wait_for()
    box.fill("a = tensor([1., 2.], requires_grad=True)\ny = (a * a).sum()\n"
             "with no_grad(): a += 1\ny.backward()")  # fmt: skip
    live.get_by_role("button", name="run these lines", exact=True).click()
    says(live, "MulBackward0 kept a at version 0. Line 3 made it version 1")
    screenshot(live, "lab-versions-own")


def test_lines_that_cannot_be_read_are_answered_and_stay(live):
    box = live.locator("textarea[data-input]")
    box.fill("import os")
    live.get_by_role("button", name="run these lines", exact=True).click()
    says(live, "Line 1: this has no place here.")
    assert box.input_value() == "import os"


def test_typing_does_not_reach_the_notebook(live):
    box = live.locator("textarea[data-input]")
    box.fill("")
    with nothing_for_the_notebook(live):
        box.press_sequentially("a = ones(2)\nb = a * 2")
        assert box.input_value() == "a = ones(2)\nb = a * 2"
        live.get_by_role("button", name="run these lines", exact=True).click()
        says(live, "Line 2 makes b, at version 0.")
