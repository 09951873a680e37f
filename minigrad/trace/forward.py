"""What a forward pass leaves behind for pictures: a `Step` for each operation, on its node.

A `Step` knows what the graph itself forgets: plain numbers such as the 1 in ``x + 1``, and results
that no operation saved. It is kept in the ``metadata`` of the node, so it lives exactly as long
as the graph does. Of a tensor of up to `COPIED` elements it has a copy. A larger one is kept by
reference, together with its version: should it have been written to since, its value is unknown.
"""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, count, islice
from typing import Any

import numpy as np

from .names import is_tensor, stale_view, version_of
from .numbers import raw
from .read import class_name, sequence

KEY = "minigrad.trace"  #: where a node's metadata has its Step
COPIED = 1024  #: tensors of up to so many elements are copied
WAITING = 64  #: steps whose node has not been met yet

ASKED = object()  #: stands for an operand that asks for a gradient: its edge leads to it


class Kept:
    """The value of a tensor at one moment, as a copy, or by reference where it is large."""

    __slots__ = ("tensor", "copy", "version")

    def __init__(self, tensor: Any, alias: Any = None):
        small = tensor.numel() <= COPIED
        self.copy = tensor.detach().clone() if small else None
        self.tensor = tensor if alias is None else None if small else alias
        self.settle()

    def settle(self) -> None:
        """Take the version once the operation has ended: writing in place counts it up."""
        self.version = None if self.tensor is None else version_of(self.tensor)

    def now(self) -> Any | None:
        """The tensor itself while nobody wrote to it, else the copy; None if neither is there."""
        unchanged = self.tensor is not None and version_of(self.tensor) == self.version
        return self.tensor if unchanged else self.copy


class Step:
    """One recorded operation: operands by argument number, and results.

    Attributes:
        name: class name of the node, or the operation's own name until that is known.
        sequence: creation number of the node.
        forward: the `Forward` that recorded it.
    """

    __slots__ = ("name", "sequence", "forward", "_items", "_results", "_aligned", "__weakref__")

    def __init__(self, name: str, sequence: int, forward: Forward, items: list, results: list):
        self.name = name
        self.sequence = sequence
        self.forward = forward
        self._items = items
        self._results = results
        self._aligned = False

    @property
    def inputs(self) -> tuple:
        """The operands: numbers, tensors that ask for no gradient, and None for all others."""
        known = (None if item is ASKED else item for item in self._items)
        return tuple(item.now() if isinstance(item, Kept) else item for item in known)

    def output(self, number: int) -> np.ndarray | None:
        """The numbers of one result; None where they are lost or there is no such result."""
        kept = self._results[number] if number < len(self._results) else None
        value = None if kept is None else kept.now()
        return None if value is None else raw(value)

    def settle(self) -> None:
        for kept in self._results:
            if kept is not None:
                kept.settle()

    def align(self, edges: tuple) -> None:
        """Put the operands into the order of the node's edges; those without an edge go last."""
        if not self._aligned:
            self._aligned = True
            self._items = aligned(self._items, [target is not None for target, _ in edges])

    def learn(self, number: int, tensor: Any) -> None:
        """Result ``number``, met as the operand of a later operation."""
        self._results += [None] * (number + 1 - len(self._results))
        if self._results[number] is None:
            self._results[number] = keep(tensor, tensor.detach())


def keep(tensor: Any, alias: Any = None) -> Kept | None:
    """The value of a tensor, or None for a kind of tensor that has no numbers to show."""
    if getattr(tensor, "is_meta", False):
        return None
    if tensor.is_inference() and tensor.numel() > COPIED:
        return None  # it counts no writes, so nobody would know of one
    try:
        return Kept(tensor, alias)
    except (RuntimeError, TypeError):
        return None  # a nested tensor


