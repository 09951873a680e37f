"""The learner's copies: made whole, never overwritten, given anew on request."""

import errno
import json
import threading
from pathlib import Path

import pytest

from minigrad.cli import files, lessons
from minigrad.cli.trouble import Trouble


def lesson(*sources):
    """The text of a notebook of cells that have been run."""
    ran = {"cell_type": "code", "execution_count": 1, "outputs": ["seven"]}
    cells = [{**ran, "source": [source]} for source in sources]
    return json.dumps({"cells": cells}, indent=1) + "\n"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder of three small lessons in the place of `notebooks/`."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name in ("00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"):
        (folder / name).write_text(lesson(name))
    (folder / "execute.py").write_text("no lesson")
    monkeypatch.setattr(lessons, "source_folder", lambda: folder)
    return folder


@pytest.fixture
def full_disk(monkeypatch):
    """A function after which every copy breaks off in the middle."""

    def write_half(path, text, **how):
        path.write_bytes(text[:9].encode())
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    return lambda: monkeypatch.setattr(Path, "write_text", write_half)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_every_lesson_is_copied_once(course, tmp_path):
    copies = tmp_path / "my lessons"
    assert len(lessons.copy_lessons(copies)) == 3
    assert names(copies) == ["00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"]
    assert lessons.copy_lessons(copies) == []


def test_a_copy_is_never_overwritten(course, tmp_path):
    lessons.copy_lessons(tmp_path / "copies")
    mine = tmp_path / "copies" / "02_node.ipynb"
    mine.write_text("my solution")
    (course / "02_node.ipynb").write_text(lesson("newer"))
    lessons.copy_lessons(tmp_path / "copies")
    assert mine.read_text() == "my solution"


def test_a_copy_that_came_meanwhile_is_not_overwritten(course, tmp_path):
    """Two first starts: the other one made the copy, and the learner wrote into it."""
    copy = tmp_path / "02_node.ipynb"
    copy.write_text("my solution")
    assert not files.write_new(copy, "a fresh copy")
    assert copy.read_text() == "my solution"
    assert names(tmp_path) == ["02_node.ipynb", "notebooks"]


@pytest.mark.parametrize("links", [True, False])
def test_two_copies_at_once_make_one(course, tmp_path, monkeypatch, links):
    """Also on a file system that has no hard links."""
    if not links:

        def refuse(*paths):
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(files.os, "link", refuse)
    copies = tmp_path / "copies"
    runs = [threading.Thread(target=lessons.copy_lessons, args=[copies]) for _ in range(2)]
    for run in runs if links else runs[:1]:
        run.start()
    for run in runs if links else runs[:1]:
        run.join()
    assert names(copies) == ["00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"]
    assert (copies / "01_graph.ipynb").read_text() == lesson("01_graph.ipynb")


def test_a_copy_does_not_answer_before_it_is_asked(course, tmp_path):
    guessed = "x = 7\\npredict('02-1').outcome(x)"
    (course / "02_node.ipynb").write_text(lesson("x = 7", guessed))
    lessons.copy_lessons(tmp_path / "copies")
    fresh = lessons.restore_lesson("01", tmp_path / "copies")
    assert fresh.read_text() == lesson("01_graph.ipynb")
    shown, asked = json.loads((tmp_path / "copies" / "02_node.ipynb").read_text())["cells"]
    assert (shown["outputs"], shown["execution_count"]) == (["seven"], 1)
    assert (asked["outputs"], asked["execution_count"]) == ([], None)
    assert asked["source"] == [guessed]


def test_the_rest_of_a_copy_is_the_lesson():
    for path in lessons.lessons():
        before, after = (
            json.loads(text)
            for text in (path.read_text(encoding="utf-8"), lessons.unanswered(path))
        )
        for was, cell in zip(before["cells"], after["cells"], strict=True):
            if ".outcome(" not in "".join(was["source"]):
                assert cell == was


def test_a_lesson_that_is_new_is_copied_later(course, tmp_path):
    lessons.copy_lessons(tmp_path / "copies")
    (course / "03_leaf.ipynb").write_text(lesson("new"))
    assert [path.name for path in lessons.copy_lessons(tmp_path / "copies")] == ["03_leaf.ipynb"]


def test_half_a_copy_is_no_copy(course, tmp_path, full_disk):
    copies = tmp_path / "copies"
    full_disk()
    with pytest.raises(OSError, match="No space left") as told:
        lessons.copy_lessons(copies)
    assert told.value.filename == str(copies / "00_start.ipynb")
    assert names(copies) == []


def test_fresh_on_a_full_disk_leaves_the_copy_where_it_was(course, tmp_path, full_disk):
    lessons.copy_lessons(tmp_path / "copies")
    mine = tmp_path / "copies" / "02_node.ipynb"
    mine.write_text("my solution")
    full_disk()
    with pytest.raises(OSError, match="No space left"):
        lessons.restore_lesson("02", tmp_path / "copies")
    assert mine.read_text() == "my solution"
    assert names(tmp_path / "copies") == ["00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"]


@pytest.mark.parametrize("number", ["02", "2"])
def test_fresh_restores_a_lesson_and_keeps_every_old_copy(course, tmp_path, number):
    copies = tmp_path / "copies"
    lessons.copy_lessons(copies)
    for attempt in ("first", "second"):
        (copies / "02_node.ipynb").write_text(attempt)
        lessons.restore_lesson(number, copies)
    assert (copies / "02_node.ipynb").read_text() == lesson("02_node.ipynb")
    assert (copies / "02_node.old-1.ipynb").read_text() == "first"
    assert (copies / "02_node.old-2.ipynb").read_text() == "second"
    assert len(names(copies)) == 5


def test_a_notebook_without_a_number_is_copied_and_restored_by_name(course, tmp_path):
    (lessons.source_folder() / "gallery.ipynb").write_text(lesson("all"))
    copies = tmp_path / "copies"
    lessons.copy_lessons(copies)
    (copies / "gallery.ipynb").write_text("mine")
    lessons.restore_lesson("gallery", copies)
    assert (copies / "gallery.ipynb").read_text() == lesson("all")
    assert (copies / "gallery.old-1.ipynb").read_text() == "mine"


def test_fresh_names_the_lessons_when_there_is_no_such_one(course, tmp_path):
    with pytest.raises(Trouble, match=r"no lesson '7'.*00, 01, 02"):
        lessons.restore_lesson("7", tmp_path)


def test_a_copy_that_is_cut_off_is_named(course, tmp_path, capsys):
    lessons.copy_lessons(tmp_path / "copies")
    lessons.warn_of_damage(tmp_path / "copies")
    assert capsys.readouterr().out == ""
    (tmp_path / "copies" / "01_graph.ipynb").write_text('{"cells": [')
    lessons.warn_of_damage(tmp_path / "copies")
    said = capsys.readouterr().out
    assert "01_graph.ipynb is damaged" in said
    assert "--fresh 01" in said
