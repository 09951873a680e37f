"""Cells that run in a real kernel, one after the other, and what a notebook shows of them."""

import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
NotebookClient = pytest.importorskip("nbclient").NotebookClient

ROOT = Path(__file__).resolve().parents[1]


def outputs_of(sources):
    """The outputs of each cell, an error among them, as the notebook's file would keep them."""
    notebook = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, sources)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True).execute()
    return [cell.outputs for cell in notebook.cells]


def traceback_of(output):
    """The traceback that an output shows, without its colors; empty where it shows none."""
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.get("traceback", [])))
