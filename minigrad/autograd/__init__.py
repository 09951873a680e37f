"""Automatic differentiation: the backward graph and the passes through it.

What few programs need lives in :mod:`minigrad.extras` and is handed out here on first use.
"""

import importlib

from . import graph
from .backward import backward, grad
from .function import Function
from .grad_mode import enable_grad, no_grad, set_grad_enabled

ON_FIRST_USE = {  # names, and the module each is in
    "Variable": "variable",
    "detect_anomaly": "anomaly_mode",
    "gradcheck": "gradcheck",
    "gradgradcheck": "gradcheck",
    "inference_mode": "inference_mode",
    "is_anomaly_enabled": "anomaly_mode",
    "set_detect_anomaly": "anomaly_mode",
    "variable": "variable",
}
MODULES = ("anomaly_mode", "forward_ad", "functional")

__all__ = [
    "Function", "backward", "enable_grad", "grad", "graph", "no_grad", "set_grad_enabled",
    *ON_FIRST_USE, *MODULES,
]  # fmt: skip


def __getattr__(name: str):
    """Load what few programs need on first use."""
    if name in MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in ON_FIRST_USE:
        module = importlib.import_module(f"..extras.{ON_FIRST_USE[name]}", __name__)
        found = globals()[name] = getattr(module, name)
        return found
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    """What there is, with what is loaded on first use."""
    return sorted({*globals(), *__all__})
