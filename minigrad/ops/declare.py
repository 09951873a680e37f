"""How an operation that moves elements about is declared: in one line above its function.

    @operation("UnsqueezeBackward0", lambda g, dim: squeeze(g, dim))
    def unsqueeze(input, dim: int): ...

As in every :class:`~.rule.Rule`, what the formula asks for is what the node keeps. Only few of
these operations keep tensors; everything else they ask for is a plain argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .rule import Rule, parameters_of, publish

TENSORS = frozenset({"self", "source", "index", "indices", "mask", "result"})


def moving(node: str, formula: Callable | None = None, *, name="", kind=None, **formulas) -> Rule:
    """The rule of an operation, named after its node unless ``name`` is given.

    ``formula`` is that of the operand ``self``; other operands have theirs in ``formulas``.

    >>> rule = moving("IndexSelectBackward0", lambda g, dim, index, self_sym_sizes: g)
    >>> rule.name, rule.saves, rule.arguments
    ('index_select', ('index',), ('dim', 'self_sym_sizes'))
    """
    formulas = formulas if formula is None else {"self": formula, **formulas}
    asked = dict.fromkeys(p for formula in formulas.values() for p in parameters_of(formula))
    arguments = tuple([p for p in asked if p not in TENSORS])
    name = name or re.sub("(?<!^)(?=[A-Z])", "_", node.partition("Backward")[0]).lower()
    return Rule(name, node, formulas, arguments=arguments, symbol=name.removesuffix("_"), kind=kind)


def operation(rule: Rule | str | None = None, formula: Callable | None = None, **formulas):
    """Publish the function below with a rule, or with one that is :func:`moving` what it is given.

    The function finds it as its attribute ``rule``. None is for what has no derivative.
    """
    rule = moving(rule, formula, **formulas) if isinstance(rule, str) else rule
    return lambda function: publish(function, function.__name__, rule)
