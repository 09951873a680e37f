"""minigrad: PyTorch's autograd, small enough to read.

Use it as you would use PyTorch::

    import minigrad as torch

To look at what happens, with tensors of minigrad or of PyTorch::

    import minigrad as mg

    mg.draw(y)        # the graph that made y
    mg.stepper(y)     # y.backward(), a step at a time, without running it
    mg.explain(y, x)  # in words: why a gradient arrives, or does not
    mg.checkup(net, optimizer, loss)  # one table: what keeps a net from learning
    mg.why()          # the last error again, in words

    with mg.watch(net):     # keeps what the forward pass knows: values, numbers, module names,
        loss = net(x).sum() # and what ended a history, for explain

The engine needs NumPy alone. Pictures, widgets and lessons are in ``minigrad.viz``,
``minigrad.widgets`` and ``minigrad.lessons``, which are imported only when asked for.
"""

from importlib import import_module as _import_module
from math import e, inf, nan, pi

from . import (
    autograd,  # first: tensors and operations are recorded by it
    methods,
)
from .autograd.around import Around as _Around
from .autograd.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .creation import tensor
from .dtypes import *
from .extras.missing import NotSupported, stand_in
from .extras.public import *
from .ops import more as _more
from .ops.binding import bind as _bind
from .tensor import Tensor

__version__ = "0.1.0"

stand_in()
globals().update(_bind())

_Around.load = lambda room: _import_module(f"{__name__}.{room}")


#: what is imported on first use: rooms that few programs need, and names by where they are
_ROOMS = ("func", "linalg", "nn", "optim", "utils")
_DOORS = {
    "vmap": "func",
    **dict.fromkeys(("checkup", "explain", "why"), "help"),
    **dict.fromkeys(("draw", "stepper", "watch"), "widgets"),
    **dict.fromkeys(("load_ipython_extension", "unload_ipython_extension"), "help.in_notebooks"),
}


def __getattr__(name: str):
    """Load rooms that few programs need on first use; name what does not exist."""
    if name in _ROOMS:
        return _import_module(f"{__name__}.{name}")
    if name in _DOORS:
        return getattr(_import_module(f"{__name__}.{_DOORS[name]}"), name)
    if name in _more.FUNCTIONS:
        return globals().setdefault(name, _more.function(name))
    raise NotSupported("module 'minigrad'", name, __dir__())


def __dir__() -> list[str]:
    """What there is, with what is imported on first use."""
    return sorted({*globals(), *_ROOMS, *_DOORS, *_more.FUNCTIONS})


__all__ = [name for name in (*globals(), *_more.FUNCTIONS) if not name.startswith("_")]
