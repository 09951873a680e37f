"""A board under test: how it is found in a lesson, pressed, and read."""

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


def sentence(card):
    """What a board says now."""
    return card.locator(".sentence").inner_text()
