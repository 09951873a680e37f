"""Calls of a round of training that are in vain where they stand.

Gradients that are emptied or cut before a step has used them, or cut where no step uses them any
more; steps in some rounds only of gradients that each round empties; losses that no pass sees.
And passes that go through the graphs of earlier rounds once more.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..gradients.passes import holds_leaf, zeroed_at
from ..graph.nodes import kind_of, leaves_behind, nodes_behind
from ..program.emptied import empties
from ..program.program import Program
from ..source.syntax import (
    FUNCTIONS,
    LOOPS,
    attributes_in,
    called_in,
    called_on,
    is_call,
    name_called,
    names_in,
    parts_up_to,
    runs_a_pass,
    targets_of,
)
from ..source.texts import Source, everywhere, led_to
from ..source.variables import optimizers, stepped_by
from ..words.sentences import say

CLIPS = {"clip_grad_norm_", "clip_grad_value_"}
SCALES = {"mul_", "div_", "clamp_"}
TURNS = {"zero_grad", "backward", "step"}
IS_LAST = re.compile(r"\((\w+) \+ 1\) % (\w+) == 0")  #: the last round of each few
ROUNDS = 3  #: that a graph holds before that is told
CUTS = "cuts"  #: the turn of a line that cuts gradients


def in_vain(loss: Any, program: Program) -> Iterator[str]:
    """What stands in vain where it does, or goes through the graph of earlier rounds again."""
    ways = [late_clips(program), emptied_too_often(program)]
    if getattr(loss, "grad_fn", None) is not None:
        ways += [emptied_first(loss, program), carried_on(loss, program)]
    yield from next(filter(None, map(list, ways)), [])


def emptied_first(loss: Any, program: Program) -> Iterator[str]:
    """That a line which has emptied gradients stands above the step that is to use them."""
    emptied = {line for leaf in leaves_behind(loss) if (line := zeroed_at(leaf))}
    for source, loop in everywhere(program.frame, LOOPS) if emptied else ():
        lines = [*in_order(loop.body)]
        for at, each in enumerate(lines):
            line = source.spoken(each.lineno)
            if line not in emptied or not any(map(runs_a_pass, lines[:at])):
                continue
            if step := used_below(each, lines[at + 1 :]):
                yield say("emptied-first", line=line, step=source.spoken(step.lineno))
                yield say("empty-below")
                return


def in_order(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block that hold no others, with those of blocks inside."""
    for each in body:
        inner = getattr(each, "body", None)
        if inner is None:
            yield each
        elif isinstance(each, ast.With | ast.For):
            yield from in_order(inner)


def used_below(emptying: ast.stmt, below: list[ast.stmt]) -> ast.stmt | None:
    """The step below a line that empties what it reads; None where a pass comes first."""
    own = {*map(ast.unparse, attributes_in(emptying, {"grad"}))}
    for each in below:
        if runs_a_pass(each):
            return None
        read = {*map(ast.unparse, attributes_in(each, {"grad"}))}
        if own & read and not empties(ast.unparse(each)):
            return each
    return None


def is_grad(node: ast.AST) -> bool:
    """Whether this is such as ``w.grad``."""
    return isinstance(node, ast.Attribute) and node.attr == "grad"


def late_clips(program: Program) -> Iterator[str]:
    """That a line cuts gradients below the step that is to use them, or above their pass; why, do.

    Of a block with one pass and one step, that empties gradients as well.
    """
    functions = everywhere(program.frame, ast.FunctionDef)
    own = {each.name for _, each in functions if is_for_cuts(each)}
    for source, block in everywhere(program.frame):
        turns = [*turns_of(getattr(block, "body", None), own)]
        order = [name for name, _ in turns]
        if any(order.count(each) != 1 for each in ("backward", "step", "zero_grad")):
            continue
        clips = [(at, line) for at, (name, line) in enumerate(turns) if name is CUTS]
        between = order.index("backward"), order.index("step")
        if len(clips) == 1 and between[0] < between[1]:
            (at, line), is_late = clips[0], clips[0][0] > between[1]
            if is_late or at < between[0]:
                key = "cut-after-step" if is_late else "cut-before-pass"
                yield say(key, line=source.spoken(line))
                yield f"Try: {say('cut-between')}."
                return


