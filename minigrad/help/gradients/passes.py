"""How many backward passes are added up in a ``.grad``, as far as its version counter tells.

And which lines empty it: in time, in vain, or outside of the loop in which each round takes a step.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType
from typing import Any, NamedTuple

from ...extras.recorded_cuts import cuts_of
from ..graph.recorded import last_pass
from ..program.cuts import MEANING
from ..program.derivatives import is_recorded
from ..program.emptied import empties, is_emptied_somewhere, is_emptied_unseen
from ..program.stepped import was_stepped
from ..program.training_loop import blocks, not_called
from ..source import reader
from ..source.line_order import is_above
from ..source.syntax import FUNCTIONS, LOOPS, called_on, is_at, is_call, names_in, parts_up_to
from ..source.texts import all_calls, everywhere, led_to, texts
from ..source.variables import (
    all_stepped,
    held,
    leaves_held,
    optimizer_of,
    optimizers,
    own_name,
    parameters_of,
)
from ..words.sentences import say
from .computed_leaf import reads_grad
from .two_losses import of_two_losses

MOST_LINES = 2  #: lines that are named
MOST_ROUNDS = 9  #: a version counter remembers the eight writers after the first
OVER_PARAMETERS = re.compile(r"for .*\bparameters\(|for .*\bnamed_parameters\(")
GRAD = MEANING["grad"]
UNLESS_MEANT = "Where their sum is not what you want"
EACH = ", and so for each leaf that is stepped"
EMPTIES = re.compile(r"zero|[*]= ?0|mul_\(0|fill_\(|<\w+>$")  #: lines that empty a gradient


def rounds(leaf: Any) -> int | None:
    """How many backward passes are added up in a leaf's ``.grad``; None where unknown.

    Of `MOST_ROUNDS` there may be more. Its version counter remembers its last writers: a pass
    leaves no line, `zero_()` leaves one, as do other writes, which empty nothing. Of a tensor that
    was assigned to it nobody knows what that holds.
    """
    grad = leaf.grad
    if grad is None or not hasattr(grad, "_counter"):
        return None
    writers = () if grad._counter is None else grad._counter.writers
    passes = 0
    for writer in reversed(writers):
        if writer is not None and EMPTIES.search(reader.spoken(writer)):
            return passes
        passes += writer is None
    return None if getattr(leaf._meta, "given", None) is grad else passes + 1


def passes_of(program: Any) -> list[ast.Call]:
    """The passes that are written in a program."""
    return [each for _, each in all_calls(program.frame, {"backward"})]


def roots_of(program: Any) -> list[Any]:
    """What the names hold by now that a program calls ``backward()`` on."""
    names = {ast.unparse(getattr(each.func, "value", each)) for each in passes_of(program)}
    return [program.variables.get(each) for each in names]


def zeroed_at(leaf: Any) -> str | None:
    """The line that filled the ``.grad`` of a leaf with zeros, if no pass has come since."""
    return reader.spoken(leaf.grad._counter.writers[-1]) if rounds(leaf) == 0 else None


def added_up(leaf: Any, name: str, program: Any) -> Iterator[str]:
    """That the ``.grad`` of a leaf holds more than one pass, and how it starts anew.

    Or one that the next round adds to.
    """
    if not (passes := rounds(leaf)) or is_emptied_unseen(program.frame):
        return
    if passes == 1:
        step = step_of(leaf, its := optimizer_of(leaf, program.variables), program)
        if other := for_another_step(leaf, step, program):
            yield from [other, f"Try: {place_to_empty(leaf, name, its, step, program)}."]
        return
    said = f"{counted(passes)} backward passes are added up in {name}.grad"
    is_by_hand = any(reads_grad(tree) for _, tree in texts(program.frame))
    if followed(leaf, program) is not None and not is_by_hand:
        yield f"{said}. No optimizer steps {name}, so no step goes by their sum."
        return
    yield from starts_anew(said, leaf, name, optimizer_of(leaf, program.variables), program)


def followed(leaf: Any, program: Any) -> Any:
    """What an optimizer steps and gave its values to a leaf that none steps; None if unknown."""
    stepped = all_stepped(program.variables)
    known = [own() for cut in cuts_of(leaf) for own in cut.leaves if id(leaf) not in stepped]
    known = [each for each in known if id(each) in stepped and each.shape == leaf.shape]
    return known[0] if known else None  # of another shape it is a result that was computed


def starts_anew(said: str, leaf: Any, name: str, its: str, program: Any) -> Iterator[str]:
    """What is ``said`` of passes that are added up, why they are, and what begins anew.

    A leaf that was stepped, where no line of the program empties a gradient, is not meant to.
    """
    is_open, is_stepped = not is_emptied_somewhere(program.frame), was_stepped(leaf, program.frame)
    is_stepped = is_stepped and steps_by_gradients(leaf, program)
    line, step = last_pass(leaf), step_of(leaf, its, program)
    place = place_to_empty(leaf, name, its, step, program)
    if is_open and (named := [*not_called(program, ("zero_grad", "zero_"))]):
        yield from [f"{said}.", *named]
    elif line and (each := [*passed_for_each(line, program)]):
        yield from [f"{said}.", *each]
    elif is_stepped and (others := emptied_others(leaf, program)):
        yield from [f"{said}. {others}", f"Try: {place}."]
    elif is_open and is_stepped:
        line = f" (the last one: {line})" if line else ""
        yield f"{said}{line}: no line empties it, so each step goes by all passes before it."
        yield f"Try: {place}."
    elif other := for_another_step(leaf, step, program):
        yield from [f"{said}.", other, f"{UNLESS_MEANT}: {place}."]
    elif other := of_another_loss(step, program):
        yield from [f"{said}.", other, f"Try: {place}."]
    elif in_time := emptied_in_time(step, line):
        yield from [f"{said}. {in_time}", *of_two_losses(leaf, name, program)]
    else:
        block = (None, None) if step is None else (step.source, step.block)
        outside, is_sure = emptied_outside(*block, program.frame)
        is_apart = not is_stepped or step is not None and not step.is_of_last
        nets = [each.path for each in held(program.variables) if holds_leaf(each.thing, leaf)]
        is_later = bool(nets and line) and is_above(line, program.binding_line(name) or "")
        do = f"{nets[0]}.zero_grad()" if is_later else f"{name}.grad = None"
        place = f"{do} above {line}" if line and is_apart else place
        when = "Try" if is_sure else UNLESS_MEANT
        yield from [f"{said}.", *filter(None, [outside]), f"{when}: {place}."]


def passed_for_each(line: str, program: Any) -> Iterator[str]:
    """That a loop over parameters runs a pass of one graph for each of them, and where it belongs.

    Not where the pass fills this one alone, or the loop empties what the pass has filled.
    """
    for source, loop in everywhere(program.frame, ast.For):
        text = ast.unparse(loop)
        for each in ast.walk(loop) if OVER_PARAMETERS.match(text) and not empties(text) else ():
            is_one = is_call(each, {"backward"}) and source.spoken(each.lineno) == line
            if is_one and names_in(loop, ast.Store).isdisjoint(names_in(each)):
                yield say("passed-for-each", loop=source.spoken(loop.lineno), line=line)
                yield say("pass-once", where="above" if ".grad" in text else "below")


def steps_by_gradients(leaf: Any, program: Any) -> bool:
    """Whether an optimizer steps a leaf, or a line can that reads a gradient and does not print."""
    if id(leaf) in all_stepped(program.variables) or any(all_calls(program.frame, {"step"})):
        return True
    printed = {e for _, call in all_calls(program.frame, {"print"}) for e in ast.walk(call)}
    reads = [e for _, e in everywhere(program.frame, ast.Attribute) if e.attr == "grad"]
    return any(isinstance(e.ctx, ast.Load) and e not in printed for e in reads)


class Stepped(NamedTuple):
    """A step by passes above it: who takes it, the line of the first of them, and its block.

    ``is_of_last`` says that the last pass is one of them; ``at`` is the line of the step itself,
    and ``emptied`` the one that emptied what it steps before these passes, or 0. There are at
    ``most`` so many passes for a step, or 0 where a loop runs them.
    """

    is_of_last: bool
    owner: str
    first: int
    source: Any
    block: Any
    at: int
    emptied: int
    most: int


def place_to_empty(leaf: Any, name: str, its: str, step: Stepped | None, program: Any) -> str:
    """What empties a gradient, and above which line: that of the first pass that a step goes by."""
    owner, block = (its, ast.Pass()) if step is None else (step.owner, step.block)
    if any(binds(one, owner) and not is_at(one, step.first) for one in ast.walk(block)):
        owner = optimizer_outside_loops(leaf, program)  # a loop below that line gives the name
    known = [*held(program.variables)]
    own = [each.thing for each in known if own_name(each.path) == own_name(owner)]
    if own and not hasattr(own[0], "zero_grad"):  # a class of the reader's own
        nets = (e.path for e in known if any(one is leaf for _, one in parameters_of(e.thing)))
        its = owner = next(nets, "")
    do, each = f"{owner}.zero_grad()" if owner else f"{name}.grad = None", "" if its else EACH
    place = "before each backward()" if step is None else f"above {step.source.spoken(step.first)}"
    return f"{do} {place}{each}"


def emptied_in_time(step: Stepped | None, last: str | None) -> str:
    """That a sum is meant for one step; or that none goes by it, as of one net in two losses."""
    after = reader.SPOKEN_LINE.match(last or "")
    if step is None or not step.emptied or after is None or after[2] != step.source.name:
        return ""
    at, emptied = step.source.spoken(step.at), step.source.spoken(step.emptied)
    if step.is_of_last:
        return say("summed-for-a-step", step=at, emptied=emptied)
    is_inside = any(is_at(each, int(after[1])) for each in step.block.body)
    is_below = step.at < int(after[1]) and is_inside
    return say("emptied-in-time", step=at, last=last, emptied=emptied) if is_below else ""


def for_another_step(leaf: Any, step: Stepped | None, program: Any) -> str:
    """That a step goes by a pass as well that ran for the step of another optimizer above it.

    Or, in a loop, below it: then in the next round.
    """
    is_above = step is not None and step.is_of_last and 0 < step.most < (rounds(leaf) or 0)
    is_below = step is not None and not step.is_of_last and isinstance(step.block, LOOPS)
    if not is_above and not is_below:
        return ""
    known = [each.path for each in held(program.variables) if holds_leaf(each.thing, leaf)]
    own, body = {own_name(path) for path in (step.owner, *known)}, step.block.body
    before = [one for one in body if is_below and one.lineno > step.at]
    before += [one for one in body if one.lineno < step.first]
    above = [(one, called_on(one, "zero_grad")) for one in before]
    empty = [k for k, (_, by) in enumerate(above) if by and own_name(ast.unparse(by)) in own]
    rest = above[empty[-1] + 1 :] if empty else []
    others = [one for one, _ in rest if {*map(own_name, steps_in(one))} - {"", *own}]
    passes = [at for one, _ in rest for at in passes_at(step.source, one)]
    is_unknown = any(by is None and empties(ast.unparse(one)) for one, by in rest)
    if not others or not passes or is_unknown or is_below and last_pass(leaf) not in passes:
        return ""
    lines = (step.at, others[0].lineno, above[empty[-1]][0].lineno)
    at, after, emptied = map(step.source.spoken, lines)
    told = {"step": at, "other": passes[0], "next": after, "emptied": emptied}
    return say("pass-for-another-step", **told)


def holds_leaf(thing: Any, leaf: Any) -> bool:
    """Whether an optimizer steps a leaf, or a net has it as a parameter."""
    return any(each is leaf for each in leaves_held(thing))


def of_another_loss(step: Stepped | None, program: Any) -> str:
    """That a function runs a pass for the ``.grad`` of an input before those of a step: an attack.

    It is none for a leaf that is stepped; a line asks the input for gradients.
    """
    body = step.block.body if step and step.emptied else ()
    above = [(step.source, one) for one in body if step.emptied < one.lineno < step.first]
    for source, part in led_to(above, program.frame)[len(above) :]:
        lines = [each.lineno for each in ast.walk(part) if is_call(each, {"backward"})]
        for read in re.findall(r"\b(\w+)\.grad\b(?! =)", ast.unparse(part)) if lines else ():
            asks = rf"\b{read}\b.*\brequires_grad(_\(|=| = )(?!False)"
            is_stepped = id(program.variables.get(read)) in all_stepped(program.variables)
            if re.search(asks, source.text) and not is_stepped:
                known = {"step": step.source.spoken(step.at), "other": source.spoken(lines[0])}
                return say("pass-of-another-loss", input=read, **known)
    return ""


def step_of(leaf: Any, its: str, program: Any) -> Stepped | None:
    """The step of an optimizer, which may have another name where it stands in a function."""
    line = last_pass(leaf)
    steps = [each for part in everywhere(program.frame) for each in steps_by_passes(*part, line)]
    tools, own = optimizers(program.variables), optimizers(program.variables, [leaf])
    others = {own_name(path) for path in tools if path not in own}
    known = [each for each in steps if own_name(each.owner) == own_name(its)]
    if not known and its:
        alike = [e for e in steps if e.is_of_last and e.owner and own_name(e.owner) not in others]
        known = alike if len({each.owner for each in alike}) == 1 else []
    return max(known, key=lambda each: each.is_of_last, default=None)


def steps_by_passes(source: Any, block: Any, last: str | None) -> Iterator[Stepped]:
    """The steps of a block that go by passes above them."""
    body, (first, lines, is_stepped) = getattr(block, "body", ()), (0, [], False)
    is_loop = False
    empties_of: dict[str, int] = {}
    for one in body if isinstance(body, list) else ():
        passes, steps = passes_at(source, one), [*steps_in(one)]
        if (emptied := called_on(one, "zero_grad")) is not None:
            empties_of[ast.unparse(emptied)] = one.lineno
        if passes and (steps or is_stepped):
            first, lines, is_stepped = 0, [], False
        if passes and not steps:
            is_loop = first > 0 and is_loop or not isinstance(one, ast.Expr)
            first, lines = first or one.lineno, [*lines, *passes]
        elif first and steps:
            is_stepped = True
            for owner in steps:
                at = empties_of.get(owner, 0)
                at *= at <= first  # of one line as well
                most = len(lines) * (not is_loop)
                yield Stepped(last in lines, owner, first, source, block, one.lineno, at, most)


def optimizer_outside_loops(leaf: Any, program: Any) -> str:
    """The optimizer of a leaf by a name that no loop gives to one thing after the other."""
    names = {n: thing for n, thing in program.variables.items() if n not in program.turning}
    return optimizer_of(leaf, names)


def binds(loop: ast.AST, name: str) -> bool:
    """Whether a loop gives a name its values."""
    return isinstance(loop, ast.For) and name in names_in(loop.target)


def passes_at(source: Any, statement: ast.stmt) -> list[str]:
    """The lines of the passes that a statement runs, and no function that it defines."""
    parts = parts_up_to([statement], FUNCTIONS | ast.ClassDef)
    return [source.spoken(each.lineno) for each in parts if is_call(each, {"backward"})]


def steps_in(statement: ast.stmt) -> Iterator[str]:
    """What takes a step in a statement, such as ``opt``; empty for a line that reads a gradient."""
    for each in parts_up_to([statement], FUNCTIONS | ast.ClassDef):
        match each:
            case ast.Call(ast.Attribute(owner, "step"), []):
                yield ast.unparse(owner)
            case ast.Attribute(_, "grad", ast.Load()):
                yield ""


def emptied_others(leaf: Any, program: Any) -> str:
    """That what empties gradients does so for others than a leaf's; empty where that is unknown."""
    lines, things = [], [*held(program.variables)]
    for source, tree in texts(program.frame):
        parts = [*ast.walk(tree)]
        owners = {each.lineno: each.func for each in parts if is_call(each, {"zero_grad"})}
        owners |= {each.lineno: each for each in parts if getattr(each, "attr", "") == "grad"}
        names = [each for each in parts if isinstance(each, ast.Name)]
        steps = [each.target for each in parts if isinstance(each, ast.AugAssign)]
        bound = [e.id for e in names if isinstance(e.ctx, ast.Store) and e not in steps]
        loops = [each.target for each in parts if isinstance(each, ast.For | ast.comprehension)]
        given = {each.arg for each in parts if isinstance(each, ast.arg)}
        changing = given.union(*map(names_in, loops))  # names that mean one after the other
        for at in (at for at, text in enumerate(source.lines, 1) if empties(text)):
            name = own_name(ast.unparse(getattr(owners.get(at), "value", ast.Tuple([]))))
            meant = [each.thing for each in things if own_name(each.path) == name]
            known = [leaves_held(each) or [each] * hasattr(each, "grad_fn") for each in meant]
            if name in changing or bound.count(name) > 1 or not all(known) or not known:
                return ""
            if any(each is leaf for own in known for each in own):
                return ""
            lines.append(source.spoken(at))
    return say("empties-others", lines="; ".join(lines)) if 0 < len(lines) <= MOST_LINES else ""


