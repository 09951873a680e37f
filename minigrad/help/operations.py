"""Where an operation of a graph stands in the program: which written expression has run it.

A node keeps no line, because that would make each operation dearer, unless `watch` or anomaly mode
was on. So expressions are compared with the graph: one that is written like the operation, is given
what the node's gradient goes to, and is used as the node is. Where one line alone fits, that is it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import ModuleType
from typing import Any

from ..extras.recorded_cuts import PLACE
from . import reader
from .called import function_called, outer_names, thing_called
from .nodes import MOST_NODES, kind_of, next_of, reached
from .program import Program
from .syntax import given_to, is_call, name_called, parents_in
from .texts import assignments, definition_of, texts

DEEPEST = 4  #: calls that are followed
OPERATORS = {
    "Add": ast.Add, "Sub": ast.Sub, "Rsub": ast.Sub, "Div": ast.Div, "Reciprocal": ast.Div,
    "Pow": ast.Pow, "Mul": (ast.Mult, ast.Div), "Neg": ast.USub,
}  # fmt: skip
CALLS = {
    "Acos": {"acos", "arccos"},
    "Asin": {"asin", "arcsin"},
    "Clamp": {"clamp", "clip", "clamp_", "clip_"},
    "Div": {"div", "divide", "true_divide", "div_"},
    "Std": {"std", "std_mean"},
    "Var": {"var", "var_mean"},
}
#: methods that make one node of this name, for which nothing else stands
METHODS = {
    "abs", "ceil", "clamp", "cos", "cosh", "exp", "floor", "log", "log_softmax", "max", "mean",
    "min", "neg", "pow", "prod", "relu", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh",
    "softmax", "sqrt", "std", "sum", "tan", "tanh", "trunc", "unsqueeze", "var",
}  # fmt: skip
TAKES_TENSORS = {"Pow", "Div", "Mul", "Add", "Sub", "Clamp", "Where", "Std", "Var"}
ROOMS = {"mg", "minigrad", "torch", "F", "functional", "nn"}
WITHOUT_HISTORY = {"detach", "item", "tolist", "numpy"}
BESIDES = ("ToCopy", "Copy", "Alias", "Expand")  #: made by the way


def line_of(node: Any, program: Any) -> str:
    """The line that ran an operation, in words; empty where that is unknown."""
    if program is None:
        return ""
    if line := recorded_line(node):
        return line
    name = next(named(node, program.variables), None)
    if name is not None and (inside := line_in(program, name, node)):
        return inside
    program.graph = graph = program.graph or Graph(program)
    found = sorted(written_like(node, program, graph), key=lambda each: each[1].lineno)
    lines = list(dict.fromkeys(source.spoken(line_number(each)) for source, each, _ in found))
    if len(lines) == 1:
        return lines[0]
    if len(lines) == len(found) and (at := place_in_turn(node, found, graph)) is not None:
        return lines[at]
    if name is not None:
        return program.last_line(name) or ""
    nearest = graph.nearest(node)
    return line_in(program, nearest, node) if nearest is not None else ""


def in_words(node: Any, program: Any) -> str:
    """The name of a node, with its line where that is known."""
    return node.name() + reader.in_brackets(line_of(node, program))


def recorded_line(node: Any) -> str:
    """The line that `watch` or anomaly mode has kept with a node; empty for none."""
    extras = getattr(node, "extras", None)
    kept = {} if extras is None else extras.metadata
    if PLACE in kept:
        return reader.spoken(kept[PLACE])
    return line_of_anomaly_mode(node)


def line_of_anomaly_mode(node: Any) -> str:
    """The line that anomaly mode has kept with a node; empty for none."""
    extras = getattr(node, "extras", None)
    kept = {} if extras is None else extras.metadata
    for entry in reversed(kept.get("traceback_", ())):
        found = re.match(r'\s*File "(.*)", line (\d+)', entry)
        if found and not found[1].startswith(reader.PACKAGE):
            return reader.spoken_line(found[1], int(found[2]))
    return ""


def named(node: Any, variables: Any) -> Iterator[str]:
    """The names of the reader's for what a node made."""
    for name, thing in variables.items():
        if name[:1] != "_" and not is_room(thing) and getattr(thing, "grad_fn", None) is node:
            yield name


class Graph:
    """The nodes behind the reader's results, and which of them use which."""

    def __init__(self, program: Program):
        self.users: dict[Any, dict[Any, None]] = {}
        self.results: dict[Any, str] = {}
        for name, thing in program.variables.items():
            start = None if name[0] == "_" or is_room(thing) else getattr(thing, "grad_fn", None)
            if start is not None:
                self.results.setdefault(start, name)
        for node in reached(self.results, most=MOST_NODES):
            for after in next_of(node):
                self.users.setdefault(after, {})[node] = None

    def nearest(self, node: Any) -> str | None:
        """The name of the result that is made of a node in the fewest steps."""
        users = reached([node], lambda each: self.users.get(each, ()))
        return next((self.results[each] for each in users if each in self.results), None)


