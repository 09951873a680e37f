"""Hooks that give a gradient back, which goes on; and those that compute one for nobody."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial
from types import FrameType, FunctionType
from typing import Any

from ...autograd.graph import Node
from ...autograd.node import AccumulateGrad
from ...extras.node_hooks import own_hooks
from ..graph.nodes import fills_a_leaf
from ..source import reader
from ..source.called import outer_names
from ..source.syntax import (
    LOOPS,
    attributes_in,
    is_at,
    is_call,
    is_word,
    name_called,
    names_in,
    root,
    targets_of,
)
from ..source.texts import Source, all_calls, definition_of, everywhere
from ..source.variables import thing_at
from ..words.sentences import say

#: what gives a tensor as large as it is given, which is of no use unless somebody takes it
CHANGES = {
    "add", "clamp", "clamp_max", "clamp_min", "clip", "div", "masked_fill", "mul", "nan_to_num",
    "neg", "sub", "where", "zeros_like",
}  # fmt: skip

#: what gives None, unless it is a method of the gradient
LOOKS = {
    "add", "add_histogram", "add_scalar", "append", "debug", "extend", "info", "insert", "print",
    "put", "update", "write",
}  # fmt: skip


def hooks_that_answer(nodes: Iterable[Any], leaf: str) -> Iterator[str]:
    """Facts on each hook that may give another gradient back; many are meant to."""
    for node in nodes:
        where = leaf if fills_a_leaf(node) else node.name()
        for hook, count in same_hooks(node):
            if (line := line_that_answers(hook)) is None:
                continue
            if count > 1:
                yield f"""{count} hooks of one function on {where} may change the gradient on the
                    way{line}, each what the one before has returned."""
                continue
            look = "" if is_meant(hook) else f" To only look, {no_return(hook)}."
            yield f"""A hook on {where} may change the gradient on the way{line}: what it
                returns, unless None, takes the gradient's place.{look}"""


def hooks_that_read_too_early(leaf: Any, name: str) -> Iterator[str]:
    """That a hook of a leaf reads its ``.grad``, which is filled when the hooks have run."""
    for hook, _ in same_hooks(AccumulateGrad(leaf)):
        source, body = definition_of(function_of(hook))
        reads = attributes_in(body, {"grad"}) if source is not None else []
        given = [each.arg for each in body.args.args] if reads else []
        if len(reads) == 1 and given and root(reads[0]) not in given:
            read, line = ast.unparse(reads[0]), source.spoken(reads[0].lineno)
            yield say("read-in-a-hook", name=name, read=read, line=line)
            yield say("read-the-argument", read=read, given=given[-1])
            return


def same_hooks(node: Any) -> list[tuple[Any, int]]:
    """The hooks of a node, those of one function once, and how many they are."""
    alike: dict[Any, list] = {}
    for hook in hooks_of(node):
        alike.setdefault(getattr(function_of(hook), "__code__", hook), []).append(hook)
    return [(hooks[0], len(hooks)) for hooks in alike.values()]


def is_meant(hook: Any) -> bool:
    """Whether a hook computes with the gradient it is given, so that it is to change that."""
    source, function = definition_of(function_of(hook))
    given = [] if source is None else [each.arg for each in function.args.args]
    return source is not None and any(changes(each, given) for each in ast.walk(function))


def without_the_hook(nodes: Iterable[Any]) -> str:
    """How to see what comes without a hook: by its handle, where the reader has kept that."""
    for hook, count in [known for node in nodes for known in same_hooks(node)]:
        own = getattr(function_of(hook), "__code__", None)
        for source, each in everywhere(reader.frame()):
            call = getattr(each, "value", None)
            if not is_call(call, {"register_hook"}) or not call.args or own is None:
                continue
            is_own = ast.unparse(call.args[0]).rpartition(".")[2] == own.co_name
            if is_own or isinstance(call.args[0], ast.Lambda) and is_at(each, own.co_firstlineno):
                line = source.spoken(each.lineno)
                if count > 1:
                    return f"Try: register it once, not in each round ({line})."
                handle = f"{targets_of(each)[0]}.remove()" if targets_of(each) else ""
                out = handle or f"leave it out in {line}"
                return f"Try: {out}, and see whether a gradient arrives."
    return ""


def line_that_answers(hook: Any) -> str | None:
    """The line of what a hook returns, or of the hook, in brackets; None where it only looks."""
    function = function_of(hook)
    if (getattr(function, "__module__", "") or "").partition(".")[0] == "minigrad":
        return None
    if not isinstance(function, FunctionType):
        return None if getattr(hook, "__name__", "") in LOOKS else ""
    source, node = definition_of(function)
    if source is None:
        return reader.in_brackets(reader.first_line(function))
    lines = [each.lineno for each in ast.walk(node) if gives(each)]
    if isinstance(node, ast.Lambda):
        lines = [] if is_look(node, outer_names(function)) else [node.lineno]
    line = lines[0] if len(lines) == 1 else node.lineno
    return reader.in_brackets(source.spoken(line)) if lines else None


def is_look(function: ast.Lambda, around: dict[str, Any]) -> bool:
    """Whether a lambda gives None: it calls `append`, or a function that returns nothing."""
    if not is_call(function.body):
        return is_word(function.body, None)
    called = function.body.func
    known = thing_at(called, around)
    if isinstance(known, FunctionType):
        return line_that_answers(known) is None
    is_own = root(called) in {each.arg for each in function.args.args}
    return name_called(called) in LOOKS and not is_own


