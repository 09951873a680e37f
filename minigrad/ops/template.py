"""The derivative of each kind of node, written out from one template.

``node.send(g, recorded, freed)`` is the innermost function of every backward pass, and what it does
differs from rule to rule only in names. So it is written as text when the first node of a rule is
made, and compiled: CPython then adapts the code of each rule to that rule. What comes out for
``mul`` reads::

    def send(node, g, recorded, freed):
        to_self = node.to_self
        to_other = node.to_other
        ...
        if g is not None:
            if to_other is not None and to_other is not DEAD_END:
                for_other = gradient_of_other(g, self, None)
            if to_self is not None and to_self is not DEAD_END:
                for_self = gradient_of_self(g, None, other)
        ...
        return (to_self, for_self), (to_other, for_other),

Tracebacks show its lines, as those of any other function of the package.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable

from ..autograd.node import DEAD_END, Freed
from ..autograd.saved import already_freed, unpacked
from ..tensor import Tensor

FOLDER = os.path.dirname(os.path.abspath(__file__))
KNOWN = {
    "DEAD_END": DEAD_END,
    "Freed": Freed,
    "Tensor": Tensor,
    "already_freed": already_freed,
    "unpacked": unpacked,
}

# The lines that all rules have in common. Names in braces are of one operand or one saved value.
BEGIN = '''
def send(node, g, recorded, freed):
    """Each edge of a {node_name} with the gradient that travels along it."""'''
FROM_SLOT = """
    {name} = node.{slot}"""
FROM_TUPLES = """
    {edges} = node.edges
    saved = node.saved"""
CHECK = """
    if {first}.__class__ is Freed:
        raise already_freed(node, {first})"""
EACH_SAVED = """
    {names} = saved or {nothing}"""
VALUE = """
    if {value}.__class__ is Tensor and {value}._counter is None:  # nobody ever wrote to it
        if not recorded:
            {value} = {value}._value
    elif {value} is not None:
        {value} = unpacked({value}, node, recorded)"""
ARGUMENTS = """
    {names} = node.args"""
ONE_OF_SEVERAL = """
    if g is not None and node.outputs == 1:
        g = [g]"""
GRADIENTS = """
    {names} = None
    if g is not None:"""
GRADIENT = """
        if to_{operand} is not None and to_{operand} is not DEAD_END:
            for_{operand} = gradient_of_{operand}({arguments})"""
FREE_SLOTS = """
    if freed is not None and ({any}):"""
FREE_SLOT = """
        node.{slot} = {value}"""
FREE_TUPLE = """
    if freed is not None and saved:
        node.saved = freed"""
END = """
    return {pairs},
"""
RESERVED = {"node", "g", "recorded", "freed", "saved"}


def arguments_of(formula: Callable) -> list[str]:
    """The arguments a formula is called with: ``_other`` stands for a value it does not need."""
    names = formula.__code__.co_varnames[: formula.__code__.co_argcount]
    return ["None" if name[0] == "_" else name for name in names]


def unpacking(names: tuple) -> str:
    """The left side of an assignment of a tuple to these names."""
    return ", ".join(names) + "," * (len(names) == 1)


def text_of(rule, in_slots: bool, several: bool) -> str:
    """The text of ``send`` for a rule.

    Args:
        rule: the rule.
        in_slots: whether edges and saved values are in slots of their own, or in tuples.
        several: whether the operation may have several results; formulas then get a list of
            gradients, with None where nobody used one.
    """
    saves, formulas = rule.saves, rule.formulas
    if not RESERVED.isdisjoint((*saves, *rule.arguments)):
        raise ValueError(f"a formula of {rule} asks for a name of the template")
    edges = tuple(f"to_{operand}" for operand in formulas)
    slots = ["kept" if len(edges) == 1 else f"kept_{name}" for name in saves]
    text = BEGIN.format(node_name=rule.node_name)
    if in_slots:
        for name, slot in (*zip(edges, edges), *zip(saves, slots)):
            text += FROM_SLOT.format(name=name, slot=slot)
    else:
        text += FROM_TUPLES.format(edges=unpacking(edges))
    if saves:
        text += CHECK.format(first=saves[-1] if in_slots else "saved")
    if saves and not in_slots:
        text += EACH_SAVED.format(names=unpacking(saves), nothing=f"(None,) * {len(saves)}")
    text += "".join(VALUE.format(value=name) for name in saves)
    if rule.arguments:
        text += ARGUMENTS.format(names=unpacking(rule.arguments))
    text += ONE_OF_SEVERAL if several else ""
    text += GRADIENTS.format(names=" = ".join(f"for_{operand}" for operand in formulas))
    for operand in sorted(formulas):  # PyTorch computes in this order
        arguments = ", ".join(arguments_of(formulas[operand]))
        text += GRADIENT.format(operand=operand, arguments=arguments)
    if saves and not in_slots:
        text += FREE_TUPLE
    elif saves:
        text += FREE_SLOTS.format(any=" or ".join(f"node.{slot} is not None" for slot in slots))
        for slot in slots:  # the last one says that all of them were let go
            text += FREE_SLOT.format(slot=slot, value="freed" if slot == slots[-1] else "None")
    return (text + END.format(pairs=", ".join(f"(to_{o}, for_{o})" for o in formulas))).lstrip()


def written(rule, formulas: dict[str, Callable], in_slots: bool, several: bool) -> Callable:
    """The function ``send`` of the nodes of a rule, with these formulas, called as its own are."""
    text = text_of(rule, in_slots, several)
    filename = os.path.join(FOLDER, f"<derivative of {rule.name}: {rule.node_name}>")
    # With None for its time of change, linecache never looks for the file.
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename
    names = {**KNOWN, "__name__": __name__}
    names |= {f"gradient_of_{operand}": formula for operand, formula in formulas.items()}
    exec(compile(text, filename, "exec"), names)
    return names["send"]
