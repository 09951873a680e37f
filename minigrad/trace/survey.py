"""From tensors to the graph model: walk the nodes, name and print what is known.

Forward values are looked up where a reader could look them up: in the values that nodes saved,
in the caller's variables, and on tapes (`minigrad.trace.record`). What none of these knows
reads ``?``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import nodes as read
from .forward import step_of
from .model import Edge, Graph, Index, Operation, Saved, Value
from .names import Names, callers_variables, is_tensor, stale_view
from .numbers import raw, short, show, subscript


def graph_of(*roots: Any, names: Mapping[str, Any] | None = None, tape: Any = None) -> Graph:
    """The graph that made some tensors, as plain data.

    Args:
        roots: one or more tensors that operations made.
        names: ``{"x": x, …}``; by default the variables of the caller.
        tape: a `minigrad.trace.record` to look forward values up on; by default any that lives.

    Raises:
        TypeError: if a root is not a tensor, or ``names`` is not a dict of tensors.
        ValueError: if a root has no graph.

    >>> import minigrad as mg
    >>> from minigrad.trace import graph_of
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x * x
    >>> graph = graph_of(y)
    >>> [(value.name, value.text) for value in graph.values]
    [('x', '2'), ('y', '4')]
    >>> [(edge.source, edge.target, edge.argument) for edge in graph.edges]
    [('v0', 'n0', 0), ('v0', 'n0', 1), ('n0', 'v1', None)]
    """
    return Survey(roots, names, tape).graph


class Survey:
    """A graph model together with the live nodes and tensors it was read from."""

    def __init__(self, roots: tuple, names: Mapping[str, Any] | None = None, tape: Any = None):
        for root in roots:
            check_has_graph(root)
        self.names = Names.of(names, callers_variables())
        self.tape = tape
        self.graph = Graph()
        self.nodes: dict[str, Any] = {}
        self.tensors: dict[str, Any] = {}
        self.arrays: dict[str, np.ndarray] = {}
        self.keeps: dict[str, read.Keeps] = {}
        self.operand_values: dict[tuple[str, int], np.ndarray] = {}
        self.key_of: dict[int, str] = {}
        self._made: dict[tuple[int, int], str] = {}  # (node, output) -> value
        self._used: dict[int, set[int]] = {}  # node -> the outputs that somebody uses
        self._boxes: dict[int, str] = {}  # operand without gradient -> value
        self._constant_edges: dict[str, list[tuple[int, str]]] = {}  # (argument, value) pairs
        self._accumulators: dict[str, Any] = {}  # leaf -> node
        self._unnamed = 0
        self._build([(root.grad_fn, root.output_nr) for root in roots])
        self.graph.roots = tuple(self._made[id(r.grad_fn), r.output_nr] for r in roots)
        for root, key in zip(roots, self.graph.roots):
            self._learn(key, root)
        self.index = Index(self.graph)
        self._print()

    # -- nodes and edges ----------------------------------------------------------------

    def _build(self, wanted: list[tuple[Any, int]]) -> None:
        found = _reachable([node for node, _ in wanted])
        operations = sorted((n for n in found if not read.accumulates(n)), key=read.sequence)
        asked = (edge for node in found for edge in node.next_functions)
        for node, number in [*wanted, *asked]:
            self._used.setdefault(id(node), set()).add(number)
        self._known = {id(node): read.keeps(node) for node in operations}
        for number, node in enumerate(operations):
            self.key_of[id(node)] = f"n{number}"
        for node in operations:
            self._add_operation(node)
        self._learn_from_saved(operations)
        for node in operations:
            self._add_edges(node)
        self._add_accumulators()

    def _add_operation(self, node: Any) -> None:
        key = self.key_of[id(node)]
        self.nodes[key] = node
        kept = self.keeps[key] = self._known[id(node)]
        for target, _ in node.next_functions:
            if target is not None and read.accumulates(target):
                self._leaf(target)
        operation = Operation(
            key,
            read.class_name(node),
            read.symbol(node),
            read.sequence(node),
            None,
            operands=read.operand_names(node),
            freed=kept.freed,
        )
        self._add_constants(node, operation)
        numbers = sorted(self._used[id(node)])
        operation.outputs = tuple(self._result(node, nr, operation.symbol) for nr in numbers)
        operation.makes = operation.outputs[0]
        self.graph.operations.append(operation)

    def _add_constants(self, node: Any, operation: Operation) -> None:
        """Operands without an edge: a box where it is a tensor worth one, else a number."""
        for argument, operand in self._constants(node, operation.operands).items():
            array = raw(operand)
            self.operand_values[operation.key, argument] = array
            name = self.names.of_tensor(operand) if is_tensor(operand) else None
            if name is None and array.ndim == 0:
                operation.constants[argument] = short(array[()])
                continue
            box = self._boxes.get(id(operand)) or self._box(operand, name)
            self._constant_edges.setdefault(operation.key, []).append((argument, box))
        for argument in range(len(node.next_functions)):
            has_edge = node.next_functions[argument][0] is not None
            if not has_edge and (operation.key, argument) not in self.operand_values:
                operation.constants[argument] = "?"

    def _box(self, operand: Any, name: str | None) -> str:
        """A value nobody wants a gradient for."""
        value = self._new_value(name or f"input{subscript(len(self._boxes) + 1)}")
        value.requires_grad, value.named = False, name is not None
        self._boxes[id(operand)] = value.key
        self._learn(value.key, operand)
        return value.key

    def _constants(self, node: Any, operands: tuple[str, ...]) -> dict[int, Any]:
        """Known operands that ask for no gradient, by argument number."""
        asked = {i for i, (target, _) in enumerate(node.next_functions) if target is not None}
        found: dict[int, Any] = {}
        step = step_of(node, self.tape)
        for argument, operand in enumerate(step.inputs if step else ()):
            if argument not in asked and _numeric(operand):
                found[argument] = operand
        kept = self._known[id(node)]
        for slot, value in {**kept.arguments, **kept.tensors}.items():
            known = operands.index(slot) if slot in operands else read.POSITIONS.get(slot)
            is_operand = known is not None and known not in asked and known not in found
            if is_operand and _numeric(value) and getattr(value, "grad_fn", None) is None:
                found[known] = value
        return dict(sorted(found.items()))

    def _add_edges(self, node: Any) -> None:
        key = self.key_of[id(node)]
        boxes = dict(self._constant_edges.get(key, ()))
        count = max([len(node.next_functions), *(argument + 1 for argument in boxes)])
        for argument in range(count):
            source = boxes.get(argument)
            if argument < len(node.next_functions):
                target, number = node.next_functions[argument]
                if target is not None:
                    source = self._made[id(target), number]
            if source is not None:
                self._edge(source, key, argument)
                if source in self.arrays:
                    self.operand_values[key, argument] = self.arrays[source]
        for number in sorted(self._used[id(node)]):
            self._edge(key, self._made[id(node), number], None, number)

    def _edge(self, source: str, target: str, argument: int | None, output: int = 0) -> None:
        edges = self.graph.edges
        edges.append(Edge(f"e{len(edges)}", source, target, argument, output))

    def _add_accumulators(self) -> None:
        for value in [v for v in self.graph.values if v.leaf]:
            key = f"n{len(self.graph.operations)}"
            node = self._accumulators[value.key]
            self.nodes[key] = node
            self.key_of[id(node)] = key
            self.graph.operations.append(
                Operation(key, read.class_name(node), "+=", None, value.key, kind="accumulate")
            )

    # -- values -------------------------------------------------------------------------

    def _new_value(self, name: str) -> Value:
        value = Value(f"v{len(self.graph.values)}", name)
        self.graph.values.append(value)
        return value

    def _leaf(self, accumulator: Any) -> None:
        if (id(accumulator), 0) in self._made:
            return
        tensor = accumulator.variable
        name = self.names.of_tensor(tensor)
        value = self._new_value(name or f"leaf{subscript(len(self._accumulators) + 1)}")
        value.leaf, value.named = True, name is not None
        self._made[id(accumulator), 0] = value.key
        self._accumulators[value.key] = accumulator
        self._learn(value.key, tensor)
        if tensor.grad is not None:
            value.grad = show(raw(tensor.grad))

    def _result(self, node: Any, number: int, symbol: str) -> str:
        name = self.names.of_result(node, number)
        if name is None:
            self._unnamed += 1
            value = self._new_value(f"{symbol}{subscript(self._unnamed)}")
            value.named = False
        else:
            value = self._new_value(name)
        self._made[id(node), number] = value.key
        tensor = self.names.result(node, number)
        if tensor is not None:
            self._learn(value.key, tensor)
            if tensor.retains_grad and tensor.grad is not None:
                value.grad = show(raw(tensor.grad))
        step = step_of(node, self.tape)
        if step is not None and number < len(step.outputs):
            self.arrays.setdefault(value.key, step.outputs[number])
        return value.key

    def _learn(self, key: str, tensor: Any) -> None:
        self.tensors.setdefault(key, tensor)
        self.arrays.setdefault(key, raw(tensor))

    def _learn_from_saved(self, operations: list[Any]) -> None:
        """A saved value that an operation made tells what that operation's result was."""
        for node in operations:
            for tensor in self.keeps[self.key_of[id(node)]].tensors.values():
                maker = tensor.grad_fn
                key = self._made.get((id(maker), tensor.output_nr)) if maker else None
                if key is not None:
                    self._learn(key, tensor)

    def key_of_tensor(self, tensor: Any) -> str | None:
        """The value that a tensor is in the picture, if it is."""
        if stale_view(tensor):
            return None
        if tensor.grad_fn is not None:
            return self._made.get((id(tensor.grad_fn), tensor.output_nr))
        return next((key for key, known in self.tensors.items() if known is tensor), None)

    # -- texts --------------------------------------------------------------------------

    def _print(self) -> None:
        for value in self.graph.values:
            array = self.arrays.get(value.key)
            if array is not None:
                value.text, value.shape = show(array), tuple(array.shape)
        for operation in self.graph.operations:
            if operation.kind == "operation":
                operation.saved = self._saved(operation)

    def _saved(self, operation: Operation) -> list[Saved]:
        kept, saved = self.keeps[operation.key], []
        for slot, tensor in kept.tensors.items():
            text = show(raw(tensor))
            name = self._name_of(tensor) or (text if tensor.dim() == 0 else slot)
            saved.append(Saved(name, text, tensor._version, slot))
        for slot in kept.changed:
            saved.append(Saved(self._operand(operation, slot), "changed since", None, slot))
        return saved

    def _operand(self, operation: Operation, slot: str) -> str:
        """The name of what is in a slot that can no longer be read."""
        if slot == "result":
            return self.index.made(operation)
        for edge in self.index.operands[operation.key]:
            if operation.operands[edge.argument : edge.argument + 1] == (slot,):
                return self.index.values[edge.source].name
        return slot

    def _name_of(self, tensor: Any) -> str | None:
        name = self.names.of_tensor(tensor)
        if name is None:
            maker = tensor.grad_fn
            key = self._made.get((id(maker), tensor.output_nr)) if maker else None
            key = key or self._boxes.get(id(tensor))
            name = self.index.values[key].name if key else None
        return name


def check_has_graph(root: Any) -> None:
    """Refuse what no operation made, and say what to do instead."""
    if not is_tensor(root):
        raise TypeError(
            f"expected a tensor that operations have made, got {type(root).__name__}: "
            f"{root!r:.60}. Make a leaf with tensor(2.0, requires_grad=True), compute with it, "
            "and pass the result."
        )
    if not root.requires_grad:
        raise ValueError(
            "this tensor has no graph: it was made without recording, because nothing it was "
            "computed from asks for a gradient (or inside no_grad, or after detach()). "
            "Start from a leaf made with requires_grad=True."
        )
    if root.grad_fn is None:
        raise ValueError(
            "this tensor is a leaf: no operation made it, so there is nothing to step through. "
            "Compute something from it and pass the result."
        )


def _numeric(thing: Any) -> bool:
    return is_tensor(thing) or (isinstance(thing, (int, float)) and not isinstance(thing, bool))


def _reachable(starts: list[Any]) -> list[Any]:
    """All nodes that gradients can reach, each once, without recursion."""
    seen: dict[int, Any] = {}
    stack = list(reversed(starts))
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            stack += [n for n, _ in reversed(node.next_functions) if n is not None]
    return list(seen.values())
