"""Where PyTorch is installed: the tangents of every operation are PyTorch's."""

import numpy as np
import pytest

import minigrad
from tests.ops.observe import tensors_in, weights
from tests.ops.table import CASES

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `oracle`)")

# Where the derivative has no value, PyTorch's rules for v·J and for J·t may choose two different
# ones; here both come from one rule.
AT_A_CORNER = {
    "pow corners: zero to the zero",
    "maximum: ties",
    "minimum: ties",
    "mean: empty",
    "var: empty",
    "max: nan",
    "min: nan",
    "std: equal values",
    "norm p=3: zeros",
    "clamp_min a tensor: ties",
    "clamp_max a tensor: ties",
    # Cofactors: PyTorch's tangents of a singular matrix are 0, as are its gradients.
    *("det: singular", "linalg.det: singular"),
    *("det: batch, singular", "linalg.det: batch, singular"),
    # Off the symmetric matrices each rule of PyTorch reads other elements.
    *("linalg.cholesky alone: three", "linalg.cholesky alone: batch"),
    *("linalg.cholesky alone, upper: three", "linalg.cholesky alone, upper: batch"),
    "linalg.vector_norm dtype: float32",  # PyTorch's tangent stays in float32
}

pytestmark = pytest.mark.filterwarnings("ignore")


def tangents(case, library):
    """What every result carries: a tangent as an array, or None."""
    forward_ad = library.autograd.forward_ad
    inputs = [array.build(library).detach() for array in case.inputs]
    with forward_ad.dual_level():
        duals = [
            forward_ad.make_dual(x, weights(library, x, 0).to(x.dtype))
            if x.dtype.is_floating_point
            else x
            for x in inputs
        ]
        results = tensors_in(case.call(library, *duals))
        found = [forward_ad.unpack_dual(y).tangent for y in results]
        return [None if t is None else t.detach().numpy() for t in found]


def asked(case, library):
    """The tangents, or None where the operation refuses."""
    try:
        return tangents(case, library)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return None


def alike(expected, got, tolerance):
    """Whether two tangents agree; none at all is as good as zeros."""
    if expected is None or got is None:
        return all(t is None or not t.any() for t in (expected, got))
    close = np.allclose(expected, got, rtol=tolerance, atol=tolerance, equal_nan=True)
    return expected.dtype == got.dtype and expected.shape == got.shape and close


@pytest.mark.parametrize("name", CASES)
def test_tangents(name):
    half = any(array.dtype == "float16" for array in CASES[name].inputs)
    expected, got = asked(CASES[name], torch), asked(CASES[name], minigrad)
    if expected is None or got is None:
        assert expected is got
        return
    assert len(expected) == len(got)
    agree = all(alike(*pair, 1e-2 if half else 1e-5) for pair in zip(expected, got, strict=True))
    assert agree == (name not in AT_A_CORNER)
