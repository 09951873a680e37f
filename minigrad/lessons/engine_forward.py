"""Lesson 05, the way forward: judges of the class, its operations and their rules."""

from typing import Any

from ..language import _
from .engine_stops import calls_itself, kind
from .engine_trial import attempt, expect_class, fact, said
from .exercises import Mistake, Unreadable

Found = str | Mistake | None


# --- 05-1: a value ----------------------------------------------------------------------------


def judge_value(answer: Any, name: str) -> Found:
    """Judge the class by what two fresh values and a result hold."""
    expect_class(answer, name)
    if answer.__hash__ is None:
        raise Unreadable(
            _(
                "Your class has an `__eq__` and no hash, as a plain `@dataclass` has. Two values"
                " that hold the same number would be taken for one, and none could stand in a set"
                " or be a key: leave `__eq__` out, or write `@dataclass(eq=False)`."
            )
        )
    one, other = attempt(answer, 2.5), attempt(answer, 3.0)
    rule = lambda came: (came, came)  # noqa: E731
    result = attempt(answer, 7.5, "×", (one, other), rule)
    for value, number in ((one, 2.5), (other, 3.0), (result, 7.5)):
        if value.data != number:
            return fact(_("`Value({number})` keeps {kept!r} as its data."),
                        number=number, kept=value.data)  # fmt: skip
    first, second = one.parents, other.parents
    if first is second and isinstance(first, (list, set, dict)):
        return "one list for all"
    if not hasattr(one, "rule") or not hasattr(one, "op"):
        return fact(_("A fresh value of yours lacks its op or its rule."))
    if len(first):
        return fact(_("A fresh value of yours has {count} parents, and nothing made it."),
                    count=len(first))  # fmt: skip
    for value in (one, result):
        if value.grad is not None:
            told = _("A value of yours begins with {grad} in `.grad`. No pass was run yet.")
            zero = isinstance(value.grad, (int, float)) and value.grad == 0
            return "a gradient of 0" if zero else fact(told, grad=kind(value.grad))
    return _judge_kept(result, (one, other), rule) or _judge_repr(answer, one)


def _judge_kept(result: Any, parents: tuple, rule: Any) -> Found:
    """What a result has kept of the sign, the parents and the rule that it was given."""
    kept = result.parents
    pair = list(kept) if isinstance(kept, (tuple, list)) else []
    lost = {}
    if len(pair) != 2 or pair[0] is not parents[0] or pair[1] is not parents[1]:
        lost["parents"] = kept
    if result.op != "×":
        lost["op"] = result.op
    if getattr(result, "rule", None) is not rule:
        lost["rule"] = getattr(result, "rule", None)
    if len(lost) > 1:
        return "forgets"
    told = _("`Value(7.5, \"×\", (a, b), rule)` of yours has {kept} as its `{name}`."
             " Which argument belongs there?")  # fmt: skip
    for name, thing in lost.items():
        return fact(told, name=name, kept=kind(thing))
    return None


def _judge_repr(answer: type, value: Any) -> Found:
    if answer.__repr__ is object.__repr__:
        return fact(_("Your class has no `__repr__`, so a value prints as an address in memory."))
    try:
        written = repr(value)
    except TypeError:
        return "printed"
    if "2.5" not in written:
        return fact(_("A value that holds 2.5 prints as {written}: the number is missing."),
                    written=written)  # fmt: skip
    return None


# --- 05-2: operations -------------------------------------------------------------------------


def judge_operations(answer: Any, name: str) -> Found:
    """Judge + and × by the numbers and the parents of their results."""
    expect_class(answer, name)
    for sign in "+×":
        one, other = answer(2.0), answer(3.0)
        try:
            result = attempt(_plus if sign == "+" else _times, one, other)
        except Unreadable as refusal:
            if calls_itself(refusal.__cause__):
                return "calls itself"
            raise
        if (one.data, other.data) != (2.0, 3.0):
            return "written into the operand"
        if not isinstance(result, answer):
            return fact(_("{sign} returns {result!r}. It is to return a Value."),
                        sign=sign, result=result)  # fmt: skip
        if result.data != (5.0 if sign == "+" else 6.0):
            return fact(_("2 {sign} 3 gives a value that holds {number}."),
                        sign=sign, number=said(result.data))  # fmt: skip
        found = _judge_parents(result, one, other) or _judge_same(sign, answer(3.0))
        if found:
            return found
        if result.op != sign:
            return fact(_("The result of {sign} has {kept!r} as its `op`, and not {sign!r}."),
                        sign=sign, kept=result.op)  # fmt: skip
    return _judge_plain_numbers(answer)


