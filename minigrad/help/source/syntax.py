"""The vocabulary in which all rules speak of a tree of Python: calls, names, and what is around."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from typing import Any

LOOPS = ast.For | ast.While
ROOMS = {"mg", "minigrad", "torch", "F", "functional", "nn"}  #: what functions are taken from
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
HANDS_ON = {"staticmethod", "classmethod", "once_differentiable"}  #: decorators


def copied(part: Any) -> Any:
    """A part of a tree that can be changed alone, with what it holds.

    `copy.deepcopy` would copy whole programs: trees share `ast.Load()`, and what IPython shows
    its tracebacks with notes in it which other part it belongs to.

    >>> tree = ast.parse("y = 2 * x")
    >>> copied(tree).body[0].targets[0].id = "z"
    >>> ast.unparse(tree)
    'y = 2 * x'
    """
    if isinstance(part, list):
        return [copied(each) for each in part]
    if not isinstance(part, ast.AST):
        return part
    fields = {name: copied(value) for name, value in ast.iter_fields(part)}
    return ast.copy_location(type(part)(**fields), part)


def is_call(node: Any, of: Container[str] | None = None) -> bool:
    """Whether this is a call, of a function with one of these names, if some are given.

    >>> is_call(ast.parse("torch.cat(parts)", mode="eval").body, {"cat"})
    True
    """
    return isinstance(node, ast.Call) and (of is None or name_called(node.func) in of)


def name_called(function: ast.expr) -> str | None:
    """``f`` of ``f`` and of ``torch.f``."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else None


def called_in(parts: Iterable[ast.AST]) -> set[str | None]:
    """The names of what is called among some parts of a program."""
    return {name_called(each.func) for each in parts if is_call(each)}


def runs_a_pass(block: ast.AST) -> bool:
    """Whether a block, or a statement, calls ``backward()`` or ``grad()``."""
    return bool(calls_in(block, {"backward", "grad"}))


def called_on(statement: ast.AST, method: str) -> ast.expr | None:
    """What a line calls a method on, and does no more: ``opt`` of ``opt.step()``."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(owner, name))) if name == method:
            return owner
    return None


def given_to(call: Any) -> list[ast.expr]:
    """What a call is given; nothing for what is no call."""
    return [*call.args, *(each.value for each in call.keywords)] if is_call(call) else []


def as_owner(thing: ast.expr) -> str:
    """How the owner of an attribute is written: one with an operation in it takes brackets.

    >>> as_owner(ast.parse("a - b", mode="eval").body), as_owner(ast.Name("a"))
    ('(a - b)', 'a')
    """
    is_whole = isinstance(thing, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    return ast.unparse(thing) if is_whole else f"({ast.unparse(thing)})"


def operands(expression: ast.AST) -> list[ast.expr]:
    """What an operation is given."""
    match expression:
        case ast.BinOp(left, _, right):
            return [left, right]
        case ast.AugAssign(left, _, right):
            return [left, right]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.Call(ast.Attribute(owner)) if name_called(owner) not in ROOMS:
            return [owner, *given_to(expression)]
    return given_to(expression)


def is_word(value: Any, word: Any) -> bool:
    """Whether an expression is one of the words ``None``, ``True`` and ``False``."""
    return isinstance(value, ast.Constant) and value.value is word


def root(expression: ast.expr) -> str | None:
    """``net`` of ``net``, ``net.weight`` and ``net[0].weight``; None for what is computed."""
    while isinstance(expression, ast.Attribute | ast.Subscript):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else None


def whole_of(value: ast.expr) -> ast.expr:
    """What an expression is an item of: ``h`` of ``h[0][1]``, the call of ``grad(...)[0]``."""
    while isinstance(value, ast.Subscript):
        value = value.value
    return value


# -- names -----------------------------------------------------------------------------------------


def names_in(tree: ast.AST | None, context: type = ast.expr_context) -> set[str]:
    """The names in a tree; of those that are read or bound alone, by their ``context``."""
    names = parts_in(tree, ast.Name) if tree is not None else ()
    return {each.id for each in names if isinstance(each.ctx, context)}


def words_in(tree: ast.AST) -> set[str]:
    """The names in a tree, and those of attributes.

    >>> sorted(words_in(ast.parse("net.loss(x)")))
    ['loss', 'net', 'x']
    """
    parts = parts_in(tree, ast.Name | ast.Attribute)
    return {each.id if isinstance(each, ast.Name) else each.attr for each in parts}


def owners_of(parameters: ast.AST) -> list[str]:
    """The last names of those whose parameters are given: ``net`` of ``SGD(net.parameters())``."""
    return re.findall(r"(\w+)\.(?:named_)?parameters\(", ast.unparse(parameters))


# -- what is inside of what ------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def parts_in(tree: ast.AST, kinds: Any = ast.AST) -> list[Any]:
    """The parts of a tree, or those of some kinds, found once for all the rules that ask.

    Of a tree that is changed, as a copy for a remedy is, use `ast.walk`: what is kept would be old.

    >>> [each.id for each in parts_in(ast.parse("y = w * x"), ast.Name)]
    ['y', 'w', 'x']
    """
    known = ast.walk(tree) if kinds is ast.AST else parts_in(tree)
    return [each for each in known if isinstance(each, kinds)]


def calls_in(tree: ast.AST, of: Container[str] | None = None) -> list[ast.Call]:
    """The calls in a tree, of functions with one of these names, if some are given."""
    return [each for each in parts_in(tree, ast.Call) if is_call(each, of)]


def parts_up_to(starts: Iterable[ast.AST], ends: Any) -> Iterator[ast.AST]:
    """The parts of some trees, without those inside of parts of these kinds."""
    waiting = [*starts]
    for node in waiting:  # the list grows while it is walked
        yield node
        if not isinstance(node, ends):
            waiting.extend(ast.iter_child_nodes(node))


@lru_cache(maxsize=1024)
def own_parts(function: ast.AST, kinds: Any = ast.AST) -> list[Any]:
    """The same of a function, or of a text, without those of functions inside of it."""
    known = parts_up_to(ast.iter_child_nodes(function), FUNCTIONS | ast.Lambda | ast.ClassDef)
    return [each for each in known if isinstance(each, kinds)]


def attributes_in(tree: ast.AST, of: Container[str]) -> list[ast.Attribute]:
    """The attributes in a tree that have one of these names.

    >>> [ast.unparse(each) for each in attributes_in(ast.parse("w.grad - a.b.grad"), {"grad"})]
    ['w.grad', 'a.b.grad']
    """
    return [each for each in parts_in(tree, ast.Attribute) if each.attr in of]


@lru_cache(maxsize=256)
def parents_in(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """What each part of a tree is a part of."""
    return {child: node for node in parts_in(tree) for child in ast.iter_child_nodes(node)}


def span(node: Any) -> tuple[int | None, ...]:
    """Where an expression stands, as `reader.position` has it."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


