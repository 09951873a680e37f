"""Running a chain of equal operations, and counting what its graph keeps after each of them.

Every number comes out of a run of the engine: an operation that runs, runs again or runs backward
leaves one `Moment` behind, with the bytes that are kept by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any
from weakref import ref

from .kept import GraphMemory, owner, storage

OPERATIONS = {"+": "y = y + x", "×": "y = y * x", "tanh": "y = y.tanh()"}
FORWARD, AGAIN, BACK = "forward", "again", "back"


@dataclass(frozen=True)
class Setting:
    """What to run. `every` is the length of the parts that run again in backward; 0 for none."""

    operation: str
    depth: int
    width: int
    recorded: bool = True
    retain: bool = False
    every: int = 0
    passes: int = 0  #: how often backward is called


@dataclass(frozen=True)
class Moment:
    """One operation that ran, forward, again or back, and the bytes that are kept after it."""

    kind: str
    bytes: int


@dataclass
class Run:
    """What a setting did. `before` and `after` are bytes, `tensors` how many there are before."""

    setting: Setting
    moments: list[Moment] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  #: moments after forward, after each backward
    before: int = 0
    tensors: int = 0
    after: int = 0
    error: str = ""  #: what the last backward raised
    nodes: int = 0  #: operation nodes that are reached from the result

    @property
    def stages(self) -> list[list[Moment]]:
        """The moments of the forward pass, then those of each backward."""
        return [self.moments[start:end] for start, end in pairwise([0, *self.ends])]

    def most_in(self, number: int) -> int:
        """The most bytes that were kept at once in a stage, what it began with included."""
        at_first = self.stages[number - 1][-1:] if number else []
        return max((moment.bytes for moment in at_first + self.stages[number]), default=0)

    def runs(self, kind: str) -> int:
        """How many operations ran forward, again or back."""
        return sum(moment.kind == kind for moment in self.moments)

    @property
    def most(self) -> int:
        """The most bytes that were kept at once."""
        return max((moment.bytes for moment in self.moments), default=0)


class _Chain:
    """The chain while it runs."""

    def __init__(self, setting: Setting):
        import minigrad as mg

        self.mg, self.setting = mg, setting
        self.run = Run(setting)
        self.memory = GraphMemory()
        self.again: list[tuple[tuple[int, int], Any]] = []  # what a second run saved
        self.running_back = False
        self.x = mg.full((setting.width,), 0.5, requires_grad=True)
        self.step: Callable[[Any], Any] = {
            "+": lambda y: y + self.x,
            "×": lambda y: y * self.x,
            "tanh": lambda y: y.tanh(),
        }[setting.operation]

    # -- counting

    def bytes(self) -> int:
        alive = {place for place, array in self.again if array() is not None}
        return sum((self.memory.storages | dict(alive)).values())

    def note(self, kind: str) -> None:
        self.run.moments.append(Moment(kind, self.bytes()))

    def let_go(self) -> None:
        """Count again after an operation ran back: its node lets go when its hooks are done."""
        moments = self.run.moments
        if moments and moments[-1].kind == BACK:
            moments[-1] = Moment(BACK, self.bytes())

    def forward(self, y: Any) -> Any:
        """One operation, noted; what it saves in a second run is followed from here."""
        y = self.step(y)
        if self.running_back:
            # Of x it cannot be told who holds it; the first part keeps it until it is done.
            saved = ((storage(kept), ref(owner(kept))) for kept in saved_by(y.grad_fn))
            self.again += [one for one in saved if one[0] != storage(self.x)]
        self.note(AGAIN if self.running_back else FORWARD)
        return y

    # -- running

    def result(self) -> Any:
        """Run the whole chain; returns the last y."""
        setting, y, done = self.setting, self.x, 0
        while setting.every and setting.recorded and done < setting.depth:
            count = min(setting.every, setting.depth - done)
            # To its end, so that the last saved value of a part is seen, too.
            y = self.mg.utils.checkpoint.checkpoint(
                self.part(count), y, use_reentrant=False, early_stop=False
            )
            done += count
        return self.part(setting.depth - done)(y)

    def part(self, count: int) -> Callable[[Any], Any]:
        def part(y: Any) -> Any:
            for _ in range(count):
                y = self.forward(y)
            return y

        return part

    def ran(self) -> Run:
        run, setting = self.run, self.setting
        with self.memory, self.mg.set_grad_enabled(setting.recorded):
            loss = self.result().sum()
        run.ends.append(len(run.moments))
        run.before, run.tensors = self.memory.bytes, self.memory.tensors
        nodes = list(operations(loss.grad_fn))
        run.nodes = len(nodes)
        for node in nodes:
            node.register_prehook(lambda came: self.let_go())
            node.register_hook(lambda sent, came: self.note(BACK))
        self.running_back = True
        for _ in range(setting.passes):
            try:
                loss.backward(retain_graph=setting.retain)
            except RuntimeError as error:
                run.error = str(error)
            self.let_go()
            run.ends.append(len(run.moments))
        run.after = self.bytes()
        return run


def saved_by(node: Any) -> Iterator[Any]:
    """The tensors that a node of the engine saved."""
    for name in node.saved_names():
        kept = getattr(node, f"_saved_{name}")
        if hasattr(kept, "grad_fn"):
            yield kept


def operations(root: Any) -> Iterator[Any]:
    """The nodes of the chain behind the sum, newest first."""
    found, waiting = set(), [edge[0] for edge in root.next_functions] if root else []
    while waiting:
        node = waiting.pop()
        if node is None or node in found or node.name().endswith("AccumulateGrad"):
            continue
        found.add(node)
        yield node
        waiting += [edge[0] for edge in node.next_functions]


@lru_cache(256)
def ran(setting: Setting) -> Run:
    """Run a setting.

    >>> run = ran(Setting("tanh", 10, 1000, passes=1))
    >>> run.before, run.after, run.runs(FORWARD), run.runs(BACK)
    (40000, 0, 10, 10)
    """
    return _Chain(setting).ran()
