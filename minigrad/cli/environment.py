"""The environment in `.venv` of a clone: made once, from the exact versions of a lock file."""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .files import lock, read_json, write_whole
from .progress import run_with_signs_of_life
from .trouble import Trouble, explain_output, say

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
# By the module that shows it: what `--here` has to find.
SHOWS = {"notebooks": "jupyterlab", "test": "pytest", "oracle": "torch", "bench": "mygrad"}
WITH_PYTORCH = {"oracle", "bench"}
WAITING = "Another run is setting up the environment. This one waits until it is there."


def prepare(*extras: str, here: bool = False) -> Path:
    """Return a Python that has this project and its `extras`, installing what is missing.

    With `here`, that is the Python running now, as in a conda environment: it has everything
    already, and nothing is installed.
    """
    if here:
        for extra in extras:
            if importlib.util.find_spec(SHOWS[extra]) is None:
                raise Trouble(
                    f"This Python ({sys.executable}) has no {SHOWS[extra]}. Without --here,\n"
                    "an environment that has all it takes is made for you."
                )
        return Path(sys.executable)
    if not is_ready(extras):
        with lock(ROOT / ".venv.lock", WAITING):
            if not is_ready(extras):  # the run that was waited for may have done it
                set_up(extras)
    return python_of(VENV)


def python_of(folder: Path) -> Path:
    """Return where the Python of a virtual environment is."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def fingerprint() -> str:
    """Change when an installation would: other requirements, or the project in another place."""
    files = [ROOT / "pyproject.toml", ROOT / "requirements.lock"]
    written = b"".join(path.read_bytes() for path in files)
    return hashlib.sha256(written + str(ROOT).encode()).hexdigest()


def is_ready(extras: tuple[str, ...]) -> bool:
    """Tell whether everything that `extras` need was installed, and is there."""
    installed = read_json(VENV / "installed.json")
    return (
        installed.get("fingerprint") == fingerprint()
        and set(extras) <= set(installed["extras"])
        and python_of(VENV).exists()
    )


def set_up(extras: tuple[str, ...]) -> None:
    """Make the environment, or bring it up to date, and note what was installed."""
    stamp = VENV / "installed.json"
    installed = read_json(stamp)
    is_new = installed.get("fingerprint") != fingerprint() or not python_of(VENV).exists()
    if is_new:
        make_venv(python_of(VENV))
    # What somebody asked for once stays, so that `lab` does not drop what `test` needs.
    extras = tuple(sorted({*installed.get("extras", ()), *extras}))
    stamp.unlink(missing_ok=True)  # an installation that breaks off leaves no stamp
    say(what_is_installed(extras, () if is_new else installed["extras"]))
    install(python_of(VENV), extras)
    write_whole(stamp, json.dumps({"fingerprint": fingerprint(), "extras": extras}))


def make_venv(python: Path) -> None:
    """Make the virtual environment anew, unless a working one is there."""
    if python.exists():
        check = f"import pip, sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
        if subprocess.run([str(python), "-c", check], stderr=subprocess.DEVNULL).returncode == 0:
            return
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise Trouble(
                f"This Python ({sys.executable}) comes without its module `{module}`, which makes\n"
                "virtual environments. On Debian and Ubuntu the package python3-venv brings it:\n\n"
                "    sudo apt install python3-venv\n\nThen run the same command again."
            )
    say(f"Making an environment in {VENV}")
    # In two steps, because `venv` keeps to itself why pip could not be put there.
    run(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
    run(python, "-m", "ensurepip", "--upgrade", "--default-pip")


def run(*words) -> None:
    """Run one step of making the environment."""
    finished = subprocess.run(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", env=installing(),
    )  # fmt: skip
    if finished.returncode != 0:
        raise Trouble(explain_output("making a virtual environment", finished.stdout, ROOT))


def what_is_installed(extras: Sequence[str], before: Sequence[str]) -> str:
    """Say what an installation brings, to one who will wait for it; `before` is there already."""
    more = [extra for extra in extras if extra not in before]
    large = "PyTorch is among them, and is large." if WITH_PYTORCH & set(more) else ""
    if before:
        said = f"Adding what is needed for: {', '.join(more)}. This happens once."
    else:
        said = (
            f"Installing minigrad with what it needs for: {', '.join(more)}.\n"
            "This happens once, and takes a minute or several by the network: "
            "close to 100 packages."
        )
    return f"{said} {large}".rstrip()


def install(python: Path, extras: tuple[str, ...]) -> None:
    """Install this project and its `extras` with pip, in place, so that edits take effect."""
    code, output = run_with_signs_of_life(
        [str(python), "-m", "pip", "install", "--no-input", "--disable-pip-version-check",
         "--progress-bar=off", "--constraint=requirements.lock",
         "--editable", f".[{','.join(extras)}]"],
        cwd=ROOT,
        env=installing(),
    )  # fmt: skip
    if code != 0:
        raise Trouble(explain_output("installing with pip", output, ROOT))


def installing() -> dict[str, str]:
    """Return the environment for what installs: nothing of other projects, nor of the user's."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "PIP_USER": "0",
        "PYTHONUNBUFFERED": "1",
    }
