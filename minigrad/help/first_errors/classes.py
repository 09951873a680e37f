"""A class where an object of it is meant, and a layer where the tensor is meant that it gives."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ... import nn
from ...nn.module import Module
from ...optim.optimizer import Optimizer
from ...tensor import Tensor
from ..graph.history import nodes_behind
from ..program.failure import Failure, made_in
from ..source import reader
from ..source.called import is_in_a_library
from ..source.lookup import value_of
from ..source.syntax import given_to, is_call, runs_a_pass
from ..source.texts import all_calls, definition_of
from .no_tensor import needed

HAS_NO = re.compile(r"'([\w.]+)' object has no attribute '(\w+)'")
OF_A_PARAMETER = ("grad", "data", "shape", "size", "dtype", "device", "requires_grad", "is_leaf")
TOO_MANY, MISSES_ONE = "positional argument but", "missing 1 required positional argument"
A_TENSOR = re.compile(
    r".*must be Tensor, not |unsupported operand type|.*not iterable|.*is not subscriptable"
)


def is_class(thing: Any) -> bool:
    """Whether this is a class of modules or of optimizers."""
    return isinstance(thing, type) and issubclass(thing, Module | Optimizer)


def written_call(name: str, kind: type) -> str:
    """A call that makes an object of a class, with the names of what it needs.

    >>> written_call("nn.Linear", nn.Linear), written_call("nn.Tanh", nn.Tanh)
    ('nn.Linear(in_features=..., out_features=...)', 'nn.Tanh()')
    """
    return f"{name}({', '.join(f'{each}=...' for each in needed(kind))})"


def object_of(kind: type, failure: Failure) -> str | None:
    """The name of an object of this class that the reader has made."""
    known = reader.variables_of(failure.frame)
    return next((name for name, thing in known.items() if type(thing) is kind), None)


# -- a class for an object -------------------------------------------------------------------------


def class_in_its_place(failure: Failure, _: re.Match) -> Iterator[str]:
    """That an attribute is asked of a class, or that a class is called with tensors."""
    expression = failure.expression
    asked = expression.func if is_call(expression) else expression
    kind = failure.value(asked)
    if isinstance(asked, ast.Attribute) and is_class(failure.value(asked.value)):
        yield from asked_of_a_class(failure, asked)
    elif is_call(expression) and is_class(kind) and issubclass(kind, Module):
        if any(is_tensor(each, failure) for each in expression.args) and is_refused(kind, failure):
            yield from called_with_tensors(failure, expression, kind)


def is_refused(kind: type, failure: Failure) -> bool:
    """Whether a class refuses these arguments; one of the reader's may well take a tensor."""
    text = str(failure.error)
    is_own = not is_in_a_library(getattr(kind.__init__.__code__, "co_filename", ""))
    return TOO_MANY in text if is_own else "unexpected keyword" not in text


def asked_of_a_class(failure: Failure, asked: ast.Attribute) -> Iterator[str]:
    """That ``Net.parameters()`` is asked of the class."""
    kind, name = failure.value(asked.value), ast.unparse(asked.value)
    text = str(failure.error)
    is_method = isinstance(inspect.getattr_static(kind, asked.attr, None), FunctionType)
    if not (MISSES_ONE in text and is_method) and not text.startswith("type object"):
        return
    line, made = made_in(*failure.origin(asked.value))
    renamed = made is not None and is_class(value_of(made, failure.frame, None))
    is_it = f"{name} is the class {kind.__name__} itself" if renamed else f"{name} is a class"
    where = reader.in_brackets(line) if renamed else ""
    yield f"{is_it}, and not an object made of it{where}."
    known = object_of(kind, failure)
    if renamed:
        yield f"Try: {written_call(ast.unparse(made), kind)} there, with brackets."
    elif known:
        yield f"Try: {known}.{asked.attr} for {name}.{asked.attr}."
    else:
        yield f"Try: net = {written_call(name, kind)} above, and net.{asked.attr}."


def called_with_tensors(failure: Failure, call: ast.Call, kind: type) -> Iterator[str]:
    """That a class is called with what its object takes: ``nn.MSELoss(a, b)``."""
    name, given = ast.unparse(call.func), ", ".join(map(ast.unparse, call.args))
    start, frame = failure.origin(call.func)
    line, made = made_in(start, frame)
    if start is not call.func and is_class(value_of(start, frame, None)):
        line, made = reader.spoken_line(frame.f_code.co_filename, start.lineno), start
    elif isinstance(call.func, ast.Attribute) and is_class(failure.value(call.func)):
        found = handed_over(kind, failure)
        line, made = found if found else (line, made)
    if made is not None and is_class(value_of(made, failure.frame, None)):
        yield f"{name} is the class {kind.__name__} itself, and not an object made of it ({line})."
        yield f"Try: {written_call(ast.unparse(made), kind)} there, with brackets."
        return
    known = object_of(kind, failure)
    yield f"{name}(...) makes a module, and {given} stands where its settings are given."
    if known:
        yield f"Try: {known}({given}) for {name}({given})."
    elif needed(kind):
        yield f"Try: net = {written_call(name, kind)} once, above; then net({given})."
    else:
        yield f"Try: {name}()({given})."


def handed_over(kind: type, failure: Failure) -> tuple[str, ast.expr] | None:
    """The only line that gives a class to a call, as to one that makes an object, and what."""
    top = [*reader.callers(failure.frame)][-1]
    found = {
        source.spoken(each.lineno): each
        for source, call in all_calls(failure.frame)
        for each in given_to(call)
        if isinstance(each, ast.Name | ast.Attribute) and value_of(each, top, None) is kind
    }
    return next(iter(found.items())) if len(found) == 1 else None


