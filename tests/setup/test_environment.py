"""`pyproject.toml` says what works; `environment.yml` and `requirements.lock` agree with it."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from minigrad.cli.clone import COMMANDS
from minigrad.cli.environment import SHOWS
from minigrad.cli.locking import lock_of
from tests.stages import STAGES

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


# --- The lock ------------------------------------------------------------------------------------

# A Jupyter that somebody has already: CI runs the lessons with these versions.
OLDEST = ROOT / "tests" / "setup" / "oldest.txt"


def versions(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def requirements():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(r) for r in (*project["dependencies"], *(r for e in extras for r in e))]


def test_the_lock_has_a_version_that_is_allowed_for_every_requirement():
    locked = versions(ROOT / "requirements.lock")
    for requirement in requirements():
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)]), (
            requirement
        )


def test_the_lock_holds_exact_versions_and_names_no_address():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for line in text.splitlines():
        assert line.startswith("#") or re.fullmatch(r"[\w.-]+==[\w.!]+", line), line
    assert "://" not in text
    assert "@" not in text


def test_the_lock_is_written_from_what_is_installed_without_the_project_and_builds():
    listed = "torch==2.13.0+cpu\nminigrad-autograd==0.1.0\npip==23.0\nAnyio==4.1\npipx==1\n"
    lines = lock_of(listed).splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "Anyio==4.1", "pipx==1", "torch==2.13.0"
    ]  # fmt: skip


def test_a_jupyter_that_is_there_already_is_allowed():
    oldest = versions(OLDEST)
    for requirement in requirements():
        if requirement.name in oldest:
            (lower,) = (part for part in requirement.specifier if part.operator == ">=")
            assert Version(lower.version) == Version(oldest[requirement.name]), requirement
    assert oldest.keys() >= {"numpy", "jupyterlab", "ipykernel", "ipywidgets", "anywidget"}


def test_every_extra_can_be_asked_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"].keys() == SHOWS.keys()


# --- The workflow --------------------------------------------------------------------------------


def test_the_workflow_uses_actions_by_the_commit_that_was_looked_at():
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", action), action


def test_the_workflow_calls_run_py_as_it_can_be_called():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    calls = re.findall(r"run\.py (.*)", "\n".join(commands))
    assert calls
    for call in calls:
        options = COMMANDS.parse(call.split())
        assert set(options.only) <= STAGES.keys()
