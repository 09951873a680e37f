"""What a line that gives up NumPy needs besides: tensors for arrays, and a tensor's methods."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ... import dtypes
from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..source import reader
from ..source.called import function_called
from ..source.line_order import text_in
from ..source.lists import statements_of
from ..source.syntax import calls_in, is_call, operands, parts_in, root, targets_of
from ..source.texts import definition_of, everywhere
from .updates import parsed

MOST = 3  #: arrays that are named
MEET = ast.Call | ast.BinOp  #: what computes with several things
#: methods of an array that a tensor has under another name
METHODS = {"copy": "clone", "ravel": "flatten", "swapaxes": "transpose", "astype": "to"}


def besides(line: str) -> list[str]:
    """What else to write in a line when `numpy()` is left out of it.

    >>> besides("line 3: `error = (y.detach().numpy() - goal).copy()`")
    ['with clone(...) for copy(...)', 'with torch.from_numpy(goal) for goal, if that is an array']
    """
    _, tree = parsed(text_in(line))
    methods: dict[str, None] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(owner, name)) if name in METHODS and is_array(owner):
                methods[f"with {METHODS[name]}(...) for {name}(...)"] = None
            case ast.Call(ast.Attribute(left, "dot"), [right]) if is_array(left) != is_array(right):
                methods["with matmul(...) for dot(...)"] = None  # that of tensors takes vectors
    made = {name.partition("[")[0] for each in statements_of(line) for name in targets_of(each)}
    whole = (each for _, each in everywhere(reader.frame(), MEET)) if made else ()
    arrays = dict.fromkeys([*met(ast.walk(tree), is_array), *arrays_met(whole, made)])
    known = reader.variables()
    found = [e for e in arrays if e not in known or isinstance(known[e], np.ndarray)][:MOST]
    given = [known[e] for node in ast.walk(tree) for e in names_in(node) if e in known]
    is_single = any(isinstance(e, Tensor) and e.dtype is dtypes.float32 for e in given)
    single = {e for e in known if is_single and getattr(known[e], "dtype", 0) == np.float64}
    turned = " and ".join(f"torch.from_numpy({e}){'.float()' * (e in single)}" for e in found)
    each = ", each that is an array" if len(found) > 1 else ", if that is an array"
    each = each * (not known.keys() >= {*found})
    wrapped = [f"with {turned} for {' and '.join(found)}{each}"] if found else []
    return [*methods, *wrapped]


def arrays_met(parts: Iterable[ast.AST], made: set[str]) -> Iterator[str]:
    """The arrays that names are computed with there, and that no tensor has given."""
    for name in met(parts, lambda side: not made.isdisjoint(names_in(side))):
        thing = reader.variables().get(name)
        if isinstance(thing, np.ndarray) and not cuts_of(thing):
            yield name


def met(parts: Iterable[ast.AST], is_made: Callable[[ast.expr], bool]) -> Iterator[str]:
    """What stands beside what is made: in a sum or product, a call of NumPy, or the reader's.

    Of calls these are arrays alone, also those that the reader's function meets it with.
    """
    known = reader.variables()
    for node in parts:
        run = function_called(node, known) if is_call(node) else None
        sides = operands(node) if run or meets(node) else []
        if any(map(is_made, sides)):
            beside = [name for side in sides if not is_made(side) for name in names_in(side)]
            is_sum = isinstance(node, ast.BinOp) or is_call(node, {"dot"})
            yield from (e for e in beside if is_sum or isinstance(known.get(e), np.ndarray))
        if run and (taken := {own for own, given in run[1].items() if any(map(is_made, given))}):
            inner = parts_in(definition_of(run[0])[1], MEET)
            yield from arrays_met(filter(meets, inner), taken)


def meets(node: ast.AST) -> bool:
    """Whether this is a sum, a product or the like, or a call of NumPy."""
    if is_call(node):
        return is_call(node, {"dot"}) or root(node.func) in ("np", "numpy")
    return isinstance(node, ast.BinOp)


def is_array(expression: ast.expr) -> bool:
    """Whether an expression is computed from `numpy()`."""
    return bool(calls_in(expression, {"numpy"}))


def names_in(operand: ast.expr) -> list[str]:
    """The names and attributes that an operand is computed from."""
    match operand:
        case ast.Attribute(ast.Name("math" | "np" | "numpy")):
            return []
        case ast.Name() | ast.Attribute(ast.Name()):
            return [ast.unparse(operand)]
        case ast.BinOp(left, _, right):
            return [*names_in(left), *names_in(right)]
        case ast.UnaryOp(_, inner) | ast.Subscript(inner):
            return names_in(inner)
    return []