def is_tensor(thing: ast.expr, failure: Failure) -> bool:
    """Whether an expression is a tensor, or a call of a module, as far as that is known."""
    if is_call(thing):
        return isinstance(failure.value(thing.func), Module)
    return isinstance(failure.value(thing), Tensor)


def not_modules(failure: Failure, _: re.Match) -> Iterator[str]:
    """Which argument of a Sequential, or another container, is no module, and what to write."""
    for each in given_to(failure.expression):
        for thing in each.elts if isinstance(each, ast.List | ast.Tuple) else [each]:
            value, name = failure.value(thing), ast.unparse(thing)
            whole = ast.unparse(failure.expression.func)
            is_list = isinstance(value, list | tuple) or isinstance(thing, ast.ListComp)
            if is_class(value):
                yield f"{name} is a class, and no layer made of it: it stands without brackets."
                yield f"Try: {written_call(name, value)} for {name}."
            elif callable(value) and not hasattr(value, "forward"):
                yield f"{name} is a function, and {whole} holds modules."
                if alike := module_like(value):
                    yield f"Try: torch.nn.{alike}() for {name}."
            elif is_list or isinstance(each, ast.List | ast.Tuple) and thing is each.elts[0]:
                own = ast.unparse(each)
                yield f"{own} is a list, and {whole} takes its layers one by one."
                yield f"Try: {whole}(*{own}), with a star."
            elif isinstance(value, Tensor):
                yield f"{name} is a tensor, and {whole} holds modules; data come when it is called."
                yield f"Try: leave {name} out there, and give it to the net: net({name})."
            else:
                continue
            return


def called_object(failure: Failure, found: re.Match) -> Iterator[str]:
    """That an optimizer is called, or its ``step`` with a loss."""
    if not is_call(failure.expression):
        return
    function = failure.expression.func
    name, value = ast.unparse(function), failure.value(function)
    if isinstance(value, Optimizer):
        yield f"{name} is an optimizer ({found[1]}), which is not called: its step is a method."
        yield f"Try: {name}.step()."
    elif isinstance(getattr(value, "__self__", None), Optimizer):
        given = next((each for each in given_to(failure.expression)), None)
        made = failure.value(given.func) if is_call(given) else None
        if runs_a_pass(definition_of(made)[1]):
            yield f"{name} calls what it is given, which is what {ast.unparse(given)} returned."
            yield f"Try: {name}({ast.unparse(given.func)}), the function itself."
        if isinstance(loss := failure.value(given), Tensor):
            yield f"{name}(...) takes no loss: it steps by the gradients that backward() has left."
            ran = any(node.is_freed for node in nodes_behind(loss))
            yield f"Try: {'' if ran else f'`{ast.unparse(given)}.backward()`, then '}`{name}()`."


def module_like(function: Any) -> str | None:
    """The module that computes what a function does: ``ReLU`` of ``relu``."""
    name = getattr(function, "__name__", "").replace("_", "").lower()
    return next((each for each in dir(nn) if each.lower() == name and each[0].isupper()), None)


# -- a module for a tensor -------------------------------------------------------------------------


def module_in_its_place(failure: Failure, _: re.Match) -> Iterator[str]:
    """That a layer, a net or a loss function stands where the tensor is meant that it gives."""
    text, expression = str(failure.error), failure.expression
    found = HAS_NO.match(text)
    if found:
        is_asked = isinstance(expression, ast.Attribute) and hasattr(Tensor, found[2])
        things = [expression.value] if is_asked else []
    else:
        things = [*operands(expression)] if A_TENSOR.match(text) else []
    for thing in things:
        value, name = failure.value(thing), ast.unparse(thing)
        if not isinstance(value, Module) or name == "self":
            continue
        line, made = made_in(*failure.origin(thing))
        kind = type(value).__name__
        is_made = is_call(made) and is_class(value_of(made.func, failure.frame, None))
        if is_made and made.args and not needed(type(value)):
            own, given = ast.unparse(made.func), ", ".join(map(ast.unparse, made.args))
            yield f"{name} is a {kind} itself ({line}), and not what it computes."
            yield f"Try: {own}()({given}) there."
        elif isinstance(expression, ast.Subscript):
            own = [each for each, layer in value.named_children() if layer is not None]
            yield f"{name} is a module ({kind}), which holds its layers by name: {', '.join(own)}."
            yield from (f"Try: {name}.{each} for {ast.unparse(expression)}." for each in own[:1])
        elif found and found[2] in OF_A_PARAMETER:
            inner = next((path for path, _ in value.named_parameters()), "weight")
            yield f"{name} is a module ({kind}); what has {found[2]} is each of its parameters."
            yield f"Try: {reader.at(name, inner)}.{found[2]}; or a loop over {name}.parameters()."
        else:
            where = reader.in_brackets(line)
            yield f"{name} is a module ({kind}), and not what it computes{where}."
            do = f"call it: {name}(x) for {name}."
            if found and found[2] == "backward":
                do = f"loss = {name}(...), called with output and target, and loss.backward()."
            yield f"Try: {do}"
        return


def operands(expression: Any) -> Iterator[ast.expr]:
    """The parts of an expression that it computes with."""
    match expression:
        case ast.BinOp(left, _, right):
            yield from (left, right)
        case ast.Subscript(value):
            yield value
        case ast.Call():
            yield from given_to(expression)
