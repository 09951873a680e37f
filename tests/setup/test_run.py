"""`run.py`: what it does to files, what it refuses, and what it says."""

import ast
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import run

ROOT = Path(run.__file__).parent


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder of three small lessons in the place of `notebooks/`."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name in ("00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"):
        (folder / name).write_text(f"the lesson {name}")
    (folder / "execute.py").write_text("no lesson")
    monkeypatch.setattr(run, "NOTEBOOKS", folder)
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# --- Copies --------------------------------------------------------------------------------------


def test_every_lesson_is_copied_once(course, tmp_path):
    copies = tmp_path / "my lessons"
    assert len(run.copy_lessons(copies)) == 3
    assert names(copies) == ["00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"]
    assert run.copy_lessons(copies) == []


def test_a_copy_is_never_overwritten(course, tmp_path):
    run.copy_lessons(tmp_path / "copies")
    mine = tmp_path / "copies" / "02_node.ipynb"
    mine.write_text("my solution")
    (course / "02_node.ipynb").write_text("a newer lesson")
    run.copy_lessons(tmp_path / "copies")
    assert mine.read_text() == "my solution"


def test_a_lesson_that_is_new_is_copied_later(course, tmp_path):
    run.copy_lessons(tmp_path / "copies")
    (course / "03_leaf.ipynb").write_text("new")
    assert [path.name for path in run.copy_lessons(tmp_path / "copies")] == ["03_leaf.ipynb"]


@pytest.mark.parametrize("number", ["02", "2"])
def test_fresh_restores_a_lesson_and_keeps_every_old_copy(course, tmp_path, number):
    copies = tmp_path / "copies"
    run.copy_lessons(copies)
    for attempt in ("first", "second"):
        (copies / "02_node.ipynb").write_text(attempt)
        run.restore_lesson(number, copies)
    assert (copies / "02_node.ipynb").read_text() == "the lesson 02_node.ipynb"
    assert (copies / "02_node.old-1.ipynb").read_text() == "first"
    assert (copies / "02_node.old-2.ipynb").read_text() == "second"


def test_fresh_names_the_lessons_when_there_is_no_such_one(course, tmp_path):
    with pytest.raises(run.Trouble, match=r"no lesson '7'.*00, 01, 02"):
        run.restore_lesson("7", tmp_path)


# --- The environment -----------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project in an empty folder, with a list of what would have been installed."""
    (tmp_path / "pyproject.toml").write_text("version one")
    installed = []

    def make_venv(python):
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()

    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(run, "make_venv", make_venv)
    monkeypatch.setattr(run, "install", lambda python, extras: installed.append(extras))
    return tmp_path, installed


def test_a_second_start_installs_nothing(project):
    _, installed = project
    assert run.prepare("notebooks") == run.prepare("notebooks")
    assert installed == [("notebooks",)]


def test_extras_are_added_and_stay(project):
    _, installed = project
    run.prepare("notebooks")
    run.prepare("notebooks", "test")
    run.prepare("notebooks")
    assert installed == [("notebooks",), ("notebooks", "test")]


def test_other_requirements_are_installed(project):
    folder, installed = project
    run.prepare("notebooks", "test")
    (folder / "pyproject.toml").write_text("version two")
    run.prepare("notebooks")
    assert installed == [("notebooks", "test"), ("notebooks", "test")]


def test_an_installation_that_breaks_off_is_begun_again(project, monkeypatch):
    _, installed = project
    run.prepare("notebooks")
    with monkeypatch.context() as broken:
        broken.setattr(run, "install", lambda python, extras: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run.prepare("notebooks", "test")
    run.prepare("notebooks")
    assert len(installed) == 2


def test_an_environment_whose_python_is_gone_is_made_anew(project):
    _, installed = project
    run.prepare("notebooks").unlink()
    assert run.prepare("notebooks").exists()
    assert len(installed) == 2


def test_here_is_the_python_that_runs_and_installs_nothing(project):
    _, installed = project
    assert run.prepare("test", here=True) == Path(sys.executable)
    assert installed == []


def test_here_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(run.SHOWS, "test", "a_module_that_nobody_has")
    with pytest.raises(run.Trouble, match="has no a_module_that_nobody_has"):
        run.prepare("test", here=True)


# --- Trouble, in plain words ---------------------------------------------------------------------


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 2)])
def test_an_old_python_is_told_so(version):
    with pytest.raises(run.Trouble, match=rf"3\.11 or newer; this is Python 3\.{version[1]}"):
        run.check_python(version)


