"""What a loop over batches leaves behind: losses that no pass sees."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.syntax import FUNCTIONS, LOOPS, is_call, name_called, parts_up_to
from ..source.texts import Source, everywhere
from ..words.sentences import say


def left_behind(program: Program) -> Iterator[str]:
    """A pass below the loop that computes its loss."""
    for source, each in everywhere(program.frame):
        if isinstance(each, LOOPS | ast.FunctionDef):
            yield from below_the_loop(each, source)


def below_the_loop(outer: ast.For | ast.While | ast.FunctionDef, source: Source) -> Iterator[str]:
    """That a loss is computed for each batch, and the pass runs once, below their loop.

    Where each batch empties gradients, or its loss is read, it was meant to count.
    """
    for at, inner in enumerate(outer.body):
        if not isinstance(inner, LOOPS):
            continue
        inside = [*parts_up_to(inner.body, FUNCTIONS)]
        called = {name_called(part.func) for part in inside if is_call(part)}
        plain = [part for part in inner.body if isinstance(part, ast.Assign)]
        is_read = "zero_grad" in called or isinstance(outer, LOOPS)
        for statement in outer.body[at + 1 :] if is_read and "backward" not in called else ():
            match statement:
                case ast.Expr(ast.Call(ast.Attribute(owner, "backward"))):
                    loss = ast.unparse(owner)
                    made = [each for each in plain if loss == ast.unparse(each.targets[0])]
                    is_anew = made and not any(holds(each.value, loss) for each in made)
                    if is_anew and is_meant(loss, inside, called):
                        yield say("below-the-loop", line=source.spoken(statement.lineno), loss=loss)
                        yield say("into-the-loop", loss=loss)


def holds(expression: ast.expr, written: str) -> bool:
    """Whether a part of an expression is written like this."""
    return any(ast.unparse(each) == written for each in ast.walk(expression))


def is_meant(loss: str, inside: list[ast.AST], called: set[str | None]) -> bool:
    """Whether the loss of each batch was meant to count."""
    read = (each for each in inside if isinstance(each, ast.Attribute) and each.attr == "item")
    return "zero_grad" in called or any(ast.unparse(each.value) == loss for each in read)
