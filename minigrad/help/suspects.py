"""What can have made nan or inf of numbers, where a pass has freed the values that would tell.

The kinds of the operations are still known, and so are their plain arguments and whatever the
reader has under a name. An operation that cannot have done it, by what is known, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from . import not_finite
from .computed_again import is_never_negative, value_made_by
from .not_finite import DROPS, SLOPES, kind_of, line_of, nodes_behind, still_known
from .program import Program

MOST = 2
MOST_LOOKED_AT = 20  #: nodes whose line is looked for
FINITE = {"Sqrt", "Pow", "Acos", "Asin"}  #: give a number where their slope is infinite


@dataclass(frozen=True)
class Maker:
    """How an operation makes nan or inf of numbers, and what helps.

    ``bad`` picks the elements of its input at which it does; ``applies`` looks at the operation.
    """

    how: str
    do: str
    bad: Callable[[Any], Any]
    applies: Callable[[Any, Any], bool] = lambda node, given: True

    def can(self, node: Any, given: Any) -> bool | None:
        """Whether it has made some here; None where the input is not known."""
        if not self.applies(node, given):
            return False
        return None if given is None else bool(self.bad(given.detach()).any())


def leaves_no_freedom(node: Any, given: Any) -> bool:
    """Whether a standard deviation divides by 0: there are as few numbers as its correction."""
    if given is None:
        return True
    dims = getattr(node, "_saved_dim", None)
    count = given.numel()
    if dims:
        count = 1
        for dim in dims if isinstance(dims, tuple | list) else (dims,):
            count *= given.shape[dim - 2**64 if dim >= 2**63 else dim]  # PyTorch shows -1 unsigned
    return count <= (getattr(node, "_saved_correction", None) or 1)


def is_no_whole_power(node: Any, given: Any) -> bool:
    """Whether a power can leave the numbers: it is negative or a root."""
    exponent = not_finite.exponent_of(node)
    return exponent < 0 or exponent != int(exponent)


def overflows(given: Any) -> Any:
    """The elements whose exp is inf: above 88.7 for float32."""
    return given.exp().isinf()


ONLY_INF = Maker(
    "softmax is nan where all it runs over is -inf",
    "a finite number such as -1e4 in the place of -inf; or keep one place of each row unmasked",
    lambda given: given.isinf(),
)
OUTSIDE = Maker(
    "acos and asin are nan outside of -1 … 1", "x.clamp(-1, 1) before it", lambda x: x.abs() > 1
)
ALONE = Maker(
    "std and var divide by n - 1, which is 0 for a single number",
    "std(correction=0) or var(correction=0); or give it more than one row",
    lambda given: given == given,
    leaves_no_freedom,
)
AT_ZERO = Maker(SLOPES["Sqrt"].why, SLOPES["Sqrt"].do, not_finite.is_zero)
MAKERS = {
    "Mean": Maker(
        "the mean of no elements is 0 / 0, which is nan",
        "look whether anything was selected, as by numel(), before taking its mean",
        lambda given: given.new_ones(1).bool(),
        lambda node, given: given is not None and given.numel() == 0,
    ),
    "Log": Maker(
        "log(0) is -inf, and the log of a negative number is nan",
        SLOPES["Log"].do,
        lambda x: x <= 0,
    ),
    "Div": Maker(
        "x / 0 is inf, and 0 / 0 and inf / inf are nan", SLOPES["Div"].do, lambda x: x == 0
    ),
    "Exp": Maker("exp of a large number overflows to inf", SLOPES["Exp"].do, overflows),
    "Sqrt": Maker("sqrt of a negative number is nan", "x.clamp(min=1e-12).sqrt()", lambda x: x < 0),
    "Rsqrt": Maker("rsqrt(0) is inf", SLOPES["Rsqrt"].do, lambda x: x <= 0),
    "Reciprocal": Maker("1 / 0 is inf", SLOPES["Reciprocal"].do, lambda x: x == 0),
    "Pow": Maker(
        "a root or a negative power leaves the numbers at 0",
        SLOPES["Pow"].do,
        lambda x: x <= 0,
        is_no_whole_power,
    ),
    "Softmax": ONLY_INF,
    "LogSoftmax": ONLY_INF,
    "Std": ALONE,
    "Var": ALONE,
    "Acos": OUTSIDE,
    "Asin": OUTSIDE,
}


def of_values(y: Any, name: str, program: Program, freed: bool) -> Iterator[str]:
    """What can have made the nan or inf in ``y``, of what was computed since numbers were seen.

    Where nothing has been ``freed``, more is known, so what is not certain is left out.
    """
    _first, tensor = not_finite.first_bad(y, name, program)
    found: dict[bool | None, list] = {True: [], None: [], False: []}
    for node in reversed(since_numbers(y if tensor is None else tensor, program)):
        maker = MAKERS.get(kind(node))
        if maker is not None and kind(node) == "Sqrt" and is_never_negative(behind(node)):
            maker = AT_ZERO  # nan comes from there by a step, not by the value
        if maker is not None:
            found[maker.can(node, input_of(node, program))].append((node, maker))
    stepped = not_finite.stepped(y)
    unknown = plausible(found[None]) if freed or stepped else []
    told = [*in_words(found[True] or unknown, y, program, bool(stepped))]
    yield from told or by_growth(y, stepped, program)


def plausible(found: list[tuple[Any, Maker]]) -> list[tuple[Any, Maker]]:
    """Those without others behind them that explain more; all of them where nothing would be left.

    A divisor without history has been the same in each round, and exp undoes a log.
    """
    logs = [node for node, _ in found if kind(node) == "Log"]

    def is_likely(node: Any) -> bool:
        if kind(node) == "Exp":
            return not any(log in nodes_behind(SimpleNamespace(grad_fn=node)) for log in logs)
        return kind(node) != "Div" or behind(node, 1) is not None

    return [each for each in found if is_likely(each[0])] or found


def by_growth(y: Any, stepped: list[Any], program: Program) -> Iterator[str]:
    """Where no operation can have made nan of numbers, and leaves were written to since."""
    is_own = any(hasattr(node, "saved_tensors") for node in nodes_behind(y))
    if stepped and not is_own and all(leaf._version > 1 for leaf in stepped):
        name = program.name_of(stepped[0]) or "the leaves"
        yield f"""No operation on the way makes nan of numbers of a usual size. So either what goes
            in holds nan or inf, or {name} has grown from step to step until it overflowed."""
        yield f"""Try: print the loss of each round. Where it grows, a smaller learning rate, from
            fresh values of {name}; where it is nan from the first, isnan().any() of the inputs."""


def of_slopes(y: Any, program: Program) -> Iterator[str]:
    """What can have an infinite slope behind ``y``, where gradients are nan or inf.

    Most operations give inf where their slope is infinite. A ``y`` of numbers shows that they did
    not, unless that was dropped; so those come first that give numbers there, or were dropped.
    """
    found: dict[bool | None, list] = {True: [], None: [], False: []}
    for node in reversed(nodes_behind(y)):
        slope = SLOPES.get(kind(node))
        if slope is not None and slope.applies(node):
            maker = Maker(slope.why, slope.do, steep_at(kind(node), slope))
            found[maker.can(node, input_of(node, program))].append((node, maker))
    seen = not_dropped(y)
    fits = [each for each in found[None] if kind(each[0]) in FINITE or each[0] not in seen]
    yield from in_words(found[True] or plausible(fits or found[None]), y, program, True)


def steep_at(kind: str, slope: Any) -> Callable[[Any], Any]:
    """What picks the elements of an input at which the slope is infinite."""
    signs = [is_bad for slot, is_bad in slope.signs if slot != "result"]
    return signs[0] if signs else overflows


def not_dropped(y: Any) -> set[Any]:
    """The nodes with a way to ``y`` on which no element is dropped: nan there would be in ``y``."""
    seen, waiting = {y.grad_fn}, [y.grad_fn]
    for node in waiting:  # the list grows while it is walked
        for after, _number in () if node.name() in DROPS else node.next_functions:
            if after is not None and after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def in_words(
    found: Iterable[tuple[Any, Maker]], y: Any, program: Program, may_drop: bool
) -> Iterator[str]:
    """The operations behind ``y`` that come into question, the first one that ran first."""
    told, shown = {}, []
    for node, maker in list(found)[:MOST_LOOKED_AT]:
        line = line_of(node, program)
        said = f"That can come from {node.name()}{f' ({line})' if line else ''}: {maker.how}."
        if said not in told and len(shown) < MOST:
            shown.append((node, maker))
            told[said] = None
    yield from told
    nodes = nodes_behind(y)
    roots = [
        not_finite.instead(node, maker.do, nodes, may_drop)
        for node, maker in shown
        if not any(made_by(node, n) for n, _ in shown)
    ]
    if roots:
        yield f"Try: {'; or '.join(dict.fromkeys(roots))}."


def made_by(quotient: Any, node: Any) -> bool:
    """Whether the divisor of a division was computed by another node: what helps there helps."""
    divisor = behind(quotient, 1) if kind(quotient) == "Div" else None
    return divisor is not None and node in nodes_behind(SimpleNamespace(grad_fn=divisor))


def kind(node: Any) -> str:
    """``Div`` of ``DivBackward0``."""
    return node.name().partition("Backward")[0]


def input_of(node: Any, program: Program) -> Any:
    """What decides whether an operation leaves the numbers, where it is known by a name."""
    place, slot = (1, "other") if kind(node) == "Div" else (0, "self")
    after = behind(node, place)
    known = None if after is None else still_known(node, slot, program.variables)
    return value_made_by(after, program.variables) if known is None else known


def behind(node: Any, place: int = 0) -> Any:
    """The node that made an operand; None where that has no history."""
    after = node.next_functions[place : place + 1]
    return after[0][0] if after else None


def since_numbers(y: Any, program: Program) -> list[Any]:
    """The nodes behind ``y`` up to those whose results are known, by a name, to be numbers."""
    known = {
        thing.grad_fn
        for name, thing in program.variables.items()
        if not name.startswith("_") and getattr(thing, "grad_fn", None) is not None
        if type(thing) is type(y) and not kind_of(thing)
    }
    seen, waiting = {y.grad_fn}, [y.grad_fn] if y.grad_fn is not None else []
    for node in waiting:  # the list grows while it is walked
        for after, _ in node.next_functions:
            if after is not None and after not in seen and after not in known:
                seen.add(after)
                waiting.append(after)
    return waiting
