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

from ...extras.recorded_cuts import PLACE
from ..program.program import Program
from ..program.statements import BINDS, WRITES
from ..source import reader
from ..source.called import function_called, outer_names, thing_called
from ..source.syntax import calls_in, is_call, name_called, names_in, parents_in, parts_in, words_in
from ..source.texts import assignments, definition_of, texts
from .expression_matches_node import fits, is_run_by
from .layer_of_node import layer_in_words
from .nodes import MOST_NODES, kind_of, next_of, reached

DEEPEST = 4  #: calls that are followed
OPERATIONS = ast.BinOp | ast.UnaryOp | ast.AugAssign | ast.Call
LAYERS = {"LogSoftmax": "crossentropyloss"}  #: that have another name than their node
NUMBERS = {"math", "np", "numpy"}  #: compute with numbers that are written down, as 2 * math.pi


def line_of(node: Any, program: Program) -> str:
    """The line that ran an operation, in words; empty where that is unknown."""
    if line := recorded_line(node):
        return line
    name = next(named(node, program.variables), None)
    made = program.step(name, kinds=(BINDS,)) if name is not None else None
    if made is not None and any(map(takes_a_derivative, calls_in(made.value))):
        return made.line  # no written expression ran what a recorded pass has made
    if name is not None and (inside := line_in(program, name, node)):
        return inside
    graph = graph_of(program)
    found = sorted(written_like(node, graph), key=lambda each: ends_at(each[1]))
    lines = [source.spoken(line_number(each)) for source, each, _ in found]
    if len({*lines}) == 1:
        return lines[0]
    for place in (place_in_turn, place_left):
        if (at := place(node, found, graph)) is not None:
            return lines[at]
    if name is not None:  # a loop makes nothing of what it goes through
        return "" if name in program.turning else program.last_line(name) or ""
    nearest = graph.nearest(node)
    return line_in(program, nearest, node) if nearest is not None else ""


def takes_a_derivative(call: ast.Call) -> bool:
    """Whether this is ``autograd.grad(y, x, ...)``."""
    return is_call(call, {"grad"}) and len(call.args) > 1


def in_words(node: Any, program: Program) -> str:
    """The name of a node, with the layer that ran it, or its line, where that is known."""
    line, layer = line_of(node, program), layer_in_words(node, program)
    found = [each for _, each, _ in program.graph.written.get(node, ())] if program.graph else []
    if len(found) == 1 and not layer and line.count(f"{kind_of(node).lower()}(") > 1:
        line = f"`{ast.unparse(found[0])}` in {line}"
    return node.name() + reader.in_brackets(recorded_line(node) or layer or line)


def recorded_line(node: Any) -> str:
    """The line that `watch` or anomaly mode has kept with a node; empty for none."""
    kept = getattr(getattr(node, "extras", None), "metadata", None) or {}
    if PLACE in kept:
        return reader.spoken(kept[PLACE])
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
        self.written: dict[Any, list[tuple]] = {}  # what `written_like` has found, by node
        self.constants: dict[Any, Any] = {}  # the operand without a history, by node
        self.texts = [(source, tree, parents_in(tree)) for source, tree in texts(program.frame)]
        self.words = set().union(*(words_used(tree) for _, tree, _ in self.texts))
        self.layers = {  # such as ("act", "relu") of self.act = nn.ReLU()
            (name_called(target), (name_called(value.func) or "").lower())
            for _line, target, value in assignments(program.frame)
            if is_call(value)
        }
        for name, thing in program.variables.items():
            start = None if name[0] == "_" or is_room(thing) else getattr(thing, "grad_fn", None)
            if start is not None:
                self.results.setdefault(start, name)
        for node in reached(self.results, most=MOST_NODES):
            for after in next_of(node):
                self.users.setdefault(after, {})[node] = None

    def is_run_by(self, expression: ast.AST, kind: str, node: Any) -> bool:
        """Whether an expression is written like an operation, or calls a layer made for it."""
        called = name_called(expression.func) if is_call(expression) else ""
        layers = {(called, kind.lower()), (called, LAYERS.get(kind))}
        return bool(layers & self.layers) or is_run_by(expression, kind, node)

    def like(self, node: Any) -> list[Any]:
        """The nodes of the same operation, this one among them."""
        known = dict.fromkeys([*self.users, *self.results])
        return [each for each in known if kind_of(each) == kind_of(node)]

    def nearest(self, node: Any) -> str | None:
        """The name of the result that is made of a node in the fewest steps."""
        users = reached([node], lambda each: self.users.get(each, ()))
        return next((self.results[each] for each in users if each in self.results), None)


def graph_of(program: Program) -> Graph:
    """The same of a program, walked once."""
    program.graph = program.graph or Graph(program)
    return program.graph


def is_room(thing: Any) -> bool:
    """Whether this is a module of Python's, which may search long for what it does not have."""
    return isinstance(thing, ModuleType)


# -- expressions that fit --------------------------------------------------------------------------


