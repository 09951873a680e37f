"""The page on how an answer of explain() comes to be names what Python calls, in order."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad as mg
from tests.docs.test_reading import STEP, calls_of
from tests.setup.test_layers import ROOMS_OF_HELP

ROOT = Path(__file__).resolve().parents[2]
HELP = ROOT / "minigrad" / "help"
PAGE = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
WAY, SILENT = PAGE.split("## The way\n")[1].split("## Where the record is silent\n")
PROGRAM, ANSWER = re.findall(r"```(?:python)?\n(.*?)```", PAGE, re.DOTALL)


def asked(after_a_pass):
    """What the program of the page calls, each function once."""

    def run():  # its lines are read, so they stand in one function with the question
        w = mg.tensor(2.0, requires_grad=True)
        b = mg.tensor(1.0, requires_grad=True)
        h = (w * 3).detach()
        loss = h * b
        if after_a_pass:
            loss.backward()
        mg.explain(loss, w)

    return [*dict.fromkeys(calls_of(run))]


def test_the_answer_on_the_page_is_the_one_that_is_given(tmp_path):
    for more in ("", "\nloss.backward()"):
        program = PROGRAM.replace("\n\nprint(", f"{more}\n\nprint(")
        (tmp_path / "example.py").write_text(program, encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True,
            encoding="utf-8", env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        )  # fmt: skip
        assert ran.stdout == ANSWER, ran.stderr


@pytest.mark.parametrize(("part", "after_a_pass"), [(WAY, False), (SILENT, True)])
def test_the_steps_are_called_in_this_order(part, after_a_pass):
    calls = asked(after_a_pass)
    steps = STEP.findall(part)
    assert len(steps) >= 4
    assert steps == [call for call in calls if call in steps]


def test_the_record_is_asked_before_the_lines():
    recorded, read = (asked(after) for after in (False, True))
    routes = ("minigrad/help/program/program.py", "Program.routes")
    assert routes not in recorded
    assert routes in read


def test_the_steps_are_numbered():
    for part in (WAY, SILENT):
        numbers = [int(n) for n in re.findall(r"^(\d+)\. `", part, re.MULTILINE)]
        assert numbers == [*range(1, len(numbers) + 1)]


def test_what_is_named_is_there():
    for path in re.findall(r"`(minigrad/[\w/]+\.py)`", PAGE):
        assert (ROOT / path).is_file(), path
    for name in re.findall(r"`(\w+\.(?:py|toml))`", PAGE):
        assert len([*HELP.rglob(name)]) == 1, name
    about = ast.parse((HELP / "paths" / "about.py").read_text(encoding="utf-8"))
    defined = {each.name for each in ast.walk(about) if isinstance(each, ast.FunctionDef)}
    assert {"about", "of_leaf", "of_result", "why_no_gradient"} <= defined


def test_every_room_of_help_is_on_the_map_in_its_order():
    assert tuple(re.findall(r"\| `(\w+)/` \|$", PAGE, re.MULTILINE)) == ROOMS_OF_HELP


def test_what_stands_beside_the_rooms_of_help_is_on_the_map():
    modules = {path.name for path in HELP.glob("*.py")} - {"__init__.py"}
    assert modules - set(re.findall(r"`(?:minigrad/help/)?(\w+\.py)`", PAGE)) == set()


@pytest.mark.parametrize("room", ROOMS_OF_HELP)
def test_a_room_of_help_says_of_each_of_its_modules_what_it_answers(room):
    body = ast.parse((HELP / room / "__init__.py").read_text(encoding="utf-8")).body
    assert [type(node) for node in body] == [ast.Expr]
    said = re.findall(r"^\* ``(\w+)``: \S", body[0].value.value, re.MULTILINE)
    assert sorted(said) == sorted({path.stem for path in (HELP / room).glob("*.py")} - {"__init__"})
