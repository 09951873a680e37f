"""Lines that name derivatives, and those that differentiate what another one gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

from ..source.called import function_called
from ..source.syntax import calls_in, is_call, is_word, names_in, parts_in, targets_of, whole_of
from ..source.texts import assignments, definition_of, everywhere


def derivatives(frame: FrameType | None) -> Iterator[tuple[str, str, ast.Call, bool]]:
    """The lines that name what ``grad(...)`` gave, or return it: the name, the call, if it is kept.

    A function of the reader's may be called so as well.
    """
    returned = [(source, each) for source, each in everywhere(frame, ast.Return) if each.value]
    own = {each.name for _, each in everywhere(frame, ast.FunctionDef)}
    found = [*assignments(frame), *((s.spoken(e.lineno), None, e.value) for s, e in returned)]
    for line, target, value in found:
        for call in map(in_order, calls_in(value, {"grad"})):
            if call.args and ast.unparse(call.func) not in own:
                kept = any(each.arg == "create_graph" for each in call.keywords)
                yield line, ast.unparse(target) if target else "", call, kept


def in_order(call: ast.Call) -> ast.Call:
    """The same call, with what ``grad(outputs=y, inputs=x)`` names in its place."""
    given = {each.arg: each.value for each in call.keywords}
    named = [given[each] for each in ("outputs", "inputs")[len(call.args) :] if each in given]
    return ast.Call(call.func, [*call.args, *named], call.keywords) if named else call


def taken_again(line: str, frame: FrameType | None) -> list[str]:
    """The lines that differentiate once more what a line has named, and keep no history either."""
    known = [*derivatives(frame)]
    names = {name for at, name, _, _ in known if at == line and name}
    further = [(at, names_in(call.args[0])) for at, _, call, kept in known if not kept]
    return [at for at, given in further if given & names and at != line]


def second_derivatives(
    frame: FrameType | None, variables: Mapping[str, Any]
) -> Iterator[tuple[str, list[str]]]:
    """The lines that differentiate a derivative, also by a function for that, and its names."""

    def is_one(call: ast.Call) -> bool:
        is_known = is_call(call, {"grad"}) or gives_recorded(call, variables)
        return is_known and bool(call.args)

    known = [(ast.unparse(target), whole_of(value)) for _, target, value in assignments(frame)]
    first = {name for name, value in known if any(map(is_one, calls_in(value)))}
    first |= {name for name, value in known if ast.unparse(value) in first}  # parts of one
    for source, call in everywhere(frame, ast.Call):
        given = call.args[0] if is_one(call) else ast.Pass()
        if names_in(given) & first or any(map(is_one, calls_in(given))):
            yield source.spoken(call.lineno), [name for name, value in known if value is call]


def is_recorded(call: Any) -> bool:
    """Whether a call asks for gradients that have a history."""
    given = {each.arg: each.value for each in call.keywords} if is_call(call) else {}
    return is_call(call, {"grad", "backward"}) and is_word(given.get("create_graph"), True)


def gives_recorded(call: ast.Call, variables: Mapping[str, Any]) -> bool:
    """Whether a call runs a function of the reader's that gives such gradients back."""
    called = function_called(call, variables)
    node = definition_of(called[0])[1] if called else ast.Pass()
    bound = {name: each.value for each in parts_in(node, ast.Assign) for name in targets_of(each)}
    given = [whole_of(each.value) for each in parts_in(node, ast.Return) if each.value]
    return any(is_recorded(whole_of(bound.get(ast.unparse(each), each))) for each in given)
