"""Numbers that have outgrown their dtype: in one operation, or from product to product.

That is said where all that went in is a number, as far as it is still there, and no operation on
the way makes nan or inf of numbers of a usual size.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..graph.bounds import KEEPS
from ..graph.computed_again import AGAIN, value_made_by
from ..graph.expression_of_node import calls_in, in_words, line_of
from ..graph.nan_and_inf import first_bad
from ..graph.nan_and_inf import kind_of as kind_of_values
from ..graph.nodes import fills_a_leaf, kind_of, leaves_behind, next_of, nodes_behind
from ..program.program import Program
from ..program.statements import BINDS
from ..source.called import function_called
from ..source.reader import in_brackets
from ..source.syntax import LOOPS
from ..source.texts import definition_of
from ..source.variables import held
from ..words.sentences import tell
from .bad_data import is_mask

PRODUCTS = {"Mul", "Mm", "Bmm", "Mv", "Dot", "Addmm", "Pow"}
#: make nan or inf only of numbers that are too large
PLAIN = PRODUCTS | KEEPS | {
    "Add", "Sub", "Rsub", "Neg", "Sum", "Abs", "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Gelu",
    "Silu", "Elu", "Softplus", "Sin", "Cos", "Clamp", "MseLoss", "L1Loss", "SmoothL1Loss", "Prod",
    "HuberLoss", "Div", "MaskedFill", "Where", "Exp", "Log", "Sqrt", "ToCopy", "Alias",
    "LinalgVectorNorm", "Softmax", "LogSoftmax", "NllLoss", "BinaryCrossEntropyWithLogits",
}  # fmt: skip
MOST = 50  #: nodes that are computed again
FEW = 4  #: products one after another, of which nothing is said
LARGEST = {"float16": 65504.0, "float64": 1.8e308}


def outgrown(y: Any, name: str, program: Program) -> Iterator[str]:
    """Where numbers have become too large for their dtype, if nothing else is there to blame."""
    nodes = nodes_behind(y)
    others = {kind_of(node) for node in nodes if not fills_a_leaf(node)} - PLAIN
    own = [each.thing for each in held(program.variables) if type(each.thing) is type(y)]
    data = [each for each in own if each.grad_fn is None and not is_mask(each)]
    if others or any(map(kind_of_values, [*leaves_behind(y), *data])):
        return
    dtype = str(y.dtype).rpartition(".")[2]
    most = {"dtype": dtype, "limit": LARGEST.get(dtype, 3.4e38)}
    makes = [node for node in reversed(nodes) if kind_of(node) in AGAIN]
    if node := next((each for each in makes[:MOST] if has_made_inf(each, program)), None):
        yield tell("too-large", node=in_words(node, program), **most)
        yield tell("scale-down")
        return
    products = products_in_a_row(y.grad_fn)
    if len(products) > FEW:
        first, _ = first_bad(y, name, program)
        line = line_of_rounds(first, program) or ("" if first else line_of(products[0], program))
        place = in_brackets(line)
        yield tell("grown-in-rounds", count=len(products), place=place, **most)
        yield tell("keep-small")


def has_made_inf(node: Any, program: Program) -> bool:
    """Whether what a node made is nan or inf of numbers; False where that is not known."""
    made = value_made_by(node, program)
    if made is None or not kind_of_values(made):
        return False
    given = [value_made_by(after, program) for after in next_of(node)]
    return all(each is not None and not kind_of_values(each) for each in given)


def products_in_a_row(start: Any) -> list[Any]:
    """The products on the longest of the ways back from a node, nearest first."""
    longest: dict[Any, tuple[int, Any]] = {}
    waiting = [start]
    while waiting:
        node = waiting[-1]
        behind = next_of(node)
        if left := [each for each in behind if each not in longest]:
            waiting += left
            continue
        waiting.pop()
        further = max(behind, key=lambda each: longest[each][0], default=None)
        count = 0 if further is None else longest[further][0]
        longest[node] = count + (kind_of(node) in PRODUCTS), further
    found, node = [], start
    while node is not None:
        found += [node] * (kind_of(node) in PRODUCTS)
        node = longest[node][1]
    return found


def line_of_rounds(name: str, program: Program) -> str:
    """The line that computed a name; of a function that it calls, the only loop."""
    step = program.step(name, kinds=(BINDS,))
    if step is None or step.branch:
        return ""
    called = [function_called(call, program.variables) for call in calls_in(step.value)]
    texts = [definition_of(each[0]) for each in called if each]
    loops = [
        (t, e.lineno) for t, body in texts if t for e in ast.walk(body) if isinstance(e, LOOPS)
    ]
    return loops[0][0].spoken(loops[0][1]) if len(loops) == 1 else step.line
