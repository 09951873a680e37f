"""`lab`: the lessons in JupyterLab, on this machine only, until Ctrl-C."""

import argparse
import os
import signal
import socket
import subprocess
from pathlib import Path

from . import lessons
from .commands import argument
from .trouble import Trouble, say

FIRST_PORT = 8888
PORTS = range(1, 65536)
TRIES = 50
STOP_SECONDS = 10
# What leads a Python to other modules than its own, or to run them otherwise.
MISLEADING = {"PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH", "PYTHONSTARTUP", "PYTHONOPTIMIZE"}
# JupyterLab's defaults ask about news, and forget widgets when a notebook is closed.
SETTINGS = Path(__file__).parent / "lab_settings"


def port(word: str) -> int:
    """Read a port from the command line."""
    if not word.isdecimal() or int(word) not in PORTS:
        raise argparse.ArgumentTypeError(f"{word!r} is no port: they go from 1 to {PORTS[-1]}")
    return int(word)


def lesson(word: str) -> str:
    """Read the number or the name of a lesson from the command line."""
    if word.isdecimal() or word in map(lessons.called, lessons.lessons()):
        return word
    raise argparse.ArgumentTypeError(f"{word!r} is no lesson, such as 02")


ARGUMENTS = (
    argument("--fresh", metavar="NN", action="append", default=[], type=lesson,
             help="restore lesson NN; your copy is kept under another name"),
    argument("--port", type=port, help="the port to listen on (the first free one)"),
    argument("--no-browser", action="store_true", help="print the address and open nothing"),
)  # fmt: skip


def where_copies_live(folder: Path):
    """Describe the option for the folder of copies, which is `folder` unless somebody asks."""
    return argument("--lessons", metavar="FOLDER", type=Path, default=folder,
                    help=f"where your copies live ({folder.name})")  # fmt: skip


def open_lab(options: argparse.Namespace, python: Path, project: Path | None = None) -> int:
    """Copy the lessons, and run JupyterLab on the copies until somebody stops it.

    `project` is a folder that the lessons have to import from, where it is not installed.
    """
    free = choose_port(options.port)
    copies = options.lessons.resolve()
    restored = [lessons.restore_lesson(number, copies) for number in options.fresh]
    lessons.trust(python, restored + lessons.copy_lessons(copies))
    lessons.warn_of_damage(copies)
    first = restored[0] if restored else lessons.lessons()[0]
    say(f"Your copies of the lessons are in {copies}")
    words = command(python, copies, first.name, free, tries=1 if options.port else TRIES,
                    browser=not options.no_browser)  # fmt: skip
    code = run_until_stopped(words, environment(python, project), project or copies)
    say(f"JupyterLab has ended. What you saved is in {copies}")
    return code


def command(
    python: Path, copies: Path, first: str, port: int, tries: int, browser: bool
) -> list[str]:
    """Return the command that runs JupyterLab: for this machine alone, behind its token.

    Where another program has taken `port` meanwhile, further ones are tried, up to `tries`.
    """
    return [
        str(python), "-P", "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", f"--ServerApp.port_retries={tries - 1}", "--log-level=WARN",
        f"--ServerApp.root_dir={copies}", f"--LabApp.default_url=/lab/tree/{first}",
        f"--LabApp.app_settings_dir={SETTINGS}",
        *([] if browser else ["--no-browser"]),
        *(["--allow-root"] if is_root() else []),
    ]  # fmt: skip


def environment(python: Path, project: Path | None = None) -> dict[str, str]:
    """Return the environment for a program of `python`, free of what other projects put there.

    A module of theirs on PYTHONPATH would stand before the one that is meant.
    """
    kept = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    if project:
        kept["PYTHONPATH"] = str(project)
    kept["PATH"] = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    return kept


def run_until_stopped(words: list[str], variables: dict[str, str], folder: Path) -> int:
    """Run a server until it ends or this program is told to stop; return the exit code.

    Jupyter would ask on the first Ctrl-C whether it is meant, and show a traceback before it is
    ready. So the server never sees Ctrl-C: this program does, and tells the server to stop.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server inherits this
    server = subprocess.Popen(words, env=variables, cwd=folder, stdin=subprocess.DEVNULL)
    signals = [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)]
    kept = {number: signal.signal(number, stop_waiting) for number in signals}
    try:
        say("JupyterLab is starting. Leave this window open; Ctrl-C ends it.")  # from now on
        return server.wait()
    except KeyboardInterrupt:
        say("\nStopping JupyterLab.")
        end(server)
        return 0
    finally:
        for number, handler in {**kept, signal.SIGINT: before}.items():
            signal.signal(number, handler)


def stop_waiting(number: int, frame) -> None:
    """Leave the wait for the server, whatever the signal was."""
    raise KeyboardInterrupt


def end(server: subprocess.Popen) -> None:
    """Tell a server to stop; end it by force when it does not, or when somebody insists."""
    server.terminate()
    try:
        server.wait(timeout=STOP_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        server.kill()
        server.wait()


def choose_port(asked: int | None) -> int:
    """Return the port that was asked for, or the first free one."""
    if asked is not None:
        if not is_free(asked):
            raise Trouble(
                f"Port {asked} cannot be had: perhaps another program has it, such as a\n"
                "JupyterLab that is still running. Leave out --port and a free port is found."
            )
        return asked
    for candidate in range(FIRST_PORT, FIRST_PORT + 100):
        if is_free(candidate):
            return candidate
    raise Trouble(f"No free port from {FIRST_PORT} to {FIRST_PORT + 99}. Name one with --port.")


def is_free(port: int) -> bool:
    """Tell whether a server can listen on `port` of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # elsewhere this option would let two servers share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def is_root() -> bool:
    """Tell whether this runs as the system's administrator, which Jupyter must be told."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
