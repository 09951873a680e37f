"""Inputs that a result was not computed from, though both were made from the same tensor.

``u = f(xt)`` and ``t = xt[:, 1]``: no gradient of ``u`` comes to ``t``, which was made beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any, NamedTuple

from ...tensor import Tensor
from ..graph.history import nodes_behind
from ..program.program import Program
from ..source import reader
from ..source.variables import held, is_parameter
from ..words.sentences import tell


class Names(NamedTuple):
    """What a function calls a result, the input, and what both were made from."""

    result: str
    given: str
    source: str
    program: Program

    @property
    def lines(self) -> list[str]:
        """The lines that made the input and the result; empty for one that was handed over."""
        return [self.program.binding_line(each) or "" for each in (self.given, self.result)]


def made_beside(y: Tensor, x: Tensor, a: str, b: str, program: Program) -> Iterator[str]:
    """The sentences, and what to write; nothing where they have nothing in common."""
    if y.grad_fn is None or x.grad_fn is None:
        return
    y = named_in(a, y, program)
    others = {*nodes_behind(y)}
    shared = [node for node in nodes_behind(x) if node in others]
    found = [*where_named(y, x, shared, program.frame)] if shared else []
    if not found:
        return
    known = next((each for each in found if each.lines[0]), found[0])
    result, given, source, _ = known
    frame = known.program.frame
    if said := otherwise_called({a: result, b: given}, frame and frame.f_code):
        yield said
    names = {"given": given, "source": source, "result": result}
    made, computed = map(reader.in_brackets, known.lines)
    yield tell("made-beside", **names, made=made, computed=computed)
    names["given"], whole = rejoined(known, x) or (given, given)
    yield tell("make-it-first", whole=whole, **names)


def rejoined(names: Names, x: Tensor) -> tuple[str, str] | None:
    """The names of all columns of the source, and how they become the source again."""
    known = {n: e for n, e in names.program.variables.items() if isinstance(e, Tensor)}
    if (whole := known.get(names.source)) is None:
        return None
    base, flat = whole if whole._base is None else whole._base, x.dim() < whole.dim()
    parts = {n: e for n, e in known.items() if e._base is base and e is not whole}
    parts = dict(sorted(parts.items(), key=lambda part: part[1].storage_offset()))
    rows = {e.shape if flat else e.shape[:-1] for e in parts.values()}
    width = sum(1 if flat else e.shape[-1] for e in parts.values())
    if not parts.keys() - {names.given} or (rows, width) != ({whole.shape[:-1]}, whole.shape[-1]):
        return None
    put = f"torch.{'stack' if flat else 'cat'}([{', '.join(parts)}], dim=-1)"
    return " and ".join(parts), f"{put} in the place of {names.source}"


def otherwise_called(names: dict[str, str], code: CodeType | None) -> str:
    """What a function around this one calls the same things, each that has a name in both."""
    others = {own: name for own, name in names.items() if own.isidentifier() and name != own}
    said = " and ".join(f"{own} is {name}" for own, name in others.items())
    if not said or code is None:
        return ""
    name = code.co_name
    return f"{said}{f' in {name}()' if name.isidentifier() else ', where it was called'}."


def named_in(a: str, y: Tensor, program: Program) -> Tensor:
    """The result with a name that ``y`` was made of where it has none: ``u`` of ``u.sum()``."""
    if program.name_of(y) is not None:
        return y
    behind = {*nodes_behind(y)}
    things = (program.variables.get(word) for word in re.findall(r"\w+", a))
    made = [each for each in things if isinstance(each, Tensor) and each.grad_fn in behind]
    return made[0] if made else y


def where_named(
    y: Tensor, x: Tensor, shared: list[Any], frame: FrameType | None
) -> Iterator[Names]:
    """The names in each function that runs and knows all three, the innermost first."""
    for around in reader.callers(frame):
        program = Program.of(around)
        variables = program.variables
        own = [reader.name_among(variables, lambda t, each=each: t is each) for each in (y, x)]
        made = {}
        for each in held(variables):
            is_other = each.thing is not x and each.thing is not y
            if is_other and isinstance(each.thing, Tensor) and not is_parameter(each.thing):
                made.setdefault(id(each.thing.grad_fn or each.thing), each.path)
        ends = [id(getattr(node, "variable", node)) for node in shared]  # a leaf has no node
        source = next((made[end] for end in ends if end in made), None)
        if all(own) and source is not None:
            yield Names(*own, source, program)