def made_of_a_gradient(name: str, program: Any) -> Iterator[str]:
    """That a name was computed from a `.grad` alone, which a pass above it left without history."""
    known = [[cut for cut in cuts if cut.loss == GRAD] for _, _, cuts in program.ingredients(name)]
    lines = {cut.line for cuts in known for cut in cuts}
    if not all(known) or len(lines) != 1:
        return
    (line,) = lines
    for source, block in blocks(program.frame):
        body = block.body
        at = [i for i, each in enumerate(body) if source.spoken(each.lineno) == line]
        parts = [part for each in body[: at[0] if at else 0] for part in ast.walk(each)]
        above = [e for e in parts if is_call(e, {"backward"}) and not is_recorded(e)]
        if len(above) == 1:
            yield f"""{name} was computed from a .grad ({line}), and the pass that filled it kept no
                history of that ({source.spoken(above[0].lineno)})."""
            yield "Try: backward(create_graph=True) there."
            return


def counted(rounds: int) -> str:
    """A number of passes in words."""
    return say("or-more", rounds=rounds) if rounds >= MOST_ROUNDS else str(rounds)


def emptied_outside(source: Any, block: Any, frame: FrameType | None) -> tuple[str, bool]:
    """That the only line that empties runs outside of a loop that steps, or of a function's loop.

    Or, as may be meant, in a branch of it, where the step does not. A line in another function may
    run in the loop, and is not told.
    """
    loops, name = everywhere(frame, LOOPS), {getattr(block, "name", "")}
    calling = [e for e in loops if any(is_call(part, name) for part in ast.walk(e[1]))]
    lines = [(own, n) for own, _ in texts(frame) for n, t in enumerate(own.lines, 1) if empties(t)]
    around = [(source, block)] if isinstance(block, LOOPS) else calling
    if len(lines) != 1 or not around:
        return "", False
    (at, number), (own, loop) = lines[0], around[-1]
    if at == own and is_at(loop, number):
        branches = [each for each in ast.walk(loop) if isinstance(each, ast.If)]
        inner = [each for each in branches if is_at(each, number)]
        if not inner or any(is_call(e, {"step"}) for each in branches for e in ast.walk(each)):
            return "", False
        branch = own.spoken(inner[0].lineno)
        return say("emptied-in-some", emptied=at.spoken(number), branch=branch), False
    functions = [*everywhere(frame, ast.FunctionDef)]
    others = [each for s, each in functions if s != own or not is_at(each, loop.lineno)]
    if any(s == at and each in others and is_at(each, number) for s, each in functions):
        return "", False
    return say("emptied-outside", emptied=at.spoken(number), loop=own.spoken(loop.lineno)), True
