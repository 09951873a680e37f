"""Passes that begin with a weight for each element: unlike ones, or ones for a derivative."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ...tensor import Tensor
from ..graph.history import nodes_between
from ..graph.nodes import kind_of
from ..program.derivatives import derivatives, in_order
from ..program.program import Program
from ..program.reading import FACTORIES
from ..program.training_loop import blocks
from ..source.syntax import is_call
from ..source.texts import all_calls, assignments
from ..words.sentences import tell

NAMED = {"gradient", "grad_tensors", "grad_outputs"}
FROM_NUMBERS = FACTORIES | {"FloatTensor", "DoubleTensor", "Tensor", "as_tensor"}
#: of which no element depends on another, so that nothing mixed is there to be added up
ELEMENTWISE = {
    "Mul", "Add", "Sub", "Div", "Pow", "Neg", "Exp", "Log", "Sin", "Cos", "Tanh", "Sqrt", "Sigmoid",
    "SigmoidBackward", "TanhBackward", "Reciprocal", "AccumulateGrad",
}  # fmt: skip
MOST_SHOWN = 6  #: weights that are written out


def weighted(lines: set[str], program: Program, name: str = "") -> Iterator[str]:
    """That the only call of these lines that runs a pass weighs the elements of its root.

    Of ones it is told where a value is asked about that was read from what the pass left.
    """
    passes = all_calls(program.frame, {"backward", "grad"})
    calls = [each for source, each in passes if source.spoken(each.lineno) in lines]
    if len(calls) != 1:
        return
    given = weights_in(calls[0])
    root = calls[0].func.value if is_call(calls[0], {"backward"}) else in_order(calls[0]).args[0]
    if is_call(given, {"ones_like", "ones"}) and name:
        yield tell("pass-of-ones", root=ast.unparse(root), name=name, line=min(lines))
        yield tell("each-by-itself", root=ast.unparse(root))
        return
    if not isinstance(given, ast.Name):
        return  # what is written in the call itself is plain to see
    values, root, written = values_of(given, program), ast.unparse(root), given.id
    if len({*values}) < 2:
        return
    shown = f"[{', '.join(f'{each:g}' for each in values)}]" if len(values) <= MOST_SHOWN else ""
    yield tell("weighted-pass", root=root, given=written, shown=f", {shown}," * bool(shown))
    yield tell("ones-for-weights", root=root, given=written, line=min(lines))


def lines_that_filled(read: set[str], frame: FrameType | None) -> set[str]:
    """The lines that ran a pass, where the lines that ``read`` what it gave are known.

    A ``grad(...)`` is the pass itself; above a ``.grad`` it is the only one of a function.
    """
    for source, block in blocks(frame):
        lines = {source.spoken(each.lineno) for each in block.body}
        passes = [part for each in block.body for part in ast.walk(each)]
        passes = [each for each in passes if is_call(each, {"backward"})]
        if len(passes) == 1 and lines & read:
            return {source.spoken(passes[0].lineno)}
    return read


def weights_in(call: ast.Call) -> ast.expr | None:
    """What a pass is given to begin with; None where it begins with 1."""
    place = 0 if is_call(call, {"backward"}) else 2
    named = [each.value for each in call.keywords if each.arg in NAMED]
    return next(iter([*call.args[place : place + 1], *named]), None)


def values_of(given: ast.Name, program: Program) -> list[float]:
    """The numbers of a tensor, as it is or as the only line that made it writes them."""
    thing = program.variables.get(given.id)
    if isinstance(thing, Tensor):
        return thing.detach().flatten().tolist()
    known = [(ast.unparse(target), value) for _, target, value in assignments(program.frame)]
    made = [value for name, value in known if name == given.id]
    return numbers_in(made[0]) if len(made) == 1 else []


def numbers_in(value: Any) -> list[float]:
    """The numbers that a call makes a tensor of; none where they are not written out."""
    if not is_call(value, FROM_NUMBERS) or not value.args:
        return []
    try:
        found = ast.literal_eval(value.args[0])
    except (ValueError, SyntaxError):
        return []
    is_plain = isinstance(found, list) and all(isinstance(each, int | float) for each in found)
    return found if is_plain else []


def rows_added(name: str, program: Program) -> Iterator[str]:
    """That a second derivative by a vector was taken of all first ones at once, by ones."""
    found = (each for each in derivatives(program.frame) if each[2].args[1:])
    known = {own: (line, call) for line, own, call, _ in found}
    line, call = known.get(name, ("", ast.Call(ast.Name(""), [], [])))
    seed = weights_in(call)
    first, by = map(ast.unparse, call.args[:2]) if call.args else ("", "")
    thing = program.variables.get(first)
    is_second = first in known and ast.unparse(known[first][1].args[1]) == by
    is_vector = isinstance(thing, Tensor) and thing.dim() == 1 and thing.numel() > 1
    leaf = program.variables.get(by)
    kinds = {*map(kind_of, nodes_between(thing, leaf))} if is_second and is_vector else set()
    if kinds - ELEMENTWISE and is_call(seed, {"ones", "ones_like"}):
        told = {"name": name, "first": first, "by": by, "line": line, "count": thing.numel()}
        yield tell("rows-added", **told)
        yield tell("derive-one-row", grad=ast.unparse(call.func), **told)
