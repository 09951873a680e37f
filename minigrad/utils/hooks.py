"""The handle of a hook, and the mark of hooks that may be left out when a tensor is pickled."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from ..autograd.graph import RemovableHandle
from ..tensor import Tensor

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


def unserializable_hook(f: Callable) -> Callable:
    """Mark a hook of which pickling a tensor need not warn."""
    f.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor: Tensor) -> None:
    """Warn of hooks that pickling ``tensor`` leaves out.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> handle = x.register_hook(unserializable_hook(lambda grad: None))
    >>> warn_if_has_hooks(x)
    """
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, "
                "you can decorate the function with @torch.utils.hooks.unserializable_hook to "
                "suppress this warning",
                stacklevel=2,
            )
