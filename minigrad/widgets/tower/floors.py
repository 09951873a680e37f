"""A formula, its gradient, the gradient of that: what each walk back leaves behind.

Everything is run by the engine and read off the graph through `grad_fn` and `next_functions`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import minigrad as mg
from minigrad.trace import numbers, read, record

from ...language import _
from ..safe import Refused, parse

HIGHEST = 5  #: floors above the first
MOST_NODES = 300  #: no further floor is built on a graph that is larger
BARE = "-"  #: behind the name of a leaf: a walk that is not recorded
AT = {"sin(x)": {"x": 1.0}, "tanh(x)": {"x": 0.5}}  #: where formulas with a button are looked at
USUAL = {"x": 2.0, "y": 3.0}
POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Node:
    """A node of the graph; `uses` are the keys of those that made its operands.

    `text` is the value that its operation made, printed.
    """

    key: int
    kind: str  #: its class, such as MulBackward0
    symbol: str
    uses: tuple[int, ...]
    text: str = ""
    leaf: str = ""  #: the leaf at which a gradient ends here


@dataclass(frozen=True)
class Floor:
    """What one walk back, or at first the formula, has made.

    Args:
        name: what it is called, such as ∂z/∂x.
        value: what it came to.
        new: the nodes that nothing before it has made, leaves among them on the first floor.
        total: how many nodes its graph has, all floors together.
        root: the key of the node that made it; None where there is none.
        recorded: whether create_graph=True was said.
    """

    name: str
    value: float
    new: tuple[Node, ...]
    total: int
    root: int | None
    recorded: bool = True

    @property
    def operations(self) -> tuple[Node, ...]:
        """Its new nodes without those of leaves."""
        return tuple(node for node in self.new if not node.leaf)

    @property
    def counts(self) -> dict[str, int]:
        """How often each symbol occurs on it, the most frequent first."""
        return dict(Counter(node.symbol for node in self.operations).most_common())


@dataclass(frozen=True)
class Built:
    """All floors, and the error that the last call stopped with, if it did."""

    text: str
    by: tuple[str, ...]
    values: dict[str, float]
    floors: tuple[Floor, ...]
    error: str = ""
    leaves: dict[str, int] = field(default_factory=dict)  #: keys of the nodes of leaves

    @property
    def top(self) -> Floor:
        return self.floors[-1]


def derivative(by: tuple[str, ...]) -> str:
    """What a gradient is called, by the leaves in the order in which they were asked for.

    As for all operators, the one that acts first stands next to what it acts on, on the right.

    >>> derivative(()), derivative(("x",)), derivative(("x", "x", "y"))
    ('z', '∂z/∂x', '∂³z/∂y∂x²')
    """
    if not by:
        return "z"
    order = reversed(dict.fromkeys(by))
    below = "".join(f"∂{name}{_power(by.count(name))}" for name in order)
    return f"∂{_power(len(by))}z/{below}"


def _power(number: int) -> str:
    return str(number).translate(POWERS) if number > 1 else ""


def places(text: str) -> dict[str, float]:
    """The leaves of a formula and where it is looked at.

    Raises `Refused` where the text is no formula of x, or of x and y, with one number as its value.

    >>> places("x * y"), places("tanh(x)")
    ({'x': 2.0, 'y': 3.0}, {'x': 0.5})
    """
    names = parse(text).names
    strangers = [name for name in names if name not in USUAL]
    if strangers:
        said = _("There are only x and y here, not `{}`.")
        raise Refused(said.format(strangers[0]), text, text.find(strangers[0]))
    if "x" not in names:
        raise Refused(_("x does not occur in it, so there is no slope by x."), text, 0)
    return {name: AT.get(text, USUAL)[name] for name in USUAL if name in names}


@lru_cache(128)
def build(text: str, by: tuple[str, ...]) -> Built:
    """Run a formula and the walks back that are asked for, each from the gradient before it.

    Args:
        text: the formula.
        by: the leaf of each walk, with `BARE` behind it where create_graph is left out.

    Raises `Refused` for a text that is no formula, and for a walk to what is no leaf of it.

    >>> [floor.total for floor in build("x * x * y", ("x", "x")).floors]
    [4, 6, 5]
    """
    values = places(text)
    for step in by:
        if step.removesuffix(BARE) not in values:
            said = _("`{}` is no leaf of this formula, so there is no walk back to it.")
            raise Refused(said.format(step), text, 0)
    leaves = {
        name: mg.tensor(value, dtype=mg.float64, requires_grad=True)
        for name, value in values.items()
    }
    with record() as tape:
        results, error = _run(text, by, leaves)
    reader = _Reader(leaves, tape)
    names = [one.removesuffix(BARE) for one in by]
    floors = tuple(
        reader.floor(derivative(tuple(names[:n])), result, n == 0 or not by[n - 1].endswith(BARE))
        for n, result in enumerate(results)
    )
    return Built(text, by, values, floors, error, reader.found)


def _run(text: str, by: tuple[str, ...], leaves: dict[str, Any]) -> tuple[list[Any], str]:
    """The formula's value and the gradients, as far as it goes, and the error that ended it."""
    results = [parse(text)(leaves)]
    if results[0].numel() != 1 or results[0].grad_fn is None:
        said = _("The result has to be one number, made from x by an operation.")
        raise Refused(said, text, 0)
    for step in by:
        leaf, recorded = leaves[step.removesuffix(BARE)], not step.endswith(BARE)
        try:
            results += mg.autograd.grad(results[-1], leaf, create_graph=recorded)
        except RuntimeError as stop:
            return results, str(stop)
    return results, ""


class _Reader:
    """Numbers nodes in the order in which they are met, and tells new ones from old ones."""

    def __init__(self, leaves: dict[str, Any], tape: Any):
        self._steps = {step.sequence: step for step in tape.steps}
        self._names = {id(leaf): name for name, leaf in leaves.items()}
        self._keys: dict[Any, int] = {}  # the nodes themselves, so that they stay alive
        self.found: dict[str, int] = {}

    def floor(self, name: str, result: Any, recorded: bool = True) -> Floor:
        """The floor that ends in `result`."""
        root = result.grad_fn
        reached = _reached(root)
        new = [node for node in reached if node not in self._keys]
        for node in new:
            self._keys[node] = len(self._keys)
        made = tuple(self._node(node) for node in new)
        key = None if root is None else self._keys[root]
        return Floor(name, result.item(), made, len(reached), key, recorded)

    def _node(self, node: Any) -> Node:
        key, leaf = self._keys[node], ""
        if read.accumulates(node):
            leaf = self._names[id(node.variable)]
            self.found[leaf] = key
        uses = tuple(self._keys[one] for one, _output in node.next_functions if one is not None)
        sign = read.symbol(node)
        if sign.endswith("_backward"):  # the slope of tanh, as an operation of its own
            sign = f"{sign.removesuffix('_backward')}′"
        step = self._steps.get(read.sequence(node))
        text = "" if step is None else numbers.brief(step.output(0))
        return Node(key, read.class_name(node), sign, uses, text, leaf)


def _reached(root: Any) -> list[Any]:
    """The nodes of a graph, those that were made first at the beginning; leaves before all."""
    seen, waiting = {}, [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen[node] = None
            waiting += [one for one, _output in node.next_functions if one is not None]
    return sorted(seen, key=lambda node: (not read.accumulates(node), node._sequence_nr()))