def is_room(thing: Any) -> bool:
    """Whether this is a module of Python's, which may search long for what it does not have."""
    return isinstance(thing, ModuleType)


# -- expressions that fit --------------------------------------------------------------------------


def written_like(node: Any, program: Program, graph: Graph) -> Iterator[tuple]:
    """What may have run an operation, by how it is written and used; its text, and what is around.

    Of the program's expressions, in the order of the lines.
    """
    kind, known = kind_of(node), [*texts(program.frame)]
    words = {word for _, tree in known for word in words_in(tree)}
    for source, tree in known:
        around = parents_in(tree)
        for each in ast.walk(tree):
            if is_run_by(each, kind, node) and fits(each, node, around, graph):
                if not is_idle(each, around, words):
                    yield source, each, around


def place_in_turn(node: Any, found: list[tuple], graph: Graph) -> int | None:
    """Which of several expressions has run a node, where that follows from the order; else None.

    They have to stand one below the other in one block, and as many nodes of the kind one behind
    the other in the graph: then each has run once, in this order.
    """
    kind = kind_of(node)
    nodes = [each for each in {*graph.users, *graph.results} if kind_of(each) == kind]
    nodes.sort(key=lambda each: each._sequence_nr())
    blocks = {block_of(each, around) for _source, each, around in found}
    in_order = all(one in behind(other) for one, other in pairwise(nodes))
    is_known = len(nodes) == len(found) and len(blocks) == 1 and None not in blocks
    if not is_known or not in_order:
        return None
    return nodes.index(node)


def behind(node: Any) -> set[Any]:
    """The nodes that a gradient can reach from one."""
    return {*reached(next_of(node))}


def block_of(expression: ast.AST, around: dict) -> ast.AST | None:
    """What holds the statement of an expression; None where that may run never or repeatedly."""
    while not isinstance(expression, ast.stmt):
        if isinstance(expression, ast.comprehension | ast.Lambda | ast.IfExp | ast.GeneratorExp):
            return None
        if isinstance(expression, ast.ListComp) or expression not in around:
            return None
        expression = around[expression]
    block = around.get(expression)
    return None if isinstance(block, ast.If | ast.Try) else block


def words_in(tree: ast.AST) -> Iterator[str]:
    """The names that are used in a tree, those of attributes, and words in its strings."""
    for each in ast.walk(tree):
        match each:
            case ast.Name(word) | ast.Attribute(_, word):
                yield word
            case ast.Constant(str(text)):
                yield from re.findall(r"\w+", text)


def is_idle(expression: ast.AST, around: dict, words: set[str]) -> bool:
    """Whether an expression stands in a function or a class that the program never mentions."""
    while (expression := around.get(expression)) is not None:
        if isinstance(expression, ast.FunctionDef | ast.ClassDef):
            name = expression.name
            if name not in words and name != "forward" and not name.startswith("__"):
                return True
    return False


def line_number(expression: ast.AST) -> int:
    """The line in which an operation runs: a method has that of its name."""
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        return expression.func.end_lineno or expression.lineno
    return expression.lineno


def fits(expression: ast.AST, node: Any, around: dict, graph: Graph) -> bool:
    """Whether what an expression is given, and what it is used for, is as it is in the graph."""
    given = operands(expression)
    for after, _number in node.next_functions:
        if after is not None and given and not any(can_make(each, after) for each in given):
            return False
    user = user_of(expression, around)
    users = graph.users.get(node)
    if user is None or not users or node in graph.results:
        return True
    return any(can_make(user, each) for each in users)


def operands(expression: ast.AST) -> list[ast.expr]:
    """What an operation is given."""
    match expression:
        case ast.BinOp(left, _, right):
            return [left, right]
        case ast.AugAssign(left, _, right):
            return [left, right]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.Call(ast.Attribute(owner)):
            return [owner, *given_to(expression)]
    return given_to(expression)


def user_of(expression: ast.AST, around: dict) -> ast.AST | None:
    """The operation that the result of an expression goes into, in the same expression."""
    user = around.get(expression)
    if isinstance(user, ast.Attribute):
        user = around.get(user)
        return user if isinstance(user, ast.Call) else None
    return user if isinstance(user, ast.BinOp | ast.UnaryOp) else None


def can_make(expression: ast.AST, node: Any) -> bool:
    """Whether the value of an expression can come from a node; True where that is not known."""
    kind = kind_of(node)
    if kind.startswith(BESIDES):
        return True
    match expression:
        case ast.Compare() | ast.Constant() | ast.JoinedStr():
            return False
        case ast.BinOp(_, operator):
            if isinstance(operator, ast.MatMult | ast.Mod | ast.FloorDiv):
                return True
            return isinstance(operator, OPERATORS.get(kind, ()))
        case ast.UnaryOp(ast.USub(), ast.Name() | ast.Call() | ast.BinOp()):
            return kind == "Neg"
        case ast.Call(ast.Attribute(_, name)) if name in WITHOUT_HISTORY:
            return False
        case ast.Call(ast.Attribute(_, name)) if name in METHODS and is_of_a_tensor(expression):
            return name in CALLS.get(kind, {snake(kind)})
    return True


