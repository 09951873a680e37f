"""The details beside the picture: what a step does, what stands after it, what is kept.

A row is ``[label, text]``, or ``[label, text, "rule"]``. A text is a list of pieces: a string, or
``[string]`` for the number of a gradient, which is printed in the gradient's colour.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from .factors import worked_out
from .numbers import DETAILS, constant, parted, plain, shape_text, sum_text
from .roles import nth
from .sentences import say
from .words import TERMS

if TYPE_CHECKING:
    from .model import Operation
    from .turns import Send, Skip
    from .walk import Event, Part, Walk

Pieces = list
MOST_ROWS = 4  #: of one kind in one step
MOST_ITEMS = 8  #: in one row
LONG_ITEMS = 3  #: the same of long names
KEPT_ROWS = 3  #: on what is kept, besides that of ``.grad``
WIDEST_LABEL = 30  #: characters of a label with several names
OPTIONAL = {"weight", "bias"}  #: operands that an operation may have been called without
PRINTED = 16  #: entries that a row of the table of text prints


def details(walk: Walk, events: list[Event]) -> tuple[list[dict], dict[str, str]]:
    """The three groups of rows, and the rules of the step in three spellings."""
    operation, about = walk.operations[walk.now], defaultdict(list)
    for event in events:
        about[event.kind].append(event.about)
    rules = _rules(walk, about["rule"])
    of = say("node-of", node=operation.node, made=walk.called(walk.now))
    groups = [
        {"title": say("this-step"), "of": of, "rows": _this_step(walk, operation, about, rules)},
        {"title": say("after-it"), "of": "", "rows": _after(walk, about["add"])},
        {"title": say("kept-title"), "of": "", "rows": _kept(walk)},
    ]
    return groups, rules


def gradient(array: np.ndarray | None) -> Pieces:
    """A gradient as pieces, its number to be stressed."""
    if array is None:
        return ["None"]
    number, rest = parted(array)
    return [[number], rest] if rest else [[number]]


def some(items: Sequence[Any], most: int = MOST_ROWS) -> tuple[list, int]:
    """The first ``most`` items, and how many are left."""
    cut = len(items) if len(items) <= most + 1 else most
    return list(items[:cut]), len(items) - cut


def _rows(label: str, lines: list[Pieces], left: int) -> list:
    """Lines under one label, and how many more there are."""
    lines = [*lines, [say("more", count=left)]] if left else lines
    return [[label if not number else "", line] for number, line in enumerate(lines)]


# -- this step ------------------------------------------------------------------------------


def _this_step(walk: Walk, operation: Operation, about: dict[str, list], rules: dict) -> list:
    turn = walk.turn
    rows = [[say("row-took"), _took(walk)]]
    for change in turn.changes:
        before = "".join(parted(change.before))
        rows.append([say("row-hook"), [say("turned", before=before), *gradient(change.after)]])
    if operation.kind == "accumulate":
        rows.append([say("row-adds"), _adds(walk) if about["accumulate"] else [say("none")]])
        for change in turn.rewrites:
            leaf, before = walk.speakers.name(change.value), "".join(parted(change.before))
            text = say("turned-grad", leaf=leaf, before=before)
            rows.append([say("row-hook"), [text, *gradient(change.after)]])
    else:
        rows += _rule_and_sends(walk, about, rules)
    for value, grad in turn.retained:
        into = say("retained-into", value=walk.speakers.name(value))
        rows.append([say("row-retained"), [*gradient(grad), into]])
    if turn.stop is not None:
        rows.append([say("row-error"), [turn.stop.message]])
    return rows


def _rule_and_sends(walk: Walk, about: dict[str, list], rules: dict) -> list:
    found = [walk.rules[send.edge][0] for send in about["rule"]]
    whole = any(rule.number is None for rule in found)
    labels = ("row-rule", "row-rules") if whole else ("row-slope", "row-slopes")
    label = say(labels[len(found) > 1])
    sent, more = some(about["carry"] or about["add"])
    skipped, others = some([skip for skip in about["skip"] if not _absent(walk, skip)])
    lines = [_sends(walk, send) for send in sent] or [[say("none")]]
    return [
        [label, [rules["symbols"] or say("none")], "rule"],
        *_rows(say("row-sends"), lines, more),
        *_rows(say("row-skips"), [[_skips(walk, skip)] for skip in skipped], others),
    ]


def _took(walk: Walk) -> Pieces:
    pieces: Pieces = []
    values = list(walk.came_in())
    shown, left = some(values)
    for number, (value, came) in enumerate(shown):
        if number:
            pieces.append("; ")
        if len(values) > 1:
            pieces.append(say("for-value", value=walk.speakers.name(value)))
        pieces += _took_for(walk, value, came)
    if left:
        pieces.append(say("semicolon-more", count=left))
    return pieces


def _took_for(walk: Walk, value: str, came: np.ndarray | None) -> Pieces:
    given = walk.given[value]
    if value in walk.hooked:
        came = walk.totals.get(value)  # the hook's own row says what became of it
    if came is None:
        return [say("nothing")]
    if len(given) > 1:
        return _whole_sum(walk, value)
    if not given:
        return gradient(came)
    giver = given[0].giver
    if giver is None:
        return [*gradient(came), say("from-start")]
    return [*gradient(came), say("from-giver", giver=walk.called(giver))]


def _whole_sum(walk: Walk, value: str) -> Pieces:
    """``5 (by l3) + 2 (by l2) = 7``; of many parts, or large ones, how many and what they give."""
    given, total = walk.given[value], walk.totals.get(value)
    if total is None:
        return [say("nothing")]
    parts = [part for part in given if part.grad is not None]
    grads = [part.grad for part in parts]
    written = sum_text(grads, total, DETAILS) if len(parts) <= TERMS else None
    if written is None:
        every = say("both-together" if len(given) == 2 else "all-together", count=len(given))
        return [every, *gradient(total)]
    givers = [_giver(walk, part) for part in parts]
    terms = [say("by-giver", term=t, giver=giver) for t, giver in zip(written.terms, givers)]
    if len(parts) == 1:
        return [*gradient(total), terms[0].removeprefix(written.terms[0])]
    number, rest = parted(total)
    stressed = [[written.total], rest] if rest and written.total in number else [[written.total]]
    return [" + ".join(terms) + f" {written.sign} ", *stressed]


def _giver(walk: Walk, part: Part) -> str:
    if part.giver is None:
        return say("start")
    giver, place = walk.called(part.giver), walk.speakers.place(part.edge)
    return say("giver-operand", giver=giver, place=place) if place else giver


def _sends(walk: Walk, send: Send) -> Pieces:
    to, place = f" → {walk.speakers.name(walk.source(send))}", walk.speakers.place(send.edge)
    to += say("to-operand", place=place) if place else ""
    if send.grad is None:
        return [say("counts-as-zero", to=to)]
    rule, factor = walk.rules.get(send.edge, (None, None))
    written = None
    if factor is not None:
        written = factor.written()
    elif rule is not None:
        written = worked_out(rule, walk.incoming(), send.grad)
    number, rest = parted(send.grad)
    dtype = walk.index.values[walk.source(send)].dtype
    if dtype and factor is None and rule is not None and rule.number is not None:
        rest += say("rounded", dtype=dtype)
    end = [[number], rest + to]
    change = "" if factor is None else factor.change
    if written is None:
        return [say("sums-of", count=factor.summed), *end] if change == "sum" else end
    if change == "sum":
        added = "then-sum" if send.grad.size == 1 else "then-sums"
        return [str(written), say(added, count=factor.summed), *end]
    if change == "shape":
        shape = shape_text(send.grad.shape)
        return [str(written), say("as-shape" if shape else "as-number", shape=shape), *end]
    if change == "spread" and not constant(send.grad):
        repeated = say("repeated", size=shape_text(send.grad.shape))
        return [f"{written.factors} {written.sign} ", [written.answer], repeated + to]
    return [f"{written.factors} {written.sign} ", *end]


def _absent(walk: Walk, skip: Skip) -> bool:
    """Whether there may be no such operand: an unseen bias, the number of ``x[0].mul_(10)``."""
    operation, unseen = walk.operations[walk.now], skip.edge is None and skip.constant is None
    written = operation.node == "CopySlices"
    return unseen and (written or operation.operand(skip.argument) in OPTIONAL)


def _skips(walk: Walk, skip: Skip) -> str:
    """Who is sent nothing, and why, where that is known.

    Nothing tells ``x + 1`` from ``x + tensor(1.0)`` afterwards, even where the 1 is worked out.
    """
    if skip.edge is not None:
        value = walk.index.values[walk.index.edges[skip.edge].source]
        said = "skips-frozen" if value.frozen else "skips-value"
        return say(said, value=walk.speakers.name(value.key))
    if skip.argument in walk.operations[walk.now].worked_out:
        return say("skips-worked-out", value=skip.constant)
    if skip.constant is not None and skip.constant != "?":
        return say("skips-number", value=skip.constant)
    return say("skips-place", place=nth(skip.argument + 1))


def _adds(walk: Walk) -> Pieces:
    leaf = walk.speakers.name(walk.operations[walk.now].makes)
    added = walk.turn.accumulation.added
    if added is None:
        return [say("nothing-into", leaf=leaf)]
    written = walk.turn.sum_in_grad(DETAILS)
    if written is None:
        return [*gradient(added), say("into-grad", leaf=leaf)]
    ahead = f"{' + '.join(written.terms)} {written.sign} "
    return [ahead, [written.total], say("in-grad", leaf=leaf)]


def _rules(walk: Walk, sends: list[Send]) -> dict[str, str]:
    """The local slopes of the step in words, in symbols and as code."""
    shown, left = some(sends)
    places = [walk.speakers.place(send.edge) for send in shown]
    ahead = [say("operand-ahead", place=place) if place else "" for place in places]
    rules = [walk.rules[send.edge][0] for send in shown]
    more = [say("more", count=left)] if left else []

    def lines(spelling: str) -> list[str]:
        return [*(start + getattr(r, spelling) for start, r in zip(ahead, rules)), *more]

    told = {spelling: "\n".join(lines(spelling)) for spelling in ("words", "symbols", "code")}
    if len(rules) > 1 and len({rule.words for rule in rules}) == 1 and not left:
        told["words"] = say("operands-alike", rule=rules[0].words)
    symbols = ", ".join(lines("symbols"))
    return told if len(symbols) > 60 or any(places) else {**told, "symbols": symbols}


# -- after it -------------------------------------------------------------------------------


def _after(walk: Walk, sends: list[Send]) -> list:
    rows = [[say("row-next"), _next(walk)], [say("row-waiting"), [_waiting(walk)]]]
    complete = {
        walk.source(send): None
        for send in sends
        if not walk.awaits(walk.receiver(send).key) and walk.expected[walk.source(send)] > 1
    }
    shown, left = some(list(complete))
    for value in shown:
        label = say("row-has", value=walk.speakers.name(value))
        rows.append([label, _whole_sum(walk, value)])
    return [*rows, *_rows("", [], left)]


def _next(walk: Walk) -> Pieces:
    if not walk.ready:
        return [say("none")]
    shown, _left = some(walk.ready[: MOST_ROWS + 2])
    left = len(walk.ready) - len(shown)
    text, *names = [walk.called(key) for key in shown]
    if not names:
        values = [v for v, _output in walk.index.arrivals(walk.operations[shown[0]])]
        total = walk.totals.get(values[0]) if len(values) == 1 else None
        return [text] if total is None else [say("ready-with", name=text), *gradient(total)]
    for name in names:
        text = say("then", earlier=text, name=name)
    return [text + (say("then-more", count=left) if left else "")]


def _waiting(walk: Walk) -> str:
    texts = []
    for key in islice(walk.waiting, MOST_ROWS):
        slots = {"came": "", **walk.screen.labels[key], "name": walk.called(key)}
        texts.append(say("waits-came" if slots["came"] else "waits", **slots))
    left = len(walk.waiting) - len(texts)
    return "; ".join([*texts, say("more", count=left)] if left else texts) or say("none")


# -- kept -----------------------------------------------------------------------------------


def _kept(walk: Walk) -> list:
    """What this step's node keeps, what was let go of, and how many others keep theirs."""
    now, keeping, freed = walk.now, walk.keeping, _freed(walk)
    if len(keeping) + bool(freed) <= KEPT_ROWS:
        rows = [_keeps(walk, operation) for operation in keeping.values()]
    else:
        rows = [_keeps(walk, keeping[now])] if now in keeping else []
        others = len(keeping) - len(rows)
        label = "row-other" if rows else "row-node"
        if others == 1:
            rows.append([say(label), [say("keeps-one")]])
        else:
            rows.append([say(f"{label}s", count=others), [say("keeps-many")]])
    if freed:
        rows.append([freed, [say("freed")]])
    return [*(rows or [[say("row-kept"), [say("none")]]]), [".grad", _grads(walk)]]


