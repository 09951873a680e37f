"""Elements in another order along dims, reversed or moved around; and dims put elsewhere."""

from __future__ import annotations

import numpy as np

from ..dims import dims_of, sizes, wrap_dim
from ..promotion import copied, raw
from ..rule import operation
from ..transpose import permute


@operation(lambda g, dims: flip(g, *dims))
def flip(input, *axes, dims=None):
    """``input`` with the order of its elements reversed along ``dims``: a copy.

    >>> import minigrad as mg
    >>> mg.tensor([1, 2, 3]).flip(0)
    tensor([3, 2, 1])
    """
    x, dims = raw(input), sizes(axes, dims)
    axes = dims_of(dims, x.ndim) if dims else ()
    return flip.rule.record(copied(np.flip(x, axes) if x.ndim else x), input, dims=dims)


@operation(lambda g, dims, shifts: roll(g, [-n for n in shifts[::-1]], dims[::-1]))
def roll(input, shifts, dims=None):
    """The elements moved along by ``shifts``; what falls off one end comes in at the other: a copy.

    Without ``dims`` the elements move in reading order.

    >>> import minigrad as mg
    >>> mg.roll(mg.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    x = raw(input)
    shifts, dims = sizes((shifts,)), () if dims is None else sizes((dims,))
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims) and (dims or len(shifts) > 1):
        counts = f"shifts: {len(shifts)}, dims:{len(dims)}"
        raise RuntimeError(f"shifts and dimensions must align. {counts}")
    if dims and not x.ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    axes = [wrap_dim(dim, x.ndim) for dim in dims]
    value = np.roll(x, shifts, axes) if dims and x.ndim else np.roll(x, shifts[0])
    value = np.ascontiguousarray(value) if x.ndim else value
    return roll.rule.record(value, input, shifts=shifts, dims=dims)


@operation(permute.rule)
def movedim(input, source, destination):
    """``input`` with the dims ``source`` moved to ``destination``, the others in their order.

    >>> import minigrad as mg
    >>> mg.movedim(mg.ones(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = raw(input).ndim
    given = [[d] if isinstance(d, int) else list(d) for d in (source, destination)]
    if len(given[0]) != len(given[1]):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({given[0]} dims) should contain "
            f"the same number of dims as destination ({given[1]} dims)"
        )
    sources, destinations = ([wrap_dim(d, ndim) for d in dims] for dims in given)
    for name, dims, named in zip(("source", "destination"), (sources, destinations), given):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({named})")
    order = [dim for dim in range(ndim) if dim not in sources]
    for place, dim in sorted(zip(destinations, sources)):
        order.insert(place, dim)
    return permute(input, *order) if ndim else input[...]
