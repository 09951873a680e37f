"""A small safe language for expressions that a learner types: parsed, checked, never `eval`.

    expression = parse("(x + 1) * exp(-x)")
    expression.names                       # ('x',)
    expression({"x": tensor})              # a tensor with its graph

An expression has numbers, names, `+ - * / ** @`, brackets, vectors such as `[1, 2]`, and the
functions in `FUNCTIONS`. What it cannot say is refused with a sentence and the column it is about:
attributes, subscripts, strings, other calls. Its length, depth and powers are bounded, and so is
the time that an evaluation takes: numbers are floats, and vectors have at most four entries.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import minigrad as mg

from ..language import _
from .safe_text import DEEPEST, FUNCTIONS, LONGEST_TEXT, SAME, Refused, read

__all__ = ["FUNCTIONS", "Expression", "Refused", "constant", "numbers", "parse"]

MOST_OPERATIONS, MOST_NAMES = 40, 6
LARGEST_POWER = 64
LARGEST_VECTOR = 4
LARGEST_INTEGER = 2**53  # above it, floats are no longer exact

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
}
_SIGNS = {ast.UAdd: operator.pos, ast.USub: operator.neg}


@dataclass(frozen=True)
class Expression:
    """A text that was found harmless. `names` are its variables in the order of the text."""

    text: str
    names: tuple[str, ...]
    tree: ast.expr

    def __call__(
        self,
        values: Mapping[str, Any],
        library: ModuleType = mg,
        seen: Callable[[str, Any], None] = lambda name, argument: None,
    ) -> Any:
        """Return the value for the tensors `values`, which are those of `library`.

        `seen` is told of each function that is called, and with what.
        An expression without names gives a float64 tensor that asks for no gradient. Raises
        `Refused` where shapes do not fit, and `KeyError` for a name without a value.

        >>> x = mg.tensor(3.0, dtype=mg.float64, requires_grad=True)
        >>> y = parse("x * x + 1")({"x": x})
        >>> y.backward()
        >>> y.item(), x.grad.item()
        (10.0, 6.0)
        """
        for name in self.names:
            if values[name].ndim > 1 or values[name].numel() > LARGEST_VECTOR:
                said = _("A vector has at most {} numbers: `{}` has more.")
                at = self.text.find(name)
                raise Refused(said.format(LARGEST_VECTOR, name), self.text, at)
        return _tensor(self._value(self.tree, values, library, seen), library)

    def _value(self, node: ast.expr, values: Mapping, library: ModuleType, seen: Callable) -> Any:
        known = constant(node, self.text)
        if known is not None:
            return known
        match node:
            case ast.Name(id=name):
                return values[name]
            case ast.List(elts=entries):
                numbers = [float(constant(entry, self.text)) for entry in entries]
                return library.tensor(numbers, dtype=library.float64)
            case ast.UnaryOp(op=sign, operand=inner):
                value = self._value(inner, values, library, seen)
                return -value if isinstance(sign, ast.USub) else value
            case ast.Call(func=ast.Name(id=name), args=[inner]):
                value = self._value(inner, values, library, seen)
                argument = _tensor(value, library)
                seen(name, argument)
                return getattr(library, name)(argument)
            case ast.BinOp(left=left, op=symbol, right=right):
                a, b = (self._value(side, values, library, seen) for side in (left, right))
                self._fit(node, a, b)
                return _OPERATORS[type(symbol)](a, b)
        raise AssertionError("parse lets no other node through")

    @property
    def vectors(self) -> frozenset[str]:
        """The names next to `@`, which need a vector."""
        products = (node for node in ast.walk(self.tree) if isinstance(node, ast.BinOp))
        sides = (
            side
            for node in products
            if isinstance(node.op, ast.MatMult)
            for side in (node.left, node.right)
        )
        return frozenset(side.id for side in sides if isinstance(side, ast.Name))

    def _fit(self, node: ast.BinOp, a: Any, b: Any) -> None:
        """Refuse two sides whose shapes do not go together."""
        sizes = [_size(a), _size(b)]
        if isinstance(node.op, ast.MatMult):
            if None in sizes:
                said = _("`@` needs a vector on both sides, such as `[1, 2]`.")
                raise Refused(said, self.text, _place(node.right))
        elif None in sizes or 1 in sizes:
            return
        if sizes[0] != sizes[1]:
            said = _("The vector before it has {} numbers, this one has {}.").format(*sizes)
            raise Refused(said, self.text, _place(node.right))


def parse(text: str) -> Expression:
    """Read a typed expression. Raises `Refused`, a `ValueError`, for what is none.

    >>> parse("a * x + b").names
    ('a', 'x', 'b')
    >>> parse("().__class__")
    Traceback (most recent call last):
        ...
    minigrad.widgets.safe_text.Refused: Expected a number or a name between `(` and `)`.
    """
    if len(text) > LONGEST_TEXT:
        said = _("That is longer than {} characters.").format(LONGEST_TEXT)
        raise Refused(said, text, LONGEST_TEXT)
    plain = text.translate(SAME)
    read(plain)
    try:
        # Brackets, because a space at the beginning would count as indented.
        tree = ast.parse(f"({plain})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        said = _("Python cannot read this: {}.").format(getattr(error, "msg", error))
        raise Refused(said, text, max(0, (getattr(error, "offset", None) or 2) - 2)) from None
    names = _check(tree, text)
    return Expression(text, names, tree)


def numbers(text: str) -> float | tuple[float, ...]:
    """Read a typed value: a number, or the numbers of a vector with commas between.

    >>> numbers("-1/2"), numbers("1, 2, 3"), numbers("[4]")
    (-0.5, (1.0, 2.0, 3.0), (4.0,))
    """
    bare = "," in text and "[" not in text
    try:
        tree = parse(f"[{text}]" if bare else text).tree
    except Refused as refused:
        raise Refused(str(refused), text, min(len(text), refused.column - bare)) from None
    if isinstance(tree, ast.List):
        return tuple(float(constant(entry, text)) for entry in tree.elts)
    known = constant(tree, text)
    if known is None:
        raise Refused(_("Expected a number such as 2 or -0.5."), text, 0)
    return float(known)


def constant(node: ast.expr, text: str) -> float | int | None:
    """Return what an expression of numbers alone is, or None when it has names or calls in it.

    It counts in floats, since a power of integers can take for ever. Raises `Refused` when the
    number is too large, not real, or no number at all.
    """
    match node:
        case ast.Constant(value=value):
            found = float(value)
        case ast.UnaryOp(op=sign, operand=inner) if type(sign) in _SIGNS:
            known = constant(inner, text)
            if known is None:
                return None
            found = float(_SIGNS[type(sign)](known))
        case ast.BinOp(left=left, op=symbol, right=right) if type(symbol) in _OPERATORS:
            a, b = constant(left, text), constant(right, text)
            if isinstance(symbol, ast.Pow) and b is not None and abs(b) > LARGEST_POWER:
                said = _("The power {:g} is too large: {} is the most.").format(b, LARGEST_POWER)
                raise Refused(said, text, _place(right))
            if isinstance(symbol, ast.Div) and b == 0:
                raise Refused(_("Nothing can be divided by 0."), text, _place(right))
            if a is None or b is None:
                return None
            found = _of_floats(_OPERATORS[type(symbol)], float(a), float(b), right, text)
        case _:
            return None
    if not math.isfinite(found):
        raise Refused(_("That number is too large."), text, _place(node))
    return int(found) if found.is_integer() and abs(found) < LARGEST_INTEGER else found


def _of_floats(function: Any, a: float, b: float, right: ast.expr, text: str) -> float:
    try:
        found = function(a, b)
    except ZeroDivisionError:  # a power: 0 ** -1
        raise Refused(_("Nothing can be divided by 0."), text, _place(right)) from None
    except OverflowError:
        raise Refused(_("That number is too large."), text, _place(right)) from None
    except TypeError:
        said = _("`@` needs a vector on both sides, such as `[1, 2]`.")
        raise Refused(said, text, _place(right)) from None
    if isinstance(found, complex):
        said = _("A power of a negative number has to be a whole number.")
        raise Refused(said, text, _place(right))
    return found


# --- What the tree may hold: the guard, whatever the text looked like ----------------------------


def _check(tree: ast.expr, text: str) -> tuple[str, ...]:
    """Refuse every node that is not listed, and return the names in the order of the text."""
    names: dict[str, int] = {}
    operations = 0
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        operations += not isinstance(node, (ast.Name, ast.Constant))
        if depth > DEEPEST or operations > MOST_OPERATIONS:
            said = _("That is too long: {} operations are the most, {} inside each other.")
            raise Refused(said.format(MOST_OPERATIONS, DEEPEST), text, _place(node))
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                constant(node, text)
                inner = []
            case ast.Name(id=name) if name not in FUNCTIONS:
                names[name] = min(_place(node), names.get(name, LONGEST_TEXT))
                inner = []
            case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
                constant(node, text)
                inner = [operand]
            case ast.BinOp(left=left, op=symbol, right=right) if type(symbol) in _OPERATORS:
                constant(node, text)
                inner = [left, right]
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if (
                name in FUNCTIONS and not isinstance(argument, ast.Starred)
            ):
                inner = [argument]
            case ast.List(elts=entries) if entries:
                _check_vector(entries, text, node)
                inner = []
            case _:
                raise Refused(_("This has no place in an expression."), text, _place(node))
        waiting += [(part, depth + 1) for part in inner]
    if len(names) > MOST_NAMES:
        said = _("{} names are the most.").format(MOST_NAMES)
        raise Refused(said, text, sorted(names.values())[MOST_NAMES])
    return tuple(sorted(names, key=names.__getitem__))


def _check_vector(entries: list[ast.expr], text: str, node: ast.expr) -> None:
    if len(entries) > LARGEST_VECTOR:
        said = _("A vector has at most {} numbers.").format(LARGEST_VECTOR)
        raise Refused(said, text, _place(entries[LARGEST_VECTOR]))
    for entry in entries:
        if constant(entry, text) is None:
            raise Refused(_("A vector is made of numbers, such as `[1, 2]`."), text, _place(entry))


def _place(node: ast.expr) -> int:
    return max(0, node.col_offset - 1)  # one bracket stands in front


def _size(value: Any) -> int | None:
    """How many numbers a vector has, or None for a single number."""
    return len(value) if getattr(value, "ndim", 0) else None


def _tensor(value: Any, library: ModuleType) -> Any:
    plain = isinstance(value, (int, float))
    return library.tensor(float(value), dtype=library.float64) if plain else value
