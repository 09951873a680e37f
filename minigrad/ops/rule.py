"""How an operation is declared, and how it is recorded.

A :class:`Rule` states one operation's mathematics: for each operand, the formula that turns the
gradient ``g`` of the result into the gradient of that operand. **The other parameter names of a
formula say what the node saves**: ``other=lambda g, self: g * self`` needs ``self``, so ``self`` is
kept, and shows up as ``grad_fn._saved_self``.

One formula serves both kinds of backward pass. In a plain pass it computes with raw arrays, which
is fast; under ``create_graph`` it computes with Tensors, whose operations are recorded in turn.
That works because every operation accepts raw arrays too, and then answers with a raw array.

``rule.record`` makes the nodes; it is written out for each rule (:mod:`.template`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograd.around import Around
from ..autograd.node import Node, Output
from ..autograd.saved import unpacked
from ..autograd.thread_state import OFF, state
from ..tensor import Tensor, gradient_edge, wrap
from .promotion import NUMBERS
from .template import (
    RESERVED,
    arguments_of,
    compiled,
    in_slots,
    saved_in_slots,
    text_of_derivative,
    text_of_record,
)

# What formulas ask for under these names is saved.
TENSORS = frozenset({"self", "source", "index", "indices", "condition", "mask", "result"})

# Every operation by name; functions, methods and in-place forms are bound from it.
OPERATIONS: dict[str, Callable] = {}


class Rule:
    """What one kind of node knows about its operation.

    ``formula`` is that of the operand ``self``; ``formulas`` are those of the others, or of all.

    >>> rule = Rule("index_select", lambda g, dim, index, self_sym_sizes: g)
    >>> rule, rule.saves, rule.arguments
    (<rule of index_select: IndexSelectBackward0>, ('index',), ('dim', 'self_sym_sizes'))

    Attributes:
        name: the operation, such as ``mul``.
        symbol: how pictures show it, such as ``×``.
        operands: the names of the operands that have a derivative, in order.
        formulas: operand name -> function ``(g, *saved values and arguments)``.
        saves: the names of the values the formulas ask for.
        arguments: the names of plain arguments the formulas ask for: unless given, what is neither
            an operand nor one of :data:`TENSORS`.
        broadcasts: whether operands may be broadcast, which the engine then undoes.
        keeps_dtype: whether all operands and the result have one dtype, so that nobody looks: it
            is floating where an operand asks for gradients.
        node_name, kind: the name of its nodes in PyTorch, ``<Name>Backward0`` unless given, and
            what they are here besides.
    """

    def __init__(
        self,
        name: str,
        formula: Callable | None = None,
        /,
        *,
        node: str = "",
        symbol: str = "",
        kind: type[RuleNode] | None = None,
        broadcasts: bool = False,
        keeps_dtype: bool = False,
        arguments: tuple[str, ...] | None = None,
        **formulas: Callable,
    ):
        self.name = name
        self.node_name = node or "".join(map(str.capitalize, name.split("_"))) + "Backward0"
        self.symbol = symbol or name.removesuffix("_")
        self.kind = kind or RuleNode
        self.broadcasts = broadcasts
        self.keeps_dtype = keeps_dtype
        formulas = {"self": formula, **formulas} if formula else formulas
        self.formulas = formulas
        self.operands = tuple(formulas)
        asked = dict.fromkeys(p for f in formulas.values() for p in parameters_of(f))
        plain = tuple([p for p in asked if p not in TENSORS and p not in formulas])
        arguments = plain if arguments is None else arguments
        self.arguments = arguments
        # PyTorch packs and unpacks what it saves in this order: by name, the result last.
        saves = sorted(p for p in asked if p not in (*arguments, "result"))
        self.saves = (*saves, *(["result"] if "result" in asked else []))
        if not RESERVED.isdisjoint((*formulas, *asked, *arguments)):
            raise ValueError(f"a formula of {self} asks for a name of the template")

    def served_by(self, saved: str) -> str | None:
        """The one operand for whose sake this value is saved.

        What several formulas share, or the only one needs, PyTorch keeps for nobody, too: None.
        """
        if saved == "result":
            return None
        asks = [name for name in self.operands if saved in parameters_of(self.formulas[name])]
        return asks[0] if len(asks) == 1 < len(self.operands) else None

    @functools.cached_property
    def node(self) -> type[RuleNode]:
        """The class of the nodes; most programs need few of them, so it is made on first use."""
        saves, arguments = self.saves, self.arguments
        plain = [f"arg_{name}" for name in arguments]
        members = {"__slots__": [*plain], "__module__": "minigrad.ops", "rule": self}
        if arguments:
            members["args"] = in_slots(plain)
        if self.kind.vjp is Node.vjp:  # its derivative is written out
            edges, kept = [f"to_{o}" for o in self.operands], [f"kept_{s}" for s in saves]
            members["__slots__"] += [*edges, *kept]
            members |= {"edges": in_slots(edges), "saved": saved_in_slots(kept)}
            members["differentiate"] = self.derivative(self.formulas)
        else:
            members["__slots__"] += ["edges", "saved"]
        members |= {f"_saved_{name}": saved_value(i) for i, name in enumerate(saves)}
        members |= {f"_raw_saved_{name}": raw_saved_value(i) for i, name in enumerate(saves)}
        members |= {f"_saved_{name}": shown_argument(i) for i, name in enumerate(arguments)}
        return type(self.node_name, (self.kind,), members)

    @functools.cached_property
    def record(self) -> Callable:
        """``record(value, operands…, saved…, arguments…)``: a Tensor, with a node if need be.

        Operands are in the order of the formulas, then comes what these ask for besides them.
        """
        label = f"<{self.name}: {self.node_name}>"
        return compiled(text_of_record(self), label, {"NewNode": self.node})

    def derivative(self, formulas: dict[str, Callable]) -> Callable:
        """The function that differentiates nodes of this rule, with these formulas."""
        names = {}
        for operand, formula in formulas.items():
            if formula.__name__ == "<lambda>":  # in tracebacks it has a name
                shown = f"{self.name}_gradient_of_{operand}"
                formula.__code__ = formula.__code__.replace(co_name=shown)
            names[f"gradient_of_{operand}"] = formula
        label = f"<derivative of {self.name}: {self.node_name}>"
        return compiled(text_of_derivative(self), label, names)

    def new_node(self, edges: tuple, args: tuple = ()) -> Node:
        """A node of this rule, which has saved nothing yet."""
        node = self.node()
        node.begin(edges)
        if args:
            node.args = args
        return node

    def __repr__(self) -> str:
        return f"<rule of {self.name}: {self.node_name}>"


def parameters_of(formula: Callable) -> tuple[str, ...]:
    """The names a formula asks for besides ``g``; it does without those that begin with ``_``."""
    return tuple([name for name in arguments_of(formula)[1:] if name != "None"])


class RuleNode(Node):
    """A node whose derivative is the formulas of a rule.

    Its edges, its arguments and what it saved are in slots rather than in tuples, because Python's
    collector of reference cycles has to look at every tuple.
    """

    __slots__ = ()

    def saved_names(self) -> tuple[str, ...]:
        return self.rule.saves


# What a node shows of itself is made of real properties of its class. A ``__getattr__`` would do
# with less code, and take from CPython its fast access to *all* attributes of the class.


def saved_value(i: int) -> property:
    """What ``grad_fn._saved_self`` shows, for the value that is saved in this place."""

    def read(node: RuleNode) -> Any:
        if not node.not_freed():
            return None
        value = unpacked(node.saved[i], node, recorded=True)
        # PyTorch saves a number as a 0-d tensor of the widest dtype of its kind.
        return wrap(np.asarray(value)[()]) if value.__class__ in NUMBERS else value

    return property(read)


def raw_saved_value(i: int) -> property:
    """What ``grad_fn._raw_saved_self`` gives, for the value that is saved in this place."""
    return property(lambda node: Around.load("extras.saved_hooks").SavedTensor(node, i))


def shown_argument(i: int) -> property:
    """What ``grad_fn._saved_dim`` shows, for the argument in this place."""
    return property(lambda node: node.args[i])


def edge_of(operand) -> Node | Output | None:
    """Where the gradient of an operand goes; None for numbers and for tensors that need none."""
    if operand.__class__ is Tensor or isinstance(operand, Tensor):
        if operand._meta is None or state.here.mode is OFF:
            return operand._edge
        return gradient_edge(operand)
    return None


def operation(rule: Rule | Callable | None = None, *, name: str = "", **formulas) -> Callable:
    """Enter the function below into the table, with this rule or with the rule of such formulas.

    The function finds it as its attribute ``rule``. None is for what has no derivative.
    """

    def entered(function: Callable) -> Callable:
        function.__name__ = function.__qualname__ = its_name = name or function.__name__
        given = formulas or not (rule is None or isinstance(rule, Rule))
        function.rule = Rule(its_name, rule, **formulas) if given else rule
        OPERATIONS[its_name] = function
        return function

    return entered
