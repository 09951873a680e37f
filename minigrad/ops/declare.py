"""How an operation that is not elementwise is declared: in one line above its function.

    @operation(lambda g, dim: squeeze(g, dim))
    def unsqueeze(input, dim: int): ...

As in every :class:`~.rule.Rule`, what the formula asks for is what the node keeps. Only few of
these operations keep tensors; everything else they ask for is a plain argument.
"""

from __future__ import annotations

from collections.abc import Callable

from .rule import Rule, parameters_of, publish

TENSORS = frozenset({"self", "source", "index", "indices", "condition", "mask", "result"})


def moving(
    name: str, formula=None, *, node="", symbol="", locals=None, kind=None, **others: Callable
) -> Rule:
    """A rule that saves none but :data:`TENSORS`; its node is ``<Name>Backward0`` unless given.

    ``formula`` is that of the operand ``self``; ``others`` holds those of other operands. For
    ``symbol``, ``locals`` and ``kind`` see :class:`~.rule.Rule`.

    >>> rule = moving("index_select", lambda g, dim, index, self_sym_sizes: g)
    >>> rule, rule.saves, rule.arguments
    (<rule of index_select: IndexSelectBackward0>, ('index',), ('dim', 'self_sym_sizes'))
    """
    formulas = {"self": formula, **others} if formula else others
    asked = dict.fromkeys(p for formula in formulas.values() for p in parameters_of(formula))
    how = {"arguments": tuple([p for p in asked if p not in TENSORS]), "locals": locals}
    node = node or "".join(map(str.capitalize, name.split("_"))) + "Backward0"
    return Rule(name, node, formulas, symbol=symbol or name.removesuffix("_"), kind=kind, **how)


def operation(rule: Rule | Callable | None = None, **formulas) -> Callable:
    """Publish the function below with this rule, or with the rule of such formulas.

    The function finds it as its attribute ``rule``. None is for what has no derivative.
    """

    def published(function: Callable) -> Callable:
        given = formulas or not (rule is None or isinstance(rule, Rule))
        name = function.__name__
        return publish(function, name, moving(name, rule, **formulas) if given else rule)

    return published
