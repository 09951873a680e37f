"""Derivatives in a loss that train nothing: without a history, or second ones of a relu."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..graph.expression_of_node import graph_of, in_words, written_like
from ..graph.nodes import fills_a_leaf, kind_of, leaves_of, next_of, nodes_behind, reached
from ..program.derivatives import derivatives, second_derivatives
from ..program.program import Program
from ..source.line_order import without_text
from ..source.syntax import called_in, is_call, names_in, own_parts
from ..source.texts import everywhere
from ..source.variables import all_stepped, is_parameter
from ..words.sentences import say
from .added_numbers import lines_within, sums, terms, values_of

PIECES = {"Threshold", "LeakyRelu"}  #: of whose slope the derivative is 0
CURVED = {"Sin", "Cos", "Exp", "Log", "Pow", "Sqrt", "Tanh", "Sigmoid", "Softplus"}


def lost_derivatives(loss: Any, program: Program) -> Iterator[str]:
    """A derivative in a loss of one that kept its history, or in a term that trains nothing."""
    if said := [*second_of_relu(loss, program)] or [*columns_added(program)]:
        yield from said
        return
    own, known = program.name_of(loss) or "the loss", [*derivatives(program.frame)]
    if all(is_kept for *_, is_kept in known):
        return
    kept = {name for _, name, _, is_kept in known if is_kept}
    used = {name for name, _, _ in program.ingredients(own)}
    idle = lines_of_idle_terms(loss, program)
    for line, name, call, is_kept in known:
        is_of_one = name in used and bool(names_in(call.args[0]) & kept)
        is_idle = without_text(line) in idle
        bound = name and program.binding_line(name)
        if bound and bound != line:  # the name means another value by now
            continue
        if not is_kept and (is_of_one or is_idle or is_operand(name, call, loss, program)):
            name = name or "The result"
            yield say("derivative-without-history", name=name, line=line, loss=own)
            yield say("keep-the-derivative")
            return


def columns_added(program: Program, wanted: str = "") -> Iterator[str]:
    """A second derivative of one output by several inputs, taken of all of the first at once.

    Its columns are read as if each were of one input alone. It may be the one of a ``wanted`` name.
    """
    found = (each for each in derivatives(program.frame) if each[2].args[1:])
    known = {name: (line, call) for line, name, call, _ in found}
    items = [each for _, each in everywhere(program.frame, ast.Subscript)]
    picked = {ast.unparse(each.value) for each in items if isinstance(each.slice, ast.Tuple)}
    for name, (line, call) in known.items():
        if wanted not in ("", name):
            continue
        first, by = map(ast.unparse, call.args[:2])
        of = known[first][1].args if first in known and name in picked else ()
        seeds = [*call.args[2:], *(e.value for e in call.keywords if e.arg == "grad_outputs")]
        things = [program.variables.get(ast.unparse(each)) for each in (call.args[0], *of[:1])]
        shapes = [tuple(getattr(each, "shape", ())) for each in things]
        own = ((), shapes[0][:1], (*shapes[0][:1], 1))  # of which it is unknown, or one output
        is_of_one = len(shapes) == 2 and shapes[1] in own
        if is_of_one and len(shapes[0]) == 2 and shapes[0][1] > 1 and by == ast.unparse(of[1]):
            if any(is_call(each, {"ones_like", "ones"}) for each in seeds):
                told = {"name": name, "line": line, "first": first, "by": by}
                yield say("columns-added", count=shapes[0][1], **told)
                yield say("derive-each-column", grad=ast.unparse(call.func), **told)
                return


def is_operand(name: str, call: ast.Call, loss: Any, program: Program) -> bool:
    """Whether a derivative of outputs stands beside what has a history: ``du + rate * u``.

    Not where it moves what it is taken by, as in ``x + 0.1 * g``, and no output stands there.
    """
    first, *further = call.args
    is_of_outputs = is_call(first, {"sum"}) or further[1:]
    if not name or not (is_of_outputs or any(e.arg == "grad_outputs" for e in call.keywords)):
        return False
    by = names_in(further[0]) if further else set()
    is_summed = is_call(first, {"sum"}) and not first.args
    of = {ast.unparse(first.func.value if is_summed else first)}
    for node in nodes_behind(loss):
        is_alone = kind_of(node) in ("Add", "Sub", "Mul") and len(next_of(node)) == 1
        for _, each, _ in written_like(node, graph_of(program)) if is_alone else ():
            known = names_in(each)
            if name in known and (of & known or not by & known):
                return True
    return False


def second_of_relu(y: Any, program: Program) -> Iterator[str]:
    """A relu through which a derivative of a derivative by an input was taken, which is 0.

    No gradient comes to the slope there, so its node has an edge that leads nowhere.
    """
    slopes = slopes_behind(y)
    if not {*map(kind_of, slopes)} <= PIECES:
        return
    known = [*second_derivatives(program.frame, program.variables)] if slopes else []
    own = rf"(?<![\w.]){re.escape(program.name_of(y) or '?')}(?!\w)"
    of_y = [each for each in known if re.search(own, each[0].partition(" = ")[2])]
    known, is_first = of_y or known, bool(of_y)  # whether y itself is differentiated again
    relus = [n.next_functions[1][0] for n in slopes if is_first or n.next_functions[0][0] is None]
    relus = [each for each in relus if kind_of(each) == "Relu"][:1]
    is_input = any(not is_parameter(leaf) for relu in relus for leaf in leaves_of(relu))
    if not is_input or CURVED & {*map(kind_of, reached(relus))}:
        return
    for line, names in known:
        things = [e for name in names if type(e := program.variables.get(name)) is type(y)]
        if (things or not is_first) and not any(bool(each.detach().any()) for each in things):
            yield say("second-of-a-relu", relu=in_words(relus[0], program), line=line)
            yield say("smooth-instead")
            return


def slopes_behind(y: Any) -> list[Any]:
    """The nodes that a derivative which kept its history has left of slopes."""
    return [node for node in nodes_behind(y) if node.name().count("Backward") == 2]


def beyond_flat_slopes(y: Any) -> set[int]:
    """The leaves, by their id, that come into ``y`` by more than which side of a relu they are on.

    A derivative through it depends on the others, too, and its gradient to them is 0 rightly.
    """
    flat = {node for node in slopes_behind(y) if kind_of(node) in PIECES}
    nodes = reached(
        [y.grad_fn],
        lambda n: [e for e, _ in n.next_functions[:1] if e] if n in flat else next_of(n),
    )
    return {id(node.variable) for node in nodes if fills_a_leaf(node)}


def lines_of_idle_terms(loss: Any, program: Program) -> set[str]:
    """The lines of terms of a sum that lead to leaves, and to none that an optimizer steps.

    Other terms do: a loss that leads to none at all is for gradients that are put by hand. Those
    lines that bind a name in them, and those of functions that are called there, and so on.
    """
    stepped, waiting, lines = all_stepped(program.variables), [], set()
    trains = any(id(leaf) in stepped for leaf in leaves_of(loss.grad_fn))
    for file, statement, around in sums(loss, program) if trains else ():
        for value in values_of(statement):
            for term, node in terms(value, loss.grad_fn):
                leaves = [] if node is None else leaves_of(node)
                if leaves and not any(id(leaf) in stepped for leaf in leaves):
                    waiting.append((term, around, file))
    functions = [*everywhere(program.frame, ast.FunctionDef)]
    for part, around, file in waiting:  # the list grows while it is walked
        called = called_in(ast.walk(part))
        read = names_in(part, ast.Load)
        bound = [e for e in own_parts(around) if isinstance(e, ast.Assign | ast.AugAssign)]
        found = [(e, around, file) for e in bound if read & names_in(e, ast.Store)]
        found += [(e, e, source.name) for source, e in functions if e.name in called]
        waiting += [each for each in found if each not in waiting]
        lines |= {line for each, _, name in found for line in lines_within(each, name)}
    return lines
