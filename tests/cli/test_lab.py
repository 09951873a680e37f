"""`lab`: which command it runs, what it refuses, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.cli import clone, installed, lab, lessons
from minigrad.cli.trouble import Trouble
from tests import stages

ROOT = Path(__file__).resolve().parents[2]


def test_a_port_that_is_taken_is_refused_when_asked_for_and_passed_over_otherwise(monkeypatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with pytest.raises(Trouble, match=f"Port {taken} cannot be had"):
            lab.choose_port(taken)
        monkeypatch.setattr(lab, "FIRST_PORT", taken)
        assert lab.choose_port(None) > taken
    assert lab.choose_port(taken) == taken


@pytest.mark.parametrize(
    "words",
    [("--port", "-1"), ("--port", "0"), ("--port", "65536"), ("--port", "x"), ("--fresh", ""),
     ("--fresh", "one")],
)  # fmt: skip
def test_what_is_no_port_and_no_lesson_is_refused_before_anything_is_done(words, capsys):
    with pytest.raises(SystemExit):
        clone.COMMANDS.parse(["lab", *words])
    assert "no port" in capsys.readouterr().err or words[0] == "--fresh"


@pytest.mark.parametrize(
    ("words", "extras"), [([], ["notebooks"]), (["--with-pytorch"], ["notebooks", "oracle"])]
)
def test_pytorch_comes_where_it_is_asked_for(words, extras, monkeypatch):
    asked = []
    monkeypatch.setattr(clone, "prepare", lambda *extras, here: asked.extend(extras))
    monkeypatch.setattr(lab, "open_lab", lambda *given, **more: 0)
    assert clone.main(["lab", *words]) == 0
    assert asked == extras


def test_an_unknown_stage_is_refused_before_anything_is_installed(monkeypatch, capsys):
    monkeypatch.setattr(clone, "prepare", lambda *extras, here: pytest.fail("it installs"))
    with pytest.raises(SystemExit):
        clone.main(["test", "--only", "nonsense"])
    said = capsys.readouterr().err
    assert all(stage in said for stage in clone.STAGES)
    assert clone.STAGES == tuple(stages.STAGES)


@pytest.fixture
def lab_command(tmp_path, monkeypatch):
    """A function that returns the command which `lab` runs, and its environment."""
    ran = []

    def run(words, variables, folder):
        ran.append((words, variables))
        return 0

    monkeypatch.setattr(lab, "run_until_stopped", run)
    monkeypatch.setattr(lessons, "trust", lambda python, notebooks: None)

    def command(*words):
        options = ["lab", "--here", "--lessons", str(tmp_path / "mine"), *words]
        assert clone.main(options) == 0
        return ran[-1]

    return command


def test_the_server_has_these_options_and_no_others(lab_command, tmp_path, monkeypatch):
    """Each further option could open it to other machines, origins or users."""
    monkeypatch.setattr(lab, "is_root", lambda: False)
    words, _ = lab_command("--port", "54321", "--no-browser")
    assert words == [
        sys.executable, "-P", "-m", "jupyterlab",
        "--ServerApp.ip=127.0.0.1", "--ServerApp.port=54321", "--ServerApp.port_retries=0",
        "--log-level=WARN", f"--ServerApp.root_dir={tmp_path / 'mine'}",
        "--LabApp.default_url=/lab/tree/00_start_here.ipynb",
        f"--LabApp.app_settings_dir={lab.SETTINGS}", "--no-browser",
    ]  # fmt: skip


def test_the_first_page_opens_first_and_a_browser_with_it(lab_command, tmp_path):
    words, _ = lab_command()
    assert "--LabApp.default_url=/lab/tree/00_start_here.ipynb" in words
    assert "--no-browser" not in words
    copies = sorted(path.name for path in (tmp_path / "mine").iterdir())
    assert copies == [path.name for path in lessons.lessons()]


def test_lab_opens_the_lesson_that_was_restored(lab_command):
    words, _ = lab_command("--fresh", "02")
    assert "--LabApp.default_url=/lab/tree/02_one_node_at_a_time.ipynb" in words


def test_two_first_starts_do_not_fight_for_a_port(lab_command):
    """Both find the same one free; the one that comes second takes the next."""
    assert "--ServerApp.port_retries=49" in lab_command()[0]


@pytest.mark.parametrize("root", [True, False])
def test_root_is_allowed_only_to_root(lab_command, monkeypatch, root):
    monkeypatch.setattr(lab, "is_root", lambda: root)
    assert ("--allow-root" in lab_command()[0]) == root


def test_other_projects_put_nothing_before_the_servers_modules(lab_command, monkeypatch):
    for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONOPTIMIZE", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, "/another/project")
    _, variables = lab_command()
    assert variables["PYTHONPATH"] == str(ROOT)
    assert "/another/project" not in variables.values()
    assert variables["PATH"].startswith(str(Path(sys.executable).parent))


def test_a_foreign_jupyterlab_does_not_take_the_place_of_the_real_one(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "jupyterlab.py").write_text("print('not the real one')")
    words = lab.command(Path(sys.executable), tmp_path, "00.ipynb", 1, 1, browser=False)
    finished = subprocess.run(
        [*words[: words.index("jupyterlab") + 1], "--version"],
        cwd=tmp_path,
        env=lab.environment(Path(sys.executable)),
        capture_output=True,
        text=True,
    )
    assert finished.stdout.startswith("4.")


def test_the_settings_are_read_by_jupyterlab():
    from jupyterlab_server.settings_utils import _get_overrides

    overrides, error = _get_overrides(str(lab.SETTINGS))
    assert not error
    assert overrides["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}
    assert overrides["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


# --- The command of the installed package --------------------------------------------------------


def test_the_installed_command_copies_into_the_folder_where_it_is_called(tmp_path, monkeypatch):
    opened = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lessons, "trust", lambda python, notebooks: None)
    monkeypatch.setattr(lab, "run_until_stopped", lambda *words: opened.append(words) or 0)
    assert installed.main(["lab", "--no-browser"]) == 0
    assert (tmp_path / "my_lessons" / "00_start_here.ipynb").exists()
    words, variables, folder = opened[0]
    assert f"--ServerApp.root_dir={tmp_path / 'my_lessons'}" in words
    assert "PYTHONPATH" not in variables
    assert folder == tmp_path / "my_lessons"


def test_the_installed_command_says_how_to_get_jupyterlab(monkeypatch, capsys):
    monkeypatch.setattr(installed.importlib.util, "find_spec", lambda name: None)
    assert installed.main(["lab"]) == 1
    assert (
        "pip install jupyterlab ipykernel ipywidgets anywidget graphviz" in capsys.readouterr().err
    )


# --- The end ------------------------------------------------------------------------------------

if os.name == "posix":  # elsewhere no program can press Ctrl-C for another

    @pytest.fixture
    def started(tmp_path):
        """A function that starts `run.py lab`, waits for a word it says, and returns it."""
        running = []

        def start(until):
            server = subprocess.Popen(
                [sys.executable, "run.py", "lab", "--here", "--no-browser",
                 "--lessons", str(tmp_path / "mine")],
                cwd=ROOT,
                env={**os.environ, "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
                     "JUPYTER_DATA_DIR": str(tmp_path / "data"), "PYTHONUNBUFFERED": "1",
                     "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )  # fmt: skip
            running.append(server)
            said = ""
            while until not in said:
                line = server.stdout.readline()
                assert line, said
                said += line
            return server

        yield start
        for server in running:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            server.stdout.close()

    @pytest.mark.parametrize("until", ["Ctrl-C ends it", "?token="])
    @pytest.mark.parametrize("to_all", [True, False], ids=["Ctrl-C", "SIGTERM"])
    def test_it_ends_at_once_and_says_so(started, until, to_all):
        """At any time: also while JupyterLab is being loaded."""
        server = started(until)
        if to_all:  # a terminal sends Ctrl-C to all programs in it
            os.killpg(server.pid, signal.SIGINT)
        else:
            server.terminate()
        said, _ = server.communicate(timeout=30)
        assert server.returncode == 0
        assert "JupyterLab has ended. What you saved is in" in said
        assert "Traceback" not in said
        assert "y/[n]" not in said
        with pytest.raises(ProcessLookupError):  # nobody of the group is left
            os.killpg(server.pid, 0)


def test_a_server_that_does_not_stop_is_ended_by_force(monkeypatch):
    monkeypatch.setattr(lab, "STOP_SECONDS", 0.2)
    program = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        lab.end(server)
        assert server.returncode not in (0, None)
