"""Recording a backward pass without leaving a trace of it.

The pass is a real one, run by the engine, with ``retain_graph=True`` and a pair of hooks on every
node. Before it, each leaf gets a *copy* of its ``.grad``, so that what arrives is added to the
copy; after it, also after an error, the very object that was there is put back. Tensors that
retain their gradient get their old one back as well. So a recorded pass changes nothing a program
could notice, with one exception that cannot be avoided and is reported: the reader's own hooks
run, once (`Trace.reader_hooks`).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import nodes as read
from .collapse import collapse
from .display import room_for
from .events import derive
from .frames import LIMIT, Story
from .model import Graph
from .names import is_tensor
from .numbers import raw
from .survey import Survey, check_has_graph


@dataclass
class Run:
    """What the hooks saw of one node: raw copies of the gradients in and out."""

    key: str
    incoming: list[np.ndarray | None]
    outgoing: list[np.ndarray | None] | None = None  # None until the node has finished
    before: np.ndarray | None = None  # of a leaf: .grad before and after
    after: np.ndarray | None = None


@dataclass
class Trace:
    """A recorded backward pass.

    Attributes:
        graph: the graph that was walked, collapsed if it is large.
        events: what happened, a list of plain dicts, each with its ``kind``.
        reader_hooks: names of the tensors whose own hooks ran during the recording.
        error: the message of the error that ended the pass, or None.
        note: what was left out, in a sentence; empty if nothing was.
    """

    graph: Graph
    events: list[dict]
    story: Story = field(repr=False)
    reader_hooks: list[str] = field(default_factory=list)
    error: str | None = None

    @property
    def note(self) -> str:
        return self.graph.note

    def frames(
        self,
        detail: str = "coarse",
        *,
        start: int = 0,
        stop: int | None = None,
        follow: tuple[int, ...] | None = None,
    ) -> list[dict]:
        """The steps as frames; `minigrad.trace.frames` says what a frame holds.

        Args:
            detail: ``"coarse"``, one frame a node, or ``"fine"``: take, multiply, send, add.
            start, stop: the range of frames; by default the first 500.
            follow: the element to trace in arrays too large to print, such as ``(0, 1)``.

        Raises:
            ValueError: if ``detail`` is neither of the two words.
        """
        stop = start + LIMIT if stop is None else stop
        return self.story.frames(detail, start, stop, follow)


def record_backward(
    root: Any,
    gradient: Any = None,
    *,
    names: Mapping[str, Any] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
    tape: Any = None,
) -> Trace:
    """Run ``root.backward(gradient)`` and tell what happened, leaving everything as it was.

    Args:
        root: the tensor to start at.
        gradient: the seed; it may be left out when ``root`` has one element.
        names: ``{"x": x, …}``; by default the variables of the caller.
        retain_graph, create_graph: what the told pass would have been called with. They decide
            whether saved values are told as freed; the recorded pass itself always keeps them.
        tape: a `minigrad.trace.record` to look forward values up on; by default any that lives.

    Raises:
        TypeError: if ``root`` or ``gradient`` is not a tensor.
        ValueError: if ``root`` has no graph.
        RuntimeError: if the graph was freed, or the gradient is missing or has the wrong shape.

    >>> import minigrad as mg
    >>> from minigrad.trace import record_backward
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> [frame["sentence"] for frame in record_backward(y).frames()][-1]
    'x has both of its parts: 3 (by y) + 3 (by y) = 6. It goes into x.grad, which was None.'
    >>> x.grad is None
    True
    """
    check_has_graph(root)
    survey = Survey((root,), names, tape)
    check_not_freed(survey)
    seed = check_gradient(root, gradient)
    runs: list[Run] = []
    failure = None
    with _unchanged(survey) as retained, _watched(survey, runs):
        try:
            root.backward(gradient, retain_graph=True)
        except RuntimeError as error:
            if "modified by an inplace operation" not in str(error):
                raise
            failure = str(error)
        captured = {key: raw(t.grad) for key, t in retained.items() if t.grad is not None}
    keep = retain_graph or create_graph
    events = derive(survey, runs, seed, captured, failure, keep)
    hooked = sorted({*_with_hooks(survey), *_with_effects(survey, events)})
    graph = collapse(survey.graph)
    story = Story(survey, graph, events, keep, hooked)
    graph.room = room_for(story)
    return Trace(graph, events, story, hooked, failure)


# -- refusals ---------------------------------------------------------------------------


def check_not_freed(survey: Survey) -> None:
    """Refuse a graph some of whose saved values are gone."""
    for operation in survey.graph.operations:
        if operation.freed:
            made = survey.index.made(operation)
            raise RuntimeError(
                f"this graph has been freed: {operation.node} (made {made}) no longer has the "
                "values its derivative needs, because an earlier backward pass let go of them. "
                "Run the lines that compute the tensor again, or give the earlier pass "
                "retain_graph=True."
            )


def check_gradient(root: Any, gradient: Any) -> np.ndarray:
    """The seed as an array; refuse a missing one and one that does not fit."""
    shape = tuple(root.shape)
    if gradient is None:
        if root.numel() != 1:
            raise RuntimeError(
                "grad can be implicitly created only for scalar outputs: this tensor has shape "
                f"{list(shape)}. Say how much each element counts with gradient=, a tensor of "
                "that shape, or step through its sum()."
            )
        return np.ones_like(raw(root))
    if not is_tensor(gradient):
        raise TypeError(
            f"gradient must be a tensor of shape {list(shape)}, got {type(gradient).__name__}"
        )
    if tuple(gradient.shape) != shape:
        raise RuntimeError(
            f"Mismatch in shape: the gradient has shape {list(gradient.shape)} and the tensor "
            f"has shape {list(shape)}. They must be the same."
        )
    return raw(gradient)


# -- watching ---------------------------------------------------------------------------


@contextmanager
def _watched(survey: Survey, runs: list[Run]) -> Iterator[None]:
    """Hooks on every node that write down what goes in and out; taken away afterwards."""
    handles = []
    try:
        for key, node in survey.nodes.items():
            before, after = _hooks_for(key, node, runs)
            handles += [node.register_prehook(before), node.register_hook(after)]
        yield
    finally:
        for handle in handles:
            handle.remove()


def _hooks_for(key: str, node: Any, runs: list[Run]) -> tuple:
    leaf = node.variable if read.accumulates(node) else None

    def before(grad_outputs):
        run = Run(key, [_copy(g) for g in grad_outputs])
        if leaf is not None:
            run.before = _copy(leaf.grad)
        runs.append(run)

    def after(grad_inputs, grad_outputs):
        runs[-1].outgoing = [_copy(g) for g in grad_inputs]
        if leaf is not None:
            runs[-1].after = _copy(leaf.grad)

    return before, after


def _copy(tensor: Any) -> np.ndarray | None:
    return None if tensor is None else raw(tensor)


# -- putting back -----------------------------------------------------------------------


@contextmanager
def _unchanged(survey: Survey) -> Iterator[dict[str, Any]]:
    """Give every leaf a copy of its gradient for a while; afterwards all gradients are as before.

    Yields the tensors of the graph that retain their gradient, by key.
    """
    leaves = [node.variable for node in survey.nodes.values() if read.accumulates(node)]
    retaining = _retaining(survey)
    held = [(tensor, tensor.grad) for tensor in [*leaves, *retaining.values()]]
    try:
        for leaf in leaves:
            if leaf.grad is not None:
                leaf.grad = leaf.grad.detach().clone()
        yield {key: t for key, t in retaining.items() if isinstance(key, str)}
    finally:
        for tensor, gradient in held:
            tensor.grad = gradient


def _retaining(survey: Survey) -> dict[Any, Any]:
    """Every tensor that will retain its gradient, wherever the reader keeps it.

    A node does not know the tensors it made, and a reader may keep them in a list; so all
    living tensors are asked. Those whose value is in the picture come under its key.
    """
    kinds = _tensor_classes(next(iter(survey.tensors.values())))
    found: dict[Any, Any] = {}
    for tensor in [thing for thing in gc.get_objects() if type(thing) in kinds]:
        if tensor.retains_grad:
            key = survey.key_of_tensor(tensor)
            found[id(tensor) if key is None or key in found else key] = tensor
    return found


def _tensor_classes(tensor: Any) -> set[type]:
    """The class of a tensor, with all classes of tensors above and below it."""
    found: set[type] = set()
    stack = [kind for kind in type(tensor).__mro__ if hasattr(kind, "grad_fn")]
    while stack:
        kind = stack.pop()
        if kind not in found:
            found.add(kind)
            stack += kind.__subclasses__()
    return found


def _with_effects(survey: Survey, events: list[dict]) -> Iterator[str]:
    """Names of the tensors at which a hook of the reader, seen or not, changed something."""
    for event in events:
        if event["kind"] in ("hook", "rewrite"):
            yield survey.index.made(survey.index.operations[event["where"]])


def _with_hooks(survey: Survey) -> Iterator[str]:
    """Names of the tensors that carry hooks of the reader."""
    for key, tensor in survey.tensors.items():
        posts = getattr(tensor, "_post_accumulate_grad_hooks", None)
        if tensor._backward_hooks or posts:
            yield survey.index.values[key].name
