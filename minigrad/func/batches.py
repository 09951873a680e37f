"""``vmap``: a function of one sample made into a function of a batch.

It calls the function for each sample and stacks the results. PyTorch runs the function once, on
tensors with a hidden batch dimension; the numbers are the same. A loop allows more: what depends on
the data, such as ``if x > 0`` and ``.item()``, works here and raises in PyTorch.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..extras import random
from ..ops.more.cat_split import stack
from ..ops.more.one_dim import select
from ..tensor import Tensor
from . import trees

RANDOM_CALL = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' "
    "or 'different' randomness flags on vmap or perform the randomness operation out of vmap"
)


def vmap(
    func: Callable,
    in_dims: int | tuple = 0,
    out_dims: int | tuple = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable:
    """The function that applies ``func`` to every sample of a batch.

    Args:
        func: takes the tensors of one sample; returns a tensor or a tree of them.
        in_dims: for each argument the dimension to go along, None to pass it whole; one number for
            all of them, or a tuple in the form of the arguments.
        out_dims: where the results get their batch dimension; None for a result that is the same
            for all samples.
        randomness: "error" refuses random numbers in ``func``; "different" draws new ones for each
            sample, "same" draws the same for all.
        chunk_size: accepted for PyTorch's sake; samples are computed one by one in any case.

    Raises:
        ValueError: the dims do not fit the arguments, or ``func`` returns no tensors.
        RuntimeError: ``func`` drew random numbers, unless that was allowed.
        NotImplementedError: the batch is empty, so that nothing tells what ``func`` would return.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.func.vmap.html

    >>> import minigrad as mg
    >>> mg.func.vmap(mg.dot)(mg.ones(2, 3), mg.ones(2, 3))
    tensor([3., 3.])
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. Got "
            f"{randomness}"
        )
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def batched(*args, **kwargs):
        check_out_dims(func, out_dims)
        dims, size = batch_of(func, in_dims, args)
        one = drawing(functools.partial(func, **kwargs), randomness)
        results = [one(*sample(args, dims, i)) for i in range(size)]
        return gathered(func, results, out_dims)

    return batched


def batch_of(func: Callable, in_dims: int | tuple, args: tuple) -> tuple[list, int]:
    """The dimension to go along for each leaf of the arguments, and the size of the batch."""
    called = f"vmap({name_of(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, int | tuple):
        raise ValueError(
            f"{called}expected `in_dims` to be int or a (potentially nested) tuple matching the "
            f"structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({name_of(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or "
            "you are trying to vmap over a function with no inputs. The latter is unsupported."
        )
    dims = trees.spread(in_dims, args)
    if dims is None:
        raise ValueError(
            f"{called}in_dims is not compatible with the structure of `inputs`. in_dims has "
            f"structure {trees.spec(in_dims)} but inputs has structure {trees.spec(args)}."
        )
    pairs = list(zip(trees.leaves(args), dims))
    for arg, dim in pairs:
        check_in_dim(called, arg, dim)
    sizes = [arg.shape[dim] for arg, dim in pairs if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    if sizes[0] == 0:
        raise NotImplementedError("func.vmap: an empty batch is not supported")
    return dims, sizes[0]


def check_in_dim(called: str, arg: Any, dim: Any) -> None:
    """Refuse a dimension that the argument does not have."""
    if dim is None:
        return
    if not isinstance(dim, int):
        raise ValueError(
            f"{called}Got in_dim={dim} for an input but in_dim must be either an integer dimension "
            "or None."
        )
    if not isinstance(arg, Tensor):
        raise ValueError(
            f"{called}Got in_dim={dim} for an input but the input is of type {type(arg)}. We "
            "cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
        )
    if not -arg.ndim <= dim < arg.ndim:
        raise ValueError(
            f"{called}Got in_dim={dim} for some input, but that input is a Tensor of "
            f"dimensionality {arg.ndim} so expected in_dim to satisfy -{arg.ndim} <= in_dim < "
            f"{arg.ndim}."
        )


def sample(args: tuple, dims: list, i: int) -> tuple:
    """The arguments for sample ``i``."""
    pairs = zip(trees.leaves(args), dims)
    return trees.like(args, [x if dim is None else select(x, dim, i) for x, dim in pairs])


def drawing(func: Callable, randomness: str) -> Callable:
    """``func`` with the random numbers it may draw."""
    if randomness == "different":
        return func
    start = random.get_rng_state()

    def one(*args):
        if randomness == "same":
            random.set_rng_state(start)
        result = func(*args)
        if randomness == "error" and not random.get_rng_state().equal(start):
            random.set_rng_state(start)  # as if it had been refused before it drew
            raise RuntimeError(RANDOM_CALL)
        return result

    return one


def check_out_dims(func: Callable, out_dims: Any) -> None:
    """Refuse ``out_dims`` with anything but integers and None."""
    for dim in trees.leaves(out_dims):
        if not isinstance(dim, int | None):
            raise ValueError(
                f"vmap({name_of(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None "
                "or a python collection of ints representing where in the outputs the vmapped "
                "dimension should appear."
            )


def gathered(func: Callable, results: list, out_dims: int | tuple | None) -> Any:
    """The results of all samples, stacked leaf by leaf."""
    first = results[0]
    if isinstance(first, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
        out_dims = out_dims[0]
    dims = trees.spread(out_dims, first)
    if dims is None:
        raise ValueError(
            f"vmap({name_of(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not "
            f"compatible with the structure of `outputs`. out_dims has structure "
            f"{trees.spec(out_dims)} but outputs has structure {trees.spec(first)}."
        )
    columns = zip(*map(trees.leaves, results))
    stacks = [stacked(func, column, dim) for column, dim in zip(columns, dims)]
    return trees.like(first, stacks)


def stacked(func: Callable, column: tuple, dim: int | None) -> Any:
    """One result of all samples with its batch dimension."""
    first, name = column[0], name_of(func)
    if dim is None:
        if isinstance(first, Tensor) and not all(first.equal(other) for other in column):
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return first
    if not isinstance(first, Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(first)}. "
            "Did you mean to set out_dims= to None for output?"
        )
    return stack(column, dim)


def name_of(func: Callable) -> str:
    """A function as messages call it."""
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({name_of(func.func)}, ...)"
    return repr(func)
