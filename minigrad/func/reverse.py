"""Transforms in reverse mode: ``grad``, ``vjp``, ``jacrev``.

Each runs the function once, on variables of its own, and then sends gradients back through the
graph. Everything is recorded, so that transforms can be nested to any depth; what nobody can ask
for any more is dropped from the results.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .. import autograd
from ..autograd.grad_mode import is_grad_enabled
from ..autograd.graph import GradientEdge
from ..autograd.hooks import of_tensor
from ..extras.factories import zeros, zeros_like
from ..extras.inference_mode import inference_mode
from ..extras.variable_node import Entry
from ..ops.more.cat_split import stack
from ..ops.shape import reshape
from ..tensor import Tensor
from . import trees
from .variables import ArgNums, Variables, outside, split_aux, tensors_of

GRAD = "grad_and_value(f)(*args)"
VJP = "vjp(f, *primals)"


def grad(func: Callable, argnums: ArgNums = 0, has_aux: bool = False) -> Callable:
    """The function that computes the gradient of ``func``, which returns one number as a tensor.

    Args:
        func: the function to differentiate.
        argnums: the number of the argument to differentiate by, or several; an argument may be a
            tree: tuples, lists and dicts of tensors.
        has_aux: ``func`` returns ``(output, aux)``, and the new function ``(gradient, aux)``.

    Raises:
        RuntimeError: ``func`` returns something else, or an argument does not exist.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.func.grad.html

    >>> import minigrad as mg
    >>> mg.func.grad(mg.sin)(mg.tensor(0.0))
    tensor(1.)
    >>> mg.func.grad(mg.func.grad(lambda x: x**3))(mg.tensor(2.0))
    tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(func: Callable, argnums: ArgNums = 0, has_aux: bool = False) -> Callable:
    """The function that computes the gradient and the value of ``func``: ``(gradient, value)``.

    The arguments are those of :func:`grad`; with ``has_aux`` it is ``(gradient, (value, aux))``.

    >>> import minigrad as mg
    >>> mg.func.grad_and_value(lambda x: (x * x).sum())(mg.tensor([1.0, 2.0]))
    (tensor([2., 4.]), tensor(5.))
    """

    @functools.wraps(func)
    def gradient_and_value(*args, **kwargs):
        with inference_mode(False), Variables(args, argnums) as variables:
            output = func(*variables.arguments(Entry.leaf), **kwargs)
            output, aux = split_aux(output, has_aux, GRAD)
            check_number(output)
            found = pulled([output], [None], variables, retain_graph=True, create_graph=True)
        found = trees.like(variables.tree, found)
        return outside((found, (output, aux) if has_aux else output))

    return gradient_and_value


