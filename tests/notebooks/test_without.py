"""Lessons open and read well when Graphviz, widgets or torch are missing."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebooks import linter
from tests.notebooks.reading import COURSE_PAGE, FOLDER, LESSONS, read

SCRIPT = Path(__file__).with_name("without.py")
DRAWING = ("graphviz", "pygraphviz")
WIDGETS = ("ipywidgets", "anywidget")
LANES = {
    "no widgets": WIDGETS,
    "no Graphviz": DRAWING,
    "neither, and no torch": (*DRAWING, *WIDGETS, "torch", "IPython"),
}


def run_without(path, *packages):
    project = str(FOLDER.parent)
    run = subprocess.run(
        [sys.executable, str(SCRIPT), str(path), *packages],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": project, "PYTHONIOENCODING": "utf-8"},
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


#: What a lesson says all the same.
SAID = {
    "00": ["Turn 0: 100 of 200 right.", "Stepper: 4 steps; x.grad = 7", "w.grad = 4; b.grad = 2"],
    "01": ["Player: 3 steps", "How many ovals does", "tensor(27., grad_fn=<MeanBackward0>)"],
    "02": ["Stepper: 8 steps; w1.grad = 28; w2.grad = 8; w3.grad = 10", "It is 20."],
    "03": ["Trays: "],
    "04": ["VjpViewer: "],
    "05": ["EnginePlayer: 4 steps; x.grad = 112", "0.10: y = 12, grad 7"],
    "06": ["Trays: "],
    "07": ["VersionDebugger: "],
    "08": ["The graph keeps 3 tensors: 12,000 bytes.", "MemoryLab: Each tanh keeps its result"],
    "09": ["Stepper: 6 steps; y.grad = 4; x.grad = 6", "Tower: z = 12. Its graph has 4 nodes"],
    "10": ["TapeViewer: "],
    "11": ["ErrorCurve: With eps = 0.1, nudging says 12.01", "nudging says 5, you say 1."],
    "12": ["Turn 320: 398 of 400 right.", "Board: Turn 0: nothing has been learned yet."],
}
ALL = {path.name[:2]: path for path in (COURSE_PAGE, *LESSONS)}
WORST = "neither, and no torch"
RUNS = [(number, WORST) for number in ALL]
RUNS += [(number, lane) for number in ("00", "02", "05") for lane in LANES if lane != WORST]


@pytest.mark.parametrize(("number", "lane"), RUNS)
def test_a_lesson_reads_the_same(number, lane):
    said = run_without(ALL[number], *LANES[lane])
    assert [piece for piece in SAID[number] if piece not in said] == []
    source = "\n".join(cell.source for cell in linter.code_cells(read(ALL[number])))
    assert said.count("Not yet.") >= len(re.findall(r"\bcheck\(\"", source))


def test_a_cell_that_fails_is_noticed(tmp_path):
    copy = tmp_path / "lesson.ipynb"
    copy.write_text(LESSONS[0].read_text("utf-8").replace("growing(y", "growing(nothing"), "utf-8")
    with pytest.raises(AssertionError, match="name 'nothing' is not defined"):
        run_without(copy)
