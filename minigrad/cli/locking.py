"""`run.py lock`: the exact versions of everything, found by installing it afresh."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from .environment import SHOWS, installing, python_of
from .files import write_whole
from .trouble import Trouble, say

HEAD = """\
# The exact versions that `.venv` gets, whatever pyproject.toml would allow. Written by
# `python3 run.py lock` with Python {}; a package of another system has no line and is free.
"""


def write_lock(root: Path) -> int:
    """Install all extras into an environment of their own, and write down what came."""
    with tempfile.TemporaryDirectory() as folder:
        python = python_of(Path(folder))
        everything = f"{root}[{','.join(SHOWS)}]"
        say("Installing everything afresh, PyTorch too. This takes minutes.")
        for words in ([sys.executable, "-m", "venv", folder],
                      [python, "-m", "pip", "install", "--quiet", everything]):  # fmt: skip
            if subprocess.run(list(map(str, words)), env=installing()).returncode != 0:
                raise Trouble("It could not be installed; requirements.lock is as it was.")
        listed = [str(python), "-m", "pip", "list", "--format=freeze"]
        versions = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    write_whole(root / "requirements.lock", lock_of(versions))
    return 0


def lock_of(versions: str) -> str:
    """Return the lock file for a list of `name==version` lines.

    The project itself has no line. A build of PyTorch, `2.13.0+cpu`, stands for its version: which
    build it is, the machine decides.
    """
    lines = [re.sub(r"\+.*", "", line) for line in versions.split()]
    kept = [line for line in lines if not line.startswith(("minigrad", "pip=", "setuptools="))]
    python = ".".join(map(str, sys.version_info[:2]))
    return HEAD.format(python) + "".join(f"{line}\n" for line in sorted(kept, key=str.lower))
