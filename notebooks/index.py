"""Write `README.md` of this folder: `python notebooks/index.py`; with `--check` only compare.

It lists the notebooks, and for each of the 138 claims and examples of the five documents the
cells that teach it and what became of it. Both are read from the notebooks and `sources.toml`.
"""

import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import nbformat

HERE = Path(__file__).resolve().parent
PAGE = HERE / "README.md"

HEAD = """\
<!-- Written by notebooks/index.py from the notebooks and sources.toml. -->

# The notebooks

| notebook | it opens with |
|---|---|
{notebooks}

Notes for teachers are in [teacher/](teacher/).

# What became of the notes

The course teaches {count} claims and examples of five documents. `000-0.13` is the thirteenth of
document 000. The verdict says how it stands with PyTorch 2.13: it *holds*; it holds *with a slip*,
a typo or a garbled formula; it is *half right*, or *wrong*; or PyTorch has *changed since*. Behind
each notebook stand the ids of its cells, where the item is among the `source` tags.
"""

DOCUMENT = """
## Document {number}

| item | what it says | verdict | taught in |
|---|---|---|---|
"""

#: By the letters of an item's kind; an item of `sources.toml` may name its verdict itself.
VERDICTS = {"CX": "half right", "X": "wrong", "T": "with a slip", "": "holds"}


def verdict(item: dict[str, Any]) -> str:
    """What became of an item."""
    kind = item["kind"]
    fitting = (said for letters, said in VERDICTS.items() if set(letters) <= set(kind))
    return item.get("verdict") or next(fitting)


def notebooks() -> list[Path]:
    """The lessons in their order, then the others."""
    return sorted(HERE.glob("*.ipynb"))


def row(path: Path) -> str:
    """The line of a notebook: its title, and what is said below it up to the first question."""
    first = nbformat.read(path, as_version=4).cells[0].source
    title, _, rest = first.removeprefix("# ").partition("\n\n")
    paragraph = " ".join(rest.partition("\n\n")[0].split())
    question = re.match(r".+?\?(?=\s|$)", paragraph) or re.match(r".+?\.(?=\s|$)", paragraph)
    return f"| [{title}]({path.name}) | {question[0] if question else ''} |"


def teaching() -> dict[str, list[str]]:
    """Links to the cells that teach an item: one link for each notebook."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in notebooks():
        for cell in nbformat.read(path, as_version=4).cells:
            for item in cell.metadata.get("source", ()):
                found[item][path.name].append(cell.id)
    return {item: [link(*each) for each in places.items()] for item, places in found.items()}


def link(notebook: str, cells: list[str]) -> str:
    """A notebook and the names of cells in it."""
    named = notebook.partition("_")[0] if notebook[:2].isdigit() else "true or false"
    return f"[{named}]({notebook}): {', '.join(f'`{cell}`' for cell in cells)}"


def page() -> str:
    """The whole page."""
    items = tomllib.loads((HERE / "sources.toml").read_text("utf-8"))["items"]
    places, documents = teaching(), defaultdict(list)
    for item in items:
        cells = (item["id"], item["line"], verdict(item), "; ".join(places.get(item["id"], ())))
        line = "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
        documents[item["id"][:3]].append(line)
    head = HEAD.format(notebooks="\n".join(map(row, notebooks())), count=len(items))
    tables = (DOCUMENT.format(number=n) + "".join(lines) for n, lines in documents.items())
    return head + "".join(tables)


def main(check: bool) -> int:
    """Write the page, or say whether it is out of date."""
    text = page()
    fresh = PAGE.exists() and PAGE.read_text("utf-8") == text
    if not fresh and not check:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    if not fresh:
        print("README.md", "is out of date: run python notebooks/index.py" if check else "written")
    return int(check and not fresh)


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv[1:]))
