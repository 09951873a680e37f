"""What stands out in a net, its optimizer and its loss: one finding after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ...extras.recorded_cuts import cuts_of
from ...tensor import Tensor
from ..gradients.custom_backwards import given_none, idle_methods
from ..gradients.frozen import also_called, froze, thawed, thawed_again, thawed_since
from ..gradients.idle_hooks import hooks_of_unused, hooks_that_read_too_early
from ..gradients.misspelt import idle_flags, misspelt_among
from ..gradients.passes import counted, starts_anew, zeroed_at
from ..gradients.results_of_leaf import from_user, users_of
from ..gradients.zero_gradient import ALWAYS
from ..graph import nan_and_inf
from ..graph.bounds import largest_of
from ..graph.nodes import leaves_behind
from ..graph.recorded import emptied_at, last_pass
from ..not_finite.bad_data import is_bad
from ..not_finite.wrong_numbers import besides, never_emptied
from ..program.program import Program
from ..program.training_loop import is_emptied_with_each_step as is_emptied
from ..program.training_loop import not_called, steps_without_gradients, without_a_pass
from ..source import reader
from ..source.line_order import is_above
from ..source.variables import held, is_parameter, parameters_of, stepped_by
from ..training.collapsed import alike_rows
from ..training.exploded import exploded
from ..training.learning_rates import of_rates
from ..training.lost_derivatives import lost_derivatives
from ..training.made_in_each_round import gone_through, made_each_round
from ..training.order_of_calls import late_clips
from ..training.steps_without_effect import held_before, unknown_to_optimizers
from ..training.unchanged import unchanged
from ..training.unregistered import (
    held_unregistered,
    made_anew,
    repeated,
    unregistered_parts,
)
from ..words.sentences import is_guess, say, tell
from .another_net import another_net
from .made_of_another import made_of_another
from .of_optimizers import of_the_optimizer, replaced_by_methods
from .parameter_table import Row, names
from .unreached import (
    cut_besides,
    not_reached,
    wasted_behind,
    what_hinders,
    what_made_it_bad,
    what_stops_it,
    where_a_path_breaks,
)

TINY = 1e-5  #: gradients below it are those of a net that has been trained


class Checked:
    """A net, an optimizer and a loss, of which the last two may be None; and what is known.

    Attributes:
        named: the parameters of the net, each by its path in it.
        rows: what is known of each, in the same order.
        unseen: whether a line empties gradients in a way that nobody can count.
    """

    def __init__(self, net: Any, optimizer: Any, loss: Any, rows: list[Row], unseen: bool):
        self.net, self.optimizer, self.loss = net, optimizer, loss
        self.rows, self.unseen = rows, unseen
        self.named = dict(net.named_parameters())
        self.asking = [row for row in rows if row.asks]
        self.groups = [] if optimizer is None else optimizer.param_groups
        self.own = own_name_of(net)
        self.its = self.own if optimizer is None else own_name_of(optimizer)
        self.program = Program.of(reader.frame())

    @cached_property
    def behind(self) -> list[Any]:
        """The leaves behind the loss; asked for late, because a list of them holds them."""
        return [] if self.loss is None else leaves_behind(self.loss)

    @cached_property
    def hinders(self) -> str:
        """What keeps the net from learning well, as the loss tells it."""
        return what_hinders(self.result, self.program)

    @cached_property
    def led_to_zeros(self) -> list[str]:
        """What led to gradients of 0: passes that pile up, also in others; a part cut off."""
        if not isinstance(self.result, Tensor):
            return []
        of = self.result, self.program
        return [*never_emptied(*of)] or [*lost_derivatives(*of)]

    @cached_property
    def is_thrown_off(self) -> bool:
        """Whether steps that were too long are why a relu lets nothing through."""
        return isinstance(self.result, Tensor) and bool([*exploded(self.result, self.program)])

    @cached_property
    def wasted(self) -> list[str]:
        """What backward passes of the loss compute and throw away, or never read."""
        return [*wasted_behind(self.result)]

    @cached_property
    def bad(self) -> list[Row]:
        """The parameters whose gradients are no numbers."""
        return [row for row in self.rows if row.grad in ("nan", "inf")]

    @cached_property
    def result(self) -> Any:
        """The loss; where none was given, a number of the reader's that comes of a parameter."""
        leaf = next(iter(self.named.values()), None) if self.loss is None else None
        users = users_of(leaf, self.program) if isinstance(leaf, Tensor) else {}
        return next((each for each in users.values() if each.numel() == 1), self.loss)

    @cached_property
    def passed(self) -> Any:
        """What the last pass started at, where that is another loss; else the loss itself.

        Another one has other leaves behind it: one with the same may be computed anew.
        """
        lines = {last_pass(self.named[row.name]) for row in self.asking if row.rounds}
        name = re.search(r"`(\w+)\.backward\(", lines.pop() or "") if len(lines) == 1 else None
        last = self.program.variables.get(name[1]) if name else None
        if not isinstance(last, Tensor) or not isinstance(self.loss, Tensor):
            return self.loss
        return self.loss if {*map(id, leaves_behind(last))} == {*map(id, self.behind)} else last

    @cached_property
    def others(self) -> list[Any]:
        """What the optimizer holds that is no parameter of this net."""
        own = {id(tensor) for tensor in self.named.values()}
        return [tensor for tensor in stepped_by(self.optimizer) if id(tensor) not in own]

    @cached_property
    def is_shared(self) -> bool:
        """Whether the loss is of another net as well, which the optimizer holds beside this one."""
        reached = {id(leaf) for leaf in self.behind}
        return any(id(tensor) in reached for tensor in self.others)

    def written(self, parameter: str) -> str:
        """A parameter as a program gets at it: ``net[0].weight`` of ``0.weight``."""
        return reader.at(self.own, parameter)

    def first(self, rows: list[Row]) -> tuple[Any, str]:
        """The parameter of the first of some rows, and how a program gets at it."""
        return self.named[rows[0].name], self.written(rows[0].name)


