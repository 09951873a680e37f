"""Values without a history that an object, a list, a dict or a closure keeps between calls."""

from __future__ import annotations

from collections.abc import Iterator

from ...extras.recorded_cuts import MADE, cuts_of
from ...tensor import Tensor
from ..graph.history import nodes_behind
from ..graph.recorded import leads_to, told
from ..program.breaks import remedy
from ..program.program import Program
from ..source.syntax import names_in
from ..source.variables import Held, held

MOST = 1  #: others have mostly come by the same line


def broken_by_a_kept_value(y: Tensor, x: Tensor, a: str, b: str, program: Program) -> Iterator[str]:
    """What keeps a value that may stand between ``y`` and ``x``, and where its history ended."""
    names = names_behind(a, program)
    known = [each for each in without_history(program) if not names or each.root in names]
    from_x = [each for each in known if any(leads_to(cut, x) for cut in cuts_of(each.thing))]
    sources = [[cut.source and cut.source() for cut in cuts_of(each.thing)] for each in known]
    unknown = [each for each, of in zip(known, sources) if all(thing is None for thing in of)]
    for each in (from_x or unknown)[:MOST]:
        cuts = told(cuts_of(each.thing))[:1]
        if not cuts or cuts[0].expected:
            continue
        was = f" was computed from {b}, and" if from_x else ""
        yield f"{spoken(each)}{was} lost its history here: {cuts[0].said}."
        freed = any(node.is_freed for node in nodes_behind(y))
        tells = "A pass has freed what would tell whether it was used; if" if freed else "If"
        both = f"{a} was computed from it" if from_x else f"it came from {b}, and {a} from it"
        yield f"{tells} {both}, the path breaks there."
        if do := remedy(cuts):
            owner = each.path.rpartition("[")[0]
            empty = f"; and empty {owner}, which still holds such values" if owner else ""
            yield f"Try: {do}{empty}."


def without_history(program: Program) -> Iterator[Held]:
    """The tensors inside of the reader's objects whose history is known to have ended."""
    for each in held(program.variables):
        if each.path == each.root or not isinstance(each.thing, Tensor):
            continue
        cuts = () if each.thing.requires_grad else cuts_of(each.thing)
        if any(cut.source is not None or cut.what not in MADE for cut in cuts):
            yield each


def names_behind(name: str, program: Program) -> set[str]:
    """The names in the lines that a result was computed by; none where no line is known."""
    targets = {name} | program.parts_of(name)
    values = (step.value for step in program.steps if step.target in targets)
    return set().union(*map(names_in, values))


def spoken(each: Held) -> str:
    """A value by how a program gets at it, or by the function whose closure keeps it."""
    within = each.path.startswith(each.root)
    return each.path if within else f"{each.path}, which {each.root}() keeps,"
