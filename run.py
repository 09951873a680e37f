"""From a fresh clone to the lessons, with nothing to install by hand.

    python3 run.py lab       open the lessons in JupyterLab
    python3 run.py test      check everything, and print how much was checked
    python3 run.py --help    the other commands

Any Python from 3.11 on will do. The first start makes an environment in `.venv`, inside this
folder; later starts find it there and install nothing. Each command is one function below,
marked with `@command`; this file uses the standard library alone, because it runs before
anything else is there.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
NOTEBOOKS = ROOT / "notebooks"
OLDEST_PYTHON = (3, 11)
FIRST_PORT = 8888
# By the module that shows it: what `--here` has to find.
SHOWS = {"notebooks": "jupyterlab", "test": "pytest", "oracle": "torch", "bench": "mygrad"}

# JupyterLab's defaults ask about news, and forget widgets when a notebook is closed.
LAB_SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}


class Trouble(Exception):
    """Something that the person at the keyboard can mend: told in words, without a traceback."""


# --- The environment -----------------------------------------------------------------------------


def prepare(*extras: str, here: bool = False) -> Path:
    """Return a Python that has this project and its `extras`, installing what is missing.

    With `here`, that is the Python running now, as in a conda environment: it has everything
    already, and nothing is installed.
    """
    if here:
        for extra in extras:
            if importlib.util.find_spec(SHOWS[extra]) is None:
                raise Trouble(
                    f"This Python ({sys.executable}) has no {SHOWS[extra]}. Without --here,\n"
                    "an environment that has all it takes is made for you."
                )
        return Path(sys.executable)
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = VENV / "installed.json"
    wanted = fingerprint()
    installed = read_json(stamp)
    if installed.get("fingerprint") == wanted and python.exists():
        if set(extras) <= set(installed["extras"]):
            return python
    else:
        make_venv(python)
    # What somebody asked for once stays, so that `lab` does not drop what `test` needs.
    extras = tuple(sorted({*installed.get("extras", ()), *extras}))
    stamp.unlink(missing_ok=True)  # an installation that breaks off leaves no stamp
    install(python, extras)
    stamp.write_text(json.dumps({"fingerprint": wanted, "extras": extras}), encoding="utf-8")
    return python


def fingerprint() -> str:
    """Change when an installation would: other requirements, or the project in another place."""
    requirements = (ROOT / "pyproject.toml").read_bytes()
    return hashlib.sha256(requirements + str(ROOT).encode()).hexdigest()


def make_venv(python: Path) -> None:
    """Make the virtual environment anew, unless a working one is there."""
    if python.exists():
        check = f"import pip, sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
        if subprocess.run([str(python), "-c", check], stderr=subprocess.DEVNULL).returncode == 0:
            return
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise Trouble(
                f"This Python ({sys.executable}) comes without its module `{module}`, which makes\n"
                "virtual environments. On Debian and Ubuntu the package python3-venv brings it:\n\n"
                "    sudo apt install python3-venv\n\nThen run the same command again."
            )
    say(f"Making an environment in {VENV}")
    finished = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if finished.returncode != 0:
        raise Trouble(explain("making a virtual environment", finished.stdout))


def install(python: Path, extras: tuple) -> None:
    """Install this project and its `extras` with pip, in place, so that edits take effect."""
    say(f"Installing minigrad with what it needs for: {', '.join(extras)}")
    large = " PyTorch is a large download." if {"oracle", "bench"} & set(extras) else ""
    say(f"This happens once.{large}")
    finished = subprocess.run(
        [str(python), "-m", "pip", "install", "--no-input", "--disable-pip-version-check",
         "--quiet", "--editable", f".[{','.join(extras)}]"],
        cwd=ROOT,
        env={**os.environ, "PIP_USER": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    if finished.returncode != 0:
        raise Trouble(explain("installing with pip", finished.stdout))


def explain(task: str, output: bytes) -> str:
    """Say in plain words what stopped a program that was busy with `task`."""
    text = output.decode(errors="replace").strip()
    causes = {
        "No space left on device": "The disk is full.",
        "Permission denied": (
            f"Something in {ROOT} may not be written by this user.\n"
            "Was it made by another one, perhaps by root?"
        ),
        "CERTIFICATE_VERIFY_FAILED": (
            "The package index could not prove who it is. Networks of companies and schools often\n"
            "need a certificate of their own: ask who runs yours, then set PIP_CERT to its file."
        ),
        "ProxyError": "The proxy refused the connection. Check HTTPS_PROXY, then try again.",
        "connection broken by": (
            "There seems to be no network: the package index does not answer. The first start\n"
            "needs it once. Connect this machine and run the same command again."
        ),
    }
    cause = next((words for sign, words in causes.items() if sign in text), "It did not work out.")
    end = "\n".join("    " + line for line in text.splitlines()[-12:])
    return f"Stopped while {task}. {cause}\n\nThe end of what was said:\n\n{end}"


# --- The lessons ---------------------------------------------------------------------------------


def copy_lessons(copies: Path) -> list:
    """Copy every lesson that has no copy yet; return the new copies. Nothing is overwritten."""
    copies.mkdir(parents=True, exist_ok=True)
    missing = [lesson for lesson in lessons() if not (copies / lesson.name).exists()]
    return [Path(shutil.copyfile(lesson, copies / lesson.name)) for lesson in missing]


def restore_lesson(number: str, copies: Path) -> Path:
    """Make a fresh copy of one lesson, by its number; the learner's copy gets a name beside it."""
    copies.mkdir(parents=True, exist_ok=True)
    found = [lesson for lesson in lessons() if lesson.name.startswith(f"{number.zfill(2)}_")]
    if not found:
        known = ", ".join(lesson.name[:2] for lesson in lessons())
        raise Trouble(f"There is no lesson {number!r}. The lessons are: {known}.")
    copy = copies / found[0].name
    if copy.exists():
        names = (copy.with_name(f"{copy.stem}.old-{n}{copy.suffix}") for n in range(1, 10_000))
        kept = next(name for name in names if not name.exists())
        copy.rename(kept)
        say(f"Your copy is kept as {kept}")
    return Path(shutil.copyfile(found[0], copy))


