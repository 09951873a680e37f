"""What a program settles once for all: the default dtype, how tensors print, repeated warnings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from .. import dtypes
from ..autograd.warn import Warned
from ..printing import options

# -- the default dtype -----------------------------------------------------------------------------


def get_default_dtype() -> dtypes.dtype:
    """The floating dtype of tensors made from Python floats (float32 unless it was changed)."""
    return dtypes.of_numpy(dtypes.Default.numpy)


def set_default_dtype(d: dtypes.dtype, /) -> None:
    """Make ``d`` (a floating dtype) the dtype of tensors made from Python floats.

    >>> import minigrad as mg
    >>> mg.set_default_dtype(mg.float64)
    >>> mg.tensor(1.5).dtype
    torch.float64
    >>> mg.set_default_dtype(mg.float32)
    """
    if not isinstance(d, dtypes.dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    dtypes.Default.numpy = d.numpy


# -- how tensors print -----------------------------------------------------------------------------

DEFAULT = {name: value for name, value in vars(options).items() if name != "sci_mode"}
PROFILES = {
    "default": DEFAULT,
    "short": {**DEFAULT, "precision": 2, "edgeitems": 2},
    "full": {**DEFAULT, "threshold": math.inf},
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors are printed from now on, as `torch.set_printoptions` does.

    Args:
        precision: digits after the decimal point.
        threshold: number of elements above which the middle is left out.
        edgeitems: elements kept at both ends of a dimension that is left out.
        linewidth: characters in a line.
        profile: where to start from: `"default"`, `"short"` or `"full"` (nothing left out).
            As in PyTorch, another word is passed over.
        sci_mode: scientific notation always or never. Without it the numbers decide: as in
            PyTorch, every call that does not name `sci_mode` returns to that.

    >>> import minigrad as mg
    >>> set_printoptions(precision=2)
    >>> print(mg.tensor([1.12345]))
    tensor([1.12])
    >>> set_printoptions(profile="default")
    """
    asked = zip(DEFAULT, (precision, threshold, edgeitems, linewidth))
    vars(options).update(PROFILES.get(profile, {}))
    vars(options).update({name: value for name, value in asked if value is not None})
    options.sci_mode = sci_mode


def get_printoptions() -> dict[str, float | bool | None]:
    """The current options by name, fit for `set_printoptions(**…)`.

    >>> get_printoptions()["linewidth"]
    80
    """
    return dict(vars(options))


@contextmanager
def printoptions(**changes: float | str | bool | None) -> Iterator[None]:
    """`set_printoptions(**changes)` for the length of a `with` block.

    >>> import minigrad as mg
    >>> with printoptions(sci_mode=True):
    ...     print(mg.tensor([1.0, 2.0]))
    tensor([1.0000e+00, 2.0000e+00])
    """
    before = get_printoptions()
    set_printoptions(**changes)
    try:
        yield
    finally:
        set_printoptions(**before)


# -- warnings that appear once per process ---------------------------------------------------------


def set_warn_always(always: bool, /) -> None:
    """Whether warnings that appear once per process appear every time."""
    Warned.always = bool(always)


def is_warn_always_enabled() -> bool:
    """Whether warnings that appear once per process appear every time."""
    return Warned.always