def check_number(output: Any) -> None:
    """Refuse what is not a tensor without dimensions."""
    if not isinstance(output, Tensor):
        raise RuntimeError(f"{GRAD}: Expected f(*args) to return a Tensor, got {type(output)}")
    if output.dim() != 0:
        raise RuntimeError(
            f"{GRAD}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} "
            "dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


def pulled(
    outputs: Sequence[Tensor],
    vectors: Sequence[Tensor | None],
    variables: Variables,
    retain_graph: bool,
    create_graph: bool,
) -> list[Tensor]:
    """v·J for all variables, with zeros where nothing depends on one."""
    pairs = [(y, v) for y, v in zip(outputs, vectors) if y.requires_grad]
    found: Sequence = [None] * len(variables.entries)
    if pairs:
        edges = [GradientEdge(entry, 0) for entry in variables.entries]
        found = autograd.grad(
            *[[y for y, _ in pairs], edges, [v for _, v in pairs]],
            retain_graph=retain_graph, create_graph=create_graph, allow_unused=True,
        )  # fmt: skip
    pairs = zip(found, variables.inside)
    return [
        zeros_like(x) if g is None else of_tensor(x._backward_hooks or {}, g, True)
        for g, x in pairs
    ]


def vjp(func: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """``func(*primals)`` and the function that turns v into v·J, a tuple with an entry per primal.

    Args:
        func: takes the primals; returns a tensor or a tree of them.
        primals: the point; trees of tensors.
        has_aux: ``func`` returns ``(output, aux)``; the answer is ``(output, vjp_fn, aux)``.

    Raises:
        RuntimeError: ``func`` returns something that is not a floating point tensor, or (later)
            v is not like the output.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.func.vjp.html

    >>> import minigrad as mg
    >>> y, vjp_fn = mg.func.vjp(lambda x: x * x, mg.tensor([1.0, 2.0]))
    >>> y, vjp_fn(mg.tensor([1.0, 10.0]))
    (tensor([1., 4.]), (tensor([ 2., 40.]),))
    """
    output, pull, aux = pullback(func, primals, None, has_aux)

    def vjp_fn(cotangents, retain_graph=True, create_graph=None):
        if trees.shown(cotangents) != trees.shown(output):
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of "
                f"outputs to the function. cotangents: {trees.shown(cotangents)}, primal output: "
                f"{trees.shown(output)}"
            )
        return pull(trees.leaves(cotangents), retain_graph, create_graph)

    return (output, vjp_fn, aux) if has_aux else (output, vjp_fn)


def pullback(func: Callable, args: tuple, argnums: ArgNums | None, has_aux: bool) -> tuple:
    """``(output, pull, aux)``; ``pull`` takes a list of vectors, None to leave an output out."""
    with inference_mode(False), Variables(args, argnums) as variables:
        output = func(*variables.arguments(Entry.leaf))
        output, aux = split_aux(output, has_aux, VJP)
        inside = tensors_of(output, VJP)
        for each in inside:
            if not each.dtype.is_floating_point:
                raise RuntimeError(
                    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got "
                    f"Tensor with dtype {each.dtype}"
                )

    def pull(vectors: Sequence[Tensor | None], retain_graph=True, create_graph=None) -> Any:
        asked = [(y, v) for y, v in zip(inside, vectors) if v is not None]
        recorded = is_grad_enabled() if create_graph is None else create_graph
        with inference_mode(False):
            found = pulled(*zip(*asked), variables, retain_graph, recorded)
        return outside(trees.like(variables.tree, found))

    return outside(output), pull, outside(aux)


def jacrev(
    func: Callable,
    argnums: ArgNums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
) -> Callable:
    """The function that computes the Jacobian of ``func``, row by row, in reverse mode.

    Args:
        func, argnums, has_aux: as in :func:`grad`; ``func`` returns a tensor or a tree of them.
        chunk_size: accepted for PyTorch's sake; rows are computed one by one in any case.

    The answer has the form of the output, and in the place of each tensor the form of the chosen
    arguments, with tensors of shape ``output.shape + argument.shape``.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.func.jacrev.html

    >>> import minigrad as mg
    >>> mg.func.jacrev(mg.exp)(mg.tensor([0.0, 1.0]))
    tensor([[1.0000, 0.0000],
            [0.0000, 2.7183]])
    """
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    @inference_mode(False)
    def jacobian(*args):
        output, pull, aux = pullback(func, args, argnums, has_aux)
        ys = trees.leaves(output)
        blocks = []
        for i, y in enumerate(ys):
            rows = [
                pull([unit if j == i else None for j in range(len(ys))]) for unit in unit_tensors(y)
            ]
            blocks.append(stacked_rows(rows, y, chosen(args, argnums)))
        found = trees.like(output, blocks)
        return (found, aux) if has_aux else found

    return jacobian


def chosen(args: tuple, argnums: ArgNums) -> Any:
    """The arguments to differentiate by."""
    return args[argnums] if isinstance(argnums, int) else tuple(args[i] for i in argnums)


def unit_tensors(like: Tensor) -> Iterator[Tensor]:
    """The tensors in the shape of ``like`` with a single 1, in the order of their elements."""
    for i in range(like.numel()):
        unit = zeros(like.numel(), dtype=like.dtype)
        unit[i] = 1
        yield unit.view(like.shape)


def stacked_rows(rows: list, y: Tensor, argument: Any) -> Any:
    """The rows of a Jacobian, each a tree like ``argument``, as a tree of whole Jacobians."""
    columns = zip(*map(trees.leaves, rows)) if rows else [()] * len(trees.leaves(argument))
    blocks = []
    for column, x in zip(columns, trees.leaves(argument)):
        shape = (*y.shape, *x.shape)
        blocks.append(reshape(stack(column), shape) if column else zeros(shape, dtype=x.dtype))
    return trees.like(argument, blocks)
