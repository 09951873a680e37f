"""Attributes that an object does not have: misspelt, never set, or those of something else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from types import ModuleType
from typing import Any

from ... import nn
from ...extras.missing import NotSupported
from ...nn.module import Module
from ...optim.optimizer import Optimizer
from ...tensor import Tensor
from ..program.failure import Failure
from ..source import reader
from ..source.parsed import tree_of_code
from ..source.syntax import FUNCTIONS, is_call, own_parts, parents_in
from ..source.variables import held
from ..words.sentences import table, tell
from .forward import class_of

NEAR = 0.75  #: how alike a misspelt name has to be


def no_such_attribute(failure: Failure, found: re.Match) -> Iterator[str]:
    """Why an attribute is not there, and which is meant."""
    asked = failure.expression
    if not isinstance(asked, ast.Attribute) or asked.attr != found[2]:
        return
    owner, name = failure.value(asked.value), ast.unparse(asked.value)
    kind = Module if asked.attr not in table("first_errors/attributes")["module"] else ()
    if isinstance(owner, kind) and (said := [*never_set(owner, asked, failure)]):
        yield from said
    elif hasattr(Module, asked.attr) and not isinstance(owner, Module | type | ModuleType | Tensor):
        yield from no_module(owner, name, asked.attr, failure)
    elif isinstance(owner, ModuleType) and not owner.__name__.startswith(__package__.split(".")[0]):
        return
    elif isinstance(owner, Tensor | Module | Optimizer | ModuleType | type):
        yield from other_name(owner, name, asked.attr, failure)


def no_module(owner: Any, name: str, attribute: str, failure: Failure) -> Iterator[str]:
    """That an object of the reader's has what a module has only if its class is one."""
    source, node = class_of(type(owner).__name__, failure.frame)
    parts = [*getattr(owner, "__dict__", {}).values(), *vars(type(owner))]
    if node is None or not any(each == "forward" or is_learned(each) for each in parts):
        return
    line = source.spoken(node.lineno)
    yield f"{attribute} is a method of nn.Module, and {node.name} is none ({line})."
    learned = {path: each for path, each in vars(owner).items() if is_learned(each)}
    known = [path for path, each in learned.items() if isinstance(each, Tensor) and each.is_leaf]
    if attribute == "parameters" and known and len(known) == len(learned):
        yield f"Try: [{', '.join(f'{name}.{each}' for each in known)}] for {name}.parameters()."
    else:
        wrap = "".join(f", and nn.Parameter(...) around what {each} is given" for each in known)
        first = f"class {node.name}(nn.Module): there, super().__init__() first in __init__"
        yield f"Try: {first}{wrap}."


def is_learned(thing: Any) -> bool:
    """Whether this is a part of a net: a layer, or a tensor that asks for gradients."""
    return isinstance(thing, Module) or isinstance(thing, Tensor) and thing.requires_grad


def other_name(owner: Any, name: str, attribute: str, failure: Failure) -> Iterator[str]:
    """The attribute that is meant, where it has a name like this one, or stands elsewhere."""
    known = [*dir(owner), *(own_names(owner) if isinstance(owner, Module) else ())]
    same = [each for each in known if plain(each) == plain(attribute)]
    is_module = isinstance(owner, ModuleType)
    is_left_out = isinstance(failure.error, NotSupported) and not is_module
    alike = same or () if is_left_out else get_close_matches(attribute, known, n=1, cutoff=NEAR)
    kind = "tensor" if isinstance(owner, Tensor) else type(owner).__name__
    what = name if isinstance(owner, ModuleType | type) else f"{name} is a {kind} and"
    named = table("first_errors/attributes")["tensor" if kind == "tensor" else "module"]
    of = f"{name}.weight" if hasattr(owner, "weight") else f"`out = {name}(...)`, and out"
    if owner is nn and hasattr(nn.functional, attribute):
        yield f"{name} has no {attribute}; {name}.functional has it."
        yield f"Try: {name}.functional.{attribute} for {name}.{attribute}."
    elif is_module and hasattr(Tensor, attribute) and (call := call_of(failure)):
        own = ast.unparse(call.args[0])
        yield f"{name} has no {attribute}, which is a method of tensors."
        yield f"Try: {own}.{attribute}() for {name}.{attribute}({own})."
    elif isinstance(owner, Tensor | Module) and (elsewhere := named.get(attribute)):
        yield f"{what} has no {attribute}: {elsewhere['why']}."
        yield f"Try: {elsewhere['do'].format(t=name, of=of)}."
    elif alike and attribute not in getattr(owner, "defaults", ()) and not alike[0].startswith("_"):
        yield f"{what} has no {attribute}; it has {alike[0]}."
        yield f"Try: {name}.{alike[0]} for {name}.{attribute}."
    elif others := of_others(owner, attribute, failure):
        yield f"{what} has no {attribute}; {others[0]} has it."
        yield f"Try: {others[0]}.{attribute} for {name}.{attribute}."
    elif isinstance(owner, Optimizer) and attribute in owner.defaults:
        yield f"{what} has no {attribute}: each group of its parameters has one of its own."
        yield f"Try: {name}.param_groups[0][{attribute!r}] for {name}.{attribute}."
    elif isinstance(owner, Optimizer) and hasattr(Tensor, attribute):
        yield f"{what} has no {attribute}, which a tensor has: a pass starts at the loss."
        yield f"Try: loss.{attribute}() for {name}.{attribute}()."


