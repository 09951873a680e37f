"""Every example and claim that a lesson is to teach is taught in it, in a fitting cell."""

import re
import tomllib

import pytest

from tests.notebooks import linter
from tests.notebooks.reading import COURSE_PAGE, FOLDER, LESSONS, fresh, read

NOTES = "In real PyTorch / What the notes said"
ITEMS = {
    item["id"]: item
    for item in tomllib.loads((FOLDER / "sources.toml").read_text("utf-8"))["items"]
}
PATHS = {path.name[:2]: path for path in [COURSE_PAGE, *LESSONS]}


def tagged(notebook):
    """Every tag with the part and the cell that carries it."""
    for part, cells in linter.parts(notebook).items():
        for cell in cells:
            for item in cell.metadata.get("source", []):
                yield item, part, cell


def planned(number):
    return {name for name, item in ITEMS.items() if number in item["lessons"]}


def misplaced(notebook, number):
    """What is wrong with the tags of a notebook, one sentence each."""
    found = list(tagged(notebook))
    names = {name for name, _, _ in found}
    yield from (f"{name} is not taught" for name in sorted(planned(number) - names))
    yield from (f"{name} is not planned here" for name in sorted(names - planned(number)))
    for name in sorted(names & set(ITEMS)):
        kind, places = ITEMS[name]["kind"], [(part, cell) for n, part, cell in found if n == name]
        if "E" in kind and not any(cell.cell_type == "code" for _, cell in places):
            yield f"{name} is an example without a code cell"
        if "E" in kind and number in ITEMS[name]["lessons"]:
            yield from unshown(name, [cell for _, cell in places])
        if "X" in kind and not any(part == NOTES for part, _ in places):
            yield f"{name} is not corrected in the notes part"


def unshown(name, cells):
    """What an example has to show, and no output of a cell with its tag holds."""
    wanted = ITEMS[name].get("shows")
    if not wanted:
        yield f"{name} is an example, and nothing says what it shows"
    told = "\n".join(text for cell in cells if cell.cell_type == "code" for text in texts(cell))
    yield from (f"{name} does not show {piece!r}" for piece in wanted or () if piece not in told)


def texts(cell):
    """What a stored cell prints, displays and raises, as text."""
    for output in cell.outputs:
        yield output.get("evalue", "")
        yield output.get("text", "")
        yield output.get("data", {}).get("text/plain", "")
        yield re.sub(r"base64,[^\"]*|<script.*?</script>", "", html_of(output), flags=re.DOTALL)


def html_of(output):
    return output.get("data", {}).get("text/html", "")


@pytest.mark.parametrize("number", PATHS)
def test_the_planned_items_are_taught_and_no_others(number):
    assert list(misplaced(read(PATHS[number]), number)) == []


@pytest.mark.parametrize("number", PATHS)
def test_every_item_named_in_the_text_exists(number):
    for cell in linter.text_cells(read(PATHS[number])):
        for document, item in re.findall(r"(?<![\d.])([0-4])\.(\d{1,2})(?=[,;)])", cell.source):
            assert f"00{document}-{document}.{item}" in ITEMS, f"{document}.{item} in {cell.id}"


def without(notebook, item):
    for cell in notebook.cells:
        tags = cell.metadata.get("source", [])
        cell.metadata["source"] = [tag for tag in tags if tag != item]
    return notebook


def test_a_missing_tag_is_noticed():
    notebook = without(fresh(PATHS["01"]), "000-0.8")
    assert list(misplaced(notebook, "01")) == ["000-0.8 is not taught"]


def test_a_tag_of_another_lesson_is_noticed():
    notebook = fresh(PATHS["01"])
    notebook.cells[0].metadata["source"] = ["004-4.23"]
    assert list(misplaced(notebook, "01")) == ["004-4.23 is not planned here"]


def test_an_example_on_a_text_cell_is_noticed():
    notebook = without(fresh(PATHS["01"]), "000-0.8")
    notebook.cells[0].metadata["source"] = ["000-0.8"]
    assert "000-0.8 is an example without a code cell" in list(misplaced(notebook, "01"))


def test_a_wrong_claim_outside_the_notes_part_is_noticed():
    notebook = without(fresh(PATHS["02"]), "000-0.15")
    notebook.cells[0].metadata["source"] = ["000-0.15"]
    assert list(misplaced(notebook, "02")) == ["000-0.15 is not corrected in the notes part"]


def test_an_example_that_does_not_show_its_number_is_noticed():
    notebook = fresh(PATHS["02"])
    for cell in notebook.cells:
        if "003-3.7" in cell.metadata.get("source", []):
            cell.outputs[0].text = cell.outputs[0].text.replace("28", "20")
    assert list(misplaced(notebook, "02")) == [
        "003-3.7 does not show 'tensor(28.) tensor(8.) tensor(10.)'"
    ]


def test_an_example_of_which_nothing_is_known_is_noticed(monkeypatch):
    monkeypatch.delitem(ITEMS["000-0.8"], "shows")
    said = list(misplaced(read(PATHS["01"]), "01"))
    assert said == ["000-0.8 is an example, and nothing says what it shows"]


def test_what_an_item_shows_stands_beside_lessons_that_are_written():
    for name, item in ITEMS.items():
        if "shows" in item:
            assert "E" in item["kind"], name
            assert set(item["lessons"]) & set(PATHS), name
