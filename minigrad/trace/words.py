"""The words of a step: what is said aloud, and the rules in three spellings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .locals import product_in_words
from .numbers import brief, fits, in_words, ordinal, short, show, written_out

if TYPE_CHECKING:
    from .model import Operation
    from .state import State


def sentence(state: State, operation: Operation, piece: list[dict]) -> str:
    """What happens in a step, for the eye and for the ear."""
    said = [_opening(state, event) for event in piece]
    kinds = {event["kind"] for event in piece}
    if "accumulate" in kinds:
        said += [_accumulate(state, event) for event in piece if event["kind"] == "accumulate"]
    elif "send" in kinds:
        said += _sends(state, operation, [e for e in piece if e["kind"] == "send"])
    elif "carry" in kinds:
        said += [_carry(state, operation, event) for event in piece if event["kind"] == "carry"]
    elif "local" in kinds:
        said += [_local(state, operation, event) for event in piece if event["kind"] == "local"]
    elif "error" in kinds:
        said += [_error(operation, event) for event in piece if event["kind"] == "error"]
    elif "run" in kinds:
        said += [_run(state, operation, event) for event in piece if event["kind"] == "run"]
    return " ".join(words for words in said if words)


def _opening(state: State, event: dict) -> str:
    if event["kind"] == "start":
        root = state.index.values[event["root"]].name
        return f"Backward starts at {root} with {show(event['seed'])}."
    if event["kind"] == "hook":
        made = state.speaker(event["where"])
        return f"A hook on {made} turned {show(event['before'])} into {show(event['after'])}."
    return ""


def _run(state: State, operation: Operation, event: dict) -> str:
    came = [show(g) for g in event["incoming"] if g is not None]
    made = state.speaker(operation.key)
    if not came:
        return f"Nothing came in for {made}."
    if not operation.operands and operation.kind == "operation":
        return f"{made} takes {_listed(came)} and sends nothing on."
    if operation.kind == "accumulate":
        return f"{_listed(came)} has come in for {made}."
    return f"{_listed(came)} has come in for {made}. Now {operation.node} runs."


def _local(state: State, operation: Operation, event: dict) -> str:
    target = state.index.operand(event["edge"]).name
    made = state.speaker(operation.key)
    if event["number"] is not None:
        factor = show(event["number"])
        often = "" if factor == "1" else f"{factor} times "
        return f"{made} changes {often}as fast as {target}."
    if event["words"]:
        return f"From {made} to {target}: {event['words']}."
    return f"From {made} to {target}, {operation.node} applies its own rule."


def _carry(state: State, operation: Operation, event: dict) -> str:
    target = state.index.operand(event["edge"]).name
    made = state.speaker(operation.key)
    if event["grad"] is None:
        return f"{made} sends nothing to {target}."
    incoming = state.incoming()
    product = product_in_words(incoming, state.numbers.get(event["edge"]), event["grad"])
    if product is None:
        return f"{made} sends {show(event['grad'])} to {target}."
    how = f", {product.how}" if product.how else ""
    return f"For {target}: {product.text}{how}."


def _sends(state: State, operation: Operation, events: list[dict]) -> list[str]:
    made = state.speaker(operation.key)
    by_target: dict[str, list[dict]] = {}
    for event in events:
        by_target.setdefault(state.index.edges[event["edge"]].source, []).append(event)
    gifts = []
    for value, group in by_target.items():
        numbers = ["nothing" if e["grad"] is None else show(e["grad"]) for e in group]
        name = state.index.values[value].name
        if len(numbers) == 2 and numbers[0] == numbers[1]:
            gifts.append(f"{numbers[0]} to {name} twice")
        else:
            gifts.append(f"{_listed(numbers)} to {name}")
    said = [f"{made} sends {_listed(gifts)}."]
    lone = []
    waiting = {}
    for value, group in by_target.items():
        waiting[state.index.maker[value].key] = group[-1]["still_waits"]
    for receiver, waits in waiting.items():
        name, parts = state.speaker(receiver), state.parts[receiver]
        if parts == 1:
            lone.append(name)
        elif waits:
            arrived = in_words(parts - waits)
            said.append(f"{name} has {arrived} of its {in_words(parts)} parts, so it waits.")
        else:
            said.append(f"{name} has {_all_of(parts)} parts, so it is ready.")
    if lone:
        said.append(f"{_listed(lone)} {'is' if len(lone) == 1 else 'are'} ready.")
    return said


def _accumulate(state: State, event: dict) -> str:
    leaf = state.index.values[event["leaf"]].name
    givers = state.givers[event["leaf"]]
    if event["added"] is None:
        return f"Nothing came in for {leaf}, so {leaf}.grad stays as it is."
    if len(givers) > 1:
        came = f"{leaf} has {_all_of(len(givers))} parts: {written_out(givers, event['added'])}. It"
    else:
        came = f"{show(event['added'])}"
    goes = f"{came} goes into {leaf}.grad"
    if event["before"] is None:
        return f"{goes}, which was None."
    if event["after"] is None:
        return f"{goes}; a hook then emptied it."
    return f"{goes}: {show(event['before'])} + {show(event['added'])} = {show(event['after'])}."


def _error(operation: Operation, event: dict) -> str:
    if event["saved_version"] is None:
        return f"{operation.node} stops: {event['message']}"
    return (
        f"{operation.node} stops: a value it kept at version {event['saved_version']} was changed "
        f"in place since and is now at version {event['now_version']}."
    )


def _all_of(parts: int) -> str:
    return "both of its" if parts == 2 else f"all {in_words(parts)} of its"


def _listed(items: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def hooks_ran(names: list[str]) -> str:
    """What the page says about a reader's own hooks."""
    return f"your own hooks on {_listed(names)} ran once, while this pass was recorded"


