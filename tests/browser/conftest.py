"""One JupyterLab and one browser for all browser tests: both take seconds to start."""

import pytest

from tests.browser import boards, harness
from tests.browser.player_pages import pages


@pytest.fixture(scope="session")
def chromium():
    """A headless browser; `chromium.new_context(...)` gives a page with settings of its own."""
    playwright = pytest.importorskip("playwright.sync_api")
    program = harness.find_browser()
    if program is None:
        pytest.skip("no Chromium or Chrome is installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=program, headless=True, args=harness.BROWSER_FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page(chromium):
    """One page for tests that follow one another in JupyterLab."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """JupyterLab as `run.py lab` starts it, on fresh copies of the lessons."""
    pytest.importorskip("jupyterlab")
    folder = tmp_path_factory.mktemp("lessons")
    running, server = harness.start_lab(folder, tmp_path_factory.mktemp("jupyter"))
    yield running
    harness.stop(server)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The folder with the pages of `player_pages`."""
    folder = tmp_path_factory.mktemp("pages")
    for name, page in pages().items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def visit(chromium, files):
    """Opens a page: `visit("one", width=600)`. An error of a script fails the test."""
    contexts, errors = [], []

    def open_page(name="one", width=1100, height=900, **settings):
        context = chromium.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.clock.install()
        page.goto((files / f"{name}.html").as_uri())
        if settings.get("java_script_enabled", True) and name != "no code":
            page.locator(".minigrad-player .place").first.wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture(scope="module")
def opened(request, chromium, lab):
    """The lesson that the test module names, in a JupyterLab page of its own; not run yet."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    harness.open_notebook(page, lab, request.module.LESSON)
    yield page
    page.close()


@pytest.fixture(scope="module")
def card(request, opened):
    """The board of that lesson after it was run: it asks Python now.

    The module says which it is by `CARD`, if there are several, and with what it `BEGINS`.
    """
    harness.run_all(opened)
    found = boards.card_of(opened, getattr(request.module, "CARD", ""))
    boards.says(found, getattr(request.module, "BEGINS", ""))
    return found


@pytest.fixture(scope="module")
def live(request, chromium, lab):
    """A page whose first cell shows the live board of the module's `PROGRAM`."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    cells = (request.module.PROGRAM, *getattr(request.module, "FURTHER", ()))
    name = f"{request.module.__name__.rpartition('.')[2]}.ipynb"
    harness.open_notebook(page, lab, lab.write_notebook(name, *cells))
    harness.run_all(page)
    page.locator(".minigrad-board .sentence").wait_for()
    yield page
    page.close()


@pytest.fixture(scope="module")
def board_files(request, tmp_path_factory):
    """The folder with the board of the test module on plain pages, one for each theme."""
    folder = tmp_path_factory.mktemp("board")
    shown = request.module.board().html()
    for name, theme in boards.THEMES.items():
        (folder / f"{name}.html").write_text(boards.PAGE.format(theme, shown), encoding="utf-8")
    return folder


@pytest.fixture
def visit_board(chromium, board_files):
    """Opens the board: `visit_board("dark", width=600)`. An error of a script fails the test."""
    opened, errors = [], []

    def open_page(name="light", width=1280, height=720):
        page = chromium.new_page(viewport={"width": width, "height": height})
        opened.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((board_files / f"{name}.html").as_uri())
        page.locator(".minigrad-board .sentence").wait_for()
        return page

    yield open_page
    for page in opened:
        page.close()
    assert errors == []
