"""Why a loss leads back to no parameter, or brings one nan or nothing but 0: `checkup` tells."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..gradients.results_of_leaf import MEANT_OR_NOT, advice, is_only_added, users_of
from ..gradients.wrong_derivatives import wrong_on_the_way
from ..graph.history import leaves_behind, nodes_behind
from ..graph.recorded import breaks_between, ended
from ..not_finite.wrong_numbers import hindered, in_result, in_the_rounds, is_zero, why_stopped
from ..paths.path import is_derived, path
from ..program.breaks import Break, blamed, breaks, copied, remedy
from ..program.program import Program
from ..source import reader
from ..source.syntax import is_call
from ..source.texts import everywhere
from ..training.added_numbers import added_by_calls
from ..words.sentences import say, tell

MOST_LOST = 2  #: lines that are told where several have ended a history


def where_a_path_breaks(loss: Any, parameter: Any, net: str, others: int) -> Iterator[str]:
    """What is known of why a loss does not lead back to any parameter, such as this one.

    It leads back to so many ``others``.
    """
    said = []
    if isinstance(loss, Tensor) and isinstance(parameter, Tensor):
        said = [*path(loss, parameter, Program.of(reader.frame()))][1:]
    ends = "Try: ", MEANT_OR_NOT
    is_told = any(each.startswith(ends) or each.endswith("is right.") for each in said)
    said = [each for each in said if is_told or "unknown" not in each and not others]
    if is_told:
        pass
    elif others and parameter.grad is not None:
        said.append("Passes from another one have filled their .grad.")
    elif others:
        lines = {source.spoken(each.lineno) for source, each in copies_of(net)}
        line = lines.pop() if len(lines) == 1 else ""
        of = {"others": others, "net": net}
        said = [
            say("leads-to-a-copy", line=line, **of) if line else say("leads-to-another-net", **of)
        ]
    else:
        said.append(say("look-for-cuts"))
        if isinstance(loss, Tensor):
            said.append(say("watch"))
    yield from said


def copies_of(net: str) -> Iterator[tuple[Any, ast.Call]]:
    """The calls of ``deepcopy`` that copy a net by its name."""
    for source, each in everywhere(reader.frame()):
        if is_call(each, {"deepcopy"}) and [*map(ast.unparse, each.args)] == [net]:
            yield source, each


def what_made_it_bad(loss: Any) -> str:
    """What has made the nan or inf in a loss or in its gradients; empty where that is unknown."""
    if not isinstance(loss, Tensor) or loss.grad_fn is None:
        return ""
    program = Program.of(reader.frame())
    said = " ".join(in_result(loss, program.name_of(loss) or "the loss", program))
    return said if re.search("[Tt]ry: ", said) else ""


def what_hinders(loss: Any, program: Program) -> str:
    """What keeps a net from learning well, though gradients come; empty where nothing is known."""
    is_known = isinstance(loss, Tensor) and loss.grad_fn is not None
    if is_known:
        return " ".join(hindered(loss, program))
    return " ".join([*in_the_rounds(program)] or added_by_calls(program))


def what_stops_it(loss: Any, parameter: Any) -> Iterator[str]:
    """Why nothing but 0 comes to a parameter, where the loss that was given tells it."""
    if isinstance(loss, Tensor) and isinstance(parameter, Tensor) and is_zero(parameter):
        program = Program.of(reader.frame())
        yield from why_stopped(loss, parameter, program)


def wasted_behind(loss: Any) -> Iterator[str]:
    """Gradients behind a loss that nobody reads."""
    if isinstance(loss, Tensor):
        yield from wrong_on_the_way(nodes_behind(loss), Program.of(reader.frame()))


def not_reached(loss: Any, some: str, first: str, parameter: Any, name: str) -> str:
    """That a loss does not lead back to some parameters: what cuts the way to this one of them."""
    program = Program.of(reader.frame())
    if cuts := cuts_to(loss, parameter, name):
        said = "; ".join(cut.said for cut in cuts)
        do = advice(remedy(cuts, program.name_of(loss) or ""), loss, parameter, program)
        own = "The loss" if loss.numel() == 1 else program.name_of(loss) or "It"
        alone = ", so it does not learn" * (not users_of(parameter, program))
        return say("way-cut", loss=own, alone=alone, some=some, first=first, said=said, advice=do)
    is_own = isinstance(loss, Tensor) and isinstance(parameter, Tensor)
    if (
        is_own
        and is_derived(loss)
        and is_only_added(parameter, users_of(parameter, program).values())
    ):
        return tell("only-added", b=name)
    return say("not-reached" if parameter.grad is None else "of-another-loss", some=some)


def cuts_to(loss: Any, parameter: Any, name: str) -> list[Break]:
    """The lines that cut the way from a loss back to a parameter, where they are known."""
    program = Program.of(reader.frame())
    known = isinstance(loss, Tensor) and isinstance(parameter, Tensor)
    cuts = breaks_between(loss, parameter) if known else []
    cuts = cuts or breaks(program.routes(program.name_of(loss) or "", parameter, name))
    cuts = blamed(cut for cut in copied(cuts, True) if cut.certain and cut.do)
    lost = ended(parameter) if known and not cuts else []
    behind = leaves_behind(loss) if lost else ()
    kept = {each.place for leaf in behind for each in ended(leaf)}
    lost = [each for each in lost if each.place not in kept]  # else it ended no way of these
    certain = [cut for cut in lost if not cut.expected]
    return cuts or (lost if len(lost) == 1 else certain[:MOST_LOST])