def _keeps(walk: Walk, operation: Operation) -> list:
    """What one node keeps."""
    names = (say("its-result") if kept.slot == "result" else kept.name for kept in operation.saved)
    shown, left = some(list(dict.fromkeys(names)))
    text = ", ".join(shown)
    text = say("comma-more", kept=text, count=left) if left else text
    return [walk.called(operation.key), [text]]


def _freed(walk: Walk) -> str:
    """All that was let go of so far, where that is short; else this step's node, or nothing."""
    if len(walk.freed) <= MOST_ROWS:
        made = ", ".join(walk.called(key) for key in walk.freed)
        if len(made) <= WIDEST_LABEL:
            return made
    return walk.called(walk.now) if walk.freed[-1] == walk.now else ""


def _grads(walk: Walk) -> Pieces:
    """``.grad`` of the leaves: of many, those that are filled come first."""
    shown = walk.leaves
    if len(walk.leaves) > MOST_ITEMS:
        long = sum(len(walk.speakers.name(leaf)) for leaf in walk.leaves[:MOST_ITEMS]) > 80
        most = LONG_ITEMS if long else MOST_ITEMS
        shown = list(islice(reversed(walk.grads), most))
        empty = (leaf for leaf in walk.leaves if leaf not in walk.grads)
        shown += islice(empty, most - len(shown))
    pieces: Pieces = []
    for number, leaf in enumerate(shown):
        pieces.append(f"{', ' if number else ''}{walk.speakers.name(leaf)} ")
        pieces += gradient(walk.grads.get(leaf))[:1]  # of a large one the shape will do
    filled = len(walk.grads) - sum(leaf in walk.grads for leaf in shown)
    empty = len(walk.leaves) - len(shown) - filled
    hidden = [say("more-filled", count=filled)] if filled else []
    hidden += [say("more-none", count=empty)] if empty else []
    return [*pieces, "".join(hidden)] if hidden else pieces


