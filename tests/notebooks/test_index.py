"""`notebooks/README.md` says what the notebooks teach, and what became of each item."""

import importlib.util

from tests.notebooks.reading import FOLDER
from tests.notebooks.test_sources import ITEMS


def index():
    spec = importlib.util.spec_from_file_location("notebooks_index", FOLDER / "index.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date():
    assert index().PAGE.read_text("utf-8") == index().page(), "run python notebooks/index.py"


def test_every_item_has_a_line_and_a_verdict():
    rows = [line for line in index().page().splitlines() if line.startswith("| 00")]
    assert len(rows) == len(ITEMS) == 138
    for row, item in zip(rows, ITEMS.values()):
        _, name, _, verdict, _, _ = row.replace("\\|", "").split("|")
        assert name.strip() == item["id"]
        right = {"holds", "with a slip"}
        assert (verdict.strip() in right) == ("X" not in item["kind"])


def test_a_notebook_opens_with_its_question():
    pages = {path.name: index().row(path) for path in index().notebooks()}
    found = next(row for name, row in pages.items() if name.startswith("02"))
    assert found.endswith("| Autograd says 7. Where does the 7 come from? |")
