"""Derivatives of functions: vector-Jacobian and Jacobian-vector products, Jacobians and Hessians.

Each takes a function of tensors and the point at which to differentiate, and runs it there once.
A function with one input or output takes or gives a tensor, with several a tuple; results follow.

Reverse mode gives v·J directly. J·v comes from it by a trick: v·J is linear in v, so its own
derivative with respect to v, again in reverse mode, is J.
Source: https://docs.pytorch.org/docs/2.13/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..creation import zeros_like
from ..ops.rule import OPERATIONS
from ..tensor import Tensor
from .differentiate import grad
from .grad_mode import enable_grad, is_grad_enabled, set_grad_enabled

Tensors = tuple[Tensor, ...]
OUTPUTS = "outputs of the user-provided function"


def vjp(
    func: Callable,
    inputs: Tensor | Tensors,
    v: Tensor | Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple:
    """``func(*inputs)`` and v·J, the product of a vector and the Jacobian.

    Args:
        func: takes the tensors of ``inputs``; returns a tensor or a tuple of them.
        inputs: the point.
        v: in the shape of the outputs; None for a single output of one element.
        create_graph: record everything, so that the results can be differentiated.
        strict: raise where an output does not depend on an input, instead of answering zeros.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.vjp(lambda x: x * x, x, mg.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        several_in, xs = as_tensors(inputs, "inputs", "vjp")
        xs = prepared(xs, create_graph, requires_grad=True)
        several_out, ys = as_tensors(func(*xs), OUTPUTS, "vjp")
        check_depends(ys, "outputs", strict)
        v = prepared_vector(
            v, ys, several_out, create_graph, "vjp",
            "The vector v can only be None if the user-provided function returns a single Tensor "
            "with a single element.",
        )  # fmt: skip
    with set_grad_enabled(create_graph or is_grad_enabled()):
        grads = zeros_filled(gradients(ys, xs, v, create_graph), xs, strict, create_graph, "back")
    return given(ys, several_out, create_graph), given(grads, several_in, create_graph)


def jvp(
    func: Callable,
    inputs: Tensor | Tensors,
    v: Tensor | Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple:
    """``func(*inputs)`` and J·v, the product of the Jacobian and a vector.

    The arguments are those of :func:`vjp`; v has the shape of the inputs.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.jvp(lambda x: x.sum() * x, x, mg.tensor([1.0, 0.0]))
    (tensor([3., 6.]), tensor([4., 2.]))
    """
    with enable_grad():
        several_in, xs = as_tensors(inputs, "inputs", "jvp")
        xs = prepared(xs, create_graph, requires_grad=True)
        v = prepared_vector(
            v, xs, several_in, create_graph, "jvp",
            "The vector v can only be None if the input to the user-provided function is a single "
            "Tensor with a single element.",
        )  # fmt: skip
        several_out, ys = as_tensors(func(*xs), OUTPUTS, "jvp")
        check_depends(ys, "outputs", strict)
        # v·J is linear in v, so its derivative is the same at every v: zeros will do.
        weights = tuple(zeros_like(y, requires_grad=True) for y in ys)
        grads = gradients(ys, xs, weights, create_graph=True)
        check_depends(grads, "grad_inputs", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        products = gradients(grads, weights, v, create_graph)
        products = zeros_filled(products, ys, strict, create_graph, "back_trick")
    return given(ys, several_out, create_graph), given(products, several_out, create_graph)


def jacobian(
    func: Callable,
    inputs: Tensor | Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian: at [i, j] the derivative of output element i by input element j.

    Args:
        func, inputs, create_graph, strict: as in :func:`vjp`.
        vectorize: accepted for PyTorch's sake; rows are computed one by one in any case.
        strategy: "reverse-mode"; "forward-mode" is not supported.

    Returns:
        A tensor of shape ``output.shape + input.shape``; a tuple over outputs and inputs where
        there are several, nested in this order where there are several of both.

    >>> import minigrad as mg
    >>> mg.autograd.functional.jacobian(lambda x: x * x, mg.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
            'function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        raise NotImplementedError("autograd.functional.jacobian: forward-mode is not supported")
    with enable_grad():
        several_in, xs = as_tensors(inputs, "inputs", "jacobian")
        xs = prepared(xs, create_graph, requires_grad=True)
        several_out, ys = as_tensors(func(*xs), OUTPUTS, "jacobian")
        check_depends(ys, "outputs", strict)
        if vectorize and strict:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                "supported together. Please either set `strict=False` or `vectorize=False`."
            )
        blocks = tuple(rows_of(i, y, xs, create_graph, strict) for i, y in enumerate(ys))
    rows = tuple(given(block, several_in, create_graph) for block in blocks)
    return rows if several_out else rows[0]


def rows_of(i: int, y: Tensor, xs: Tensors, create_graph: bool, strict: bool) -> Tensors:
    """The derivatives of one output by each input: one backward pass for each of its elements."""
    rows = [gradients((y.reshape(-1)[j],), xs, None, create_graph, True) for j in range(y.numel())]
    for row in rows:
        for k, entry in enumerate(row):
            if strict and entry is None:
                raise RuntimeError(
                    f"Output {i} of the user-provided function is independent of input {k}. This "
                    "is not allowed in strict mode."
                )
            if strict and create_graph and not entry.requires_grad:
                raise RuntimeError(
                    f"The jacobian of the user-provided function is independent of input {i}. This "
                    "is not allowed in strict mode when create_graph=True."
                )
    stack = OPERATIONS["stack"]
    return tuple(
        stack([zeros_like(x) if row[k] is None else row[k] for row in rows]).view(y.shape + x.shape)
        for k, x in enumerate(xs)
    )


def hessian(
    func: Callable,
    inputs: Tensor | Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with one output of one element: the Jacobian of its gradient.

    The arguments are those of :func:`jacobian`. The result is a tensor of shape
    ``input.shape + input.shape``, or a tuple of tuples of them.

    >>> import minigrad as mg
    >>> mg.autograd.functional.hessian(lambda x: (x * x * x).sum(), mg.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    several, xs = as_tensors(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def single(*xs: Tensor) -> Tensor:
        output = func(*xs)
        check_depends(as_tensors(output, OUTPUTS, "hessian")[1], "outputs", strict)
        return one_element(output, "hessian").squeeze()

    def gradient(*xs: Tensor) -> Tensors:
        grads = jacobian(single, xs, create_graph=True)
        check_depends(grads, "jacobian", strict)
        return grads

    blocks = jacobian(gradient, xs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return blocks if several else blocks[0][0]


def vhp(
    func: Callable,
    inputs: Tensor | Tensors,
    v: Tensor | Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple:
    """``func(*inputs)`` and v·H, the product of a vector and the Hessian.

    Two backward passes. The arguments are those of :func:`vjp`; v has the shape of the inputs.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.vhp(lambda x: (x * x * x).sum(), x, mg.tensor([1.0, 1.0]))
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        several, xs, v, y = at_point(func, inputs, v, create_graph, strict, "vhp")
        grads = gradients((y,), xs, None, create_graph=True)
        check_depends(grads, "jacobian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        products = gradients(grads, xs, v, create_graph)
        products = zeros_filled(products, xs, strict, create_graph, "double_back")
    return given((y,), False, create_graph), given(products, several, create_graph)


def hvp(
    func: Callable,
    inputs: Tensor | Tensors,
    v: Tensor | Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple:
    """``func(*inputs)`` and H·v, the product of the Hessian and a vector.

    It equals :func:`vhp`, since a Hessian is symmetric, at the price of a third backward pass.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.hvp(lambda x: (x * x * x).sum(), x, mg.tensor([1.0, 1.0]))
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        several, xs, v, y = at_point(func, inputs, v, create_graph, strict, "hvp")
        grads = gradients((y,), xs, None, create_graph=True)
        check_depends(grads, "jacobian", strict)
        weights = tuple(zeros_like(x, requires_grad=True) for x in xs)
        weighted = gradients(grads, xs, weights, create_graph=True)
        check_depends(grads, "hessian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        products = gradients(weighted, weights, v, create_graph)
        products = zeros_filled(products, xs, strict, create_graph, "double_back_trick")
    return given((y,), False, create_graph), given(products, several, create_graph)


# -- what goes in --------------------------------------------------------------------------------


def as_tensors(argument: Any, what: str, function: str) -> tuple[bool, Tensors]:
    """An argument as a tuple of tensors, and whether it was one.

    Raises:
        TypeError: there is something else than a tensor.
    """
    several = isinstance(argument, tuple)
    for i, each in enumerate(argument if several else (argument,)):
        if not isinstance(each, Tensor):
            which = f"value at index {i}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but "
                f"the {which} has type {type(each)}."
            )
    return several, argument if several else (argument,)


def prepared(tensors: Tensors, create_graph: bool, requires_grad: bool) -> Tensors:
    """Tensors of our own: with the history of the given ones if asked for, else cut off."""
    return tuple(
        t.view_as(t)
        if create_graph and t.requires_grad
        else t.detach().requires_grad_(requires_grad)
        for t in tensors
    )


def prepared_vector(
    v: Any, like: Tensors, several: bool, create_graph: bool, function: str, refusal: str
) -> Tensors | None:
    """The vector, checked against what it has to fit; None stands for 1."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(refusal)
        return None
    vs = prepared(as_tensors(v, "v", function)[1], create_graph, requires_grad=False)
    if len(vs) != len(like):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(vs)}."
            if several
            else "The given v should contain a single Tensor."
        )
    for i, (have, want) in enumerate(zip(vs, like)):
        if have.shape != want.shape:
            where = f"Entry {i} in " if several else ""
            raise RuntimeError(
                f"{where}v has invalid size: should be {want.shape} but got {have.shape}."
            )
    return vs


def at_point(
    func: Callable, inputs: Any, v: Any, create_graph: bool, strict: bool, function: str
) -> tuple:
    """What both Hessian products begin with: inputs, vector and the one output."""
    several, xs = as_tensors(inputs, "inputs", function)
    xs = prepared(xs, create_graph, requires_grad=True)
    v = prepared_vector(
        v, xs, several, create_graph, function,
        "The vector v can only be None if the input to the user-provided function is a single "
        "Tensor with a single element.",
    )  # fmt: skip
    output = func(*xs)
    check_depends(as_tensors(output, OUTPUTS, function)[1], "outputs", strict)
    return several, xs, v, one_element(output, function)


def one_element(output: Any, function: str) -> Tensor:
    """The output of a function that has a Hessian."""
    if not isinstance(output, Tensor):
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if output.numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {function} should contain a single "
            "element"
        )
    return output


# -- the pass ------------------------------------------------------------------------------------


def gradients(
    outputs: tuple,
    inputs: Tensors,
    vectors: Tensors | None,
    create_graph: bool,
    retain_graph: bool | None = None,
) -> tuple[Tensor | None, ...]:
    """:func:`grad` over those outputs that can be differentiated; None where nothing depends."""
    vectors = (None,) * len(outputs) if vectors is None else vectors
    pairs = [(y, v) for y, v in zip(outputs, vectors) if y is not None and y.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    roots, seeds = zip(*pairs)
    return grad(
        roots, inputs, seeds,
        retain_graph=retain_graph, create_graph=create_graph, allow_unused=True,
    )  # fmt: skip


# -- what comes out ------------------------------------------------------------------------------


def given(tensors: Tensors, several: bool, create_graph: bool) -> Tensor | Tensors:
    """Results in the form the caller used, cut off unless they are to be differentiated."""
    results = tensors if create_graph else tuple(t.detach() for t in tensors)
    return results if several else results[0]


def zeros_filled(
    grads: tuple, like: Tensors, strict: bool, create_graph: bool, stage: str
) -> Tensors:
    """Gradients with zeros where there is no dependence, which strict mode refuses."""
    for i, each in enumerate(grads):
        if strict and each is None:
            raise RuntimeError(INDEPENDENT[stage].format(i))
        if strict and create_graph and not each.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {i}. This is "
                "not allowed in strict mode when create_graph=True."
            )
    return tuple(zeros_like(x) if each is None else each for each, x in zip(grads, like))


INDEPENDENT = {
    "back": "The output of the user-provided function is independent of input {}. This is not "
    "allowed in strict mode.",
    "back_trick": "The gradient with respect to the input is independent of entry {} in the "
    "grad_outputs when using the double backward trick to compute forward mode gradients. This is "
    "not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {}. This is "
    "not allowed in strict mode.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {} in "
    "the grad_jacobian. This is not allowed in strict mode as it prevents from using the double "
    "backward trick to replace forward mode AD.",
}

NO_GRADIENT = {
    "outputs": "Output {} of the user-provided function does not require gradients. The outputs "
    "must be computed in a differentiable manner from the input when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {} is independent of the inputs of the "
    "user-provided function. This is not allowed in strict mode.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided "
    "function with respect to input {} is independent of the input. This is not allowed in strict "
    "mode. You should ensure that your function is twice differentiable and that the jacobian "
    "depends on the inputs (this would be violated by a linear function for example).",
    "hessian": "The hessian of the user-provided function with respect to input {} is independent "
    "of the input. This is not allowed in strict mode. You should ensure that your function is "
    "thrice differentiable and that the hessian depends on the inputs.",
}


def check_depends(tensors: tuple, what: str, strict: bool) -> None:
    """In strict mode, refuse results that do not depend on the inputs."""
    if not strict:
        return
    for i, tensor in enumerate(tensors):
        if tensor is None:
            raise RuntimeError(INDEPENDENT["back"].format(i))
        if not tensor.requires_grad:
            raise RuntimeError(NO_GRADIENT[what].format(i))
