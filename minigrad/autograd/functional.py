"""Derivatives of functions of tensors: Jacobians, Hessians and their products.

The code is in :mod:`minigrad.extras.functional`.
"""

from ..extras.functional import hessian, hvp, jacobian, jvp, vhp, vjp

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
