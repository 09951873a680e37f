"""The page for teachers: its program says how far a notebook came."""

import json
import re
import subprocess
import sys
from pathlib import Path

from minigrad import lessons

FOLDER = Path(__file__).resolve().parents[2] / "notebooks" / "teacher"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
PROGRAM, SHOWN = re.findall(r"```(?:python)?\n((?:import|ada).*?)```", PAGE, re.DOTALL)


def cell(source, verdict):
    """A cell as a notebook stores it, with what `check` shows."""
    bundle = {"text/plain": repr(verdict), "text/html": verdict._repr_html_()}
    outputs = [{"output_type": "execute_result", "data": bundle}]
    return {"cell_type": "code", "source": source.splitlines(True), "outputs": outputs}


def test_the_program_tells_what_was_said_last(tmp_path):
    right = lessons.check("04-1a", {"to x0": 15, "to x1": 32})
    cells = [
        {"cell_type": "markdown", "source": ["## Try"]},
        cell('by_hand = {}\n\ncheck("04-1a", by_hand)', right),
        cell('v = ...\n\ncheck("04-1b", v)', lessons.check("04-1b", ...)),
    ]
    (tmp_path / "handed_in").mkdir()
    notebook = tmp_path / "handed_in" / "ada.ipynb"
    notebook.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True,
        encoding="utf-8",
    )  # fmt: skip
    assert ran.stdout == SHOWN, ran.stderr


def test_every_note_is_linked():
    linked = set(re.findall(r"\]\(([\w]+\.md)\)", PAGE))
    ends = {path.name for path in FOLDER.glob("*.md")} - {"README.md"}
    assert linked <= ends
    assert {"01.md", "12.md", "own_questions.md"} <= linked
