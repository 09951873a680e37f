"""What a learner's list of values holds, when the pass that goes through it is wrong."""

from typing import Any

from ..language import _
from . import engine_programs as given
from .engine_programs import Program
from .engine_stops import kind
from .engine_trial import fact, functions_of, guarded
from .exercises import Mistake


def fault_of_the_list(engine: type) -> Mistake | None:
    """A fact about what the learner's `in_order` returns; None if there is no such function.

    Where the list is as it should be, that is said: then it is `backward` that has to be mended.
    """
    in_order = functions_of(engine).get("in_order")
    if in_order is None:
        return None
    said = []
    for program in given.SMALL[given.ANY]:
        leaves = [engine(float(number)) for number in program.numbers]
        values = program.run(leaves)
        try:
            found = guarded(in_order, values[-1])
        except Exception:  # the pass tells of it, with the line
            return None
        fault = _fault(engine, program, values, found)
        if isinstance(fault, Mistake):
            return fault
        said.append(fault)
    told = _("For {program} your list is {names}, and that is right. Look at `backward`.")
    return fact(told, program=given.SMALL[given.ANY][0], names=said[0])


def _fault(engine: type, program: Program, values: list[Any], found: Any) -> Mistake | str:
    """A fact about a wrong list, or the names in a right one."""
    if found is None:
        return fact(
            _(
                "Your `in_order` returns None. `list.reverse()`, `append` and `sort` change the"
                " list and return None, so they stand on a line of their own."
            )
        )
    if isinstance(found, (engine, str)) or not hasattr(type(found), "__iter__"):
        told = _("Your `in_order` returns {kind}. It is to return a list of values.")
        return fact(told, kind=kind(found))
    listed = list(found)
    for entry in listed:
        if not isinstance(entry, engine):
            told = _("Your list holds {kind}, and `send` needs values.")
            return fact(told, kind=kind(entry))
    names = dict(zip(values, program.names(), strict=True))
    written = [names[value] or value.op for value in listed if value in names]
    told = _("For {program} your list is {names}. ")
    for value, name in names.items():
        if listed.count(value) != 1:
            told += _("Each value is to stand in it once, and {name} stands there {count} times.")
            return fact(
                told,
                program=program,
                names=", ".join(written) or _("empty"),
                name=name or value.op,
                count=listed.count(value),
            )
    for child in values:
        for parent in child.parents:
            if listed.index(parent) < listed.index(child):
                told += _("There {parent} stands before {child}, which sends to it.")
                of = {"parent": names[parent] or parent.op, "child": names[child] or child.op}
                return fact(told, program=program, names=", ".join(written), **of)
    return ", ".join(written)
