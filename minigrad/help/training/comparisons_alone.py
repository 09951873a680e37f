"""Flags that a line compares, where it was to set them: ``p.requires_grad == False``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..program.program import Program
from ..source.texts import everywhere
from ..words.sentences import say


def compared_alone(program: Program) -> Iterator[str]:
    """That a statement in a block is a comparison of an attribute with a value, and no more."""
    for source, block in everywhere(program.frame):
        inside = getattr(block, "body", None) if isinstance(block, ast.stmt) else None
        for each in inside if isinstance(inside, list) else ():
            match each:
                case ast.Expr(ast.Compare(ast.Attribute() as flag, [ast.Eq()], [value])):
                    new = f"{ast.unparse(flag)} = {ast.unparse(value)}"
                    yield say("compared-alone", line=source.spoken(each.lineno), new=new)
                    return
