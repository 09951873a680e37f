"""What is known of values that are gone: what leaves began with, and the signs of results.

Lines tell it: those that made the leaves, before any step, and the constants beside an exp.
"""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from typing import Any

from ..graph.bounds import bounds
from ..graph.computed_again import constant_of, value_made_by
from ..graph.nan_and_inf import kind_of as kind_of_values
from ..graph.nan_makers import Maker, maker
from ..graph.nodes import is_all_0, kind_of, leaves_of, next_of
from ..graph.overflow import near, operand
from ..graph.slopes import is_zero
from ..program.program import Program
from ..program.statements import BINDS
from ..source.reader import in_brackets
from ..source.syntax import is_call, name_called
from ..words.sentences import tell

WRAPS = {"Parameter", "requires_grad_", "double", "float"}
ASIDE = 0.37  #: another start, to see what 0 comes of
ALIKE = {"zeros": 0.0, "ones": 1.0, "zeros_like": 0.0, "ones_like": 1.0}
OF_EXPS = maker("Log", is_zero, case="of_exps")


def first_of(leaf: Any, program: Program) -> Any:
    """What a leaf was made with, by ``zeros(...)``, ``ones(...)`` or numbers that are written.

    None where that is not known.
    """
    step = program.step(program.name_of(leaf) or "", kinds=(BINDS,))
    made = None if step is None or step.branch else step.value
    while is_call(made, WRAPS):
        inside = made.args or [getattr(made.func, "value", None)]
        made = inside[0]
    if is_call(made, ALIKE):
        return leaf.detach().new_ones(leaf.shape) * ALIKE[name_called(made.func)]
    if not is_call(made, {"tensor"}) or not made.args:
        return None
    try:
        return leaf.detach().new_tensor(ast.literal_eval(made.args[0])).view(leaf.shape)
    except (ValueError, RuntimeError, TypeError):
        return None


def at_first(node: Any, program: Program, by: float = 0.0) -> Any:
    """What a node made in the first round, where the lines of its leaves tell; else None.

    Or what it would have made of leaves that had begun elsewhere: moved ``by`` so much, and the
    next element as much farther.
    """

    def begun(leaf: Any) -> Any:
        first = first_of(leaf, program)
        is_there = first is None or not by
        return first if is_there else first + by * first.new_ones(first.shape).cumsum(-1)

    try:
        return value_made_by(node, program, leaves=begun)
    except (IndexError, RuntimeError, ValueError):  # 0 in the place of what has more dimensions
        return None


def at_the_start(node: Any, makers: list[Maker], y: Any, program: Program) -> Maker | None:
    """How an operation has made nan or inf, or a slope of inf, in the first round already."""
    first = at_first(operand(node), program)
    if first is None or kind_of_values(first):
        return None
    maker = next((each for each in makers if each.can(node, first, y)), None)
    if maker is None:
        return None
    moved = at_first(operand(node), program, ASIDE)
    is_anyhow = moved is not None and bool((moved == 0).any())  # as of data that are 0
    is_by_start = bool((first == 0).any()) and not is_anyhow
    zeros = zeros_behind(operand(node), program) if is_by_start else {}
    because = tell("begun-by-zeros", names=" and ".join(zeros.values())) if zeros else ""
    do = tell("start-at-random", names=" and ".join(zeros)) if zeros else maker.do
    return replace(maker, how=f"{maker.how}; {tell('in-the-first-round')}{because}", do=do)


def zeros_behind(node: Any, program: Program) -> dict[str, str]:
    """The names of the leaves behind a node that start at 0, each with its line."""
    named = {program.name_of(leaf) or "": first_of(leaf, program) for leaf in leaves_of(node)}
    zeros = [name for name, first in named.items() if first is not None and is_all_0(first)]
    return {name: f"{name}{in_brackets(program.binding_line(name))}" for name in zeros}


def ends(node: Any, program: Program) -> tuple[float, float]:
    """What no result is below and above, also by a number: a square, say, times one below 0."""
    if node is None:
        return -math.inf, math.inf
    (low, high), inner = bounds(node), next_of(node)
    number = constant_of(node, program) if len(inner) == 1 else None
    if isinstance(number, int | float):
        least, most = bounds(inner[0])
        if kind_of(node) in ("Mul", "Div") and number < 0 <= least:
            high = min(high, 0.0)
        is_first = node.next_functions[0][0] is not None
        if kind_of(node) == "Rsub" or kind_of(node) == "Sub" and not is_first:  # is subtracted
            low = max(low, number - most)
    return low, high


def of_exps(log: Any, program: Program) -> list[Any]:
    """The exps in the input of a log, where none of them can overflow."""
    # Of a quotient what is divided: that makes it 0.
    behind = near(operand(log), lambda n: next_of(n)[: 1 if kind_of(n) == "Div" else None])
    exps = [node for node in behind if kind_of(node) == "Exp"]
    return exps if all(ends(operand(each), program)[1] <= 0 for each in exps) else []
