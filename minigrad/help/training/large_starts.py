"""Weights that the program lets begin with numbers far beyond those that a layer begins with."""

from __future__ import annotations

import ast
import re

from ..program.program import Program
from ..source.syntax import calls_in, given_to, parents_in
from ..source.texts import texts
from ..source.variables import is_parameter
from ..words.sentences import say

#: a method that fills a tensor, or a function of `nn.init`: what is filled, and before it
METHOD = re.compile(r"()([\w.\[\]]+?)((?:\.data|\.detach\(\))?\.)(?:uniform|normal|fill)_\(")
OF_INIT = re.compile(
    r"((?:\w+\.)*init\.)(?:uniform|normal|constant)_\(([\w.\[\]]+?)((?:\.data)?, )"
)
FAR = 10.0  #: the weights of a layer begin below 1


def large_start(program: Program) -> tuple[list[str], str] | None:
    """What is known of such a line, and what to do about it; None where there is none."""
    for source, tree in texts(program.frame):
        for call in calls_in(tree):
            written = ast.unparse(call)
            found = OF_INIT.match(written) or METHOD.match(written)
            most = largest_given(call) if found else 0.0
            if most > FAR and is_of_a_layer(found[2], call, tree, program):
                room, filled, then = found.groups()
                new = f"{room}uniform_({filled}{then}" if room else f"{filled}{then}uniform_("
                known = {"most": most, "line": source.spoken(call.lineno)}
                return [say("large-start", **known)], say("start-small", new=f"{new}-0.1, 0.1)")
    return None


def largest_given(call: ast.Call) -> float:
    """The largest size of the plain numbers that a call is given; 0 for none."""
    texts_given = map(ast.unparse, given_to(call))
    numbers = [each for each in texts_given if re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", each)]
    return max((abs(float(each)) for each in numbers), default=0.0)


def is_of_a_layer(filled: str, call: ast.Call, tree: ast.AST, program: Program) -> bool:
    """Whether what a line fills is a weight of a layer, one of all parameters, or one by a name."""
    is_weight = filled.rpartition(".")[2].startswith("weight")
    if is_weight or is_parameter(program.variables.get(filled)):
        return True
    around, inner = parents_in(tree), call
    while inner is not tree:
        inner = around[inner]
        if isinstance(inner, ast.For) and "parameters(" in ast.unparse(inner.iter):
            return filled in ast.unparse(inner.target)
    return False