def is_of_a_tensor(call: ast.Call) -> bool:
    """Whether a call is an operation, as ``x.mean(0)`` is, and no method: ``net.mean(x)``."""
    if not isinstance(call.func, ast.Attribute):
        return True
    owner = call.func.value
    if isinstance(owner, ast.Name) and owner.id in ROOMS:
        return True
    is_other = isinstance(owner, ast.Name) and owner.id in ("self", "math", "np", "numpy")
    return not is_other and all(is_plain(each) for each in call.args)


def is_plain(argument: ast.expr) -> bool:
    """Whether an argument is a number, or several, as operations take besides their tensor."""
    match argument:
        case ast.UnaryOp(_, operand):
            return is_plain(operand)
        case ast.Constant(value):
            return not isinstance(value, str)
        case ast.Tuple(several) | ast.List(several):
            return all(map(is_plain, several))
    return False


def snake(kind: str) -> str:
    """``log_softmax`` of ``LogSoftmax``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower()


def is_run_by(expression: ast.AST, kind: str, node: Any) -> bool:
    """Whether an expression is written like the operation that a node belongs to."""
    match expression:
        case ast.BinOp(_, operator, right) | ast.AugAssign(_, operator, right):
            is_kind = isinstance(operator, OPERATORS.get(kind, ()))
            if kind == "Mul" and isinstance(operator, ast.Div):
                return False
            return is_kind and (kind != "Pow" or is_exponent(right, node))
        case ast.UnaryOp(ast.USub()):
            return kind == "Neg"
        case ast.Call(function, arguments):
            is_kind = name_called(function) in CALLS.get(kind, {snake(kind)})
            if is_kind and kind not in TAKES_TENSORS and not is_of_a_tensor(expression):
                return False
            last = arguments[-1] if arguments else None
            return is_kind and (kind != "Pow" or is_exponent(last, node))
    return False


def is_exponent(written: ast.AST | None, node: Any) -> bool:
    """Whether an exponent can be that of a node; a number that is written down has to be equal."""
    is_number = isinstance(written, ast.Constant) and isinstance(written.value, int | float)
    return not is_number or written.value == getattr(node, "_saved_exponent", written.value)


def bound_by(name: str, node: Any, program: Program) -> str:
    """The only line of the program that gives this name to what a node made; empty if unknown."""
    program.graph = graph = program.graph or Graph(program)
    kind, found = kind_of(node), []
    for source, tree in texts(program.frame):
        around = parents_in(tree)
        for each in ast.walk(tree):
            match each:
                case ast.Assign([ast.Name(target)], value) | ast.AnnAssign(
                    ast.Name(target), _, value
                ):
                    if target == name and value is not None and is_run_by(value, kind, node):
                        found += [source.spoken(each.lineno)] * fits(value, node, around, graph)
    return found[0] if len(set(found)) == 1 else ""


# -- the texts of the program ----------------------------------------------------------------------


def line_of_assignment(program: Program, is_meant: Callable[[ast.expr, ast.expr], bool]) -> str:
    """The only line that assigns a value to a target where both are meant; empty for several."""
    known = assignments(program.frame)
    lines = {line for line, target, value in known if is_meant(target, value)}
    return lines.pop() if len(lines) == 1 else ""


# -- the lines that a name was computed by ---------------------------------------------------------


def line_in(program: Program, name: str, node: Any) -> str:
    """The only line that runs this operation for the result ``name``; empty for none or several."""
    step = program.step(name)
    if step is None or step.branch:
        return ""
    kind = kind_of(node)
    variables = {**program.variables}
    found = [step.line] if any(is_run_by(each, kind, node) for each in ast.walk(step.value)) else []
    for call in calls_in(step.value):
        found += lines_inside(call, variables, kind, node, ())
    lines = list(dict.fromkeys(found))
    return lines[0] if len(lines) == 1 else ""


def lines_inside(
    call: ast.Call, variables: Any, kind: str, node: Any, within: tuple
) -> Iterator[str]:
    """The lines of the reader's function that a call runs, and of those it calls."""
    called = function_called(call, variables)
    if called is None or called[0].__code__ in within or len(within) == DEEPEST:
        return
    function, given = called
    source, body = definition_of(function)
    known = {name: thing_called(each[0], variables) for name, each in given.items() if each}
    inner = {**outer_names(function), **known}
    for each in ast.walk(body):
        if is_run_by(each, kind, node):
            yield source.spoken(each.lineno)
    for each in calls_in(body):
        yield from lines_inside(each, inner, kind, node, (*within, function.__code__))


def calls_in(tree: ast.AST) -> list[ast.Call]:
    """The calls in an expression or a function."""
    return [each for each in ast.walk(tree) if is_call(each)]
