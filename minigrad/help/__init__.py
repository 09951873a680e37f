"""``minigrad.explain``: why is ``.grad`` None, why is this not a leaf, where does the path break.

Answers rest on four kinds of evidence, in this order: the flags of the tensor, the graph behind it,
what the engine has noted of lines that took a history away, and what the reader's own lines say.
Where all four are silent the answer is "unknown". ``docs/explain.md`` follows one answer through
these files.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from ..tensor import Tensor
from . import of_torch
from .errors.last_error import why
from .nets.checkup import checkup
from .nets.unreached import around
from .of_gradients import of_gradient
from .paths.about import about, refused
from .paths.path import path
from .program.program import Program
from .source import reader
from .source.homes import home
from .words.answer import Explanation, Shown

__all__ = ["checkup", "explain", "why"]


def explain(y: Any, x: Any = None) -> Explanation:
    """Say in plain sentences what autograd knows of ``y``, or of the path from ``y`` back to ``x``.

    Looking changes nothing: no ``.grad``, no flag, no saved value. Of a tensor of PyTorch itself
    is told what its flags and its graph show; of one of minigrad also what your lines show.

    Args:
        y: the tensor in question, of minigrad or of PyTorch.
        x: where a gradient of ``y`` should arrive; None asks about ``y`` alone.

    Raises:
        TypeError: an argument is not a tensor, or one is of minigrad and one of PyTorch.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x.detach() * 3
    >>> print(mg.explain(y, x).sentences[0])
    There is no recorded path from y back to x: y does not require grad.
    >>> z = x * 3
    >>> mg.explain(z, x)
    There is a recorded path from z back to x: z → MulBackward0 → x.
    """
    given = (y,) if x is None else (y, x)
    if all(map(of_torch.is_torch_tensor, given)):
        shown = Shown()
        told = of_torch.about(y, shown) if x is None else of_torch.path(y, x)
        return Explanation(told, shown, own=False)
    if any(map(of_torch.is_torch_tensor, given)) and any(isinstance(t, Tensor) for t in given):
        raise TypeError("explain() takes tensors of minigrad or of PyTorch, not one of each")
    with reader.asked_at(home(given, reader.frame())):
        return of_minigrad(y, x)


def of_minigrad(y: Any, x: Any) -> Explanation:
    """The same of tensors of minigrad."""
    program, given = Program.of(reader.frame()), (y,) if x is None else (y, x)
    if x is None and (said := [*of_gradient(y, program)]):
        return Explanation(said, program.shown)
    for argument in given:
        if not isinstance(argument, Tensor):
            kind = type(argument).__name__
            hint = "; of x.grad, explain(x) says more" if argument is None else ""
            raise TypeError(f"explain() takes tensors, not {kind}: a {kind} has no history{hint}")
    if x is not None:
        return Explanation(path(y, x, program), program.shown)
    beside = () if refused(y) or y.is_leaf else around(y, program)
    return Explanation(chain(beside, about(y, program)), program.shown)
