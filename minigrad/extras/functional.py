"""Derivatives of functions: vector-Jacobian and Jacobian-vector products, Jacobians and Hessians.

Each takes a function of tensors and the point at which to differentiate, and runs it there once.
A function with one input or output takes or gives a tensor, with several a tuple; results follow.

Reverse mode gives v·J directly. J·v comes from it by a trick: v·J is linear in v, so its own
derivative with respect to v, again in reverse mode, is J.
Source: https://docs.pytorch.org/docs/2.13/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..autograd.backward import grad
from ..autograd.grad_mode import enable_grad, is_grad_enabled, set_grad_enabled
from ..ops.more.cat_split import stack
from ..tensor import Tensor
from .factories import zeros_like

Tensors = tuple[Tensor, ...]
Point = Tensor | Tensors


def vjp(
    func: Callable, inputs: Point, v: Point | None = None,
    create_graph: bool = False, strict: bool = False,
) -> tuple:  # fmt: skip
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
    call = Call("vjp", create_graph, strict)
    with enable_grad():
        several_in, xs = call.point(inputs)
        several_out, ys = call.outputs(func(*xs))
        v = call.vector(v, ys, several_out, "user-provided function returns")
    products = call.last_pass("back", ys, xs, v, like=xs)
    return call.given(ys, several_out), call.given(products, several_in)


def jvp(
    func: Callable, inputs: Point, v: Point | None = None,
    create_graph: bool = False, strict: bool = False,
) -> tuple:  # fmt: skip
    """``func(*inputs)`` and J·v, the product of the Jacobian and a vector.

    The arguments are those of :func:`vjp`; v has the shape of the inputs.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.jvp(lambda x: x.sum() * x, x, mg.tensor([1.0, 0.0]))
    (tensor([3., 6.]), tensor([4., 2.]))
    """
    call = Call("jvp", create_graph, strict)
    with enable_grad():
        several_in, xs = call.point(inputs)
        v = call.vector(v, xs, several_in)
        several_out, ys = call.outputs(func(*xs))
        weights = any_vector(ys)
        grads = gradients(ys, xs, weights, create_graph=True)
        call.check_depends(grads, "grad_inputs")
    products = call.last_pass("back_trick", grads, weights, v, like=ys)
    return call.given(ys, several_out), call.given(products, several_out)


def jacobian(
    func: Callable, inputs: Point, create_graph: bool = False, strict: bool = False,
    vectorize: bool = False, strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The Jacobian: at [i, j] the derivative of output element i by input element j.

    Args:
        func, inputs, create_graph, strict: as in :func:`vjp`.
        vectorize: accepted for PyTorch's sake; rows are computed one by one in any case.
        strategy: "forward-mode", which asks for ``vectorize=True``, is computed in reverse, too.

    Returns:
        A tensor of shape ``output.shape + input.shape``; a tuple over outputs and inputs where
        there are several, nested in this order where there are several of both.

    >>> import minigrad as mg
    >>> mg.autograd.functional.jacobian(lambda x: x * x, mg.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    check_strategy(
        strategy,
        ' Hint: If your function has more outputs than inputs, "forward-mode" tends to be more '
        'performant. Otherwise, prefer to use "reverse-mode".',
    )
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(REVERSE_MODE_ONLY.format("create_graph"))
        if strict:
            raise RuntimeError(REVERSE_MODE_ONLY.format("strict"))
        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly "
                "implemented for `vectorize=True`."
            )
    call = Call("jacobian", create_graph, strict)
    with enable_grad():
        several_in, xs = call.point(inputs)
        several_out, ys = call.outputs(func(*xs))
        if vectorize and strict:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                "supported together. Please either set `strict=False` or `vectorize=False`."
            )
        blocks = [call.rows_of(i, y, xs) for i, y in enumerate(ys)]
    rows = tuple(call.given(block, several_in) for block in blocks)
    return rows if several_out else rows[0]


def hessian(
    func: Callable, inputs: Point, create_graph: bool = False, strict: bool = False,
    vectorize: bool = False, outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The Hessian of a function with one output of one element: the Jacobian of its gradient.

    The arguments are those of :func:`jacobian`. The result is a tensor of shape
    ``input.shape + input.shape``, or a tuple of tuples of them.

    >>> import minigrad as mg
    >>> mg.autograd.functional.hessian(lambda x: (x * x * x).sum(), mg.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    call = Call("hessian", create_graph, strict)
    several, xs = call.as_tensors(inputs, "inputs")
    check_strategy(outer_jacobian_strategy)

    def gradient(*xs: Tensor) -> Tensors:
        grads = jacobian(lambda *xs: call.output(func(*xs)).squeeze(), xs, create_graph=True)
        call.check_depends(grads, "jacobian")
        return grads

    blocks = jacobian(gradient, xs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return blocks if several else blocks[0][0]


def vhp(
    func: Callable, inputs: Point, v: Point | None = None,
    create_graph: bool = False, strict: bool = False,
) -> tuple:  # fmt: skip
    """``func(*inputs)`` and v·H, the product of a vector and the Hessian.

    Two backward passes. The arguments are those of :func:`vjp`; v has the shape of the inputs.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.vhp(lambda x: (x * x * x).sum(), x, mg.tensor([1.0, 1.0]))
    (tensor(9.), tensor([ 6., 12.]))
    """
    call = Call("vhp", create_graph, strict)
    with enable_grad():
        several, xs, v, y, grads = call.gradient_at(func, inputs, v)
    products = call.last_pass("double_back", grads, xs, v, like=xs)
    return call.given((y,), False), call.given(products, several)


def hvp(
    func: Callable, inputs: Point, v: Point | None = None,
    create_graph: bool = False, strict: bool = False,
) -> tuple:  # fmt: skip
    """``func(*inputs)`` and H·v, the product of the Hessian and a vector.

    It equals :func:`vhp`, since a Hessian is symmetric, at the price of a third backward pass.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0])
    >>> mg.autograd.functional.hvp(lambda x: (x * x * x).sum(), x, mg.tensor([1.0, 1.0]))
    (tensor(9.), tensor([ 6., 12.]))
    """
    call = Call("hvp", create_graph, strict)
    with enable_grad():
        several, xs, v, y, grads = call.gradient_at(func, inputs, v)
        weights = any_vector(xs)
        weighted = gradients(grads, xs, weights, create_graph=True)
        call.check_depends(grads, "hessian")
    products = call.last_pass("double_back_trick", weighted, weights, v, like=xs)
    return call.given((y,), False), call.given(products, several)


class Call(NamedTuple):
    """One call of a function above, and what it does with what goes in and comes out."""

    name: str
    create_graph: bool
    strict: bool

    def as_tensors(self, argument: Any, what: str) -> tuple[bool, Tensors]:
        """An argument as a tuple of tensors, and whether it was one; TypeError for other things."""
        several = isinstance(argument, tuple)
        tensors = argument if several else (argument,)
        for i, each in enumerate(tensors):
            if not isinstance(each, Tensor):
                which = f"value at index {i}" if several else f"given {what}"
                raise TypeError(
                    f"The {what} given to {self.name} must be either a Tensor or a tuple of "
                    f"Tensors but the {which} has type {type(each)}."
                )
        return several, tensors

    def own(self, tensors: Tensors, requires_grad: bool) -> Tensors:
        """Tensors of our own: with the history of the given ones if asked for, else cut off."""
        return tuple(
            t.view_as(t)
            if self.create_graph and t.requires_grad
            else t.detach().requires_grad_(requires_grad)
            for t in tensors
        )

    def point(self, inputs: Any) -> tuple[bool, Tensors]:
        """The inputs, ready to be differentiated by."""
        several, xs = self.as_tensors(inputs, "inputs")
        return several, self.own(xs, requires_grad=True)

    def outputs(self, results: Any) -> tuple[bool, Tensors]:
        """The results of the function, which in strict mode must depend on the inputs."""
        several, ys = self.as_tensors(results, "outputs of the user-provided function")
        self.check_depends(ys, "outputs")
        return several, ys

    def output(self, result: Any) -> Tensor:
        """The result of a function that has a Hessian: one element."""
        self.outputs(result)
        if not isinstance(result, Tensor):
            raise RuntimeError(f"The function given to {self.name} should return a single Tensor")
        if result.numel() != 1:
            raise RuntimeError(
                f"The Tensor returned by the function given to {self.name} should contain a single "
                "element"
            )
        return result

    def vector(
        self, v: Any, like: Tensors, several: bool,
        wanted: str = "input to the user-provided function is",
    ) -> Tensors | None:  # fmt: skip
        """The vector, checked against what it has to fit; None stands for 1."""
        if v is None:
            if len(like) != 1 or like[0].numel() != 1:
                raise RuntimeError(
                    f"The vector v can only be None if the {wanted} a single Tensor with a single "
                    "element."
                )
            return None
        vs = self.own(self.as_tensors(v, "v")[1], requires_grad=False)
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

    def gradient_at(self, func: Callable, inputs: Any, v: Any) -> tuple:
        """What both Hessian products begin with: inputs, vector, the one output, its gradient."""
        several, xs = self.point(inputs)
        v = self.vector(v, xs, several)
        y = self.output(func(*xs))
        grads = gradients((y,), xs, None, create_graph=True)
        self.check_depends(grads, "jacobian")
        return several, xs, v, y, grads

    def rows_of(self, i: int, y: Tensor, xs: Tensors) -> Tensors:
        """The derivatives of output ``i`` by each input: a backward pass for each element."""
        count = range(y.numel())
        rows = [gradients((y.reshape(-1)[j],), xs, None, self.create_graph, True) for j in count]
        for row in rows if self.strict else ():
            for k, entry in enumerate(row):
                if entry is None:
                    raise RuntimeError(
                        f"Output {i} of the user-provided function is independent of input {k}. "
                        "This is not allowed in strict mode."
                    )
                if self.create_graph and not entry.requires_grad:
                    raise RuntimeError(INDEPENDENT_GRAPH.format("jacobian", i))
        return tuple(
            stack(filled([row[k] for row in rows], [x] * len(rows))).view(y.shape + x.shape)
            for k, x in enumerate(xs)
        )

    def last_pass(self, stage: str, roots: tuple, by: Tensors, v: Any, like: Tensors) -> Tensors:
        """The products; zeros where there is no dependence, which strict mode refuses."""
        with set_grad_enabled(self.create_graph or is_grad_enabled()):
            products = gradients(roots, by, v, self.create_graph)
            for i, each in enumerate(products if self.strict else ()):
                if each is None:
                    raise RuntimeError(INDEPENDENT[stage].format(i))
                if self.create_graph and not each.requires_grad:
                    what = "hessian" if "double" in stage else "jacobian"
                    raise RuntimeError(INDEPENDENT_GRAPH.format(what, i))
            return filled(products, like)

    def check_depends(self, tensors: tuple, what: str) -> None:
        """In strict mode, refuse results that do not depend on the inputs."""
        for i, tensor in enumerate(tensors if self.strict else ()):
            if tensor is None:
                raise RuntimeError(INDEPENDENT["back"].format(i))
            if not tensor.requires_grad:
                raise RuntimeError(NO_GRADIENT[what].format(i))

    def given(self, tensors: Tensors, several: bool) -> Point:
        """Results in the form the caller used, cut off unless they are to be differentiated."""
        results = tensors if self.create_graph else tuple(t.detach() for t in tensors)
        return results if several else results[0]


def check_strategy(strategy: str, hint: str = "") -> None:
    """Refuse a strategy that does not exist."""
    if strategy not in ("forward-mode", "reverse-mode"):
        expected = 'Expected strategy to be either "forward-mode" or "reverse-mode".'
        raise AssertionError(expected + hint)


def any_vector(like: Tensors) -> Tensors:
    """A v to differentiate v·J by: J is the same at every v, so zeros will do."""
    return tuple(zeros_like(each, requires_grad=True) for each in like)


def filled(grads: tuple, like: Tensors) -> Tensors:
    """Gradients with zeros in the place of None."""
    return tuple(zeros_like(x) if g is None else g for g, x in zip(grads, like))


def gradients(
    outputs: tuple, inputs: Tensors, vectors: Tensors | None, create_graph: bool, retain_graph=None
) -> tuple[Tensor | None, ...]:
    """:func:`grad` over those outputs that can be differentiated; None where nothing depends."""
    vectors = (None,) * len(outputs) if vectors is None else vectors
    pairs = [(y, v) for y, v in zip(outputs, vectors) if y is not None and y.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    roots, seeds = zip(*pairs)
    return grad(roots, inputs, seeds, retain_graph, create_graph, allow_unused=True)


REVERSE_MODE_ONLY = (
    'torch.autograd.functional.jacobian: `{0}=True` and `strategy="forward-mode"` are not '
    'supported together (yet). Please either set `{0}=False` or `strategy="reverse-mode"`.'
)
INDEPENDENT = {
    "back": "The output of the user-provided function is independent of input {}. This is not "
    "allowed in strict mode.",
    "back_trick": "The gradient with respect to the input is independent of entry {} in the "
    "grad_outputs when using the double backward trick to compute forward mode gradients. This "
    "is not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {}. This "
    "is not allowed in strict mode.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {} in "
    "the grad_jacobian. This is not allowed in strict mode as it prevents from using the double "
    "backward trick to replace forward mode AD.",
}
INDEPENDENT_GRAPH = (
    "The {} of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode when create_graph=True."
)
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
