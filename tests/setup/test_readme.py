"""What README and CONTRIBUTING say is there is there."""

import json
import re
from pathlib import Path

import pytest

from minigrad.cli.clone import COMMANDS
from minigrad.cli.lessons import lessons

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def text(page):
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_links_and_pictures_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", text(page)):
        if not target.startswith("https://"):
            assert (ROOT / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_folders_and_files_that_are_named_exist(page):
    for name in re.findall(r"`((?:minigrad|notebooks|tests|\.github)/[\w./]*)`", text(page)):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES)
def test_commands_that_are_shown_can_be_run(page):
    for line in re.findall(r"python3? run\.py ([^`\n]*)", text(page)):
        words = re.split(r"\s{2,}|\s#", line)[0].split()
        COMMANDS.parse(words)


def test_every_lesson_stands_in_the_table_and_can_be_opened_from_it():
    rows = re.findall(r"^\| (\d\d) \| \[.+?\]\((\S+)\) \|", text("README.md"), re.M)
    there = [f"notebooks/{path.name}" for path in lessons() if path.name[:2].isdigit()]
    assert [name for _, name in rows] == [name for name in there if "/00_" not in name]
    assert [number for number, _ in rows] == [f"{n:02}" for n in range(1, 13)]


def test_every_command_is_described():
    for name in COMMANDS.table:
        assert f"python3 run.py {name}" in text("README.md") + text("CONTRIBUTING.md")


def test_the_minutes_are_those_that_the_lessons_give():
    minutes = {
        row[:2]: row.split(" | ")[3]
        for row in re.findall(r"^\| (\d\d \|.*)$", text("README.md"), re.M)
    }
    for lesson in lessons():
        first = json.loads(lesson.read_text(encoding="utf-8"))["cells"][0]["source"]
        said = re.search(r"^(\d+) minutes", "".join(first), re.M)
        if said:  # only lessons give them
            assert minutes[lesson.name[:2]] == said[1], lesson.name
        else:
            assert not re.match(r"0[1-9]|1\d", lesson.name)


def test_the_first_example_shows_what_it_gives():
    program = re.search(r"```python\n(import minigrad.*?)```", text("README.md"), re.S)[1]
    *lines, last = program.strip().splitlines()
    expression, answer = re.fullmatch(r"(\S+) +# (.*)", last).groups()
    names = {}
    exec("\n".join(lines), names)
    assert repr(eval(expression, names)) == answer
