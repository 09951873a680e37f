"""The reader's own lines: how one name was computed from another, and what was lost on the way.

``b = a.detach()`` leaves no trace in ``b``, but the line is still there to be read. A
:class:`Program` is the assignments that stand above the line that asks; following them backwards
from ``y`` gives the :class:`Cut` s on each route to ``x``. A call of the reader's own function or
module is followed into its lines. Lines are read, not run again: what stands in a branch is told
with an "if".
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from inspect import isgeneratorfunction
from types import CodeType, FrameType, FunctionType
from typing import Any

from ...extras.recorded_cuts import LINES, MOST_LINES
from ...tensor import Tensor
from ..source import prompt, reader
from ..source.called import function_called, outer_names, parameters_taken, thing_called
from ..source.syntax import given_to, parts_in, root
from ..source.texts import definition_of, readable
from ..source.variables import held, is_module, is_parameter
from ..words.answer import Shown
from .breaks import Cut
from .cuts import ENDS_THERE, Loss, switches_off
from .reading import Reading
from .statements import ANY, ASKS, BINDS, RESULT, WRITES, line_in, part_of, together
from .steps import hands_over_otherwise, in_question, is_path

GOAL = "(what is asked about)"  # inside of functions that have it under a name of their own
TO_CHANGE_A_LEAF = "To change a leaf itself, write `{0} -= ...` inside `with torch.no_grad():`."
EMPTY_IT = "Then `{0}.grad = None`, because the next backward() adds to what .grad holds."


@dataclass
class Program(Reading):
    """A program that was read, and what its names were computed from.

    ``within`` are the functions that are being followed, where these statements are of the last.
    """

    within: tuple[CodeType, ...] = ()
    goal: Any = None  # the tensor whose uses are being followed
    part: ast.expr | None = None  # `f()[1]`, where the goal is that item of what a call gives
    reaching: dict[tuple[int, str], set[str]] = field(default_factory=dict)
    meant: dict[str, Any] = field(default_factory=dict)  # what is asked about, by what it is called
    shown: Shown = field(default_factory=Shown)
    frame: FrameType | None = None  # where the question was asked
    ends: dict[int, set[tuple[str, int]] | None] = field(default_factory=dict)  # of leaves, by id
    rounds: int = 0  # whether lines count that ran in an earlier round: 1 inside functions, 2 all
    graph: Any = None  # what is known of the nodes behind the variables, once somebody asked

    @classmethod
    def of(cls, frame: FrameType | None, failed: int = 0) -> Program:
        """The program that runs in ``frame``; lines that cannot be read are left out.

        ``failed`` is the line at which it ended in an error: what that line was to bind, it did
        not, unless it had run before in a loop.
        """
        if frame is None:
            return cls()
        program = cls(reader.variables_of(frame))
        program.cutting, program.frame = lines_that_cut(frame), frame
        own = reader.file_name(frame.f_code.co_filename)
        for source, tree in readable(frame):
            program.failed = failed if source.name == own else 0
            program.running = frame.f_lineno if source.name == own else 0
            program.read(tree.body, source, None)
        program.asked = in_question(tree, source, (frame.f_code, frame.f_lasti))
        if prompt.is_typed(frame.f_code.co_filename):
            for name in prompt.names_bound():  # no line of the file says what they mean now
                program.places.pop(name, None)
        return program

    def name_of(self, tensor: Any) -> str | None:
        """The reader's name of a tensor; rather none that a loop has left with its last turn."""
        known = {own: thing for own, thing in self.variables.items() if own not in self.turning}
        names = (reader.name_among(each, lambda t: t is tensor) for each in (known, self.variables))
        return next(filter(None, names), None)

    def name_of_argument(self, tensor: Any, number: int) -> str | None:
        """The name of what was asked about: where it has none, the expression in the question."""
        asked = self.asked[number].target if number < len(self.asked) else ""
        if asked == "" or self.variables.get(asked) is tensor:
            return asked or self.name_of(tensor)
        known = self.name_of(tensor)
        is_one = known in self.variables or is_parameter(tensor)
        if known is not None and (is_one or asked[0] == "("):  # of several, or of a call
            is_another = asked in self.variables  # as of grad(y, x), where x is meant
            return asked if is_path(asked) and not is_another else known
        self.meant[self.asked[number].target] = tensor
        self.add(self.asked[number])
        return self.asked[number].target

    # -- following ---------------------------------------------------------------------------------

    def routes(self, start: str, goal: Any, name: str) -> list[tuple[Cut, ...]]:
        """The cuts on each way back from ``start`` to a use of the tensor ``goal`` of this name."""
        self.goal, ends = goal, self.ends_of(goal)
        self.part = getattr(self.step(name, kinds=(BINDS,)), "value", None)
        names, found = self.names_that_reach(goal, name), []
        for self.rounds in range(3):  # beside a whole way, one of a function's rounds may be cut
            found = found * (() not in found or self.rounds > 1) or [
                cuts
                for used, at, cuts in self.ingredients(start)
                if used in names and self.is_present(used, at)
                if not cuts or cuts[-1].has_ended(ends)
            ]
        self.goal, self.rounds = None, 0
        return found

    def ends_of(self, leaf: Any) -> set[tuple[str, int]] | None:
        """The lines at which a history that led to a leaf has ended; None where nobody knows."""
        if id(leaf) not in self.ends:
            self.ends[id(leaf)] = lines_that_cut(self.frame, leaf)
        return self.ends[id(leaf)]

    def names_that_reach(self, tensor: Any, name: str) -> set[str]:
        """The names of a tensor, of modules that hold it, and what a question takes it from."""
        if (id(tensor), name) in self.reaching:
            return self.reaching[id(tensor), name]
        names = {root(step.value) or name for step in self.asked if step.target == name} | {GOAL}
        others = {own: thing for own, thing in self.variables.items() if thing is not tensor}
        names |= {each.root for each in reader.held(others) if each.thing is tensor}
        for own, thing in self.variables.items():
            if thing is tensor or any(each is tensor for _, each in reader.parameters_of(thing)):
                names.add(own)
        self.reaching[id(tensor), name] = names
        return names

    def used_earlier_value(self, start: str, name: str) -> bool:
        """Whether ``start`` was computed from what ``name`` meant before it was assigned again."""
        uses = [at for used, at, _ in self.ingredients(start) if used == name]
        known = {self.is_present(name, at) for at in uses}
        return False in known and (start == name or True not in known)

    def is_updated(self, name: str) -> bool:
        """Whether a step was taken from its earlier value, as ``w = w - 0.1 * g`` does."""
        value = getattr(self.step(name, kinds=(BINDS,)), "value", None)
        subtracts = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub)
        return subtracts and self.used_earlier_value(name, name)

    def parts_of(self, name: str) -> set[str]:
        """The other names that ``name`` was computed from."""
        return {used for used, _, _ in self.ingredients(name)} - {name}

    def is_present(self, name: str, at: int) -> bool:
        """Whether ``name`` meant the same tensor at step ``at`` as it does now."""
        return self.last(name, at, (BINDS,)) == self.last(name, kinds=(BINDS,))

    def is_goal(self, name: str, at: int) -> bool:
        """Whether a name meant what is being looked for at step ``at``."""
        return self.variables.get(name, self) is self.goal and self.is_present(name, at)

    def ingredients(self, start: str) -> Iterator[tuple[str, int, tuple[Cut, ...]]]:
        """Each name ``start`` was computed from, the step that used it, and the cuts between.

        With `rounds`, also by lines further down that ran in an earlier round of their loop.
        """
        seen: set[tuple] = set()
        waiting: list[tuple] = [(0, 0, start, None, ())]
        number = itertools.count(1)
        while waiting:  # the ways with the fewest cuts first
            _, _, name, before, cuts = heappop(waiting)
            at, key = self.last(name, before), getattr(name, "key", None)
            is_again = before is not None and self.rounds > (not self.within)
            for first, end in self.loops if is_again else ():
                if first <= before < end and self.last(name, end) >= before:
                    heappush(waiting, (len(cuts), next(number), name, end, cuts))
            is_cut = any(not cut.loss.expected for cut in cuts)
            is_meant = all(cut.loss in ENDS_THERE for cut in cuts)
            arrived = at, key, bool(cuts) and (cuts[-1].line, cuts[-1].number), is_cut, is_meant
            if at < 0 or arrived in seen:
                continue
            seen.add(arrived)
            step = self.steps[at]
            if step.kind is WRITES and self.is_goal(name, at):
                continue  # what a leaf is stepped by is no way to it
            for used, lost in step.uses(self.inside, key):
                further = (*cuts, *(each for each in lost if self.is_off(each.loss.unless)))
                yield used, at, further
                heappush(waiting, (len(further), next(number), used, at, further))
            if step.branch:  # where it did not run, an earlier one counts
                heappush(waiting, (len(cuts), next(number), name, at, cuts))

    # -- inside the reader's functions -------------------------------------------------------------

    def inside(
        self, call: ast.Call, keys: tuple = ()
    ) -> list[tuple[ast.expr, tuple[Loss | Cut, ...]]] | None:
        """What the result of a call is computed from, and what was lost inside; None if unread.

        Where ``keys`` are given, it is the part of the result at that place alone, or the part of
        that, where a generator gives one after the other.
        """
        called = function_called(call, self.variables)
        gives_many = called is not None and isgeneratorfunction(called[0])
        key = next((key for key in keys[gives_many : gives_many + 1] if key is not ANY), None)
        entered = None if called is None else self.entered(*called, key)
        if entered is None:
            return self.past_other_modules(call)
        (_, given), (inner, around) = called, entered
        parts = []
        for used, key, cuts in inner.origins(RESULT):
            thing = inner.variables.get(used, inner)
            if is_module(thing) and not any(
                isinstance(e.thing, Tensor) for e in held({"m": thing})
            ):
                continue  # it gives numbers and functions, no values with a history
            is_ours = thing is self.variables.get(used, self)
            used = GOAL if thing is self.goal is not None and not is_ours else used
            things = given.get(used, [ast.Name(used)] if is_ours or used == GOAL else [])
            things = things if key is None else [part_of(thing, key) for thing in things]
            cuts = around + tuple(self.decided(cuts, call, *called))
            parts += [(thing, cuts) for thing in things]
        match self.part:  # another item of the same result can be computed from the goal
            case ast.Subscript(whole, ast.Constant(own)) if whole is call:
                steps = self.entered(*called, own)[0].steps
                ends = [each.value.elts[1] for each in steps if each.target == RESULT]
                goals = {each.id for each in ends if isinstance(each, ast.Name)}
                uses = [e for e in inner.ingredients(RESULT) if e[0] in goals]
                uses = [cuts for used, at, cuts in uses if inner.is_present(used, at)]
                parts += [(ast.Name(GOAL), around + cuts) for cuts in uses]
        return parts

    def is_off(self, name: str) -> bool:
        """Whether a variable that lets a line keep a history is false, or is decided outside."""
        return not name or bool(self.within) or self.variables.get(name) is False

    def decided(
        self, cuts: tuple[Cut, ...], call: ast.Call, function: FunctionType, given: dict
    ) -> Iterator[Cut]:
        """The cuts inside of a function, without those that the call has switched off.

        Where a parameter decides, and is false there, the call is what cuts.
        """
        for cut in cuts:
            name = cut.loss.unless
            default = getattr(parameters_taken(function).get(name), "default", None)
            match [*given.get(name, ()), ast.Constant(default)][0]:
                case _ if not name:
                    yield cut
                case ast.Name(own):
                    yield replace(cut, loss=replace(cut.loss, unless=own))
                case ast.Constant(False):
                    loss = replace(cut.loss, do=f"pass {name}=True", unless="")
                    steps = (e for e in self.steps if call in parts_in(e.value))
                    yield from [e.cut(loss, line_in(call)) for e in steps][:1] or [cut]

    def past_other_modules(self, call: ast.Call) -> list[tuple[ast.expr, tuple]] | None:
        """What a module is given, where the goal of a route is none of its parameters."""
        thing = thing_called(call.func, self.variables)
        parameters = [held for _, held in reader.parameters_of(thing)]
        if self.goal is None or not parameters or any(held is self.goal for held in parameters):
            return None
        return [(given, ()) for given in given_to(call)]

    def entered(
        self, function: FunctionType, given: dict, key: Any = None
    ) -> tuple[Program, tuple] | None:
        """The lines of a function, and what its decorators take away; None if they can't be read.

        ``given`` are the expressions that its parameters stand for, ``key`` is as above.
        """
        code = function.__code__
        if code in self.within:
            return None
        source, node = definition_of(function)
        if source is None or hands_over_otherwise(node):
            return None
        is_lambda = isinstance(node, ast.Lambda)
        body = [ast.copy_location(ast.Return(node.body), node.body)] if is_lambda else node.body
        known = {
            name: thing_called(each[0], self.variables) for name, each in given.items() if each
        }
        inner = Program(
            outer_names(function) | known,
            within=(*self.within, code),
            goal=self.goal,
            cutting=self.cutting,
            rounds=self.rounds,
        )
        inner.read(body, source, None)
        for step in inner.steps if key is not None else ():
            if step.target == RESULT:
                step.value = together(ast.Name(RESULT), part_of(step.value.elts[1], key))
        decorators = [] if is_lambda else node.decorator_list
        off = [(switches_off(each), source.spoken(each.lineno)) for each in decorators]
        return inner, tuple([Cut(decorated(code.co_name, o), line) for o, line in off if o])

    def origins(self, start: str) -> dict[tuple[str, Any, tuple[Cut, ...]], None]:
        """The names from outside that ``start`` was computed from, each with the cuts between.

        Where it was one item of what a name stands for, that comes second, else None.
        """
        uses = self.ingredients(start)
        return dict.fromkeys(
            (str(used), getattr(used, "key", None), cuts)
            for used, at, cuts in uses
            if self.last(used, at) < 0
        )

    def flagged_after(self, x: str, y: str) -> tuple[str, str, str] | None:
        """What ``x`` had been used for when a line asked for its gradients, and that line.

        It is ``y``, or what ``y`` was computed from; the line that did that comes last.
        """
        asked = self.last(x, kinds=(ASKS,))
        used = max((at for name, at, _ in self.ingredients(y) if name == x), default=self.last(y))
        if not asked > used >= 0 or not self.is_present(x, used):
            return None
        result = self.steps[used]
        is_named = result.target.isidentifier() and result.kind is BINDS
        return result.target, self.steps[asked].line, result.line if is_named else ""


