"""Lines that wrote in place, as the reader would write them out of place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from types import CodeType

from ...autograd.caller import Place
from ...tensor import Tensor
from ..program.cuts import switches_off
from ..source import reader
from ..source.parsed import expression_at, text_of_code, tree_of
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    around_line,
    attributes_in,
    is_call,
    is_word,
    name_called,
    names_in,
    own_parts,
    scope,
    statements_at,
)
from ..source.texts import assignments, everywhere
from ..words.sentences import tell
from .saved_views import named_in, viewed

MOST_LAYERS = 3


def out_of_place(writers: Iterable[Place | None], has_history: bool) -> str:
    """What to write in the place of the line that wrote; empty where it cannot be rewritten.

    ``has_history`` where what was written to requires grad. Nothing is told of several lines that
    write to several names, nor of a name of a view.
    """
    places = {each and (each[0], reader.line_number(each)): each for each in writers}
    if None in places or len({code for code, _ in places}) != 1:
        return ""
    (code, number), place = min(places.items(), key=lambda each: each[0][1])  # the first write
    tree = tree_of(text_of_code(code))
    known = [written_to(each) for _, line in places for each in statements_at(tree, line)]
    if len(places) > 1 and len({each and ast.unparse(each) for each in known}) > 1:
        return ""  # `h[0] += 1` writes twice as well, into the part and into h
    for statement in statements_at(tree, number):
        around, whole = scope(tree, number), written_to(statement)
        if whole is None:
            break
        name = item_written(statement) or ast.unparse(whole)
        given = [value for own, value in named_in(own_parts(around)) if own == name]
        given = given[0] if len(given) == 1 else None
        if viewed(given):
            return ""
        if "[" not in name and is_lost(name, around, number):
            return f"make a new tensor instead, and put it where {name} came from, too"
        if has_history and is_switched_off(tree, number):
            return f"write into a clone(): `{name} = {name}.clone()` above, where grad mode is on"
        own = [each for each in own_parts(around) if getattr(each, "id", "") == name]
        is_other = isinstance(given, ast.Name | ast.Attribute) and not in_one_line(statement, name)
        if is_other and not any(given.lineno < each.lineno < number for each in own):
            line = reader.spoken_line(code.co_filename, given.lineno)
            return tell("clone-for-a-name", name=name, whole=ast.unparse(given), line=line)
        return rewritten(statement, name) + also_written(statement, name, around, code)
    return by_a_layer(expression_at(place))


def also_written(statement: ast.stmt, name: str, around: ast.AST, code: CodeType) -> str:
    """The other lines of a function that write into the same name in one line, as ``h += f(h)``."""
    others = [each for each in own_parts(around) if isinstance(each, ast.AugAssign)]
    others = [e for e in others if e is not statement and ast.unparse(e.target) == name]
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.target, ast.Name):
        return ""
    reads = [e for e in others if name in names_in(e.value) and name in names_in(statement.value)]
    new = [(in_one_line(each, name), each.lineno) for each in reads]
    told = [
        f"`{one}` in that of {reader.spoken_line(code.co_filename, n)}" for one, n in new if one
    ]
    return "".join(f"; and {each}" for each in told[:MOST_LAYERS])


def by_a_layer(call: ast.AST | None) -> str:
    """What to write where a call wrote in place because a layer of the program does."""
    lines = [*settings()]
    is_layer = is_call(call) and chain_start(call) is None and not writes_by_name(call)
    is_few = 0 < len(lines) <= MOST_LAYERS
    return f"leave inplace=True out in {' and '.join(lines)}" if is_layer and is_few else ""


def written_by_a_layer(tensor: Tensor, name: str, line: str) -> Iterator[str]:
    """That a layer has written into what a line computed, and how that stays as it was."""
    writers = [] if tensor._counter is None else [each for each in tensor._counter.writers if each]
    written = reader.spoken(writers[-1]) if writers else line
    if written != line and (do := by_a_layer(expression_at(writers[-1]))):
        yield tell("written-by-a-layer", name=name, line=line, written=written)
        yield tell("keep-what-was", name=name, do=do)


def not_in_place(place: Place, statements: list[ast.stmt]) -> str:
    """How a result of another name is computed, where a line writes it in place all the same.

    That is ``h = F.relu(x, inplace=True)``; a step such as ``w = w.sub_(...)`` is no such line.
    """
    match expression_at(place), statements:
        case ast.Call() as call, [ast.Assign([target], value)] if writes_by_name(call):
            new = without_a_write(call)
            own = ast.unparse(next(iter(call.args), getattr(call.func, "value", call)))
            is_step = ast.unparse(target) == own or attributes_in(value, {"grad"})
            return tell("without-a-write", new=new, old=ast.unparse(call)) * bool(
                new and not is_step
            )
        case ast.Call() as call, [ast.Assign() | ast.Return()]:
            return by_a_layer(call)
    return ""


def rewritten(statement: ast.stmt, name: str) -> str:
    """What to write in the place of a statement that writes into a name, or above it."""
    if new := in_one_line(statement, name):
        return f"make a new tensor instead: `{new}` in the place of that line"
    return f"write into a clone(): `{name} = {name}.clone()` above that line"


def beside_a_view(writer: Place, name: str) -> str:
    """What to write in the place of a line that writes to a view which a node has kept."""
    number, tree = reader.line_number(writer), tree_of(text_of_code(writer[0]))
    told = [rewritten(each, name) for each in statements_at(tree, number)]
    return next((each for each in told if "instead" in each), rewritten(ast.Pass(), name))


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


def item_written(statement: ast.stmt) -> str:
    """The item of a dict or a list that a statement writes into; empty for a tensor's."""
    match statement:
        case ast.AugAssign(ast.Subscript(_, ast.Constant(str())) as item):
            return ast.unparse(item)
    call = getattr(statement, "value", None)
    start = chain_start(call) if is_call(call) else None
    if not isinstance(start, ast.Subscript):
        return ""
    owner, known = ast.unparse(start.value), assignments(reader.frame())
    given = [value for _, at, value in known if ast.unparse(at) == owner]
    is_several = any(isinstance(each, ast.Dict | ast.List) for each in given)
    return ast.unparse(start) if is_several else ""


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
            new = without_a_write(call)
            return f"{name} = {new}" if new else ""
    return ""


