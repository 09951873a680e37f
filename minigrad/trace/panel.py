"""The words beside the picture: what a step does, what stands after it, and it as a table row."""

from __future__ import annotations

from . import words
from .events import distinct
from .locals import product_in_words
from .model import Operation
from .numbers import plain, show, written_out
from .state import State


def panel(state: State, operation: Operation, piece: list[dict]) -> tuple[list, dict[str, str]]:
    """What the step does, row by row, and its rules in three spellings."""
    rows = [["NOW", state.node_text(operation)]]
    rules: dict[str, list[str]] = {"words": [], "symbols": [], "code": []}
    sends, totals, skipped = [], {}, []
    for event in piece:
        kind = event["kind"]
        if kind == "hook":
            change = f"{show(event['before'])} became {show(event['after'])} by a hook"
            rows.append(["HOOK", change])
        elif kind == "capture":
            name = state.index.values[event["tensor"]].name
            rows.append(["RETAINED", f"{name}.grad = {show(event['grad'])}"])
        elif kind == "run":
            rows.append(["CAME IN", _came_in(state, operation, event)])
        elif kind == "local":
            for spelling, text in words.rule(state, operation, event).items():
                rules[spelling].append(text)
        elif kind in ("send", "carry"):
            sends.append(_sent(state, event))
            if kind == "send":
                totals[state.index.edges[event["edge"]].source] = event
        elif kind == "skip":
            skipped.append(event["why"])
        elif kind == "accumulate":
            rows.append(["ADD", _added(event)])
        elif kind == "error":
            rows.append(["ERROR", event["message"]])
    joined = {spelling: "\n".join(lines) for spelling, lines in rules.items()}
    if joined["symbols"]:
        rows.append(["RULE", joined["symbols"]])
    if sends:
        rows.append(["SEND", "\n".join(sends)])
    rows += [["NOT SENT", why] for why in skipped]
    for value, event in totals.items():
        if state.parts[state.index.maker[value].key] > 1:
            name = state.index.values[value].name
            rows.append([f"{name} HAS", _has(state, value, event)])
    rows += [["FREED", ", ".join(e["saved"])] for e in piece if e["kind"] == "free"]
    if operation.saved and state.story.keep and sends:
        rows.append(["STAYS KEPT", ", ".join(distinct(operation))])
    if state.story.hooked and piece[0]["kind"] == "start":
        rows.append(["HOOKS", words.hooks_ran(state.story.hooked)])
    return rows, joined


def _came_in(state: State, operation: Operation, event: dict) -> str:
    lines = []
    for value, number in state.index.arrivals(operation):
        came = event["incoming"][number]
        if came is None:
            lines.append(f"nothing for {state.index.values[value].name}")
            continue
        givers = state.givers[value]
        if len(givers) > 1:
            lines.append(written_out(givers, came))
        else:
            giver = givers[0][1] if givers else "a hook"
            source = f"({giver})" if giver == "the seed" else f"(from {giver})"
            lines.append(f"{show(came)} {source}")
    return "\n".join(lines)


def _sent(state: State, event: dict) -> str:
    target = state.index.operand(event["edge"]).name
    if event["grad"] is None:
        return f"None → {target} (counts as zero)"
    number = state.numbers.get(event["edge"])
    incoming = state.incoming()
    product = product_in_words(incoming, number, event["grad"])
    sent = show(event["grad"])
    if product is None:
        return f"{sent} → {target}"
    how = f", {product.how}" if product.how else ""
    followed = words.followed(state.follow, incoming, number, event["grad"])
    return f"{product.text}{how} → {target}{followed}"


def _has(state: State, value: str, event: dict) -> str:
    parts = state.parts[state.index.maker[value].key]
    arrived = event["arrived"]
    sofar = state.givers[value]
    if event["still_waits"]:
        if event["buffer_after"] is None:
            return f"nothing so far, {arrived} of {parts} in: waits"
        total = show(event["buffer_after"])
        return f"{total} so far, {arrived} of {parts} in: waits"
    if not sofar:
        return f"nothing, {arrived} of {parts} in: ready"
    return f"{written_out(sofar, event['buffer_after'])}, {arrived} of {parts} in: ready"


def _added(event: dict) -> str:
    before = "None" if event["before"] is None else show(event["before"])
    after = "None" if event["after"] is None else show(event["after"])
    if event["before"] is None or event["added"] is None:
        return f".grad {before} → {after}"
    return f".grad {before} + {show(event['added'])} = {after}"


def table(state: State) -> list[list[str]]:
    """What stands after the step: who is ready, who waits, what is kept, what is in ``.grad``."""
    ready = [state.speaker(key) for key in state.ready]
    order = words.order_of(state.operations[key] for key in state.ready)
    waiting = [
        f"{state.speaker(key)}: {state.arrived[key]} of {state.parts[key]} in"
        for key in state.operations
        if state.status(key)[0] == "waiting"
    ]
    kept = [
        f"{state.speaker(key)}: {words.kept_text(op, key in state.freed)}"
        for key, op in state.operations.items()
        if op.saved
    ]
    grads = [
        f"{state.speaker(key)}: {state.grad_text(key, show)}"
        for key, op in state.operations.items()
        if op.kind == "accumulate"
    ]
    return [
        ["READY", (", ".join(ready) + order) or "–"],
        ["WAITING", listed(waiting)],
        ["KEPT", listed(kept)],
        [".grad", listed(grads)],
    ]


MOST_LINES = 8  # of one list; a long graph would otherwise repeat all of them in every step


def listed(lines: list[str]) -> str:
    """One line each, as many as a panel has room for, and how many more there are."""
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"… and {len(lines) - MOST_LINES + 1} more"]
    return "\n".join(lines) or "–"


def row(state: State, operation: Operation, chunk: list[dict]) -> list[str]:
    """Node run, parts, incoming, sends: numbers as plain Python prints them."""
    incoming, sends = "[]", []
    for event in chunk:
        kind = event["kind"]
        if kind == "run":
            came = [None if g is None else plain(g) for g in event["incoming"]]
            incoming = str(came)
        elif kind == "send":
            receiver = state.index.maker[state.index.edges[event["edge"]].source]
            sent = None if event["grad"] is None else plain(event["grad"])
            sends.append(f"{sent} → {state.node_text(receiver, '→')}")
        elif kind == "skip":
            sends.append("(no grad needed)")
        elif kind == "accumulate":
            sends.append("adds into .grad")
        elif kind == "error":
            sends.append("error")
    parts = str(state.parts[operation.key])
    return [state.node_text(operation, "→"), parts, incoming, "; ".join(sends)]
