"""How an operation is declared, and how it is recorded.

A :class:`Rule` states one operation's mathematics: for each operand, the formula that turns the
gradient ``g`` of the result into the gradient of that operand. **The other parameter names of a
formula say what the node saves**: ``other=lambda g, self: g * self`` needs ``self``, so ``self`` is
kept, and shows up as ``grad_fn._saved_self``.

One formula serves both kinds of backward pass. In a plain pass it computes with raw arrays, which
is fast; under ``create_graph`` it computes with Tensors, whose operations are recorded in turn.
That works because every operation accepts raw arrays too, and then answers with a raw array.

:meth:`Rule.record` makes the nodes; elementwise operations have ways of their own
(:mod:`.elementwise`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograd.around import Around
from ..autograd.grad_mode import OFF, WATCHED, state
from ..autograd.node import DEAD_END, Node, Output, edge_to
from ..autograd.saved import (
    SavedInput,
    SavedOutput,
    already_freed,
    reshaped,
    unpacked,
)
from ..tensor import Tensor, gradient_edge, made_by, wrap
from .promotion import NUMBERS, number
from .template import written

# Every operation by name; functions, methods and in-place forms are bound from it.
OPERATIONS: dict[str, Callable] = {}


class Rule:
    """What one kind of node knows about its operation.

    Attributes:
        name: the operation, such as ``mul``.
        symbol: how pictures show it, such as ``×``.
        operands: the names of the operands that have a derivative, in order.
        formulas: operand name -> function ``(g, *saved values and arguments)``.
        saves: the names of the values the formulas ask for.
        sakes: for each of them, the place of the one operand for whose sake it is saved, or None.
        arguments: the names of plain arguments the formulas ask for.
        node_name, kind: the name of its nodes in PyTorch, and what they are here besides.
    """

    def __init__(self, name, node_name, formulas, *, arguments=(), symbol=None, kind=None):
        self.name = name
        self.symbol = symbol or name
        self.operands = tuple(formulas)
        self.formulas = formulas
        self.arguments = arguments
        parameters = {operand: parameters_of(formula) for operand, formula in formulas.items()}
        asked = dict.fromkeys(p for names in parameters.values() for p in names)
        # PyTorch packs and unpacks what it saves in this order: by name, the result last.
        saves = sorted(p for p in asked if p not in (*arguments, "result"))
        self.saves = (*saves, *(["result"] if "result" in asked else []))
        self.sakes = tuple(map(self.sake_of, self.saves))
        self.node_name, self.kind = node_name, kind or RuleNode

    def sake_of(self, saved: str) -> int | None:
        """The place of the one operand for whose sake this value is saved.

        What several formulas share, or the only one needs, PyTorch keeps for nobody, too: None.
        """
        formulas = self.formulas.values()
        askers = [i for i, formula in enumerate(formulas) if saved in parameters_of(formula)]
        return askers[0] if len(askers) == 1 < len(formulas) else None

    @functools.cached_property
    def node(self) -> type[RuleNode]:
        """The class of the nodes; most programs need few of them, so it is made on first use."""
        for operand, formula in self.formulas.items():  # a name in tracebacks instead of <lambda>
            if formula.__name__ == "<lambda>":
                shown = f"{self.name}_gradient_of_{operand}"
                formula.__code__ = formula.__code__.replace(co_name=shown)
        members = {
            "__slots__": ("args",) if self.arguments else (),
            "__module__": "minigrad.ops",
            "rule": self,
        }
        if self.kind.is_written:
            members["send"] = self.send(self.formulas)
        members |= {f"_saved_{name}": saved_value(i) for i, name in enumerate(self.saves)}
        members |= {f"_raw_saved_{name}": raw_saved_value(i) for i, name in enumerate(self.saves)}
        members |= {f"_saved_{a}": shown_argument(a, i) for i, a in enumerate(self.arguments)}
        return type(self.node_name, (self.kind,), members)

    def send(self, formulas: dict[str, Callable]) -> Callable:
        """The function that differentiates nodes of this rule, with these formulas."""
        return written(self, formulas, self.kind.in_slots, issubclass(self.kind, SeveralNode))

    def record(self, value, /, *operands, specs=None, **named):
        """A Tensor around ``value``, with a node if anybody asked for gradients.

        ``operands`` are in the order of the formulas, ``named`` holds what the formulas ask for
        besides ``result``. Where no operand is a Tensor the answer is ``value`` itself: a formula
        is computing with raw arrays.
        """
        here = state.here
        off = here.mode is OFF
        tensors = tracked = False
        alike = True
        edges = []
        for operand in operands:
            edge = None
            if operand.__class__ is Tensor or isinstance(operand, Tensor):
                tensors = True
                alike = alike and operand._value.dtype is value.dtype
                if not off:
                    edge = operand._edge if operand._meta is None else gradient_edge(operand)
                    tracked = tracked or edge is not None
            edges.append(edge)
        if not tensors:
            return value
        if not tracked or value.dtype.kind != "f":
            return wrap(value)
        node = self.node(tuple(edges))
        if self.arguments:
            node.args = tuple([named[name] for name in self.arguments])
        result = made_by(node, value)
        if self.saves:
            node.saved = self.keep(edges, named, result)
        if specs is not None or not alike:
            node.specs = (specs or specs_of)(operands, value)
        if here.mode is WATCHED:
            notify(node, operands, result)
        return result

    def record_broadcast(self, value, /, *operands, **named):
        """Like :meth:`record` for operands that may have been broadcast."""
        return self.record(value, *operands, specs=specs_of, **named)

    def record_several(self, values, operand, /, **named):
        """Like :meth:`record` for several results: a tuple of Tensors with one node."""
        if not isinstance(operand, Tensor):
            return tuple(values)
        edge = edge_of(operand)
        if state.here.mode is OFF or edge is None:
            return tuple([wrap(value) for value in values])
        node = self.new_node((edge,), [named[name] for name in self.arguments])
        node.outputs = len(values)
        results = tuple(
            [
                made_by(edge_to(node, i), value) if value.dtype.kind == "f" else wrap(value)
                for i, value in enumerate(values)
            ]
        )
        node.saved = self.keep(node.edges, named, results)
        if state.here.mode is WATCHED:
            notify(node, (operand,), results)
        return results

    def new_node(self, edges: tuple, args=()) -> Node:
        """A node of this rule, which has saved nothing yet."""
        node = self.node(edges)
        if args:
            node.args = tuple(args)
        return node

    def keep(self, edges, named, result) -> tuple:
        """What a node saves: the values whose formulas will be asked for."""
        kept, nothing = [], True
        for name, sake in zip(self.saves, self.sakes):
            value = None
            if name == "result":
                value = SavedOutput(result)
            elif sake is None or edges[sake] is not None and edges[sake] is not DEAD_END:
                value = named[name]
                value = save(value) if isinstance(value, Tensor) else value
            kept.append(value)
            nothing = nothing and value is None
        return () if nothing else tuple(kept)

    def __repr__(self) -> str:
        return f"<rule of {self.name}: {self.node_name}>"


def parameters_of(formula: Callable) -> tuple[str, ...]:
    """The names a formula asks for besides ``g``; it does without those that begin with ``_``."""
    names = formula.__code__.co_varnames[1 : formula.__code__.co_argcount]
    return tuple(name for name in names if name[0] != "_")


class RuleNode(Node):
    """A node whose derivative is the formulas of a rule."""

    __slots__ = ()
    is_written = True  # whether ``send`` is written out from the formulas, for each rule
    in_slots = False  # whether edges and saved values are in slots of their own, or in tuples

    def saved_names(self) -> tuple[str, ...]:
        return self.rule.saves


class SeveralNode(RuleNode):
    """The node of several results: formulas get a list of gradients, None where nobody used one."""

    __slots__ = ("outputs",)


def number_as_tensor(number) -> Tensor:
    """A number as PyTorch saves it: a 0-d tensor of the widest dtype of its kind."""
    return wrap(np.asarray(number)[()])


# What a node shows of itself is made of real properties of its class. A ``__getattr__`` would do
# with less code, and take from CPython its fast access to *all* attributes of the class.


def saved_value(i: int) -> property:
    """What ``grad_fn._saved_self`` shows, for the value that is saved in this place."""

    def read(node: RuleNode) -> Any:
        if node.is_freed:
            raise already_freed(node, node.saved)
        if not node.saved:
            return None
        value = unpacked(node.saved[i], node, recorded=True)
        return number_as_tensor(value) if value.__class__ in NUMBERS else value

    return property(read)


def raw_saved_value(i: int) -> property:
    """What ``grad_fn._raw_saved_self`` gives, for the value that is saved in this place."""
    return property(lambda node: Around.load("extras.saved_hooks").SavedTensor(node, i))


def shown_argument(name: str, i: int) -> property:
    """What ``grad_fn._saved_dim`` shows, for the argument in this place."""
    if name.startswith(COUNTS):
        return property(lambda node: unsigned(node.args[i]))
    return property(lambda node: node.args[i])


COUNTS = ("dim", "index", "ignore_index", "start", "end", "shifts", "offset", "diagonal")


def unsigned(value):
    """A count as a node shows it: negative ones read as unsigned 64-bit numbers."""
    if isinstance(value, tuple):
        return tuple(map(unsigned, value))
    return value + 2**64 if value.__class__ is int and value < 0 else value


# -- recording -------------------------------------------------------------------------------------


def save(operand):
    """What a node keeps of an operand: a number, or the tensor and its version unless 0."""
    if operand.__class__ is Tensor or isinstance(operand, Tensor):
        counter = operand._counter
        if counter is None or counter.value == 0 and not reshaped(operand):
            return operand
        return SavedInput(operand)
    return number(operand)


def edge_of(operand) -> Node | Output | None:
    """Where the gradient of an operand goes; None for numbers and for tensors that need none."""
    if operand.__class__ is Tensor or isinstance(operand, Tensor):
        if operand._meta is None or state.here.mode is OFF:
            return operand._edge
        return gradient_edge(operand)
    return None


def notify(node: Node, inputs: tuple, output) -> None:
    """Tell those who watch this thread of a new node."""
    for watcher in state.here.watchers:
        watcher(node, inputs, output)


def specs_of(operands: tuple, value) -> tuple | None:
    """The shape and dtype to bring each gradient back to, where operands are unlike the result.

    None if all are like it; an operand that was neither broadcast nor promoted has None, unless
    another was promoted, for then its gradient comes in the dtype of that.
    """
    shape, dtype = value.shape, value.dtype
    specs, alike, fit = [], True, True
    for operand in operands:
        spec = None
        if operand.__class__ is Tensor or isinstance(operand, Tensor):
            x = operand._value
            alike = alike and x.dtype is dtype
            if x.shape != shape:
                spec, fit = (x.shape, dtype), False
        specs.append(spec)
    if alike:
        return None if fit else tuple(specs)
    xs = [operand._value if isinstance(operand, Tensor) else value for operand in operands]
    return tuple([(x.shape, x.dtype) for x in xs])


def publish(operation: Callable, name: str, rule: Rule | None = None) -> Callable:
    """Enter an operation into the table that functions and methods are bound from."""
    operation.__name__ = operation.__qualname__ = name
    operation.rule = rule
    OPERATIONS[name] = operation
    return operation


# -- how an operation that is not elementwise is declared: in one line above its function ----------


TENSORS = frozenset({"self", "source", "index", "indices", "condition", "mask", "result"})


def moving(name: str, formula=None, *, node="", symbol="", kind=None, **others: Callable) -> Rule:
    """A rule that saves none but :data:`TENSORS`; its node is ``<Name>Backward0`` unless given.

    ``formula`` is that of the operand ``self``; ``others`` holds those of other operands. For
    ``symbol`` and ``kind`` see :class:`~.rule.Rule`.

    >>> rule = moving("index_select", lambda g, dim, index, self_sym_sizes: g)
    >>> rule, rule.saves, rule.arguments
    (<rule of index_select: IndexSelectBackward0>, ('index',), ('dim', 'self_sym_sizes'))
    """
    formulas = {"self": formula, **others} if formula else others
    asked = dict.fromkeys(p for formula in formulas.values() for p in parameters_of(formula))
    arguments = tuple([p for p in asked if p not in TENSORS])
    node = node or "".join(map(str.capitalize, name.split("_"))) + "Backward0"
    symbol = symbol or name.removesuffix("_")
    return Rule(name, node, formulas, arguments=arguments, symbol=symbol, kind=kind)


def operation(rule: Rule | Callable | None = None, **formulas) -> Callable:
    """Publish the function below with this rule, or with the rule of such formulas.

    The function finds it as its attribute ``rule``. None is for what has no derivative.
    """

    def published(function: Callable) -> Callable:
        given = formulas or not (rule is None or isinstance(rule, Rule))
        name = function.__name__
        return publish(function, name, moving(name, rule, **formulas) if given else rule)

    return published
