"""Lesson 07: what no kind of judge can say. Its words are in `07.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from minigrad.trace import numbers

from ..language import _
from ..widgets.versions.lines import Refused, read
from ..widgets.versions.message import complaint
from ..widgets.versions.running import Record, run
from ..widgets.versions.words import tried
from .exercises import Blank, Mistake, Unreadable, call, is_tensor, number
from .kinds import unforeseen
from .probes import close, points

STALE = "has been modified by an inplace operation"
LEAF = "a leaf Variable that requires grad"

# --- 07-1: what is kept -----------------------------------------------------------------------

LINES = ("x.tanh()", "x.cos()", "x - 3", "x ** 2", "x.sqrt()", "x * c")
SAID = {
    "I": ("i", "input", "its input", "its input x", "x"),
    "R": ("r", "result", "its result"),
    "N": ("n", "neither", "neither of the two", "nothing"),
}


def judge_kept(answer: Any) -> str | Mistake | None:
    """Judge what the local slope of each line keeps, against what its node has saved."""
    if not isinstance(answer, dict) or set(answer) != set(LINES):
        raise Unreadable(_("Keep the dictionary with its six lines."))
    for line in LINES:
        said, true = _letter(answer[line]), kept_by(line)
        if said != true:
            return f"{line}: {said}"
    return None


def _letter(said: Any) -> str:
    plain = str(said).strip(" .").lower()
    for letter, words in SAID.items():
        if plain in words:
            return letter
    raise Unreadable(_('Answer each line with "I", "R" or "N".'))


def kept_by(line: str) -> str:
    """What the node of a line has saved: "I" for the input x, "R" for the result, else "N".

    >>> kept_by("x.exp()"), kept_by("x.sin()"), kept_by("x + 1")
    ('R', 'I', 'N')
    """
    import minigrad as mg

    x = mg.tensor([1.0, 4.0], requires_grad=True)
    y = eval(line, {"x": x, "c": mg.tensor([2.0, 3.0])})
    saved = [getattr(y.grad_fn, name) for name in dir(y.grad_fn) if name.startswith("_saved_")]
    places = {one.data_ptr() for one in saved if is_tensor(one)}
    return "I" if x.data_ptr() in places else "R" if y.data_ptr() in places else "N"


# --- 07-2: two ways around a write ------------------------------------------------------------

START, WRITTEN = (1.0, 3.0), 1000.0


def judge_cloned(answer: Any) -> str | Mistake | None:
    """Judge a loss that is not spoiled by a write, because a clone is written."""
    return _mended(answer, in_place=True)


def judge_out_of_place(answer: Any) -> str | Mistake | None:
    """Judge a loss that is not spoiled, because a new tensor is made."""
    return _mended(answer, in_place=False)


def _mended(answer: Any, in_place: bool) -> str | Mistake | None:
    for start in (START, tuple(points(2, 1.0, 4.0))):
        found = _mended_at(answer, start, in_place)
        if found is not None:
            return found
    return None


def _mended_at(answer: Any, start: tuple[float, ...], in_place: bool) -> str | Mistake | None:
    import minigrad as mg

    a = mg.tensor(list(start), requires_grad=True)
    pair = call(answer, a)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(map(is_tensor, pair)):
        raise Unreadable(_("Let your function end with `return loss, b`."))
    loss, b = pair
    if loss.numel() != 1 or b.numel() != 2:
        raise Unreadable(_("Let your function end with `return loss, b`: one number, then two."))
    old, now = [entry + 2 for entry in start], b.detach().flatten().tolist()
    lost = _wrong_loss(number(loss.detach()), start, old, now)
    if lost is not None:
        return lost
    wrong = _wrong_way(a, loss, b, old) or _wrong_b(a, b, now, in_place)
    if wrong == "as it was" and in_place and _unrecorded(b):
        return "under no_grad"
    return wrong


def _unrecorded(b: Any) -> bool:
    """Whether b was written, and its node is still that of a + 2."""
    nodes = [one for one, _number in getattr(b.grad_fn, "next_functions", ())]
    return b._version > 0 and len(nodes) > 0 and nodes[0].name().endswith("AccumulateGrad")


def _wrong_loss(said: float, start: Any, old: list, now: list) -> str | Mistake | None:
    true = sum(entry**2 for entry in old) / 2
    if close(said, true):
        return None
    if close(now[0], WRITTEN) and close(said, sum(entry**2 for entry in now) / 2):
        return "written before"
    fact = _("At a = {} the loss should be {:g}, and yours is {:g}.")
    return unforeseen(fact.format(numbers.show(list(start)), true, said))


def _wrong_way(a: Any, loss: Any, b: Any, old: list) -> str | Mistake | None:
    """What is wrong with the gradient: the slope of the mean of two squares is b."""
    try:
        loss.backward()
    except RuntimeError as error:
        if STALE in str(error):
            return "as it was"
        if "does not require grad" in str(error):
            return "cut off"
        if "a second time" in str(error):
            fact = _(
                "Your function has called backward() already. It is called on what you return."
            )
            return unforeseen(fact)
        raise Unreadable(
            _("Backward stopped: {}").format(str(error).split(". ")[0].rstrip(".") + ".")
        ) from error
    if a.grad is None:
        return "cut off"
    said = a.grad.tolist()
    if _alike(said, old):
        return None
    if _alike(said, [WRITTEN, old[1]]) and b._version == 0:
        return "through data"
    fact = _("At a = {} the gradient should be {}, and yours is {}.")
    shown = (numbers.show(one) for one in (a.detach().tolist(), old, said))
    return unforeseen(fact.format(*shown))


def _wrong_b(a: Any, b: Any, now: list, in_place: bool) -> str | Mistake | None:
    old = [entry + 2 for entry in a.tolist()]
    if _alike(now, old):
        return "not written"
    if not _alike(now, [WRITTEN, old[1]]):
        fact = _("The gradient is right. At a = {} the b you return should be {}, and it is {}.")
        shown = (numbers.show(one) for one in (a.tolist(), [WRITTEN, old[1]], now))
        return unforeseen(fact.format(*shown))
    if in_place and b._version == 0:
        return "nothing written in place"
    return "written in place" if not in_place and b._version else None


def _alike(said: list[float], true: list[float]) -> bool:
    return len(said) == len(true) and all(map(close, said, true))


# --- 07-3: writing to a leaf ------------------------------------------------------------------


def judge_at_least(answer: Any) -> str | Mistake | None:
    """Judge a function that raises what is too small in a leaf which a graph has kept."""
    import minigrad as mg

    w = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    old, low, version = w.tolist(), 2.5, w._version
    wanted = [max(entry, low) for entry in old]
    waiting = (w * w).sum()
    try:
        said = call(answer, w, low)
    except Unreadable as refusal:
        if LEAF in str(refusal.__cause__):
            return "refused"
        raise
    if not is_tensor(said):
        raise Unreadable(_("Let your function end with `return w`."))
    if said is not w:
        return "a new w"
    if w.tolist() == old:
        return "not written"
    if w.tolist() != wanted:
        fact = _("Called with w = {} and low = {:g}, w should be {}, and it is {}.")
        shown = [numbers.show(one) for one in (old, wanted, w.tolist())]
        return unforeseen(fact.format(shown[0], low, *shown[1:]))
    if not w.requires_grad:
        return "asks no more"
    if w._version == version:
        return _uncounted(w, waiting, old)
    return None


def _uncounted(w: Any, waiting: Any, old: list[float]) -> str | Mistake:
    """The version is what it was: does a backward that needs the old w go wrong?"""
    w.grad = None
    waiting.backward()
    if not _alike(w.grad.tolist(), [2 * entry for entry in old]):
        return "through data"
    fact = _("The numbers in w are right. Its version is what it was: nobody can notice a change.")
    return unforeseen(fact)


# --- 07-4: the line at fault ------------------------------------------------------------------

PROGRAM = """\
w = mg.tensor([1., 2., 3.], requires_grad=True)
x = mg.tensor([2., 0., 1.])
p = w + x
x += 1
q = p * 2
p += q
r = q.cos()
s = r.exp()
r += p
q += s
loss = (q + r).sum()
loss.backward()"""


def program_run() -> Record:
    """The program of the exercise, run and recorded."""
    return run(read(PROGRAM.replace("mg.", ""), len(PROGRAM.splitlines())))


def fault() -> tuple[int, int]:
    """The line whose operation complains, and the line that wrote into what it had kept.

    >>> len(set(fault()))
    2
    """
    found = complaint(program_run())
    return found.check.ticket.line, found.writer


# --- 07-5: lines of one's own -----------------------------------------------------------------


def judge_own(answer: Any) -> str | Mistake | None:
    """Judge lines with two writes in place, one harmless and one that stops backward."""
    if not isinstance(answer, str):
        raise Unreadable(_("Hand in your lines as one text, between three quotes."))
    lines = [one.strip() for one in re.sub(r"\bmg\.", "", answer).splitlines() if one.strip()]
    if not lines:
        raise Blank
    record = _recorded(lines)
    backwards = [line.number for line in record.lines if line.calls_backward]
    if not backwards:
        return unforeseen(_("Nowhere in your lines is `backward()` called."))
    writes = list(_writes(record, before=backwards[-1]))
    if record.stopped and not record.stale:
        return _stopped(record)
    if not record.stale:
        return _ran(lines, record, writes)
    if len(writes) == 1:
        if uncounted := [line for line in _hidden(record) if line < backwards[-1]]:
            fact = _("Line {} writes through `.data`, so no version counts it. Write without it.")
            return unforeseen(fact.format(uncounted[0]))
        return "one write"
    if len(writes) > 2:
        fact = _("Backward stops. Two lines that write are asked for. You have {}, in lines {}.")
        return unforeseen(fact.format(len(writes), ", ".join(map(str, writes))))
    return _without(lines, complaint(record).writer)


def _recorded(lines: list[str]) -> Record:
    try:
        return tried(tuple(lines)).record
    except Refused as refused:
        told = _("In the language of the debugger: {}").format(refused)
        raise Unreadable(told) from refused


def _writes(record: Record, before: int) -> Iterator[int]:
    """The lines that raise the version of something that was there."""
    for line in record.lines[: before - 1]:
        cells = [one.cells.get(line.number) for one in record.storages]
        if any(cell and cell.event == "counted" for cell in cells):
            yield line.number


def _hidden(record: Record) -> list[int]:
    """The lines that write without being counted."""
    return [
        line
        for one in record.storages
        for line, cell in one.cells.items()
        if cell.event == "hidden"
    ]


def _stopped(record: Record) -> str | Mistake:
    stopped = record.stopped
    if LEAF in stopped.message and not record.lines[stopped.line - 1].calls_backward:
        return "the leaf"
    first = stopped.message.split(". ")[0].rstrip(".")
    fact = _("Line {} stops, and not because of a version: {}.")
    return unforeseen(fact.format(stopped.line, first))


def _ran(lines: list[str], record: Record, writes: list[int]) -> str | Mistake:
    """Backward ran to its end."""
    if _hidden(record) and tried(tuple(lines)).verdict == "wrong":
        return "through data"
    if not writes:
        return unforeseen(_("Nothing is written in place before backward, and no error comes."))
    return "nothing stops"


def _without(lines: list[str], writer: int) -> str | Mistake | None:
    """Whether the lines run to their end when the harmful one is left out."""
    rest = [line for number, line in enumerate(lines, 1) if number != writer]
    try:
        found = tried(tuple(rest))
    except Refused:
        fact = _("Line {} does the harm, and without it the lines after it cannot be read.")
        return unforeseen(fact.format(writer))
    if found.verdict == "stale":
        return "both do harm"
    if found.verdict == "true":
        return None
    if found.verdict == "wrong":
        return unforeseen(
            _("Without line {} backward runs, and its gradient is wrong.").format(writer)
        )
    fact = _("Without line {}, line {} stops all the same.")
    return unforeseen(fact.format(writer, found.record.stopped.line))
