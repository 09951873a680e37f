"""`environment.yml` gives conda and Binder what `pyproject.toml` gives pip."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]

# The names that conda-forge uses for packages that are called otherwise on PyPI.
CONDA_NAMES = {"graphviz": "python-graphviz"}
# conda's own `dot` program draws the graphs; a browser and its driver are left to the user.
LEFT_OUT = {"pygraphviz", "playwright"}
# What only conda has: the program that draws, Python itself, and the installer for the project.
CONDA_ONLY = {"graphviz", "pip", "python"}


def split(requirement):
    """Split `name>=1,<2; marker` into its name and its bounds."""
    name, bounds = re.match(r"([\w.-]+)\s*([^;\s]*)", requirement).groups()
    return name, frozenset(filter(None, bounds.split(",")))


def pip_requirements():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    listed = [*project["dependencies"], *extras["notebooks"], *extras["test"]]
    return dict(map(split, listed))


def conda_environment():
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def test_conda_gets_the_same_packages_in_the_same_bounds():
    listed = conda_environment()["dependencies"]
    conda = dict(split(entry) for entry in listed if isinstance(entry, str))
    expected = {
        CONDA_NAMES.get(name, name): bounds
        for name, bounds in pip_requirements().items()
        if name not in LEFT_OUT
    }
    assert {name: conda[name] for name in conda if name not in CONDA_ONLY} == expected
    assert conda.keys() >= CONDA_ONLY


def test_conda_gets_the_oldest_python_that_is_promised():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert f"python={oldest}" in conda_environment()["dependencies"]


def test_conda_installs_the_project_in_place():
    environment = conda_environment()
    assert environment["dependencies"][-1] == {"pip": ["-e ."]}
    assert environment["channels"] == ["conda-forge"]


def test_every_requirement_is_bounded_above():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    for requirement in [*project["dependencies"], *(r for extra in extras for r in extra)]:
        _, bounds = split(requirement)
        assert any(bound.startswith(("<", "==")) for bound in bounds), requirement


def test_numpy_is_the_only_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [split(requirement)[0] for requirement in project["dependencies"]] == ["numpy"]


def test_torch_is_the_version_that_answers_are_recorded_with():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"]["oracle"] == ["torch==2.13.0"]
