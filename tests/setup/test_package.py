"""The wheel: pure Python, with everything that the package reads at run time, and the lessons."""

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from minigrad.cli.installed import NEEDED
from minigrad.cli.lessons import lessons

ROOT = Path(__file__).resolve().parents[2]
NOT_CODE = {".css", ".js", ".toml", ".json", ".typed", ".gz", ".md"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", str(folder)], cwd=ROOT, check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A Python that has the wheel, without a network and without what the wheel depends on."""
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index",
         "--no-deps", "--disable-pip-version-check", str(wheel)],
        check=True,
    )  # fmt: skip
    return python


def test_one_wheel_serves_every_machine(wheel):
    assert wheel.name.endswith("-py3-none-any.whl")


def test_every_file_of_the_package_is_in_it(contents):
    files = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "minigrad").rglob("*")
        if path.suffix in NOT_CODE | {".py"}
    }
    assert files <= contents
    assert "minigrad/py.typed" in files


def test_the_lessons_are_in_it_and_nothing_else_of_their_folder(contents):
    packed = {name for name in contents if name.startswith("minigrad/notebooks/")}
    assert packed == {f"minigrad/notebooks/{lesson.name}" for lesson in lessons()}


def test_nothing_but_the_package_is_in_it(contents):
    tops = {name.split("/")[0] for name in contents}
    assert tops == {"minigrad", f"minigrad_autograd-{PROJECT['version']}.dist-info"}
    assert not [name for name in contents if "__pycache__" in name]


def test_the_package_knows_its_version():
    import minigrad

    assert minigrad.__version__ == PROJECT["version"]


def test_the_distribution_has_a_name_of_its_own():
    """`minigrad` on the package index is another project."""
    assert PROJECT["name"] == "minigrad-autograd"


def test_the_installed_command_finds_the_lessons_that_came_with_it(installed, tmp_path):
    """Run away from the clone, with the NumPy of this environment and nothing else of it."""
    import numpy

    program = "from minigrad.cli import lessons; print(*lessons.lessons(), sep='\\n')"
    finished = subprocess.run(
        [str(installed), "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(numpy.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    found = list(map(Path, finished.stdout.split("\n")[:-1]))
    assert [path.name for path in found] == [lesson.name for lesson in lessons()]
    assert all(path.parent.name == "notebooks" for path in found)
    assert not [path for path in found if path.is_relative_to(ROOT)]


@pytest.mark.parametrize("as_script", [True, False])
def test_the_command_is_there_as_a_script_and_as_a_module(installed, tmp_path, as_script):
    import numpy

    script = next(installed.parent.glob("minigrad*"))
    words = [str(script)] if as_script else [str(installed), "-m", "minigrad"]
    finished = subprocess.run(
        [*words, "lab", "--help"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(numpy.__file__).parents[1])},
        capture_output=True,
        text=True,
    )
    assert "Open the lessons in JupyterLab" in finished.stdout, finished.stderr


def test_what_the_command_asks_for_is_what_the_extra_brings():
    brought = [Requirement(entry) for entry in PROJECT["optional-dependencies"]["notebooks"]]
    assert {r.name for r in brought if r.marker is None} == set(NEEDED)
