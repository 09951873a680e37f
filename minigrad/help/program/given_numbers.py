"""Functions that are to compute with tensors, and are given a plain number, or a list of them."""

from __future__ import annotations

import ast

from ..source import reader
from ..source.lists import is_list, trees_with
from ..source.syntax import FUNCTIONS, is_call, name_called, names_in, scope, statements_at
from .numpy_to_tensors import MODULES, with_tensors


def given_numbers(line: str) -> str:
    """What else to write where a line calls functions of tensors with what its function is given.

    >>> given_numbers("line 1 of no file: `return math.cos(angle)`")
    ''
    """
    place = reader.SPOKEN_LINE.match(line)
    trees = trees_with(place[2]) if place else {}
    tree = trees.get(place[2]) if place else None
    function = scope(tree, int(place[1])) if tree else None
    if not isinstance(function, FUNCTIONS):
        return ""
    used = set().union(*map(names_computed, statements_at(tree, int(place[1]))))
    own = {function.name}
    parameters = [each.arg for each in function.args.args if each.arg != "self"]
    numbers: dict[str, str] = {}
    for source, each in trees.items():
        for call in ast.walk(each):
            for name, given in zip(parameters, call.args if is_call(call, own) else ()):
                if name in used and is_number(given):
                    of = "" if source == place[2] else f" of {source}"
                    numbers.setdefault(ast.unparse(given), f"line {call.lineno}{of}")
    if len(numbers) != 1:
        return ""
    ((number, at),) = numbers.items()
    return f", with torch.tensor({number}) for {number} in {at}"


def of_a_list(called: str, line: str) -> str:
    """How a line calls a function of tensors that is given a list; empty where it is not.

    >>> of_a_list("np.mean", "line 1 of no file: `m = np.mean(outs)`")
    ''
    """
    place = reader.SPOKEN_LINE.match(line)
    tree = trees_with(place[2]).get(place[2]) if place else None
    for statement in statements_at(tree, int(place[1])) if tree else ():
        for call in ast.walk(statement):
            first = call.args[0] if is_call(call) and call.args else None
            is_meant = isinstance(first, ast.Name) and ast.unparse(call.func) == called
            if is_meant and is_list(first.id, line):
                return with_tensors(call, is_list=True)
    return ""


def names_computed(statement: ast.stmt) -> set[str]:
    """The names that a statement gives to functions of NumPy or of `math`."""
    calls = [each for each in ast.walk(statement) if is_call(each)]
    own = [e for e in calls if name_called(getattr(e.func, "value", ast.Pass())) in MODULES]
    return set().union(*(names_in(given) for each in own for given in each.args))


def is_number(given: ast.expr) -> bool:
    """Whether a number is written there."""
    inner = given.operand if isinstance(given, ast.UnaryOp) else given
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float)
