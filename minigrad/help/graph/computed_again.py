"""Values that a pass has let go of, computed again from tensors nobody has written to since."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..program.evaluated import value_of
from ..program.program import Program
from ..source.called import function_called
from ..source.syntax import FUNCTIONS, calls_in, names_in, parents_in, parts_in
from ..source.texts import texts
from .bounds import exponent_of
from .expression_of_node import Graph, graph_of, named, place_in_turn, written_like
from .nodes import clamped, dim_of, dimension, kind_of, next_of

DEEPEST = 12  #: operations in a row
MOST_ELEMENTS = 100_000
MOST_NOW = 2_000_000  #: elements of one tensor, where a pass is computed again as it was
PRODUCTS = ("Mul", "Mm", "Mv", "Dot")
MOST_OTHERS = 8  #: nodes of one kind that are told apart
ENDS_AT_0 = ("Relu",)  #: gives 0 for some numbers, and not for others
ONE_EACH = ("Abs", "Cos", "Exp", "Log", "Neg", "Relu", "Sigmoid", "Sin", "Sqrt", "Tanh")


def with_alpha(compute: Callable) -> Callable:
    """A sum or difference; unknown where the second operand has a factor of its own."""
    return lambda node, a, b: compute(a, b) if getattr(node, "_saved_alpha", 1) == 1 else None


def powered(node: Any, base: Any) -> Any:
    """A power by a plain number."""
    exponent = exponent_of(node)
    return None if math.isnan(exponent) or len(next_of(node)) > 1 else base**exponent


def reduced(node: Any, value: Any) -> Any:
    """A sum or a mean over all, or over some dimensions."""
    dim, reduce = getattr(node, "_saved_dim", None), getattr(value, kind_of(node).lower())
    return reduce() if dim is None else reduce(dim, node._saved_keepdim)


def norm_of(node: Any) -> tuple:
    """What a norm was asked for: its order, its dimensions, and whether they are kept."""
    return node._saved_ord, node._saved_dim, node._saved_keepdim


def taken(node: Any) -> slice:
    """Which elements of its dimension a slice has taken."""
    return slice(node._saved_start, node._saved_end, node._saved_step)


AGAIN: dict[str, tuple[int, Callable]] = {  # of so many operands
    "Add": (2, with_alpha(lambda a, b: a + b)),
    "Sub": (2, with_alpha(lambda a, b: a - b)),
    "Mul": (2, lambda node, a, b: a * b),
    "Div": (2, lambda node, a, b: a / b if node.name() == "DivBackward0" else None),
    **dict.fromkeys(ONE_EACH, (1, lambda node, a: getattr(a, kind_of(node).lower())())),
    **dict.fromkeys(("Mm", "Mv", "Dot"), (2, lambda node, a, b: a @ b)),
    "LinalgVectorNorm": (1, lambda node, a: a.norm(*norm_of(node))),
    "Mean": (1, reduced),
    "Select": (1, lambda node, a: a.select(node._saved_dim, dimension(node._saved_index))),
    "Slice": (1, lambda node, a: a[(slice(None),) * node._saved_dim + (taken(node),)]),
    "Pow": (1, powered),
    "Sum": (1, reduced),
    "Unsqueeze": (1, lambda node, a: a.unsqueeze(node._saved_dim)),
    "Addmm": (3, lambda node, b, x, w: b + x @ w),
    "T": (1, lambda node, a: a.t()),
    "Clamp": (1, lambda node, a: (known := clamped(node)) and a.clamp(*known)),
    "Softmax": (1, lambda node, a: a.softmax(dim_of(node))),
}


def value_made_by(
    node: Any, program: Program, deepest: int = DEEPEST, leaves: Callable | None = None
) -> Any:
    """What a node had made, without history; None where it cannot be told.

    It is computed from the leaves as they are, or from what ``leaves`` gives for each.
    """
    if node is None or not deepest:
        return None
    if (leaf := getattr(node, "variable", None)) is not None:
        return (leaves or unchanged)(leaf)
    is_now = leaves is None or leaves is as_passed
    if is_now and (name := next(named(node, program.variables), None)) is not None:
        return unchanged(program.variables[name])
    if not is_now and kind_of(node) in ENDS_AT_0:
        return None
    count, compute = AGAIN.get(kind_of(node), (0, None))
    behind = [after for after, _ in node.next_functions[:count]]
    if not count or len(behind) < count:
        return None
    beside = constant_of(node, program) if behind.count(None) == 1 else None
    if beside is None and leaves is as_passed and None in behind:
        beside = data_for(node, program)
    rest = program, deepest - 1, leaves
    given = [beside if n is None else value_made_by(n, *rest) for n in behind]
    if all(each is not None for each in given):
        return compute(node, *given)
    known = [each for each in given if hasattr(each, "new_zeros")]
    zero = next((each for each in known if not bool(each.any())), None)
    is_0 = leaves is not None and zero is not None and kind_of(node) in PRODUCTS
    return zero.new_zeros(()) if is_0 else None  # whatever the other factor was


def value_passed(node: Any, number: int, program: Program) -> Any:
    """What a node made in a pass that brought nothing to the leaves behind it; None if unknown."""
    try:
        if kind_of(node) == "Unbind":
            whole = value_made_by(node.next_functions[0][0], program, leaves=as_passed)
            return None if whole is None else whole.unbind(node._saved_dim)[number]
        return value_made_by(node, program, leaves=as_passed)
    except (IndexError, RuntimeError, ValueError):  # data of a name that do not fit
        return None


def as_passed(leaf: Any) -> Any:
    """A leaf as a pass has seen it: nobody has written to it, or a step by 0 was the last to."""
    grad = leaf.grad if leaf._version else leaf
    is_same = grad is leaf or grad is not None and not bool(grad.detach().any())
    return leaf.detach() if is_same and leaf.numel() <= MOST_NOW else None


def data_for(node: Any, program: Program) -> Any:
    """All rows under names of the program that a layer can have been given."""
    after = node.next_functions[2][0] if kind_of(node) == "Addmm" else None
    weight = value_made_by(after, program, leaves=as_passed)
    if weight is None or node.next_functions[1][0] is not None:
        return None
    rows = [
        thing.detach()
        for thing in program.variables.values()
        if type(thing) is type(weight) and not thing.requires_grad and thing.dim() == 2
        if thing.shape[1] == weight.shape[0] and thing.dtype == weight.dtype
        if thing.numel() <= MOST_NOW
    ]
    return weight.new_tensor(np.concatenate([each.numpy() for each in rows])) if rows else None


def is_0_for_all(node: Any, program: Program) -> Any:
    """Where a node makes 0 whatever its leaves hold, as pairwise differences do; or None."""
    made = value_made_by(node, program, leaves=some_numbers)
    return None if made is None else made == 0


def some_numbers(leaf: Any) -> Any:
    """Numbers of which no two are alike, in the place of those of a leaf."""
    if leaf.numel() > MOST_ELEMENTS:
        return None
    numbers = [math.sin(0.7548776662 * at + 0.3) for at in range(leaf.numel())]
    return leaf.detach().new_tensor(numbers).view(leaf.shape)


def unchanged(known: Any) -> Any:
    """A tensor without history that nobody has written to; None for others."""
    is_same = known._version == 0 and known.numel() <= MOST_ELEMENTS
    return known.detach() if is_same else None


def constant_of(node: Any, program: Program) -> Any:
    """The operand of an operation that has no history, as the only line that fits names it."""
    graph = graph_of(program)
    if node not in graph.constants:
        graph.constants[node] = constant_beside(node, program, graph)
    return graph.constants[node]


def constant_beside(node: Any, program: Program, graph: Graph) -> Any:
    """The operand without a history in the only expression that can have run a node."""
    found = sorted(written_like(node, graph), key=lambda each: each[1].lineno)
    if len(found) > 1:
        taken = taken_by_others(node, graph)
        found = [each for each in found if each[1] not in taken] or found
    at = 0 if len(found) == 1 else place_in_turn(node, found, graph)
    _, expression, around = found[at] if at is not None else (None, None, {})
    if not isinstance(expression, ast.BinOp):
        return None

    def known_as(each: ast.expr) -> Any:
        return meant_by(each, around, program)

    known = [value_of(each, known_as) for each in (expression.left, expression.right)]
    known = [each for each in known if each is not None]
    return known[0] if len(known) == 1 else None


def taken_by_others(node: Any, graph: Graph) -> set[ast.AST]:
    """The expressions that alone can have run another node of the kind with a constant."""
    others = [e for e in graph.like(node) if e is not node and len(next_of(e)) == 1]
    fitting = [written_like(each, graph) for each in others[:MOST_OTHERS]]
    return {found[0][1] for found in fitting if len(found) == 1}


def meant_by(expression: ast.expr, around: dict, program: Program) -> Any:
    """What an expression without history has stood for whenever it ran; None if not known."""
    if isinstance(expression, ast.Constant):
        return expression.value if isinstance(expression.value, int | float) else None
    if not isinstance(expression, ast.Name):
        return None
    name, scope = expression.id, expression
    while not isinstance(scope, ast.Module):
        scope = around[scope]
        is_function = isinstance(scope, FUNCTIONS | ast.Lambda)
        if is_function and any(each.arg == name for each in parts_in(scope.args, ast.arg)):
            break
    trees = [tree for _, tree in texts(program.frame)]
    if isinstance(scope, FUNCTIONS):
        calls = [(each, tree) for tree in trees for each in calls_in(tree)]
        called = [(function_called(call, program.variables), tree) for call, tree in calls]
        known = [(c[1].get(name), t) for c, t in called if c and c[0].__name__ == scope.name]
        (given, tree), *others = known or [((), None)]
        if others or len(given or ()) != 1 or name in names_in(scope, ast.Store):
            return None
        return meant_by(given[0], parents_in(tree), program)
    names = [each for tree in trees for each in parts_in(tree, ast.Name) if each.id == name]
    stored = [each for each in names if isinstance(each.ctx, ast.Store)]
    made = [each for tree in trees for each in tree.body if isinstance(each, ast.Assign)]
    at_top = [target for each in made for target in each.targets]
    if isinstance(scope, ast.Lambda) or len(stored) != 1 or stored[0] not in at_top:
        return None
    thing = program.frame.f_globals.get(name)
    if isinstance(thing, int | float):
        return thing
    is_plain = hasattr(type(thing), "grad_fn") and not thing.requires_grad
    return unchanged(thing) if is_plain else None
