"""Files of the engine know those below them alone: no circle, also none by an import in a function.

The engine is the core and what stands around it. What shows it is held to its arrows by
`test_arrows.py`.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minigrad"
CORE = {"", "autograd", "ops"}  # "" are the files of the package itself
AROUND = {"ops/more", "extras", "help", "func", "linalg", "nn", "optim", "utils"}
SHOWN = {"trace", "viz", "widgets", "lessons", "cli"}
# Each imports from those before it alone; what stands beside them may import from all.
ROOMS_OF_HELP = (
    "source", "words", "program", "graph", "gradients", "training", "not_finite", "paths", "nets",
    "first_errors", "errors",
)  # fmt: skip
# They hand out what few programs need when it is asked for by name, and so may load what is above.
FACES = {"minigrad", "minigrad.autograd", "minigrad.autograd.graph", "minigrad.ops.more"}
# They are nothing but the place where PyTorch has a module that is around the core here.
DOORS = {f"minigrad.autograd.{name}" for name in ("anomaly_mode", "forward_ad", "functional")}


def module_of(path):
    """The dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module):
    """The folder of the package that a module is in; "" if in none."""
    parts = module.split(".")
    if parts[1:] == ["__main__"]:  # the commands, under another name
        return "cli"
    if parts[1:3] == ["ops", "more"]:
        return "ops/more"
    return parts[1] if len(parts) > 1 and (PACKAGE / parts[1]).is_dir() else ""


FILES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
ENGINE = {name for name in FILES if room_of(name) in CORE | AROUND and name != "minigrad"}


def for_types_alone(node):
    """Whether a statement is `if TYPE_CHECKING:`, whose imports never happen."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def import_statements(tree):
    """All imports of a file that can happen, those in functions too."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif not for_types_alone(child):
            yield from import_statements(child)


def imported(source, module, is_package, known):
    """The modules among `known` that a file imports."""
    for node in import_statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            parts = module.split(".") if is_package else module.split(".")[:-1]
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            full = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name in known else base for name in full]
        yield from (name for name in names if name in known and name != module)


def arrows(modules):
    """For each module all others that it imports."""
    return {
        name: set(
            imported(
                FILES[name].read_text(encoding="utf-8"),
                name,
                FILES[name].name == "__init__.py",
                FILES,
            )
        )
        for name in modules
    }


def circles(graph):
    """Groups of modules that can all be reached from each other."""
    reach = {name: set(below) & graph.keys() for name, below in graph.items()}
    grown = True
    while grown:
        grown = False
        for below in reach.values():
            further = set().union(*(reach[name] for name in below)) - below
            below |= further
            grown = grown or bool(further)
    return sorted({tuple(sorted(m for m in reach[n] if n in reach[m])) for n in reach} - {()})


def test_every_room_has_its_place():
    rooms = {path.name for path in PACKAGE.iterdir() if any(path.glob("*.py"))}
    assert rooms | {"ops/more"} == (CORE | AROUND | SHOWN) - {""}


def test_no_file_is_in_a_circle():
    assert len(FILES) > 200
    assert circles(arrows(FILES)) == []


def test_the_core_imports_nothing_that_is_around_it_or_shows_it():
    core = {name for name in ENGINE - DOORS if room_of(name) in CORE}
    wrong = {
        (name, other)
        for name, below in arrows(core).items()
        for other in below
        if other == "minigrad" or room_of(other) not in CORE
    }
    assert wrong == set()


def test_a_door_holds_no_code():
    for name in DOORS:
        body = ast.parse(FILES[name].read_text(encoding="utf-8")).body
        assert {type(node) for node in body} == {ast.Expr, ast.ImportFrom, ast.Assign}, name


def test_no_file_of_the_core_passes_through_a_door():
    assert not [(n, b & DOORS) for n, b in arrows(ENGINE - DOORS).items() if b & DOORS]


def test_what_is_around_the_core_imports_nothing_that_shows_it():
    below = arrows(ENGINE - {name for name in ENGINE if room_of(name) in CORE})
    assert not [(n, other) for n, b in below.items() for other in b if room_of(other) in SHOWN]


def room_of_help(module):
    """The room of `help` that a module is in, as a number; None if it is in none."""
    parts = module.split(".")
    is_in_one = parts[1:2] == ["help"] and parts[2:] and (PACKAGE / "help" / parts[2]).is_dir()
    return ROOMS_OF_HELP.index(parts[2]) if is_in_one else None


def test_a_room_of_help_imports_only_from_those_before_it():
    assert {path.parent.name for path in (PACKAGE / "help").glob("*/*.py")} == {*ROOMS_OF_HELP}
    helping = {name for name in FILES if room_of(name) == "help"}
    in_rooms = {name for name in helping if room_of_help(name) is not None}
    assert len(helping - in_rooms - {"minigrad.help"}) <= 3
    wrong = {
        (name, other)
        for name, below in arrows(in_rooms).items()
        for other in below & helping
        if other not in in_rooms or room_of_help(other) > room_of_help(name)
    }
    assert wrong == set()


def test_only_faces_import_what_is_named_by_a_string():
    named = {"import_module", "__import__"}
    found = {
        name
        for name in [*ENGINE, "minigrad"]
        for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute | ast.Name)
        and getattr(node, "attr", getattr(node, "id", None)) in named
    }
    assert found <= FACES


@pytest.mark.parametrize(
    ("module", "is_package", "source", "found"),
    [
        ("minigrad.tensor", False, "def f():\n    from .creation import ones", "minigrad.creation"),
        ("minigrad.ops.rule", False, "from ..autograd.node import Node", "minigrad.autograd.node"),
        ("minigrad.ops.rule", False, "from ..autograd import node", "minigrad.autograd.node"),
        ("minigrad.ops.rule", False, "if a:\n    import minigrad.tensor", "minigrad.tensor"),
        ("minigrad.ops", True, "from . import rule", "minigrad.ops.rule"),
        ("minigrad.ops", True, "from .. import trace", "minigrad.trace"),
        (
            "minigrad.ops.rule",
            False,
            "class A:\n    from minigrad import tensor",
            "minigrad.tensor",
        ),
    ],
)
def test_an_import_is_found(module, is_package, source, found):
    assert list(imported(source, module, is_package, FILES)) == [found]


def test_an_import_that_never_happens_is_none():
    source = "if TYPE_CHECKING:\n    from .tensor import Tensor"
    assert list(imported(source, "minigrad.creation", False, FILES)) == []


def test_a_circle_is_found():
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": set(), "f": {"f"}}
    assert circles(graph) == [("a", "b", "c"), ("f",)]