def _plus(one: Any, other: Any) -> Any:
    return one + other


def _times(one: Any, other: Any) -> Any:
    return one * other


def _judge_parents(result: Any, one: Any, other: Any) -> Found:
    if not isinstance(result.parents, (tuple, list, set, frozenset)):
        told = _("The parents are to be both operands, as in `(a, b)`. Yours are {kept!r}.")
        return fact(told, kept=result.parents)
    kept = list(result.parents)
    if not kept:
        return "no parents"
    if any(isinstance(parent, (int, float)) for parent in kept):
        return "numbers for parents"
    if len(kept) == 2 and kept[0] is one and kept[1] is other:
        return None
    if isinstance(result.parents, (set, frozenset)):
        return "a set"
    return fact(_("For a {sign} b the parents are to be a and b, in this order. Yours are {kept}."),
                sign=result.op or "?", kept=kept)  # fmt: skip


def _judge_same(sign: str, value: Any) -> Found:
    result = attempt(_plus if sign == "+" else _times, value, value)
    if len(result.parents) == 2:
        return None
    if isinstance(result.parents, (set, frozenset)):
        return "a set"
    return fact(_("a {sign} a has {count} parents. Two arrows start at a."),
                sign=sign, count=len(result.parents))  # fmt: skip


def _judge_plain_numbers(answer: type) -> Found:
    for combine, number in (
        (lambda x: x + 1, 3.0),
        (lambda x: 1 + x, 3.0),
        (lambda x: x * 3, 6.0),
        (lambda x: 3 * x, 6.0),
    ):
        try:
            result = combine(answer(2.0))
        except Exception:
            return "no plain numbers"
        if getattr(result, "data", None) != number:
            return "no plain numbers"
        if not all(isinstance(parent, answer) for parent in result.parents):
            return "numbers for parents"
    return None


# --- 05-3: rules ------------------------------------------------------------------------------


def judge_rules(answer: Any, name: str) -> Found:
    """Judge the rules of + and × by what they send for several numbers that come in."""
    expect_class(answer, name)
    for sign, combine in (("+", _plus), ("×", _times)):
        one, other = answer(2.0), answer(5.0)
        try:
            result = attempt(combine, one, other)
        except Unreadable as refusal:
            if calls_itself(refusal.__cause__):
                return "calls itself"
            raise
        rule = getattr(result, "rule", None)
        if rule is None:
            return "no rule"
        if not callable(rule):
            return "worked out at once"
        slopes = (1.0, 1.0) if sign == "+" else (5.0, 2.0)
        sent = [_two(attempt(rule, came), sign) for came in (1.0, 3.0)]
        if any(isinstance(part, answer) for part in sent[1]):
            return "sends values"
        if sent == [slopes, tuple(3.0 * slope for slope in slopes)]:
            continue
        if sent == [slopes, slopes]:
            return "what came in is lost" if sign == "×" else "what came into + is lost"
        if sent == [slopes[::-1], tuple(3.0 * slope for slope in slopes[::-1])]:
            return "own value"
        told = _("3 comes in at 2 {sign} 5. Yours sends {mine}, and a nudge says {true}.")
        mine, true = (" and ".join(said(n) for n in pair) for pair in
                      (sent[1], [3.0 * slope for slope in slopes]))  # fmt: skip
        return fact(told, sign=sign, mine=mine, true=true)
    return None


def _two(parts: Any, sign: str) -> tuple:
    if not isinstance(parts, (tuple, list)) or len(parts) != 2:
        told = _(
            "The rule of {sign} returns {parts!r}. It has two parents, so it returns two parts."
        )
        raise Unreadable(told.format(sign=sign, parts=parts))
    return tuple(parts)
