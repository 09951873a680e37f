"""What "ask me" asks before a step is shown. The answer is read off the step itself.

``{"kind": "choice", "text": …, "options": […], "answer": index, "reply": …, "reasons": […]}`` or
``{"kind": "number", "text": …, "answer": float, "reply": …, "mistakes": [[number, reason], …]}``.
``reasons`` says of each wrong option why it is wrong (the right one has an empty text), and
``mistakes`` of likely wrong numbers; both are said before the ``reply``.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from .numbers import DETAILS, clean, short, show
from .sentences import say
from .words import TERMS, state

if TYPE_CHECKING:
    from .turns import Turn
    from .walk import Walk

OPTIONS = 5  #: to choose from


def question_before(walk: Walk, turn: Turn, number: int) -> dict | None:
    """A question about the step to come, or None where there is nothing to guess.

    Which node is next, what number arrives, whether the receiver will be ready: each in turn, or
    the following one where a step does not suit a question.
    """
    first = number % len(KINDS)
    asked = (ask(walk, turn) for ask in KINDS[first:] + KINDS[:first])
    return next((question for question in asked if question is not None), None)


def _who_is_next(walk: Walk, turn: Turn) -> dict | None:
    rivals = [*walk.ready[:OPTIONS], *islice(walk.waiting, OPTIONS)][:OPTIONS]
    if len(rivals) < 2 or turn.node not in rivals:
        return None
    rivals.sort(key=lambda key: int(key[1:]))  # as they were made, which gives nothing away
    leaf = walk.operations[turn.node].kind == "accumulate"
    why = "next-leaf" if leaf else "next-newest" if len(walk.ready) > 1 else "next-only"
    reasons = []
    for key in rivals:
        if key in walk.waiting:
            parts = state("waiting", walk.arrived[key], walk.parts[key])
            reasons.append(say("only-parts", name=walk.called(key), parts=parts))
        else:
            late = say("late-leaf" if leaf else "late", name=walk.called(key))
            reasons.append("" if key == turn.node else late)
    reply = say("option-why", node=_option(walk, turn.node), why=say(why))
    options = [_option(walk, key) for key in rivals]
    return _choice(say("which-next"), options, rivals.index(turn.node), reply, reasons)


def _option(walk: Walk, key: str) -> str:
    """A node as the title of its step names it. An arrow to what it made would point forward."""
    return say("node-of", node=walk.operations[key].node, made=walk.called(key))


def _what_number(walk: Walk, turn: Turn) -> dict | None:
    if turn.accumulation is not None:
        return _what_grad(walk, turn)
    send = next((send for send in turn.sends if _single(send.grad)), None)
    operation, came = walk.operations[turn.node], turn.incoming[0]
    if send is None or len(operation.outputs) > 1:
        return None
    likely = [("mistake-came", came)]
    likely += [("mistake-hook", change.before) for change in turn.changes[:1]]
    mistakes: list = []
    for key, array in likely:
        if _single(array):
            _add_mistake(mistakes, array, send.grad, key, came=show(array))
    text = say("what-number", made=walk.speakers.made(operation), target=walk.of(send))
    reply = walk.say("sends-number", operation, grad=show(send.grad))
    return _number(text, send.grad, reply, mistakes)


def _what_grad(walk: Walk, turn: Turn) -> dict | None:
    before, added, after = turn.accumulation
    if not _single(after) or added is None:
        return None
    value = walk.operations[turn.node].makes
    leaf, arrays = walk.speakers.of(value), walk.came_for(value)
    mistakes: list = []
    for part in (arrays[0], arrays[-1]) if len(arrays) > 1 else ():
        _add_mistake(mistakes, part, after, "mistake-part", part=show(part), count=len(arrays))
    if before is not None:
        slots = {"added": show(added), "leaf": leaf, "before": show(before)}
        _add_mistake(mistakes, added, after, "mistake-added", **slots)
    reply = " ".join(_why_grad(walk, turn, value, arrays))
    return _number(say("what-grad", leaf=leaf), after, reply, mistakes)


def _why_grad(walk: Walk, turn: Turn, value: str, arrays: list[np.ndarray]) -> list[str]:
    leaf, total, told = walk.speakers.of(value), walk.totals.get(value), []
    if len(arrays) > TERMS:
        told.append(say("parts-together", count=len(arrays), total=show(total)))
    elif (written := walk.sum_of(value, DETAILS)) is not None:
        told.append(say("parts-add-up", sum=written))
    for change in turn.changes:
        changed = say("nothing") if change.after is None else show(change.after)
        told.append(say("hook-turned", before=show(change.before), after=changed))
    if (written := turn.sum_in_grad(DETAILS)) is not None:
        told.append(say("added-to", sum=written))
    for change in turn.rewrites:
        told.append(say("hook-made", leaf=leaf, after=show(change.after)))
    return told or [say("into-none", added=show(turn.accumulation.added), leaf=leaf)]


def _is_it_ready(walk: Walk, turn: Turn) -> dict | None:
    if not turn.sends:
        return None
    receivers = [walk.receiver(send) for send in turn.sends]
    receiver = receivers[-1]
    name, parts = walk.speakers.made(receiver), walk.parts[receiver.key]
    arrived = walk.arrived[receiver.key] + receivers.count(receiver)
    text, then = "will-it-be-ready", "one-part-only" if parts == 1 else "then-has"
    if len(receiver.outputs) > 1:
        text, then = "will-they-be-ready", "then-have"
    reply = walk.say(then, receiver, name=name, arrived=arrived, parts=parts)
    waits = arrived < parts
    reasons = [say("every-part"), ""] if waits else ["", say("none-missing")]
    return _choice(say(text, name=name), [say("yes"), say("no")], int(waits), reply, reasons)


KINDS = (_who_is_next, _what_number, _is_it_ready)


def _single(array: np.ndarray | None) -> bool:
    if array is None or np.size(array) != 1 or np.iscomplexobj(array):
        return False
    return bool(np.isfinite(array).all())


def _value(array: np.ndarray) -> float:
    return clean(float(np.ravel(array)[0]), np.asarray(array).dtype)


def _add_mistake(
    mistakes: list, array: np.ndarray, right: np.ndarray, key: str, **slots: object
) -> None:
    """A likely wrong number with its reason, unless it is right or was there before."""
    known = [_value(right), *(number for number, _reason in mistakes)]
    if not _single(array) or short(_value(array)) not in map(short, known):
        mistakes.append([_value(array), say(key, **slots)])


def _choice(text: str, options: list[str], answer: int, reply: str, reasons: list[str]) -> dict:
    told = {"kind": "choice", "text": text, "options": options, "answer": answer}
    return {**told, "reply": reply, "reasons": reasons}


def _number(text: str, answer: np.ndarray, reply: str, mistakes: list) -> dict:
    value = _value(answer)
    return {"kind": "number", "text": text, "answer": value, "reply": reply, "mistakes": mistakes}
