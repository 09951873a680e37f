"""`import minigrad` loads no room that few programs need; naming one loads it."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import minigrad as mg
from minigrad.ops import more
from minigrad.ops.binding import FUNCTIONS_ONLY, METHODS_ONLY
from minigrad.ops.more import FUNCTIONS, WHERE, OnFirstUse
from minigrad.ops.rule import OPERATIONS

ROOMS = (
    "minigrad.func", "minigrad.utils", "minigrad.extras.forward_ad", "minigrad.ops.more.clamp",
    "minigrad.ops.more.flips",
)  # fmt: skip


def loaded_after(statement):
    """Which of the rooms a fresh Python has loaded after a statement."""
    program = f"import sys, minigrad\n{statement}\nprint(*sys.modules)"
    words = [sys.executable, "-c", program]
    modules = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return [room for room in ROOMS if room in modules]


def test_import_is_light():
    assert loaded_after("") == []


def test_rooms_open_by_name():
    assert loaded_after("minigrad.func.grad") == ["minigrad.func", "minigrad.extras.forward_ad"]
    assert loaded_after("minigrad.utils.checkpoint") == ["minigrad.utils"]
    assert loaded_after("minigrad.autograd.forward_ad")[-1:] == ["minigrad.extras.forward_ad"]


def test_operations_are_loaded_when_they_are_asked_for():
    assert loaded_after("minigrad.ones(2).clamp_(0)") == ["minigrad.ops.more.clamp"]
    assert loaded_after("minigrad.clamp_") == ["minigrad.ops.more.clamp"]
    assert loaded_after("from minigrad import flip") == ["minigrad.ops.more.flips"]
    assert loaded_after("minigrad.Tensor.flip") == ["minigrad.ops.more.flips"]


def test_all_that_is_declared_is_found_by_name():
    for name in WHERE:
        assert callable(getattr(mg, name) if name in FUNCTIONS else getattr(mg.Tensor, name))
    files = {path.stem for path in Path(more.__file__).parent.glob("*.py")}
    for file in files - {"__init__"}:
        import_module(f"minigrad.ops.more.{file}")
    assert not [name for name, m in vars(mg.Tensor).items() if isinstance(m, OnFirstUse)]
    assert not [n for n in OPERATIONS if n not in FUNCTIONS_ONLY and not hasattr(mg.Tensor, n)]
    assert {n for n in OPERATIONS if not n.endswith("_")} <= METHODS_ONLY | set(dir(mg))
