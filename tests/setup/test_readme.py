"""What README and CONTRIBUTING say is there is there."""

import re
from pathlib import Path

import pytest

import run

ROOT = Path(run.__file__).parent
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
        run.parse(words)


def test_lessons_are_called_available_exactly_when_they_are_there():
    rows = re.findall(r"^\| (\d\d) \|.*\| (available|planned) \|$", text("README.md"), re.M)
    assert [number for number, _ in rows] == [f"{n:02}" for n in range(1, 13)]
    there = {lesson.name[:2] for lesson in run.lessons()} - {"00"}
    assert {number for number, state in rows if state == "available"} == there


def test_every_command_is_described():
    for name in run.COMMANDS:
        assert f"python3 run.py {name}" in text("README.md") + text("CONTRIBUTING.md")
