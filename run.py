"""From a fresh clone to the lessons, with nothing to install by hand.

    python3 run.py lab       open the lessons in JupyterLab
    python3 run.py test      check everything, and print how much was checked
    python3 run.py --help    the other commands

Any Python from 3.11 on will do. The first start makes an environment in `.venv`, inside this
folder; later starts find it there and install nothing. The commands are in `minigrad/cli`. This
file has to be readable for every Python, so that an old one can say that it is too old.
"""

import os
import sys

OLDEST_PYTHON = (3, 11)
TOO_OLD = """minigrad needs Python {}.{} or newer; this is Python {}.{}.
Perhaps a newer one is installed under another name (try `python3.12 run.py ...`);
otherwise get one from https://www.python.org/downloads/."""


def main(words):
    """Run one command; return the exit code."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        sys.stderr.write(TOO_OLD.format(*(OLDEST_PYTHON + sys.version_info[:2])) + "\n")
        return 1
    return load_commands().main(words)


def load_commands():
    """Import `minigrad/cli` without the package around it, which needs NumPy."""
    import importlib
    import importlib.util

    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "minigrad", "cli")
    spec = importlib.util.spec_from_file_location(
        "minigrad_cli", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])
    return importlib.import_module("minigrad_cli.clone")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
