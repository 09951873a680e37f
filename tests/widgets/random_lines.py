"""Random programs in the small language of the version debugger, and what is compared of them."""

import operator
import random

import numpy as np

from minigrad.widgets.versions.lines import read
from minigrad.widgets.versions.running import gradients, run
from minigrad.widgets.versions.scripts import SCRIPTS, WAYS
from minigrad.widgets.versions.scripts import program as lines_of

MAKE = [
    "{new} = {one} + 2",
    "{new} = {one} * {two}",
    "{new} = {one} * {one}",
    "{new} = 3 * {one} - {two}",
    "{new} = {one}.exp()",
    "{new} = sin({one})",
    "{new} = {one}.tanh() / 2",
    "{new} = {one} / {two}",
    "{new} = {one} ** 2",
    "{new} = {one}.sigmoid()",
    "{new} = {one}.abs()",
    "{new} = {one}.clone()",
    "{new} = {one}.detach()",
    "{new} = {one}.view(2)",
    "{new} = {one}[:1]",
    "{new} = {one}.neg()",
    "{new} = relu({one})",
]
WRITE = [
    "{one}[0] = 10.0",
    "{one}[-1] = {two}[0]",
    "{one} += 1",
    "{one} *= {two}",
    "{one}.mul_(2)",
    "{one}.mul_({one})",
    "{one}.sin_()",
    "{one}.tanh_()",
    "{one}.zero_()",
    "{one}.data[0] = 5.0",
    "{one}.data.mul_(3)",
    "with no_grad(): {one} -= 0.5",
    "with no_grad(): {one}[0] = 4.0",
    "{new} = {one}.clone(); {new}[0] = 1.0",
    "{one} = {one} + 1",
    "{one}[:1] += 2",
]
NAMES = "bcdefgh"
COUNT = 200
GRADIENTS = ("grads", "true", "silent")
OVERLAP = "unsupported operation: some elements of the input tensor and the written-to tensor"


def program(seed):
    """A program of at most ten lines: leaves, values, a loss, writes anywhere, backward."""
    chance = random.Random(seed)
    numbers = [f"{chance.randint(-3, 3)}." for _ in range(2)]
    lines = [f"a = tensor([{', '.join(numbers)}], requires_grad=True)"]
    names = ["a"]
    if chance.random() < 0.3:
        lines.append("w = tensor([2., -1.], requires_grad=True)")
        names.append("w")
    for kind in chance.choices("mw", weights=[3, 1], k=chance.randint(2, 3)):
        lines.append(some(chance, kind, names))
    lines.append(f"loss = ({chance.choice(names)} * {chance.choice(names)}).mean()")
    lines += [some(chance, "w", names) for _ in range(chance.randint(0, 2))]
    twice = chance.random() < 0.15
    lines.append("loss.backward(retain_graph=True)" if twice else "loss.backward()")
    if len(lines) < 9 and (twice or chance.random() < 0.1):
        lines += [some(chance, "w", names), "loss.backward()"]
    return "\n".join(lines)


def some(chance, kind, names):
    """A line that makes a value or writes to one, for the names there are."""
    text = chance.choice(MAKE if kind == "m" else WRITE)
    new = next(name for name in NAMES if name not in names)
    computed = [name for name in names if name not in "aw"]
    often = computed if kind == "w" and computed and chance.random() < 0.85 else names
    line = text.format(one=chance.choice(often), two=chance.choice(names), new=new)
    if "{new}" in text:
        names.append(new)
    return line


def texts():
    """All programs whose answers are compared: those of the widget, and random ones."""
    presets = {
        f"{script} {way}": "\n".join(lines_of(script, way)) for script in SCRIPTS for way in WAYS
    }
    return presets | {str(seed): program(seed) for seed in range(COUNT)}


def told(text, library):
    """What happened, as JSON that can be compared: no number that rounding could change."""
    lines = read(text)
    record = run(lines, library)
    ran = lines[: record.stopped.line] if record.stopped else lines
    stopped = record.stopped
    return {
        "stopped": stopped and [stopped.line, stopped.kind, stopped.message],
        "memory": [
            [record.title(number), storage.size, *told_cells(storage)]
            for number, storage in enumerate(record.storages)
        ],
        "tickets": [[one.node, *told_ticket(record, one)] for one in record.tickets],
        "nothing": [[line, nodes] for line, nodes in record.nothing_kept.items()],
        "checks": [
            [one.line, one.ticket.node, one.now, one.right, one.same_value] for one in record.checks
        ],
        "grads": record.raw_grads,
        "true": gradients(ran, copies=True, library=library),
        "silent": None
        if record.result_written_in_place
        else gradients(ran, copies=False, library=library),
    }


def unlike(left, right):
    """The parts in which two answers differ; gradients may differ by rounding."""
    compare = dict.fromkeys(GRADIENTS, close) | {"stopped": stopped_alike}
    return [
        f"{part}: {left[part]} and {right[part]}"
        for part in left
        if not compare.get(part, operator.eq)(left[part], right[part])
    ]


def stopped_alike(left, right):
    """Whether both stopped alike, or PyTorch for the reason that the differences page names.

    It refuses a write that reads the memory it writes to before it looks at shapes.
    """
    overlaps = right is not None and right[2].startswith(OVERLAP)
    return left == right or overlaps and left is not None and left[:2] == right[:2]


def verdict_of(answer):
    """What an answer comes to, found from its parts alone."""
    if answer["stopped"]:
        stale = "has been modified by an inplace operation" in answer["stopped"][2]
        return "stale" if stale else "stopped"
    return "true" if close(answer["grads"], answer["true"]) else "wrong"


def close(left, right):
    if left is None or right is None:
        return left is right
    return left.keys() == right.keys() and all(
        left[name] is right[name] is None
        or None not in (left[name], right[name])
        and np.allclose(left[name], right[name], rtol=1e-4, atol=1e-6, equal_nan=True)
        for name in left
    )


def told_cells(storage):
    return [[line, one.version, one.event, one.remade] for line, one in storage.cells.items()]


def told_ticket(record, ticket):
    where = None if ticket.storage is None else record.title(ticket.storage)
    return [ticket.line, where, ticket.version, ticket.times, ticket.own_result]
