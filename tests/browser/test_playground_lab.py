"""The playground in JupyterLab: typing, stepping, nudges, carets."""

import pytest

from minigrad.widgets.playground import playground
from tests.browser.boards import says, too_small
from tests.browser.harness import screenshot

PROGRAM = """\
from minigrad.lessons import playground
w = playground("(2*x + 3)**2", x=1.)
w"""


def box(page, name):
    return page.locator(f"[data-input='{name}']")


def test_the_chord_becomes_the_tangent(live):
    says(live, "a nudge of 1 says 24")
    screenshot(live, "lab-playground")
    live.locator(".minigrad-board").get_by_role("button", name="1", exact=True).focus()
    for nudge in ("0.5", "0.1", "0.01"):
        live.keyboard.press("ArrowRight")
        says(live, f"a nudge of {nudge} says")
    says(live, "off by 0.04")


def test_an_expression_is_typed_and_the_caret_stays(live):
    text = box(live, "text")
    text.fill("3 * x * y")
    text.press("Enter")
    says(live, "At x = 1 the value of z is 3.")
    assert text.evaluate("box => box === document.activeElement")
    assert text.evaluate("box => box.selectionStart") == len("3 * x * y")
    box(live, "value y").fill("-2")
    box(live, "value y").press("Enter")
    says(live, "Autograd's slope is −6")
    screenshot(live, "lab-playground-typed")


def test_a_mistake_is_shown_under_its_caret_and_the_picture_stays(live):
    text = box(live, "text")
    text.fill("3 * x * ")
    text.press("Enter")
    says(live, "Expected a number or a name after `*`.".replace("`", ""))
    assert live.locator(".caret pre").inner_text() == "3 * x *\n       ^"
    assert text.input_value() == "3 * x * " or text.input_value() == "3 * x *"
    assert live.locator(".legend").count() == 1
    screenshot(live, "lab-playground-wrong")
    text.fill("x * x")
    text.press("Enter")
    says(live, "At x = 1 the value of z is 1.")


def test_values_are_stepped(live):
    live.get_by_role("button", name="x up", exact=True).click()
    says(live, "At x = 1.5")
    assert box(live, "value x").input_value() == "1.5"
    assert live.evaluate("document.activeElement.textContent") == "+"
    live.get_by_role("button", name="x down", exact=True).click()
    says(live, "At x = 1 the")


def test_a_value_that_is_none(live):
    box(live, "value x").fill("one")
    box(live, "value x").press("Enter")
    says(live, "x: Expected a number such as 2 or -0.5.")
    assert box(live, "value x").input_value() == "one"
    box(live, "value x").fill("2")
    box(live, "value x").press("Enter")
    says(live, "At x = 2 the value of z is 4.")


def test_a_kink_in_words(live):
    live.get_by_role("button", name="relu(x)", exact=True).click()
    says(live, "no single slope: it is 0 from below and 1 from above")
    screenshot(live, "lab-playground-kink")


@pytest.mark.parametrize("width", [1280, 600, 380])
@pytest.mark.parametrize("theme", ["", 'data-jp-theme-light="false" style="background:#111"'])
def test_looks_on_a_page(chromium, tmp_path, width, theme):
    html = playground("(2*x + 3)**2", x=1.0).html()
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
    (tmp_path / "page.html").write_text(f"{head}<body {theme}>{html}", encoding="utf-8")
    page = chromium.new_page(viewport={"width": width, "height": 720})
    page.goto((tmp_path / "page.html").as_uri())
    card = page.locator(".minigrad-board > .card")
    card.wait_for()
    assert card.evaluate("card => card.scrollWidth <= card.clientWidth + 1")
    if width == 1280:
        assert card.bounding_box()["height"] <= 656
    assert too_small(card.locator("button, input")) == []
    screenshot(page, f"playground-{width}{'-dark' if theme else ''}")
    page.close()
