"""What the engine has kept of lines that took a history away: they ran, and this is what they did.

Of each the expression is looked at, too, since it says more than the name of an operation:
``math.exp(k)`` reads a number, as ``float(k)`` does, and wants another remedy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from ..autograd.meta import EMPTIED
from ..extras.recorded_cuts import KEY, MADE, NOT_RECORDED, Cut, cuts_of
from ..tensor import Tensor
from . import reader
from .cuts import Loss, cut_by, of_name
from .history import nodes_behind, way
from .program import Break, breaks
from .program import Cut as Told
from .switched_off import switched_off
from .written import expression_at


def recorded_breaks(thing: Any) -> list[Break]:
    """The lines at which the history of a tensor or a number ended, the last one first.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> [each.said.partition(" (")[0] for each in recorded_breaks(x.detach() * 2)]
    ['detach() gives the same value without history']
    """
    if isinstance(thing, Tensor) and thing.requires_grad:
        return []
    cuts = cuts_of(thing)
    return [] if all(cut.what in MADE and cut.source is None for cut in cuts) else told(cuts)


def told(cuts: tuple[Cut, ...]) -> list[Break]:
    """Cuts as they are spoken of."""
    known = [cut for cut in cuts if cut.place is not None]
    return breaks([(Told(*meaning(cut)),) for cut in known])


def lines_made(thing: Any) -> list[str]:
    """The line that made a tensor from plain values, where no history is known to have ended."""
    cuts = cuts_of(thing) if isinstance(thing, Tensor) else ()
    made = [cut for cut in cuts if cut.what in MADE and cut.source is None and cut.place]
    return [reader.spoken(made[0].place)] if made and len(made) == len(cuts) else []


def breaks_between(y: Tensor, x: Tensor) -> list[Break]:
    """The lines that are known to have cut the way from ``y`` back to ``x``."""
    if y.requires_grad:
        return told(tuple([cut for cut in behind(y) if leads_to(cut, x)]))
    return recorded_breaks(y) if any(leads_to(cut, x) for cut in cuts_of(y)) else []


def behind(y: Tensor) -> tuple[Cut, ...]:
    """The cuts of operands that bring no history, which a pass that is watched keeps."""
    nodes = [node for node in nodes_behind(y) if node.extras is not None]
    return tuple([cut for node in nodes for cut in node.extras.metadata.get(KEY, ())])


def leads_to(cut: Cut, x: Tensor) -> bool:
    """Whether what lost its history is known to have been computed from ``x``."""
    if any(leaf() is x for leaf in cut.leaves):
        return True
    source = None if cut.source is None else cut.source()
    return source is not None and (source is x or way(source, x) is not None)


def unrecorded_pass(tensor: Any, name: str, variables: Mapping[str, Any]) -> list[str]:
    """That a tensor is the ``.grad`` of a leaf, and which pass filled that."""
    for own, thing in variables.items():
        for path, leaf in [("", thing), *reader.parameters_of(thing)]:
            if not isinstance(leaf, Tensor) or leaf._meta is None or leaf._meta.grad is not tensor:
                continue
            if tensor is not None and (line := last_pass(leaf)):
                filled = f"{own}.{path}.grad" if path else f"{own}.grad"
                without = "kept no history of its own, because it ran without create_graph=True"
                return [f"{name} is {filled}, and the pass that filled it {without} ({line})."]
    return []


def last_pass(leaf: Tensor) -> str | None:
    """The line that last added to the ``.grad`` of a leaf; None if that was taken away since."""
    touched = getattr(leaf._meta, "touched", None)
    return None if touched is None or EMPTIED in touched else reader.spoken(touched)


def emptied_at(leaf: Any) -> str | None:
    """The line that took the gradient of a leaf away, if none has come since; of minigrad's."""
    touched = getattr(getattr(leaf, "_meta", None), "touched", None)
    if touched is None or EMPTIED not in touched:
        return None
    is_own = touched[0].co_filename.startswith(reader.PACKAGE)
    return "a line of this package" if is_own else reader.spoken(touched[:2])


# -- what a line did -------------------------------------------------------------------------------


def meaning(cut: Cut) -> tuple[Loss, str]:
    """What a cut means, and the line to look at."""
    line = reader.spoken(cut.place)
    return switched_off(cut.place, line, cut.off) if cut.what is NOT_RECORDED else (lost(cut), line)


def lost(cut: Cut) -> Loss:
    """What an operation takes away, and what to do instead."""
    expression = expression_at(cut.place)
    losses = () if expression is None else losses_in(expression)
    known = next((loss for loss in losses if loss is not None), None) or of_name(cut.what)
    if known is not None:
        return known
    out = f"leave {cut.what}(...) out there"
    if cut.what in MADE:
        return Loss(f"{cut.what}(...) makes a new leaf from the values alone", out)
    return Loss(f"{cut.what}(...) gives a result without history", out)


def losses_in(expression: ast.AST) -> Iterator[Loss | None]:
    """What one operation takes away from each of its operands."""
    for child in ast.iter_child_nodes(expression):
        yield cut_by(expression, child)
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        yield cut_by(expression.func, expression.func.value)