def plain_of_digits(name: str) -> str:
    """A name without its number: ``fc`` of ``fc2``, since each number is a layer of its own."""
    return name.rstrip("0123456789")


def plain(name: str) -> str:
    """A name without what is often mistaken in it."""
    return name.replace("_", "").lower()


def own_names(module: Module) -> list[str]:
    """What a module was given: its layers, parameters, buffers and other attributes."""
    tables = (module._modules, module._parameters, module._buffers, vars(module))
    return [name for each in tables for name in each if name[0] != "_"]


def call_of(failure: Failure) -> ast.Call | None:
    """The call with arguments whose function is the attribute that failed."""
    call = parents_in(tree_of_code(failure.frame.f_code)).get(failure.expression)
    return call if is_call(call) and call.func is failure.expression and call.args else None


def of_others(owner: Any, attribute: str, failure: Failure) -> list[str]:
    """The names of the reader's modules and optimizers that have an attribute."""
    return [
        each.path
        for each in held(reader.variables_of(failure.frame))
        if isinstance(each.thing, Module | Optimizer) and type(each.thing) is not type(owner)
        if hasattr(each.thing, attribute)
    ]


def never_set(owner: Module, asked: ast.Attribute, failure: Failure) -> Iterator[str]:
    """That no line has given a module of the reader's this attribute, and which should have."""
    kind, name, attribute = type(owner).__name__, ast.unparse(asked.value), asked.attr
    source, node = class_of(kind, failure.frame)
    for method in node.body if node is not None else ():
        if not isinstance(method, FUNCTIONS):
            continue
        for each in own_parts(method):
            match each:
                case ast.Assign([ast.Name(own)]) if own == attribute and method.name == "__init__":
                    line = source.spoken(each.lineno)
                    yield tell("forgotten-name", attribute=attribute, line=line)
                    yield f"Try: self.{attribute} = ... there."
                    return
                case ast.Assign([ast.Attribute(_, own)]) if own == attribute:
                    line = source.spoken(each.lineno)
                    if method.name != "__init__":
                        known = {"method": method.name, "line": line}
                        yield tell("set-elsewhere", name=name, attribute=attribute, **known)
                        yield f"Try: set it in __init__; or call {name}.{method.name}() before."
                        return
                    if asked.lineno not in range(method.lineno, each.lineno):
                        continue
                    yield f"{name}.{attribute} is set further down ({line})."
                    yield "Try: that line above the one that reads it."
                    return
    reads = [e for e in ast.walk(node or asked) if isinstance(e, ast.Attribute)]
    used = {e.attr for e in reads if isinstance(e.ctx, ast.Load) and name == "self"}
    unused = [each for each in own_names(owner) if each not in used]  # so misspelt where it is set
    alike = get_close_matches(attribute, unused, n=1, cutoff=0.5)
    alike = alike or get_close_matches(attribute, own_names(owner), n=1, cutoff=0.9)
    if node is None or (hasattr(Tensor, attribute) and name != "self"):
        return
    if alike and plain_of_digits(alike[0]) != plain_of_digits(attribute):
        line = line_that_sets(source, node, alike[0])
        yield f"{name} has no {attribute}; __init__ has given it {alike[0]}{line}."
        yield f"Try: {name}.{alike[0]} for {name}.{attribute}; or the same name in both places."
    elif name == "self":
        known = ", ".join(each for each in own_names(owner) if each != "training")
        line = source.spoken(node.lineno)
        has = f"; what it has is {known}" if known else ""
        yield f"No line of {kind} sets self.{attribute} ({line}){has}."
        yield f"Try: self.{attribute} = ... in __init__."


def line_that_sets(source: Any, node: ast.ClassDef, attribute: str) -> str:
    """The line of a class that gives ``self`` an attribute, in brackets."""
    for each in ast.walk(node):
        match each:
            case ast.Assign([ast.Attribute(_, own)]) if own == attribute:
                return f" ({source.spoken(each.lineno)})"
    return ""
