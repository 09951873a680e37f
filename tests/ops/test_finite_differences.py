"""First and second derivatives of every smooth case against central differences, in float64."""

from dataclasses import replace

import pytest

import minigrad
from tests.ops.observe import tensors_in, weights
from tests.ops.recording import RECORDING
from tests.ops.table import CASES

ANSWERS = RECORDING.answers
STEP = 1e-6

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # warnings are compared elsewhere


def smooth_cases():
    """Cases in float64 whose gradient exists, is finite and has no corner nearby."""
    for name, case in CASES.items():
        dtypes = {array.dtype for array in case.inputs if is_tracked(array)}
        first = ANSWERS[name].get("gradients", ())
        finite = "{'float': " not in str(first)
        double = "float32" not in str(ANSWERS[name]) and "float16" not in str(ANSWERS[name])
        if case.smooth and dtypes == {"float64"} and any(first) and finite and double:
            yield name, case


def is_tracked(array):
    return array.tracked and array.dtype.startswith("float")


SMOOTH = dict(smooth_cases())


def weighted_sum(tensors, start):
    """One number made of all elements of some tensors, each with a weight of its own."""
    terms = [(t * weights(minigrad, t, start)).sum() for t in tensors]
    return sum(terms[1:], terms[0])


def value(case, inputs):
    """The weighted sum of what the case returns."""
    returned = case.call(minigrad, *inputs)
    return weighted_sum([t for t in tensors_in(returned) if t.requires_grad], 0)


def gradients(case, inputs, create_graph):
    """The gradients of `value` for all tracked inputs, None where there is no path."""
    tracked = [t for t in inputs if t.requires_grad]
    return minigrad.autograd.grad(
        value(case, inputs), tracked, create_graph=create_graph, allow_unused=True
    )


def slope(case, inputs):
    """The weighted sum of the gradients: one number again, to be differentiated once more."""
    return weighted_sum([g for g in gradients(case, inputs, True) if g is not None], 1)


def built(case, arrays=None):
    return [array.build(minigrad) for array in arrays or case.inputs]


def numerical(function, case):
    """Central differences of a function of the inputs, element by element."""
    found = []
    for which, array in enumerate(case.inputs):
        if not is_tracked(array):
            continue
        column = []
        for index in range(len(array.values)):
            ahead, behind = (
                function(case, built(case, nudged(case.inputs, which, index, step))).item()
                for step in (STEP, -STEP)
            )
            column.append((ahead - behind) / (2 * STEP))
        found.append(column)
    return found


def nudged(arrays, which, index, step):
    """The inputs with one element moved by a step."""
    values = list(arrays[which].values)
    values[index] += step
    moved = replace(arrays[which], values=tuple(values))
    return [*arrays[:which], moved, *arrays[which + 1 :]]


def as_lists(found, inputs):
    """Gradients as flat lists, zeros where there is no path."""
    tracked = [t for t in inputs if t.requires_grad]
    return [
        [0.0] * t.numel() if g is None else g.clone().reshape(-1).tolist()
        for g, t in zip(found, tracked, strict=True)
    ]


@pytest.mark.parametrize("case", SMOOTH.values(), ids=SMOOTH)
def test_first_derivative(case):
    inputs = built(case)
    exact = as_lists(gradients(case, inputs, False), inputs)
    for one, two in zip(exact, numerical(value, case), strict=True):
        assert one == pytest.approx(two, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("case", SMOOTH.values(), ids=SMOOTH)
def test_second_derivative(case):
    inputs = built(case)
    total = slope(case, inputs)
    tracked = [t for t in inputs if t.requires_grad]
    found = [None] * len(tracked)
    if total.requires_grad:
        found = minigrad.autograd.grad(total, tracked, allow_unused=True)
    for one, two in zip(as_lists(found, inputs), numerical(slope, case), strict=True):
        assert one == pytest.approx(two, rel=1e-4, abs=1e-6)