def own_name_of(thing: Any) -> str:
    """What the reader calls a net or an optimizer."""
    otherwise = "optimizer" if hasattr(thing, "param_groups") else "net"
    otherwise = f"this_{otherwise}" if otherwise in reader.variables() else otherwise
    paths = (each.path for each in held(reader.variables()) if each.thing is thing)
    return next(paths, otherwise)


def findings(checked: Checked) -> Iterator[str]:
    """Sentences, the gravest first: what it is, and what to do."""
    net, program = checked.net, checked.program
    yield from unregistered_parts(net, checked.named)
    yield from repeated(net)
    yield from not_called(program, ("backward", "step", "zero_grad"))
    if over := " ".join(gone_through(program)):  # then steps and zeros came to nothing
        yield over
        return
    yield from idle_flags(net, checked.own, program)
    written = {checked.written(name): tensor for name, tensor in checked.named.items()}
    yield from misspelt_among(written, program)
    yield from filter(None, [" ".join(another_net(net, program))])
    known = {id(tensor) for tensor in [*checked.named.values(), *checked.others]}
    yield from made_anew(net, checked.behind, known)
    yield from filter(None, [" ".join(held_before(checked.behind, program))])
    yield from checked.wasted
    yield from bad_numbers(checked)
    if replaced := [*replaced_by_methods(checked)]:
        yield from replaced
    else:
        yield from of_the_optimizer(checked)
        yield from not_led_to(checked)
    yield from nothing_came(checked)
    known |= {id(e) for each in held(program.variables) for _, e in parameters_of(each.thing)}
    known |= held_unregistered(net)  # of which it was told first
    ones = {id(e) for e in checked.behind if e.numel() == 1 or is_parameter(e)} - known
    for own, leaf in program.variables.items() if checked.optimizer is not None else ():
        if id(leaf) in ones and leaf is not checked.loss:
            yield from filter(None, [" ".join(unknown_to_optimizers(leaf, own, program))])
    is_empty = all(row.grad in ("None", "0") for row in checked.asking)
    if checked.optimizer is not None:
        lines, its = emptied_lines(checked), (checked.optimizer, checked.its, program)
        known = lines, lines <= {None} and is_empty
        missing = [*without_a_pass(program.name_of(checked.loss), *its[1:])] if known[1] else []
        yield from missing or steps_without_gradients(reader.frame(), checked.its, *known)
        for said in (*of_rates(*its), made_each_round(net, *its)):
            yield from filter(None, [" ".join(said)])
    its_name = "" if checked.optimizer is None else checked.its
    yield from thawed_since(checked.named.values(), program)
    yield from filter(None, [" ".join(unchanged(checked.named.values(), its_name, program))])
    yield from frozen(checked)
    flat = [row for row in checked.asking if row.grad == "0" and row.reached is not False]
    flat = [row for row in flat if zeroed_at(checked.named[row.name]) is None]
    if flat and not (is_empty and checked.unseen) and not checked.is_thrown_off:
        is_known = isinstance(checked.result, Tensor)
        alike = [*alike_rows(checked.result, program)] if is_known else []
        yield from alike or zeros(checked, flat)
    yield from added_up(checked)
    for name, tensor in checked.named.items():
        if isinstance(tensor, Tensor) and (said := [*hooks_that_read_too_early(tensor, name)]):
            yield " ".join(said)
            break
    yield from filter(None, [" ".join(idle_methods(net.modules(), program.frame))])
    yield from hooks_of_unused(net, program.frame)
    yield from made_of_another(checked.named)


