"""Lesson 02: what no kind of judge can say, and its pictures. Its words are in `02.toml`."""

from collections.abc import Callable
from typing import Any

from ..language import _
from ..trace import Graph, graph_of, record_backward
from ..viz import draw
from .exercises import Mistake, Unreadable, call, number
from .kinds import unforeseen
from .probes import close, points, slope

# --- 02-1 and 02-4: their pictures ------------------------------------------------------------


ASKED = ("l3", "l1", "w1", "w2", "w3")


def draw_the_model() -> Any:
    """The model after its pass, with a question mark for each number that is asked for."""
    import minigrad as mg

    input, w1, w2, w3 = mg.ones(2, 2), *(mg.tensor(v, requires_grad=True) for v in (3.0, 1.0, 2.0))
    l1 = input * w1
    l2 = l1 + w2
    l3 = l1 * w3
    l4 = l2 * l3
    loss = l4.mean()
    names = {"input": input, "w1": w1, "w2": w2, "w3": w3, "l1": l1, "l2": l2, "l3": l3, "l4": l4}
    back = record_backward(loss, names={**names, "loss": loss})
    alt = _("the model; asked for are what arrives at l3 and l1, and .grad of w1, w2 and w3")
    return draw(back.graph, "both", alt, _with_blanks(back.graph, back.frames()[-1], alt))


def _with_blanks(graph: Graph, last: dict, sentence: str) -> dict:
    """A frame with what has arrived at last, or a question mark where that is asked for."""
    names = {value.key: value.name for value in graph.values}
    labels = {}
    for operation in graph.operations:
        if operation.kind == "accumulate":
            labels[operation.key] = labels[operation.makes] = {"grad": "?"}
        else:
            asked = names[operation.makes] in ASKED
            came = "?" if asked else last["labels"][operation.key]["came"]
            labels[operation.key] = {"came": came}
    return {**last, "marks": {}, "labels": labels, "sentence": sentence}


def draw_the_square() -> Any:
    """Draw x · x · y at the numbers of 02-4a."""
    import minigrad as mg

    x, y = (mg.tensor(value, requires_grad=True) for value in (3.0, 4.0))
    t = x * x
    z = t * y
    alt = _("x = 3 feeds a × twice, making t = 9; t and y = 4 feed a second ×, making z = 36")
    return draw(graph_of(z, names={"x": x, "y": y, "t": t, "z": z}), "forward", alt)


# --- 02-3: local rules ------------------------------------------------------------------------

OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "×": lambda a, b: a * b,
    "**": lambda a, b: a**b,
}
# Whole numbers second: as an exponent n they may also be counted up to, as in `range(n - 1)`.
_PAIRS = list(zip(points(5, 0.5, 3.0), (2, 3, 4, 5, 3), strict=True))


def judge_rules(answer: Any) -> str | Mistake | None:
    """Judge the local rules of +, × and ** by nudges."""
    if not isinstance(answer, dict) or set(answer) != set(OPERATIONS):
        raise Unreadable(_('Keep the dictionary with the entries "+", "×" and "**".'))
    plus = _tried(lambda a, b: _two_slopes(answer["+"], a, b))
    times = _tried(lambda a, b: _two_slopes(answer["×"], a, b))
    power = _tried(lambda a, n: (number(call(answer["**"], a, n)),))
    if not _all_close(plus, _tried(lambda a, b: _nudged("+", a, b))):
        return "+" if _all_close(plus, _PAIRS) else _at_two_and_three("+", answer)
    if not _all_close(times, _tried(lambda a, b: _nudged("×", a, b))):
        if _all_close(times, _PAIRS):
            return "× own value"
        product = _all_close(times, _tried(lambda a, b: (a * b, a * b)))
        return "×" if product else _at_two_and_three("×", answer)
    if _all_close(power, _tried(lambda a, n: _nudged("**", a, n)[:1])):
        return None
    if _all_close(power, _tried(lambda a, n: (a ** (n - 1),))):
        return "** without n"
    if _all_close(power, _tried(lambda a, n: (n * a**n,))):
        return "** not one less"
    if _all_close(power, _tried(lambda a, n: (n * a**n - 1,))):
        return "** without brackets"
    return "**"


def _at_two_and_three(sign: str, answer: Any) -> Mistake:
    """What a rule of + or × says at small numbers, beside what a nudge of each operand says."""
    mine, true = _two_slopes(answer[sign], 2.0, 3.0), _nudged(sign, 2.0, 3.0)
    fact = _("{}: at a = 2 and b = 3 yours says {:g} and {:g}. A nudge of a says {:g}, and a nudge"
             " of b says {:g}.")  # fmt: skip
    return unforeseen(fact.format(sign, *(round(n, 4) for n in (*mine, *true))))


def _tried(rule: Callable) -> list[tuple[float, ...]]:
    """What a rule says at every pair of operands."""
    return [rule(a, b) for a, b in _PAIRS]


def _two_slopes(rule: Any, a: float, b: float) -> tuple[float, float]:
    said = call(rule, a, b)
    said = said.tolist() if hasattr(said, "tolist") else said
    if not isinstance(said, (tuple, list)) or len(said) != 2:
        said = _("The rules of + and × return two slopes: with respect to a, and to b.")
        raise Unreadable(said)
    return number(said[0]), number(said[1])


def _nudged(name: str, a: float, b: float) -> tuple[float, float]:
    """The slopes from finite differences: no rule is needed to judge a rule."""
    operation = OPERATIONS[name]
    return slope(lambda at: operation(at, b), a), slope(lambda at: operation(a, at), b)


def _all_close(said: list[tuple[float, ...]], true: list[tuple[float, ...]]) -> bool:
    pairs = zip(said, true, strict=True)
    return all(close(s, t) for one, other in pairs for s, t in zip(one, other, strict=True))


# --- 02-5a: one gradient without a side effect ------------------------------------------------

# Several, so that no formula fits them all; in each, x and y do not have the same slope.
_HIDDEN: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: x * x * y,
    lambda x, y: (x + y) * y,
    lambda x, y: x * y * y * y + 3 * x,
)
#: What the trays of x and y hold before the last of them. Before the others they hold nothing.
_HELD = (5.0, 7.0)


def judge_slope_in_y(answer: Any) -> str | None:
    """Judge a function that is given z, x and y, and returns how fast z moves with y."""
    import minigrad as mg

    wrong: list[str] = []
    for make, place in zip(_HIDDEN, zip(points(3, 1.0, 3.0), points(3, 1.0, 3.0, 5)), strict=True):
        x, y = (mg.tensor(value, dtype=mg.float64, requires_grad=True) for value in place)
        before = _HELD if make is _HIDDEN[-1] else (None, None)
        for leaf, held in zip((x, y), before, strict=True):
            leaf.grad = None if held is None else mg.tensor(held, dtype=mg.float64)
        said = _the_only_one(call(answer, make(x, y), x, y))
        after = tuple(None if leaf.grad is None else number(leaf.grad) for leaf in (x, y))
        if after != before:
            return "trays filled" if before == (None, None) else "trays changed"
        if isinstance(said, tuple):
            return "both"
        of_x, of_y = (g.item() for g in mg.autograd.grad(make(x, y), (x, y)))
        if not close(number(said), of_y):
            wrong.append("the other leaf" if close(number(said), of_x) else "a formula")
    if not wrong:
        return None
    return "the other leaf" if wrong.count("the other leaf") == len(_HIDDEN) else "a formula"


def _the_only_one(said: Any) -> Any:
    """Take the gradient out of the tuple that `grad()` returns for one tensor."""
    return said[0] if isinstance(said, tuple) and len(said) == 1 else said
