"""The commands of `run.py`, in a clone of the project."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from . import lab as jupyter
from .commands import Commands, argument
from .environment import ROOT, prepare
from .lessons import lessons, source_folder
from .trouble import Trouble, run_and_tell

COMMANDS = Commands(
    "run.py",
    "Open the lessons, or check that everything works.",
    argument("--here", action="store_true",
             help="use the Python that runs this, such as conda's, and install nothing"),
)  # fmt: skip
command = COMMANDS.command
# Those of tests/stages.py, which a copy of the package does not bring: refused before a wait.
STAGES = ("lint", "doctests", "unit", "recorded", "live", "notebooks", "browser")


@command(
    jupyter.where_copies_live(ROOT / "my_lessons"),
    *jupyter.ARGUMENTS,
    argument("--with-pytorch", action="store_true",
             help="install PyTorch beside minigrad first, to look at your own code"),
)  # fmt: skip
def lab(options: argparse.Namespace) -> int:
    """Open the lessons in JupyterLab, as copies that are yours to change."""
    if not lessons():
        raise Trouble(f"There are no lessons in {source_folder()}. Is this a whole clone?")
    jupyter.choose_port(options.port)  # before an installation, which takes minutes
    pytorch = ["oracle"] if options.with_pytorch else []
    python = prepare("notebooks", *pytorch, here=options.here)
    return jupyter.open_lab(options, python, project=ROOT)


@command(
    argument("--with", dest="extras", metavar="EXTRA", action="append", default=[],
             choices=["oracle", "bench"], help="install this first: oracle brings PyTorch"),
    argument("--only", metavar="STAGE", action="append", default=[], choices=STAGES,
             help=f"run this stage (may be repeated): {', '.join(STAGES)}"),
    argument("-k", metavar="EXPRESSION", help="run the tests whose names match, as in pytest"),
)  # fmt: skip
def test(options: argparse.Namespace) -> int:
    """Run lint, tests, the comparisons with PyTorch, all lessons, and the browser tests."""
    if options.here and options.extras:
        raise Trouble("--here installs nothing, so it does not go together with --with.")
    python = prepare("notebooks", "test", *options.extras, here=options.here)
    only = [word for stage in options.only for word in ("--only", stage)]
    matching = ["-k", options.k] if options.k else []
    here = ["--here"] if options.here else []
    return hand_over([python, "tests/stages.py", *only, *matching, *here])


@command(argument("lessons", nargs="*", metavar="NN", help="the lessons to execute (all)"))
def notebooks(options: argparse.Namespace) -> int:
    """Execute the lessons and write their outputs, ready to be committed."""
    python = prepare("notebooks", "test", here=options.here)
    return hand_over([python, "notebooks/execute.py", *options.lessons])


@command(argument("names", nargs="*", metavar="NAME", help="files of tests/data (all)"))
def record(options: argparse.Namespace) -> int:
    """Record anew, with real PyTorch, the answers that the tests compare with."""
    python = prepare("notebooks", "test", "oracle", here=options.here)
    return hand_over([python, "-m", "tests.oracle.record", *options.names])


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
    argument("--processes", type=int, default=5, help="how many processes run each race (5)"),
    argument("--rounds", type=int, default=9, help="how many turns each engine gets there (9)"),
    argument("--write", action="store_true", help="write the table to benchmarks/README.md"),
)  # fmt: skip
def bench(options: argparse.Namespace) -> int:
    """Time all engines side by side: minigrad, PyTorch, three others, and NumPy by hand."""
    python = prepare("bench", "notebooks", here=options.here)  # Graphviz, for the stepper
    write = ["--write"] if options.write else []
    much = ["--processes", options.processes, "--rounds", options.rounds]
    return hand_over([python, "-m", "benchmarks", *write, *much, *options.words])


@command()
def lock(options: argparse.Namespace) -> int:
    """Write requirements.lock: the versions that an environment made without it would get."""
    from .locking import write_lock

    return write_lock(ROOT)


def hand_over(words: list) -> int:
    """Let a program take the place of this one, so that Ctrl-C and signals are its own affair."""
    words = [str(word) for word in words]
    os.chdir(ROOT)
    variables = jupyter.environment(Path(words[0]), project=ROOT)
    sys.stdout.flush()
    if os.name == "posix":
        os.execve(words[0], words, variables)
    program = subprocess.Popen(words, env=variables)  # Windows cannot replace a program by another
    while True:
        try:
            return program.wait()
        except KeyboardInterrupt:
            continue


def main(words: list[str]) -> int:
    """Run one command; return the exit code."""
    return run_and_tell(lambda: COMMANDS.run(words))