def turns_of(body: Any, own: set[str]) -> Iterator[tuple[str, int]]:
    """The lines of a block that fill, cut, use or empty gradients, also by functions of theirs."""
    for statement in body if isinstance(body, list) else ():
        if isinstance(statement, ast.For | ast.If) and cuts_gradients(statement):
            yield CUTS, statement.lineno
        value = getattr(statement, "value", None)
        for each in ast.walk(value) if value else ():
            if is_call(each, TURNS):
                yield name_called(each.func) or "", each.lineno
            elif is_call(each, CLIPS | own) and "inf" not in ast.unparse(each):
                yield CUTS, each.lineno  # with inf it cuts nothing, and tells the norm


def is_for_cuts(function: ast.FunctionDef) -> bool:
    """Whether a function cuts gradients, and neither fills, uses nor empties them."""
    return cuts_gradients(function) and not any(is_call(e, TURNS) for e in ast.walk(function))


def cuts_gradients(statement: ast.AST) -> bool:
    """Whether gradients are scaled there: ``p.grad *= 0.5``, ``p.grad.clamp_(-1, 1)``."""
    known: set[str] = set()  # the names that are given to gradients, or to lists of them

    def is_of_grads(value: Any) -> bool:
        return (
            is_grad(value)
            or is_grad(getattr(value, "elt", None))
            or getattr(value, "id", "") in known
        )

    for each in ast.walk(statement):
        match each:
            case ast.Assign([ast.Name(name)], value) | ast.For(ast.Name(name), value):
                known |= {name} if is_of_grads(value) else set()
            case ast.AugAssign(target, ast.Mult() | ast.Div()) if is_of_grads(target):
                return True
            case ast.Call(ast.Attribute(of, name)) if name in SCALES and is_of_grads(of):
                return True
        if is_call(each, CLIPS):
            return True
    return False


def emptied_too_often(program: Program) -> Iterator[str]:
    """That a step, of every few rounds, goes by the pass of its own round alone.

    Not one of leaves that no pass has reached.
    """
    for source, loop in everywhere(program.frame, LOOPS):
        passes = [e.lineno for e in loop.body if runs_a_pass(e) and not isinstance(e, ast.If)]
        emptied = [(by, each.lineno) for each in loop.body if (by := called_on(each, "zero_grad"))]
        for branch in loop.body if passes and emptied else ():
            # An else may step another optimizer, and a pass inside is one for this step alone.
            is_meant = isinstance(branch, ast.If) and not branch.orelse and not runs_a_pass(branch)
            is_meant = is_meant and passes[-1] < branch.lineno and comes_at_times(branch)
            lines = [*in_order(branch.body)] if is_meant else []
            again = [each.lineno for each in lines if called_on(each, "zero_grad")]
            steps = [(its, each.lineno) for each in lines if (its := called_on(each, "step"))]
            for its, step in steps if not again or steps and steps[0][1] < again[0] else ():
                for by, at in emptied:
                    is_between = passes[-1] < at < branch.lineno  # so the step finds nothing
                    if is_between or not empties_for(by, its, program) or is_idle(its, program):
                        continue
                    told = {"emptied": source.spoken(at), "step": source.spoken(step)}
                    yield say("emptied-too-often", **told)
                    if again:
                        yield say("empty-there-alone", **told)
                    elif at < passes[0] and (first := IS_LAST.fullmatch(ast.unparse(branch.test))):
                        yield say("empty-in-the-first", test=first.expand(r"\1 % \2 == 0"), **told)
                    else:
                        yield say("empty-below-the-step", its=ast.unparse(by))
                    return


def comes_at_times(branch: ast.If) -> bool:
    """Whether a branch runs in every k-th round: by a remainder, or a count that begins anew."""
    begun = (each for each in branch.body if ast.unparse(each).endswith(" = 0"))
    is_count = any(names_in(branch.test) & {*targets_of(each)} for each in begun)
    return is_count or any(isinstance(each, ast.Mod) for each in ast.walk(branch.test))


def empties_for(by: ast.expr, its: ast.expr, program: Program) -> bool:
    """Whether ``by.zero_grad()`` empties what an optimizer steps, as that of its net does."""
    net, tool = (program.variables.get(ast.unparse(each)) for each in (by, its))
    return ast.unparse(by) == ast.unparse(its) or any(holds_leaf(net, e) for e in stepped_by(tool))


