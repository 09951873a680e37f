"""Lines that take a step from leaves, as in ``w = w - lr * w.grad``, and how to take it in place.

The step has to stay where nothing is recorded: else each round would hold the graph of the last.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..source.line_order import text_in

CLOSING = {"(": ")", "[": "]", "{": "}"}
SAME_VALUES = {"data", "detach", "clone", "requires_grad_"}  #: of a leaf, to the left of the step


@dataclass(frozen=True)
class Update:
    """A step from a leaf, as it changes the leaf itself.

    ``is_renamed`` where the line gives the result the name of the leaf.
    """

    leaf: str
    written: str
    is_renamed: bool


#: what a line does to the history of its steps: grad mode is off there, it cuts, or it records
History = Literal["off", "cut", "recorded"]


def update_in(line: str, history: History = "off", is_emptied: bool = False) -> str:
    """How to write the steps that a line takes, if it takes some; empty if not.

    One that cuts counts where it names the results as the leaves were named. ``is_emptied`` where
    another line empties `.grad`.

    >>> update_in("line 1: `w = w - 0.1 * w.grad`").partition(",")[0]
    '`w -= 0.1 * w.grad` there'
    >>> update_in("line 1: `loss = loss + w.grad.norm()`")
    ''
    """
    text = text_in(line)
    found = [each for each in updates(text) if history != "cut" or each.is_renamed]
    if not found:
        return ""
    is_off = history == "off"
    if history == "recorded" and not is_assigned(line):
        return handed_on(text, found, is_emptied)
    several = len(found) > 1
    written = " and ".join(f"`{each.written}`" for each in found)
    where = "there" if is_off else "inside `with torch.no_grad():`"
    change = "which change the leaves themselves" if several else "which changes the leaf itself"
    grads = " = ".join(f"{each.leaf}.grad" for each in found)
    empty = f", and `{grads} = None` after it, because backward() adds to .grad"
    return (
        f"{written} {where}, {change}{'' if is_emptied else empty}"
        f"{'' if several else '; and so for each leaf that is stepped'}"
    )


def is_assigned(line: str) -> bool:
    """Whether a line gives its steps names, one by one, and does not hand them on at once."""
    hands_on = ast.comprehension | ast.Return | ast.Expr
    return not any(isinstance(each, hands_on) for each in ast.walk(parsed(text_in(line))[1]))


def handed_on(text: str, found: list[Update], is_emptied: bool) -> str:
    """How to write recorded steps whose results a line returns, appends or makes a list of."""
    several = "for " in text
    written = [each.written for each in found]
    written += [] if is_emptied else [f"{each.leaf}.grad = None" for each in found]
    loop = "a loop over the leaves above it, with " if several else ""
    steps = " and ".join(f"`{each}`" for each in written)
    there = "" if several else " above it"
    return f"{loop}{steps} inside `with torch.no_grad():`{there}, and hand on the leaves"


def updates(text: str) -> list[Update]:
    """The steps that a line takes, in the order of the line."""
    text, tree = parsed(text)
    names = {ast.unparse(each) for each in ast.walk(tree) if is_stored(each)}
    found: dict[str, Update] = {}
    for node in ast.walk(tree):
        for left, sign, change in differences(node):
            start = first_of(left)
            leaf, own = ast.unparse(start), source(text, start)
            reads = any(is_grad_of(leaf, each) for each in ast.walk(node))
            by_a_factor = sign == "-" and isinstance(change, ast.BinOp) and leaf in names
            if leaf in found or not (reads or by_a_factor):
                continue
            is_plain = start is without_history(left) and "numpy" not in ast.unparse(node)
            step = source(text, change) if is_plain and change is not None else "..."
            found[leaf] = Update(own, f"{own} {sign}= {step}", reads and leaf in names)
    return [*found.values()]


def differences(node: ast.AST) -> Iterator[tuple[ast.expr, str, ast.expr | None]]:
    """What stands to the left in ``a - b`` and ``a.sub(b)``, the sign and ``b``.

    Where that has a factor of its own, it is left out.
    """
    match node:
        case ast.BinOp(left, ast.Sub(), right):
            yield left, "-", right
        case ast.BinOp(left, ast.Add(), right):
            yield left, "+", right
        case ast.Call(ast.Attribute(left, "sub" | "add"), [right]):
            yield left, "-" if node.func.attr == "sub" else "+", None if node.keywords else right


def first_of(value: ast.expr) -> ast.expr:
    """``w`` of ``w.data`` and of ``w - a - b``."""
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub):
        value = value.left
    return without_history(value)


def without_history(value: ast.expr) -> ast.expr:
    """``w`` of ``w``, ``w.data`` and ``w.detach()``."""
    method = value.func if isinstance(value, ast.Call) else value
    is_same = isinstance(method, ast.Attribute) and method.attr in SAME_VALUES
    return without_history(method.value) if is_same else value


def is_grad_of(leaf: str, node: ast.AST) -> bool:
    """Whether this is the ``.grad`` of a leaf."""
    return (
        isinstance(node, ast.Attribute) and node.attr == "grad" and ast.unparse(node.value) == leaf
    )


def is_stored(node: ast.AST) -> bool:
    """Whether a line gives something this name."""
    return isinstance(getattr(node, "ctx", None), ast.Store) and not isinstance(node, ast.Tuple)


def source(text: str, node: ast.AST) -> str:
    """An expression as it is written."""
    return ast.get_source_segment(text, node) or ast.unparse(node)


def parsed(text: str) -> tuple[str, ast.Module]:
    """A line, and its tree; what goes on in the next line is closed, or left empty."""
    opened: list[str] = []
    for letter in text:
        if letter in CLOSING:
            opened.append(CLOSING[letter])
        elif opened and letter == opened[-1]:
            opened.pop()
    for end in ("", "".join(reversed(opened)), " pass"):
        try:
            return text + end, ast.parse(text + end)
        except SyntaxError:
            continue
    return text, ast.Module([], [])
