"""``einsum``: a sum of products, written as an equation.

As in PyTorch, each operand is turned so that its dims stand in one common order (those of the
result, then those summed over), and then the operands are multiplied two at a time, by ``bmm``
where a dim is summed, by ``mul`` where none is. The derivative is that of these steps.
"""

from __future__ import annotations

import math
import re

from ...tensor import Tensor
from ..arithmetic import mul
from ..broadcasting import sum as sum_
from ..rule import operation
from ..shape import reshape, unsqueeze, view
from ..transpose import permute
from .batches import bmm
from .diagonals import diagonal
from .flips import movedim

DOTS = "."  # stands for one dim of an ellipsis, with its number counted from the end


@operation()
def einsum(equation: str, *operands) -> Tensor:
    """The sum of products that ``equation`` writes down.

    Each operand's dims get a letter; dims with the same letter go together, and letters that the
    part after ``->`` lacks are summed over. Without ``->`` the result has the letters that occur
    once, in alphabetical order. ``...`` stands for dims that broadcast.

    Raises:
        RuntimeError: the equation does not fit the operands, or is none.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.einsum.html

    >>> import minigrad as mg
    >>> a, b = mg.tensor([[1.0, 2.0], [3.0, 4.0]]), mg.tensor([1.0, 10.0])
    >>> mg.einsum("ij,j->i", a, b)
    tensor([21., 43.])
    >>> mg.einsum("ii", a)
    tensor(5.)
    """
    if len(operands) == 1 and isinstance(operands[0], tuple | list):
        operands = tuple(operands[0])
    if not isinstance(equation, str):
        raise NotImplementedError("einsum() with lists of subscripts; write an equation instead")
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = [labels_of(term, i, equation) for i, term in enumerate(left.split(","))]
    if len(terms) != len(operands):
        which = "fewer" if len(operands) < len(terms) else "more"
        raise wrong(f"{which} operands were provided than specified in the equation")
    terms = [spelled_out(term, x, i) for i, (term, x) in enumerate(zip(terms, operands))]
    result = result_labels(right, terms) if arrow else implied(terms)
    summed = sorted({label for term in terms for label in term} - set(result))
    check_sizes(terms, operands)
    order = [*result, *summed]
    values = [arranged(x, term, order) for term, x in zip(terms, operands)]
    return contracted(values, len(result))


# -- the equation ----------------------------------------------------------------------------------


def wrong(what: str) -> RuntimeError:
    """PyTorch's sentence about an equation that does not fit."""
    return RuntimeError(f"einsum(): {what}")


def labels_of(term: str, place: int, equation: str) -> list[str]:
    """The letters of one operand, with ``...`` as one label."""
    labels = re.findall(r"\.\.\.|.", term)
    if "." in labels:
        raise wrong(f"found '.' for operand {place} that is not part of any ellipsis")
    if labels.count("...") > 1:
        raise wrong(f"found '.' for operand {place} for which an ellipsis was already found")
    for label in labels:
        if label != "..." and not (label.isascii() and label.isalpha()):
            raise wrong(
                f"invalid subscript given at index {equation.index(label)} in the equation string, "
                "subscripts must be in [a-zA-Z]"
            )
    return labels


def spelled_out(labels: list[str], x: Tensor, place: int) -> list[str]:
    """The labels with one for each dim that ``...`` stands for, numbered from the last."""
    extra = x.ndim - len([label for label in labels if label != "..."])
    if extra < 0 or extra and "..." not in labels:
        raise wrong(
            f"the number of subscripts in the equation ({len(labels)}) does not match the number "
            f"of dimensions ({x.ndim}) for operand {place} and no ellipsis was given"
        )
    return filled_in(labels, [f"{DOTS}{n:03d}" for n in reversed(range(extra))])


def filled_in(labels: list[str], dots: list[str]) -> list[str]:
    """The labels with these in the place of ``...``."""
    return [part for label in labels for part in (dots if label == "..." else [label])]


def dots_in(terms: list) -> list[str]:
    """The labels of the dims under an ellipsis, of all operands, in order."""
    return sorted({label for term in terms for label in term if label[0] == DOTS}, reverse=True)


