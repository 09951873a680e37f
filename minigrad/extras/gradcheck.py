"""Checking derivatives against finite differences.

Column by column the Jacobian is measured by moving one input element a little each way; row by row
it is computed by backward passes. The two must agree. Beyond that a derivative must give the same
twice, give zero for a zero gradient, and cope with gradients that never arrive.
Source: https://docs.pytorch.org/docs/2.13/autograd.html#module-torch.autograd.gradcheck
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..autograd.around import notes
from ..autograd.backward import grad
from ..autograd.node import PlainNode
from ..ops.more.cat_split import stack
from ..tensor import Tensor, gradient_edge, made_by, wrap
from . import random
from .factories import zeros_like


class GradcheckError(RuntimeError):
    """A derivative is wrong."""


def gradcheck(
    func: Callable, inputs: Tensor | tuple, *, eps: float = 1e-6, atol: float = 1e-5,
    rtol: float = 1e-3, raise_exception: bool = True, nondet_tol: float = 0.0,
    check_undefined_grad: bool = True, check_grad_dtypes: bool = False,
    check_batched_grad: bool = False, check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False, check_backward_ad: bool = True, fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:  # fmt: skip
    """Compare the gradients of ``func`` at ``inputs`` with finite differences.

    Args:
        func: takes the inputs; returns a tensor or a tuple of them.
        inputs: tensors, and anything else that ``func`` takes. Those that require grad are
            checked; they should be float64, or the differences are mostly rounding.
        eps: how far an element is moved.
        atol, rtol: how far the two Jacobians may be apart.
        raise_exception: raise when the check fails; else answer False.
        nondet_tol: how far two equal backward passes may be apart.
        check_undefined_grad: also run ``backward`` with gradients missing.
        fast_mode, masked, check_grad_dtypes: accepted for PyTorch's sake; the check is the full
            one in any case, and gradients always have their tensor's dtype.
        check_batched_grad, check_batched_forward_grad, check_forward_ad: not supported.

    Returns:
        True, or False with ``raise_exception=False``.

    Raises:
        GradcheckError: a derivative is wrong; the message shows both Jacobians.
        ValueError: no input requires grad.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], dtype=mg.float64, requires_grad=True)
    >>> mg.autograd.gradcheck(lambda x: x.sin() * x, x)
    True
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if check_forward_ad or check_batched_grad or check_batched_forward_grad:
        raise NotImplementedError(
            "gradcheck: check_forward_ad, check_batched_grad and check_batched_forward_grad are "
            "not supported"
        )
    inputs = as_tuple(inputs)
    check_inputs(inputs)
    try:
        outputs = as_tuple(func(*inputs))
        roots = differentiable(outputs)
        compare_jacobians(func, inputs, outputs, eps, (rtol, atol), nondet_tol)
        if not zero_gives_zero(roots, inputs):
            raise GradcheckError("backward not multiplied by grad_output")
        if check_undefined_grad:
            check_missing_gradients(func, inputs, len(roots))
    except GradcheckError as error:
        if raise_exception:
            notes.wrong_jacobian(error, outputs, inputs, eps)
            raise
        return False
    return True


def gradgradcheck(
    func: Callable, inputs: Tensor | tuple, grad_outputs: Tensor | tuple | None = None, *,
    eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False, raise_exception: bool = True,
    nondet_tol: float = 0.0, check_undefined_grad: bool = True, check_grad_dtypes: bool = False,
    check_batched_grad: bool = False, check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True, fast_mode: bool = False, masked: bool = False,
) -> bool:  # fmt: skip
    """Compare second derivatives of ``func`` with finite differences of the first.

    Args:
        grad_outputs: the vector of the first backward pass, in the shape of the outputs; random
            by default.
        gen_non_contig_grad_outputs: make that random vector lie scattered in memory.

    The other arguments, the answer and the errors are those of :func:`gradcheck`.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], dtype=mg.float64, requires_grad=True)
    >>> mg.autograd.gradgradcheck(lambda x: x.sin() * x, x)
    True
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable(as_tuple(func(*inputs)))
        vectors = tuple(random_like(y, gen_non_contig_grad_outputs) for y in outputs)
    else:
        vectors = as_tuple(grad_outputs)

    def gradients(*arguments: Any) -> tuple:
        xs, vs = arguments[: len(inputs)], arguments[len(inputs) :]
        outputs = differentiable(as_tuple(func(*xs)))
        grads = grad(outputs, requiring_grad(xs), vs, create_graph=True, allow_unused=True)
        return tuple(g for g in grads if g is not None)

    return gradcheck(
        gradients, inputs + vectors, eps=eps, atol=atol, rtol=rtol,
        raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev,
    )  # fmt: skip


# -- what is checked -----------------------------------------------------------------------------


def as_tuple(value: Any) -> tuple:
    """One value or several as a tuple."""
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def requiring_grad(values: tuple) -> list[Tensor]:
    """The tensors whose gradients are checked."""
    return [x for x in values if isinstance(x, Tensor) and x.requires_grad]


def differentiable(outputs: tuple) -> tuple[Tensor, ...]:
    """The outputs that a gradient can start from."""
    return tuple(y for y in outputs if y.requires_grad)


def random_like(y: Tensor, scattered: bool) -> Tensor:
    """Numbers between -1 and 1 that require grad."""
    numbers = wrap(random.uniform(-1, 1, y.shape, y._value.dtype))
    if scattered and y.ndim:
        numbers = stack([numbers, numbers], -1)[..., 0]
    return numbers.requires_grad_()


def check_inputs(inputs: tuple) -> None:
    """Warn of inputs that are not exact enough; refuse those that cannot be moved one by one."""
    checked = [i for i, x in enumerate(inputs) if isinstance(x, Tensor) and x.requires_grad]
    for i in checked:
        x = inputs[i]
        if x._value.dtype != np.float64:
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or "
                "complex. This check will likely fail if all the inputs are not of double "
                "precision floating point or complex. ",
                stacklevel=2,
            )
        if any(step <= 0 and size > 1 for step, size in zip(x.stride(), x.shape)):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs "
                "that are non-overlapping to be able to compute the numerical gradients correctly. "
                "You should call .contiguous on the input before passing it to gradcheck."
            )
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them "
            "have requires_grad=True."
        )


def compare_jacobians(
    func: Callable, inputs: tuple, outputs: tuple, eps: float, tolerances: tuple, nondet_tol: float
) -> None:
    """Both Jacobians of every output by every input."""
    checked = requiring_grad(inputs)
    measured = [measured_jacobians(func, inputs, x, outputs, eps) for x in checked]
    if not differentiable(outputs):
        if any(block.any() for blocks in measured for block in blocks):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    places = [k for k, y in enumerate(outputs) if y.requires_grad]
    for number, k in enumerate(places):
        computed, again = (computed_jacobians(outputs[k], checked) for _ in range(2))
        if not all(np.allclose(*pair, 0, nondet_tol, True) for pair in zip(computed, again)):
            raise GradcheckError(NONDETERMINISM.format(nondet_tol))
        for j, analytical in enumerate(computed):
            numerical = measured[j][k]
            if not np.allclose(analytical, numerical, *tolerances):
                raise GradcheckError(
                    f"Jacobian mismatch for output {number} with respect to input {j},\n"
                    f"numerical:{wrap(numerical)}\nanalytical:{wrap(analytical)}\n"
                )


NONDETERMINISM = """\
Backward is not reentrant, i.e., running backward with same input and grad_output multiple times \
gives different values, although analytical gradient matches numerical gradient.The tolerance for \
nondeterminism was {}.

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""


