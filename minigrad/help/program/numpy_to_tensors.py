"""Calls of NumPy and of `math` as they are written with tensors, with nothing left that cuts."""

from __future__ import annotations

import ast
import sys

from ..source import reader
from ..source.lists import is_list as is_a_list
from ..source.lists import parts_of
from ..source.syntax import copied, is_call, root
from ..source.texts import all_calls, assignments

MOST_WRITTEN = 80  #: letters of what is written out
SAME_VALUES = {"detach", "item", "numpy", "tolist", "cpu"}  #: a tensor is what is left without
NUMBERS = {"float", "int"}
MODULES = {"math", "np", "numpy"}
JOINS = {"array", "asarray", "stack", "vstack"}  #: what `torch.stack` does of a list
LIMITS = {"maximum": "min", "minimum": "max"}  #: which torch has for two tensors alone
DIMS = {"axis": "dim", "keepdims": "keepdim"}  #: how tensors call it
SEVERAL = ast.List | ast.Tuple | ast.ListComp | ast.GeneratorExp


class Whole(ast.NodeTransformer):
    """Leaves out what takes a history away, and puts the function of tensors for one of NumPy."""

    def visit_Call(self, call: ast.Call) -> ast.expr:
        is_several = isinstance((call.args or [None])[0], SEVERAL)
        self.generic_visit(call)
        match call:
            case ast.Call(ast.Attribute(owner, name), []) if name in SAME_VALUES:
                return owner
            case ast.Call(ast.Name(name), [given]) if name in NUMBERS:
                return given
            case ast.Call(
                ast.Attribute(ast.Name(module) | ast.Attribute(ast.Name(module), "linalg"), name)
            ) if module in MODULES:
                return of_tensors(call, name, is_several)
        return call

    def visit_Attribute(self, attribute: ast.Attribute) -> ast.expr:
        self.generic_visit(attribute)
        return attribute.value if attribute.attr == "data" else attribute

    def visit_ListComp(self, several: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        """``losses`` for ``[each for each in losses]``, a list for what a function is given."""
        self.generic_visit(several)
        match several.elt, several.generators:
            case ast.Name(own), [ast.comprehension(ast.Name(name), whole, [])] if own == name:
                return whole
        return ast.ListComp(several.elt, several.generators)

    def visit_GeneratorExp(self, several: ast.GeneratorExp) -> ast.expr:
        return self.visit_ListComp(several)


def is_ours(name: str) -> bool:
    """Whether this package has a function of this name."""
    return callable(getattr(sys.modules[__name__.partition(".")[0]], name, None))


def of_tensors(call: ast.Call, name: str, is_several: bool) -> ast.expr:
    """The call of the function that tensors have; the same call where there is none.

    That takes one tensor, so what is given ``is_several`` is put together before.
    """
    if not any(isinstance(each, ast.Name) for part in call.args for each in ast.walk(part)):
        return call  # of numbers
    match call.args:
        case [whole, ast.Constant() as limit] | [ast.Constant() as limit, whole] if name in LIMITS:
            return called("clamp", [whole], [ast.keyword(LIMITS[name], limit)])
        case [given, ast.Constant(2 | 10 as base)] if name == "log":  # torch.log takes no base
            return called(f"log{base}", [given], [])
        case [given, base] if name == "log":
            parts = called("log", [given], []), ast.Call(call.func, [base], [])
            return called("div", [*parts], [])
    if name in JOINS:
        is_plain = isinstance(call.args[0], ast.Name) and is_of_numbers(call.args[0].id)
        return called("tensor" if is_plain else "stack", call.args[:1], [])
    words = ((DIMS.get(each.arg or "", each.arg), each.value) for each in call.keywords)
    keywords = [ast.keyword(*each) for each in words]
    name = {"dot": "matmul"}.get(name, name)  # dot of tensors takes vectors alone
    given = [called("stack", call.args[:1], []), *call.args[1:]] if is_several else call.args
    return called(name, given, keywords) if is_ours(name) else call


def is_of_numbers(name: str) -> bool:
    """Whether a list holds plain numbers, of which no line that fills it has taken a history."""
    thing = reader.variables().get(name)
    if not isinstance(thing, list) or not {*map(type, thing)} <= {int, float} or not thing:
        return False
    frame = reader.frame()
    given = [value for _, to, value in assignments(frame) if ast.unparse(to) == name]
    adds = [e for _, e in all_calls(frame, {"append", "extend"}) if is_added_to(e, name)]
    parts = [part for each in [*given, *adds] for part in ast.walk(each)]
    return not any(is_call(p, SAME_VALUES | NUMBERS) or root(p) in MODULES for p in parts)


def is_added_to(call: ast.Call, name: str) -> bool:
    """Whether a call adds to a list of this name."""
    return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == name


def called(name: str, given: list[ast.expr], keywords: list[ast.keyword]) -> ast.Call:
    """A call of this package, which a reader may have imported under another name."""
    return ast.Call(ast.Attribute(ast.Name("torch"), name), given, keywords)


def with_tensors(call: ast.Call, is_list: bool = False) -> str:
    """A call of NumPy or of `math` with tensors; empty where there is none, or if it is long.

    >>> with_tensors(ast.parse("np.exp(-float(k) * t.numpy())", mode="eval").body)
    'torch.exp(-k * t)'
    >>> with_tensors(ast.parse("np.mean([l.item() for l in losses])", mode="eval").body)
    'torch.mean(torch.stack(losses))'
    >>> with_tensors(ast.parse("np.linalg.norm(d, axis=1)", mode="eval").body)
    'torch.norm(d, dim=1)'
    >>> with_tensors(ast.parse("math.exp(1)", mode="eval").body)
    ''
    """
    whole = Whole().visit(copied(call))
    function = getattr(getattr(whole, "func", None), "value", None)
    if getattr(function, "id", "") != "torch" or not whole.args:
        return ""
    if is_list and "torch.stack(" not in ast.unparse(whole):
        whole.args[0] = called("stack", [whole.args[0]], [])
    text = ast.unparse(ast.fix_missing_locations(whole))
    return text if len(text) <= MOST_WRITTEN else ""


def of_a_list(called: str, line: str) -> str:
    """How a line calls a function of tensors that is given a list; empty where it is not.

    >>> of_a_list("np.mean", "line 1 of no file: `m = np.mean(outs)`")
    ''
    """
    for call in parts_of(line, ast.Call):
        first = call.args[0] if call.args else None
        is_meant = isinstance(first, ast.Name) and ast.unparse(call.func) == called
        if is_meant and is_a_list(first.id, line):
            return with_tensors(call, is_list=True)
    return ""