def bad_numbers(checked: Checked) -> Iterator[str]:
    """Gradients of nan or inf; or a loss that compares each output with every target."""
    if checked.bad:
        said = what_made_it_bad(checked.result) or what_made_it_bad(checked.passed)
        if not said and not checked.wasted:
            said = " ".join(late_clips(checked.program)) or say("ask-which")
        yield say("not-a-number", some=names(checked.bad), said=said).rstrip()
        return
    result, name = checked.result, checked.program.name_of(checked.result) or "the loss"
    said = what_made_it_bad(result) if is_bad(result) else ""
    values = [] if result is None else nan_and_inf.values(result, name, checked.program)
    if said := said or checked.hinders or " ".join(values):
        yield said


def not_led_to(checked: Checked) -> Iterator[str]:
    """That a loss leads back to no parameter, or not to all, and what cuts the way."""
    missed = [row for row in checked.asking if row.reached is False]
    if not missed:
        return
    parameter, written = checked.first(missed)
    if len(missed) == len(checked.asking):
        count = sum(map(is_parameter, checked.behind))
        said = [*where_a_path_breaks(checked.loss, parameter, checked.own, count)]
        besides = cut_besides(
            checked.loss, parameter, {r.name: checked.named[r.name] for r in missed}
        )
        said += [besides] * bool(besides)
        made = [leaf for leaf in checked.behind if not is_parameter(leaf)]
        if any(cut.leaves for leaf in made for cut in cuts_of(leaf)):
            said.append(say("asks-in-vain"))  # a result that was cut was made a leaf
        yield say("leads-nowhere", said=" ".join(said))
    else:
        first = missed[0].name, parameter, written
        yield not_reached(checked.loss, names(missed), *first)


def nothing_came(checked: Checked) -> Iterator[str]:
    """That a loss leads back to a parameter whose gradient is None while others are filled."""
    missed = [row for row in checked.asking if row.reached and row.grad == "None"]
    told = [(row, " ".join(given_none(checked.loss, *checked.first([row])))) for row in missed]
    yield from (said for _, said in told if said)
    rest = [row for row, said in told if not said and row.optimized is not False]
    if rest and any(row.grad != "None" for row in checked.asking if row.reached):
        leaf, name = checked.first(rest)
        own = checked.program.name_of(checked.loss) or "the loss"
        line = emptied_at(leaf)
        said = [tell("emptied-since", name=name, line=line)] if line else []
        if not said and isinstance(checked.loss, Tensor):
            said = [*from_user(own, checked.loss, leaf, name)]
        said = said or [tell("none-beside-others", name=name, user=own)]
        more = [tell("none-as-well", some=names(rest[1:]))] if rest[1:] else []
        yield " ".join([*said, *more])


def emptied_lines(checked: Checked) -> set[str | None]:
    """The lines that emptied the gradients; None among them, if one was not emptied last."""
    asking = [checked.named[row.name] for row in checked.asking]
    return {emptied_at(leaf) or zeroed_at(leaf) for leaf in asking}


def of_another(checked: Checked) -> Iterator[str]:
    """That a pass of another loss alone has filled the gradients."""
    its = [checked.named[row.name] for row in checked.asking if row.rounds == 1]
    if checked.passed is not checked.loss and len(its) == len(checked.asking):
        own = checked.program.name_of(checked.loss) or "this loss"
        yield say("of-another-pass", line=last_pass(its[0]), loss=own)


def frozen(checked: Checked) -> Iterator[str]:
    """Parameters that ask for no gradients; that is meant of those that nobody steps.

    It may be meant of whole layers beside others that learn; and those that the loss leads back to
    were frozen below it, as in turns.
    """
    rows = [row for row in checked.rows if not row.asks and not row.reached]
    if not rows:
        return
    if all(row.optimized is False for row in rows):
        yield say("frozen", some=names(rows))
        return
    if moved := moved_on(checked):
        some = names(moved) + froze([checked.first([e])[::-1] for e in moved], checked.program)
        yield say("moves-on", some=some, its=checked.its)
        return
    some = names(rows) + froze([checked.first([e])[::-1] for e in rows], checked.program)
    said, is_all = say("frozen", some=some), rows == checked.rows
    if is_all and (twice := also_called(checked.net, checked.program)):
        yield f"{said} {twice[0]} Try: {twice[1]}"
    elif is_all:
        is_cut_off = not any(row.reached or row.grad != "None" for row in rows)
        again = thawed_again(checked.program) if is_cut_off else ""
        held = [row.name for row in rows if row.optimized]
        is_part = 0 < len(held) < len(rows)
        paths = held if is_part else [rows[-1].name]
        yield f"{said} Try: {again or thawed(checked.own, paths, are_held=is_part)}."
    else:
        layers = {row.name.rpartition(".")[0] for row in rows}
        is_part = any(row.name.rpartition(".")[0] in layers for row in checked.asking)
        first = checked.written(rows[0].name)
        yield f"{said} {say('thaw' if is_part else 'thaw-if-meant', first=first)}"


