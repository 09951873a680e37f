"""Recording a backward pass without leaving a trace of it.

The pass is a real one, run by the engine, with ``retain_graph=True`` and a pair of hooks on every
node (`minigrad.trace.hooks`). Everything that belongs to the graph is put back after it, also after
an error (`minigrad.trace.unchanged`). Where code of the reader's own runs in a pass, it runs in
this one, too; that is said in `Trace.reader_hooks` and `Trace.notes`. What could not be looked at
without harm is refused.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from . import read
from .contents import has_numbers
from .expressions import expression_of
from .forward import step_of
from .frames import Frames
from .groups import with_parts
from .hooks import Recorder, is_version_error
from .model import Graph
from .names import is_tensor
from .numbers import raw
from .sentences import say
from .survey import Survey, check_has_graph
from .turns import Turn
from .unchanged import Unchanged

#: Recordings of two threads would wait for each other at the leaves that they share.
ONE_AT_A_TIME = threading.RLock()


@dataclass(eq=False)
class Trace:
    """A recorded backward pass.

    Attributes:
        graph: the graph that was walked, all of it, with parts where it is long.
        turns: what happened, one turn for each node that ran.
        seed: what the pass started with.
        first_grads: leaf -> its ``.grad`` before the pass, where there was one.
        keep: whether the pass that is told would have kept the saved values.
        reader_hooks: names of the tensors whose own hooks ran during the recording.
        notes: what could not be left as it was, in sentences.
        error: the message of the error that ended the pass, or None.
        survey: the live nodes and tensors, and the numbers of the forward pass.
    """

    graph: Graph
    turns: list[Turn]
    seed: np.ndarray
    first_grads: dict[str, np.ndarray]
    keep: bool = False
    reader_hooks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: str | None = None
    survey: Survey | None = field(default=None, repr=False)
    _frames: dict[str, Frames] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def title(self) -> str:
        """What the pass goes through: ``y = a·b``, or the name alone where that is too long."""
        survey, root = self.survey, self.graph.roots[0]
        value = survey.index.values[root]
        written = expression_of(root, survey.index, survey.nodes, survey.keeps)
        if not value.named:
            return written or value.called
        return f"{value.name} = {written}" if written else value.name

    def frames(self, detail: str = "coarse") -> Frames:
        """The steps as frames; `minigrad.trace.frames` says what a frame holds.

        Args:
            detail: ``"coarse"``, one frame a node, or ``"fine"``: take, multiply, send, add.

        Raises:
            ValueError: if ``detail`` is neither of the two words.
        """
        if detail not in self._frames:
            self._frames[detail] = Frames(self, detail)
        return self._frames[detail]


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
    'The sum 3 + 3 = 6 goes into x.grad, which was None.'
    >>> x.grad is None
    True
    """
    check_has_graph(root)
    survey = Survey((root,), names, tape)
    check_not_freed(survey)
    check_can_be_looked_at(survey)
    seed = check_gradient(root, gradient)
    if gradient is not None:
        gradient = gradient.detach().clone()  # a hook may write into what it is handed
    keep = retain_graph or create_graph
    recorder = Recorder(survey, seed, keep)
    with ONE_AT_A_TIME, recorder.watching():
        first_grads = _first_grads(survey)
        with Unchanged(survey, recorder.hooked) as kept:
            recorder.retaining = kept.retaining
            failure = _run(root, gradient, recorder)
    hooked = {survey.index.values[key].called for key in kept.own.tensors}
    # At other tensors, hooks that were not seen changed something.
    changed = [turn.node for turn in recorder.turns if turn.changes or turn.rewrites]
    hooked.update(survey.index.made(survey.index.operations[key]) for key in changed)
    return Trace(
        with_parts(survey.graph),
        recorder.turns,
        seed,
        first_grads,
        keep,
        sorted(hooked),
        [*kept.notes, *_unknown_numbers(survey)],
        failure,
        survey,
    )


def _run(root: Any, gradient: Any, recorder: Recorder) -> str | None:
    """The message of the error that ended the pass, if it is one that can be told."""
    try:
        root.backward(gradient, retain_graph=True)
    except RuntimeError as error:
        if not (is_version_error(error) and recorder.stop(error)):
            raise
        return str(error)
    return None


def _first_grads(survey: Survey) -> dict[str, np.ndarray]:
    """The ``.grad`` of each leaf that has one."""
    leaves = [op for op in survey.graph.operations if op.kind == "accumulate"]
    grads = {op.makes: survey.nodes[op.key].variable.grad for op in leaves}
    return {key: raw(grad) for key, grad in grads.items() if grad is not None}


def _unknown_numbers(survey: Survey) -> Iterator[str]:
    """What to do about plain numbers that a picture can only show as ``?``."""
    for operation in survey.graph.operations:
        drawn = operation.constants.get(1, operation.constants.get(0))
        if drawn == "?" and step_of(survey.nodes[operation.key]) is None:
            yield say("note-unknown")
            return


# -- refusals ---------------------------------------------------------------------------


def check_not_freed(survey: Survey) -> None:
    """Refuse a graph some of whose saved values are gone."""
    for operation in survey.graph.operations:
        if operation.freed:
            made = survey.index.made(operation)
            raise RuntimeError(say("error-freed", node=operation.node, made=made))


def check_can_be_looked_at(survey: Survey) -> None:
    """Refuse a graph that one pass would use up, and one without numbers."""
    for node in survey.nodes.values():
        if read.runs_once(node):
            raise RuntimeError(say("error-runs-once", name=read.function_of(node).__name__))
    if not all(map(has_numbers, survey.tensors.values())):
        raise RuntimeError(say("error-meta"))


def check_gradient(root: Any, gradient: Any) -> np.ndarray:
    """The seed as an array; refuse a missing one and one that does not fit."""
    shape, given = list(root.shape), list(getattr(gradient, "shape", ()))
    if gradient is None and root.numel() != 1:
        raise RuntimeError(say("error-no-gradient", shape=shape))
    if gradient is None:
        return np.ones_like(raw(root))
    if not is_tensor(gradient):
        kind = type(gradient).__name__
        raise TypeError(say("error-no-tensor", shape=shape, kind=kind))
    if given != shape:
        raise RuntimeError(say("error-shapes", shape=shape, given=given))
    return raw(gradient)
