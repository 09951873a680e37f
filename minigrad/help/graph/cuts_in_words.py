"""What a line took away whose cut was recorded, and what to write instead: from a record to words.

Of each the expression is looked at, too, since it says more than the name of an operation:
``math.exp(k)`` reads a number, as ``float(k)`` does, and wants another remedy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ...autograd.caller import Place
from ...extras.recorded_cuts import MADE, NOT_RECORDED, PLAIN, Cut
from ..program import cuts
from ..program.breaks import Cut as Told
from ..program.numpy_to_tensors import MODULES
from ..program.updates import update_in
from ..source import reader
from ..source.line_order import without_text
from ..source.parsed import expression_at, statements_at_place, tree_of_code
from ..source.syntax import (
    around_line,
    attributes_in,
    is_call,
    name_called,
    parents_in,
    root,
    scope,
    words_in,
)
from ..words.sentences import say
from .grad_mode_off import around as switch_around
from .grad_mode_off import switched_off

TO_LOOK_AT = {"clone", "copy", "deepcopy", "numpy", "item", "tolist", "float", "norm"}
NOT_TAKEN = ast.Expr | ast.AugAssign | ast.If | ast.While | ast.Assert
LEAVES_A_TENSOR = {"as_tensor", "asarray"}  #: as it is, and makes a leaf of other things


def meaning(cut: Cut) -> tuple[cuts.Loss, str]:
    """What a cut means, and the line to look at."""
    line = reader.spoken(cut.place)
    if cut.what is not NOT_RECORDED or is_call(expression_at(cut.place), cuts.COPIES):
        loss = lost(cut)  # a list cannot stand in the place of what was made of it
        return cuts.made_of_tensors(loss, cuts.STACK) if cut.several else loss, line
    loss, switch = switched_off(cut.place, line, cut.off)
    return loss, line if update_in(line) else switch


def lost(cut: Cut) -> cuts.Loss:
    """What an operation takes away, and what to do instead."""
    expression = expression_at(cut.place)
    losses = () if expression is None else losses_in(expression)
    known = next((loss for loss in losses if loss is not None), None)
    if expression is None and cut.what == "float" and (name := put_into_an_array(cut.place)):
        return cuts.lost_by("array", name)
    if known is None and cut.what in cuts.PAIRS:
        return cuts.lost_by("positions", f"{cuts.SECOND} {cut.what}")
    if known is None and is_call(expression) and not is_written(cut.what, expression):
        return without_history(ast.unparse(expression.func))
    if cut.what in MADE and is_call(expression, LEAVES_A_TENSOR) and expression.args:
        return made_anew(expression)
    known = known or cuts.of_name(cut.what)
    if known is not None:
        return known
    if cut.what in MADE:
        return without_history(cut.what, "makes a new leaf from the values alone")
    return without_history(cut.what)


def without_history(name: str, does: str = "gives a result without history") -> cuts.Loss:
    """What an operation takes away that is known by its name alone."""
    if name.endswith(".state_dict"):
        do = say("parameters-themselves", owner=name.removesuffix(".state_dict"))
        return cuts.Loss(f"{name}(...) {does}", do)
    return cuts.Loss(f"{name}(...) {does}", f"leave {name}(...) out there")


def made_anew(call: ast.Call) -> cuts.Loss:
    """What ``as_tensor`` takes away from what is no tensor, as ``tensor`` does of everything."""
    name, given = name_called(call.func), ast.Call(ast.Name("tensor"), call.args, call.keywords)
    loss = cuts.cut_by(given, given.args[0])
    says, do = (text.replace("tensor(", f"{name}(", 1) for text in (loss.says, loss.do))
    return replace(loss, says=says, do=do)


def put_into_an_array(place: Place) -> str | None:
    """The name that ``out[i] = loss`` writes to: where that reads a number, it is an array."""
    for each in statements_at_place(place):
        for target in each.targets if isinstance(each, ast.Assign) else ():
            if isinstance(target, ast.Subscript):
                return ast.unparse(target.value)
    return None


def is_written(name: str, call: ast.Call) -> bool:
    """Whether a call shows what took the history away, where only a tensor does that itself."""
    return name not in ("detach", "data") or name in words_in(call)


def outside(cut: Cut) -> list[Told]:
    """What the rest of its line takes away besides, the last first: mended alone, it would fail."""
    if cut.what is NOT_RECORDED or (inner := expression_at(cut.place)) is None:
        return []
    found: list[Told] = []
    around = parents_in(tree_of_code(cut.place[0]))
    while isinstance(whole := around.get(inner), ast.expr):
        if is_call(whole, {"grad"}):
            break  # it asks, and has failed
        loss = cuts.cut_by(whole, inner)
        found += [] if loss is None or loss.expected else [Told(loss, reader.spoken(cut.place))]
        inner = whole
    return found[::-1]


def losses_in(expression: ast.AST) -> Iterator[cuts.Loss | None]:
    """What one operation takes away from each of its operands."""
    for child in ast.iter_child_nodes(expression):
        yield cuts.cut_by(expression, child)
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        yield cuts.cut_by(expression.func, expression.func.value)


def spoken_place(place: Place) -> str:
    """A line without its text."""
    return without_text(reader.spoken(place))


def is_done_once(place: Place) -> bool:
    """Whether a line runs when a module is made, whose passes are to come."""
    if "__init__" not in place[0].co_qualname:
        return False
    tree, number = tree_of_code(place[0]), reader.line_number(place)
    classes = around_line(tree, number, ast.ClassDef)
    methods = [getattr(each, "name", "") for each in classes[-1].body] if classes else []
    return getattr(scope(tree, number), "name", "") == "__init__" and "forward" in methods


def is_computed_with(cut: Cut) -> bool:
    """Whether a number was read inside of arithmetic: `v * a.item()`, or `v * math.cos(a)`."""
    number = None if cut.place is None else expression_at(cut.place)
    if number is None or cut.what not in PLAIN:
        return False
    if is_call(number) and root(number.func) in MODULES:  # math.exp(a)
        return not is_shown(cut.place)
    whole = parents_in(tree_of_code(cut.place[0])).get(number)
    return isinstance(whole, ast.BinOp) and not isinstance(whole.op, ast.Mod)  # of a text


def is_handed_on(cut: Cut) -> bool:
    """Whether a line keeps or returns a leaf's values as they are: ``rows = w.data[i]``.

    Not as a copy, which is kept to look at, nor where nothing is to be recorded.
    """
    part = None if cut.place is None or cut.what in PLAIN else expression_at(cut.place)
    if part is None or switch_around(cut.place, ""):
        return False
    around = parents_in(tree_of_code(cut.place[0]))
    while isinstance(part, ast.expr) and not is_call(part, TO_LOOK_AT):
        part = around.get(part)
    return isinstance(part, ast.Assign | ast.Return)


def writes_data(cut: Cut) -> bool:
    """Whether a line reads values to write into others: ``q.data = 0.9 * q.data + 0.1 * p.data``.

    So copies and averages are kept, through which no gradient is meant to go; what is given with a
    history is another thing.
    """
    if cut.leaves and isinstance(getattr(expression_at(cut.place), "ctx", None), ast.Store):
        return False
    for each in statements_at_place(cut.place):
        match each:
            case ast.Assign([target], value) | ast.AugAssign(target, _, value):
                return reads_data(target) and reads_data(value)
            case ast.Expr(ast.Call(ast.Attribute(target, name), [*_, value])):
                return name.endswith("_") and reads_data(target) and reads_data(value)
    return False


def reads_data(part: ast.AST) -> bool:
    """Whether an expression has ``.data`` in it."""
    return bool(attributes_in(part, {"data"}))


def is_shown(place: Place, is_summed: bool = False, is_plain: bool = True) -> bool:
    """Whether nobody takes what is made of a number: `print(loss.item())`, or the test of an if.

    Nor what is added up, such as the losses of a round, unless ``is_summed`` is asked for. Of what
    is not ``is_plain``, only what is printed or becomes a text.
    """
    around, part = parents_in(tree_of_code(place[0])), expression_at(place)
    while part is not None and not isinstance(part, ast.stmt):
        if isinstance(part, ast.JoinedStr) or is_call(part, {"print"}):
            return True
        part = around.get(part)
    is_sum = is_summed and isinstance(part, ast.AugAssign)
    return is_plain and isinstance(part, NOT_TAKEN) and not is_sum
