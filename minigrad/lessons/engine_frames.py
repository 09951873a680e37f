"""The frames of a pass of a learner's engine: what it did, in its own numbers.

A product is written out only where it gives what was really sent. A value is ready where this pass
asks its rule before another part comes, with all parts or without: not every engine waits for them.
"""

from collections import defaultdict
from typing import Any

from ..language import _
from ..trace.numbers import short
from ..trace.words import listed

Frame = dict[str, Any]
TRAYS = 8  #: gradients in one list
MOST_OPTIONS = 5


def frames_of(view: Any, book: Any, turns: list, seed: Any) -> list[Frame]:
    """One frame for each rule that was asked."""
    screen = _Screen(book, turns)
    screen.trays[id(view.result)] = seed
    frames = []
    for number, turn in enumerate(turns):
        question = screen.question(turn) if number else None
        screen.begin(turn)
        frames.append(screen.frame(number, turn, last=number == len(turns) - 1))
        frames[-1]["question"] = question
    return frames


def rooms_of(frames: list[Frame]) -> dict[str, dict[str, str]]:
    """The widest text of each label."""
    room: dict[str, dict[str, str]] = defaultdict(dict)
    for frame in frames:
        for key, slots in frame["labels"].items():
            for slot, text in slots.items():
                if len(text) > len(room[key].get(slot, "")):
                    room[key][slot] = text
    return dict(room)


