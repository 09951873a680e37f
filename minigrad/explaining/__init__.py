"""``minigrad.explain``: why is ``.grad`` None, why is this not a leaf, where does the path break.

Answers rest on three kinds of evidence, in this order: the flags of the tensor, the graph behind
it, and what the reader's own lines say. Where all three are silent the answer is "unknown".
"""

from __future__ import annotations

from ..autograd import reader
from ..tensor import Tensor
from .about import about
from .answer import Explanation
from .path import path
from .program import Program


def explain(y: Tensor, x: Tensor | None = None) -> Explanation:
    """Say in plain sentences what autograd knows of ``y``, or of the path from ``y`` back to ``x``.

    Looking changes nothing: no ``.grad``, no flag, no saved value.

    Args:
        y: the tensor in question.
        x: where a gradient of ``y`` should arrive; None asks about ``y`` alone.

    Raises:
        TypeError: an argument is not a tensor.

    >>> import minigrad as mg
    >>> x = mg.tensor(2.0, requires_grad=True)
    >>> y = x.detach() * 3
    >>> print(mg.explain(y, x).sentences[0])
    There is no recorded path from y back to x: y does not require grad.
    >>> z = x * 3
    >>> mg.explain(z, x)
    There is a recorded path from z back to x: z → MulBackward0 → x.
    """
    for argument in (y,) if x is None else (y, x):
        if not isinstance(argument, Tensor):
            kind = type(argument).__name__
            raise TypeError(f"explain() takes tensors, not {kind}: a {kind} has no history")
    program = Program.of(reader.frame())
    return Explanation(about(y, program) if x is None else path(y, x, program))
