"""Tensors that were meant for leaves, and were computed: ``randn(3, requires_grad=True) * 0.1``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...tensor import Tensor
from ..graph.history import leaves_behind
from ..program.program import Program
from ..program.reading import FACTORIES
from ..program.updates import first_of
from ..source.syntax import as_owner, is_call, is_word, name_called, names_in, own_parts, parents_in
from ..source.texts import texts
from ..source.variables import held, own_name

MOST = 3  #: lines that come into question, where they are not told apart
OPERATORS = {
    "Add": ast.Add, "Sub": ast.Sub, "Rsub": ast.Sub, "Mul": ast.Mult, "Div": ast.Div,
    "Pow": ast.Pow, "Mm": ast.MatMult, "Mv": ast.MatMult, "Neg": ast.USub,
}  # fmt: skip
KEY = re.compile(r"(?:\.|\[['\"])(\w+)(?:['\"]\])?$")  #: of an attribute, or an item of a dict
CASTS = {"to", "double", "float", "half", "type", "cuda", "cpu"}
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@"}


@dataclass(frozen=True)
class Asked:
    """An expression that asks for gradients and then computes, and how it would ask last."""

    line: str
    asks_last: str
    operation: str


def asked_before(tensor: Tensor, program: Program) -> list[Asked]:
    """The lines that can have made a tensor from a leaf that nobody can reach; none if too many."""
    leaves = leaves_behind(tensor)
    if len(leaves) != 1 or any(each.thing is leaves[0] for each in held(program.variables)):
        return []
    kind = tensor.grad_fn.name().partition("Backward")[0]
    found = [
        Asked(source.spoken(whole.lineno), asking_last(whole, call, is_own), last_of(whole))
        for source, tree in texts(program.frame)
        for whole, call, is_own in computed(tree)
        if fits(whole, kind) and can_make(call, leaves[0])
    ]
    if kind == "ToCopy":
        found += [
            Asked(source.spoken(whole.lineno), cast_to_a_leaf(whole), last_of(whole))
            for source, tree in texts(program.frame)
            for whole, call in of_named_leaves(tree)
            if can_make(call, leaves[0])
        ]
    name = program.name_of(tensor) or ""
    line, key = program.binding_line(name), KEY.search(name)
    found = [each for each in found if each.line == line] or found
    own = key and re.compile(rf"\b{key[1]}(['\"]:| ?=)")  # where that item stands in its dict
    found = [each for each in found if own and own.search(each.line)] or found
    return found if len(found) <= MOST else []


def cast_to_a_leaf(cast: ast.Call) -> str:
    """The same cast, whose result is what asks for gradients."""
    return f"{ast.unparse(cast)}.detach().requires_grad_()"


def updated_by(tensor: Tensor, name: str, program: Program) -> str:
    """The only line ``w = w - ... w.grad`` that can have computed a tensor; empty if none.

    Of several it is the one that gives this name to what it computes.
    """
    sign = {"SubBackward0": ast.Sub, "AddBackward0": ast.Add}.get(tensor.grad_fn.name())
    if sign is None or program.frame is None:
        return ""
    lines: dict[str, bool] = {}
    for source, tree in texts(program.frame):
        assigned = [each for each in ast.walk(tree) if isinstance(each, ast.Assign)]
        of_grads = [each for each in assigned if reads_grad(each.value)]
        of_grads = (own for e in of_grads if not steps(own := e.targets[0], e.value))
        grads = set().union(*map(names_in, of_grads))
        handed = [each for each in ast.walk(tree) if isinstance(each, ast.Return | ast.Expr)]
        outside = {*map(id, own_parts(tree))}
        for each in [*assigned, *handed]:
            for value in elements(each.value):
                match value:
                    case ast.BinOp(left, op) if type(op) is sign and (
                        reads_grad(value) or names_in(value) & grads
                    ):
                        things = [*getattr(each, "targets", ()), first_of(left)]
                        known = {own_name(ast.unparse(thing)) for thing in things}
                        line = source.spoken(each.lineno)
                        is_named = own_name(name) in known
                        if is_named or id(each) not in outside:  # else it is of another name
                            lines[line] = lines.get(line, False) or is_named
    found = [line for line, is_named in lines.items() if is_named] or [*lines]
    made = program.binding_line(name)
    is_computed = made and isinstance(getattr(program.step(name), "value", None), ast.BinOp)
    own = [line for line in found if line == made]
    found = own if own or is_computed else found  # what is computed in its line no function gave
    return found[0] if len(found) == 1 else ""


def steps(target: ast.expr, value: ast.expr) -> bool:
    """Whether a value that reads a ``.grad`` is a step of its own leaf: no gradient itself."""
    read = [each for each in ast.walk(value) if getattr(each, "attr", "") == "grad"]
    return any(ast.unparse(each.value) == ast.unparse(target) for each in read)


def elements(value: ast.expr | None) -> list[ast.expr]:
    """What a tuple, a dict or a comprehension consists of, or a line appends; else the value."""
    match value:
        case ast.Tuple(parts) | ast.List(parts) | ast.Dict(_, parts):
            return [one for part in parts for one in elements(part)]
        case (
            ast.ListComp(part)
            | ast.GeneratorExp(part)
            | ast.DictComp(_, part)
            | ast.Call(ast.Name("tuple" | "list" | "dict") | ast.Attribute(attr="append"), [part])
        ):
            return elements(part)
    return [] if value is None else [value]


def reads_grad(tree: ast.AST) -> bool:
    """Whether a ``.grad`` is read in a tree, beside ``autograd.grad(...)``."""
    called = {id(each.func) for each in ast.walk(tree) if is_call(each)}
    parts = (each for each in ast.walk(tree) if getattr(each, "attr", "") == "grad")
    return any(id(each) not in called for each in parts)


def of_named_leaves(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.Call]]:
    """Each cast of a leaf that a line of the same function has named, and the call that made it.

    That is ``W.to(dtype)`` below ``W = torch.randn(3, requires_grad=True)``.
    """
    for block in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
        given = [each for each in own_parts(block, ast.Assign) if len(each.targets) == 1]
        known = {ast.unparse(e.targets[0]): e.value for e in given if asks_last(e.value)}
        for each in own_parts(block, ast.Call):
            owner = ast.unparse(getattr(each.func, "value", each))
            if owner in known and owner.isidentifier() and name_called(each.func) in CASTS:
                yield each, known[owner]


def asks_last(value: ast.expr) -> bool:
    """Whether a value is a call that asks for gradients, and nothing computes with that."""
    return is_call(value) and asks(value)


def computed(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.Call, bool]]:
    """Each expression that computes with what a part of it asks gradients for, and that part.

    Last comes whether it is given to an attribute of a module, which keeps parameters.
    """
    above = parents_in(tree)
    for call in ast.walk(tree):
        if is_call(call) and asks(call):
            whole: ast.AST = call
            while goes_on(whole, above.get(whole)):
                whole = above[whole]
            if whole is not call and isinstance(whole, ast.expr):
                yield whole, call, is_kept_by_a_module(above.get(whole), above)


def is_kept_by_a_module(statement: ast.AST | None, above: dict) -> bool:
    """Whether a statement assigns to an attribute of ``self``, in the class of a module."""
    match statement:
        case ast.Assign([ast.Attribute(ast.Name("self"))]):
            while statement is not None and not isinstance(statement, ast.ClassDef):
                statement = above.get(statement)
            return any(name_called(base) == "Module" for base in getattr(statement, "bases", ()))
    return False


def goes_on(part: ast.AST, above: ast.AST | None) -> bool:
    """Whether an expression goes on computing with its part: an operator, a method, an index."""
    match above:
        case ast.BinOp() | ast.UnaryOp():
            return True
        case ast.Attribute(attr=name):
            return name not in ("requires_grad_", "detach", "data", "grad")
        case ast.Subscript(value):
            return value is part
        case ast.Call(function):
            return function is part
    return False


def asks(call: ast.Call) -> bool:
    """Whether a call makes a leaf: ``requires_grad=True``, ``.requires_grad_()``, ``Parameter``."""
    name = name_called(call.func)
    flags = [each.value for each in call.keywords if each.arg == "requires_grad"]
    if name == "requires_grad_":
        is_off = any(is_word(each, False) for each in call.args)
        return isinstance(call.func, ast.Attribute) and not is_off
    if name == "Parameter":
        return len(call.args) == 1 and all(is_word(flag, True) for flag in flags)
    return any(is_word(flag, True) for flag in flags)


def fits(whole: ast.expr, kind: str) -> bool:
    """Whether an expression ends in the operation of a node."""
    match whole:
        case ast.BinOp(op=operator) | ast.UnaryOp(op=operator):
            return isinstance(operator, OPERATORS.get(kind, ()))
        case ast.Call(function):
            name = (name_called(function) or "").rstrip("_")
            return name == kind.lower() or kind not in OPERATORS
    return kind not in OPERATORS


def can_make(call: ast.Call, leaf: Tensor) -> bool:
    """Whether a call can have made a leaf, by the sizes that are written, and by what fills it."""
    name, sizes = name_called(call.func), call.args
    if name not in FACTORIES - {"tensor", "full", "linspace", "eye"}:
        return True
    value = {"zeros": 0, "ones": 1}.get(name)
    if value is not None and leaf._version == 0 and (leaf._value != value).any():
        return False
    written = [each.value if isinstance(each, ast.Constant) else None for each in sizes]
    if written in ([], [None]) or any(isinstance(each, ast.Starred) for each in sizes):
        return True  # one name may stand for several sizes
    alike = (size in (None, own) for size, own in zip(written, leaf.shape))
    return len(written) == leaf.dim() and all(alike)


def last_of(whole: ast.expr) -> str:
    """The operation that an expression ends in, as it is written.

    >>> last_of(ast.parse("randn(3, requires_grad=True).double()", mode="eval").body)
    '.double()'
    """
    match whole:
        case ast.Call(ast.Attribute(owner)) | ast.Attribute(owner) | ast.Subscript(owner):
            return ast.unparse(whole).removeprefix(ast.unparse(owner))
        case ast.BinOp(_, operator) | ast.UnaryOp(operator):
            return SIGNS.get(type(operator), ast.unparse(whole))
    return ast.unparse(whole)


def asking_last(whole: ast.expr, call: ast.Call, is_own: bool = False) -> str:
    """The expression, written so that its result is what asks for gradients.

    What is a module's own is written as its parameter.

    >>> whole = ast.parse("randn(3, requires_grad=True) * 0.1", mode="eval").body
    >>> asking_last(whole, whole.left)
    '(randn(3) * 0.1).requires_grad_()'
    """
    name = name_called(call.func)
    if name == "requires_grad_":
        plain = as_owner(call.func.value)
    elif name == "Parameter":
        plain = as_owner(call.args[0])
    else:
        kept = [each for each in call.keywords if each.arg != "requires_grad"]
        plain = ast.unparse(ast.Call(call.func, call.args, kept))
    written = ast.unparse if is_own or name == "Parameter" else as_owner
    text = written(whole).replace(ast.unparse(call), plain, 1)
    if name == "Parameter":
        return f"{ast.unparse(call.func)}({text})"
    return f"nn.Parameter({text})" if is_own else f"{text}.requires_grad_()"