def lessons() -> list:
    """Return the notebooks of the course, in order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))


def trust(python: Path, notebooks: list) -> None:
    """Sign `notebooks`: JupyterLab hides the pictures of a notebook that it does not trust."""
    if notebooks:
        sign = [str(python), "-m", "nbformat.sign", *map(str, notebooks)]
        if subprocess.run(sign, capture_output=True).returncode != 0:
            say("The lessons could not be marked as trusted: run their cells to see the pictures.")


# --- JupyterLab ----------------------------------------------------------------------------------


def settle_lab(prefix: Path) -> None:
    """Put `LAB_SETTINGS` among the defaults of the JupyterLab installed under `prefix`."""
    overrides = prefix / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    before = read_json(overrides)
    after = {**before, **LAB_SETTINGS}
    if after != before:
        overrides.parent.mkdir(parents=True, exist_ok=True)
        overrides.write_text(json.dumps(after, indent=2), encoding="utf-8")


def choose_port(asked: Optional[int]) -> int:
    """Return the port that was asked for, or the first free one."""
    if asked is not None:
        if not is_free(asked):
            raise Trouble(
                f"Port {asked} is taken by another program, perhaps by a JupyterLab that is still\n"
                "running. Stop that one, or leave out --port and a free port is found."
            )
        return asked
    for port in range(FIRST_PORT, FIRST_PORT + 100):
        if is_free(port):
            return port
    raise Trouble(f"No free port from {FIRST_PORT} to {FIRST_PORT + 99}. Name one with --port.")


def is_free(port: int) -> bool:
    """Tell whether a server can listen on `port` of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # elsewhere this option would let two servers share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return False
    return True


