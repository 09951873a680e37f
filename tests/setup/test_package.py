"""The wheel: pure Python, with everything that the package reads at run time."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_CODE = {".css", ".js", ".toml", ".json", ".typed"}


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


def test_nothing_but_the_package_is_in_it(contents):
    assert {name.split("/")[0].split("-")[0] for name in contents} == {"minigrad"}
    assert not [name for name in contents if "__pycache__" in name]


def test_the_package_knows_its_version():
    import minigrad

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert minigrad.__version__ == project["version"]
