"""How an operation is declared, and how it is recorded.

A :class:`Rule` states one operation's mathematics: for each operand, the formula that turns the
gradient ``g`` of the result into the gradient of that operand. **The other parameter names of a
formula say what the node saves**: ``other=lambda g, self: g * self`` needs ``self``, so ``self`` is
kept, and shows up as ``grad_fn._saved_self``.

One formula serves both kinds of backward pass. In a plain pass it computes with raw arrays, which
is fast; under ``create_graph`` it computes with Tensors, whose operations are recorded in turn.
That works because every operation accepts raw arrays too, and then answers with a raw array.

Recording is two short functions for the common shapes, :func:`unary` and :func:`binary`, and
:func:`record` for the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from .. import dtypes
from ..autograd.grad_mode import OFF, WATCHED, state
from ..autograd.graph import DEAD_END, Node, Output, edge_to
from ..autograd.saved import Freed, Saved, SavedInput, SavedOutput, already_freed, unchanged
from ..tensor import Tensor, gradient_edge, made_by, wrap

NUMBERS = frozenset({int, float, bool})
FLOAT_SCALARS = frozenset({np.float16, np.float32, np.float64})
OPERATIONS: dict[
    str, Callable
] = {}  # every operation by name; functions, methods and in-place forms are bound from it


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
        arguments: the names of plain arguments the formulas ask for.
        locals: operand name -> :class:`Local`, for elementwise operations.
        node: the Node class that carries this rule; ``node_name`` is its name in PyTorch. It is a
            :class:`RuleNode`, or one of the ``kind`` given.
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
        self.askers = tuple(  # for each saved value, the places of the operands whose formulas ask
            tuple(i for i, picks in enumerate(self.picks) if place in picks)
            for place in range(len(self.saves))
        )
        plan = tuple(
            (formula, None if not picks else picks[0] if len(picks) == 1 else picks)
            for formula, picks in zip(formulas.values(), self.picks)
        )
        for operand, formula in formulas.items():  # a name in tracebacks instead of <lambda>
            if formula.__name__ == "<lambda>":
                formula.__code__ = formula.__code__.replace(co_name=f"{name}_gradient_of_{operand}")
        members = {
            "__slots__": ("args",) if arguments else (),
            "__module__": "minigrad.ops",
            "rule": self,
            "plan": plan,
        }
        if kind is UnaryNode or kind is BinaryNode:
            members |= {"__init__": own_copy(kind.__init__), "vjp": own_copy(kind.vjp)}
        self.node = type(node_name, (kind or RuleNode,), members)

    def record(self, value, /, *operands, specs=None, **named):
        """A Tensor around ``value``, with a node if anybody asked for gradients.

        ``operands`` are in the order of the formulas, ``named`` holds what the formulas ask for
        besides ``result``. Where no operand is a Tensor the answer is ``value`` itself: a formula
        is computing with raw arrays.
        """
        mode = state.mode
        tensors = tracked = False
        edges = []
        for operand in operands:
            edge = None
            if operand.__class__ is Tensor or isinstance(operand, Tensor):
                tensors = True
                if mode is not OFF:
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
        node.specs = (specs or dtype_specs)(operands, value)
        if mode is WATCHED:
            notify(node, operands, result)
        return result

    def record_broadcast(self, value, /, *operands, **named):
        """Like :meth:`record` for operands that may have been broadcast."""
        return self.record(value, *operands, specs=broadcast_specs, **named)

    def record_several(self, values, operand, /, **named):
        """Like :meth:`record` for several results: a tuple of Tensors with one node."""
        if not isinstance(operand, Tensor):
            return tuple(values)
        edge = edge_of(operand)
        if state.mode is OFF or edge is None:
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
        if state.mode is WATCHED:
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
        for name, askers in zip(self.saves, self.askers):
            value = None
            if name == "result":
                value = SavedOutput(result)
            else:
                # What several formulas share, or the only one needs, PyTorch keeps for nobody, too.
                edge = edges[askers[0]]
                shared = len(askers) > 1 or len(edges) == 1
                if shared or edge is not None and edge is not DEAD_END:
                    value = named[name]
                    value = save(value) if isinstance(value, Tensor) else value
            kept.append(value)
            nothing = nothing and value is None
        return () if nothing else tuple(kept)

    def __repr__(self) -> str:
        return f"<rule of {self.name}: {self.node.__name__}>"


def own_copy(method: FunctionType) -> FunctionType:
    """A copy of a method for one class alone.

    CPython adapts code to the class it sees, which makes attributes several times as fast; code
    that sees another class at each call never gets there.
    """
    return FunctionType(
        method.__code__.replace(),
        method.__globals__,
        method.__name__,
        method.__defaults__,
        method.__closure__,
    )


def parameters_of(formula: Callable) -> tuple[str, ...]:
    """The names a formula asks for besides ``g``; it does without those that begin with ``_``."""
    names = formula.__code__.co_varnames[1 : formula.__code__.co_argcount]
    return tuple(name for name in names if name[0] != "_")


class RuleNode(Node):
    """A node whose derivative is the formulas of a rule."""

    __slots__ = ()
    plan: tuple = ()  # per operand: its formula, and the place of the one value it asks for, or
    # the places, or None, among all the node has: what it saved, then its arguments

    def vjp(self, g, recorded):
        if g is None:
            return (None,) * len(self.edges)
        values = self.values(recorded)
        answers = []
        for edge, (formula, picks) in zip(self.edges, self.plan):
            if edge is None or edge is DEAD_END:
                answers.append(None)
            elif picks is None:
                answers.append(formula(g))
            elif picks.__class__ is int:
                answers.append(formula(g, values[picks]))
            else:
                answers.append(formula(g, *[values[i] for i in picks]))
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

    def value(self, position: int, recorded: bool) -> Any:
        """A saved value, checked against its version, or an argument."""
        count = len(self.rule.saves)
        if position >= count:
            return self.args[position - count]
        return unpacked(self.saved[position], self, recorded)

    def result_moved(self, result, number):
        if not self.is_freed:
            for kept in self.saved:
                if kept.__class__ is SavedOutput and kept.number == number:
                    kept.value = result._value

    def saved_names(self) -> tuple[str, ...]:
        return self.rule.saves

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            return self._read_saved(name.removeprefix("_saved_"))
        if name.startswith("_raw_saved_"):
            return SavedTensor(self, name.removeprefix("_raw_saved_"))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _read_saved(self, name: str) -> Any:
        rule = self.rule
        if name in rule.saves:
            if self.is_freed:
                raise already_freed(self, self.saved)
            value = self.value(rule.saves.index(name), recorded=True) if self.saved else None
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


class UnaryNode(RuleNode):
    """The node of an elementwise operation of one operand: it saves one value, or nothing."""

    __slots__ = ()

    def vjp(self, g, recorded):
        if g is None:
            return (None,)
        ((formula, picks),) = self.plan
        if picks is None:
            return (formula(g),)
        (value,) = self.values(recorded)
        return (formula(g, value),)


class BinaryNode(RuleNode):
    """The node of an elementwise operation of two: its formulas are ``(g, self, other)``."""

    __slots__ = ()

    def vjp(self, g, recorded):
        if g is None:
            return None, None
        x = y = None
        saved = self.saved
        if saved:
            if saved.__class__ is Freed:
                raise already_freed(self, saved)
            y, x = saved
            plain = y.__class__ is Tensor and y._counter is None and not recorded
            y = y._value if plain else unpacked(y, self, recorded)
            plain = x.__class__ is Tensor and x._counter is None and not recorded
            x = x._value if plain else unpacked(x, self, recorded)
        to_self, to_other = self.edges
        (for_self, _), (for_other, _) = self.plan
        return (
            None if to_self is None or to_self is DEAD_END else for_self(g, x, y),
            None if to_other is None or to_other is DEAD_END else for_other(g, x, y),
        )


class SeveralNode(RuleNode):
    """The node of several results: formulas get a list of gradients, None where nobody used one."""

    __slots__ = ("outputs",)

    def vjp(self, g, recorded):
        return super().vjp([g] if self.outputs == 1 and g is not None else g, recorded)


def number_as_tensor(number) -> Tensor:
    """A number as PyTorch saves it: a 0-d tensor of the widest dtype of its kind."""
    return wrap(np.asarray(number)[()])


COUNTS = ("dim", "index", "start", "end", "shifts", "offset", "diagonal")


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

    def __init__(self, node: RuleNode, name: str):
        self._node = node
        self._position = node.rule.saves.index(name)

    def register_hooks(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        """Keep ``pack_hook(value)``; ``unpack_hook`` makes the value again in backward."""
        from ..autograd.saved_hooks import FREED_HOOKS_MESSAGE, pack

        node, i = self._node, self._position
        if node.is_freed:
            raise RuntimeError(FREED_HOOKS_MESSAGE)
        kept = pack(node.saved[i], (pack_hook, unpack_hook))
        node.saved = (*node.saved[:i], kept, *node.saved[i + 1 :])


# -- recording -------------------------------------------------------------------------------------


def fit_together(x, y) -> bool:
    """Whether two raw operands are floating and of one dtype, or the second is a plain number."""
    kind, other = x.__class__, y.__class__
    if other is float or other is int:
        return kind in FLOAT_SCALARS or kind is ndarray and x.dtype.kind == "f"
    if kind is not ndarray and other is not ndarray:
        return kind is other and kind in FLOAT_SCALARS
    arrays = (kind is ndarray or kind in FLOAT_SCALARS) and (
        other is ndarray or other in FLOAT_SCALARS
    )
    return arrays and x.dtype is y.dtype and x.dtype.kind == "f"


def save(operand):
    """What a node keeps of an operand: a number, or the tensor and its version unless 0."""
    if operand.__class__ is Tensor or isinstance(operand, Tensor):
        counter = operand._counter
        return operand if counter is None or counter.value == 0 else SavedInput(operand)
    return number(operand)


def edge_of(operand) -> Node | Output | None:
    """Where the gradient of an operand goes; None for numbers and for tensors that need none."""
    if operand.__class__ is Tensor or isinstance(operand, Tensor):
        if operand._meta is None or state.mode is OFF:
            return operand._edge
        return gradient_edge(operand)
    return None


def raw(operand):
    """The raw value of a Tensor; anything else is raw already."""
    return operand._value if isinstance(operand, Tensor) else operand


def notify(node: Node, inputs: tuple, output) -> None:
    """Tell those who watch this thread of a new node."""
    for watcher in state.watchers:
        watcher(node, inputs, output)


def dtype_specs(operands: tuple, value) -> tuple | None:
    """The dtypes to bring gradients back to, where an operand's dtype is not the result's."""
    dtype = value.dtype
    for operand in operands:
        if isinstance(operand, Tensor) and operand._value.dtype is not dtype:
            break
    else:
        return None
    return tuple([(None, o._value.dtype) if isinstance(o, Tensor) else None for o in operands])


def broadcast_specs(operands: tuple, value) -> tuple | None:
    """Shapes and dtypes to bring gradients back to, where an operand was broadcast or promoted."""
    shape, dtype = value.shape, value.dtype
    alike = True
    specs = []
    for operand in operands:
        if isinstance(operand, Tensor):
            x = operand._value
            specs.append((x.shape, x.dtype))
            alike = alike and x.shape == shape and x.dtype is dtype
        else:
            specs.append(None)
    return None if alike else tuple(specs)


def unary(
    name: str,
    compute: Callable,
    gradient: Callable,
    local: tuple | None = None,
    *,
    node: str | None = None,
    symbol: str | None = None,
    integers: bool = False,
    bools: Exception | None = None,
) -> Callable:
    """Declare an elementwise operation of one operand.

    Args:
        name: the operation's name; its node is ``<Name>Backward0`` unless ``node`` says otherwise.
        compute: the raw function.
        gradient: the formula ``(g[, self][, result])``.
        local: the derivative as (symbols, words).
        symbol: how pictures show it.
        integers: whether an integer operand keeps its dtype instead of becoming floating.
        bools: what to raise for a bool operand.
    """
    rule = Rule(
        name,
        node or f"{name.capitalize()}Backward0",
        {"self": gradient},
        symbol=symbol,
        locals={"self": local} if local else None,
        kind=UnaryNode,
    )
    make_node = rule.node
    keeps_self, keeps_result = "self" in rule.saves, "result" in rule.saves

    def operation(input):
        if not isinstance(input, Tensor):
            return compute(raw_only(input, name))
        x = input._value
        if x.__class__ not in FLOAT_SCALARS and x.dtype.kind != "f":
            if bools is not None and x.dtype.kind == "b":
                raise type(bools)(*bools.args)
            return wrap(state.quiet(compute, x if integers else x.astype(dtypes.default_float())))
        value = state.quiet(compute, x)
        mode = state.mode
        if mode is OFF:
            return wrap(value)
        edge = input._edge if input._meta is None else gradient_edge(input)
        if edge is None:
            return wrap(value)
        node = make_node((edge,), (save(input),) if keeps_self else ())
        result = made_by(node, value)
        if keeps_result:
            node.saved = (SavedOutput(result),)
        if mode is WATCHED:
            notify(node, (input,), result)
        return result

    return publish(operation, name, rule)


def binary(
    name: str,
    compute: Callable,
    *,
    self: Callable,
    other: Callable,
    node: str | None = None,
    symbol: str | None = None,
    locals: tuple | None = None,
    floating: bool = False,
    refuse: Callable | None = None,
) -> Callable:
    """Declare an elementwise operation of two operands, one of which may be a Python number.

    Args:
        name: the operation's name.
        compute: the raw function.
        self, other: the formulas ``(g, self, other)`` of the two operands, with ``_self`` or
            ``_other`` in place of what they do not need.
        locals: the two local derivatives, each as (symbols, words).
        floating: whether two integers give a floating result, as in a division.
        refuse: called with the raw operands when they are not both floating; may raise.
    """
    rule = Rule(
        name,
        node or f"{name.capitalize()}Backward0",
        {"self": self, "other": other},
        symbol=symbol,
        locals=dict(zip(("self", "other"), locals or ())),
        kind=BinaryNode,
    )
    if rule.saves not in ((), ("other", "self")):
        raise TypeError(f"{name}: a binary rule saves both operands or neither, not {rule.saves}")
    make_node, saves = rule.node, bool(rule.saves)
    for_other, for_self = rule.askers or ((), ())  # the operands for whose sake each is kept
    other_is_shared, self_is_shared = len(for_other) > 1, len(for_self) > 1
    other_serves_self, self_serves_self = 0 in for_other, 0 in for_self

    def operation(input, other):
        plain, other_plain = input.__class__ is Tensor, other.__class__ is Tensor
        number = other.__class__ in NUMBERS
        x = input._value if plain else raw(input)
        y = other._value if other_plain else other if number else raw(other)
        alike = x.__class__ is y.__class__ and x.__class__ in FLOAT_SCALARS or fit_together(x, y)
        if not alike:
            if x is input and y is other:
                return compute(raw_only(input, name), other)  # a formula computes with raw arrays
            x, y = meet(input, other, name, floating, refuse)
        try:
            value = state.quiet(compute, x, y)
        except ValueError:
            raise broadcast_error(x, y) from None
        mode = state.mode
        if mode is OFF:
            return wrap(value)
        uniform = alike and (
            value.__class__ is not ndarray or getattr(y, "shape", x.shape) == x.shape
        )
        to_self = gradient_edge(input) if plain else edge_of(input)
        to_other = gradient_edge(other) if other_plain else None if number else edge_of(other)
        if to_self is None and to_other is None:
            return wrap(value)
        saved = ()
        if saves:
            self_asks = to_self is not None and to_self is not DEAD_END
            other_asks = to_other is not None and to_other is not DEAD_END
            x = y = None
            if other_is_shared or (self_asks if other_serves_self else other_asks):
                y = other if number or other_plain and other._counter is None else save(other)
            if self_is_shared or (self_asks if self_serves_self else other_asks):
                x = input if plain and input._counter is None else save(input)
            saved = () if x is None and y is None else (y, x)
        node = make_node((to_self, to_other), saved)
        result = made_by(node, value)
        if not uniform:
            node.specs = broadcast_specs((input, other), value)
        if mode is WATCHED:
            notify(node, (input, other), result)
        return result

    return publish(operation, name, rule)


# -- operands that do not fit as they are ----------------------------------------------------------


class UnsupportedOperand(TypeError):
    """An operand of a type no tensor operation takes; operators turn it into ``NotImplemented``."""


# Readers see the name in tracebacks, where PyTorch has a plain TypeError.
UnsupportedOperand.__name__ = UnsupportedOperand.__qualname__ = "TypeError"
UnsupportedOperand.__module__ = "builtins"


def raw_only(value, name: str, argument: str = "input", position: int = 1):
    """``value`` if it is a raw array inside a formula; ``TypeError`` for anything else."""
    if isinstance(value, np.ndarray | np.generic):
        return value
    raise UnsupportedOperand(
        f"{name}(): argument '{argument}' (position {position}) must be Tensor, not "
        f"{type(value).__name__}"
    )


def meet(input, other, name: str, floating: bool = False, refuse: Callable | None = None) -> tuple:
    """The raw values of two operands in the dtype that PyTorch gives their result.

    Raises:
        UnsupportedOperand: one of them is neither a tensor nor a number.
        RuntimeError: the shapes do not broadcast.
    """
    x, y = operand_value(input, name, "input"), operand_value(other, name, "other")
    if (
        y.__class__ in NUMBERS
        and x.dtype.kind == "f"
        or x.__class__ in NUMBERS
        and y.dtype.kind == "f"
    ):
        return x, y
    if refuse is not None:
        refuse(x, y)
    dtype = result_dtype(x, y)
    if floating and dtype.kind != "f":
        dtype = dtypes.default_float()
    return cast(x, dtype), cast(y, dtype)


def broadcast_error(*values) -> RuntimeError:
    """PyTorch's sentence for shapes that cannot be broadcast together."""
    shape: tuple = ()
    for value in values:
        other = np.shape(value)
        ndim = max(len(shape), len(other))
        a, b = (1,) * (ndim - len(shape)) + shape, (1,) * (ndim - len(other)) + other
        for dim in reversed(range(ndim)):
            if a[dim] != b[dim] and 1 not in (a[dim], b[dim]):
                return RuntimeError(
                    f"The size of tensor a ({a[dim]}) must match the size of tensor b ({b[dim]}) "
                    f"at non-singleton dimension {dim}"
                )
        shape = tuple(m if n == 1 else n for m, n in zip(a, b))
    return RuntimeError(f"shapes {[np.shape(value) for value in values]} cannot be computed with")


