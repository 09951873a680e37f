"""The two that hear a forward pass while it runs, and write it into a `Forward`.

Of minigrad they use the observers of `minigrad.autograd.graph` and of `minigrad.nn.module`. Of
PyTorch: its global module hooks, and a ``TorchDispatchMode``, which is given every operation below
autograd with its operands, whatever their dtype, device or layout. A node has by then been made,
so the creation number tells which one; it can only be met once the operation has returned.
"""

from __future__ import annotations

import functools
import importlib
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from minigrad.autograd.graph import observing

from .forward import ASKED, KEY, Forward, Step, keep, tensors_in
from .names import is_tensor, stale_view
from .read import class_name


class Listener:
    """Hears one library in this thread, and writes into a `Forward`."""

    def __init__(self, forward: Forward, steps: list[Step]):
        self.forward, self.steps = forward, steps
        self.thread = threading.get_ident()
        self.failed: tuple = None, "", ()  # an error, the operation it came from, its operands

    def is_elsewhere(self) -> bool:
        return threading.get_ident() != self.thread

    def step(self, name: str, number: int, items: list, results: list) -> Step:
        self.steps.append(Step(name, number, self.forward, items, results))
        return self.steps[-1]


class MinigradListener(Listener):
    """Hears what minigrad records in this thread, and the calls of `minigrad.nn` modules."""

    latest = -1  #: the number of the newest node that was seen

    @staticmethod
    def owns(thing: Any) -> bool:
        nn = sys.modules.get("minigrad.nn.module")
        return nn is not None and issubclass(type(thing), nn.Module)

    @contextmanager
    def listening(self) -> Iterator[None]:
        nn = importlib.import_module("minigrad.nn.module")
        with observing(self.operation):
            nn.OBSERVERS.append(self.call)
            try:
                yield
            finally:
                nn.OBSERVERS.remove(self.call)

    def operation(self, node: Any, inputs: tuple, output: Any) -> None:
        outputs = output if isinstance(output, (list, tuple)) else (output,)
        self.latest = max(self.latest, node._sequence_nr())
        items = [operand(each) for each in inputs]
        results = [keep(result, result.detach()) for result in outputs]
        node.metadata[KEY] = self.step(class_name(node), node._sequence_nr(), items, results)

    @contextmanager
    def call(self, module: Any, arguments: tuple) -> Iterator[Callable]:
        if self.is_elsewhere():
            yield lambda output: None
            return
        self.forward.enter(module, arguments, self.latest + 1)
        error = None
        try:
            yield functools.partial(self.returned, module)
        except Exception as raised:
            error = raised
            raise
        finally:
            self.forward.leave(module, self.latest, error)

    def returned(self, module: Any, output: Any) -> None:
        self.forward.gave(module, output)
        for tensor in tensors_in(output):
            if not stale_view(tensor) and tensor.grad_fn is not None:
                self.latest = max(self.latest, tensor.grad_fn._sequence_nr())


