"""The local derivative of an operation by one operand: as words, as a formula, with numbers in.

The formula comes from the operation's rule and is only ever *shown with a number* after it was
evaluated on the values of this very graph. What is claimed about a product is checked against
what the engine really sent (`product_in_words`); where the two do not agree, nothing is claimed.
"""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import nodes as read
from .numbers import fits, raw, same, show

if TYPE_CHECKING:
    from .survey import Survey

NAMESAKES = (
    *("exp", "log", "log2", "log1p", "expm1", "sqrt", "sign", "abs", "floor"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh"),
)


def _between(x: np.ndarray, low: Any, high: Any) -> np.ndarray:
    """Whether each element lies inside the bounds or at one; a bound of None is none."""
    above = True if low is None else x >= low
    below = True if high is None else x <= high
    return np.logical_and(np.logical_and(above, below), np.ones_like(x, bool))


def _reduced_count(sizes: tuple[int, ...], dim: Any) -> int:
    """How many elements each element of a reduction along ``dim`` stands for."""
    dims = range(len(sizes)) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
    return math.prod(sizes[_signed(d)] for d in dims) if sizes else 1


def _signed(number: int) -> int:
    """A dim that was printed as an unsigned number of 64 bits."""
    return number - 2**64 if number >= 2**63 else number


#: What formulas may use.
FUNCTIONS = {
    "LN2": math.log(2),
    "LN10": math.log(10),
    "between": _between,
    "reduced_count": _reduced_count,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "where": np.where,
    **{name: getattr(np, name) for name in NAMESAKES},
}


class LocalDerivative(NamedTuple):
    """A formula in the reader's names, a phrase, and the number; None where unknown."""

    symbols: str | None
    words: str | None
    number: np.ndarray | None
    code: str | None = None


def local_derivative(survey: Survey, operation: Any, argument: int) -> LocalDerivative:
    """The derivative of an operation's result by operand number ``argument``."""
    node = survey.nodes[operation.key]
    operands = operation.operands
    rule = None
    if argument < len(operands):
        rule = read.local_rules(node).get(operands[argument])
    if rule is None or not rule.symbols:
        return LocalDerivative(None, rule.words if rule else None, None)
    values = known_values(survey, operation)
    code = _in_readers_names(rule.symbols, survey, operation, values)
    return LocalDerivative(as_mathematics(code), rule.words, _evaluated(rule.symbols, values), code)


def known_values(survey: Survey, operation: Any) -> dict[str, Any]:
    """Operands, ``result`` and arguments of an operation, as far as anybody knows them."""
    kept = survey.keeps[operation.key]
    values: dict[str, Any] = {}
    for slot, argument in kept.arguments.items():
        values[slot] = argument
    for slot, tensor in kept.tensors.items():
        values[slot] = raw(tensor)
    for argument, name in enumerate(operation.operands):
        known = survey.operand_values.get((operation.key, argument))
        if known is not None:
            values[name] = known
    result = survey.arrays.get(operation.makes)
    if result is not None:
        values["result"] = result
    first = operation.operands[0] if operation.operands else "self"
    if first in values:
        values.setdefault("numel", np.size(values[first]))
    return values


def _evaluated(symbols: str, values: dict[str, Any]) -> np.ndarray | None:
    """The formula with the numbers in; None where a value in it is not known."""
    scope = {"__builtins__": {}, **FUNCTIONS, **values}
    try:
        with np.errstate(all="ignore"):
            return np.asarray(eval(compile(symbols, "<local derivative>", "eval"), scope))
    except Exception:  # a formula in words, or about values that nobody knows
        return None


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]):
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def _in_readers_names(symbols: str, survey: Survey, operation: Any, values: dict) -> str:
    """``other`` becomes ``b``, ``exponent`` becomes ``2``."""
    names = {
        slot: show(np.asarray(value))
        for slot, value in values.items()
        if np.ndim(value) == 0 and not isinstance(value, str)
    }
    for edge in survey.index.operands[operation.key]:
        if edge.argument < len(operation.operands):
            names[operation.operands[edge.argument]] = survey.index.values[edge.source].name
    for argument, text in operation.constants.items():
        if argument < len(operation.operands):
            names[operation.operands[argument]] = text
    names["result"] = survey.index.made(operation)
    try:
        tree = _Rename(names).visit(ast.parse(symbols, mode="eval"))
    except SyntaxError:
        return symbols
    return ast.unparse(tree)


def as_mathematics(code: str) -> str:
    """A Python expression in the signs of a blackboard.

    >>> as_mathematics("2 * x ** (2 - 1)")
    '2 × x^(2 − 1)'
    """
    code = re.sub(r"\s*\*\*\s*", "^", code)
    code = code.replace(" * ", " × ").replace(" - ", " − ").replace(" / ", " ÷ ")
    return re.sub(r"^-|(?<=\()-", "−", code)


class Product(NamedTuple):
    """How a sent gradient came about: ``3 × 4 = 12``, then perhaps ``summed over axis 0 …``."""

    text: str
    how: str = ""


def product_in_words(
    incoming: np.ndarray | None, number: np.ndarray | None, sent: np.ndarray | None
) -> Product | None:
    """Incoming times local, if that is what was sent; None if it is not, or cannot be told.

    >>> product_in_words(np.ones((3, 2)), np.float64(2), np.array([6.0, 6.0]))
    Product(text='1 × 2 = 2 in each element', how='summed over axis 0 to fit shape [2]: [6, 6]')
    """
    if incoming is None or number is None or sent is None:
        return None
    with np.errstate(all="ignore"):
        try:
            product = np.asarray(incoming * number)
        except ValueError:  # shapes that do not go together: not an elementwise rule
            return None
    how = _from_product_to(sent, product)
    return None if how is None else Product(_multiplied(incoming, number, product), how)


def _multiplied(incoming: np.ndarray, number: np.ndarray, product: np.ndarray) -> str:
    sides = [np.asarray(side) for side in (incoming, number, product)]
    each = ""
    if product.size > 1 and all((side == side.flat[0]).all() for side in sides):
        sides = [side.flat[0] for side in sides]
        each = " in each element"
    if not all(np.ndim(side) == 0 or fits(side) for side in sides):
        return f"what came in × the rule, element by element = {show(product)}"
    left, right, answer = (show(side) for side in sides)
    right = f"({right})" if right.startswith("-") else right
    return f"{left} × {right} = {answer}{each}"


def _from_product_to(sent: np.ndarray, product: np.ndarray) -> str | None:
    """What was done with the product before it was sent: nothing, or a change of shape."""
    shape = list(sent.shape)
    if same(product, sent):
        return ""
    if product.size == sent.size and same(product.ravel(), sent.ravel()):
        return f"put into shape {shape}"
    axes = _summed_axes(product.shape, sent.shape)
    if axes and same(product.sum(axis=axes).reshape(sent.shape), sent):
        named = f"axis {axes[0]}" if len(axes) == 1 else f"axes {' and '.join(map(str, axes))}"
        return f"summed over {named} to fit shape {shape}: {show(sent)}"
    try:
        spread = np.broadcast_to(product, sent.shape)
    except ValueError:
        return None
    return f"to every element of shape {shape}" if same(spread, sent) else None


def _summed_axes(wide: tuple[int, ...], narrow: tuple[int, ...]) -> tuple[int, ...]:
    """The axes along which a broadcast operand was repeated."""
    extra = len(wide) - len(narrow)
    if extra < 0:
        return ()
    stretched = (i + extra for i, size in enumerate(narrow) if size == 1 != wide[i + extra])
    return (*range(extra), *stretched)
