"""Linear algebra: norms, solutions of systems, inverses, determinants, factors of Cholesky.

What matrices are multiplied with (``@``, ``mm``, ``dot`` and more) is at the top of the package.

Source: https://docs.pytorch.org/docs/2.13/linalg.html
"""

from __future__ import annotations

from collections.abc import Callable

from ..extras.missing import NotSupported
from ..ops.binding import called
from ..ops.more import cholesky as _cholesky
from ..ops.more import determinants, matrix_norms, systems
from ..ops.more.systems import LinAlgError

__all__ = [
    "LinAlgError",
    "cholesky",
    "det",
    "inv",
    "matrix_norm",
    "norm",
    "solve",
    "vector_norm",
]


def public(function: Callable) -> Callable:
    """A function as programs call it; errors name it as PyTorch does, ``linalg_inv``."""
    name = function.__name__.removeprefix("linalg_")
    function.__name__ = function.__qualname__ = f"linalg_{name}"
    return called(function)


cholesky = public(_cholesky.cholesky)
det = public(determinants.linalg_det)
inv = public(systems.inv)
matrix_norm = public(matrix_norms.matrix_norm)
norm = public(matrix_norms.norm)
solve = public(systems.solve)
vector_norm = public(matrix_norms.vector_norm)


def __getattr__(name: str):
    """Name what does not exist."""
    raise NotSupported("module 'minigrad.linalg'", name, __all__)