# -- a row of the table ---------------------------------------------------------------------


def row(walk: Walk, events: list[Event]) -> list[str]:
    """Node run, parts, incoming, sends: numbers as plain Python prints them."""
    turn, operation = walk.turn, walk.operations[walk.now]
    sends: list[str] = []
    for event in events:
        if event.kind == "add":
            receiver = node_text(walk, walk.receiver(event.about))
            sends.append(f"{_plain(event.about.grad)} → {receiver}")
        elif event.kind == "skip":
            sends.append("(no gradient asked)")
    if turn.accumulation is not None:
        sends.append("adds into .grad")
    if turn.stop is not None:
        sends.append("error")
    incoming = "[" + ", ".join(_plain(grad) for grad in turn.incoming) + "]"
    parts = str(walk.parts[operation.key])
    return [node_text(walk, operation), parts, incoming, "; ".join(sends)]


def node_text(walk: Walk, operation: Operation) -> str:
    """``AddBackward0→b``, ``AccumulateGrad(x)``."""
    made = ", ".join(walk.speakers.name(key) for key in operation.outputs or (operation.makes,))
    if operation.kind == "accumulate":
        return f"{operation.node}({made})"
    return f"{operation.node}→{made}"


def _plain(array: np.ndarray | None) -> str:
    """Numbers for comparing; what is large is told by its shape and range."""
    if array is None:
        return "None"
    return str(plain(array)) if array.size <= PRINTED else "".join(parted(array))
