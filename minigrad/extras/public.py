"""What this room gives the package: the names that PyTorch has at its top, by ``import *``.

The modules that are imported whole are here for the methods that they give Tensor and Node; of
them, `cuda` and `random` are names of PyTorch's.
"""

from . import (
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
from .anomaly_mode import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from .device import device
from .factories import (
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
from .from_arrays import as_tensor, from_numpy
from .inference_mode import inference_mode, is_inference_mode_enabled
from .missing import NotSupported
from .random import Generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .random_tensors import (
    normal,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
)
from .settings import (
    get_default_dtype,
    get_printoptions,
    is_warn_always_enabled,
    printoptions,
    set_default_dtype,
    set_printoptions,
    set_warn_always,
)
from .tensor_types import DoubleTensor, FloatTensor, LongTensor, is_tensor
