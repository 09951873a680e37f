"""``minigrad.checkup``: why a net does not learn, as one table of its parameters.

Only public doors are used (``named_parameters``, ``param_groups``, ``grad_fn``), so nets of PyTorch
are looked at in the same way. What a door does not tell is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from ..language import _
from . import reader
from .breaks import remedy
from .frozen import also_called, by_a_line, last_layer
from .given_none import given_none
from .made_anew import is_parameter, made_anew
from .misspelt import idle_flags, misspelt_among
from .noted import as_imported
from .operations import line_of_assignment
from .order import (
    is_emptied_somewhere,
    is_emptied_unseen,
    is_emptied_with_each_step,
    not_called,
    renamed,
    steps_without_gradients,
)
from .passes import counted, rounds
from .program import Program
from .recorded import emptied_at, runs_again
from .statements import BINDS
from .strangers import leaves_behind, repeated, strangers
from .unreached import (
    cuts_to,
    read_too_late,
    wasted_by_hooks,
    what_it_compares,
    what_made_it_bad,
    what_stops_it,
    where_a_path_breaks,
)

MOST = 3  #: names that one finding lists
SHOWN = 40  #: parameters of the table that are printed
HEADS = ("parameter", "asks", "in optimizer", "reached by loss", ".grad", "rounds added up")


@dataclass(frozen=True)
class Row:
    """What is known of one parameter; None where nobody can tell."""

    name: str
    asks: bool
    optimized: bool | None
    reached: bool | None
    grad: str
    rounds: int | None


def checkup(net: Any, optimizer: Any = None, loss: Any = None) -> Checkup:
    """Look at every parameter of a net: does it ask, is it stepped, is it reached, what came?

    Looking changes nothing. Nets, optimizers and losses of minigrad and of PyTorch are taken.

    Args:
        net: a module, with ``named_parameters()``.
        optimizer: what is to change the parameters; None leaves that column empty.
        loss: a result of the net, of any shape, whose graph is walked (also when it has been
            freed); None leaves that column empty.

    Raises:
        TypeError: ``net`` has no parameters to name, ``optimizer`` no groups, or ``loss`` no graph
            to walk.

    >>> import minigrad as mg
    >>> net = mg.nn.Linear(1, 1)
    >>> optimizer = mg.optim.SGD(net.parameters(), lr=0.1)
    >>> net.weight.requires_grad = False
    >>> print(mg.checkup(net, optimizer, net(mg.ones(1, 1))))
    Frozen (requires_grad is False): weight. Try: net.weight.requires_grad_(True), to let it learn.
    <BLANKLINE>
    parameter  asks  in optimizer  reached by loss  .grad
    weight     no    yes           no               None
    bias       yes   yes           yes              None
    """
    if not hasattr(net, "named_parameters"):
        kind = type(net).__name__
        raise TypeError(f"checkup() takes a module first, not {kind}: it asks named_parameters()")
    if optimizer is not None and not hasattr(optimizer, "param_groups"):
        kind = type(optimizer).__name__
        raise TypeError(f"checkup() takes an optimizer second, not {kind}")
    if loss is not None and not hasattr(loss, "grad_fn"):
        kind = type(loss).__name__
        raise TypeError(f"checkup() takes a tensor as loss, not {kind}: give it before item()")
    named = dict(net.named_parameters())
    stepped = None if optimizer is None else list(held_by(optimizer))
    reached = None if loss is None else {id(leaf) for leaf in leaves_behind(loss)}
    again = loss is not None and runs_again(loss)
    known = None if stepped is None else {id(tensor) for tensor in stepped}
    unseen = is_emptied_unseen(reader.frame())
    rows = [
        Row(
            name,
            tensor.requires_grad,
            None if known is None else id(tensor) in known,
            is_reached(tensor, reached, again),
            gradient_in_words(tensor.grad),
            None if unseen else rounds(tensor.grad),
        )
        for name, tensor in named.items()
    ]
    found = list(findings(net, rows, named, optimizer, loss)) or list(nothing_yet(rows, named))
    return Checkup(rows, found or [_("Nothing stands out."), *was_emptied(rows, named)])


def held_by(optimizer: Any) -> Iterator[Any]:
    """The tensors that an optimizer changes."""
    for group in optimizer.param_groups:
        yield from group["params"]


def is_reached(tensor: Any, reached: set[int] | None, computes_again: bool) -> bool | None:
    """Whether the graph leads to a tensor; None where a node that computes again may as well."""
    if reached is None:
        return None
    return id(tensor) in reached or (None if computes_again else False)


def gradient_in_words(grad: Any) -> str:
    """``None``, ``0``, ``nan``, ``inf``, or how large its largest element is."""
    if grad is None:
        return "None"
    values = grad.detach()
    if values.isnan().any():
        return "nan"
    if values.isinf().any():
        return "inf"
    largest = float(values.abs().max()) if values.numel() else 0.0
    return f"up to {largest:.3g}" if largest else "0"


# -- what stands out -------------------------------------------------------------------------------


def findings(net: Any, rows: list[Row], named: dict, optimizer: Any, loss: Any) -> Iterator[str]:
    """Sentences, the gravest first: what it is, and what to do."""
    yield from strangers(net, named)
    yield from repeated(net)
    program = Program.of(reader.frame())
    yield from not_called(program, ("backward", "step", "zero_grad"))
    yield from idle_flags(net, own_name_of(net), program)
    written = {as_written(net, name): tensor for name, tensor in named.items()}
    yield from misspelt_among(written, program)
    own = {id(tensor) for tensor in named.values()}
    groups = [] if optimizer is None else optimizer.param_groups
    others = [tensor for group in groups for tensor in group["params"] if id(tensor) not in own]
    behind = [] if loss is None else leaves_behind(loss)
    yield from made_anew(net, behind, own.union(map(id, others)))
    asking = [row for row in rows if row.asks]
    if some := names(row.name for row in rows if row.grad in ("nan", "inf")):
        said = what_made_it_bad(loss) or _("Try: ask explain(loss) which operation made it first.")
        yield _(
            "The gradient of {some} is not a number one can step by (nan or inf). {said}"
        ).format(some=some, said=said)
    elif said := what_it_compares(loss):
        yield said
    reached = {id(leaf) for leaf in behind}
    is_shared = any(id(tensor) in reached for tensor in others)  # with another net beside this
    if some := names(row.name for row in asking if row.optimized is False):
        do = _("make it from all of {net}.parameters(), and after the last change of the net.")
        if is_shared:
            do = _(
                '{optimizer}.add_param_group({{"params": {net}.parameters()}}), which keeps those '
                "of the other net."
            )
        is_other = not is_shared and others and not any(row.optimized for row in rows)
        later = made_later(own_name_of(net), own_name_of(optimizer), program) if is_other else ""
        if others and not is_shared:
            later = later or set_later([r.name for r in asking if r.optimized is False], program)
        yield _(
            "The optimizer does not know {some}, and a step changes only what it knows{later}. "
            "Try: {do}"
        ).format(
            some=some,
            later=later,
            do=do.format(net=own_name_of(net), optimizer=own_name_of(optimizer)),
        )
        others = [] if later else others
    if others and not is_shared:
        yield _(
            "The optimizer holds {others} tensors that are no parameters of this net, such as "
            "parameters that were replaced. Try: make it anew from {net}.parameters()."
        ).format(others=len(others), net=own_name_of(net))
    if stands := [group for group in groups if not group.get("lr", 1)]:
        yield _(
            "The learning rate of the optimizer is 0 for {some} of its tensors, so no step changes "
            'them. Try: print({optimizer}.param_groups[0]["lr"]) in each round, and see where it '
            "becomes 0: // and int() round small numbers down."
        ).format(
            some=sum(len(group["params"]) for group in stands), optimizer=own_name_of(optimizer)
        )
    if loss is not None and asking and all(row.reached is False for row in asking):
        count = sum(map(is_parameter, behind))
        said = " ".join(where_a_path_breaks(loss, named[asking[0].name], own_name_of(net), count))
        yield _("The loss does not lead back to any parameter. {said}").format(said=said)
    elif some := names(unreached := [row.name for row in asking if row.reached is False]):
        cuts = cuts_to(loss, named[unreached[0]], as_written(net, unreached[0]))
        if cuts:
            said, do = "; ".join(cut.said for cut in cuts), remedy(cuts)
            yield _(
                "The loss does not lead back to {some}. The way to {first} is cut: {said}. Try: "
                "{do}, if it is to learn."
            ).format(some=some, first=unreached[0], said=said, do=do)
        elif late := read_too_late(loss, named[unreached[0]], as_written(net, unreached[0])):
            yield _("The loss does not lead back to {some}. {late}").format(some=some, late=late)
        else:
            yield _(
                "The loss does not lead back to {some}: nothing recorded used it. Its result can "
                "have been cut off, as by detach() or no_grad, or it was not used at all. Try: "
                "look where forward() uses it; if nowhere, leave it out of the net."
            ).format(some=some)
    for row in asking:
        if row.reached and row.grad == "None":
            yield from given_none(loss, named[row.name], as_written(net, row.name))
    yield from map(as_imported, renamed(reader.frame()))
    yield from wasted_by_hooks(loss)
    if optimizer is not None:
        lines = emptied_lines(rows, named)
        is_empty = lines <= {None} and all(row.grad in ("None", "0") for row in asking)
        known = reader.frame(), own_name_of(optimizer), lines, is_empty
        yield from steps_without_gradients(*known)
    if frozen := [row for row in rows if not row.asks]:
        some = names(row.name for row in frozen)
        said = _("Frozen (requires_grad is False): {some}.")
        if any(row.optimized is not False for row in frozen):  # else that is meant
            first, some = as_written(net, frozen[0].name), some + by_a_line(reader.frame())
            twice = also_called(net, program) if len(frozen) == len(rows) else []
            if len(frozen) == len(rows):
                first = last_layer(own_name_of(net), net)
            said = _("{said} Try: {first}.requires_grad_(True), to let it learn.").format(
                said=said, some="{some}", first=first
            )
            if twice:
                said = f"{_('Frozen (requires_grad is False): {some}.')} {twice[0]} Try: {twice[1]}"
        yield said.format(some=some)
    flat = [row.name for row in asking if row.grad == "0" and row.reached is not False]
    if some := names(flat):
        said = _("The gradient of {some} is 0 everywhere.").format(some=some)
        yield f"{said} {' '.join(what_stops_it(loss, named[flat[0]], as_written(net, flat[0])))}"
    added = [row for row in asking if (row.rounds or 0) > 1 and row.optimized is not False]
    known = own_name_of(optimizer), own_name_of(net)
    is_meant = optimizer is not None and is_emptied_with_each_step(reader.frame(), *known)
    if not is_meant and (some := names(row.name for row in added)):
        most = max(row.rounds or 0 for row in added)
        said = _("The .grad of {some} adds up {most} backward passes.")
        if not is_emptied_somewhere(reader.frame()):  # else some may be meant to be added up
            said = _(
                "{said} Try: {optimizer}.zero_grad() before each backward(), unless adding up is "
                "what you want."
            ).format(said=said, some="{some}", most="{most}", optimizer=known[0])
        yield said.format(some=some, most=counted(most))


def made_later(net: str, optimizer: str, program: Program) -> str:
    """That a net got its name below the line that made its optimizer, if so; else empty."""
    at, before = (program.last(each, kinds=(BINDS,)) for each in (net, optimizer))
    lines = program.sure_line(at), program.sure_line(before)
    if at <= before or None in lines:
        return ""
    return _(": {net} is another net ({line}) than the one it was made for ({before})").format(
        net=net, line=lines[0], before=lines[1]
    )


def set_later(unknown: list[str], program: Program) -> str:
    """The only line that sets the layers of these parameters from outside of their net."""
    owners = {name.partition(".")[0] for name in unknown if "." in name}

    def is_meant(target: Any, _value: Any) -> bool:
        whole = getattr(target, "value", None)
        is_outside = isinstance(whole, ast.Name) and whole.id != "self"
        return is_outside and isinstance(target, ast.Attribute) and {target.attr} == owners

    line = line_of_assignment(program, is_meant)
    return _(": they come from {line}").format(line=line) if line else ""


def nothing_yet(rows: list[Row], named: dict) -> Iterator[str]:
    """That no pass has ever filled what the loss leads to and the optimizer would step."""
    waiting = all(row.reached and row.optimized and row.grad == "None" for row in rows)
    if rows and waiting and not any(map(emptied_at, named.values())):
        yield _("No .grad is filled now: backward() fills them, and comes before optimizer.step().")


def was_emptied(rows: list[Row], named: dict) -> Iterator[str]:
    """Where gradients were emptied, if none has come since, so that nobody misses a backward()."""
    lines = emptied_lines(rows, named)
    if len(lines) == 1 and None not in lines:
        yield _(
            "No .grad is filled now, because they were emptied since the last pass ({line})."
        ).format(line=lines.pop())


def emptied_lines(rows: list[Row], named: dict) -> set[str | None]:
    """The lines that emptied the gradients; None among them, if one was not emptied last."""
    return {emptied_at(named[row.name]) for row in rows if row.asks}


def as_written(net: Any, parameter: str) -> str:
    """A parameter as a program gets at it: ``net[0].weight`` of ``0.weight``."""
    return own_name_of(net) + re.sub(r"\.(\d+)", r"[\1]", f".{parameter}")


def own_name_of(thing: Any) -> str:
    """What the reader calls a net or an optimizer."""
    otherwise = "optimizer" if hasattr(thing, "param_groups") else "net"
    return reader.name_among(reader.variables(), lambda each: each is thing) or otherwise


def names(found: Iterable[str]) -> str:
    """A few names in words, and how many more there are."""
    found = list(found)
    shown = ", ".join(found[:MOST])
    more = len(found) - MOST
    return _("{shown} and {more} more").format(shown=shown, more=more) if more > 0 else shown


# -- the table -------------------------------------------------------------------------------------


class Checkup:
    """What stands out, as sentences in ``findings``, and a ``Row`` for each parameter in ``rows``.

    It prints as text, and in a notebook as a table.
    """

    def __init__(self, rows: list[Row], findings: list[str]):
        self.rows = rows
        self.findings = findings

    def table(self) -> list[tuple[str, ...]]:
        """The head and a line for each parameter, without the columns of which nothing is known."""
        lines = [HEADS, *(in_words(row) for row in self.rows)]
        told = [at for at, head in enumerate(HEADS) if any(line[at] for line in lines[1:])]
        return [tuple(line[at] for at in told) for line in lines] if self.rows else []

    def __str__(self) -> str:
        table = self.table()
        widths = [max(map(len, column)) for column in zip(*table[: SHOWN + 1])]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
            for line in table[: SHOWN + 1]
        ]
        return "\n".join([*self.findings, "", *lines, *self._rest()]).rstrip()

    __repr__ = __str__

    def _rest(self) -> list[str]:
        more = len(self.rows) - SHOWN
        return [_("… and {more} more parameters in .rows").format(more=more)] if more > 0 else []

    def _repr_html_(self) -> str:
        first, *others = self.findings
        head, *lines = self.table() or [()]
        heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
        body = "".join(
            f'<tr><th scope="row">{escape(line[0])}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in line[1:])
            + "</tr>"
            for line in lines[:SHOWN]
        )
        said = "".join(f"<p>{escape(each)}</p>" for each in [*others, *self._rest()])
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        return f"<p><b>{escape(first)}</b></p>{said}{table if lines else ''}"


def in_words(row: Row) -> tuple[str, ...]:
    """A row as it is printed; empty where nobody can tell."""
    said = {True: _("yes"), False: _("no"), None: ""}
    cells = (said[row.asks], said[row.optimized], said[row.reached])
    return (row.name, *cells, row.grad, "" if row.rounds is None else counted(row.rounds))
