"""The stepper on a learner's own engine: a view that says under which names things are kept there.

    class Mine(EngineView):
        number = "data"
        rule = "rule"
        …

    mg.stepper(Mine(y))

The pass is the learner's: it is run once, every rule that is asked and every gradient that is
written is noted down, and then all gradients are put back. So a mistake of the engine is seen as it
happens; nothing here knows what would be right.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .. import viz
from ..language import _
from ..trace.model import Edge, Graph, Operation, Value
from ..trace.names import callers_variables
from ..trace.numbers import subscript
from ..widgets import Player
from .engine_frames import frames_of, rooms_of
from .guard import TooLong, guarded

MOST_TURNS = 60
NO_TRAY = ", .grad None"
REFERENCE = ("reference", "minigrad.lessons.reference_engine")  # where its classes are made
TITLE, NAME = 30, 14  # characters of an expression: in the title, and as a name


@dataclass
class Turn:
    """One rule that was asked, what it was given and returned, and the gradients written then."""

    value: Any
    came: Any
    parts: tuple
    written: list[tuple[Any, Any, Any]] = field(default_factory=list)  #: value, before, after


class EngineView:
    """What the stepper needs to know of an engine: the names of its attributes.

    A subclass may name them otherwise. `number` is the number of a value, `sign` its operation's,
    `operands` what it was made from, `rule` a function of what came in, `tray` the gradient, and
    `start` the method that begins a pass. The names of values are those of the caller's variables.

    Raises:
        TypeError: the result has no number, no operands or no method that begins a pass under these
            names.
    """

    number = "data"
    sign = "op"
    operands = "parents"
    rule = "rule"
    tray = "grad"
    start = "backward"

    def __init__(self, result: Any):
        needed = {"number": self.number, "operands": self.operands, "start": self.start}
        for role, name in needed.items():
            if not hasattr(result, name):
                reason = _(
                    "{view}() takes a value of your engine, and this {kind} has no '{name}'."
                )
                do = _(
                    "Hand over such a value, or write in the class {view} what it is called: {how}"
                )
                kind, how = type(result).__name__, f'{role} = "…"'
                told = f"{reason} {do}".format(
                    view=type(self).__name__, kind=kind, name=name, how=how
                )
                raise TypeError(told)
        self.result = result
        self.called = {
            id(thing): name
            for name, thing in reversed(callers_variables().items())
            if isinstance(thing, type(result)) and not name.startswith("_")
        }

    def stepper(self, ask: bool = False, rules: str = "words") -> Player:
        """Run the pass, put everything back, and play what happened.

        Raises `ValueError` when the engine asked no rule at all.
        """
        book = Book(self)
        turns, seed, notes = record(self, book)
        if not turns:
            reason = " ".join(notes) or _("It asked no rule.")
            raise ValueError(_("This engine did nothing that could be shown.") + " " + reason)
        frames = frames_of(self, book, turns, seed)
        room = rooms_of(frames)
        name = book.name(self.result)
        told, passing = (
            _("Your engine, backward through {name}"),
            _("Your engine's pass from {name}"),
        )
        if type(self.result).__module__ in REFERENCE:
            told = _("The reference engine, backward through {name}")
            passing = _("The reference engine's pass from {name}")
        return EnginePlayer(
            passing.format(name=name),
            frames,
            lambda frame, inside: viz.draw(book.graph, view="both", frame=frame, room=room),
            title=told.format(name=book.title()),
            notes=notes,
            ask=ask,
            rules=rules,
        )


class EnginePlayer(Player):
    """The player of a pass of a learner's engine.

    The tree of the text stands above all steps, so it shows no gradients: each step tells its own.
    """

    def text(self) -> str:
        return super().text().replace(NO_TRAY, "")

    @cached_property
    def _data(self) -> dict[str, Any]:
        data = super()._data
        return data | {"tree": data["tree"].replace(NO_TRAY, "")}

    def _outcome(self) -> list[str]:
        return [f"{name} = {number}" for name, number in self.frames[-1]["trays"].items()]


class Book:
    """The values behind a result, each before those made from it, and the graph to be drawn."""

    def __init__(self, view: EngineView):
        self.view = view
        self.values = list(_found(view))
        self.place = {id(value): place for place, value in enumerate(self.values)}
        self.graph = Graph()
        self.edges: dict[tuple[int, int], str] = {}  # (value, operand number) -> edge
        self.makers: dict[int, str] = {}  # value -> what carries its marks
        self.expected = dict.fromkeys(self.place, 0)
        self._written: dict[int, str] = {}
        self._constants = self._unnamed = 0
        for value in self.values:
            self._add(value)
        self.graph.roots = (self.key(view.result),)

    def key(self, value: Any) -> str:
        """The key of a value in the graph."""
        return f"v{self.place[id(value)]}"

    def parents(self, value: Any) -> tuple:
        """What a value was made from."""
        return tuple(getattr(value, self.view.operands))

    def number(self, value: Any) -> float:
        return getattr(value, self.view.number)

    def sign(self, value: Any) -> str:
        return str(getattr(value, self.view.sign, ""))

    def name(self, value: Any) -> str:
        """What a value is called: the learner's variable, or how it was computed."""
        return self.graph.values[self.place[id(value)]].name

    def title(self) -> str:
        """The name of the result, and how it was computed from the leaves if that is short."""
        name, texts = self.name(self.view.result), {}
        for value in self.values:
            leaf = not self.parents(value)
            text = self._written[id(value)] if leaf else self._formula(value, texts)
            texts[id(value)] = text if len(text) <= TITLE else "…"
        written = texts[id(self.view.result)]
        return name if "…" in written or written == name else f"{name} = {written}"

    def _add(self, value: Any) -> None:
        number, parents = len(self.graph.values), self.parents(value)
        name = self.view.called.get(id(value))
        if name is None and not parents:
            self._constants += 1
            name = f"c{subscript(self._constants)}"
            self._written[id(value)] = f"{self.number(value):g}"
        else:
            self._written[id(value)] = name or self._short_name(value)
        drawn = Value(f"v{number}", name or self._written[id(value)], f"{self.number(value):g}")
        drawn.shape, drawn.leaf, drawn.named = (), not parents, name is not None
        self.graph.values.append(drawn)
        self.makers[id(value)] = drawn.key
        if parents:
            self._add_operation(value, drawn, parents)

    def _short_name(self, value: Any) -> str:
        """How a value was made; a letter and a number where that is long, or taken."""
        written = self._formula(value)
        if len(written) <= NAME and written not in self._written.values():
            return written
        self._unnamed += 1
        return f"r{subscript(self._unnamed)}"

    def _add_operation(self, value: Any, drawn: Value, parents: tuple) -> None:
        sign = self.sign(value) or "?"
        key = f"n{len(self.graph.operations)}"
        operation = Operation(key, f"rule of {sign}", sign, len(self.graph.operations), drawn.key)
        operation.outputs = (drawn.key,)
        self.graph.operations.append(operation)
        self.makers[id(value)] = key
        for place, parent in enumerate(parents):
            edge = Edge(f"e{len(self.graph.edges)}", self.key(parent), key, place)
            self.graph.edges.append(edge)
            self.edges[id(value), place] = edge.key
            self.expected[id(parent)] += 1
        self.graph.edges.append(Edge(f"e{len(self.graph.edges)}", key, drawn.key))

    def _formula(self, value: Any, written: dict[int, str] | None = None) -> str:
        """How a value was made, in the texts of its parents."""
        known = self._written if written is None else written
        parents, sign = self.parents(value), self.sign(value)
        texts = [known[id(parent)] for parent in parents]
        if len(texts) == 2 and sign == "+":
            return " + ".join(texts)
        if len(texts) == 2 and sign == "×":
            return "·".join(f"({text})" if " + " in text else text for text in texts)
        return f"{sign or 'rule'}({', '.join(texts)})"


