"""One JupyterLab and one browser for all browser tests: both take seconds to start."""

import pytest

from tests.browser import harness


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