def without_a_write(call: ast.Call) -> str:
    """``h.mul(2)`` for ``h.mul_(2)``, and ``F.relu(h)`` for ``F.relu(h, inplace=True)``."""
    kept = [each for each in call.keywords if each.arg != "inplace"]
    plain = re.sub(r"(\w)_\(", r"\1(", ast.unparse(ast.Call(call.func, call.args, kept)))
    methods = [e.attr for e in ast.walk(call.func) if isinstance(e, ast.Attribute)]
    start = chain_start(call) or next(iter(call.args), None)
    is_known = all(hasattr(Tensor, each[:-1]) for each in methods if in_place(each))
    return plain if is_known and not isinstance(start, ast.Subscript) else ""


# -- where a new value of the name would not do ----------------------------------------------------


def is_lost(name: str, around: ast.AST, number: int) -> bool:
    """Whether a name is given by a caller or a loop, and what it means later is never asked."""
    given = arguments(around)
    for node in own_parts(around):
        given |= names_in(node.target) if isinstance(node, ast.For) else set()
    loops = around_line(around, number, LOOPS)
    return name in given and not any(
        each.id == name and isinstance(each.ctx, ast.Load) and each.lineno > number
        for part in (loops[:1] if name not in arguments(around) and loops else [around])
        for each in ast.walk(part)
        if isinstance(each, ast.Name)
    )


def arguments(around: ast.AST) -> set[str]:
    """The names of what a function is given."""
    of_function = around.args if isinstance(around, FUNCTIONS) else ast.Pass()
    return {each.arg for each in ast.walk(of_function) if isinstance(each, ast.arg)}


def is_switched_off(tree: ast.AST, number: int) -> bool:
    """Whether a block, or a function with a decorator, turns grad mode off around a line."""
    for each in around_line(tree, number, ast.With | FUNCTIONS):
        is_block = isinstance(each, ast.With)
        switches = [e.context_expr for e in each.items] if is_block else each.decorator_list
        if any(map(switches_off, switches)):
            return True
    return False


def settings() -> Iterator[str]:
    """The lines of the program that make layers which write in place."""
    lines: dict[str, None] = {}
    for source, each in everywhere(reader.frame(), ast.keyword):
        if each.arg == "inplace" and is_word(each.value, True):
            lines[source.spoken(each.value.lineno)] = None
    yield from lines
