"""How a ``where`` picks the input of an operation that it picks the result of, written out.

Both ways of a ``where`` are computed, and what it drops sends back 0 times an infinite slope.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.line_order import at, without_text
from ..source.syntax import is_at, operands
from ..source.texts import all_calls, assignments
from ..words.sentences import say

#: in what has an infinite slope at 1
NOT_AT_ONE = ("acos", "asin", "atanh", "1 - ", "1.0 - ", "- 1", "log1p(-")
SIGNS = {"div": " / ", "pow": " ** ", "reciprocal": " / "}


def chosen_before(line: str, kinds: set[str], program: Program) -> str:
    """What to write where ``where`` drops what operations in ``line`` give; else empty.

    Those are of these kinds, such as div or sqrt.
    """
    name, number = at(line)
    found, bound = [], {ast.unparse(to): e for _, to, e in assignments(program.frame)}
    for source, call in all_calls(program.frame, {"where"}):
        for asked, way, is_first in ways_of(call):
            own, above = own_value(way, source.name, (name, number), program)
            compared = bound.get(ast.unparse(asked), asked)
            is_it = own is not None and any(is_in(own, kind) for kind in kinds)
            if x := value_in(own, compared) if is_it else "":
                found.append(written(call, x, own, way, is_first, above))
    return found[0] if len({*found}) == 1 else ""


def is_in(own: ast.expr, kind: str) -> bool:
    """Whether an expression has an operation of such a kind in it."""
    text = ast.unparse(own)
    return f"{kind}(" in text or SIGNS.get(kind, f"{kind}(") in text


def ways_of(call: ast.Call) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """The condition of a ``where``, and each of its two ways, with whether it is the first."""
    given = operands(call)
    if len(given) == 3:
        asked, first, second = given
        yield asked, first, True
        yield asked, second, False


def own_value(
    way: ast.expr, text: str, place: tuple[str, int], program: Program
) -> tuple[ast.expr | None, str]:
    """What computes one way at that place: itself, or what the only line gave that made its name.

    With the line, in the second case. The way itself stands in ``text``.
    """
    if text == place[0] and is_at(way, place[1]) and not isinstance(way, ast.Name | ast.Constant):
        return way, ""
    made = [
        (value, line)
        for line, to, value in assignments(program.frame)
        if ast.unparse(to) == ast.unparse(way)
    ]
    if len(made) == 1 and at(made[0][1]) == place:
        return made[0][0], without_text(made[0][1])
    return None, ""


def value_in(own: ast.expr, compared: ast.expr) -> str:
    """What is compared, and is in what is computed as well; of a mask with no such, empty."""
    inside = {*map(ast.unparse, ast.walk(own))}
    sides = [compared.left, *compared.comparators] if isinstance(compared, ast.Compare) else []
    known = [e for e in sides if isinstance(e, ast.Name | ast.Attribute | ast.Subscript)]
    return next((text for text in map(ast.unparse, known) if text in inside), "")


def written(
    call: ast.Call, x: str, own: ast.expr, way: ast.expr, is_first: bool, above: str
) -> str:
    """The input chosen first, and the operation of that."""
    asked, text = ast.unparse(operands(call)[0]), ast.unparse(own)
    is_apart = any(part in text for part in NOT_AT_ONE)
    other = f"torch.full_like({x}, 0.5)" if is_apart else f"torch.ones_like({x})"
    safe = f"torch.where({asked}, {x if is_first else other}, {other if is_first else x})"
    new = replaced(own, x)
    if above:
        return say("choose-above", safe=safe, way=ast.unparse(way), new=new, above=above)
    first, second = (ast.unparse(each) for each in operands(call)[1:])
    first, second = (new, second) if is_first else (first, new)
    whole = f"{ast.unparse(call.func)}({asked}, {first}, {second})"
    return say("choose-there", safe=safe, whole=whole)


def replaced(own: ast.expr, x: str) -> str:
    """An expression with ``safe`` in the place of one of its parts."""

    class Safe(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            is_it = isinstance(node, ast.expr) and ast.unparse(node) == x
            return ast.Name("safe") if is_it else self.generic_visit(node)

    return ast.unparse(Safe().visit(ast.parse(ast.unparse(own), mode="eval").body))
