"""`minigrad lab`: the lessons, where the package came with pip and no clone is there."""

import argparse
import importlib.util
import sys
from pathlib import Path

from . import lab as jupyter
from .commands import Commands
from .trouble import Trouble, run_and_tell

# The extra `notebooks`, but for pygraphviz, which not every machine can have.
NEEDED = ("jupyterlab", "ipykernel", "ipywidgets", "anywidget", "graphviz")
COMMANDS = Commands("minigrad", "Open the lessons that come with minigrad.")


@COMMANDS.command(jupyter.where_copies_live(Path("my_lessons")), *jupyter.ARGUMENTS)
def lab(options: argparse.Namespace) -> int:
    """Open the lessons in JupyterLab, as copies that are yours to change."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise Trouble(
            "JupyterLab is not installed here. It comes, with the widgets and the pictures, by:\n\n"
            f"    {sys.executable} -m pip install {' '.join(NEEDED)}"
        )
    return jupyter.open_lab(options, Path(sys.executable))


def main(words: list[str] | None = None) -> int:
    """Run one command of the installed package; return the exit code."""
    return run_and_tell(lambda: COMMANDS.run(sys.argv[1:] if words is None else words))