def moved_on(checked: Checked) -> list[Row]:
    """The frozen parameters that steps change without a gradient: by momentum, or a weight decay.

    The loss was computed with them frozen, and a step stands below its pass; where a net is frozen
    and thawed in turns, its own steps may all come before.
    """
    reached = [row for row in checked.asking if row.reached is not False and row.optimized]
    learning = [checked.named[row.name] for row in reached]
    if not any(map(is_stepped_below_its_pass, learning)):
        return []
    held = ((leaf, group) for group in checked.groups for leaf in group["params"])
    moved = {id(leaf) for leaf, group in held if goes_on(leaf, group, checked.optimizer)}
    frozen = [row for row in checked.rows if not row.asks and not row.reached]
    return [row for row in frozen if row.grad == "0" and id(checked.named[row.name]) in moved]


def is_stepped_below_its_pass(leaf: Tensor) -> bool:
    """Whether what wrote to a leaf last stands below the last pass that filled its ``.grad``."""
    filled = last_pass(leaf) if isinstance(leaf, Tensor) else None  # nothing is known of others
    writers = leaf._counter.writers[-1:] if filled and leaf._counter else ()
    return any(is_above(filled, reader.spoken(each)) for each in writers if each)


def goes_on(leaf: Tensor, group: dict[str, Any], optimizer: Any) -> bool:
    """Whether a step changes a leaf whose gradient is 0."""
    state = optimizer.state.get(leaf) or {}
    kept = [state.get(each) for each in ("momentum_buffer", "exp_avg")]
    kept += [leaf] if group.get("weight_decay") else []
    return any(largest_of(each) > 0 for each in kept if each is not None)


def zeros(checked: Checked, flat: list[Row]) -> Iterator[str]:
    """Gradients of 0, those of one cause together; what helps several is said of the last."""
    causes: dict[tuple[str, ...], list[Row]] = {}
    for row in flat:
        said = what_stops_it(checked.passed, checked.named[row.name])
        causes.setdefault((*said,), []).append(row)
    waiting = [each for said in causes for each in said[-1:]]
    rest = at_rest(checked)
    led = [each for each in checked.led_to_zeros if each not in checked.hinders]
    if checked.hinders or any(causes):
        causes.pop((), None)  # that tells it already, or the table does
    if checked.hinders:
        causes = {
            said: rows
            for said, rows in causes.items()
            if not is_guess(said[0]) and said[0] not in checked.hinders
        }
    for said, rows in causes.items():
        waiting = waiting[len(said[-1:]) :]
        kept = besides([each for each in said if each not in waiting], [checked.hinders])
        if not said:
            name = checked.written(rows[0].name)
            own = checked.program.name_of(checked.passed) or "loss"
            kept = [rest or say("flat-here", loss=own, name=name)]
        kept = kept if any(ALWAYS in each for each in said) else led or kept
        yield say("zero", some=names(rows), said=" ".join(kept))


def at_rest(checked: Checked) -> str:
    """That what comes to the parameters is nearly 0, and not 0 alone, as at a minimum."""
    grads = [checked.named[row.name].grad for row in checked.asking]
    most = max((largest_of(grad) for grad in grads if grad is not None), default=0)
    return say("at-rest", most=most) if 0 < most < TINY else ""


def added_up(checked: Checked) -> Iterator[str]:
    """Gradients that hold more than one pass, where no line shows that this is meant."""
    added = [r for r in checked.asking if (r.rounds or 0) > 1 and r.optimized is not False]
    known = checked.its, checked.own
    is_meant = checked.optimizer is not None and is_emptied(reader.frame(), *known)
    if added:
        most = counted(max(row.rounds for row in added))
        said = say("added-up", some=names(added), most=most)
        leaf, name = checked.first(added)
        told = [*starts_anew(said, leaf, name, checked.its, checked.program)]
        if not is_meant or told[2:]:  # what empties it runs in some rounds only
            yield " ".join(told)
