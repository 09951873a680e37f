"""The course in JupyterLab: each notebook runs from top to bottom, and each widget is drawn."""

import contextlib
import json
import time

import pytest

from tests.browser.harness import open_notebook, run_all
from tests.notebooks.reading import FOLDER

NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
PATIENCE = 90  # seconds for a lesson to run
BROKEN = ("Error displaying widget", "Failed to load model class", "Loading widget...")


@pytest.fixture(scope="module")
def window(chromium):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.scripts_failed = []
    page.on("pageerror", lambda error: page.scripts_failed.append(str(error)))
    yield page
    page.close()


def saved(page, lab, name):
    """The notebook as it is saved once all of its cells have run."""
    file = lab.folder / name
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        page.get_by_title("Save and create checkpoint").first.click()
        time.sleep(0.5)
        with contextlib.suppress(json.JSONDecodeError):  # it is being written
            notebook = json.loads(file.read_text(encoding="utf-8"))
            code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
            if all(cell["execution_count"] for cell in code):
                return notebook
    raise TimeoutError(f"{name}: not all cells have run")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_from_top_to_bottom(window, lab, name):
    open_notebook(window, lab, name)
    run_all(window)
    said = []
    for cell in window.locator(".jp-NotebookPanel .jp-Cell").all():
        cell.scroll_into_view_if_needed()
        shown = cell.locator(".jp-OutputArea")
        said += shown.all_inner_texts()
    assert [words for words in BROKEN if any(words in text for text in said)] == []
    assert window.scripts_failed == []
    for cell in saved(window, lab, name)["cells"]:
        if cell["cell_type"] == "code":
            raised = [o["evalue"] for o in cell["outputs"] if o["output_type"] == "error"]
            assert bool(raised) == ("raises-exception" in cell["metadata"].get("tags", ())), cell
