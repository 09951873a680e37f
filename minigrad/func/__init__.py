"""Transforms: functions in, functions that compute derivatives or whole batches out.

They are built on recorded backward passes alone: :mod:`.variables` says how the arguments enter the
graph, :mod:`.reverse` and :mod:`.forward` have the derivatives, :mod:`.batches` has ``vmap``.

Source: https://docs.pytorch.org/docs/2.13/func.api.html
"""

from .batches import vmap
from .forward import hessian, jacfwd, jvp
from .modules import functional_call, stack_module_state
from .reverse import grad, grad_and_value, jacrev, vjp

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "stack_module_state",
    "vjp",
    "vmap",
]