class _Screen:
    """What stands on the screen, brought up to date from turn to turn."""

    def __init__(self, book: Any, turns: list):
        self.book = book
        self.expected = _parts(book, turns)
        self.trays: dict[int, Any] = {}
        self.arrived: dict[int, list] = defaultdict(list)  # what was sent to a value
        self.fresh: dict[int, int] = defaultdict(int)  # how much of it came since it last sent
        self.done: set[int] = set()
        self.edge_marks: dict[str, list[str]] = {}
        self.edge_labels: dict[str, dict[str, str]] = {}
        self.now: Any = None
        self.ahead = list(turns)  # what this pass does after the turn that is shown

    def begin(self, turn: Any) -> None:
        """Take one turn over: edges, parts that arrived, gradients that were written."""
        del self.ahead[0]
        for key, marks in self.edge_marks.items():
            self.edge_marks[key] = ["past" if mark == "now" else mark for mark in marks]
        if self.now is not None:
            self.done.add(id(self.now))
        self.now = turn.value
        self.fresh[id(turn.value)] = 0
        for place, (parent, part) in enumerate(zip(self.book.parents(turn.value), turn.parts)):
            key = self.book.edges[id(turn.value), place]
            self.edge_marks[key] = ["now"]
            slope = self.slope(turn, place, part)
            factor = "→ " if slope is None else f"×{_text(slope)} → "
            self.edge_labels[key] = {"factor": factor, "sent": _text(part)}
            self.arrived[id(parent)].append(part)
            self.fresh[id(parent)] += 1
        for value, _before, after in turn.written:
            self.trays[id(value)] = after

    def slope(self, turn: Any, place: int, part: Any) -> Any:
        """The local slope, where what came in times it is what was sent; else None."""
        operands = self.book.parents(turn.value)
        if len(operands) != 2:
            return None
        other = self.book.number(operands[1 - place])
        slope = {"+": 1.0, "×": other}.get(self.book.sign(turn.value))
        try:
            return slope if slope is not None and turn.came * slope == part else None
        except TypeError:
            return None

    def frame(self, number: int, turn: Any, last: bool) -> Frame:
        name = self.book.name(turn.value)
        words = self.rules(turn)
        tags = [*(["send"] if turn.parts else []), *(["end"] if last else [])]
        sent = "; ".join(
            f"{_text(part)} → {self.book.name(parent)}"
            for parent, part in zip(self.book.parents(turn.value), turn.parts)
        )
        return {
            "step": number,
            "coarse": number,
            "tags": tags,
            "title": _("ask the rule of {name}").format(name=name),
            "sentence": self.sentence(turn, first=number == 0),
            "details": self.details(turn, words),
            "rules": words,
            "marks": self.marks(),
            "labels": self.labels(turn),
            "trays": self.leaf_trays(),
            "row": [name, str(len(self.arrived[id(turn.value)])), _text(turn.came), sent],
        }

    # -- words --

    def sentence(self, turn: Any, first: bool) -> str:
        gifts = []
        for parent, part in zip(self.book.parents(turn.value), turn.parts):
            gift = _("{part} to {name}")
            gifts.append(gift.format(part=_text(part), name=self.book.name(parent)))
        said = _("{name} takes {came} and sends {gifts}.").format(
            name=self.book.name(turn.value), came=_text(turn.came), gifts=listed(gifts)
        )
        written = "; ".join(self.changes(turn))
        return f"{said} {written}." if written else said

    def changes(self, turn: Any) -> list[str]:
        """``x.grad: 3 → 7`` for each gradient that was written in this turn."""
        told: dict[int, list[str]] = {}
        for value, before, after in turn.written:
            told.setdefault(id(value), [_text(before)]).append(_text(after))
        names = {id(value): _grouped(self.book.name(value)) for value, _b, _a in turn.written}
        tray = self.book.view.tray
        return [f"{names[key]}.{tray}: {' → '.join(steps)}" for key, steps in told.items()]

    def rules(self, turn: Any) -> dict[str, str]:
        """The rule that was asked, in words, in symbols and as code."""
        sign, name = self.book.sign(turn.value), self.book.name(turn.value)
        names = [self.book.name(parent) for parent in self.book.parents(turn.value)]
        words, symbols = [_("what its rule returns")], [_("what its rule returns")]
        if len(names) == 2 and sign == "+":
            words = [_("+ passes on what came in, unchanged")]
            symbols = [f"∂{_grouped(name)}/∂{_grouped(each)} = 1" for each in names]
        elif len(names) == 2 and sign == "×":
            told = _("to {name}: times {other}, the other factor")
            pairs = [names, names[::-1]]
            words = [told.format(name=one, other=other) for one, other in pairs]
            symbols = [f"∂{_grouped(name)}/∂{_grouped(one)} = {other}" for one, other in pairs]
        code = (
            f"{name if name.isidentifier() else 'value'}.{self.book.view.rule}({_text(turn.came)})"
        )
        unique = ("\n".join(dict.fromkeys(lines)) for lines in (words, symbols))
        return dict(zip(("words", "symbols"), unique)) | {"code": code}

    def details(self, turn: Any, rules: dict[str, str]) -> list[Frame]:
        rows: list = [[_("took"), [[_text(turn.came)]]], [_("rule"), [rules["symbols"]], "rule"]]
        for place, (parent, part) in enumerate(zip(self.book.parents(turn.value), turn.parts)):
            slope = self.slope(turn, place, part)
            product = "" if slope is None else f"{_text(turn.came)} × {_text(slope)} = "
            line = [product, [_text(part)], f" → {self.book.name(parent)}"]
            rows.append([_("sends") if not place else "", line])
        written = [
            [_("writes") if not n else "", [line]] for n, line in enumerate(self.changes(turn))
        ]
        tray = f".{self.book.view.tray}"
        held = [
            f"{_grouped(self.book.name(value))} {_text(self.trays[id(value)])}"
            for value in self.book.values
            if self.trays.get(id(value)) is not None
        ]
        more = [_("and {count} more").format(count=len(held) - TRAYS)] if len(held) > TRAYS else []
        trays = ", ".join([*held[:TRAYS], *more]) or _("none")
        return [
            {"title": _("This step"), "of": self.book.name(turn.value), "rows": rows},
            {"title": _("After it"), "of": "", "rows": [*written, [tray, [trays]]]},
        ]

    # -- marks and labels --

    def marks(self) -> dict[str, list[str]]:
        marks = dict(self.edge_marks)
        for value in self.book.values:
            if status := self.status(value):
                marks[self.book.makers[id(value)]] = [status]
        return marks

    def status(self, value: Any) -> str:
        came, expected = len(self.arrived[id(value)]), self.expected[id(value)]
        if value is self.now:
            return "now"
        if id(value) in self.done and not self.fresh[id(value)]:
            return "done"
        if not came:
            return ""
        if not self.book.parents(value):
            return "waiting" if came < expected else "done"
        return "ready" if self.asked_with_this(value) else "waiting"

    def asked_with_this(self, value: Any) -> bool:
        """Whether its rule is asked before another part comes to it."""
        for turn in self.ahead:
            if turn.value is value:
                return True
            if any(parent is value for parent in self.book.parents(turn.value)):
                return False
        return False

    def state(self, value: Any, status: str) -> str:
        """The word above a value, with how many parts came where that is less than all."""
        came, expected = len(self.arrived[id(value)]), self.expected[id(value)]
        if status in ("now", "done"):
            return _("now") if status == "now" else _("done")
        if came < expected and expected == self.book.expected[id(value)]:
            told = {"waiting": _("{came} of {all} parts"), "ready": _("ready, {came} of {all}")}
            return told[status].format(came=came, all=expected)
        if status == "ready":
            return _("ready")
        return _("all parts in") if came == expected else _("waiting")  # more may come than arrows

    def labels(self, turn: Any) -> dict[str, dict[str, str]]:
        labels = {key: dict(slots) for key, slots in self.edge_labels.items()}
        for value in self.book.values:
            slots, status = {}, self.status(value)
            if status:
                slots["state"] = self.state(value, status)
            if not self.book.parents(value):
                slots["grad"] = _text(self.trays.get(id(value)))
            elif value is self.now:
                slots["came"] = _text(turn.came)
            elif self.trays.get(id(value)) is not None:
                slots["came"] = _text(self.trays[id(value)])
            if slots:
                labels[self.book.makers[id(value)]] = slots
        return labels

    def leaf_trays(self) -> dict[str, str]:
        """What the leaves hold, those with a name of the learner's."""
        return {
            f"{self.book.name(value)}.{self.book.view.tray}": _text(self.trays.get(id(value)))
            for value in self.book.values
            if not self.book.parents(value) and id(value) in self.book.view.called
        }

    # -- ask me --

    def question(self, turn: Any) -> Frame | None:
        """Whose rule is asked next, where there are several to choose from."""
        rivals = [v for v in self.book.values if self.book.parents(v) and self.fresh[id(v)]]
        if not 2 <= len(rivals) <= MOST_OPTIONS or all(v is not turn.value for v in rivals):
            return None
        right = next(place for place, value in enumerate(rivals) if value is turn.value)
        reasons = []
        for value in rivals:
            came, expected = len(self.arrived[id(value)]), self.expected[id(value)]
            told = _("It comes to {name} later.")
            if came < expected and not self.asked_with_this(value):
                told = _("{name} has only {came} of {all} parts.")
            reason = told.format(name=self.book.name(value), came=came, all=expected)
            reasons.append("" if value is turn.value else reason)
        return {
            "kind": "choice",
            "text": _("Whose rule does this engine ask next?"),
            "options": [self.book.name(value) for value in rivals],
            "answer": right,
            "reply": _("It asks {name}.").format(name=self.book.name(turn.value)),
            "reasons": reasons,
        }


def _parts(book: Any, turns: list) -> dict[int, int]:
    """How many parts each value waits for; a leaf for all that this pass brings, right or not."""
    sent = [parent for turn in turns for parent, _part in zip(book.parents(turn.value), turn.parts)]
    more = {
        key: sum(id(parent) == key for parent in sent)
        for value in book.values
        if not book.parents(value) and (key := id(value))
    }
    return {key: max(count, more.get(key, 0)) for key, count in book.expected.items()}


def _grouped(name: str) -> str:
    return f"({name})" if " " in name or "·" in name else name


def _text(number: Any) -> str:
    plain = isinstance(number, (int, float)) and not isinstance(number, bool)
    return short(number) if plain else str(number)
