"""The words of the picture and of the sentence: what is said, for the eye and for the ear.

The sentences themselves stand in ``sentences.toml``; here it is chosen which one is true. What has
no name is called by its role ("the product"). Details are in `minigrad.trace.rows`, questions in
`minigrad.trace.questions`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from .numbers import FEW, PICTURE, WIDE, above, brief, is_shown, marked, said, short, sum_text
from .sentences import MOST, capped, listed, say

if TYPE_CHECKING:
    from .factors import Factor
    from .model import Operation
    from .turns import Send
    from .walk import Event, Walk

TERMS = 4  #: parts of a sum that are written out
LONGEST = 180  #: characters of a sentence: two lines on the screen


# -- labels of the picture ------------------------------------------------------------------


def state(status: str, arrived: int = 0, parts: int = 0) -> str:
    """The word above a block: ``ready``, ``1 of 2 parts``."""
    return say(f"state-{status}", arrived=arrived, parts=parts)


def group_state(mark: str, done: int, size: int) -> str:
    """The word above a group: ``3 of 8 done`` while it is neither begun nor over."""
    if 0 < done < size and mark in ("ready", "waiting"):
        return say("group-partly", done=done, size=size)
    return say("group-waits") if mark == "waiting" else state(mark)


def bundle_label(sent: int, parts: int) -> str:
    """How many of the parts that travel along one line have travelled."""
    return say("bundle-partly" if sent < parts else "bundle-all", sent=sent, parts=parts)


def factor_label(factor: Factor | None) -> str:
    """What stands before a number on an arrow: ``×4 → ``, ``×1, Σ4 → ``."""
    if factor is None:
        return "→ "
    pieces = [] if factor.single is None else [f"×{short(factor.single, PICTURE)}"]
    if factor.change == "sum":
        pieces.append(f"Σ{factor.summed}")
    return ", ".join(pieces) + (" → " if pieces else "→ ")


def came(walk: Walk, operation: Operation) -> str:
    """What has arrived at a node: ``3``, ``3 + ?``, ``5 + 2 = 7``, ``41 parts, 5.3``."""
    values = [value for value, _output in walk.index.arrivals(operation)]
    if len(values) > 1:
        known = [value for value in values if walk.given[value]]
        if len(values) > MOST:
            return say("of-gradients", count=len(known), all=len(values))
        return ", ".join(f"{walk.speakers.name(v)}: {above(walk.totals.get(v))}" for v in known)
    (value,) = values
    text = _arrived(walk, value)
    if value not in walk.hooked:
        return text
    return say("hooked-sum", sum=text, changed=above(walk.hooked[value]))


def _arrived(walk: Walk, value: str) -> str:
    arrays, total, expected = walk.came_for(value), walk.totals.get(value), walk.expected[value]
    more = len(walk.given[value]) < expected
    if not walk.given[value]:
        return ""
    if total is not None and more and expected > TERMS:
        return f"{above(total)} + …"
    if total is not None and not more and len(arrays) > TERMS:
        return say("many-parts", count=len(arrays), total=above(total))
    if total is not None and (more or len(arrays) > 1):
        written = sum_text(arrays, total, PICTURE)
        text = " + ".join([*written.terms, "?"]) if written and more else str(written)
        text = f"≈{text}" if written and more and not all(map(is_shown, arrays)) else text
        if written and len(text) <= (WIDE if "[" in text else 2 * WIDE):
            return text
    return above(total)


# -- the sentence ---------------------------------------------------------------------------


#: How a sentence is said, ever shorter: who is ready (with ``sums``, by their ``parts``, by
#: ``names``, as ``all``, or not), so many entries of an array, and so many names.
LENGTHS = [(ready, FEW, MOST) for ready in ("sums", "parts", "names", "all")]
LENGTHS += [("names", 1, MOST), ("all", 1, MOST), ("", FEW, MOST), ("", FEW, 2), ("", FEW, 1)]


def sentence(walk: Walk, events: list[Event], first: bool) -> str:
    """What happens in a step, in one or two sentences; ``first`` at the start of the pass.

    One that would take more than two lines is said shorter: who is ready first, then arrays by
    how many numbers they have, then fewer names and numbers.
    """
    for text in (_said(walk, events, first, length) for length in LENGTHS):
        if len(text) <= LONGEST:
            break
    return text


def _said(walk: Walk, events: list[Event], first: bool, length: tuple) -> str:
    about = defaultdict(list)
    for event in events:
        about[event.kind].append(event.about)
    ahead = [_hooked(walk, change) for change in walk.turn.changes] if about["take"] else []
    told = _told(walk, about, length)
    if length[0] and about["add"] and not about["stop"]:
        told.append(_received(walk, about["add"], length[0]))
    if first and about["take"]:
        root, seed = walk.speakers.of(walk.trace.graph.roots[0]), said(walk.trace.seed)
        if about["add"] and not ahead:
            sent = _sent(walk, about["add"], length, inside=True)
            told[0] = say("starts-sending", root=root, seed=seed, sent=sent)
        else:
            ahead.insert(0, say("starts", root=root, seed=seed))
    return " ".join([*ahead, *told])


def _told(walk: Walk, about: dict[str, list], length: tuple) -> list[str]:
    """What happens, whatever came before it."""
    if about["stop"]:
        return [_stopped(walk)]
    if about["accumulate"]:
        return _accumulated(walk)
    if about["add"]:
        return [_sent(walk, about["add"], length)]
    if about["carry"]:
        return [_carried(walk, about["carry"][0])]
    return [_slope(walk, about["rule"][0]) if about["rule"] else _took(walk)]


def _took(walk: Walk) -> str:
    operation = walk.operations[walk.now]
    grads = [said(grad) for _value, grad in walk.came_in() if grad is not None]
    ends = operation.kind == "operation" and not walk.index.operands[operation.key]
    key = "took-nothing" if not grads else "took-end" if ends else "took"
    return walk.say(key, operation, came=capped(grads))


def _hooked(walk: Walk, change) -> str:
    value, before, after = walk.speakers.of(change.value), said(change.before), said(change.after)
    return say("hooked", value=value, before=before, after=after)


def _slope(walk: Walk, send: Send) -> str:
    """The local slope in words that are also true of a curve: "when x moves a little"."""
    made, target = walk.speakers.made(walk.operations[walk.now]), walk.of(send)
    rule, factor = walk.rules[send.edge]
    number = None if factor is None else factor.single
    if number is None or isinstance(number, complex) or not np.isfinite(number):
        text = say("slope-rule", made=made, target=target, rule=rule.words)
        short_enough = len(text) <= LONGEST - 20
        return text if short_enough else say("slope-rule-long", made=made, target=target)
    kinds = {0: "still", 1: "equal", -1: "opposite"}
    kind = kinds.get(float(number), "back" if number < 0 else "times")
    one = "-entry" if send.grad.size > 1 and number > 0 else ""
    much = marked(short(abs(number), PICTURE), number)
    return say(f"slope-{kind}{one}", target=target, made=made, much=much)


def _carried(walk: Walk, send: Send) -> str:
    factor = walk.rules[send.edge][1]
    product = None if factor is None or send.grad is None else factor.written()
    key = "carried-nothing" if send.grad is None else "carried"
    if product is not None:
        key = "carried-sum" if factor.change == "sum" else "carried-product"
    count = 1 if factor is None else factor.summed
    slots = {"product": product, "count": count, "grad": said(send.grad), "target": walk.of(send)}
    return walk.say(key, walk.operations[walk.now], **slots)


def _sent(walk: Walk, sends: list[Send], length: tuple, inside: bool = False) -> str:
    operation = walk.operations[walk.now]
    by_target: dict[str, list[Send]] = defaultdict(list)
    for send in sends:
        by_target[walk.source(send)].append(send)
    named = [_gift(walk, value, group, length[1]) for value, group in by_target.items()]
    gifts = capped(named, length[2])
    key = "send" if len(operation.outputs) > 1 else "sends"
    if inside:
        return say(key, made=walk.speakers.made(operation), gifts=gifts)
    return walk.say(key, operation, gifts=gifts)


def _gift(walk: Walk, value: str, sends: list[Send], most: int) -> str:
    target, grads = walk.speakers.of(value), [said(send.grad, most) for send in sends]
    if len(grads) == 2 and grads[0] == grads[1]:
        return say("gift-twice", grad=grads[0], target=target)
    places = [walk.speakers.place(send.edge) for send in sends]
    if 1 < len(grads) <= MOST and all(places):
        told = zip(grads, places)
        return listed([say("gift-operand", grad=g, target=target, place=p) for g, p in told])
    return say("gift", grad=capped(grads), target=target)


def _received(walk: Walk, sends: list[Send], how: str) -> str:
    """What the receivers have now: who waits, who has all of its parts."""
    last = {walk.receiver(send).key: send for send in sends}
    many = [key for key in last if walk.parts[key] > 1]
    if many and len(many) <= 2 and how in ("sums", "parts"):
        return " ".join(_has(walk, last[key], how == "sums") for key in many)
    waiting = [key for key in many if walk.awaits(key)]
    ready = [key for key in last if key not in waiting]
    if how == "all" and len(last) > 1 and not waiting:
        return say("both-ready" if len(last) == 2 else "all-ready")
    told = [_are(walk, keys, what) for keys, what in ((ready, "ready"), (waiting, "waiting"))]
    return " ".join(filter(None, told))


def _are(walk: Walk, keys: list[str], what: str) -> str:
    operations = [walk.operations[key] for key in keys]
    if not operations:
        return ""
    several = len(operations) > 1 or len(operations[0].outputs) > 1
    names = capped([walk.speakers.made(operation) for operation in operations])
    return walk.say(f"are-{what}" if several else f"is-{what}", operations[0], names=names)


def _has(walk: Walk, send: Send, sums: bool) -> str:
    """How many of its parts a receiver has; their sum, if wanted, once it is complete."""
    receiver, value = walk.receiver(send), walk.source(send)
    parts, arrived, total = walk.parts[receiver.key], walk.arrived[receiver.key], walk.totals[value]
    written, key = None, "has-waits"
    if not walk.awaits(receiver.key):
        written = walk.sum_of(value, PICTURE) if sums else None
        every = "has-both" if parts == 2 else "has-each"
        key = f"{every}-sum" if written else every
        if parts > TERMS:
            key = "has-all-total" if total is not None and total.size <= FEW else "has-all"
    if len(receiver.outputs) > 1:
        every = "have-both" if parts < 3 else "have-all"
        key = "have-waits" if walk.awaits(receiver.key) else every
    slots = {"name": walk.speakers.made(receiver), "arrived": arrived, "parts": parts}
    return walk.say(key, receiver, **slots, total=said(total), sum=written)


def _accumulated(walk: Walk) -> list[str]:
    turn, value = walk.turn, walk.operations[walk.now].makes
    leaf, (before, added, _after) = walk.speakers.of(value), turn.accumulation
    if added is None:
        return [say("goes-nothing", leaf=leaf)]
    written, count = None, len(walk.given[value])
    equal = added.size > 1 and (added == added.flat[0]).all()
    if before is not None:
        written = walk.turn.sum_in_grad(PICTURE)
        key = "added-gradient" if not written else "added-equal" if equal else "added-sum"
    elif added.size > FEW and not equal:
        key = "goes-gradient"  # said by how many numbers there are
    else:
        written = None if turn.changes else walk.sum_of(value, PICTURE)
        one = "goes-gradient" if equal else "goes"
        parts = "goes-parts" if count > TERMS and not turn.changes else one
        key = "goes-sum" if written else parts
    told = [say(key, leaf=leaf, came=said(added), count=count, sum=written)]
    for after in (change.after for change in turn.rewrites):
        key, after = ("hook-emptied", "") if after is None else ("hook-made", brief(after))
        told.append(say(key, leaf=leaf, after=after))
    return told


def _stopped(walk: Walk) -> str:
    stop, operation = walk.turn.stop, walk.operations[walk.now]
    if stop.kept_version is None:  # all of the message stands in its row
        return walk.say("stops", operation, message=_cut(stop.message, LONGEST - 60))
    key, value = "stops-a-value", say("kept-value")
    if stop.value is not None:
        key, value = "stops-kept", walk.speakers.of(stop.value)
    text = walk.say(key, operation, value=value, kept=stop.kept_version, now=stop.version_now)
    if stop.place:
        room = max(40, LONGEST - len(text) - 20)
        text += " " + say("what-changed", place=_cut(stop.place.rstrip("."), room))
    return text


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"
