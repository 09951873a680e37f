"""A board under test: how it is found in a lesson, pressed, and read."""

from contextlib import contextmanager

PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><body {}>{}</body>'
THEMES = {"light": "", "dark": 'data-jp-theme-light="false"'}


def card_of(page, name=""):
    """The card of a board, by its name if there are several; JupyterLab draws what is in view."""
    found = page.locator(f".minigrad-board[aria-label='{name}']" if name else ".minigrad-board")
    for cell in page.locator(".jp-NotebookPanel .jp-Cell").all():
        if found.count():
            break
        cell.scroll_into_view_if_needed()
    found.last.scroll_into_view_if_needed()
    return found.last


def press(card, name):
    """Click the button with this name."""
    card.get_by_role("button", name=name, exact=True).first.click()


def says(card, text, wait=15_000):
    """Wait until the sentence of a board holds a text."""
    card.locator(".sentence", has_text=text).wait_for(timeout=wait)


@contextmanager
def nothing_for_the_notebook(page):
    """Fail if keys that are typed into a board make or remove a cell."""
    cells = page.locator(".jp-Cell")
    before = cells.count()
    yield
    assert cells.count() == before


HIT = """one => {
    const { width, height } = one.getBoundingClientRect();
    const { content, inset } = getComputedStyle(one, "::after");
    const [above, beside = above] = content === "none" ? [0] : inset.split(" ").map(parseFloat);
    return [width - 2 * beside, height - 2 * above];
}"""


def too_small(controls):
    """The controls that a finger would miss, by what they say: 36 px are seen and 44 are hit."""
    found = controls.all()
    assert found
    return [one.inner_text() for one in found if min(one.evaluate(HIT)) < 43.5]


def check_size(page, width):
    """Nothing scrolls sideways, and on a wide screen the card is seen whole."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1280:
        assert page.locator(".minigrad-board").bounding_box()["height"] <= 656


def sentence(card):
    """What a board says now."""
    return card.locator(".sentence").inner_text()
