"""A module without ``forward``, or whose ``__init__`` never ran: what its class has instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from types import FrameType
from typing import Any

from ...nn.module import Module
from ..program.failure import Failure, made_in
from ..source.syntax import FUNCTIONS, attributes_in, is_at, is_call
from ..source.texts import everywhere
from ..words.sentences import tell
from .classes import is_class

LISTS = {"ModuleList", "ModuleDict", "ParameterList", "ParameterDict"}
NOT_MADE = re.compile(r"(?:\w+\.__init__\(\) takes|\w+\(\) takes no|.* unexpected keyword)")


def no_forward(failure: Failure, found: re.Match) -> Iterator[str]:
    """Why a module cannot be called: a list of modules, or a class without ``forward``."""
    kind, call = found[1], failure.expression
    if kind in LISTS:
        yield from list_called(kind, call, failure)
        return
    source, node = class_of(kind, failure.frame)
    if node is None:
        return
    begins = source.spoken(node.lineno)
    methods = [each for each in node.body if isinstance(each, FUNCTIONS)]
    inner = [each for method in methods for each in ast.walk(method) if each is not method]
    hidden = [e for e in inner if isinstance(e, FUNCTIONS) and e.name == "forward"]
    named = {each.name: each for each in methods}
    alike = get_close_matches("forward", named, n=1, cutoff=0.7)
    others = [name for name in named if not name.startswith("__")]
    if alike or len(others) == 1:
        method = named[(alike or others)[0]]
        line = source.spoken(method.lineno)
        yield f"{kind} has no method forward, which a call runs; it has {method.name} ({line})."
        yield "Try: the name forward there."
    elif hidden:
        line = source.spoken(hidden[0].lineno)
        around = next(each for each in methods if hidden[0] in [*ast.walk(each)])
        yield f"{kind} has no method forward: this one stands inside of {around.name} ({line})."
        yield f"Try: indent it as far as `def {around.name}`."
    else:
        yield f"{kind} has no method forward, which a call runs ({begins})."
        yield f"Try: def forward(self, x): in the class {kind}, with what it computes."


def class_of(name: str, frame: FrameType | None) -> tuple[Any, ast.ClassDef | None]:
    """The text that defines a class of the reader's, and its definition there; None if unread."""
    found = [each for each in everywhere(frame, ast.ClassDef) if each[1].name == name]
    return found[-1] if found else (None, None)


def list_called(kind: str, call: Any, failure: Failure) -> Iterator[str]:
    """That a list of modules is called, which holds modules and runs none."""
    if not is_call(call) or not isinstance(failure.value(call.func), Module):
        return
    name, line = ast.unparse(call.func), made_in(call.func, failure.frame)[0]
    where = f" ({line})" if line else ""
    yield f"{name} is a {kind}{where}, which holds modules and runs none of them."
    if kind == "ModuleList" and len(call.args) == 1:
        x = ast.unparse(call.args[0])
        own = x if x.isidentifier() else "x"
        begin = "" if x == own else f"{own} = {x}, then "
        yield f"Try: {begin}`for layer in {name}:` with `{own} = layer({own})` in it."
        yield "Try: nn.Sequential(*...) for nn.ModuleList(...), if they always run in turn."
    elif kind == "ModuleDict":
        yield f"Try: {name}[key]({', '.join(map(ast.unparse, call.args))}) for one of them."


# -- __init__ --------------------------------------------------------------------------------------


def init_never_run(failure: Failure, _: re.Match) -> Iterator[str]:
    """That what should be ``__init__`` has another name, so that nobody calls it."""
    text, expression = str(failure.error), failure.expression
    kind, wanted = None, None
    if isinstance(failure.error, AttributeError) and isinstance(expression, ast.Attribute):
        kind, wanted = type(failure.value(expression.value)), expression.attr
    elif NOT_MADE.match(text) and is_call(expression):
        kind = failure.value(expression.func)
    if not is_class(kind) or "__init__" in vars(kind):
        return
    source, node = class_of(kind.__name__, failure.frame)
    for method in node.body if node is not None else ():
        if isinstance(method, FUNCTIONS) and is_nearly_init(method.name):
            if wanted is None or sets(method, wanted):
                line = source.spoken(method.lineno)
                yield f"{kind.__name__} has no __init__: its lines stand in {method.name} ({line})."
                yield "Try: __init__ there, with two underscores on each side."
                return


def before_init(failure: Failure, _: re.Match) -> Iterator[str]:
    """That ``super().__init__`` stands without its brackets, or below what needs it."""
    frame = failure.frame
    for source, node in everywhere(frame, FUNCTIONS):
        is_here = is_at(node, frame.f_lineno)
        for each in ast.walk(node) if is_here and node.name == frame.f_code.co_name else ():
            match each:
                case ast.Expr(ast.Attribute(ast.Call(ast.Name("super")), "__init__")):
                    yield tell("init-without-brackets", line=source.spoken(each.lineno))
                    yield f"Try: {ast.unparse(each)}() there."
                    return
                case ast.Expr(ast.Call(ast.Attribute(ast.Call(ast.Name("super"), given), name))):
                    line = source.spoken(each.lineno)
                    if name != "__init__":
                        continue
                    if len(given) == 1:
                        yield tell("init-of-no-object", line=line)
                        yield "Try: super().__init__() there."
                    elif each.lineno > frame.f_lineno:
                        yield tell("init-too-late", line=line)
                        yield "Try: that line as the first of __init__."
                    return


def is_nearly_init(name: str) -> bool:
    """Whether a method was probably meant to be ``__init__``."""
    return name.strip("_").lower() in ("init", "int", "inti", "intit", "initialize", "ini", "iniit")


def sets(method: ast.AST, name: str) -> bool:
    """Whether a method gives ``self`` an attribute of this name."""
    return any(isinstance(each.ctx, ast.Store) for each in attributes_in(method, {name}))
