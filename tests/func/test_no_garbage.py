"""Transforms leave nothing behind that only the garbage collector could free."""

import gc

import pytest

import minigrad as mg
from minigrad.extras import forward_ad
from minigrad.utils.checkpoint import checkpoint

CUBES = lambda x: (x**3).sum()  # noqa: E731


def tangent(x):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(CUBES(forward_ad.make_dual(x, x))).tangent


def recomputed(x, reentrant):
    x = x.clone().requires_grad_()
    checkpoint(CUBES, x, use_reentrant=reentrant).backward()
    return x.grad


def recomputed_and_kept(x):
    x = x.clone().requires_grad_()
    y = checkpoint(lambda x: x.exp().sin().sum(), x, use_reentrant=False)
    return mg.autograd.grad(y, x, create_graph=True)


USES = {
    "grad": mg.func.grad(CUBES),
    "vjp": lambda x: mg.func.vjp(CUBES, x)[1](mg.tensor(1.0)),
    "jvp": lambda x: mg.func.jvp(CUBES, (x,), (x,)),
    "hessian": mg.func.hessian(CUBES),
    "vmap": lambda x: mg.func.vmap(mg.func.grad(CUBES))(mg.ones(2, 3)),
    "dual": tangent,
    "checkpoint": lambda x: recomputed(x, reentrant=False),
    "checkpoint whose graph is kept": recomputed_and_kept,
    "reentrant checkpoint": lambda x: recomputed(x, reentrant=True),
}


@pytest.mark.parametrize("name", USES)
def test_nothing_is_left(name):
    x = mg.tensor([1.0, 2.0, 3.0])
    USES[name](x)  # the first call may load modules
    gc.collect()
    gc.disable()
    try:
        USES[name](x)
        assert gc.collect() == 0
    finally:
        gc.enable()
