"""What had turned grad mode off where nothing was recorded: a block, a decorator, or a line before.

The engine keeps the line. What stood around the one that computed is read: a block that ends before
it may be on still, because it holds a ``yield``; a call that nobody took back is on for good.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from types import CodeType

from ...autograd.caller import Place
from ...extras.recorded_cuts import Off
from ..program.cuts import OFF as BLOCKS
from ..program.cuts import Loss, lost_by, step_again, switches_off, was_on
from ..program.program import decorated
from ..source import reader
from ..source.parsed import expression_at, tree_of_code
from ..source.syntax import LOOPS, is_at, is_call, name_called, names_in, parts_in
from ..source.texts import all_calls, everywhere

ASSIGNS = ast.Assign | ast.AugAssign | ast.AnnAssign | LOOPS
OFF, REENTRANT = lost_by("grad-mode-off"), lost_by("reentrant")


def is_checkpointed(off: Off | None) -> bool:
    """Whether grad mode was off because a checkpoint ran its function."""
    return off is not None and is_call(expression_at(off.since), {"checkpoint"})


def switched_off(place: Place, line: str, off: Off | None) -> tuple[Loss, str]:
    """What had turned grad mode off where a line ran, and the line to look at."""
    found = around(place, line)
    if found is not None:
        return found
    if is_checkpointed(off):
        return REENTRANT, reader.spoken(off.since)
    return (OFF, line) if off is None else by_another_line(line, off)


def around(place: Place, line: str) -> tuple[Loss, str] | None:
    """The innermost ``with`` around a line that turns grad mode off, or a decorator."""
    filename, number, found = place[0].co_filename, reader.line_number(place), None
    for node in switches_in(place[0]):
        if not is_at(node, number):
            continue
        if isinstance(node, ast.With):
            for item in node.items:
                loss = switches_off(item.context_expr)
                found = found if loss is None else (moved(loss, node, number), line)
        else:
            for each in node.decorator_list:
                if loss := switches_off(each):
                    found = decorated(node.name, loss), reader.spoken_line(filename, each.lineno)
    return found


def moved(loss: Loss, block: ast.With, number: int) -> Loss:
    """A switch around a line, with others to move: a loop around it, and what uses its result."""
    body = iter(block.body)
    own = next((each for each in body if is_at(each, number)), None)
    if own is None:
        return loss
    if isinstance(own, LOOPS) and (again := step_again(loss, own, number)):
        return again
    made, along = names_in(own, ast.Store), [own.lineno] * isinstance(own, LOOPS)
    for each in body:
        stored = names_in(each, ast.Store)
        is_step = isinstance(each, ast.AugAssign) and not stored & made  # perhaps of a leaf
        if isinstance(each, ASSIGNS) and not is_step and made & names_in(each, ast.Load):
            made |= stored
            along.append(each.lineno)
    left = [each.lineno for each in block.body if each is not own and each.lineno not in along]
    return replace(loss, along=tuple(along), left=tuple(left))


def by_another_line(line: str, off: Off) -> tuple[Loss, str]:
    """What a line did that is not written around the one that computed."""
    since, code = reader.spoken(off.since), off.since[0]
    name = switch_at(off.since)
    if name == "set_grad_enabled" and (given := flag_given(off.since)):
        says = f"set_grad_enabled({given}) was on with {given} False, so nothing was recorded"
        return Loss(
            says, f"have {given} True when it runs there, where it is to learn", off=True
        ), since
    if name == "set_grad_enabled":
        at_top = off.around or code.co_name == "<module>"
        ended = "" if at_top else f", because {code.co_name}() did not turn it on again"
        says = f"grad mode was still off at {line}{ended}"
        return Loss(
            says, "`with torch.no_grad():` in its place, which ends with its block", off=True
        ), since
    if name is not None and off.around:
        line = reader.spoken(off.around)
        known, _ = around(off.around, line) or (was_on(name, name), line)
        return replace(known, says=was_on(name, name, f" ({since})").says), line
    if name is not None and code.co_flags & inspect.CO_GENERATOR:
        says = f"{name} was still on at {line}, because its block holds a yield"
        do = "make the values inside of that block, and yield them below it, outside"
        return Loss(says, do, off=True), since
    if found := decorated_function(off.since) or wrapped_by_a_call(since):
        return found
    return Loss(f"grad mode was off, since {since}", OFF.do, off=True), line


def decorated_function(place: Place) -> tuple[Loss, str] | None:
    """The decorator of the only function of the name that is called there, if it turns it off."""
    call = expression_at(place)
    name = name_called(call.func) if is_call(call) else None
    functions = everywhere(reader.frame(), ast.FunctionDef)
    known = [each for each in functions if each[1].name == name]
    for source, function in known if len(known) == 1 else ():
        for each in function.decorator_list:
            if loss := switches_off(each):
                return computed_inside(function, loss, source.spoken(each.lineno))
    return None


def wrapped_by_a_call(since: str) -> tuple[Loss, str] | None:
    """The only line that wraps a function, as in ``no_grad()(f)``, which is called there."""
    calls = [(e, call) for e, call in all_calls(reader.frame()) if is_call(call.func, BLOCKS)]
    if len(calls) != 1 or not calls[0][1].args:
        return None
    (source, call), *_ = calls
    whole, given = ast.unparse(call.func), ast.unparse(call.args[0])
    says = f"{whole}(...) has wrapped what was called in {since}, so nothing was recorded there"
    do = f"{given} itself in the place of {ast.unparse(call)} for what is to learn"
    return Loss(says, do, off=True), source.spoken(call.lineno)


def computed_inside(function: ast.FunctionDef, off: Loss, line: str) -> tuple[Loss, str]:
    """What a decorator takes away; a call inside of the function can be recorded alone."""
    says = f"{function.name}(...) is decorated ({line}): {off.says}"
    inside = Loss(says, "`with torch.enable_grad():` around that call", off=True)
    for frame in [*reader.callers(reader.frame())][1:] if "no_grad" in off.says else ():
        if frame.f_code.co_name == function.name and is_at(function, frame.f_lineno):
            return inside, reader.spoken_line(frame.f_code.co_filename, frame.f_lineno)
    return decorated(function.name, off), line


def switch_at(place: Place) -> str | None:
    """What turned grad mode off there: a call, or the ``with`` of a block; None if unknown."""
    call = expression_at(place)
    if is_call(call, {"set_grad_enabled"}):
        return "set_grad_enabled"
    if is_call(call, {"__enter__"}) and is_call(getattr(call.func, "value", None)):
        # as in `no_grad().__enter__()`, whose block has no name to end it by
        return "set_grad_enabled"
    names = [
        name_called(item.context_expr.func)
        for node in switches_in(place[0])
        if isinstance(node, ast.With) and node.lineno == reader.line_number(place)
        for item in node.items
        if is_call(item.context_expr)
    ]
    return next((name for name in reversed(names) if name in BLOCKS), None)


def flag_given(place: Place) -> str:
    """What decides in ``with set_grad_enabled(self.training):``; empty for True and False."""
    for node in switches_in(place[0]):
        for item in node.items if isinstance(node, ast.With) else ():
            call = item.context_expr
            if node.lineno == reader.line_number(place) and is_call(call, {"set_grad_enabled"}):
                given = [each for each in call.args if not isinstance(each, ast.Constant)]
                return ast.unparse(given[0]) if given else ""
    return ""


def switches_in(code: CodeType) -> list[ast.stmt]:
    """The statements of its text that can turn grad mode off for what is written inside."""
    return parts_in(tree_of_code(code), ast.With | ast.FunctionDef)
