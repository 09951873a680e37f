"""The learner's copies: made whole, never overwritten, given anew on request."""

import errno
import shutil
import threading

import pytest

from minigrad.cli import files, lessons
from minigrad.cli.trouble import Trouble


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder of three small lessons in the place of `notebooks/`."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name in ("00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"):
        (folder / name).write_text(f'"the lesson {name}"')
    (folder / "execute.py").write_text("no lesson")
    monkeypatch.setattr(lessons, "source_folder", lambda: folder)
    return folder


@pytest.fixture
def full_disk(monkeypatch):
    """A function after which every copy breaks off in the middle."""

    def copy_half(source, target):
        target.write_text(source.read_text()[:9])
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    return lambda: monkeypatch.setattr(shutil, "copyfile", copy_half)


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
    (course / "02_node.ipynb").write_text("a newer lesson")
    lessons.copy_lessons(tmp_path / "copies")
    assert mine.read_text() == "my solution"


def test_a_copy_that_came_meanwhile_is_not_overwritten(course, tmp_path):
    """Two first starts: the other one made the copy, and the learner wrote into it."""
    copy = tmp_path / "02_node.ipynb"
    copy.write_text("my solution")
    assert not files.copy_new(course / "02_node.ipynb", copy)
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
    assert (copies / "01_graph.ipynb").read_text() == '"the lesson 01_graph.ipynb"'


def test_a_lesson_that_is_new_is_copied_later(course, tmp_path):
    lessons.copy_lessons(tmp_path / "copies")
    (course / "03_leaf.ipynb").write_text("new")
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
    assert (copies / "02_node.ipynb").read_text() == '"the lesson 02_node.ipynb"'
    assert (copies / "02_node.old-1.ipynb").read_text() == "first"
    assert (copies / "02_node.old-2.ipynb").read_text() == "second"
    assert len(names(copies)) == 5


def test_a_notebook_without_a_number_is_copied_and_restored_by_name(course, tmp_path):
    (lessons.source_folder() / "gallery.ipynb").write_text('"all"')
    copies = tmp_path / "copies"
    lessons.copy_lessons(copies)
    (copies / "gallery.ipynb").write_text("mine")
    lessons.restore_lesson("gallery", copies)
    assert (copies / "gallery.ipynb").read_text() == '"all"'
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