def test_an_old_python_can_read_the_file_far_enough_to_say_so():
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 7))
    futures = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [node for node in futures if node.module == "__future__"]


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_names_the_package_to_install(module, monkeypatch, tmp_path):
    found = run.importlib.util.find_spec
    monkeypatch.setattr(
        run.importlib.util, "find_spec", lambda name: None if name == module else found(name)
    )
    with pytest.raises(run.Trouble, match="apt install python3-venv"):
        run.make_venv(tmp_path / "python")


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError(...)'", "no network"),
        ("ERROR: [Errno 28] No space left on device", "disk is full"),
        ("SSLError: CERTIFICATE_VERIFY_FAILED", "PIP_CERT"),
        ("ProxyError('Cannot connect to proxy.')", "HTTPS_PROXY"),
        ("[Errno 13] Permission denied: '.venv'", "may not be written"),
        ("something else", "did not work out"),
    ],
)
def test_what_stops_pip_is_explained_and_quoted(said, meaning):
    explanation = run.explain("installing with pip", said.encode())
    assert meaning in explanation
    assert said in explanation


def test_without_a_network_pip_says_what_is_recognized(tmp_path):
    """Keeps the words that pip really uses beside those that `explain` looks for."""
    finished = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--retries=1", "--timeout=1", "--isolated",
         "--index-url=http://127.0.0.1:9/", "--dest", str(tmp_path), "minigrad-no-such-package"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert finished.returncode != 0
    assert "no network" in run.explain("installing with pip", finished.stdout)


def test_trouble_is_told_without_a_traceback(capsys):
    assert run.main(["test", "--here", "--with", "oracle"]) == 1
    assert "installs nothing" in capsys.readouterr().err


def test_a_folder_of_another_user_is_named(monkeypatch, capsys):
    def forbidden(options):
        raise PermissionError(13, "Permission denied", "/some/my_lessons")

    monkeypatch.setitem(run.COMMANDS, "lab", (forbidden, run.COMMANDS["lab"][1]))
    assert run.main(["lab"]) == 1
    assert "/some/my_lessons may not be written" in capsys.readouterr().err


# --- JupyterLab ----------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_refused_when_asked_for_and_passed_over_otherwise(monkeypatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with pytest.raises(run.Trouble, match=f"Port {taken} is taken"):
            run.choose_port(taken)
        monkeypatch.setattr(run, "FIRST_PORT", taken)
        assert run.choose_port(None) > taken
    assert run.choose_port(taken) == taken


def test_lab_settings_join_those_that_are_there(tmp_path):
    overrides = tmp_path / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    overrides.parent.mkdir(parents=True)
    overrides.write_text('{"theirs": {"kept": true}}')
    run.settle_lab(tmp_path)
    assert json.loads(overrides.read_text()) == {"theirs": {"kept": True}, **run.LAB_SETTINGS}


@pytest.fixture
def lab_command(course, tmp_path, monkeypatch):
    """A function that returns the command which `lab` would hand over to."""
    handed = []
    monkeypatch.setattr(run, "hand_over", lambda words: handed.append([*map(str, words)]) or 0)
    monkeypatch.setattr(run, "trust", lambda python, notebooks: None)
    monkeypatch.setattr(run, "settle_lab", lambda prefix: None)

    def lab(*words):
        assert run.main(["lab", "--here", "--lessons", str(tmp_path / "mine"), *words]) == 0
        return handed[-1]

    return lab


def test_lab_opens_the_first_lesson_on_this_machine_only(lab_command, tmp_path):
    command = lab_command()
    assert "--ServerApp.ip=127.0.0.1" in command
    assert "--LabApp.default_url=/lab/tree/01_graph.ipynb" in command
    assert f"--ServerApp.root_dir={tmp_path / 'mine'}" in command
    assert not [word for word in command if "token" in word or "password" in word]
    assert names(tmp_path / "mine") == ["00_start.ipynb", "01_graph.ipynb", "02_node.ipynb"]


def test_lab_opens_the_lesson_that_was_restored(lab_command):
    assert "--LabApp.default_url=/lab/tree/02_node.ipynb" in lab_command("--fresh", "02")


@pytest.mark.parametrize("root", [True, False])
def test_root_is_allowed_only_to_root(lab_command, monkeypatch, root):
    monkeypatch.setattr(run, "is_root", lambda: root)
    assert ("--allow-root" in lab_command()) == root


# --- The program as a whole ----------------------------------------------------------------------


def test_it_runs_from_any_folder_with_the_standard_library_alone(tmp_path):
    """`-I -S` shut out every installed package and the current folder."""
    finished = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "run.py"), "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]}
        | ({"SYSTEMROOT": "C:\\Windows"} if os.name == "nt" else {}),
    )
    assert finished.returncode == 0, finished.stderr
    for name in run.COMMANDS:
        assert name in finished.stdout
