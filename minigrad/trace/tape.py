"""`watch` and `record`: watch a forward pass, so that pictures know its values and modules.

Two listeners write into a `Forward`: one hears the operations of minigrad, one those of PyTorch
(which is not imported: it is heard where the program has imported it).
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Any

from .failed import Failure, failure
from .forward import Forward, Step
from .listen import Listener, MinigradListener, TorchListener
from .names import callers_variables


class watch:
    """Watch the forward pass inside a ``with`` block, of minigrad or of PyTorch.

    What an operation was given and what it gave, plain numbers too, is then known to `graph_of`,
    `record_backward` and all pictures; parameters have their path as a name, and operations
    belong to the modules that they ran in. Nothing of the program changes: hooks and modes are
    taken away at the end of the block, also after an error.

    Values are kept as long as the graph they belong to, or the tape itself, lives. Up to 1,024
    elements they are copied; larger tensors are kept by reference, which makes them live as long
    as the graph, and read ``?`` if they were written to afterwards.

    Args:
        modules: whose parameters and parts are to have names. A module goes by the name of the
            caller's variable; the only one that has none goes without.
        named: modules with the names to use: ``watch(g=generator)``.

    Raises:
        TypeError: if a module is not one.

    >>> import minigrad as mg
    >>> from minigrad.trace import graph_of, watch
    >>> net = mg.nn.Linear(1, 1)
    >>> x = mg.tensor([2.0])
    >>> with watch(net):
    ...     loss = (net(x) - 1) ** 2
    >>> [value.name for value in graph_of(loss).values if value.leaf]
    ['net.weight', 'net.bias']
    """

    def __init__(self, *modules: Any, **named: Any):
        variables = callers_variables()
        self._modules: dict[str, Any] = {}
        for module in modules:
            known = (n for n, v in variables.items() if v is module and not n.startswith("_"))
            numbered = "" if len(modules) == 1 else f"net{len(self._modules) + 1}"
            self._modules[next(known, numbered)] = module
        self._modules.update(named)
        for module in self._modules.values():
            if not _is_module(module):
                raise TypeError(
                    "watch takes modules, such as watch(net) or watch(g=generator), "
                    f"not {type(module).__name__}"
                )
        self._stack, self._listeners = ExitStack(), []
        self.steps: list[Step] = []  #: what was recorded, in order
        self.forwards: list[Forward] = []  #: one for each library that is watched
        self.failure: Failure | None = None  #: the error that ended the block, if one did

    def __enter__(self) -> watch:
        variables = callers_variables()
        loaded = sys.modules.get("torch") is not None  # None: whoever blocks it means it
        listeners = (MinigradListener, TorchListener) if loaded else (MinigradListener,)
        with ExitStack() as stack:
            self._listeners = [self._hear(each, variables, stack) for each in listeners]
            self._stack = stack.pop_all()
        return self

    def _hear(self, listener: type, variables: dict[str, Any], stack: ExitStack) -> Listener:
        known = Forward({n: v for n, v in variables.items() if listener.owns(v)})
        for name, module in self._modules.items():
            if listener.owns(module):
                known.adopt(module, name)
        self.forwards.append(known)
        hears = listener(known, self.steps)
        stack.enter_context(hears.listening())
        return hears

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        self._stack.close()
        if isinstance(error, Exception):
            self.failure = failure(error, self._listeners)
        for known in self.forwards:
            known.ended()
        self._listeners = []

    def __repr__(self) -> str:
        said = f"<watched: {len(self.steps)} operations"
        if self.failure is not None:
            said += f", then {self.failure.error}: {self.failure.message}"
        return said + ">"


class record(watch):
    """Watch the operations made inside a ``with`` block: `watch` without a module.

    >>> import minigrad as mg
    >>> from minigrad.trace import graph_of, record
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> with record() as tape:
    ...     y = (x + 1) * x
    >>> [(step.name, step.output(0).item()) for step in tape.steps]
    [('AddBackward0', 3.0), ('MulBackward0', 6.0)]
    >>> graph_of(y).operations[0].constants
    {1: '1'}
    """


def _is_module(thing: Any) -> bool:
    return any(listener.owns(thing) for listener in (MinigradListener, TorchListener))