def aligned(items: list, wanted: list[bool]) -> list:
    """Operands in the order of edges, ``wanted`` telling which edges lead somewhere.

    An operation may have more operands than edges: no edge belongs to indices, nor to the
    weights of classes. Whole numbers never have one, and the first operands rather than the last.

    >>> aligned([True, ASKED, 2.0], [True, False]) == [ASKED, 2.0, True]
    True
    """
    if len(items) <= len(wanted):
        return items
    likely = [i for i, item in enumerate(items) if not _whole(item)]
    for pool in (likely, range(len(items))):
        for chosen in islice(combinations(pool, len(wanted)), 1000):
            if all((items[i] is ASKED) == asked for i, asked in zip(chosen, wanted)):
                rest = [item for i, item in enumerate(items) if i not in chosen]
                return [items[i] for i in chosen] + [item for item in rest if item is not None]
    return items


def _whole(item: Any) -> bool:
    """Whether an operand is made of whole numbers or truth values, which have no derivative."""
    if isinstance(item, Kept):
        tensor = item.tensor if item.tensor is not None else item.copy
        return not (tensor.is_floating_point() or tensor.is_complex())
    return isinstance(item, bool)


# -- calls of modules --------------------------------------------------------------------


@dataclass(eq=False)
class Call:
    """One call of a module: which nodes were made in it, and what a picture says about it.

    ``first`` to ``last`` are the creation numbers of the nodes that were made meanwhile.
    """

    number: int  #: which of all calls it is
    path: str  #: ``net.0``
    kind: str  #: the class: ``Linear``
    facts: dict[str, Any]  #: sizes, as the module's attributes tell them
    structure: tuple  #: equal for modules built alike
    parent: Call | None  #: the call around it
    first: int
    last: int | None = None  #: None while it runs
    time: int = 1  #: which call of this module it is, from 1
    given: frozenset[int] = frozenset()  #: the ids of the tensors among its arguments

    def around(self) -> Iterator[Call]:
        """The call itself and those around it, the innermost first."""
        call: Call | None = self
        while call is not None:
            yield call
            call = call.parent


FACTS = (
    "in_features", "out_features", "in_channels", "out_channels", "kernel_size", "num_heads",
    "num_embeddings", "embedding_dim", "normalized_shape", "num_features", "input_size",
    "hidden_size", "p",
)  # fmt: skip


