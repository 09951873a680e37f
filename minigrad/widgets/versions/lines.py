r"""A few lines of a program that a learner types: read, checked, run one by one, never `eval`.

    program = read("a = tensor([1., 3.], requires_grad=True)\nb = a + 2\nb[0] = 1000.0")
    for line in program:
        line.run(names)        # names: a dict, which gains what the line assigns

A line is an assignment, to a name or to entries of one, also `+=` and its like; a call such as
`loss.backward()`; or `with no_grad(): ...` before one of them. Values are made by the expressions
of `minigrad.widgets.safe` and, besides, by indices, by `.data`, `.grad` and listed methods. The
sizes of program and tensors are bounded. The library can be PyTorch, which is given the same calls.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import minigrad as mg

from ...language import _
from ..safe import constant
from ..safe_text import FUNCTIONS, SAME, Refused

__all__ = ["Line", "Refused", "read"]

MOST_LINES, LONGEST_LINE, DEEPEST = 10, 90, 12
LARGEST = 16  #: numbers of a tensor

MAKERS = ("tensor", "ones", "zeros")
METHODS = (*FUNCTIONS, "add", "sub", "mul", "div", "pow", "neg", "sigmoid", "clone", "detach",
           "view", "reshape")  # fmt: skip
WRITING = ("add_", "sub_", "mul_", "div_", "pow_", "exp_", "sin_", "cos_", "tanh_", "sqrt_",
           "abs_", "neg_", "zero_", "fill_", "copy_", "requires_grad_", "detach_")  # fmt: skip
CALLS = ("backward", "retain_grad")
FLAGS = {"requires_grad", "retain_graph"}

_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
}
_IN_PLACE = {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: operator.imul,
    ast.Div: operator.itruediv,
    ast.Pow: operator.ipow,
}


@dataclass(frozen=True)
class Line:
    """A line that was found harmless: its number from 1, its text, its statements."""

    number: int
    text: str
    statements: tuple[ast.stmt, ...]

    def run(self, names: dict[str, Any], library: ModuleType = mg) -> None:
        r"""Run the line on the tensors of `library` in `names`.

        Raises `Refused` for a tensor that is too large, and what the library raises.

        >>> names = {}
        >>> for line in read("a = tensor([1., 3.])\nb = a + 2\nb[0] *= 2"):
        ...     line.run(names)
        >>> names["b"]
        tensor([6., 5.])
        """
        _Runner(self, names, library).run(self.statements)

    @property
    def calls_backward(self) -> bool:
        """Whether the line is a call of `backward`."""
        return any(_called(node, "backward") for one in self.statements for node in ast.walk(one))

    @property
    def root(self) -> str:
        """The name whose `backward` is called."""
        walked = (node for one in self.statements for node in ast.walk(one))
        called = next(node for node in walked if _called(node, "backward"))
        return called.func.value.id


def _called(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == name
    )


def read(text: str, most: int = MOST_LINES) -> tuple[Line, ...]:
    r"""Read the lines of a program, `most` at most; empty ones do not count.

    Raises `Refused`, a `ValueError`, with a sentence that names the line.

    >>> [line.text for line in read("a = ones(2)\n\nb = a.exp()  # why not")]
    ['a = ones(2)', 'b = a.exp()  # why not']
    >>> read("import os")
    Traceback (most recent call last):
        ...
    minigrad.widgets.safe_text.Refused: Line 1: this has no place here.
    """
    texts = [one.strip() for one in text.splitlines() if one.strip()]
    if not texts:
        raise Refused(_("Nothing is written yet."), text, 0)
    if len(texts) > most:
        raise Refused(_("{} lines are the most.").format(most), text, 0)
    known: set[str] = set()
    return tuple(_line(number, one, known) for number, one in enumerate(texts, 1))


def _line(number: int, text: str, known: set[str]) -> Line:
    def refuse(said: str, column: int = 0) -> Refused:
        return Refused(_("Line {}: {}").format(number, said), text, column)

    if len(text) > LONGEST_LINE:
        raise refuse(_("{} characters are the most.").format(LONGEST_LINE), LONGEST_LINE)
    try:
        parsed = ast.parse(text.translate(SAME)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if text.endswith(":"):
            raise refuse(_("what belongs to it goes on the same line."), len(text)) from None
        said = _("Python cannot read this: {}.").format(getattr(error, "msg", error))
        raise refuse(said, max(0, (getattr(error, "offset", None) or 1) - 1)) from None
    checker = _Checker(text, known)
    try:
        for statement in parsed:
            checker.statement(statement)
    except Refused as refused:
        raise refuse(str(refused), refused.column) from None
    return Line(number, text, tuple(parsed))


# --- what a line may hold -----------------------------------------------------------------------


class _Checker:
    """Refuses every node that is not listed."""

    def __init__(self, text: str, known: set[str]):
        self.text, self.known, self.depth = text, known, 0

    def refuse(self, said: str, node: ast.AST) -> Refused:
        return Refused(said, self.text, getattr(node, "col_offset", 0))

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                nothing = isinstance(value, ast.Constant) and value.value is None
                if not (nothing and isinstance(target, ast.Attribute) and target.attr == "grad"):
                    self.value(value)
                self.target(target)
            case ast.AugAssign(target=target, op=op, value=value) if type(op) in _IN_PLACE:
                self.value(value)
                self.place(target)
                if not isinstance(target, ast.Attribute):
                    self.target(target)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=name)) as call) if (
                name in WRITING
            ):
                self.place(owner)
                for argument in self.call(call)[1:]:
                    self.value(argument)
            case ast.Expr(value=ast.Call() as call):
                self.value(call)
            case ast.With(items=[ast.withitem(context_expr=guard, optional_vars=None)], body=body):
                if not (isinstance(guard, ast.Call) and _is_no_grad(guard)):
                    raise self.refuse(_("only `with no_grad():` can stand here."), guard)
                for one in body:
                    self.statement(one)
            case _:
                raise self.refuse(_("this has no place here."), node)

    def target(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name) if name not in (*FUNCTIONS, *MAKERS, "no_grad"):
                self.known.add(name)
            case ast.Subscript():
                self.place(node)
            case ast.Attribute(value=value, attr="grad"):
                self.value(value)
            case _:
                raise self.refuse(_("nothing can be assigned to this."), node)

    def place(self, node: ast.expr) -> None:
        """What is written to, which may be `.data` of a value.

        As a value of its own, `.data` would be a second version of the same memory.
        """
        match node:
            case ast.Attribute(value=value, attr="data"):
                self.value(value)
            case ast.Subscript(value=value, slice=index):
                self.index(index)
                self.place(value)
            case _:
                self.value(node)

    def value(self, node: ast.expr) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.refuse(_("too many operations inside each other."), node)
        for inner in self.inside(node):
            self.value(inner)
        self.depth -= 1

    def inside(self, node: ast.expr) -> list[ast.expr]:
        """The values that a value is made of."""
        match node:
            case ast.Constant(value=value) if type(value) in (int, float):
                constant(node, self.text)
                return []
            case ast.Name(id=name):
                if name not in self.known:
                    raise self.refuse(_("`{}` has no value yet.").format(name), node)
                return []
            case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
                return [operand]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                constant(node, self.text)  # a power of two numbers may be too large
                return [left, right]
            case ast.Attribute(value=value, attr="grad"):
                return [value]
            case ast.Attribute(attr="data"):
                raise self.refuse(_("`.data` can only be written to here."), node)
            case ast.Subscript(value=value, slice=index):
                self.index(index)
                return [value]
            case ast.Call():
                return self.call(node)
        raise self.refuse(_("this has no place here."), node)

    def call(self, node: ast.Call) -> list[ast.expr]:
        for flag in node.keywords:
            if flag.arg not in FLAGS or not _is_flag(flag.value):
                raise self.refuse(_("this argument is not known here."), flag.value)
        match node:
            case ast.Call(func=ast.Name(id="tensor"), args=[numbers]):
                self.numbers(numbers)
                return []
            case ast.Call(func=ast.Name(id="ones" | "zeros"), args=[size]):
                if not _is_whole(size) or not 1 <= size.value <= LARGEST:
                    raise self.refuse(_("expected a size from 1 to {}.").format(LARGEST), size)
                return []
            case ast.Call(func=ast.Name(id=name), args=[value]) if name in FUNCTIONS:
                return [value]
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=values):
                if name not in (*METHODS, *WRITING, *CALLS):
                    raise self.refuse(_("the method `{}` is not known here.").format(name), node)
                if name == "backward" and not isinstance(value, ast.Name):
                    raise self.refuse(_("give the result a name before `backward()`."), node)
                return [value, *values]
        raise self.refuse(_("this call is not known here."), node)

    def numbers(self, node: ast.expr) -> None:
        """What stands in `tensor(...)`: a number or a list of numbers."""
        entries = node.elts if isinstance(node, ast.List) else [node]
        if not 1 <= len(entries) <= LARGEST:
            raise self.refuse(_("expected 1 to {} numbers.").format(LARGEST), node)
        for entry in entries:
            strange = any(
                isinstance(inner, ast.Constant) and type(inner.value) not in (int, float)
                for inner in ast.walk(entry)
            )
            if strange or constant(entry, self.text) is None:
                raise self.refuse(_("expected a number."), entry)

    def index(self, node: ast.expr) -> None:
        ends = [node.lower, node.upper] if isinstance(node, ast.Slice) else [node]
        if isinstance(node, ast.Slice) and node.step is not None:
            raise self.refuse(_("an index has no step here."), node.step)
        for end in ends:
            bare = end.operand if isinstance(end, ast.UnaryOp) else end
            if bare is not None and not _is_whole(bare):
                raise self.refuse(_("an index is a whole number, or two such as `[:2]`."), node)


def _is_no_grad(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "no_grad" and not call.args


def _is_flag(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


# --- what a line does ----------------------------------------------------------------------------


class _Runner:
    """Does what the statements of a checked line say."""

    def __init__(self, line: Line, names: dict[str, Any], library: ModuleType):
        self.line, self.names, self.library = line, names, library

    def run(self, statements: tuple[ast.stmt, ...] | list[ast.stmt]) -> None:
        for node in statements:
            match node:
                case ast.Assign(targets=[target], value=value):
                    nothing = isinstance(value, ast.Constant) and value.value is None
                    self.assign(target, None if nothing else self.value(value))
                case ast.AugAssign(target=target, op=op, value=value):
                    old = self.value(target)
                    self.assign(target, _IN_PLACE[type(op)](old, self.value(value)))
                case ast.Expr(value=value):
                    self.value(value)
                case ast.With(body=body):
                    with self.library.no_grad():
                        self.run(body)

    def assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                if isinstance(value, (int, float)):
                    said = _("Line {}: write `tensor(...)` around a number that gets a name.")
                    raise Refused(said.format(self.line.number), self.line.text, 0)
                self.names[name] = value
            case ast.Subscript(value=owner, slice=index):
                self.value(owner)[_index(index)] = value
            case ast.Attribute(value=owner, attr=name):
                setattr(self.value(owner), name, value)

    def value(self, node: ast.expr) -> Any:
        found = self.made(node)
        if hasattr(found, "numel") and found.numel() > LARGEST:
            said = _("Line {}: {} numbers are the most.").format(self.line.number, LARGEST)
            raise Refused(said, self.line.text, node.col_offset)
        return found

    def made(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self.names[name]
            case ast.UnaryOp(op=sign, operand=operand):
                value = self.value(operand)
                return -value if isinstance(sign, ast.USub) else value
            case ast.BinOp(left=left, op=op, right=right):
                return _BINARY[type(op)](self.value(left), self.value(right))
            case ast.Attribute(value=value, attr=name):
                return getattr(self.value(value), name)
            case ast.Subscript(value=value, slice=index):
                return self.value(value)[_index(index)]
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=flags):
                value = _numbers(argument) if name in MAKERS else self.value(argument)
                return getattr(self.library, name)(value, **_flags(flags))
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=values, keywords=flags):
                found = getattr(self.value(value), name)
                return found(*map(self.value, values), **_flags(flags))
        raise AssertionError("read lets no other node through")


def _index(node: ast.expr) -> Any:
    if isinstance(node, ast.Slice):
        return slice(*(end and ast.literal_eval(end) for end in (node.lower, node.upper)))
    return ast.literal_eval(node)


def _numbers(node: ast.expr) -> Any:
    """What `tensor(...)` is given: whole numbers stay whole, as Python has them."""
    if isinstance(node, ast.List):
        return [_numbers(entry) for entry in node.elts]
    value = constant(node, "")
    whole = not any(
        isinstance(one, ast.Div) or (isinstance(one, ast.Constant) and type(one.value) is float)
        for one in ast.walk(node)
    )
    return value if whole else float(value)


def _flags(flags: list[ast.keyword]) -> dict[str, bool]:
    return {flag.arg: flag.value.value for flag in flags}
