"""Putting back what a recorded pass would leave behind, and saying what cannot be put back.

What belongs to the graph is put back always: the ``.grad`` of its leaves, of what retains its
gradient, the numbers and versions of its tensors. Where code of the reader's runs inside a pass,
that may reach further: into the context of a custom function, into random generators, into the
state of an optimizer, into leaves that a pass inside the pass fills. It is said that it ran.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

from . import read
from .contents import equal, generators_put_back, has_numbers, remember, remember_tensor, seen
from .names import stale_view
from .numbers import raw
from .sentences import capped, say
from .survey import Survey


class OwnCode:
    """Where the reader's own code runs in a pass.

    Attributes:
        functions: operations with a backward of theirs.
        tensors: values with hooks.
        notes: what a reader must know about it, in sentences.

    Args:
        survey: the graph.
        living: tensors that nodes of it may have made.
        hooked_nodes: the operations whose nodes carry hooks of the reader.
    """

    def __init__(self, survey: Survey, living: Iterable[Any], hooked_nodes: list[str]):
        functions = {key: read.function_of(node) for key, node in survey.nodes.items()}
        self.functions = [key for key, function in functions.items() if read.is_readers(function)]
        self.tensors = list(dict.fromkeys(_hooked(survey, living)))
        names = dict.fromkeys(functions[key].__name__ for key in self.functions)
        self.notes = [say("note-backward", name=name) for name in names]
        called = {getattr(function, "__name__", "") for function in functions.values()}
        hooks = [(key, hook) for key, kept in survey.keeps.items() for hook in kept.packed.values()]
        unpacked = [key for key, module in hooks if not module.endswith(".utils.checkpoint")]
        reentrant = "CheckpointFunction" in called - set(names)
        if reentrant or len(unpacked) < len(hooks):
            self.notes.append(say("note-checkpoint"))
        operations = survey.index.operations
        if hooked_nodes:
            hooked = [operations[key] for key in hooked_nodes]
            told = [f"{each.node} ({survey.index.made(each)})" for each in hooked]
            self.notes.append(say("note-hooks", names=capped(told)))
        if unpacked:
            nodes = dict.fromkeys(operations[key].node for key in unpacked)
            self.notes.append(say("note-unpacked", names=capped(list(nodes))))

    def __bool__(self) -> bool:
        return bool(self.notes or self.tensors)


def _hooked(survey: Survey, living: Iterable[Any]) -> Iterator[str]:
    """The values that carry hooks."""
    for node in survey.nodes.values():
        extras = getattr(node, "extras", None)
        for number, hooks in extras.tensor_hooks.items() if extras else ():
            value = survey.made_by(node, number)
            if hooks and value:
                yield value
    for tensor in living:
        if tensor._backward_hooks:
            key = survey.key_of_tensor(tensor)
            if key is not None:
                yield key
    for key, tensor in survey.tensors.items():
        if tensor._backward_hooks or getattr(tensor, "_post_accumulate_grad_hooks", None):
            yield key


def living(tensor: Any) -> tuple[list[Any], list[Any]]:
    """All tensors and all optimizers of a tensor's library that are alive.

    This asks every object there is for its type, which takes some ten milliseconds.
    """
    kind = [kind for kind in type(tensor).__mro__ if hasattr(kind, "grad_fn")][-1]
    optim = sys.modules.get(f"{kind.__module__.split('.')[0]}.optim.optimizer")
    kinds = (kind, optim.Optimizer) if optim else (kind,)
    found = [thing for thing in gc.get_objects() if issubclass(type(thing), kinds)]
    return tuple([t for t in found if issubclass(type(t), kind) is own] for own in (True, False))


class Unchanged:
    """Leaves everything as it was, when its block ends.

    Attributes:
        retaining: the tensors of the graph that retain their gradient, by key.
        own: where the reader's own code runs.
        notes: what the reader must know, in sentences; complete after the block.
    """

    def __init__(self, survey: Survey, hooked_nodes: list[str]):
        self.survey = survey
        leaves = [op.makes for op in survey.graph.operations if op.kind == "accumulate"]
        self.leaves = [survey.nodes[survey.index.maker[key].key].variable for key in leaves]
        some = next(iter([*self.leaves, *survey.tensors.values()]))
        self._tensors, self._optimizers = living(some)
        self.retaining: dict[str, Any] = {}
        retaining = [tensor for tensor in self._tensors if tensor.retains_grad]
        for tensor in retaining:
            key = survey.key_of_tensor(tensor)
            if key is not None:
                self.retaining.setdefault(key, tensor)
        self._kept = [*self.leaves, *retaining]
        self.own = OwnCode(survey, self._tensors, hooked_nodes)
        self.notes = list(self.own.notes)
        self._stack = ExitStack()
        self._written: list[str] = []

    def __enter__(self) -> Unchanged:
        with self._stack as stack:
            stack.callback(_put_grads_back, [(t, t.grad) for t in self._kept])
            for leaf in self.leaves:
                _copy_grad(leaf)
            for key, tensor in self.survey.tensors.items():
                if has_numbers(tensor) and not stale_view(tensor):
                    stack.callback(self._put_numbers_back, key, self._remembered(key, tensor))
            stack.enter_context(generators_put_back())
            if self.own:
                self._guard_beyond(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stack.__exit__(*exception)
        if self._written:
            self.notes.append(say("note-wrote", names=capped(self._written)))

    # -- what belongs to the graph --------------------------------------------------------

    def _remembered(self, key: str, tensor: Any) -> Any:
        numbers = self.survey.arrays.get(key)
        if numbers is None or not equal(seen(tensor), numbers):  # a tape knew an older value
            numbers = raw(tensor)
        return remember_tensor(tensor, numbers)

    def _put_numbers_back(self, key: str, put_back: Any) -> None:
        if put_back():
            self._written.append(self.survey.index.values[key].called)

    # -- what the reader's code may reach ---------------------------------------------------

    def _guard_beyond(self, stack: ExitStack) -> None:
        for key in self.own.functions:
            node = self.survey.nodes[key]
            stack.callback(remember(vars(getattr(node, "ctx", node))))
        self._guard_optimizers(stack)
        self._guard_leaves(stack)

    def _guard_optimizers(self, stack: ExitStack) -> None:
        mine = {id(leaf) for leaf in self.leaves}
        for optimizer in self._optimizers:
            groups = optimizer.param_groups
            if any(id(p) in mine for group in groups for p in group["params"]):
                stack.callback(remember(optimizer.state))
                for group in groups:
                    plain = {k: v for k, v in group.items() if k != "params"}
                    stack.callback(group.update, plain)

    def _guard_leaves(self, stack: ExitStack) -> None:
        """Leaves outside of the graph, which a pass inside of this one may fill."""
        mine, here = {id(tensor) for tensor in self._kept}, threading.get_ident()
        reached: dict[int, tuple[Any, Any]] = {}  # leaf and its .grad, by the id of the leaf
        stack.callback(self._tell_reached, reached)
        stack.callback(lambda: _put_grads_back(list(reached.values())))
        for leaf in self._tensors:
            if id(leaf) not in mine and leaf.requires_grad and not stale_view(leaf):
                if leaf.is_leaf:
                    handle = leaf.register_hook(_copies_grad_first(leaf, here, reached))
                    stack.callback(handle.remove)

    def _tell_reached(self, reached: dict[int, tuple[Any, Any]]) -> None:
        unknown = say("a-leaf")
        names = [self.survey.names.of_tensor(leaf) or unknown for leaf, _grad in reached.values()]
        if names:
            self.notes.append(say("note-inside", names=capped(names)))


def _put_grads_back(grads: list[tuple[Any, Any]]) -> None:
    for tensor, grad in grads:
        tensor.grad = grad


def _copy_grad(leaf: Any) -> None:
    """What comes is added to a copy of the ``.grad`` that is there."""
    if leaf.grad is not None:
        leaf.grad = leaf.grad.detach().clone()


def _copies_grad_first(leaf: Any, thread: int, reached: dict[int, tuple[Any, Any]]) -> Any:
    """A hook that leaves the ``.grad`` that is there alone, and writes down which it was."""

    def hook(gradient: Any) -> None:
        if threading.get_ident() == thread and id(leaf) not in reached:
            reached[id(leaf)] = leaf, leaf.grad
            _copy_grad(leaf)

    return hook
