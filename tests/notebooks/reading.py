"""Where the notebooks are, and how the tests read them."""

import contextlib
import io
from functools import cache
from pathlib import Path
from types import ModuleType

import nbformat

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
COURSE_PAGE = FOLDER / "00_start_here.ipynb"
LESSONS = sorted(path for path in FOLDER.glob("[0-9][0-9]_*.ipynb") if path != COURSE_PAGE)


@cache
def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def fresh(path: Path) -> nbformat.NotebookNode:
    """A copy of its own, for a test that changes it."""
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def cell(path: Path, cell_id: str) -> nbformat.NotebookNode:
    return next(c for c in read(path).cells if c.id == cell_id)


def run_torch_cell(path: Path, engine: ModuleType) -> str:
    """What the last code cell of a lesson prints, the one that compares with torch."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(cell(path, "torch-same").source, {"mg": engine})
    return printed.getvalue()
