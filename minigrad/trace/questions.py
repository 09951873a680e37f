"""What "ask me" asks before a step is shown. The answer is read off the step itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .numbers import clean, show, written_out

if TYPE_CHECKING:
    from .state import State


def question_before(state: State, turn: list[dict], number: int) -> dict | None:
    """A question about the step to come, or None where there is nothing to guess.

    Which node is next, what number arrives, whether the receiver will be ready: each in turn, or
    the following one where a step does not suit a question.
    """
    key = next(event["node"] for event in turn if event["kind"] == "run")
    first = number % len(KINDS)
    for ask in KINDS[first:] + KINDS[:first]:
        question = ask(state, key, turn)
        if question is not None:
            return question
    return None


def _who_is_next(state: State, key: str, turn: list[dict]) -> dict | None:
    rivals = [k for k in state.operations if state.status(k)[0] in ("ready", "waiting")]
    if len(rivals) < 2:
        return None
    names = [state.node_text(state.operations[k]) for k in rivals]
    right = state.node_text(state.operations[key])
    others = [k for k in state.ready if k != key]
    if state.operations[key].kind == "accumulate":
        reply = "A leaf that has all its parts is served at once."
    elif others:
        reply = "Of the ready ones, the newest runs first."
    else:
        reply = "It is the only one that has all its parts."
    return {
        "kind": "choice",
        "text": "Which node runs next?",
        "options": names,
        "answer": names.index(right),
        "reply": f"{right}. {reply}",
    }


def _what_number(state: State, key: str, turn: list[dict]) -> dict | None:
    operation = state.operations[key]
    for event in turn:
        if event["kind"] == "accumulate" and _single(event["after"]):
            text = f"What will {state.speaker(key)}.grad be?"
            reply = written_out(state.givers[event["leaf"]], event["added"])
            if event["before"] is not None:
                reply += f", added to {show(event['before'])}"
            return _number(text, event["after"], reply)
        if event["kind"] == "send" and _single(event["grad"]):
            target = state.index.operand(event["edge"]).name
            made = state.index.made(operation)
            text = f"What number does {made} send to {target}?"
            return _number(text, event["grad"], f"{made} sends {show(event['grad'])}")
    return None


def _is_it_ready(state: State, key: str, turn: list[dict]) -> dict | None:
    sends = [event for event in turn if event["kind"] == "send"]
    if not sends:
        return None
    last = sends[-1]
    value = state.index.edges[last["edge"]].source
    name = state.index.values[value].name
    parts = state.parts[state.index.maker[value].key]
    return {
        "kind": "choice",
        "text": f"After this step, is {name} ready?",
        "options": ["yes", "no, it waits"],
        "answer": 1 if last["still_waits"] else 0,
        "reply": f"{name} has {last['arrived']} of {parts} parts.",
    }


KINDS = (_who_is_next, _what_number, _is_it_ready)


def _single(array: np.ndarray | None) -> bool:
    return array is not None and np.size(array) == 1 and bool(np.isfinite(array).all())


def _number(text: str, answer: np.ndarray, reply: str) -> dict:
    value = clean(float(np.ravel(answer)[0]), np.asarray(answer).dtype)
    return {"kind": "number", "text": text, "answer": value, "reply": reply + "."}
