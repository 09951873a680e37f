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
from .dtypes import (
    Size,
    bool,
    double,
    dtype,
    float,
    float16,
    float32,
    float64,
    half,
    int,
    int8,
    int16,
    int32,
    int64,
    long,
    short,
    uint8,
)
from .extras import (  # all but cuda for what they give Tensor and Node
    copying,
    cuda,
    missing,
    node_hooks,
    node_methods,
    once_differentiable,
    protocols,
    random,
    random_fill,
    recorded_cuts,
    tensor_methods,
)
from .extras.anomaly_mode import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from .extras.device import device
from .extras.factories import (
    arange,
    empty,
    empty_like,
    eye,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from .extras.from_arrays import as_tensor, from_numpy
from .extras.inference_mode import inference_mode, is_inference_mode_enabled
from .extras.missing import NotSupported
from .extras.random import Generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .extras.random_tensors import (
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
)
from .extras.settings import (
    get_default_dtype,
    get_printoptions,
    is_warn_always_enabled,
    printoptions,
    set_default_dtype,
    set_printoptions,
    set_warn_always,
)
from .extras.tensor_types import DoubleTensor, FloatTensor, LongTensor
from .ops import more as _more
from .ops.binding import FUNCTIONS_TOO as _FUNCTIONS_TOO
from .ops.binding import METHODS_ONLY as _METHODS_ONLY
from .ops.binding import bind as _bind
from .ops.rule import OPERATIONS as _OPERATIONS
from .tensor import Tensor

__version__ = "0.1.0"

missing.stand_in()
_bind()

globals().update(
    {
        name: operation
        for name, operation in _OPERATIONS.items()
        if not name.endswith("_") and name not in _METHODS_ONLY
    }
)
globals().update({name: getattr(Tensor, name) for name in _FUNCTIONS_TOO.split()})


_Around.load = lambda room: _import_module(f"{__name__}.{room}")


def is_tensor(obj: object, /) -> bool:
    """Whether ``obj`` is a tensor."""
    return isinstance(obj, Tensor)


#: what is imported on first use: rooms that few programs need, and names by where they are
_ROOMS = ("func", "nn", "optim", "utils")
_DOORS = {
    "vmap": "func",
    "checkup": "help",
    "explain": "help",
    "draw": "widgets",
    "stepper": "widgets",
    "watch": "widgets",
    "why": "help",
}


def load_ipython_extension(shell) -> None:
    """``%load_ext minigrad``: short tracebacks with what helps, and the magic ``%%autograd``."""
    from .help.in_notebooks import show_errors_short, watch_cells

    show_errors_short(shell)
    watch_cells(shell)


def unload_ipython_extension(shell) -> None:
    """``%unload_ext minigrad``: tracebacks as IPython has them."""
    from .help.in_notebooks import show_errors_as_before

    show_errors_as_before(shell)


def __getattr__(name: str):
    """Load rooms that few programs need on first use; name what does not exist."""
    if name in _ROOMS:
        return _import_module(f"{__name__}.{name}")
    if name in _DOORS:
        return getattr(_import_module(f"{__name__}.{_DOORS[name]}"), name)
    raise NotSupported("module 'minigrad'", name, __dir__())


def __dir__() -> list[str]:
    """What there is, with what is imported on first use."""
    return sorted({*globals(), *_ROOMS, *_DOORS})