def result_labels(right: str, terms: list) -> list[str]:
    """The labels of the result as the equation gives them."""
    labels = labels_of(right, len(terms), right)
    known = {label for term in terms for label in term}
    for label in labels:
        if labels.count(label) > 1:
            raise wrong(f"output subscript {label} appears more than once in the output")
        if label != "..." and label not in known:
            does_not = "does not appear in the equation for any input operand"
            raise wrong(f"output subscript {label} {does_not}")
    return filled_in(labels, dots_in(terms))


def implied(terms: list) -> list[str]:
    """The labels of the result where the equation leaves them out: those that occur once."""
    every = [label for term in terms for label in term if label[0] != DOTS]
    once = sorted(label for label in set(every) if every.count(label) == 1)
    return [*dots_in(terms), *once]


def check_sizes(terms: list, operands: tuple) -> None:
    """Refuse dims of one label that do not broadcast."""
    sizes: dict[str, int] = {}
    for place, (term, x) in enumerate(zip(terms, operands)):
        for i, (label, size) in enumerate(zip(term, x.shape)):
            if label in term[:i] and size != x.shape[term.index(label)]:
                raise wrong(
                    f"subscript {label} is repeated for operand {place} but the sizes don't match, "
                    f"{size} != {x.shape[term.index(label)]}"
                )
            if sizes.get(label, 1) != 1 and size not in (1, sizes[label]):
                raise wrong(
                    f"subscript {label} has size {size} for operand {place} which does not "
                    f"broadcast with previously seen size {sizes[label]}"
                )
            sizes[label] = max(size, sizes.get(label, 1)) if size else 0


# -- the operands ----------------------------------------------------------------------------------


def arranged(x: Tensor, labels: list[str], order: list[str]) -> Tensor:
    """The operand with a dim for every label in ``order``: of size 1 where it has none."""
    labels = list(labels)
    for label in [label for i, label in enumerate(labels) if label in labels[:i]]:
        first = labels.index(label)
        second = labels.index(label, first + 1)
        x = movedim(diagonal(x, 0, first, second), -1, first)
        del labels[second]
    for label in order:
        if label not in labels:
            x = unsqueeze(x, x.ndim)
            labels.append(label)
    return permute(x, *[labels.index(label) for label in order])


def contracted(values: list[Tensor], kept: int) -> Tensor:
    """The product of all operands, summed over the dims from number ``kept`` on.

    A dim is summed as soon as no later operand has it.
    """
    result, ndim = values[0], values[0].ndim
    for place, x in enumerate(values[1:], 2):
        later = values[place:]
        due = [dim for dim in range(kept, ndim) if all(y.shape[dim] == 1 for y in later)]
        together = [dim for dim in due if result.shape[dim] != 1 != x.shape[dim]]
        of_result = [dim for dim in due if result.shape[dim] != 1 == x.shape[dim]]
        of_x = [dim for dim in due if result.shape[dim] == 1 != x.shape[dim]]
        result = sum_(result, of_result, True) if of_result else result
        x = sum_(x, of_x, True) if of_x else x
        result = pair_product(result, x, together) if together else mul(result, x)
    if kept == ndim:
        return result
    if len(values) > 1:
        return view(result, *result.shape[:kept])
    return sum_(result, tuple(range(kept, ndim)))


def pair_product(left: Tensor, right: Tensor, summed: list[int]) -> Tensor:
    """The product of two operands summed over dims of both, by way of ``bmm``.

    The dims of each operand are gathered into three: those of both and the result, its own, and
    those summed over.
    """
    both, own, others = [], [], []
    for dim in range(left.ndim):
        if dim not in summed:
            in_left, in_right = left.shape[dim] != 1, right.shape[dim] != 1
            (both if in_left and in_right else own if in_left else others).append(dim)
    if own and others and others[-1] < own[0]:  # then the result comes out in the right order
        left, right, own, others = right, left, others, own
    batch, rows, depth = (math.prod(left.shape[d] for d in dims) for dims in (both, own, summed))
    columns = math.prod(right.shape[d] for d in others)
    a = reshape(permute(left, *both, *own, *summed, *others), batch, rows, depth)
    b = reshape(permute(right, *both, *summed, *others, *own), batch, depth, columns)
    places = [*both, *own, *summed, *others]
    sizes = [1 if d in summed else (left if d in own else right).shape[d] for d in places]
    product = view(bmm(a, b), *sizes)
    return permute(product, *[places.index(dim) for dim in range(len(places))])