def lines_that_cut(frame: FrameType | None, leaf: Any = None) -> set[tuple[str, int]] | None:
    """The lines at which a history has ended so far; where a leaf is given, one that led to it.

    None where that is not known. A file that was run again counts as it is now. Of a cell, each
    statement is compiled alone.
    """
    if frame is None or len(LINES) >= MOST_LINES:
        return None
    if leaf is not None and (getattr(leaf, "_edge", leaf) is not None or not leaf.requires_grad):
        return None  # what led to a result is not kept
    own, top = frame.f_code.co_filename, [*reader.callers(frame)][-1].f_code
    is_known = top.co_name == "<module>" and top.co_filename == own
    is_known = is_known and isinstance(frame, FrameType) and not reader.notebook_cell(own)
    now = {*map(id, prompt.all_within(top))} if is_known else set()
    return reader.lines_run(
        cut.place
        for cut in LINES.values()
        if cut.place is not None
        if leaf is None or cut.is_explored or any(each() is leaf for each in cut.leaves)
        if not is_known or cut.place[0].co_filename != own or id(cut.place[0]) in now
    )


def decorated(name: str, off: Loss) -> Loss:
    """What a decorator takes away from the results of a function."""
    return Loss(f"{name}(...) is decorated: {off.says}", "leave the decorator out", off=True)
