"""From tensors to the graph model: walk the nodes, name and print what is known.

Forward values are looked up where a reader could look them up: in the values that nodes saved,
in the caller's variables, and on tapes (`minigrad.trace.record`). What none of these knows
reads ``?``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import read
from .contents import has_numbers
from .forward import giver_of, named_in, other_passes, passes_behind, step_of
from .model import Edge, Graph, Index, Operation, Saved, Value
from .modules import add_groups
from .names import Names, callers_variables, is_tensor, stale_view
from .numbers import brief, clean, raw, short, show, subscript
from .old_values import old_values
from .roles import name_values
from .sentences import say


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
        own = passes_behind(root.grad_fn for root in roots) if tape is None else tape.forwards
        others = other_passes(own) if tape is None else []  # whose net may have the same name
        self.names = Names.of(names, callers_variables(), named_in(own))
        for forwards, classed in ((others, False), (own, True), (others, True)):
            for name, tensor in named_in(forwards, classed):
                self.names.add(name, tensor)
        self.tape = tape
        self.graph = Graph()
        self.nodes: dict[str, Any] = {}
        self.keeps: dict[str, read.Keeps] = {}
        self.tensors: dict[str, Any] = {}
        self.arrays: dict[str, np.ndarray] = {}
        #: the numbers of operands without an edge, by operation and argument
        self.constants: dict[tuple[str, int], np.ndarray] = {}
        self._made: dict[tuple[int, int], str] = {}  # (node, output) -> value
        self._used: dict[int, set[int]] = defaultdict(set)  # node -> outputs that somebody uses
        self._boxes: dict[int, str] = {}  # operand without gradient -> value
        self._boxed: dict[str, dict[int, str]] = defaultdict(dict)  # operation -> such operands
        self._leaves: dict[str, Any] = {}  # leaf -> the node that adds into its .grad
        self._build([(root.grad_fn, root.output_nr) for root in roots])
        self.graph.roots = tuple(self.made_by(r.grad_fn, r.output_nr) for r in roots)
        for root, key in zip(roots, self.graph.roots):
            self._learn(key, root)
        add_groups(self.graph, self.nodes, self.tensors)
        self.index = Index(self.graph)
        self._work_out_terms()
        name_values(self.index, self.nodes, self.keeps, old_values(self))
        self._print()

    # -- nodes and edges ----------------------------------------------------------------

    def _build(self, wanted: list[tuple[Any, int]]) -> None:
        found = _reachable([node for node, _ in wanted])
        for node, number in [*wanted, *(edge for each in found for edge in each.next_functions)]:
            self._used[id(node)].add(number)
        operations = sorted((n for n in found if not read.accumulates(n)), key=read.sequence)
        self.nodes = {f"n{number}": node for number, node in enumerate(operations)}
        self.keeps = {key: read.keeps(node) for key, node in self.nodes.items()}
        for key, node in self.nodes.items():
            self._add_operation(key, node)
        for kept in self.keeps.values():  # what an operation saved, another one has made
            for tensor in kept.tensors.values():
                made = self.made_by(tensor.grad_fn, tensor.output_nr)
                if made is not None:
                    self._learn(made, tensor)
        for key, node in self.nodes.items():
            self._add_edges(key, node)
        for value, node in self._leaves.items():
            key = f"n{len(self.nodes)}"
            self.nodes[key] = node
            accumulate = Operation(key, read.class_name(node), "+=", None, value, "accumulate")
            self.graph.operations.append(accumulate)

    def _add_operation(self, key: str, node: Any) -> None:
        for target, _ in node.next_functions:
            if target is not None and read.accumulates(target):
                self._leaf(target)
        about = read.class_name(node), read.symbol(node), read.sequence(node)
        operation = Operation(key, *about, None, operands=read.operand_names(node))
        operation.freed = self.keeps[key].freed
        self._add_constants(node, operation)
        operation.outputs = tuple(self._result(node, nr) for nr in sorted(self._used[id(node)]))
        operation.makes = operation.outputs[0]
        self.graph.operations.append(operation)

    def _work_out_terms(self) -> None:
        """The 1 of ``a = x + 1`` and ``1 - x``: no node keeps it, but results and operands tell."""
        for operation in self.graph.operations:
            turned = operation.node == "RsubBackward1"
            sign = {"AddBackward0": 1, "SubBackward0": -1}.get(operation.node, 1 if turned else 0)
            if not sign or operation.constants.get(1, "?") != "?":
                continue
            known = [self.arrays.get(e.source) for e in self.index.operands[operation.key]]
            result = self.arrays.get(operation.makes)
            if result is None or len(known) != 1 or known[0] is None or not result.size:
                continue
            if self.keeps[operation.key].arguments.get("alpha", 1) == 1:
                known = -known[0] if turned else known[0]
                exact = (sign * (np.asarray(result) - known)).flat[0]
                for term in (np.asarray(clean(float(exact), np.dtype("float32"))), exact):
                    again = (known + sign * term).astype(known.dtype)
                    if np.array_equal(again, result):
                        operation.constants[1] = short(term)
                        operation.worked_out = (1,)
                        self.constants[operation.key, 1] = np.asarray(term)
                        break

    def _add_constants(self, node: Any, operation: Operation) -> None:
        """Operands without an edge: a box where it is a tensor worth one, else a number."""
        key = operation.key
        for argument, operand in self._without_edge(key, node, operation).items():
            name = self.names.of_tensor(operand) if is_tensor(operand) else None
            array = raw(operand) if not is_tensor(operand) or has_numbers(operand) else None
            if array is not None:
                self.constants[key, argument] = array
            if name is None and array is not None and array.ndim == 0 and may_be_plain(operand):
                operation.constants[argument] = short(array[()])
            else:
                self._boxed[key][argument] = self._box(operand, name)
        for argument, (target, _) in enumerate(node.next_functions):
            unknown = target is None and (key, argument) not in self.constants
            if unknown and operation.node != "CopySlices":  # what it wrote it never knew
                operation.constants[argument] = "?"
        if operation.node == "RsubBackward1":  # it has an edge for one of its two
            operation.constants.setdefault(1, "?")

    def _without_edge(self, key: str, node: Any, operation: Operation) -> dict[int, Any]:
        """Known operands that ask for no gradient, by argument number."""
        step, kept = step_of(node, self.tape), self.keeps[key]
        known = list(enumerate(step.inputs if step else ()))
        for slot, value in {**kept.arguments, **kept.tensors}.items():
            in_order = slot in operation.operands
            place = operation.operands.index(slot) if in_order else read.POSITIONS.get(slot)
            if place is not None and getattr(value, "grad_fn", None) is None:
                known.append((place, value))
        asked = {i for i, (target, _) in enumerate(node.next_functions) if target is not None}
        found: dict[int, Any] = {}
        for argument, operand in known:
            if argument not in asked and _numeric(operand):
                found.setdefault(argument, operand)
        return dict(sorted(found.items()))

    def _add_edges(self, key: str, node: Any) -> None:
        sources = dict(self._boxed[key])
        for argument, (target, number) in enumerate(node.next_functions):
            if target is not None:
                sources[argument] = self._made[id(target), number]
        for argument, source in sorted(sources.items()):
            self._edge(source, key, argument)
        for number in sorted(self._used[id(node)]):
            self._edge(key, self._made[id(node), number], None, number)

    def _edge(self, source: str, target: str, argument: int | None, output: int = 0) -> None:
        edges = self.graph.edges
        edges.append(Edge(f"e{len(edges)}", source, target, argument, output))

    # -- values -------------------------------------------------------------------------

    def _value(self, name: str | None, otherwise: str = "", **about: Any) -> Value:
        key, named = f"v{len(self.graph.values)}", name is not None
        self.graph.values.append(Value(key, name if named else otherwise, named=named, **about))
        return self.graph.values[-1]

    def _box(self, operand: Any, name: str | None) -> str:
        """A value nobody wants a gradient for."""
        if id(operand) not in self._boxes:
            giver = giver_of(operand) if is_tensor(operand) else None
            nameless = sum(not (v.named or v.requires_grad) for v in self.graph.values)
            otherwise = f"{giver}(…)" if giver else f"input{subscript(nameless + 1)}"
            value = self._value(name, otherwise, requires_grad=False)
            self._boxes[id(operand)] = value.key
            self._learn(value.key, operand)
        return self._boxes[id(operand)]

    def _leaf(self, accumulator: Any) -> None:
        if (id(accumulator), 0) not in self._made:
            tensor = accumulator.variable
            otherwise = f"leaf{subscript(len(self._leaves) + 1)}"
            value = self._value(self.names.of_tensor(tensor), otherwise, leaf=True)
            value.grad = _printed(tensor.grad)
            self._made[id(accumulator), 0] = value.key
            self._leaves[value.key] = accumulator
            self._learn(value.key, tensor)

    def _result(self, node: Any, number: int) -> str:
        value = self._value(self.names.of_result(node, number))
        value.dtype = read.narrow(read.result_dtype(node, number))
        self._made[id(node), number] = value.key
        tensor = self.names.result(node, number)
        if tensor is not None:
            self._learn(value.key, tensor)
            value.grad = _printed(tensor.grad) if tensor.retains_grad else None
        step = step_of(node, self.tape)
        array = None if step is None or value.key in self.arrays else step.output(number)
        if array is not None:
            self.arrays[value.key] = array
        return value.key

    def _learn(self, key: str, tensor: Any) -> None:
        self.tensors.setdefault(key, tensor)
        if has_numbers(tensor) and key not in self.arrays:
            self.arrays[key] = raw(tensor)

    def made_by(self, node: Any, number: int) -> str | None:
        """The value that is an output of a node, if it is in the picture."""
        return self._made.get((id(node), number))

    def key_of_tensor(self, tensor: Any) -> str | None:
        """The value that a tensor is in the picture, if it is."""
        if stale_view(tensor):
            return None
        if tensor.grad_fn is not None:
            return self.made_by(tensor.grad_fn, tensor.output_nr)
        return next((key for key, known in self.tensors.items() if known is tensor), None)

    # -- texts --------------------------------------------------------------------------

    def _print(self) -> None:
        for value in self.graph.values:
            array = self.arrays.get(value.key)
            if array is not None:
                value.text, value.shape = brief(array), tuple(array.shape)
            elif value.key in self.tensors:
                value.shape = tuple(self.tensors[value.key].shape)
            tensor = self.tensors.get(value.key)
            if tensor is not None and is_tensor(tensor):
                value.dtype = read.narrow(read.dtype_name(tensor.dtype))
                value.frozen = self.names.is_frozen(tensor)
        for key, kept in self.keeps.items():
            operation = self.index.operations[key]
            for slot, tensor in kept.tensors.items():
                text = _printed(tensor)
                name = self._name_of(tensor) or (text if tensor.dim() == 0 else slot)
                operation.saved.append(Saved(name, text, tensor._version, slot))
            for slot in kept.changed:
                name = self._called(self.index.in_slot(operation, slot)) or slot
                operation.saved.append(Saved(name, "changed since", None, slot))

    def _name_of(self, tensor: Any) -> str | None:
        made = self.made_by(tensor.grad_fn, tensor.output_nr) or self._boxes.get(id(tensor))
        return self.names.of_tensor(tensor) or self._called(made)

    def _called(self, key: str | None) -> str | None:
        return None if key is None else self.index.values[key].called


def check_has_graph(root: Any) -> None:
    """Refuse what no operation made, and say what to do instead."""
    if not is_tensor(root):
        kind = type(root).__name__
        raise TypeError(say("error-root", kind=kind, thing=f"{root!r:.60}"))
    if root.grad_fn is None:
        raise ValueError(say("error-leaf" if root.requires_grad else "error-no-graph"))


def _printed(tensor: Any) -> str | None:
    if tensor is None:
        return None
    return show(raw(tensor)) if has_numbers(tensor) else "?"


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


def may_be_plain(operand: Any) -> bool:
    """Whether an operand is a plain number, or may be one that a node keeps as a tensor.

    PyTorch keeps Python's numbers in its widest dtypes; a float32 was a tensor before. A 1 tells no
    more in a box of its own: it is what a recorded backward pass began with.
    """
    wide = is_tensor(operand) and read.dtype_name(operand.dtype) not in PYTHONS
    return not wide or bool(raw(operand) == 1)


PYTHONS = ("float64", "int64", "bool", "complex128")  #: dtypes of Python's own numbers