# -- rules --------------------------------------------------------------------------------


def rule(state: State, operation: Operation, event: dict) -> dict[str, str]:
    """A local derivative in words, in symbols, and as code."""
    target = state.index.operand(event["edge"]).name
    made = state.speaker(operation.key)
    own = "this operation's own rule"
    symbols, number = event["symbols"], event["number"]
    edge = state.index.edges[event["edge"]]
    twins = [e for e in state.index.operands[edge.target] if e.source == edge.source]
    which = f" (the {ordinal(twins.index(edge))} {target})" if len(twins) > 1 else ""
    text = f"∂{made}/∂{target}{which}"
    if symbols is None:
        return {"words": event["words"] or own, "symbols": f"{text}: {own}", "code": own}
    value = "" if number is None else brief(number)
    shown = f"{text} = {symbols}"
    if value and value.replace("-", "−") != symbols:
        shown += f" = {value}"
    return {
        "words": f"to {target}: {event['words'] or own}",
        "symbols": shown,
        "code": f"grad_{target} = grad_{made} * ({event['code']})",
    }


def followed(
    follow: tuple[int, ...] | None,
    incoming: np.ndarray,
    number: np.ndarray,
    sent: np.ndarray,
) -> str:
    """One element of a product too large to print, written out; else nothing."""
    if fits(sent) or sent.ndim == 0 or sent.size == 0:
        return ""
    fitting = follow is not None and len(follow) == sent.ndim
    fitting = fitting and all(0 <= i < n for i, n in zip(follow, sent.shape))
    index = tuple(follow) if fitting else (0,) * sent.ndim
    product = np.asarray(incoming * number)
    if product.shape != sent.shape:
        return f"; element {list(index)} is {short(sent[index])}"
    left, right = (np.broadcast_to(side, sent.shape)[index] for side in (incoming, number))
    return f"; element {list(index)}: {short(left)} × {short(right)} = {short(sent[index])}"


def order_of(ready: Iterable[Operation]) -> str:
    """Why the ready ones run in this order."""
    kinds = [operation.kind for operation in ready]
    if len(kinds) < 2:
        return ""
    if "accumulate" not in kinds:
        return " (newest first)"
    return " (leaves at once)" if set(kinds) == {"accumulate"} else " (leaves at once, then newest)"


# -- what a node keeps --------------------------------------------------------------------


def lunch_box(operation: Operation) -> str:
    """The label under a node: ``keeps a = 3, b = 4``."""
    return "keeps " + ", ".join(_kept(operation, limit=8))


def kept_text(operation: Operation, freed: bool) -> str:
    """The entry of a node in the KEPT list."""
    return ", ".join(_kept(operation, limit=40)) + (" → freed" if freed else "")


def _kept(operation: Operation, limit: int) -> list[str]:
    items: dict[str, None] = {}  # x * x keeps x twice; a reader needs it once
    for saved in operation.saved:
        short_enough = len(saved.text) <= limit and saved.name != saved.text
        items[f"{saved.name} = {saved.text}" if short_enough else saved.name] = None
    return list(items)