class TorchListener(Listener):
    """Hears PyTorch: its operations in this thread, and all calls of modules in it."""

    def __init__(self, forward: Forward, steps: list[Step]):
        super().__init__(forward, steps)
        self.torch = sys.modules["torch"]
        self.next_number: Callable[[], int] = self.torch._C._autograd._get_sequence_nr
        self.seen = self.next_number()
        self.last: tuple[Step, list] | None = None  # its results have no node yet

    @staticmethod
    def owns(thing: Any) -> bool:
        torch = sys.modules.get("torch")
        return hasattr(torch, "nn") and issubclass(type(thing), torch.nn.Module)

    @contextmanager
    def listening(self) -> Iterator[None]:
        hooks = self.torch.nn.modules.module
        with ExitStack() as stack:
            stack.enter_context(unwarned(".*there are global hooks on modules"))
            before = hooks.register_module_forward_pre_hook(self.called)
            stack.callback(before.remove)
            after = hooks.register_module_forward_hook(self.returned, always_call=True)
            stack.callback(after.remove)
            stack.enter_context(mode_class()(self))
            try:
                yield
            finally:
                self.settle()

    # -- modules

    def called(self, module: Any, arguments: tuple) -> None:
        if self.torch.compiler.is_compiling() or self.is_elsewhere():
            return
        self.forward.enter(module, arguments, self.next_number())

    def returned(self, module: Any, arguments: tuple, output: Any) -> None:
        if self.torch.compiler.is_compiling() or self.is_elsewhere():
            return
        self.settle()
        self.forward.gave(module, output)
        # After an error this is called, too, without an output, while the error is handled.
        self.forward.leave(
            module, self.next_number() - 1, None if output is not None else sys.exc_info()[1]
        )

    # -- operations

    def run(self, operation: Any, args: tuple, kwargs: dict) -> Any:
        self.settle()
        number = self.next_number() - 1
        given = operands(operation, args, kwargs) if number >= self.seen else []
        asks = any(is_tensor(each) and each.requires_grad for each in given)
        recorded = asks and self.torch.is_grad_enabled()
        items = [operand(each) for each in given] if recorded else []
        for tensor in tensors_in(given) if recorded else ():
            self.forward.met(tensor)  # now: the operation may write to it
        name = operation.__name__.partition(".")[0]
        try:
            output = operation(*args, **kwargs)
        except Exception as error:
            self.failed = error, name, tuple(tensors_in((args, kwargs)))
            raise
        if recorded:
            outputs = list(output) if isinstance(output, (list, tuple)) else [output]
            results = [keep(o, self.alias(o)) if is_tensor(o) else None for o in outputs]
            references = [weakref.ref(o) for o in outputs if is_tensor(o)]
            self.last = self.step(name, number, items, results), references
        self.seen = self.next_number()
        return output

    def alias(self, tensor: Any) -> Any:
        """A detached tensor with the same memory and the same version counter.

        Below autograd a detached tensor would have a counter of its own.
        """
        core = self.torch._C
        with core._SetExcludeDispatchKeyGuard(core.DispatchKey.ADInplaceOrView, False):
            return tensor.detach()

    def settle(self) -> None:
        """The last operation has returned: its results have their node now."""
        if self.last is None:
            return
        (step, references), self.last = self.last, None
        step.settle()
        for tensor in (reference() for reference in references):
            if tensor is None or stale_view(tensor) or tensor.grad_fn is None:
                continue
            if tensor.grad_fn._sequence_nr() == step.sequence:
                self.forward.found(step, tensor.grad_fn)
                return
        self.forward.wait(step)


@functools.cache
def mode_class() -> type:
    """The ``TorchDispatchMode``; made on first use, since this package does not import PyTorch."""
    base = importlib.import_module("torch.utils._python_dispatch").TorchDispatchMode

    class WatchMode(base):
        supports_higher_order_operators = True

        def __init__(self, listener: TorchListener):
            super().__init__()
            self.listener = listener

        @classmethod
        def ignore_compile_internals(cls) -> bool:
            return True  # a compiled function stays compiled

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return self.listener.run(func, args, kwargs or {})

    return WatchMode


@contextmanager
def unwarned(message: str) -> Iterator[None]:
    """Keep one warning quiet that is about the listeners, not about the program.

    Only this one filter is taken away again: others that the program sets meanwhile stay.
    """
    warnings.filterwarnings("ignore", message, UserWarning)
    added = warnings.filters[0]
    try:
        yield
    finally:
        with suppress(ValueError):
            warnings.filters.remove(added)


def operand(each: Any) -> Any:
    """An operand as a step keeps it; one that asks for a gradient is known by its edge."""
    if not is_tensor(each):
        return each
    return ASKED if each.requires_grad else keep(each)


def operands(operation: Any, args: tuple, kwargs: dict) -> list:
    """The tensors and numbers among the arguments that are operands, one after another."""
    schema = getattr(operation, "_schema", None)
    if schema is None:  # an operator of higher order
        return tensors_in(args)
    found: list = []
    for number, argument in enumerate(schema.arguments):
        if argument.kwarg_only or argument.name == "alpha":
            continue
        given = args[number] if number < len(args) else kwargs.get(argument.name)
        kind = str(argument.type)
        if "Tensor" in kind:
            found += given if isinstance(given, (list, tuple)) else [given]
        elif "number" in kind and given is not None:
            found.append(given)
    return found
