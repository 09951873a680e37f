"""Lessons open and read well when Graphviz, widgets or torch are missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebooks.reading import COURSE_PAGE, FOLDER, LESSONS

SCRIPT = Path(__file__).with_name("without.py")
LESSON_05 = next(path for path in LESSONS if path.name.startswith("05"))
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
def test_the_course_page_reads_the_same(lane):
    said = run_without(COURSE_PAGE, *LANES[lane])
    assert "Turn 0: 100 of 200 right." in said
    assert "Stepper: 4 steps; x.grad = 7" in said
    assert "net.weight.grad = " in said


@pytest.mark.parametrize("lane", LANES)
def test_lesson_01_reads_the_same(lane):
    said = run_without(LESSONS[0], *LANES[lane])
    assert "Player: 3 steps" in said
    assert "How many ovals does" in said
    assert "tensor(27., grad_fn=<MeanBackward0>)" in said
    assert "Only Tensors of floating point and complex dtype can require gradients" in said
    assert said.count("Not yet.") == 4


@pytest.mark.parametrize("lane", LANES)
def test_lesson_02_reads_the_same(lane):
    said = run_without(LESSONS[1], *LANES[lane])
    assert "Stepper: 4 steps; x.grad = 7" in said
    assert "Stepper: 8 steps; w1.grad = 28; w2.grad = 8; w3.grad = 10" in said
    assert "It is 20." in said
    assert said.count("Not yet.") == 7


@pytest.mark.parametrize("lane", LANES)
def test_lesson_05_reads_the_same(lane):
    said = run_without(LESSON_05, *LANES[lane])
    assert "EnginePlayer: 4 steps; x.grad = 112" in said
    assert "It is 112 and 80 and 80." in said
    assert "y = 12 7.0" in said
    assert "(819200.0, 819199.9999999999, False)" in said
    assert said.count("Not yet.") == 11


def test_a_cell_that_fails_is_noticed(tmp_path):
    copy = tmp_path / "lesson.ipynb"
    copy.write_text(LESSONS[0].read_text("utf-8").replace("growing(y", "growing(nothing"), "utf-8")
    with pytest.raises(AssertionError, match="name 'nothing' is not defined"):
        run_without(copy)
