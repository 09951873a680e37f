"""Transforms in forward mode: ``jvp``, ``jacfwd``, and ``hessian``, which is both modes in turn.

The function runs once and is recorded; J·t comes out of the record as
:func:`minigrad.extras.variable_node.linearized` describes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..extras.factories import zeros, zeros_like
from ..extras.forward_ad import check_pair
from ..extras.inference_mode import inference_mode
from ..extras.variable_node import Entry, linearized
from ..ops.more.cat_split import stack
from ..ops.shape import reshape
from ..tensor import Tensor
from . import trees
from .reverse import jacrev, unit_tensors
from .variables import ArgNums, Variables, ordinary, outside, split_aux, tensors_of

JVP = "jvp(f, primals, tangents)"


def jvp(
    func: Callable,
    primals: tuple,
    tangents: tuple,
    *,
    strict: bool = False,
    has_aux: bool = False,
) -> tuple:
    """``func(*primals)`` and J·t, the product of the Jacobian and the tangents.

    What ``func`` computes under ``no_grad`` counts as constant; in PyTorch that holds for reverse
    mode alone.

    Args:
        func: takes the primals; returns a tensor or a tree of them.
        primals: a tuple of trees of tensors.
        tangents: in the form and the shapes of the primals.
        strict: raise where an output does not depend on the primals, instead of answering zeros.
        has_aux: ``func`` returns ``(output, aux)``; the answer is ``(output, J·t, aux)``.

    Raises:
        RuntimeError: the tangents are not like the primals, or a result is not a tensor.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.func.jvp.html

    >>> import minigrad as mg
    >>> mg.func.jvp(lambda x: x * x, (mg.tensor([1.0, 2.0]),), (mg.tensor([1.0, 1.0]),))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    if trees.shown(primals) != trees.shown(tangents):
        raise RuntimeError(
            f"{JVP}: Expected primals and tangents to have the same python structure. For example, "
            "if primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
            f"{trees.spec(primals)} and tangents with structure {trees.spec(tangents)}"
        )
    check_tensors(primals, "primals")
    check_tensors(tangents, "tangents")
    for pair in zip(trees.leaves(primals), trees.leaves(tangents)):
        check_pair(*pair)
    with inference_mode(False), Variables(primals, None) as variables:
        output, aux = split_aux(func(*variables.arguments(Entry.result)), has_aux, JVP)
        ys = tensors_of(output, JVP)
        products = linearized(ys, variables.entries)(list(map(ordinary, trees.leaves(tangents))))
    if strict and None in products:
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
            "This is not allowed with strict=True."
        )
    products = trees.like(output, map(zeros_if_none, products, ys))
    return outside((output, products, aux) if has_aux else (output, products))


def check_tensors(tree: Any, called: str) -> None:
    """Refuse a tree without tensors or with something else."""
    found = trees.leaves(tree)
    if not found:
        raise RuntimeError(f"{JVP}: Expected {called} to contain at least one Tensor.")
    for each in found:
        if not isinstance(each, Tensor):
            raise RuntimeError(
                f"{JVP}: Expected {called} to only contain Tensors, got {type(each)}"
            )


def zeros_if_none(product: Tensor | None, y: Tensor) -> Tensor:
    """J·t of an output that may not depend on the variables."""
    return zeros_like(y) if product is None else product


def jacfwd(
    func: Callable, argnums: ArgNums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable:
    """The function that computes the Jacobian of ``func``, column by column, in forward mode.

    The arguments and the answer are those of :func:`minigrad.func.jacrev`. ``randomness`` is
    accepted for PyTorch's sake; ``func`` runs once, so that all columns see the same numbers.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.func.jacfwd.html

    >>> import minigrad as mg
    >>> mg.func.jacfwd(mg.exp)(mg.tensor([0.0, 1.0]))
    tensor([[1.0000, 0.0000],
            [0.0000, 2.7183]])
    """

    @functools.wraps(func)
    def jacobian(*args):
        with inference_mode(False), Variables(args, argnums) as variables:
            for x in variables.tensors:
                check_pair(x, x)
            output = func(*variables.arguments(Entry.result))
            output, aux = split_aux(output, has_aux, JVP)
            ys = tensors_of(output, JVP)
            push = linearized(ys, variables.entries)
            xs = variables.tensors
            blocks = [columns_of(k, xs, ys, push) for k in range(len(xs))]
        found = [trees.like(variables.tree, row) for row in zip(*blocks)]
        found = outside(trees.like(output, found))
        return (found, outside(aux)) if has_aux else found

    return jacobian


def columns_of(k: int, xs: list[Tensor], ys: list[Tensor], push: Callable) -> list[Tensor]:
    """The derivatives of all outputs by variable ``k``: one push for each of its elements."""
    columns = []
    for unit in unit_tensors(xs[k]):
        tangents = [unit if i == k else zeros_like(x) for i, x in enumerate(xs)]
        columns.append(list(map(zeros_if_none, push(tangents), ys)))
    if not columns:
        return [zeros((*y.shape, *xs[k].shape), dtype=y.dtype) for y in ys]
    return [
        reshape(stack(column, -1), (*y.shape, *xs[k].shape)) for column, y in zip(zip(*columns), ys)
    ]


def hessian(func: Callable, argnums: ArgNums = 0) -> Callable:
    """The function that computes the Hessian: ``jacfwd(jacrev(func))``.

    >>> import minigrad as mg
    >>> mg.func.hessian(lambda x: (x * x * x).sum())(mg.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
