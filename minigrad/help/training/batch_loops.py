"""What a loop over batches leaves behind: losses that no pass sees."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.syntax import FUNCTIONS, LOOPS, is_call, name_called, names_in, parts_up_to
from ..source.texts import Source, everywhere
from ..words.sentences import say


def left_behind(program: Program) -> Iterator[str]:
    """A pass below the loop that computes its loss."""
    for source, each in everywhere(program.frame):
        if isinstance(each, LOOPS):
            yield from below_the_loop(each, source)


def below_the_loop(outer: ast.For | ast.While, source: Source) -> Iterator[str]:
    """That a loss is computed for each batch, and the pass runs once, below their loop.

    Where each batch empties gradients, or its loss is read, it was meant to count.
    """
    for at, inner in enumerate(outer.body):
        if not isinstance(inner, LOOPS):
            continue
        inside = [*parts_up_to(inner.body, FUNCTIONS)]
        called = {name_called(part.func) for part in inside if is_call(part)}
        plain = [part for part in inner.body if isinstance(part, ast.Assign)]
        for statement in outer.body[at + 1 :]:
            match statement:
                case ast.Expr(ast.Call(ast.Attribute(ast.Name(loss), "backward"))):
                    made = [each for each in plain if loss in names_in(each.targets[0])]
                    is_anew = made and not any(loss in names_in(each.value) for each in made)
                    if is_anew and "backward" not in called and is_meant(loss, inside, called):
                        yield say("below-the-loop", line=source.spoken(statement.lineno), loss=loss)
                        yield say("into-the-loop", loss=loss)


def is_meant(loss: str, inside: list[ast.AST], called: set[str | None]) -> bool:
    """Whether the loss of each batch was meant to count."""
    read = (each for each in inside if isinstance(each, ast.Attribute) and each.attr == "item")
    return "zero_grad" in called or any(ast.unparse(each.value) == loss for each in read)
