"""Flags and calls that are misspelt: ``x.require_grad = True``, ``loss.backward`` without ``()``.

Nobody reads such an attribute, and a method that a line names and does not call has not run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from ...optim.optimizer import Optimizer
from ...tensor import Tensor
from ..graph.expression_of_node import line_of_assignment
from ..program.program import Program
from ..source import reader
from ..source.lookup import value_of
from ..source.texts import assignments, everywhere
from ..source.variables import held, is_module, thing_at
from ..words.sentences import say

FLAGS = ("requires_grad", "grad", "data", "retain_grad", "requires_grad_")
NOT_READ = "an attribute that nothing reads"


def misspelt(tensor: Any, name: str, program: Program | None = None) -> Iterator[str]:
    """Sentences on what was set on a tensor, and what it was probably meant to be.

    >>> import minigrad as mg
    >>> x = mg.ones(1)
    >>> x.require_grad = True
    >>> print(*misspelt(x, "x"))
    x.require_grad is an attribute that nothing reads. Try: x.requires_grad.
    """
    for attribute, meant in look_alikes(tensor):
        line = "" if program is None else lines_that_set(program, attribute)
        yield f"{name}.{attribute} is {NOT_READ}{line}. Try: {name}.{meant}."


def misspelt_among(tensors: Mapping[str, Any], program: Program) -> Iterator[str]:
    """The same of several tensors by their names, each attribute once."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, tensor in tensors.items():
        for pair in look_alikes(tensor):
            found.setdefault(pair, []).append(name)
    for (attribute, meant), names in found.items():
        if len(names) == 1:
            yield from misspelt(tensors[names[0]], names[0], program)
            continue
        known = {"attribute": attribute, "meant": meant, "first": names[0], "count": len(names)}
        yield say("misspelt-often", line=lines_that_set(program, attribute), **known)


def look_alikes(thing: Any) -> Iterator[tuple[str, str]]:
    """The attributes that nobody reads, each with the flag that it looks like."""
    for attribute in getattr(thing, "__dict__", ()):
        # Most attributes of a module begin with "_", and a comparison takes time.
        meant = attribute[:1] != "_" and get_close_matches(attribute, FLAGS, n=1, cutoff=0.8)
        if attribute == "requires_grad_":  # which hides the method
            yield attribute, "requires_grad"
        elif meant and attribute not in FLAGS:
            yield attribute, meant[0]


def not_thawed(module: Any, own: str, program: Program) -> tuple[str, str] | None:
    """What was to let a part of a frozen module learn and is read by nobody, and what to write."""
    parameters = ((reader.at(own, path), each) for path, each in reader.parameters_of(module))
    if wrong := asked_in_vain(parameters, program):
        return wrong
    said, _, do = next(idle_flags(module, own, program), "").partition(" Try: ")
    return (said, do.removesuffix(".")) if said else None


def not_asked(program: Program, leaf: Any = None) -> tuple[str, str] | None:
    """A tensor, or this leaf, that was asked by a name that nobody reads, and what to write."""
    known = (each for each in held(program.variables) if isinstance(each.thing, Tensor))
    plain = [(each.path, each.thing) for each in known if not each.thing.requires_grad]
    plain = [each for each in plain if leaf is None or each[1] is leaf]
    known, things = bare_methods("requires_grad_", program), {id(each) for _, each in plain}
    bare = next((each for each in known if id(each.owner) in things), None)
    return (bare.said, bare.do.removesuffix(".")) if bare else asked_in_vain(plain, program)


def asked_in_vain(tensors: Iterable[tuple[str, Any]], program: Program) -> tuple[str, str] | None:
    """The first of some tensors, by their names, that was asked so; and what to write."""
    for name, tensor in tensors:
        for attribute, meant in look_alikes(tensor):
            if meant == "requires_grad" and vars(tensor)[attribute] is True:
                line = lines_that_set(program, attribute)
                said = f"{name}.{attribute} is {NOT_READ}{line}."
                return said, f"{meant} in the place of {attribute}{line}"
    return None


def idle_flags(net: Any, own: str, program: Program, leaf: Any = None) -> Iterator[str]:
    """Sentences on ``net.body.requires_grad = False``, of modules that hold ``leaf`` if given.

    One for each line, of the outermost module; none where their parameters are as it says.
    """
    told = set()
    for path, module in net.named_modules():
        alike = [each for each, meant in look_alikes(module) if "requires" in meant]
        for attribute in ("requires_grad", *alike):
            flag = vars(module).get(attribute)
            meant = (each for each in module.parameters() if leaf is None or each is leaf)
            if isinstance(flag, bool) and any(each.requires_grad != flag for each in meant):
                where = reader.at(own, path) if path else own
                known = flag_of(module, where, attribute, program)
                if known["line"] not in told:
                    yield say("flag-of-a-module", where=where, attribute=attribute, **known)
                told |= {known["line"]} - {""}


def idle_flags_for(leaf: Any, program: Program) -> Iterator[str]:
    """The same for the first module of the reader's that holds a parameter."""
    for own, thing in program.variables.items():
        if any(parameter is leaf for _, parameter in reader.parameters_of(thing)):
            yield from idle_flags(thing, own, program, leaf)
            return


def flag_of(module: Any, where: str, attribute: str, program: Program) -> dict[str, str]:
    """The line, in brackets, that set a flag of a module, which nothing reads; what to write.

    That is written as in the line, where another name of the module may not be known yet.
    """
    flag, known = vars(module)[attribute], assignments(program.frame)
    lines = {line: at.value for line, at, _ in known if getattr(at, "attr", "") == attribute}
    known = program.variables
    own = [line for line, owner in lines.items() if thing_at(owner, known) is module] or [*lines]
    line = own[0] if len(own) == 1 else ""
    owner = ast.unparse(lines[line]) if line else where
    place = " in its place" if line else ""
    if owner == "self":  # its layers may be made below that line
        owner, place = where, " once it is made"
    return {"line": reader.in_brackets(line), "do": f"{owner}.requires_grad_({flag}){place}"}


def lines_that_set(program: Program, attribute: str) -> str:
    """The only line that sets an attribute of this name, in brackets; empty if there are more."""
    line = line_of_assignment(program, lambda at, _value: getattr(at, "attr", "") == attribute)
    return reader.in_brackets(line)


class Bare(NamedTuple):
    """A line that names a method alone: what it is asked of, how it is written, and its line."""

    owner: Any
    written: str
    line: str

    @property
    def said(self) -> str:
        return f"{self.written} stands without brackets, so it has not run ({self.line})."

    @property
    def do(self) -> str:
        return f"{self.written}() there."


def bare_methods(name: str, program: Program) -> Iterator[Bare]:
    """The lines so far that name this method of a tensor, a module or an optimizer, and no more."""
    for source, node in everywhere(program.frame):
        match node:
            case ast.Expr(ast.Attribute(owner, attribute)) if attribute == name:
                thing = value_of(owner, program.frame, None)
                if isinstance(thing, Tensor | Optimizer) or is_module(thing):
                    yield Bare(thing, ast.unparse(node.value), source.spoken(node.lineno))