def carried_on(loss: Any, program: Program) -> Iterator[str]:
    """That rounds go on from states along with their graph, which ``retain_graph=True`` keeps.

    Many results of one kind show that the graph holds several rounds, and numbers that are missing
    among its nodes, that losses were computed between them.
    """
    nodes = {node: node._sequence_nr() for node in nodes_behind(loss) if any(node.next_functions)}
    kinds = Counter(map(kind_of, nodes))
    is_in_parts = bool(nodes) and max(nodes.values()) - min(nodes.values()) >= len(nodes)
    for source, loop in everywhere(program.frame, LOOPS) if is_in_parts else ():
        passes = [source.spoken(each.lineno) for each in loop.body if called_on(each, "backward")]
        if len(passes) != 1 or "retain_graph=True" not in passes[0]:
            continue
        run = [each for _, each in led_to([(source, loop)], program.frame, ["forward"])]
        if any(re.search(r"\.data\b|detach|no_grad", ast.unparse(each)) for each in run):
            continue
        bound = [name for each in ast.walk(loop) for name in targets_of(each)]
        once = (program.variables.get(name) for name in names_in(loop) - {*bound})
        if any(getattr(thing, "grad_fn", None) in nodes for thing in once):
            continue  # what each pass goes through, so that it has to be kept
        do: dict[str, str] = {}
        read: set[str] = set()
        for each in loop.body:
            read |= names_in(each, ast.Load)
            for name in (n for n in targets_of(each) if n in read and bound.count(n) == 1):
                state, new = program.variables.get(name), f"{name}.detach()"
                if isinstance(state, tuple):
                    state, new = state[-1], f"tuple(h.detach() for h in {name})"
                kind = kind_of(getattr(state, "grad_fn", None))
                if state is not loss and kind and kinds[kind] >= ROUNDS:
                    do[f"`{name} = {new}`"] = source.spoken(each.lineno)
        if do:
            lines, where = "; ".join(dict.fromkeys(do.values())), source.spoken(loop.lineno)
            yield say("carried-on", lines=lines, count=len(nodes), line=passes[0])
            yield say("end-each-round", do=" and ".join(do), loop=where, line=passes[0])
            return


def left_behind(program: Program) -> Iterator[str]:
    """A pass below the loop that computes its loss."""
    for source, each in everywhere(program.frame, LOOPS | ast.FunctionDef):
        yield from below_the_loop(each, source)


def is_idle(its: ast.expr, program: Program) -> bool:
    """Whether all that an optimizer steps is frozen, and has no gradient."""
    leaves = [*stepped_by(optimizers(program.variables).get(ast.unparse(its)))]
    return bool(leaves) and not any(p.requires_grad or p.grad is not None for p in leaves)


def below_the_loop(outer: ast.For | ast.While | ast.FunctionDef, source: Source) -> Iterator[str]:
    """That a loss is computed for each batch, and the pass runs once, below their loop.

    Where each batch empties gradients, or its loss is read, it was meant to count.
    """
    for at, inner in enumerate(outer.body):
        if not isinstance(inner, LOOPS):
            continue
        inside = [*parts_up_to(inner.body, FUNCTIONS)]
        called = called_in(inside)
        plain = [part for part in inner.body if isinstance(part, ast.Assign)]
        is_read = "zero_grad" in called or isinstance(outer, LOOPS)
        for statement in outer.body[at + 1 :] if is_read and "backward" not in called else ():
            match statement:
                case ast.Expr(ast.Call(ast.Attribute(owner, "backward"))):
                    loss = ast.unparse(owner)
                    made = [each for each in plain if loss == ast.unparse(each.targets[0])]
                    above = plain[: plain.index(made[0])] if made else []
                    is_anew = made and not any(goes_on(e, inner) for e in [*above, *made])
                    if is_anew and is_meant(loss, inside, called):
                        yield say("below-the-loop", line=source.spoken(statement.lineno), loss=loss)
                        step = say("and-the-step") if "zero_grad" in called else ""
                        yield say("into-the-loop", loss=loss, step=step)


def goes_on(made: ast.Assign, loop: ast.For | ast.While) -> bool:
    """Whether this computes something of what the round before has left: ``h = cell(x, h)``."""
    parts = {*map(ast.unparse, ast.walk(made.value))}
    return bool(parts & {*targets_of(made)} - {*targets_of(loop)})


def is_meant(loss: str, inside: list[ast.AST], called: set[str | None]) -> bool:
    """Whether the loss of each batch was meant to count."""
    read = (each for each in inside if isinstance(each, ast.Attribute) and each.attr == "item")
    return "zero_grad" in called or any(ast.unparse(each.value) == loss for each in read)