def is_root() -> bool:
    """Tell whether this runs as the system's administrator, which Jupyter must be told."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


# --- The commands --------------------------------------------------------------------------------

COMMANDS = {}


def command(*arguments: tuple):
    """Make a function a command: its name, its docstring as help, and its `arguments`."""

    def register(function):
        COMMANDS[function.__name__] = (function, arguments)
        return function

    return register


def argument(*names: str, **settings):
    """Describe one command line argument, as `ArgumentParser.add_argument` takes it."""
    return names, settings


@command(
    argument("--fresh", metavar="NN", action="append", default=[],
             help="restore lesson NN; your copy is kept under another name"),
    argument("--lessons", metavar="FOLDER", type=Path, default=ROOT / "my_lessons",
             help="where your copies live (my_lessons)"),
    argument("--port", type=int, help="the port to listen on (the first free one)"),
    argument("--no-browser", action="store_true", help="print the address and open nothing"),
)  # fmt: skip
def lab(options: argparse.Namespace) -> int:
    """Open the lessons in JupyterLab, as copies that are yours to change."""
    if not lessons():
        raise Trouble(f"There are no lessons in {NOTEBOOKS}. Is this a whole clone?")
    port = choose_port(options.port)
    python = prepare("notebooks", here=options.here)
    copies = options.lessons.resolve()
    fresh = [restore_lesson(number, copies) for number in options.fresh]
    trust(python, fresh + copy_lessons(copies))
    settle_lab(Path(sys.prefix) if options.here else VENV)
    opened = (fresh or [lesson for lesson in lessons() if not lesson.name.startswith("00_")])[0]
    say(f"Your copies of the lessons are in {copies}")
    say("JupyterLab is starting. Leave this window open; Ctrl-C ends it.")
    return hand_over(
        [python, "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}",
         "--ServerApp.port_retries=0", "--log-level=WARN",
         f"--ServerApp.root_dir={copies}", f"--LabApp.default_url=/lab/tree/{opened.name}",
         *(["--no-browser"] if options.no_browser else []),
         *(["--allow-root"] if is_root() else [])]
    )  # fmt: skip


@command(
    argument("--with", dest="extras", metavar="EXTRA", action="append", default=[],
             choices=["oracle", "bench"], help="install this first: oracle brings PyTorch"),
    argument("--only", metavar="STAGE", action="append", default=[],
             help="run this stage (may be repeated); an unknown name lists them all"),
    argument("-k", metavar="EXPRESSION", help="run the tests whose names match, as in pytest"),
)  # fmt: skip
def test(options: argparse.Namespace) -> int:
    """Run lint, tests, the comparisons with PyTorch, all lessons, and the browser tests."""
    if options.here and options.extras:
        raise Trouble("--here installs nothing, so it does not go together with --with.")
    python = prepare("notebooks", "test", *options.extras, here=options.here)
    only = [word for stage in options.only for word in ("--only", stage)]
    matching = ["-k", options.k] if options.k else []
    return hand_over([python, "tests/stages.py", *only, *matching])


@command(argument("lessons", nargs="*", metavar="NN", help="the lessons to execute (all)"))
def notebooks(options: argparse.Namespace) -> int:
    """Execute the lessons and write their outputs, ready to be committed."""
    python = prepare("notebooks", "test", here=options.here)
    return hand_over([python, "notebooks/execute.py", *options.lessons])


@command()
def record(options: argparse.Namespace) -> int:
    """Record anew, with real PyTorch, the answers that the tests compare with."""
    python = prepare("notebooks", "test", "oracle", here=options.here)
    for script in sorted((ROOT / "tests").glob("*/record*.py")):
        name = script.relative_to(ROOT)
        say(f"Running {name}")
        module = ".".join(name.with_suffix("").parts)
        if subprocess.run([str(python), "-m", module], cwd=ROOT).returncode != 0:
            raise Trouble(f"{name} failed; the recorded answers after it are the old ones.")
    return 0


@command(
    argument("--programs", type=int, default=2000, help="how many programs (2000)"),
    argument("--seed", type=int, help="the first one's seed (a new one each time)"),
)
def fuzz(options: argparse.Namespace) -> int:
    """Run random programs on minigrad and on real PyTorch, and show where they differ."""
    python = prepare("notebooks", "test", "oracle", here=options.here)
    seed = [] if options.seed is None else ["--seed", str(options.seed)]
    return hand_over([python, "-m", "tests.fuzz", "--programs", str(options.programs), *seed])


@command(
    argument("words", nargs="*", metavar="WORD", help="only workloads whose name has this word"),
    argument("--rounds", type=int, default=21, help="how many turns each engine gets (21)"),
    argument("--write", action="store_true", help="write the table to benchmarks/README.md"),
)  # fmt: skip
def bench(options: argparse.Namespace) -> int:
    """Time all engines side by side: minigrad, PyTorch, three others, and NumPy by hand."""
    python = prepare("bench", here=options.here)
    write = ["--write"] if options.write else []
    rounds = ["--rounds", options.rounds]
    return hand_over([python, "-m", "benchmarks", *write, *rounds, *options.words])


# --- Small helpers, and the start ----------------------------------------------------------------


def hand_over(words: list) -> int:
    """Let a program take the place of this one, so that Ctrl-C and signals are its own affair."""
    words = [str(word) for word in words]
    os.chdir(ROOT)
    os.environ["PATH"] = os.pathsep.join([str(Path(words[0]).parent), os.environ.get("PATH", "")])
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(words[0], words)
    program = subprocess.Popen(words)  # Windows cannot replace a program by another
    while True:
        try:
            return program.wait()
        except KeyboardInterrupt:
            continue


def read_json(path: Path) -> dict:
    """Return what a JSON file holds, or nothing where there is no readable one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def say(sentence: str) -> None:
    """Tell what is being done, at once."""
    print(sentence, flush=True)


def parse(words: list) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="run.py", description="Open the lessons, or check that everything works."
    )
    verbs = parser.add_subparsers(dest="command", metavar="COMMAND")
    verbs.required = True
    for name, (function, arguments) in COMMANDS.items():
        verb = verbs.add_parser(name, help=function.__doc__, description=function.__doc__)
        verb.add_argument(
            "--here",
            action="store_true",
            help="use the Python that runs this, such as conda's, and install nothing",
        )
        for names, settings in arguments:
            verb.add_argument(*names, **settings)
    return parser.parse_args(words)


def check_python(version: tuple) -> None:
    """Raise Trouble for a Python that is too old."""
    if version[:2] < OLDEST_PYTHON:
        raise Trouble(
            "minigrad needs Python {}.{} or newer; this is Python {}.{}.\n".format(
                *OLDEST_PYTHON, *version[:2]
            )
            + "Perhaps a newer one is installed under another name (try `python3.12 run.py ...`);\n"
            "otherwise get one from https://www.python.org/downloads/."
        )


def main(words: list) -> int:
    """Run one command; return the exit code."""
    try:
        check_python(sys.version_info)
        options = parse(words)
        return COMMANDS[options.command][0](options)
    except Trouble as trouble:
        print(f"\n{trouble}", file=sys.stderr)
    except PermissionError as error:
        print(
            f"\n{error.filename} may not be written by this user. Was it made by another one,\n"
            "perhaps by root? Then remove it, or give it back to yourself with chown.",
            file=sys.stderr,
        )
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
