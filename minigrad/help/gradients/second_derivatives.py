"""Custom functions whose second derivative is wrong: ``backward`` uses what ``forward`` computed.

A recorded pass goes back from what ``backward`` computes to the arguments and results that were
saved. What ``forward`` computed on the way has no history, so it counts as a constant there.

Source: https://docs.pytorch.org/tutorials/intermediate/custom_function_double_backward_tutorial.html
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from ...autograd.backward import grad
from ...tensor import Tensor
from ..program.derivatives import second_derivatives
from ..program.program import Program
from ..source.reader import in_brackets
from ..source.syntax import is_call
from ..source.texts import definition_of
from ..words.sentences import tell
from .finite_differences import Applied, differing


class Derivative:
    """The derivative of a custom function, recorded: a function that can be compared itself."""

    def __init__(self, of: Applied):
        self.of = of

    def apply(self, *given: Any) -> tuple[Tensor, ...]:
        """The gradients for the arguments that ask, with a history even where they are constant."""
        asking, results = [given[at] for at in self.of.asking], self.of.function.apply(*given)
        results = results if isinstance(results, tuple) else (results,)
        results = [each for each in results if getattr(each, "requires_grad", False)]
        seeds = [each.new_tensor(w) for each, w in zip(results, self.of.weights)]
        found = grad(results, asking, seeds, create_graph=True, allow_unused=True)
        nothing = sum(0 * each.sum() for each in asking)
        return tuple([each + nothing for each in found if each is not None])


def part_missing(
    node: Any, known: tuple[list, list[int]], names: list[str], program: Program
) -> Iterator[str]:
    """That a second derivative misses a part, with the line that keeps what is constant there.

    Nothing where the program takes no second derivative, or where the one that is recorded is that
    of finite differences of the first.

    Args:
        node: the custom function in the graph.
        known: the values it was applied to, and the places of those that ask.
        names: those of the arguments of ``forward``.
        program: what is looked through for second derivatives.
    """
    is_asked = any(second_derivatives(program.frame, program.variables))
    kept = [*kept_on_the_way(node, names)] if is_asked else []
    for is_nearby in (True, False) if kept else ():
        one = Applied(node.function, *known, of_one=True, is_nearby=is_nearby)
        first = Applied(Derivative(one), one.values, one.asking, of_one=True)
        answers = first.answers()
        wrong = differing([e for at in answers for e in first.elements(at, answers[at])])
        if not wrong:
            return
    for name, line in kept[:1]:
        told = {"own": node.function.__name__, "kept": name, "argument": names[wrong[0].place]}
        numbers = {key: f"{getattr(wrong[0], key):.4g}" for key in ("answer", "slope", "at")}
        yield tell("constant-in-a-recorded-pass", line=in_brackets(line), **told, **numbers)
        yield tell("save-the-arguments", **told)


def kept_on_the_way(node: Any, names: list[str]) -> Iterator[tuple[str, str]]:
    """What ``forward`` computed and kept, which is no argument and no result, with its line.

    Of a saved name that is the line that computed it.
    """
    source, body = definition_of(inspect.unwrap(node.function.forward))
    if source is None:
        return
    parts = [*ast.walk(body)]
    returned = {ast.unparse(e.value) for e in parts if isinstance(e, ast.Return) and e.value}
    context = body.args.args[0].arg
    made = {ast.unparse(e): e.lineno for e in parts if isinstance(getattr(e, "ctx", 0), ast.Store)}
    for each in parts:
        match each:
            case ast.Assign([ast.Attribute(ast.Name(owner), attr)], value) if owner == context:
                if isinstance(getattr(node.ctx, attr, None), Tensor):
                    if ast.unparse(value) not in {*names, *returned}:
                        yield f"{context}.{attr}", source.spoken(each.lineno)
            case ast.Call() if is_call(each, {"save_for_backward"}):
                for saved in map(ast.unparse, each.args):
                    if saved not in {*names, *returned}:
                        yield saved, source.spoken(made.get(saved, each.lineno))
