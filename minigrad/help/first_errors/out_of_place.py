"""Lines that wrote in place, as the reader would write them out of place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...autograd.caller import Place
from ...tensor import Tensor
from ..graph.saved_views import target_of, viewed
from ..program.cuts import switches_off
from ..source import reader
from ..source.parsed import expression_at, text_of_code, tree_of
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    around_line,
    is_at,
    is_call,
    is_word,
    name_called,
    names_in,
    own_parts,
    scope,
    statements_at,
)
from ..source.texts import everywhere

MOST_LAYERS = 3
FILLS = {"zero_": "zeros_like", "fill_": "full_like"}
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
ABOVE, INSTEAD, WITHIN = "above", "in the place of", "in"
LEADS = {INSTEAD: "make a new tensor instead: ", ABOVE: "write into a clone(): ", WITHIN: ""}


class Rewrite(NamedTuple):
    """What to write, where that belongs, and the line that is meant."""

    new: str
    where: str
    line: str
    then: str = ""


def out_of_place(writers: Iterable[Place | None], has_history: bool) -> str:
    """What to write in the place of the lines that wrote; empty where one cannot be rewritten.

    ``has_history`` where what was written to requires grad.
    """
    found: dict[Rewrite, None] = {}
    for writer in dict.fromkeys(writers):
        rewrite = None if writer is None else rewritten(writer, has_history)
        if rewrite is None:
            return ""
        found[rewrite] = None
    if len(found) == 1:
        [(new, where, line, then)] = found
        is_named = line == reader.spoken(next(iter(writers)))
        return f"{LEADS[where]}{new} {where} {'that line' if is_named else line}{then}"
    lead = next((LEADS[each] for each in LEADS if any(each == one.where for one in found)), "")
    return lead + " and ".join(f"{new} {where} {line}{then}" for new, where, line, then in found)


def rewritten(writer: Place, has_history: bool) -> Rewrite | None:
    """How to write a line out of place."""
    number, tree = reader.line_number(writer), tree_of(text_of_code(writer[0]))
    line = reader.spoken(writer)
    for statement in statements_at(tree, number):
        around, whole = scope(tree, number), written_to(statement)
        if whole is None:
            break
        name = ast.unparse(whole)
        if is_lost(name, around, number):
            return handed_back(in_one_line(statement, name), name, around, number, line)
        if source := binding_of_a_view(name, around):
            return of_a_view(source, writer)
        if has_history and (block := switch_around(tree, number)):
            above = reader.spoken_line(writer[0].co_filename, block.lineno)
            is_with = isinstance(block, ast.With)
            return Rewrite(f"`{name} = {name}.clone()`", ABOVE, above) if is_with else None
        new = in_one_line(statement, name)
        copied = Rewrite(f"`{name} = {name}.clone()`", ABOVE, line)
        return Rewrite(f"`{new}`", INSTEAD, line) if new else copied
    return in_a_call(expression_at(writer), line)


def beside_a_view(writer: Place, name: str) -> str:
    """What to write in the place of a line that writes to a view which a node has kept."""
    number, tree = reader.line_number(writer), tree_of(text_of_code(writer[0]))
    news = [in_one_line(each, name) for each in statements_at(tree, number)]
    new, where = (news[0], INSTEAD) if any(news) else (f"{name} = {name}.clone()", ABOVE)
    return f"{LEADS[where]}`{new}` {where} that line"


def written_to(statement: ast.stmt) -> ast.expr | None:
    """``h`` of ``h[0] = 1``, ``h += 1``, ``h.add_(1)`` and ``F.relu(h, inplace=True)``."""
    whole = None
    match statement:
        case ast.Assign([ast.Subscript() as target]) | ast.AugAssign(target):
            whole = target
        case ast.Expr(ast.Call(func) as call):
            whole = chain_start(call)
            if whole is None and writes_by_name(call) and call.args:
                whole = call.args[0]
            if isinstance(func, ast.Attribute) and whole is func.value and not in_place(func.attr):
                return None
    while isinstance(whole, ast.Subscript):
        whole = whole.value
    is_named = isinstance(whole, ast.Name | ast.Attribute)
    return whole if is_named and getattr(whole, "attr", "") not in ("data", "T") else None


def chain_start(call: ast.expr) -> ast.expr | None:
    """``h`` of ``h.mul_(2).add_(1)``; None where one of the methods does not write."""
    while isinstance(call, ast.Call):
        match call.func:
            case ast.Attribute(owner, name) if in_place(name) and hasattr(Tensor, name):
                call = owner
            case _:
                return None
    return call


def in_place(name: str) -> bool:
    """Whether a method of this name writes in place."""
    return name.endswith("_") and not name.endswith("__")


def writes_by_name(call: ast.Call) -> bool:
    """Whether this is ``F.relu(h, inplace=True)`` or ``torch.relu_(h)``."""
    given = any(each.arg == "inplace" and is_word(each.value, True) for each in call.keywords)
    return given or in_place(name_called(call.func) or "")


def in_one_line(statement: ast.stmt, name: str) -> str:
    """``h = h + 1`` for ``h += 1``; empty where a part is written, or there is no such function."""
    match statement:
        case ast.AugAssign(ast.Name() | ast.Attribute() as target, operation, value):
            whole = ast.parse(ast.unparse(target), mode="eval").body
            return f"{name} = {ast.unparse(ast.BinOp(whole, operation, value))}"
        case ast.Expr(ast.Call() as call):
            new = without_a_write(call, name)
            return f"{name} = {new}" if new else ""
    return ""


def without_a_write(call: ast.Call, name: str = "") -> str:
    """``h.mul(2)`` for ``h.mul_(2)``, and ``F.relu(h)`` for ``F.relu(h, inplace=True)``."""
    match call.func:
        case ast.Attribute(ast.Name() | ast.Attribute() as owner, "zero_" | "fill_" as method):
            given = "".join(f", {ast.unparse(each)}" for each in call.args)
            return f"torch.{FILLS[method]}({ast.unparse(owner)}{given})"
        case ast.Attribute(ast.Name() | ast.Attribute() as owner, method) if name:
            match call:
                case ast.Call(_, [given], []) if method[:-1] in OPERATORS:
                    sign = OPERATORS[method[:-1]]
                    right = ast.unparse(ast.BinOp(ast.Name("_"), ast.Mod(), given))[4:]
                    return f"{ast.unparse(owner)} {sign} {right}"
    if chain_start(call) is not None:
        parts: list[str] = []
        each: Any = call
        while isinstance(each, ast.Call):
            plain = each.func.attr[:-1]
            if not hasattr(Tensor, plain):
                return ""
            parts.insert(0, f".{plain}({given_as_written(each)})")
            each = each.func.value
        return "" if isinstance(each, ast.Subscript) else f"{ast.unparse(each)}{''.join(parts)}"
    kept = [each for each in call.keywords if each.arg != "inplace"]
    function = ast.unparse(call.func)
    text = ast.unparse(ast.Call(ast.Name(function.removesuffix("_")), call.args, kept))
    return "" if isinstance(call.args[0], ast.Subscript) and name else text


def given_as_written(call: ast.Call) -> str:
    """What stands in the brackets of a call."""
    return ast.unparse(ast.Call(ast.Name("f"), call.args, call.keywords))[2:-1]


# -- where a new value of the name would not do ----------------------------------------------------


def is_lost(name: str, around: ast.AST, number: int) -> bool:
    """Whether a name is given by a caller or a loop, and what it means later is never asked."""
    if isinstance(around, FUNCTIONS):
        given = {each.arg for each in ast.walk(around.args) if isinstance(each, ast.arg)}
    else:
        given = set()
    for node in own_parts(around):
        given |= names_in(node.target) if isinstance(node, ast.For) else set()
    loops = [each for each in own_parts(around) if isinstance(each, LOOPS) and is_at(each, number)]
    return name in given and not any(
        each.id == name and isinstance(each.ctx, ast.Load) and each.lineno > number
        for part in (loops[:1] if name not in arguments(around) and loops else [around])
        for each in ast.walk(part)
        if isinstance(each, ast.Name)
    )


def handed_back(new: str, name: str, around: Any, number: int, line: str) -> Rewrite | None:
    """How to give a new value to the caller, or to the list that a loop goes through."""
    if new and name in arguments(around):
        returns = any(isinstance(each, ast.Return) for each in own_parts(around))
        back = f", `return {name}` at the end of {around.name}(), and its result where it is called"
        return None if returns else Rewrite(f"`{new}`", INSTEAD, line, back)
    for loop in around_line(around, number, ast.For) if new else ():
        is_list = isinstance(reader.variables().get(getattr(loop.iter, "id", "")), list)
        if is_list and ast.unparse(loop.target) == name:
            over = ast.unparse(loop.iter)
            counted = f", with `for i, {name} in enumerate({over}):` around it"
            return Rewrite(f"`{over}[i] = {new.partition(' = ')[2]}`", INSTEAD, line, counted)
    return None


def arguments(around: ast.AST) -> set[str]:
    """The names of what a function is given."""
    of_function = around.args if isinstance(around, FUNCTIONS) else ast.Pass()
    return {each.arg for each in ast.walk(of_function) if isinstance(each, ast.arg)}


def binding_of_a_view(name: str, around: ast.AST) -> ast.Assign | None:
    """The only assignment of a name, where that gives it a view: ``row = h[0]``."""
    found = [
        each
        for each in own_parts(around)
        if isinstance(each, ast.Assign) and ast.unparse(target_of(each)) == name
    ]
    return found[0] if len(found) == 1 and viewed(found[0].value) else None


def of_a_view(source: ast.Assign, writer: Place) -> Rewrite | None:
    """What to write where a line writes into a view that has a name of its own."""
    line = reader.spoken_line(writer[0].co_filename, source.lineno)
    value = source.value
    name = name_called(value.func) if isinstance(value, ast.Call) else getattr(value, "attr", "")
    if name in ("detach", "data"):
        return Rewrite(f"{ast.unparse(value)}.clone()", WITHIN, line)
    whole = viewed(value)
    return Rewrite(f"`{whole} = {whole}.clone()`", ABOVE, line) if whole else None


def switch_around(tree: ast.AST, number: int) -> Any:
    """The block, or the function with a decorator, that turns grad mode off around a line."""
    for each in around_line(tree, number, ast.With | FUNCTIONS):
        if isinstance(each, ast.With):
            switches = [item.context_expr for item in each.items]
        else:
            switches = each.decorator_list
        if any(map(switches_off, switches)):
            return each
    return None


# -- writes that are no statement ------------------------------------------------------------------


def in_a_call(call: Any, line: str) -> Rewrite | None:
    """What to write in the place of a call inside of an expression, or of a layer's setting."""
    if is_call(call) and (chain_start(call) is not None or writes_by_name(call)):
        new = without_a_write(call) if call.args or isinstance(call.func, ast.Attribute) else ""
        return Rewrite(f"`{new}` for `{ast.unparse(call)}`", WITHIN, line) if new else None
    lines = [*settings()]
    if is_call(call) and 0 < len(lines) <= MOST_LAYERS:
        return Rewrite("leave inplace=True out", WITHIN, " and ".join(lines))
    return None


def settings() -> Iterator[str]:
    """The lines of the program that make layers which write in place."""
    lines: dict[str, None] = {}
    for source, call in everywhere(reader.frame()):
        for each in call.keywords if is_call(call) else ():
            if each.arg == "inplace" and is_word(each.value, True):
                lines[source.spoken(each.value.lineno)] = None
    yield from lines
