"""The steps in which a learner's own engine learns arrays: what is given, and what is right."""

import tomllib
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import minigrad as mg

from .engine_steps import built, without_last_value
from .snippets import run_in

WORDS = Path(__file__).with_name("12.toml")
STEPS = ("12-1a", "12-1b", "12-1c", "12-1d")

#: What the notebook gives before the first step.
GIVEN = """
class Array(engine.load()):
    recording = True

def as_array(x):
    return x if isinstance(x, Array) else Array(mg.as_tensor(x))

def made(data, op, parents, rule):
    past = (op, parents, rule) if Array.recording else ()
    return Array(data, *past)
"""


@cache
def solutions() -> dict[str, str]:
    """The code of each step of 12-1, by its name."""
    exercises = tomllib.loads(WORDS.read_text(encoding="utf-8"))["exercises"]
    return {e["name"]: e["solution"]["answer"] for e in exercises if e["name"] in STEPS}


def built_before(step: str | None, base: type | None = None, arrays: Any = mg) -> dict[str, Any]:
    """Run what is given and the steps before `step`, or all, on the engine `base`.

    `arrays` is what the tensors come from that serve as arrays.
    """
    engine = base or built()["Value"]
    scope = {"mg": arrays, "engine": SimpleNamespace(load=lambda: engine), "__name__": "arrays"}
    run_in(scope, GIVEN)
    for name, code in solutions().items():
        if name == step:
            break
        run_in(scope, without_last_value(code))
    return scope


def before_add() -> dict[str, Any]:
    """What the snippets of 12-1b may use."""
    return built_before("12-1b")


def before_total() -> dict[str, Any]:
    """What the snippets of 12-1c may use."""
    return built_before("12-1c")


def before_cut() -> dict[str, Any]:
    """What the snippets of 12-1d may use."""
    return built_before("12-1d")
