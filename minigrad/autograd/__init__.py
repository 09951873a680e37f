"""Automatic differentiation: the backward graph and the passes through it."""

import importlib

from . import anomaly_mode, graph
from .anomaly_mode import detect_anomaly, is_anomaly_enabled, set_detect_anomaly
from .differentiate import backward, grad
from .function import Function
from .grad_mode import enable_grad, no_grad, set_grad_enabled
from .gradcheck import gradcheck, gradgradcheck
from .inference import inference_mode
from .variable import Variable

__all__ = [
    "Function", "Variable", "anomaly_mode", "backward", "detect_anomaly", "enable_grad",
    "functional", "grad", "gradcheck", "gradgradcheck", "graph", "inference_mode",
    "is_anomaly_enabled", "no_grad", "set_detect_anomaly", "set_grad_enabled",
]  # fmt: skip


def variable(*args, **kwargs):
    """Refuse: this is what :func:`minigrad.tensor` was called before PyTorch 0.4."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


variable.Variable = Variable  # the function stands where the module of this name would


def __getattr__(name: str):
    """Load what few programs need on first use."""
    if name in ("forward_ad", "functional"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
