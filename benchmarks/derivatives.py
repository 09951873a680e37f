"""Derivatives of derivatives: the backward pass is itself recorded, and run backward."""

import numpy as np

from .arrays import points
from .networks import network
from .scalars import SCALARS_ONLY
from .workload import Workload

FIRST_ONLY = "has first derivatives only"
WITHOUT = {"MyGrad": FIRST_ONLY, "bare": FIRST_ONLY, "micrograd": SCALARS_ONLY}
ORDER = 6


def tanh_derivatives(engine):
    def derivative(function):
        return lambda x: engine.gradients(lambda x: engine.sum(function(x)), [x])[0]

    function = engine.tanh
    for _ in range(ORDER - 1):
        function = derivative(function)
    leaves = [engine.leaf(points(1000))]
    return lambda: engine.backward(lambda x: engine.sum(function(x)), leaves)


def tanh_derivatives_by_hand():
    """Return the sixth derivative as a polynomial in tanh itself, since tanh' = 1 - tanh²."""
    x = points(1000)
    polynomial = np.polynomial.Polynomial([0, 1])
    for _ in range(ORDER):
        polynomial = polynomial.deriv() * np.polynomial.Polynomial([1, 0, -1])
    coefficients = polynomial.coef.astype(np.float32)
    return lambda: [np.polynomial.polynomial.polyval(np.tanh(x), coefficients)]


def hessian_vector_product(engine):
    inputs, _, weights = network((20, 16, 1), 32)
    inputs = engine.constant(inputs)
    directions = [engine.constant(np.ones_like(weight)) for weight in weights]
    leaves = [engine.leaf(weight) for weight in weights]

    def loss(w1, b1, w2, b2):
        y = engine.tanh(inputs @ w1 + b1) @ w2 + b2
        return engine.sum(y * y)

    def slope(*leaves):
        gradients = engine.gradients(loss, leaves)
        return sum(engine.sum(g * v) for g, v in zip(gradients, directions))

    return lambda: engine.backward(slope, leaves)


def hessian_vector_product_by_hand():
    """Differentiate the hand-written gradient along the direction, term by term."""
    inputs, _, (w1, b1, w2, b2) = network((20, 16, 1), 32)
    v1, c1, v2, c2 = (np.ones_like(weight) for weight in (w1, b1, w2, b2))

    def step():
        hidden = np.tanh(inputs @ w1 + b1)
        bend = 1 - hidden * hidden
        d = 2 * (hidden @ w2 + b2)
        along = bend * (inputs @ v1 + c1)
        d_along = 2 * (along @ w2 + hidden @ v2 + c2)
        back = d @ w2.T
        back_along = d_along @ w2.T + d @ v2.T
        to_hidden = back_along * bend - 2 * back * hidden * along
        return [
            inputs.T @ to_hidden,
            to_hidden.sum(axis=0),
            along.T @ d + hidden.T @ d_along,
            d_along.sum(axis=0),
        ]

    return step


TANH = Workload(
    "1st…6th derivative of tanh, 1000 points",
    tanh_derivatives,
    tanh_derivatives_by_hand,
    WITHOUT,
    tolerance=1e-3,
)
HVP = Workload(
    "Hessian-vector product of a small MLP",
    hessian_vector_product,
    hessian_vector_product_by_hand,
    WITHOUT,
)
WORKLOADS = [TANH, HVP]