class Forward:
    """One watched forward pass in one library: names and calls of modules, and recorded steps.

    It holds no node and, of the reader's modules and parameters, only weak references.
    """

    def __init__(self, variables: dict[str, Any] | None = None):
        self.calls: list[Call] = []
        self._variables = variables or {}  # by which modules are known that were not
        self._named: dict[int, tuple[weakref.ref, str]] = {}
        self._classed: set[str] = set()  # names that are no more than the class of a module
        self._structures: dict[int, tuple] = {}
        self._times: dict[str, int] = {}
        self._results: dict[int, tuple[weakref.ref, str]] = {}
        self._open: list[tuple[Call, Any, tuple]] = []  # call, module, arguments
        self.waiting: OrderedDict[int, Step] = OrderedDict()  # by number, node not yet met
        self.failed_in: tuple | None = None  # exception, call, module and arguments
        self.number = next(NUMBERS)
        LIVING.add(self)

    # -- names

    def adopt(self, module: Any, name: str) -> None:
        """Know a module, its parts and all parameters by name."""
        dot = f"{name}." if name else ""
        found = (*module.named_modules(), *module.named_parameters(), *module.named_buffers())
        for path, thing in found:
            path = path.replace("_orig_mod.", "").removesuffix("_orig_mod")
            self._named.setdefault(id(thing), (weakref.ref(thing), (dot + path).strip(".")))

    def name_of(self, thing: Any) -> str | None:
        """The path of a module, parameter or buffer; None for what is not known."""
        reference, name = self._named.get(id(thing), (None, None))
        return name if reference is not None and reference() is thing else None

    def tensors(self, classed: bool = False) -> Iterator[tuple[str, Any]]:
        """Parameters and buffers by path, as far as they still live.

        Those of modules that go by their class, because nobody named them, are given apart.
        """
        for reference, name in self._named.values():
            thing = reference()
            if is_tensor(thing) and (name.partition(".")[0] in self._classed) is classed:
                yield name, thing

    def _name(self, module: Any) -> str:
        """The path of a module that is called; one that nobody named goes by its class."""
        name = self.name_of(module)
        if name is None:
            known = (n for n, variable in self._variables.items() if variable is module)
            found = next(known, None)
            if found is None:
                self._classed.add(found := type(module).__name__)
            self.adopt(module, found)
            name = self.name_of(module)
        return name or ""

    # -- calls

    def enter(self, module: Any, arguments: tuple, sequence: int) -> None:
        """A module is called; nodes from ``sequence`` on are made in it."""
        path = self._name(module)
        time = self._times[path] = self._times.get(path, 0) + 1
        parent = self._open[-1][0] if self._open else None
        facts = {fact: _attribute(module, fact) for fact in FACTS}
        facts = {name: fact for name, fact in facts.items() if fact is not None}
        facts["parts"] = len(dict(module.named_children()))
        asking = [parameter.requires_grad for parameter in module.parameters()]
        facts["frozen"] = bool(asking) and not any(asking)
        built, given = self._structure(module), frozenset(map(id, tensors_in(arguments)))
        about = path, type(module).__name__, facts, built
        call = Call(next(NUMBERS), *about, parent, sequence, None, time, given)
        self._open.append((call, module, arguments))
        self.calls.append(call)

    def leave(self, module: Any, sequence: int, error: BaseException | None = None) -> None:
        """A call has ended; ``sequence`` is the number of the last node made in it."""
        if not any(entry[1] is module for entry in self._open):
            return
        if error is not None and (self.failed_in is None or self.failed_in[0] is not error):
            self.failed_in = (error, *self._open[-1])
        while True:
            call, left, _ = self._open.pop()
            call.last = sequence
            if left is module:
                return

    def gave(self, module: Any, output: Any) -> None:
        """A call has ended with a result; one that asks for no gradient is nobody's node."""
        for tensor in tensors_in(output):
            if not tensor.requires_grad:
                self._results[id(tensor)] = weakref.ref(tensor), self.name_of(module) or ""

    def giver_of(self, tensor: Any) -> str | None:
        """The path of the outermost module that gave a tensor which asks for no gradient."""
        reference, path = self._results.get(id(tensor), (None, None))
        return path if reference is not None and reference() is tensor else None

    def _structure(self, module: Any) -> tuple:
        if id(module) not in self._structures:
            parts = tuple((path, type(part).__name__) for path, part in module.named_modules())
            sizes = tuple((path, tuple(p.shape)) for path, p in module.named_parameters())
            self._structures[id(module)] = (parts, sizes)
        return self._structures[id(module)]

    def call_of(self, sequence: int) -> Call | None:
        """The innermost call in which a node was made."""
        place = bisect_right(self.calls, sequence, key=lambda call: call.first)
        around = self.calls[place - 1].around() if place else ()
        return next((c for c in around if c.last is None or sequence <= c.last), None)

    def ended(self) -> None:
        """The block is over: what was needed while modules ran is let go of."""
        self._open.clear()
        self._variables = {}
        self._structures.clear()
        self.failed_in = None

    # -- steps

    def found(self, step: Step, node: Any) -> None:
        """The node of a step is known: from now on the node keeps it."""
        step.name = class_name(node)
        step.align(node.next_functions)
        node.metadata[KEY] = step
        self.waiting.pop(step.sequence, None)
        for target, _ in node.next_functions:
            number = None if target is None else sequence(target)
            if number in self.waiting and _belongs(self.waiting[number], target):
                self.found(self.waiting[number], target)

    def wait(self, step: Step) -> None:
        """The node of a step can only be met later."""
        self.waiting[step.sequence] = step
        while len(self.waiting) > WAITING:
            self.waiting.popitem(last=False)

    def met(self, tensor: Any) -> None:
        """A tensor is used: the operation that made it may not be known, or not this result."""
        node = None if stale_view(tensor) else tensor.grad_fn
        if node is None:
            return
        step = self.step_of(node)
        if step is None:
            step = Step(class_name(node), sequence(node), self, [], [])
            step._aligned = True
            node.metadata[KEY] = step
        step.learn(tensor.output_nr, tensor)

    def step_of(self, node: Any) -> Step | None:
        step = node.metadata.get(KEY)
        if step is None:
            step = self.waiting.get(sequence(node))
            if step is None or not _belongs(step, node):
                return None
            self.found(step, node)
        return step