def measured_jacobians(func: Callable, inputs: tuple, x: Tensor, outputs: tuple, eps: float):
    """By central differences: for each output an array (elements of x, elements of the output)."""
    memory = x._array()  # written directly, so that no version is counted
    blocks = [np.zeros((memory.size, y.numel()), y._value.dtype) for y in outputs]
    for row, place in enumerate(np.ndindex(memory.shape)):
        here = memory[place]
        sides = []
        try:
            for there in (here - eps, here + eps):
                memory[place] = there
                sides.append([y.detach().clone() for y in as_tuple(func(*inputs))])
        finally:
            memory[place] = here
        for block, low, high in zip(blocks, *sides):
            check_alike(low, high, place, eps)
            block[row] = ((high - low) / (2 * eps))._value.reshape(-1)
    return blocks


def check_alike(low: Tensor, high: Tensor, place: tuple, eps: float) -> None:
    """An output must not change its shape or dtype when an input moves."""
    for what, a, b in (("shape", low.shape, high.shape), ("dtype", low.dtype, high.dtype)):
        if a != b:
            raise AssertionError(
                f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
                f"on index {place} by {eps}, but got: {what}s {a} and {b}."
            )


def computed_jacobians(y: Tensor, inputs: list[Tensor]) -> list[np.ndarray]:
    """By backward passes: for each input an array (its elements, elements of y)."""
    blocks = [np.zeros((x.numel(), y.numel()), x._value.dtype) for x in inputs]
    for column, vector in enumerate(np.eye(y.numel(), dtype=y._value.dtype)):
        vector = wrap(vector.reshape(y.shape))
        grads = grad(y, inputs, vector, retain_graph=True, allow_unused=True)
        for block, g in zip(blocks, grads):
            if g is not None:
                block[:, column] = g._value.reshape(-1)
    return blocks


def zero_gives_zero(outputs: Sequence[Tensor], inputs: tuple) -> bool:
    """Whether gradients of zero give gradients of zero, or none."""
    zeros = [zeros_like(y) for y in outputs]
    grads = grad(outputs, requiring_grad(inputs), zeros, allow_unused=True)
    return not any(g is not None and g._value.any() for g in grads)


class UndefinedGrad(PlainNode):
    """A result that looks like its input, and never sends a gradient back to it."""

    __slots__ = ()

    def vjp(self, g: Any, recorded: bool) -> tuple:
        return (None,)

    @classmethod
    def of(cls, y: Tensor) -> Tensor:
        return made_by(cls((gradient_edge(y),)), y._value)


def check_missing_gradients(func: Callable, inputs: tuple, count: int) -> None:
    """All gradients missing, then each in turn: the answers must be None or zero."""
    for missing in {tuple(range(count)): None} | {(i,): None for i in range(count)}:
        outputs = differentiable(as_tuple(func(*inputs)))
        outputs = [UndefinedGrad.of(y) if i in missing else y for i, y in enumerate(outputs)]
        try:
            is_right = zero_gives_zero(outputs, inputs)
        except RuntimeError as error:
            raise missing_refused("backward function to handle undefined output grads.") from error
        if not is_right:
            raise missing_refused(
                "all input grads to be undefined or zero when all output grads are undefined or "
                "zero."
            )


def missing_refused(expected: str) -> GradcheckError:
    """The error of a missing gradient; it warns those who do not want this check."""
    warnings.warn(
        "Backwards compatibility: New undefined gradient support checking feature is enabled by "
        "default, but it may break existing callers of this function. If this is true for you, you "
        'can call this function with "check_undefined_grad=False" to disable the feature',
        stacklevel=3,
    )
    return GradcheckError(
        f'Expected {expected} Please look at "Notes about undefined output gradients" in '
        '"tools/autograd/derivatives.yaml"'
    )
