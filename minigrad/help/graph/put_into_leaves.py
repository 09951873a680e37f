"""A value with a history that a line puts into a leaf, which has none: how to compute with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Container
from typing import Any

from ...autograd.caller import Place
from ..program.updates import is_grad_of, without_history
from ..source import reader
from ..source.parsed import statements_at_place, tree_of_code
from ..source.syntax import FUNCTIONS, around_line, is_call, names_in, root
from ..source.texts import everywhere
from ..source.variables import is_module, is_of_library, parameters_of

#: what would not work there: a leaf refuses a write that is recorded
USELESS = re.compile(
    r"move the line out of|leave (\.data|(Parameter|\S*state_dict)\(\.{3}\)) out|compute it with"
)
SIGNS = {"add_": ast.Add, "sub_": ast.Sub, "mul_": ast.Mult, "div_": ast.Div}


def instead_of_a_leaf(leaf: Any, place: Place) -> str:
    """What to write in the place of a line that puts a value into a leaf; empty for other lines."""
    found = puts_at(place) or [
        each for each in puts_at(place, {"Parameter"}) if stays_registered(leaf, each[0].attr)
    ]
    return f"leave the line out, and {computed_with(leaf, *found[0])}" if found else ""


def stays_registered(leaf: Any, name: str) -> bool:
    """Whether a module would have a parameter of this name without the line that assigns it."""
    for thing in reader.variables().values():
        for module in thing.modules() if is_module(thing) else ():
            if any(own is leaf for own in module._parameters.values()):
                found = [e for _, e in everywhere(reader.frame(), ast.Attribute) if e.attr == name]
                again = [each for each in found if isinstance(each.ctx, ast.Store)]
                return is_of_library(module) or len(again) > 1
    return False


def is_step_at(place: Place) -> bool:
    """Whether a line takes a step from a leaf by its own gradient."""
    return any(
        is_grad_of(ast.unparse(target), part)
        for target, new in puts_at(place)
        for part in ast.walk(new or ast.Pass())
    )


def puts_at(place: Place, by: Container[str] = ()) -> list[tuple[ast.expr, ast.expr | None]]:
    """Whose values a line replaces, and by what, as `put` tells; not where a module is made."""
    around = around_line(tree_of_code(place[0]), reader.line_number(place), FUNCTIONS)
    if any(each.name == "__init__" for each in around):
        return []
    found = [put(each, by) for each in statements_at_place(place)]
    return [each for each in found if each[0] is not None]


def put(statement: ast.stmt, by: Container[str]) -> tuple[ast.expr | None, ast.expr | None]:
    """Whose values a line replaces, and by what; the second is None where that is not written.

    An attribute that is assigned counts where a function of a name in ``by`` makes what it gets.
    """
    match statement:
        case ast.Assign([ast.Attribute(target, "data")], value):
            return target, value
        case ast.Assign([ast.Attribute() as target], ast.Call(_, [value])) if is_call(
            statement.value, by
        ):
            return target, value
        case ast.AugAssign(target, operator, value):
            target = without_history(target)
            return target, ast.BinOp(target, operator, value)
        case ast.Expr(ast.Call(ast.Attribute(owner, "load_state_dict"), [value, *_])):
            return owner, ast.Dict([None], [value])  # all of them, by name
        case ast.Expr(ast.Call(ast.Attribute(owner, name), given, keywords)) if name.endswith("_"):
            target = without_history(owner)
            if len(given) != 1 or keywords or isinstance(target, ast.Subscript):
                return target, None
            if name in SIGNS:
                return target, ast.BinOp(target, SIGNS[name](), given[0])
            return target, given[0] if name == "copy_" else None
    return None, None


def module_with(leaf: Any) -> tuple[str, str]:
    """The name of the first module that has a leaf among its parameters, and the leaf's in it."""
    for name, thing in reader.variables().items():
        for path, parameter in parameters_of(thing) if name[0] != "_" else ():
            if parameter is leaf:
                return name, path
    return "", ""


def computed_with(leaf: Any, target: ast.expr, new: ast.expr | None) -> str:
    """How to compute with a new value in the place of a leaf, in a module or by itself."""
    owner, path = module_with(leaf)
    value = "" if new is None else f"`{ast.unparse(new)}`"
    match new:
        case ast.Dict([None], [several]) | ast.Subscript(ast.Name() as several, ast.Name()):
            values = ast.unparse(several)
            if is_call(several, {"state_dict"}):  # which is detached
                values = f"dict({values.replace('.state_dict(', '.named_parameters(')})"
            return called_with(owner or ast.unparse(target), values, f"{values} itself")
    if isinstance(target, ast.Attribute) and root(target) not in reader.variables():
        owner, path = ast.unparse(target.value), target.attr
    if not owner or owner == "self":
        name = ast.unparse(target)
        if isinstance(target, ast.Name) and value and not is_turned(name):
            return f"write `{name} = {value[1:-1]}` in its place, with grad mode on"
        return f"compute with {value or 'the new value'} itself in the place of {name}"
    if isinstance(target, ast.Attribute) and new is not None:
        return called_with(owner, f"{{{path!r}: {ast.unparse(new)}}}", "that value itself")
    each = f"each {value}" if value else "the new values"
    given = f", where new is a dict of {each} by the names of the parameters"
    return called_with(owner, "new", "those values") + given


def is_turned(name: str) -> bool:
    """Whether a loop gives a name its values, so that binding it anew changes nothing else."""
    loops = everywhere(reader.frame(), ast.For)
    return any(name in names_in(each.target) for _, each in loops)


def called_with(module: str, given: str, what: str) -> str:
    """A call of a module with other values for its parameters."""
    call = f"torch.func.functional_call({module}, {given}, ...)"
    return f"{call} in the place of {module}(...), which computes with {what}"
