"""What to use where an exp overflows: that depends on what its result goes into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..words.sentences import table, tell
from .bounds import KEEPS
from .nodes import kind_of, next_of, reached

PUTS = {"Where", "MaskedFill", "CopySlices", "IndexPut"}
LAYERS = {"Addmm", "Mm", "Mv"}
ARITHMETIC = KEEPS | {"Add", "Sub", "Mul", "Div", "Neg", "Sum"}


def in_place_of(exp: Any, nodes: list[Any]) -> tuple[str, list[Any]]:
    """What to use where an exp overflows, by what follows it; and the logs that are part of it."""
    follows = [node for node in nodes if kind_of(node) in ("Log", "Div")]
    found = {node: near(operand(node)) for node in follows}
    after = {node: {*map(kind_of, behind)} for node, behind in found.items() if exp in behind}
    logs = [node for node in after if kind_of(node) == "Log"]
    if any(kind_of(node) == "Div" and "Sum" in way for node, way in after.items()):
        return tell("log-softmax") if logs else tell("softmax"), logs
    if sigmoids := [node for node in nodes if is_sigmoid(node) and exp in near(operand(node))]:
        logs = [n for n in follows if kind_of(n) == "Log" and {*sigmoids} & {*alone(operand(n))}]
        return tell("logits") if logs else tell("sigmoid"), logs
    exps = {each for log in logs for each in found[log] if kind_of(each) == "Exp"}
    if any("Sum" in after[node] for node in logs) or len(exps) > 1:
        return tell("logsumexp"), logs
    if any("Add" in after[node] for node in logs):
        return "softplus(x) in place of log(1 + exp(x))", logs
    within = {each for log in logs for each in (log, *found[log])}
    if logs and all(node in within for node in nodes if exp in next_of(node)):
        return "the log written out, which needs no exp: log(exp(a) / b) = a - log(b)", logs
    return table("graph/operations")["Exp"]["steep"]["do"], []


def is_sigmoid(node: Any) -> bool:
    """Whether a node makes a sigmoid, also one that is written out: ``1 / (1 + exp(-z))``."""
    below = operand(node) if kind_of(node) in ("Reciprocal", "Div") else None
    if kind_of(below) != "Add":
        return kind_of(node) == "Sigmoid"
    one, other = (after for after, _ in below.next_functions)
    return None in (one, other) and "Exp" in (kind_of(one), kind_of(other))


def alone(start: Any) -> list[Any]:
    """The nodes behind one as far as each has one operand, and does no more than shift it."""
    shifts = KEEPS | {"Add", "Sub", "Rsub", "Neg", "Clamp"}

    def behind(node: Any) -> list[Any]:
        after = next_of(node)
        is_one = kind_of(node) == "Mul" and [kind_of(each) for each in after] == ["Reciprocal"]
        return after if is_one or kind_of(node) in shifts and len(after) == 1 else []

    return reached([start], behind)


def in_place_of_log(log: Any) -> str:
    """What to use for the log of a softmax, of a sigmoid or of a layer; empty for others."""
    given = reached(
        [operand(log)], lambda node: next_of(node)[:1] if kind_of(node) in KEEPS else ()
    )
    if kind_of(given[-1]) == "Softmax":  # of a mask log_softmax would give -inf, too
        return "" if any(map(puts, near(operand(given[-1])))) else tell("log-of-softmax")
    if kind_of(given[-1]) == "Div" and {"Exp", "Sum"} <= {*map(kind_of, near(operand(given[-1])))}:
        return tell("log-softmax")
    if kind_of(given[-1]) in LAYERS:
        return tell("log-of-a-layer")
    return tell("logits") if any(map(is_sigmoid, alone(operand(log)))) else ""


def puts(node: Any) -> bool:
    """Whether an operation can put values of another tensor in: by a mask, or by adding one."""
    kind = kind_of(node)
    is_sum = kind == "Add" and any(after is None for after, _ in node.next_functions)
    return kind in PUTS or is_sum


def operand(node: Any) -> Any:
    """The node of what decides whether an operation leaves the numbers: a divisor, or its input."""
    at = 1 if kind_of(node) == "Div" else 0
    return next((after for after, _ in node.next_functions[at : at + 1]), None)


def near(start: Any, behind: Callable[[Any], list[Any]] = next_of) -> list[Any]:
    """The nodes behind one up to those that are more than arithmetic."""
    starts = [] if start is None else [start]
    return reached(starts, lambda node: behind(node) if kind_of(node) in ARITHMETIC else ())
