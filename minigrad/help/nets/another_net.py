"""Functions that are given a net, and go through another one that the program holds by a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..program.program import Program
from ..source.syntax import names_in, own_parts
from ..source.texts import everywhere
from ..source.variables import is_module
from ..words.sentences import say


def another_net(net: Any, program: Program) -> Iterator[str]:
    """That a function only returns what it is given, and reads a net of the same class instead."""
    alike = {own for own, thing in program.variables.items() if type(thing) is type(net)}
    others = {own for own in alike if program.variables[own] is not net}
    for source, function in everywhere(program.frame, ast.FunctionDef) if is_module(net) else ():
        given = {each.arg for each in function.args.args}
        returned = [each for each in own_parts(function, ast.Return) if each.value]
        handed_back = {name for each in returned for name in names_in(each, ast.Load)} & given
        body = [each for each in own_parts(function, ast.Name) if isinstance(each.ctx, ast.Load)]
        in_returns = {id(each) for one in returned for each in ast.walk(one)}
        read = [each for each in body if id(each) not in in_returns]
        unread = sorted(handed_back - {each.id for each in read})
        instead = [each for each in read if each.id in others - given]
        if len(unread) == 1 and len({each.id for each in instead}) == 1:
            facts = {"given": unread[0], "other": instead[0].id, "name": function.name}
            yield say("another-net", line=source.spoken(instead[0].lineno), **facts)
            yield say("read-the-given", **facts)
            return
