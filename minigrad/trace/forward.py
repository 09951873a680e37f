"""Recording a forward pass: what nobody saved, such as the 1 in ``x + 1``."""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np

from .names import is_tensor
from .numbers import raw, show


class Step(NamedTuple):
    """One recorded operation: operands as they were passed, and copies of the results."""

    node: Any
    inputs: tuple
    outputs: tuple[np.ndarray, ...]


class record:
    """Watch the operations made inside a ``with`` block.

    As long as the tape lives, `graph_of` and `record_backward` know every forward value on it. It
    costs nothing outside the block.

    >>> import minigrad as mg
    >>> from minigrad.trace import graph_of, record
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> with record() as tape:
    ...     y = (x + 1) * x
    >>> [event["sentence"] for event in tape.events]
    ['2 + 1 gives 3', '3 × 2 gives 6']
    >>> graph_of(y).operations[0].constants
    {1: '1'}
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._by_node: dict[int, Step] = {}
        TAPES.add(self)

    def __enter__(self) -> record:
        from minigrad.autograd.graph import observing

        self._watch = observing(self._observe)
        self._watch.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._watch.__exit__(*exception)
        del self._watch  # it refers back to this tape, which should go with its last reader

    def _observe(self, node: Any, inputs: tuple, output: Any) -> None:
        outputs = output if isinstance(output, (list, tuple)) else (output,)
        step = Step(node, tuple(_snapshot(i) for i in inputs), tuple(raw(o) for o in outputs))
        self.steps.append(step)
        self._by_node[id(node)] = step

    @property
    def events(self) -> list[dict]:
        """The forward events, as plain dicts: node, inputs, output, saved, and a sentence."""
        return [_event(step) for step in self.steps]


#: The tapes that somebody still holds. They keep their nodes, so a node's id is its own.
TAPES: WeakSet[record] = WeakSet()


def step_of(node: Any, tape: record | None = None) -> Step | None:
    """The recorded operation that made a node, if this tape, or any living one, knows it."""
    for known in TAPES if tape is None else (tape,):
        if id(node) in known._by_node:
            return known._by_node[id(node)]
    return None


def _snapshot(operand: Any) -> Any:
    """Operands that ask for no gradient are looked at later, so numbers must not change."""
    if is_tensor(operand) and not operand.requires_grad:
        return operand.detach().clone() if operand.dim() == 0 else operand
    return operand


def _event(step: Step) -> dict:
    from . import nodes as read

    symbol = read.symbol(step.node)
    inputs = [show(raw(i)) if is_tensor(i) else str(i) for i in step.inputs]
    output = ", ".join(show(o) for o in step.outputs)
    if len(inputs) == 2:
        said = f"{inputs[0]} {symbol} {inputs[1]}"
    else:
        said = f"{symbol}({', '.join(inputs)})"
    return {
        "kind": "forward",
        "node": read.class_name(step.node),
        "inputs": inputs,
        "output": output,
        "saved": list(read.keeps(step.node).tensors),
        "sentence": f"{said} gives {output}",
    }