def broadcast(compute: Callable, *values):
    """``compute(*values)`` in silence, with PyTorch's error where shapes do not broadcast."""
    try:
        return state.quiet(compute, *values)
    except ValueError:
        raise broadcast_error(*values) from None


def operand_value(operand, name: str, argument: str):
    """The raw value of a tensor, or a plain Python number."""
    if isinstance(operand, Tensor):
        return operand._value
    if operand.__class__ in NUMBERS:
        return operand
    if isinstance(operand, np.generic):
        return operand.item()
    raise UnsupportedOperand(
        f"{name}(): argument '{argument}' (position 1) must be Tensor, not {type(operand).__name__}"
    )


def result_dtype(*values) -> np.dtype:
    """The dtype of a result, by PyTorch's three categories (see :mod:`minigrad.dtypes`)."""
    with_dims = zero_dim = number = None
    for value in values:
        if isinstance(value, np.ndarray | np.generic):
            if value.ndim:
                with_dims = (
                    value.dtype if with_dims is None else dtypes.promote(with_dims, value.dtype)
                )
            else:
                zero_dim = (
                    value.dtype if zero_dim is None else dtypes.promote(zero_dim, value.dtype)
                )
        else:
            kind = dtypes.of_number(value)
            number = kind if number is None else dtypes.promote(number, kind)
    return dtypes.combine(dtypes.combine(with_dims, zero_dim), number)


def number(value):
    """A Python number, also of a NumPy scalar."""
    return value.item() if isinstance(value, np.generic) else value


def cast(value, dtype: np.dtype):
    """A raw value or a number in this dtype."""
    if isinstance(value, np.ndarray | np.generic):
        return value if value.dtype is dtype else state.quiet(value.astype, dtype)
    return state.quiet(np.asarray(value).astype, dtype)[()]


def publish(operation: Callable, name: str, rule: Rule | None = None) -> Callable:
    """Enter an operation into the table that functions and methods are bound from."""
    operation.__name__ = operation.__qualname__ = name
    operation.rule = rule
    OPERATIONS[name] = operation
    return operation