# -- lines -----------------------------------------------------------------------------------------


def is_at(node: Any, number: int) -> bool:
    """Whether a line is one of those of a statement or an expression."""
    return node.lineno <= number <= (node.end_lineno or node.lineno)


def around_line(tree: ast.AST, number: int, kinds: Any) -> list[Any]:
    """The statements of some kinds that stand around a line, the innermost last."""
    return [each for each in statements_by_line(tree).get(number, ()) if isinstance(each, kinds)]


@lru_cache(maxsize=256)
def statements_by_line(tree: ast.AST) -> dict[int, list[ast.stmt]]:
    """For each line the statements around it, the innermost last; long programs ask for many."""
    found: dict[int, list[ast.stmt]] = {}
    for each in parts_in(tree, ast.stmt):
        for number in range(each.lineno, (each.end_lineno or each.lineno) + 1):
            found.setdefault(number, []).append(each)
    return found


def scope(tree: ast.AST, number: int) -> ast.AST:
    """The innermost function around a line; the whole text where there is none."""
    return [tree, *around_line(tree, number, FUNCTIONS)][-1]


def statements_at(tree: ast.AST, number: int) -> list[ast.stmt]:
    """The statements at a line that hold no others."""
    return [each for each in around_line(tree, number, ast.stmt) if not hasattr(each, "body")]


def targets_in(statement: ast.AST) -> list[ast.expr]:
    """What an assignment or a loop gives values to; nothing of other statements."""
    target = getattr(statement, "target", None)
    return getattr(statement, "targets", []) if target is None else [target]


def targets_of(statement: ast.AST) -> list[str]:
    """What a statement assigns to, as it is written."""
    match statement:
        case ast.Assign(targets):
            several = [e for t in targets for e in (t.elts if isinstance(t, ast.Tuple) else [t])]
            return [ast.unparse(each) for each in several]
        case ast.AugAssign(target) | ast.AnnAssign(target):
            return [ast.unparse(target)]
        case ast.For(target):
            return [each.id for each in parts_in(target, ast.Name)]
    return []


def terms_of(expression: ast.AST, sign: int = 1) -> Iterator[tuple[int, ast.AST]]:
    """The terms of a sum that is written, each with its sign; of what is none, that itself.

    >>> [(sign, ast.unparse(each)) for sign, each in terms_of(ast.parse("a - 2 * b").body[0].value)]
    [(1, 'a'), (-1, '2 * b')]
    """
    match expression:
        case ast.BinOp(left, ast.Add() | ast.Sub() as operation, right):
            yield from terms_of(left, sign)
            yield from terms_of(right, -sign if isinstance(operation, ast.Sub) else sign)
        case ast.UnaryOp(ast.USub(), operand):
            yield from terms_of(operand, -sign)
        case _:
            yield sign, expression


def has_no_return(node: ast.AST) -> bool:
    """Whether a function ends without a value on each way; a decorator may give another one."""
    if not isinstance(node, ast.FunctionDef):
        return False
    if not all(name_called(each) in HANDS_ON for each in node.decorator_list):
        return False
    if own_parts(node, ast.Yield | ast.YieldFrom):
        return False
    given = [each.value for each in own_parts(node, ast.Return)]
    return all(each is None or is_word(each, None) for each in given)


def without_copies(part: ast.expr) -> ast.expr:
    """What is copied: ``w.t()`` of ``w.t().clone()``."""
    while True:
        match part:
            case ast.Call(ast.Attribute(whole, "clone" | "detach" | "contiguous"), []):
                part = whole
            case ast.Attribute(whole, "data"):
                part = whole
            case _:
                return part