def written_like(node: Any, graph: Graph) -> list[tuple]:
    """What may have run an operation, by how it is written and used; its text, and what is around.

    Of the program's expressions, in the order of the lines.
    """
    if node not in graph.written:
        kind = kind_of(node)
        graph.written[node] = [
            (source, each, around)
            for source, tree, around in graph.texts
            for each in parts_in(tree, OPERATIONS)
            if graph.is_run_by(each, kind, node) and not names_in(each) <= NUMBERS
            if fits(each, node, around, graph) and not is_idle(each, around, graph.words)
        ]
    return graph.written[node]


def place_in_turn(node: Any, found: list[tuple], graph: Graph) -> int | None:
    """Which of several expressions has run a node, where that follows from the order; else None.

    They have to stand one below the other in one block, and as many nodes of the kind one behind
    the other in the graph: then each has run once, in this order.
    """
    nodes = sorted(graph.like(node), key=lambda each: each._sequence_nr())
    blocks = {block_of(each, around) for _source, each, around in found}
    is_known = len(nodes) == len(found) and len(blocks) == 1 and None not in blocks
    if not is_known or any(one not in behind(other) for one, other in pairwise(nodes)):
        return None
    return nodes.index(node)


def place_left(node: Any, found: list[tuple], graph: Graph) -> int | None:
    """Which of several expressions is left for a node, where each of the others fits one alone.

    As many nodes of the kind have to be there as expressions.
    """
    nodes = graph.like(node)
    known = {each: [fit for _, fit, _ in written_like(each, graph)] for each in nodes}
    taken = {fits[0] for each, fits in known.items() if len(fits) == 1 and each is not node}
    left = [at for at, (_, each, _) in enumerate(found) if each not in taken]
    is_known = len(nodes) == len({fit for fits in known.values() for fit in fits})
    return left[0] if is_known and len(left) == 1 else None


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


def words_used(tree: ast.AST) -> set[str]:
    """The names that are used in a tree, those of attributes, and words in its strings."""
    texts = [each.value for each in parts_in(tree, ast.Constant) if isinstance(each.value, str)]
    return words_in(tree).union(*(re.findall(r"\w+", text) for text in texts))


def is_idle(expression: ast.AST, around: dict, words: set[str]) -> bool:
    """Whether an expression stands in a function or a class that the program never mentions.

    Or its value is written into ``.data``, which no graph goes on from.
    """
    while expression is not None:
        if isinstance(expression, ast.Assign | ast.AugAssign):
            if ast.unparse(expression).partition("=")[0].rstrip(" +-*/").endswith(".data"):
                return True
        if isinstance(expression, ast.FunctionDef | ast.ClassDef):
            name = expression.name
            if name not in words and name != "forward" and not name.startswith("__"):
                return True
        expression = around.get(expression)
    return False


def ends_at(expression: ast.AST) -> tuple[int, int, int]:
    """Where an expression ends: what runs first ends first, in a line and inside of another."""
    return expression.lineno, expression.end_lineno, expression.end_col_offset


def line_number(expression: ast.AST) -> int:
    """The line in which an operation runs: a method has that of its name."""
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        return expression.func.end_lineno or expression.lineno
    return expression.lineno


def line_that_binds(name: str, node: Any, program: Program) -> str:
    """The only line of the program that gives this name to what a node made; empty if unknown."""
    graph = graph_of(program)
    kind, found = kind_of(node), []
    for source, tree in texts(program.frame):
        around = parents_in(tree)
        for each in parts_in(tree, ast.Assign | ast.AnnAssign):
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
    if step is not None and step.kind is WRITES and step.untracked is not None:
        step = program.step(name, kinds=(BINDS,))  # what no_grad() has run made no node
    if step is None or step.branch:
        return ""
    kind = kind_of(node)
    graph = graph_of(program)
    own = parts_in(step.value, OPERATIONS)
    found = [step.line] if any(graph.is_run_by(each, kind, node) for each in own) else []
    for source, body, _ in functions_run(calls_in(step.value), program.variables):
        run = (e for e in parts_in(body, OPERATIONS) if graph.is_run_by(e, kind, node))
        found += (source.spoken(each.lineno) for each in run)
    lines = list(dict.fromkeys(found))
    return lines[0] if len(lines) == 1 else ""


def functions_run(calls: list[ast.Call], variables: Any, within: tuple = ()) -> Iterator[tuple]:
    """The reader's functions that calls run: the text and body of each, and what names mean there.

    Those of one call after those of another, each before those it calls itself.
    """
    for call in calls if len(within) < DEEPEST else ():
        called = function_called(call, variables)
        if called is not None and called[0].__code__ not in within:
            function, given = called
            source, body = definition_of(function)
            known = {name: thing_called(each[0], variables) for name, each in given.items() if each}
            yield source, body, (inner := {**outer_names(function), **known})
            yield from functions_run(calls_in(body), inner, (*within, function.__code__))
