"""Which room may import which: engine <- trace <- viz <- widgets <- lessons.

`minigrad.language` stands beside them: it imports nothing, and any of them may ask it. `cli` stands
apart.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minigrad"
ROOMS = ["engine", "trace", "viz", "widgets", "lessons"]
LANGUAGE = "language"
MAY_IMPORT = {room: {*ROOMS[: number + 1], LANGUAGE} for number, room in enumerate(ROOMS)}
MAY_IMPORT[LANGUAGE] = {LANGUAGE}
MAY_IMPORT["viz"] = {"trace", "viz", LANGUAGE}  # it draws plain data and has never seen a Tensor
MAY_IMPORT["cli"] = {"cli"}  # it runs before NumPy is there
# Rooms that use no other packages than these.
OWN_TOOLS = {"engine": {"numpy"}, "trace": {"numpy"}, LANGUAGE: set(), "cli": set()}


def room_of(module):
    """Return the room of a dotted module name, such as `minigrad.viz.dot`."""
    parts = module.split(".")
    if parts[1:] == ["__main__"]:
        return "cli"
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else "engine"


def imports(source, module, is_package=False):
    """Return the full names of all that `source` imports, inside functions too."""
    parent = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = parent.split(".")[: len(parent.split(".")) - node.level + 1]
                base = ".".join([*above, *filter(None, [base])])
            yield base
            if base == "minigrad":
                yield from (f"minigrad.{alias.name}" for alias in node.names)


def wrong_imports(source, module, is_package=False):
    """Return what `module` imports although its room may not."""
    room = room_of(module)
    for name in imports(source, module, is_package):
        top = name.split(".")[0]
        if top == "minigrad":
            # `from minigrad import viz` yields both names; the package itself is the engine.
            # Every room may have its sentences translated.
            from_package = room == "viz" and name in ("minigrad", "minigrad.language")
            if room_of(name) not in MAY_IMPORT[room] and not from_package:
                yield name
        elif room in OWN_TOOLS and top not in OWN_TOOLS[room] | sys.stdlib_module_names:
            yield name


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        yield pytest.param(path, ".".join(parts[:-1] if is_package else parts), is_package)


@pytest.mark.parametrize(("path", "module", "is_package"), list(modules()))
def test_arrows_point_one_way(path, module, is_package):
    assert list(wrong_imports(path.read_text(encoding="utf-8"), module, is_package)) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("minigrad.tensor", "def f():\n    from minigrad.trace import frames"),
        ("minigrad.autograd.engine", "from ..viz import draw"),
        ("minigrad.autograd.engine", "from .. import viz"),
        ("minigrad.trace.frames", "import graphviz"),
        ("minigrad.trace.frames", "from minigrad import widgets"),
        ("minigrad.viz.dot", "from minigrad.tensor import Tensor"),
        ("minigrad.widgets.stepper", "import minigrad.lessons.cards"),
        ("minigrad.language", "from minigrad.widgets import words"),
        ("minigrad.lessons.cards", "from minigrad.cli import lab"),
        ("minigrad.cli.lab", "import numpy"),
        ("minigrad.cli.lab", "from .. import tensor"),
    ],
)
def test_a_wrong_arrow_is_found(module, source):
    assert list(wrong_imports(source, module))


def test_the_package_alone_loads_numpy_and_nothing_else():
    program = (
        "import sys, numpy; before = set(sys.modules); import minigrad;"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(finished.stdout.split()) - sys.stdlib_module_names == {"minigrad"}
    assert finished.stderr == ""


def test_the_package_alone_leaves_the_rooms_above_it_unloaded():
    program = "import sys, minigrad; print(*(n for n in sys.modules if n.startswith('minigrad.')))"
    finished = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {room_of(name) for name in finished.stdout.split()} == {"engine"}
