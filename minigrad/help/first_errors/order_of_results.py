"""Results that are unpacked in another order than a function of the reader's returns them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType

from ...tensor import Tensor
from ..program.program import Program
from ..source.called import function_called
from ..source.syntax import own_parts
from ..source.texts import definition_of, everywhere
from ..words.sentences import tell


def unpacked_in_another_order(
    name: str, frame: FrameType, variables: dict[str, object]
) -> Iterator[str]:
    """That a number got a name of a loss, and a name beside it the only tensor with a history."""
    line = Program.of(frame).last_line(name)
    for source, each in everywhere(frame, ast.Assign):
        match each:
            case ast.Assign([ast.Tuple(targets)], ast.Call() as call) if source.spoken(
                each.lineno
            ) == line and all(isinstance(target, ast.Name) for target in targets):
                names = [target.id for target in targets]
                known = [variables.get(own) for own in names]
                tracked = [
                    own
                    for own, thing in zip(names, known)
                    if isinstance(thing, Tensor) and thing.requires_grad
                ]
                if len(tracked) == 1 and tracked != [name]:
                    yield from told(name, tracked[0], names, call, line, variables)
                return


def told(
    name: str, other: str, names: list[str], call: ast.Call, line: str, variables: dict[str, object]
) -> Iterator[str]:
    """The same in words: what each of two names was given, and the line with both exchanged."""
    called = function_called(call, variables)
    source, node = definition_of(called[0]) if called else (None, ast.Pass())
    returns = [each for each in own_parts(node, ast.Return) if isinstance(each.value, ast.Tuple)]
    gives = ""
    if source is not None and len(returns) == 1 and len(returns[0].value.elts) == len(names):
        gives = f" ({source.spoken(returns[0].lineno)})"
    turned = [{name: other, other: name}.get(each, each) for each in names]
    function = ast.unparse(call.func)
    yield tell("in-another-order", name=name, other=other, call=function, line=line, gives=gives)
    yield tell("exchange-names", new=f"{', '.join(turned)} = {ast.unparse(call)}", line=line)
