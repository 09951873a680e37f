"""Run the lessons from top to bottom and write what they showed: `python notebooks/execute.py`.

With lesson numbers, `execute.py 01 02`, or names, `execute.py gallery`, only those; with `--check`
nothing is written, and the exit code says whether anything would have been.

Lessons are kept in git as they look after a run, so that they can be read without running them.
For that, two runs must not differ in a single byte. Times are not recorded, the state of widgets
is left out (a page without the kernel could do nothing with it), and so is what only describes
the machine: the Python version, and the files a traceback passed through.
"""

import argparse
import os
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"}

UNSTORED = "outcome"  #: a cell with this tag answers the question above it, so its output waits

COLORS = re.compile(r"\x1b\[[0-9;]*m")


def execute(path: Path) -> str:
    """Run the notebook at `path` and return it as text, with its outputs, ready to be written.

    Raises `nbclient.exceptions.CellExecutionError` when a cell fails that is not tagged
    `raises-exception`.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(HERE)}},
    ).execute()
    tidy(notebook)
    return nbformat.writes(notebook) + "\n"


def tidy(notebook: nbformat.NotebookNode) -> None:
    """Take out what differs from run to run or from machine to machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.update(kernelspec=dict(KERNEL), language_info=dict(LANGUAGE))
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            kept = [] if UNSTORED in cell.metadata.get("tags", ()) else cell.outputs
            outputs = [tidy_output(output) for output in kept if has_content(output)]
            cell.outputs = joined(outputs)


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Join neighboring pieces of one stream: where the kernel cuts a text depends on its haste."""
    kept: list[nbformat.NotebookNode] = []
    for output in outputs:
        if kept and output.output_type == "stream" and output.name == kept[-1].get("name"):
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def has_content(output: nbformat.NotebookNode) -> bool:
    """False for an output that is nothing but the view of a widget."""
    return set(output.get("data", {"text/plain": ""})) != {WIDGET_VIEW}


def tidy_output(output: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Drop the widget view of an output, and from a traceback the frames inside installed files."""
    if "data" in output:
        output.data.pop(WIDGET_VIEW, None)
    if output.output_type == "error":
        output.traceback = [
            part for part in output.traceback if not COLORS.sub("", part).startswith("File ")
        ]
    return output


def lessons(numbers: list[str]) -> list[Path]:
    """Return the notebooks with these numbers or names, or all; exits for one that is not there."""
    paths = {
        path.name[:2] if path.name[:2].isdigit() else path.stem: path
        for path in sorted(HERE.glob("*.ipynb"))
    }
    unknown = [number for number in numbers if number not in paths]
    if unknown:
        sys.exit(f"There is no notebook {unknown[0]}. There are: {', '.join(paths)}.")
    return [paths[number] for number in numbers] if numbers else list(paths.values())


def prepare_kernel() -> None:
    """Let the kernel import this project, also where it is not installed, and draw with pygraphviz.

    Every Graphviz draws a little differently, so the stored pictures come from one. A `dot`
    program on the PATH would be preferred, so the kernel is given a PATH without it.
    """
    if find_spec("pygraphviz") is None:
        sys.exit("The stored pictures are drawn by pygraphviz, which is not installed here.")
    folders = os.environ.get("PATH", "").split(os.pathsep)
    without_dot = [folder for folder in folders if not shutil.which("dot", path=folder)]
    os.environ["PATH"] = os.pathsep.join(without_dot)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])


def main(arguments: list[str]) -> int:
    """Execute the lessons named on the command line; 1 when `--check` finds a difference."""
    parser = argparse.ArgumentParser(description="Run the lessons and store what they show.")
    parser.add_argument(
        "numbers",
        nargs="*",
        help="lesson numbers such as 01, or names such as gallery; all by default",
    )
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    options = parser.parse_args(arguments)
    prepare_kernel()
    changed = 0
    for path in lessons(options.numbers):
        before, after = path.read_text(encoding="utf-8"), execute(path)
        differs = before != after
        changed += differs
        print(f"{path.name}: {'changed' if differs else 'as it was'}")
        if not options.check:
            path.write_text(after, encoding="utf-8", newline="\n")
    return int(options.check and changed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