def idle_hooks(nodes: Iterable[Node]) -> Iterator[tuple[str, str]]:
    """What is said of each hook whose work is thrown away, and what to do."""
    hooks = {id(function_of(hook)): hook for node in nodes for hook in hooks_of(node)}
    for hook in hooks.values():
        source, node = definition_of(function_of(hook))
        if not isinstance(node, ast.FunctionDef):
            continue
        if lost := thrown_away(node, hook):
            own = node.name if node.name != "__call__" else type(hook).__name__
            yield told(own, node, lost, source)


def hooks_of(node: Any) -> list[Any]:
    """The hooks of a node, of its results, and of the leaf that it fills."""
    extras = getattr(node, "extras", None)
    known = [] if extras is None else [*own_hooks(extras), *extras.tensor_hooks.values()]
    known.append(getattr(getattr(node, "variable", None), "_backward_hooks", None) or {})
    return [hook for each in known for hook in each.values()]


def told(name: str, function: ast.FunctionDef, lost: ast.stmt, source: Source) -> tuple[str, str]:
    """What such a hook does, and what it should return."""
    line = source.spoken(lost.lineno)
    said = f"""The hook {name} computes another gradient ({line}) and returns nothing, so the
        gradient goes on as it came."""
    if isinstance(lost, ast.Expr):
        return said, f"Try: `return {ast.unparse(lost.value)}` in that line."
    given = ast.unparse(lost.targets[0])
    is_own = any(each.arg == given for each in function.args.args)
    last = function.body[-1]
    is_over = isinstance(last, ast.Return)  # which gives None
    end = f"in the place of {source.spoken(last.lineno)}" if is_over else f"at the end of {name}"
    where = end if is_own else "below that line"
    return said, f"Try: `return {given}` {where}."


def thrown_away(function: ast.FunctionDef, hook: Any) -> ast.stmt | None:
    """The last statement of a hook that makes a gradient of the one it is given, for nobody."""
    inside = [*ast.walk(function)]
    if any(isinstance(each, ast.Yield) or gives(each) for each in inside):
        return None
    given = [each.arg for each in function.args.args][bound_before(hook) :][:1]
    shared = {n for e in inside if isinstance(e, ast.Global | ast.Nonlocal) for n in e.names}
    found = None
    for each in inside:
        match each:
            case ast.Expr(value) if changes(value, given):
                found = each
            case ast.Assign([ast.Name(name)], value) if name not in shared:
                is_new = name in given and names_in(value) & {*given} or changes(value, given)
                if is_new and not is_read_after(name, each, inside):
                    found = each
    return found


def bound_before(hook: Any) -> int:
    """How many parameters of a hook's function come before the gradient."""
    if isinstance(hook, partial):
        return bound_before(hook.func) + len(hook.args)
    return int(not isinstance(hook, FunctionType))


def gives(node: ast.AST) -> bool:
    """Whether this is a return of something."""
    return isinstance(node, ast.Return) and not (node.value is None or is_word(node.value, None))


def changes(value: ast.expr, given: list[str]) -> bool:
    """Whether this is `grad * 2`, `grad.clamp(-1, 1)` or `torch.clamp(grad, -1, 1)`."""
    match value:
        case ast.BinOp(left, _, right):
            things = [left, right]
        case ast.Call(ast.Attribute(owner, name), arguments) if name in CHANGES:
            things = [owner, *arguments]
        case _:
            return False
    return any(isinstance(each, ast.Name) and each.id in given for each in things)


def is_read_after(name: str, statement: ast.stmt, inside: list[ast.AST]) -> bool:
    """Whether a name is read below a statement, or in a loop around it."""
    end = statement.end_lineno or statement.lineno
    starts = [each.lineno for each in inside if isinstance(each, LOOPS) and is_at(each, end)]
    first = min(starts, default=end + 1)
    reads = (each for each in inside if isinstance(each, ast.Name) and each.id == name)
    return any(isinstance(n.ctx, ast.Load) and n.lineno >= first for n in reads)


def is_lambda(hook: Any) -> bool:
    """Whether a hook is a lambda."""
    return getattr(function_of(hook), "__name__", "") == "<lambda>"


def no_return(hook: Any) -> str:
    """How a hook comes to return nothing."""
    if is_lambda(hook):
        return "write the lambda as a def without a return, which gives None"
    return "leave its `return` out, so that it gives None"


def function_of(hook: Any) -> FunctionType | None:
    """The reader's function behind a hook: in ``partial(f, ...)``, a method, or an object."""
    while isinstance(hook, partial):
        hook = hook.func
    hook = getattr(hook, "__func__", hook)
    return hook if isinstance(hook, FunctionType) else vars(type(hook)).get("__call__")


def hooks_of_unused(net: Any, frame: FrameType | None) -> Iterator[str]:
    """That a module with hooks of its own is called by no line, which reads its parameters."""
    calls = [each.func for _, each in all_calls(frame)]
    called = {each.attr for each in calls if isinstance(each, ast.Attribute)}
    for path, module in net.named_modules():
        own = path.rpartition(".")[2]
        hooks = [*module._forward_hooks.values(), *module._forward_pre_hooks.values()]
        if not hooks or not own.isidentifier() or own in called:
            continue
        for source, read in everywhere(frame, ast.Attribute):
            match read:
                case ast.Attribute(ast.Attribute(_, name), "weight") if name == own:
                    whole, line = ast.unparse(read.value), source.spoken(read.lineno)
                    yield say("hooks-of-unused", own=path, line=line, whole=whole)
                    return
