"""Forward mode of every operation: J·t must fit v·J, since v·(J·t) = (v·J)·t."""

import math

import pytest

import minigrad
from minigrad.extras import forward_ad
from tests.ops.observe import tensors_in, weights
from tests.ops.test_finite_differences import smooth_cases

# Of an empty tensor `var` is nan, and then both products are.
CASES = {name: case for name, case in smooth_cases() if ": empty" not in name}

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # warnings are compared elsewhere


def forward(case, points, tangents):
    """v·(J·t): the tangents of all results, weighted."""
    with forward_ad.dual_level():
        duals = [
            point if tangent is None else forward_ad.make_dual(point, tangent)
            for point, tangent in zip(points, tangents, strict=True)
        ]
        found = [forward_ad.unpack_dual(y).tangent for y in tensors_in(case.call(minigrad, *duals))]
    return sum((t * weights(minigrad, t, 0)).sum().item() for t in found if t is not None)


def reverse(case, points, tangents):
    """(v·J)·t: the gradients of the weighted results, along the tangents."""
    inputs = [p.requires_grad_(t is not None) for p, t in zip(points, tangents, strict=True)]
    outputs = [y for y in tensors_in(case.call(minigrad, *inputs)) if y.requires_grad]
    tracked = [x for x in inputs if x.requires_grad]
    vectors = [weights(minigrad, y, 0).to(y.dtype) for y in outputs]
    grads = minigrad.autograd.grad(outputs, tracked, vectors, materialize_grads=True)
    along = [t for t in tangents if t is not None]
    return sum((g * t).sum().item() for g, t in zip(grads, along, strict=True))


def points_of(case):
    return [array.build(minigrad).detach() for array in case.inputs]


@pytest.mark.parametrize("name", CASES)
def test_products_agree(name):
    case = CASES[name]
    tangents = [
        weights(minigrad, p, 2) if p.dtype.is_floating_point else None for p in points_of(case)
    ]
    there = forward(case, points_of(case), tangents)
    back = reverse(case, points_of(case), tangents)
    assert math.isclose(there, back, rel_tol=1e-9, abs_tol=1e-9)


def test_a_wrong_product_is_seen():
    """The comparison itself: with other tangents on one side it must fail."""
    case = CASES["exp: matrix"]
    tangents = [weights(minigrad, p, 2) for p in points_of(case)]
    there = forward(case, points_of(case), tangents)
    back = reverse(case, points_of(case), [2 * t for t in tangents])
    assert not math.isclose(there, back, rel_tol=1e-3)


def test_a_backward_that_cannot_be_differentiated_has_no_forward_mode():
    class Cube(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        @minigrad.autograd.function.once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 3 * g * x * x

    x = minigrad.tensor(2.0)
    with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
        minigrad.func.jvp(Cube.apply, (x,), (x,))
    with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
        minigrad.func.jacfwd(Cube.apply)(x)
