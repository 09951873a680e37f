"""Lessons open and read well when Graphviz, widgets or torch are missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebooks.reading import FOLDER, LESSONS

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


@pytest.mark.parametrize("lane", LANES)
def test_lesson_01_reads_the_same(lane):
    said = run_without(LESSONS[0], *LANES[lane])
    assert "3. × makes y = 12" in said
    assert "How many operation nodes does" in said
    assert "tensor(27., grad_fn=<MeanBackward0>)" in said
    assert "Only Tensors of floating point and complex dtype can require gradients" in said
    assert said.count("Not yet.") == 3


@pytest.mark.parametrize("lane", LANES)
def test_lesson_02_reads_the_same(lane):
    said = run_without(LESSONS[1], *LANES[lane])
    assert "Stepper: 4 steps; x.grad = 7" in said
    assert "Stepper: 8 steps; w1.grad = 28; w2.grad = 8; w3.grad = 10" in said
    assert "It is 20." in said
    assert said.count("Not yet.") == 5


def test_a_cell_that_fails_is_noticed(tmp_path):
    copy = tmp_path / "lesson.ipynb"
    copy.write_text(LESSONS[0].read_text("utf-8").replace("growing(y", "growing(nothing"), "utf-8")
    with pytest.raises(AssertionError, match="name 'nothing' is not defined"):
        run_without(copy)
