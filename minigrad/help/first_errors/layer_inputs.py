"""What a layer or a loss was given in the place of a tensor: an array, a list, a number, a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from ...nn.module import Module
from ...tensor import Tensor
from ..gradients.untracked import lost_history, what_to_do
from ..program.failure import Failure, made_in
from ..program.program import Program
from ..source import reader
from ..source.called import parameters_taken
from ..source.lookup import value_of
from ..source.syntax import is_call
from ..words.sentences import tell

FAILS = re.compile(
    r".*must be (?:a )?Tensor|'[\w.]+' object has no attribute|.*unsupported operand"
)
KIND = re.compile(r"must be (?:a )?Tensor, not ([\w.]+)|'([\w.]+)' object has no")
OF_CLASSES = {"cross_entropy", "nll_loss", "CrossEntropyLoss", "NLLLoss"}
PLAIN = (int, float, list, tuple, str, dict, np.ndarray, np.generic)


def of_no_tensor(failure: Failure, _: re.Match) -> Iterator[str]:
    """Which argument of a layer or a loss is no tensor, where it was made, and what to write."""
    call = failure.expression
    if not is_call(call) or not FAILS.match(str(failure.error)):
        return
    run = called_by(call.func, failure)
    if not takes_tensors(run):
        return
    wanted, named = named_arguments(run), KIND.search(str(failure.error))
    kind = (named[1] or named[2]).split(".")[-1:] if named else None
    given = [*((None, e) for e in call.args), *((word.arg, word.value) for word in call.keywords)]
    for number, (word, each) in enumerate(given):
        name = word or (wanted[number] if number < len(wanted) else "")
        if name not in ("input", "target", "x1", "x2", "indices") and run_is_a_loss(run):
            continue
        thing, frame = failure.origin(each)
        value = literal(thing) if (known := value_of(thing, frame, None)) is None else known
        value = given_below(name, failure) if value is None else value
        if isinstance(value, PLAIN) and type(value).__name__ in (kind or type(value).__name__):
            if isinstance(value, dict):  # whose other parts the lines around may need
                thing, frame = each, failure.frame
            handed = reader.spoken_line(frame.f_code.co_filename, thing.lineno)
            line = made_in(thing, frame)[0] or (frame is not failure.frame and handed) or ""
            said = [*told(thing, value, line, run, call, number)]
            yield from [*said[:1], *(history_lost(thing, frame) or said[1:])]
            return


def history_lost(thing: ast.expr, frame: FrameType) -> list[str]:
    """Where numbers were taken from what has a history; empty for data."""
    if is_call(thing, {"item", "tolist", "numpy"}):
        return [f"Try: leave {thing.func.attr}() out there, which takes the history away."]
    program, name = Program.of(frame, frame.f_lineno), ast.unparse(thing)
    lost = lost_history(name, program) if isinstance(thing, ast.Name) else []
    return [*lost, f"Try: {what_to_do(name, program)}"] if lost else []


def given_below(name: str, failure: Failure) -> Any:
    """What an argument of this name was in the first function of a library that has one."""
    known = [each.f_locals for each in failure.below if name in each.f_locals]
    return known[0][name] if name and known else None


def called_by(function: ast.expr, failure: Failure) -> Any:
    """What is called; of ``nn.MSELoss()(a, b)`` the class."""
    made = failure.value(function.func) if is_call(function) else None
    return made if isinstance(made, type) else failure.value(function)


def takes_tensors(run: Any) -> bool:
    """Whether this is a layer, a net or a function of this package."""
    own = isinstance(run, FunctionType) and run.__code__.co_filename.startswith(reader.PACKAGE)
    if isinstance(run, type):
        return issubclass(run, Module)
    return isinstance(run, Module) or own and not run.__name__.startswith("_")


def named_arguments(run: Any) -> list[str]:
    """The names of what a layer or a function takes."""
    kind = run if isinstance(run, type) else type(run)
    function = kind.forward if issubclass(kind, Module) else run
    return [each for each in parameters_taken(function) if each != "self"]


def run_is_a_loss(run: Any) -> bool:
    """Whether what is called compares an output with a target."""
    return "target" in named_arguments(run)


def literal(thing: ast.expr) -> Any:
    """The value of a number, a text or a list that is written out; None of what is computed."""
    if is_call(thing, {"item"}):
        return 0.0
    try:
        return ast.literal_eval(thing)
    except (ValueError, TypeError):
        return [] if isinstance(thing, ast.List | ast.ListComp) else None


def told(
    thing: ast.expr, value: Any, line: str, run: Any, call: ast.Call, number: int
) -> Iterator[str]:
    """What an argument is, its line, and how it becomes a tensor."""
    name, kind = ast.unparse(thing), type(value).__name__
    called = "a NumPy array" if isinstance(value, np.ndarray) else f"a plain {kind}"
    if isinstance(value, list | tuple) and value and isinstance(value[0], Tensor):
        called = f"a {kind} of {len(value)} tensor{'s' * (len(value) > 1)}"
    is_layer = not isinstance(run, FunctionType)
    takes = "a layer takes tensors" if is_layer else f"{ast.unparse(call.func)} takes tensors"
    what = "a loss compares tensors" if run_is_a_loss(run) else takes
    yield f"{name} is {called}{reader.in_brackets(line)}, and {what}."
    if isinstance(run, Module):
        run = type(run)
    of_a_class = run.__name__ in OF_CLASSES and number == 1
    if isinstance(value, list | tuple) and value and isinstance(value[0], Tensor):
        alike = len({getattr(each, "shape", None) for each in value}) == 1
        is_joined = isinstance(value, list) and alike and ": `for " not in line  # one of a batch
        joined = f"torch.stack({name}){'.mean(dim=0)' * run_is_a_loss(run)}"
        yield f"Try: {joined if is_joined else f'{name}[0]'} for {name}."
    elif isinstance(value, dict) and (keys := [k for k in value if isinstance(value[k], Tensor)]):
        yield f"Try: {name}[{keys[0]!r}] for {name}, one of its tensors."
    elif isinstance(value, str | dict) or holds_texts(value):
        yield tell("texts-for-numbers", name=name)
    elif isinstance(value, int | float | np.generic) and run_is_a_loss(run) and number == 1:
        other = ast.unparse(call.args[0]) if call.args else "output"
        one = f"torch.tensor({name})" if of_a_class else f"torch.full_like({other}, {name})"
        yield f"Try: {one} for {name}."
    elif of_a_class or run.__name__ == "Embedding":
        yield f"Try: torch.tensor({name}) for {name}."
    elif isinstance(value, int | float | np.generic):
        yield f"Try: torch.tensor([float({name})]) for {name}."
    else:
        yield f"Try: torch.tensor({name}, dtype=torch.float32) for {name}."


def holds_texts(value: Any) -> bool:
    """Whether this is a list or an array of texts, such as names of classes."""
    is_list = isinstance(value, list | tuple) and any(isinstance(each, str) for each in value)
    return is_list or isinstance(value, np.ndarray) and value.dtype.kind in "US"
