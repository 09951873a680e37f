"""``hessian(f, x, y)``: several inputs belong into one tuple."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tensor import Tensor
from ..program.failure import Failure
from ..source.syntax import is_call

ONE_VECTOR = {"vjp", "jvp", "hvp", "vhp"}  #: take a vector after the inputs
OF_INPUTS = {"jacobian", "hessian"} | ONE_VECTOR


def inputs_one_by_one(failure: Failure, found: re.Match) -> Iterator[str]:
    """That a function of several inputs was given one of them only."""
    call = failure.expression
    if not is_call(call, OF_INPUTS) or len(call.args) < 2:
        return
    function, first, *others = call.args
    name = ast.unparse(call.func)
    inputs, text = ast.unparse(first), ast.unparse(function)
    yield f"{name} calls {text} with what its second argument holds, and that is {inputs} alone."
    tensors = [each for each in others if isinstance(failure.value(each), Tensor)]
    together = ", ".join(map(ast.unparse, [first, *tensors])) if tensors else f"{inputs}, ..."
    yield f"Try: {name}({text}, ({together}))."