NUMBERS = count()

#: What somebody still holds: a tape, or a node of a graph.
LIVING: weakref.WeakSet[Forward] = weakref.WeakSet()


def step_of(node: Any, tape: Any = None) -> Step | None:
    """What was recorded about a node: under any `watch`, or under one alone."""
    metadata = getattr(node, "metadata", None)
    if metadata is None or sequence(node) is None:
        return None
    step = metadata.get(KEY)
    if step is None:
        steps = (forward.step_of(node) for forward in list(LIVING))
        step = next((step for step in steps if step is not None), None)
    if step is not None and tape is not None and step.forward not in tape.forwards:
        return None
    return step


def named_in(forwards: Iterable[Forward], classed: bool = False) -> Iterator[tuple[str, Any]]:
    """Names and tensors that some watched passes know.

    Args:
        forwards: the passes.
        classed: whether those of modules that nobody named are wanted, or those of the others.
    """
    for forward in forwards:
        yield from forward.tensors(classed)


def passes_behind(roots: Iterable[Any]) -> list[Forward]:
    """The watched passes that made the nearest nodes behind some roots, the roots included."""
    waiting = [root for root in roots if LIVING and root is not None]
    seen, found = set(waiting), {}
    for node in waiting:  # the list grows while it is walked
        step = step_of(node)
        if step is None:
            behind = [to for to, _ in node.next_functions if to is not None and to not in seen]
            seen.update(behind)
            waiting += dict.fromkeys(behind)
        else:
            found[step.forward] = None
    return [*found]


def other_passes(than: Iterable[Forward]) -> list[Forward]:
    """The watched passes that are still known besides those, the newest first."""
    return sorted(LIVING - {*than}, key=lambda forward: -forward.number)


def forwards_of(nodes: Iterable[Any]) -> Iterator[Forward]:
    """The forward passes that made some nodes, each once."""
    steps = (step_of(node) for node in nodes)
    yield from dict.fromkeys(step.forward for step in steps if step is not None)


def giver_of(tensor: Any) -> str | None:
    """The module whose call, in any pass that is still known, gave a tensor without a graph."""
    return next(filter(None, (forward.giver_of(tensor) for forward in list(LIVING))), None)


def _belongs(step: Step, node: Any) -> bool:
    """Whether a step may be that of a node with its number: numbers of two threads may tie."""
    named, made = _letters(step.name), _letters(class_name(node).partition("Backward")[0])
    return named.startswith(made) or made.startswith(named)


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _attribute(module: Any, name: str) -> Any:
    """A size that a module tells; nothing is computed, so a property is not asked."""
    found = vars(module).get(name)
    whole = isinstance(found, (int, float, tuple)) and not isinstance(found, bool)
    return found if whole else None


def tensors_in(things: Any) -> list:
    """All tensors in a result or in arguments, in nested tuples, lists and dicts, too."""
    if is_tensor(things):
        return [things]
    if isinstance(things, dict):
        things = list(things.values())
    if isinstance(things, (tuple, list)):
        return [tensor for thing in things for tensor in tensors_in(thing)]
    return []