def _found(view: EngineView) -> Iterator[Any]:
    """All values behind the result, parents first; nothing recurses."""
    seen: set[int] = set()
    waiting: list[tuple[Any, bool]] = [(view.result, False)]
    while waiting:
        value, done = waiting.pop()
        if done:
            yield value
        elif id(value) not in seen:
            seen.add(id(value))
            waiting.append((value, True))
            parents = getattr(value, view.operands)
            waiting += [(parent, False) for parent in reversed(tuple(parents))]


# --- running the pass, with open eyes ----------------------------------------------------------


def record(view: EngineView, book: Book) -> tuple[list[Turn], Any, list[str]]:
    """The turns of one pass, what the result began with, and what a reader has to know besides."""
    turns: list[Turn] = []
    early: list[tuple[Any, Any, Any]] = []  # what is written before the first rule is asked
    notes: list[str] = []
    with _noting(view, book, turns, early):
        try:
            guarded(getattr(view.result, view.start))
        except TooLong:
            notes.append(_("Your engine did not come to an end, so it was stopped."))
        except Exception as error:
            said = _("Your engine stopped: {kind}: {error}")
            notes.append(said.format(kind=type(error).__name__, error=error))
    if len(turns) > MOST_TURNS:
        notes.append(_("Only the first {count} steps are shown.").format(count=MOST_TURNS))
    seeds = [after for value, _before, after in early if value is view.result]
    return turns[:MOST_TURNS], seeds[-1] if seeds else None, notes


@contextmanager
def _noting(view: EngineView, book: Book, turns: list[Turn], early: list) -> Iterator[None]:
    """Note each rule that is asked and each gradient that is written; put all back afterwards."""
    kind = type(view.result)
    before = [(value, getattr(value, view.tray, None)) for value in book.values]
    rules = [(value, getattr(value, view.rule, None)) for value in book.values]
    plain, own = kind.__setattr__, "__setattr__" in vars(kind)

    def noting(value: Any, name: str, new: Any) -> None:
        old = getattr(value, name, None) if name == view.tray else None
        plain(value, name, new)
        if name == view.tray and id(value) in book.place:
            (turns[-1].written if turns else early).append((value, old, new))

    for value, _tray in before:
        plain(value, view.tray, None)  # a pass from the beginning
    for value, rule in rules:
        if callable(rule):
            plain(value, view.rule, _told(value, rule, turns, early))
    kind.__setattr__ = noting
    try:
        yield
    finally:
        if own:
            kind.__setattr__ = plain
        else:
            del kind.__setattr__
        for value, rule in rules:
            plain(value, view.rule, rule)
        for value, tray in before:
            plain(value, view.tray, tray)


def _told(value: Any, rule: Any, turns: list[Turn], early: list) -> Any:
    def asked(came: Any) -> Any:
        parts = rule(came)
        turn = Turn(value, came, tuple(parts))
        written = turns[-1].written if turns else early
        if written and written[-1][0] is value and written[-1][2] is None:
            turn.written.append(written.pop())  # it was emptied to be sent: that is this turn's
        turns.append(turn)
        return parts

    return asked
