"""`.venv`: made once, brought up to date, from exact versions, by one run at a time."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from minigrad.cli import environment
from minigrad.cli.trouble import Trouble


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project in an empty folder, with a list of what would have been installed."""
    (tmp_path / "pyproject.toml").write_text("version one")
    (tmp_path / "requirements.lock").write_text("numpy==2.4.6")
    installed = []

    def make_venv(python):
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()

    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "make_venv", make_venv)
    monkeypatch.setattr(environment, "install", lambda python, extras: installed.append(extras))
    return tmp_path, installed


def test_a_second_start_installs_nothing(project):
    _, installed = project
    assert environment.prepare("notebooks") == environment.prepare("notebooks")
    assert installed == [("notebooks",)]


def test_extras_are_added_and_stay(project):
    _, installed = project
    environment.prepare("notebooks")
    environment.prepare("notebooks", "test")
    environment.prepare("notebooks")
    assert installed == [("notebooks",), ("notebooks", "test")]


def test_what_is_installed_is_told_and_an_addition_alone(project, capsys):
    environment.prepare("notebooks")
    assert "close to 100 packages" in capsys.readouterr().out
    environment.prepare("notebooks", "test")
    assert capsys.readouterr().out == "Adding what is needed for: test. This happens once.\n"
    environment.prepare("notebooks", "oracle")
    assert capsys.readouterr().out.endswith(" PyTorch is among them, and is large.\n")


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.lock"])
def test_other_requirements_are_installed(project, name):
    folder, installed = project
    environment.prepare("notebooks", "test")
    (folder / name).write_text("version two")
    environment.prepare("notebooks")
    assert installed == [("notebooks", "test"), ("notebooks", "test")]


def test_an_installation_that_breaks_off_is_begun_again(project, monkeypatch):
    _, installed = project
    environment.prepare("notebooks")
    with monkeypatch.context() as broken:
        broken.setattr(environment, "install", lambda python, extras: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            environment.prepare("notebooks", "test")
    environment.prepare("notebooks")
    assert len(installed) == 2


def test_an_environment_whose_python_is_gone_is_made_anew(project):
    _, installed = project
    environment.prepare("notebooks").unlink()
    assert environment.prepare("notebooks").exists()
    assert len(installed) == 2


def test_two_first_starts_install_once(project, monkeypatch):
    _, installed = project
    both_look = threading.Barrier(2, timeout=30)
    ready = environment.is_ready

    def look(extras):
        found = ready(extras)
        if not found and not both_look.broken and both_look.n_waiting < 2:
            try:
                both_look.wait(timeout=2)  # the second look, under the lock, is made alone
            except threading.BrokenBarrierError:
                pass
        return found

    monkeypatch.setattr(environment, "is_ready", look)
    runs = [threading.Thread(target=environment.prepare, args=["notebooks"]) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert installed == [("notebooks",)]


def test_a_complete_environment_needs_no_lock(project, monkeypatch):
    """Such as one in a folder that has become read-only."""
    environment.prepare("notebooks")
    monkeypatch.setattr(environment, "lock", None)
    environment.prepare("notebooks")


def test_here_is_the_python_that_runs_and_installs_nothing(project):
    _, installed = project
    assert environment.prepare("test", here=True) == Path(sys.executable)
    assert installed == []


def test_here_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(environment.SHOWS, "test", "a_module_that_nobody_has")
    with pytest.raises(Trouble, match="has no a_module_that_nobody_has"):
        environment.prepare("test", here=True)


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_names_the_package_to_install(module, monkeypatch, tmp_path):
    found = environment.importlib.util.find_spec
    monkeypatch.setattr(
        environment.importlib.util,
        "find_spec",
        lambda name: None if name == module else found(name),
    )
    with pytest.raises(Trouble, match="apt install python3-venv"):
        environment.make_venv(tmp_path / "python")


def test_why_a_virtual_environment_could_not_be_made_is_said(monkeypatch, tmp_path):
    """`python -m venv` alone would say only that ensurepip ended with 1."""
    monkeypatch.setattr(environment, "VENV", tmp_path / "taken" / ".venv")
    (tmp_path / "taken").write_text("a file where a folder should be")
    with pytest.raises(Trouble, match=r"making a virtual environment(?s:.*)Not a directory|exists"):
        environment.make_venv(tmp_path / "python")


def test_pip_is_given_the_exact_versions_and_nothing_of_other_projects(monkeypatch):
    given = {}

    def run(words, **settings):
        given.update(settings, words=words)
        return 0, ""

    monkeypatch.setattr(environment, "run_with_signs_of_life", run)
    monkeypatch.setenv("PYTHONPATH", "/another/project")
    environment.install(Path("python"), ("notebooks", "test"))
    assert "--constraint=requirements.lock" in given["words"]
    assert given["words"][-2:] == ["--editable", ".[notebooks,test]"]
    assert given["cwd"] == environment.ROOT
    assert "PYTHONPATH" not in given["env"]


def test_without_a_network_pip_says_what_is_recognized(tmp_path):
    """Keeps the words that pip really uses beside those that are looked for."""
    finished = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--retries=1", "--timeout=1", "--isolated",
         "--index-url=http://127.0.0.1:9/", "--dest", str(tmp_path), "minigrad-no-such-package"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip
    assert finished.returncode != 0
    words = environment.explain_output("installing with pip", finished.stdout, tmp_path)
    assert "no network" in words
