"""minigrad: PyTorch's autograd, small enough to read.

Use it as you would use PyTorch::

    import minigrad as torch

The engine needs NumPy alone. Pictures, widgets and lessons are in ``minigrad.viz``,
``minigrad.widgets`` and ``minigrad.lessons``, which are imported only when asked for.
"""

from math import e, inf, nan, pi

from . import (
    autograd,  # first: tensors and operations are recorded by it
    methods,
)
from .autograd.anomaly_mode import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from .autograd.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .autograd.inference import inference_mode, is_inference_mode_enabled
from .autograd.warned import is_warn_always_enabled, set_warn_always
from .creation import (
    DoubleTensor,
    FloatTensor,
    LongTensor,
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
    tensor,
    zeros,
    zeros_like,
)
from .dtypes import (
    Size,
    bool,
    cuda,
    device,
    double,
    dtype,
    float,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    int,
    int8,
    int16,
    int32,
    int64,
    long,
    set_default_dtype,
    short,
    uint8,
)
from .missing import NotSupported
from .ops.bind import FUNCTIONS_TOO as _FUNCTIONS_TOO
from .ops.bind import METHODS_ONLY as _METHODS_ONLY
from .ops.calling import function_beside as _function_beside
from .ops.calling import function_of as _function_of
from .ops.rule import OPERATIONS as _OPERATIONS
from .printing import get_printoptions, printoptions, set_printoptions
from .random import Generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .tensor import Tensor

__version__ = "0.1.0"

globals().update(
    {
        name: _function_of(operation)
        for name, operation in _OPERATIONS.items()
        if not name.endswith("_") and name not in _METHODS_ONLY
    }
)
globals().update({name: _function_beside(getattr(Tensor, name)) for name in _FUNCTIONS_TOO.split()})


def is_tensor(obj: object, /) -> bool:
    """Whether ``obj`` is a tensor."""
    return isinstance(obj, Tensor)


def __getattr__(name: str):
    """Load rooms that few programs need on first use; name what does not exist."""
    if name in ("func", "nn", "optim", "utils"):
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    if name == "vmap":
        from .func import vmap

        return vmap
    if name == "explain":
        from .explaining import explain

        return explain
    raise NotSupported("module 'minigrad'", name)
