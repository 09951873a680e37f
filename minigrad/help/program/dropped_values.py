"""Results that get no name, so that what they were computed of stays as it was: ``x.detach()``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from ...tensor import Tensor
from ..source.lookup import value_of
from ..source.syntax import (
    ROOMS,
    attributes_in,
    is_call,
    name_called,
    names_in,
    own_parts,
)
from ..source.texts import scopes
from ..words.sentences import say
from .program import Program

GRAD = {"grad"}
KEPT = {"grad", "data", "weight", "bias"}  #: of these a name can be an alias
CHANGES = {name[:-1] for name in dir(Tensor) if name.endswith("_") and hasattr(Tensor, name[:-1])}
CASTS = {"to": None, "double": "float64", "float": "float32", "half": "float16", "long": "int64"}
FORMS = {"reshape", "view", "sum", "mean", "softmax", "log_softmax", "permute", "flatten"}
#: what nothing but a tensor has
OF_TENSORS = {
    "detach", "squeeze", "clamp", "clip", "relu", "sigmoid", "tanh", "unsqueeze", "masked_fill",
    "mul",
}  # fmt: skip


def dropped_of(
    asked: Mapping[str, Tensor], nodes: Collection[Any], program: Program
) -> Iterator[str]:
    """That a line computes of what is asked for, or of what that comes from, and drops it."""
    names = {*asked, *(part for name in asked for part in program.parts_of(name))}
    known = {id(each) for each in (*asked.values(), *nodes)}
    known |= {id(node.variable) for node in nodes if hasattr(node, "variable")}

    def of_what_is_asked(block: Any, part: ast.Expr) -> Iterable[str]:
        owner = owner_of(part.value)
        thing = None if owner is None else value_of_owner(block, owner, program)
        is_asked = {id(thing), id(getattr(thing, "grad_fn", thing))} & known
        is_meant = thing is None or is_asked or ast.unparse(owner) in names
        return dropped(block, part, program) if is_meant else ()

    yield from first_said(of_what_is_asked, ast.Expr, program)


def first_said(
    of_statement: Callable[[Any, Any], Iterable[str]], kinds: Any, program: Program
) -> Iterator[str]:
    """The first that is said of a statement of a block of the program, ``{line}`` for its line."""
    for source, block in scopes(program.frame):
        for part in own_parts(block, kinds):
            if said := [*of_statement(block, part)]:
                yield said[0].replace("{line}", source.spoken(part.lineno))
                yield from said[1:]
                return


def owner_of(call: Any) -> ast.expr | None:
    """What a method is asked of, or a function of the package is given first."""
    owner = getattr(getattr(call, "func", None), "value", None)
    if isinstance(owner, ast.Name) and owner.id in ROOMS:
        return call.args[0] if call.args else None
    return owner


def value_of_owner(block: Any, owner: ast.expr, program: Program) -> Any:
    """What a method is asked of, where its block is the one that runs now; None if unknown."""
    running = program.frame.f_code.co_name
    is_here = isinstance(block, ast.Module) or block.name == running
    return value_of(owner, program.frame, None) if is_here else None


def dropped(block: Any, part: ast.AST, program: Program) -> Iterator[str]:
    """What a statement drops, ``{line}`` for its line, and what to write: ``w.clamp(-1, 1)``."""
    match part:
        case ast.Expr(ast.Call(ast.Attribute(room, name), given) as call):
            owner = owner_of(call)
            method = ast.Call(ast.Attribute(owner, f"{name}_"), given, call.keywords)
            method.args = given[1:] if owner is not room else given
            is_last = isinstance(block, ast.Module) and block.body[-1:] == [part]
            thing, is_kept = value_of_owner(block, owner, program), is_of_a_gradient(part)
        case _:
            return
    is_sum = thing is None and name == "add" and is_computed(owner, block)  # else a set, perhaps
    if is_last or not (is_kept or is_sum or changes(thing, call, program)):
        return
    own, text = ast.unparse(owner), ast.unparse(call)
    call = f"{ast.unparse(room)}.{name}(...)"
    yield say("result-dropped", line="{line}", call=call, own=own)
    inside = ast.unparse(method)
    reads = [e for e in own_parts(block) if names_in(e, ast.Load) & names_in(owner)]
    loops = own_parts(block, ast.For)
    is_given = any(names_in(each.target) & names_in(owner) for each in loops)
    is_outside = isinstance(block, ast.Module) and not is_given
    is_leaf = isinstance(thing, Tensor) and thing.is_leaf and thing.requires_grad
    if isinstance(owner, ast.Name) and is_kept and not isinstance(block, ast.Module):
        return  # a hook, perhaps, which is to return it
    if name_called(owner) in ("grad", "data") or is_leaf and name == "detach":
        yield say("store-it", new=inside)
    elif is_kept or is_leaf and name in CHANGES:
        yield say("write-into-it", new=inside)
    elif not is_leaf and (is_outside or any(each.lineno > part.lineno for each in reads)):
        yield say("store-it", new=f"{own} = {text}")


def is_of_a_gradient(part: ast.AST) -> bool:
    """Whether a statement drops what is computed of a gradient, or of what a step changes."""
    match part:
        case ast.Expr(ast.Call(ast.Attribute(_, name)) as call) if name in CHANGES:
            return name_called(owner_of(call)) in KEPT or bool(attributes_in(call, GRAD))
    return False


def is_computed(owner: ast.expr, block: Any) -> bool:
    """Whether a block gives a name to what relu, say, or a product gives, which is a tensor."""
    binds = [
        e.value
        for e in own_parts(block, ast.Assign)
        if ast.unparse(owner) in map(ast.unparse, e.targets)
    ]
    return bool(binds) and all(
        isinstance(each, ast.BinOp) or is_call(each, OF_TENSORS) for each in binds
    )


def changes(thing: Any, call: ast.Call, program: Program) -> bool:
    """Whether a call gives another tensor than the one it is asked of, as far as that is known."""
    name = call.func.attr
    if not isinstance(thing, Tensor):
        return thing is None and name in OF_TENSORS
    if name in CASTS:
        given = [value_of(each, program.frame, None) for each in call.args]
        wanted = {CASTS[name], *(getattr(each, "name", None) for each in given)} - {None}
        return bool(wanted) and thing.dtype.name not in wanted
    return thing.requires_grad if name == "detach" else name in CHANGES | FORMS
