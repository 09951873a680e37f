"""The learner's copies of the lessons. No copy is ever overwritten.

A lesson is stored with what its cells show. In a copy, those that answer a prediction show nothing
until they are run: whoever reads on sees the question first.
"""

import json
import os
import subprocess
from pathlib import Path

from .files import part_of, publish, write_new
from .trouble import Trouble, say

PACKAGE = Path(__file__).resolve().parents[1]
ANSWERS = ".outcome("  # what the source of a cell has that shows how a prediction came out


def source_folder() -> Path:
    """Return where the lessons are: in the installed package, or beside it in a clone."""
    packed = PACKAGE / "notebooks"
    return packed if packed.is_dir() else PACKAGE.parent / "notebooks"


def lessons() -> list[Path]:
    """Return the notebooks of the course: the lessons in order, then those without a number."""
    return sorted(source_folder().glob("*.ipynb"))


def called(lesson: Path) -> str:
    """What a notebook is called on the command line: its number, or its name if it has none."""
    return lesson.name[:2] if lesson.name[:2].isdigit() else lesson.stem


def copy_lessons(copies: Path) -> list[Path]:
    """Copy every lesson that has no copy yet; return the new copies."""
    copies.mkdir(parents=True, exist_ok=True)
    missing = [lesson for lesson in lessons() if not (copies / lesson.name).exists()]
    named = [(copies / lesson.name, unanswered(lesson)) for lesson in missing]
    return [copy for copy, text in named if write_new(copy, text)]


def unanswered(lesson: Path) -> str:
    """Return the text of a lesson without the outputs that answer a prediction."""
    notebook = json.loads(lesson.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and ANSWERS in "".join(cell["source"]):
            cell["outputs"], cell["execution_count"] = [], None
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def restore_lesson(number: str, copies: Path) -> Path:
    """Make a fresh copy of a lesson; the learner's own copy gets a name beside it."""
    found = [lesson for lesson in lessons() if called(lesson) in (number, number.zfill(2))]
    if not found:
        known = ", ".join(map(called, lessons()))
        raise Trouble(f"There is no lesson {number!r}. The lessons are: {known}.")
    copies.mkdir(parents=True, exist_ok=True)
    copy = copies / found[0].name
    with part_of(copy) as part:  # on a full disk this fails before anything has moved
        part.write_text(unanswered(found[0]), encoding="utf-8", newline="\n")
        while not publish(part, copy):
            say(f"Your copy is kept as {put_aside(copy)}")
    return copy


def put_aside(copy: Path) -> Path:
    """Give a learner's copy the first free name beside it, and return that name."""
    names = (copy.with_name(f"{copy.stem}.old-{n}{copy.suffix}") for n in range(1, 10_000))
    for kept in names:
        if publish(copy, kept):
            if copy.exists():  # both names now lead to one file
                os.unlink(copy)
            return kept
    raise Trouble(f"There are too many old copies of {copy.name} in {copy.parent}.")


def warn_of_damage(copies: Path) -> None:
    """Name the copies that are no notebooks any more, as a machine that lost power leaves them."""
    for lesson in lessons():
        copy = copies / lesson.name
        try:
            json.loads(copy.read_text(encoding="utf-8"))
        except ValueError:
            say(
                f"{copy} is damaged and will not open.\n"
                f"`--fresh {lesson.name[:2]}` gives you the lesson anew, and keeps that file."
            )


def trust(python: Path, notebooks: list[Path]) -> None:
    """Sign `notebooks`: JupyterLab hides the pictures of a notebook that it does not trust."""
    if notebooks:
        sign = [str(python), "-P", "-m", "nbformat.sign", *map(str, notebooks)]
        if subprocess.run(sign, capture_output=True).returncode != 0:
            say("The lessons could not be marked as trusted: run their cells to see the pictures.")
