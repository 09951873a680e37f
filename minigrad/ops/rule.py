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
from typing import Any, NamedTuple

import numpy as np

from ..autograd.grad_mode import OFF, WATCHED, state
from ..autograd.graph import DEAD_END, Node, Output, edge_to
from ..autograd.saved import Freed, Saved, SavedInput, SavedOutput, already_freed, unchanged
from ..tensor import Tensor, gradient_edge, made_by, wrap
from .operands import NUMBERS, number

# Every operation by name; functions, methods and in-place forms are bound from it.
OPERATIONS: dict[str, Callable] = {}


class Local(NamedTuple):
    """The local derivative with respect to one operand, to be read by people.

    ``symbols`` is an expression over the operands' names, ``result`` and the arguments; ``words`` a
    plain phrase.
    """

    symbols: str
    words: str


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
        locals: operand name -> :class:`Local`, for elementwise operations.
        plan: for each formula, in the order in which they are computed: the place of its operand,
            the formula, and which of the saved values and arguments it asks for.
        node_name, kind: the name of its nodes in PyTorch, and what they are here besides.
    """

    def __init__(
        self, name, node_name, formulas, *, arguments=(), symbol=None, locals=None, kind=None
    ):
        self.name = name
        self.symbol = symbol or name
        self.operands = tuple(formulas)
        self.formulas = formulas
        self.arguments = arguments
        self.locals = {operand: Local(*local) for operand, local in (locals or {}).items()}
        parameters = {operand: parameters_of(formula) for operand, formula in formulas.items()}
        asked = dict.fromkeys(p for names in parameters.values() for p in names)
        # PyTorch packs and unpacks what it saves in this order: by name, the result last.
        saves = sorted(p for p in asked if p not in (*arguments, "result"))
        self.saves = (*saves, *(["result"] if "result" in asked else []))
        values = self.saves + arguments
        self.picks = tuple(
            tuple(values.index(p) for p in parameters[operand]) for operand in formulas
        )
        self.sakes = tuple(map(self.sake_of, range(len(self.saves))))
        # PyTorch computes derivatives in this order, too: by the names of the operands.
        self.plan = tuple(
            (
                place,
                formulas[operand],
                None if not picks else picks[0] if len(picks) == 1 else picks,
            )
            for operand, place, picks in sorted(zip(formulas, range(len(formulas)), self.picks))
        )
        self.node_name, self.kind = node_name, kind or RuleNode

    def sake_of(self, saved: int) -> int | None:
        """The place of the one operand for whose sake this value is saved.

        What several formulas share, or the only one needs, PyTorch keeps for nobody, too: None.
        """
        askers = [i for i, picks in enumerate(self.picks) if saved in picks]
        return askers[0] if len(askers) == 1 < len(self.picks) else None

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
            "plan": self.plan,
        }
        return type(self.node_name, (self.kind,), members)

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
        node = self.new_node(tuple(edges), [named[name] for name in self.arguments])
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
    plan: tuple = ()  # per operand: its place, its formula, and the place of the one value that
    # asks for, or the places, or None, among all the node has: what it saved, then its arguments

    def vjp(self, g, recorded):
        values = self.values(recorded)
        if g is None:
            return (None,) * len(self.edges)
        edges = self.edges
        answers = [None] * len(edges)
        for place, formula, picks in self.plan:
            edge = edges[place]
            if edge is None or edge is DEAD_END:
                continue
            if picks is None:
                answers[place] = formula(g)
            elif picks.__class__ is int:
                answers[place] = formula(g, values[picks])
            else:
                answers[place] = formula(g, *[values[i] for i in picks])
        return answers

    def values(self, recorded: bool) -> tuple | list:
        """All saved values, each checked against its version, and the arguments."""
        saved, args = self.saved, self.args
        if saved.__class__ is Freed:
            raise already_freed(self, saved)
        values = [] if saved else [None] * len(self.rule.saves)
        for kept in saved:
            if kept.__class__ is Tensor and kept._counter is None:  # nobody ever wrote to it
                values.append(kept if recorded else kept._value)
            else:
                values.append(unpacked(kept, self, recorded))
        return [*values, *args] if args else values

    def saved_names(self) -> tuple[str, ...]:
        return self.rule.saves

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            return self._read(name.removeprefix("_saved_"))
        saves, raw = self.rule.saves, name.removeprefix("_raw_saved_")
        if raw != name and raw in saves:
            return SavedTensor(self, saves.index(raw))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        saved, arguments = self.rule.saves, self.rule.arguments
        raw = [f"_raw_saved_{name}" for name in saved]
        return [*super().__dir__(), *raw, *[f"_saved_{name}" for name in (*saved, *arguments)]]

    def _read(self, name: str) -> Any:
        rule = self.rule
        if name in rule.saves:
            if self.is_freed:
                raise already_freed(self, self.saved)
            if not self.saved:
                return None
            value = unpacked(self.saved[rule.saves.index(name)], self, recorded=True)
            return number_as_tensor(value) if value.__class__ in NUMBERS else value
        if name in rule.arguments:
            return shown_argument(name, self.args[rule.arguments.index(name)])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '_saved_{name}'")


def unpacked(kept, node: Node, recorded: bool):
    """A saved value, checked against its version: a Tensor when ``recorded``, else raw."""
    if kept.__class__ is Tensor or isinstance(kept, Tensor):
        counter = kept._counter
        if counter is not None and counter.value:
            unchanged(kept, node)
        return kept if recorded else kept._value
    if isinstance(kept, Saved):
        return kept.tensor(node) if recorded else kept.raw(node)
    return kept


class SeveralNode(RuleNode):
    """The node of several results: formulas get a list of gradients, None where nobody used one."""

    __slots__ = ("outputs",)

    def vjp(self, g, recorded):
        return super().vjp([g] if self.outputs == 1 and g is not None else g, recorded)


def number_as_tensor(number) -> Tensor:
    """A number as PyTorch saves it: a 0-d tensor of the widest dtype of its kind."""
    return wrap(np.asarray(number)[()])


COUNTS = ("dim", "index", "ignore_index", "start", "end", "shifts", "offset", "diagonal")


def shown_argument(name: str, value):
    """An argument as ``_saved_…`` shows it: negative dims read as unsigned 64-bit numbers."""
    if not name.startswith(COUNTS):
        return value
    if isinstance(value, tuple):
        return tuple(shown_argument(name, part) for part in value)
    return value + 2**64 if value.__class__ is int and value < 0 else value


class SavedTensor:
    """What ``grad_fn._raw_saved_self`` gives: takes a pair of hooks for one saved value."""

    def __init__(self, node: Node, position: int):
        self._node = node
        self._position = position

    def register_hooks(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        """Keep ``pack_hook(value)``; ``unpack_hook`` makes the value again in backward."""
        from ..autograd.saved_hooks import FREED_HOOKS_MESSAGE, pack

        node, i = self._node, self._position
        if node.is_freed:
            raise RuntimeError(FREED_HOOKS_MESSAGE)
        kept = pack(node.saved[i], (pack_hook, unpack_hook))
        node.saved = (*node.saved[:i], kept, *node.saved[i + 1 :])


# -- recording -------------------------------------------------------------------------------------


def save(operand):
    """What a node keeps of an operand: a number, or the tensor and its version unless 0."""
    if operand.__class__ is Tensor or isinstance(operand, Tensor):
        counter = operand._counter
        return operand if counter is None or counter.value == 0 else SavedInput(operand)
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
