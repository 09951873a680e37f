"""Running the little pieces of Python that a lesson's data file is made of.

A data file holds code as a module does: load only what you would also import.
"""

import ast
from collections.abc import Callable
from typing import Any


def run(code: str, **names: Any) -> tuple[Any, dict[str, Any]]:
    r"""Run `code` with `names` defined; return the value of its last line, and all its names.

    The value is None when the last line is no expression.

    >>> run("a = x + 1\na * a", x=2)[0]
    9
    """
    scope = dict(names)
    return run_in(scope, code), scope


def run_in(scope: dict[str, Any], code: str, file: str = "<lesson>") -> Any:
    """Run `code` with `scope` as its global names, and return the value of its last line.

    What the code defines replaces what other functions of the same scope call by that name.
    """
    body = ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), file, "exec"), scope)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), file, "eval"), scope)


def function_of_x(formula: str) -> Callable[[float], float]:
    """Make a function of one number out of a formula.

    >>> function_of_x("(2 * x + 3) ** 2")(1.0)
    25.0
    """
    compiled = compile(formula, "<lesson>", "eval")
    return lambda x: eval(compiled, {"x": x})
