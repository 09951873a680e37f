"""Why a ``.grad`` is None where a tensor was meant, as in ``w -= lr * w.grad``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ...nn.parameter import Parameter
from ...tensor import Tensor
from ..graph.expression_of_node import line_of
from ..graph.history import leaves_behind, passes_through, way
from ..graph.recorded import emptied_at, ended, last_pass
from ..program.argument_names import known_as
from ..program.derivatives import derivatives
from ..program.program import Program
from ..program.statements import ASKS, BINDS, WRITES
from ..program.updates import is_assigned
from ..source import reader
from ..source.line_order import is_between, without_text
from ..source.lookup import value_of
from ..source.reader import in_brackets
from ..source.syntax import LOOPS, attributes_in
from ..source.texts import everywhere, texts
from ..source.variables import Held, held, is_asking
from ..words.sentences import tell
from .computed_leaf import Asked, asked_before, asks_last, updated_by
from .custom_backwards import given_none
from .frozen import froze
from .leaves_of_results import began_at_a_leaf
from .misspelt import bare_methods
from .passes import passes_at, rounds
from .rebinding_steps import how_to_step, put_back
from .results_of_leaf import users_of, ways_cut, what_was_lost
from .untracked import UNKNOWN, what_to_do, why_untracked

MOST_BESIDE = 3  #: lines that are named besides the first
#: what a pass began at, which may be a call
OF_A_PASS = r"(\w+|(?<=`)(?:(?! = )[^`:;])+)\.backward\("
SETS_TO_0 = re.compile(r"zero|(= |\()0(\.0*)?\)?`?$")
MOST_EMPTY = 4  #: leaves without a gradient that are named


def of_a_grad(thing: ast.expr, frame: FrameType) -> Iterator[str]:
    """Why a ``.grad`` is None, where an expression is one, or a name that was given to one."""
    said = ""
    if isinstance(thing, ast.Name):
        program = Program.of(frame, thing.lineno)
        if step := program.step(thing.id):
            said = f"{thing.id} is {ast.unparse(step.value)} ({step.line})."
            thing = step.value
    if isinstance(thing, ast.Attribute) and thing.attr == "grad":
        yield from (said,) if said else ()
        yield from no_gradient(thing.value, value_of(thing.value, frame, None), frame)


def no_gradient(owner: ast.expr, tensor: Any, frame: FrameType) -> Iterator[str]:
    """The sentences, and what to do; ``owner`` is the expression in front of ``.grad``."""
    name, program = ast.unparse(owner), Program.of(frame, owner.lineno)
    if not getattr(tensor, "is_leaf", True):
        yield tell("grad-of-a-result", name=name)
        if isinstance(tensor, Tensor):
            yield from of_result(tensor, owner, program)
    elif getattr(tensor, "requires_grad", True):
        yield from of_leaf(tensor, name, program)
    elif isinstance(tensor, Parameter):  # which asks from the start
        line = froze([(name, tensor)], program)
        yield f"{name}.grad is None: {name} is frozen, as requires_grad is False{line}."
        yield tell("thaw-or-skip", name=name)
    else:
        yield f"{name}.grad is None: {name} has requires_grad=False, so no gradient comes to it."
        if isinstance(tensor, Tensor):
            program.meant[name] = tensor
            do, reasons = what_to_do(name, program), why_untracked(tensor, name, program)
            if UNKNOWN in " ".join(reasons) and (outside := known_outside(tensor, name)):
                do, reasons = outside
            yield from (said.partition(" To change a leaf")[0] if do else said for said in reasons)
            if any("Try: " in said for said in reasons):
                return
            yield f"Try: {do or f'{name}.requires_grad_() before it is computed with.'}"


def known_outside(tensor: Tensor, name: str) -> tuple[str, list[str]] | None:
    """What to do and why a tensor does not require grad, as one of the functions around tells.

    That is one which has it by another name, such as what it handed over in a list.
    """
    for program, own in [*known_as(tensor, name)][1:]:
        reasons = why_untracked(tensor, own, program)
        if own.isidentifier() and UNKNOWN not in " ".join(reasons):
            return what_to_do(own, program), [f"{name} is {own} outside.", *reasons]
    return None


def of_leaf(leaf: Any, name: str, program: Program) -> Iterator[str]:
    """A leaf that asks for gradients, and has none."""
    for bare in bare_methods("backward", program):
        yield f"{name}.grad is None: {bare.said}"
        yield f"Try: {bare.do}"
        return
    if line := emptied_at(leaf):
        yield f"{name}.grad is None: it held a gradient, and it was set to None since ({line})."
        yield f"Try: use {name}.grad before that line, or run backward() again after it."
        return
    if began := [*began_at_a_leaf(leaf, name, program)]:
        yield from began
        return
    if isinstance(leaf, Tensor) and ended(leaf) and not users_of(leaf, program):
        yield f"{name}.grad is None: no backward pass has reached it."
        known = ways_cut(leaf, name, program, False)
        is_known = any("Try: " in each for each in known)
        yield from known if is_known else what_was_lost(leaf, name, program)
        return
    for user in users_of(leaf, program).values() if isinstance(leaf, Tensor) else ():
        lines = passes_through(way(user, leaf))
        known = [*given_none(user, leaf, name)] if lines else []
        if lines and not any("backward(" in line for line in lines):
            known = known or [tell("asked-for-others"), *grad_of(name, program)]
        if known:
            yield f"{name}.grad is None, though a backward pass has run."
            yield from known
            return
    others = {own: thing for own, thing in program.variables.items() if not is_asking(thing)}
    leaves = [each for each in held(others) if is_asking(each.thing)]
    own = next((each for each in leaves if each.thing is leaf), Held("", name, leaf))
    if not own.root and isinstance(leaf, Tensor) and not users_of(leaf, program):
        plain = [Held(n, n, each) for n, each in program.variables.items() if is_asking(each)]
        own, leaves = own._replace(root=""), [each._replace(root="") for each in plain]
    filled = [e for e in leaves if e.root == own.root and e.thing.grad is not None]
    if filled and isinstance(leaf, Tensor):
        same = f"{name} is {own.path}, and " if own.path != name else ""
        why = without_it(leaf, filled[0].thing, own.path, program)
        why = why or tell("not-in-the-loss", own=own)
        yield tell("others-were-filled", same=same, name=name, filled=filled, why=why)
        empty = [e.path for e in leaves if e.root == own.root and e.thing.grad is None and same]
        shown = ", ".join(empty[:MOST_EMPTY] or [own.path]) + " …" * (len(empty) > MOST_EMPTY)
        do = tell("use-it-too", all=shown, name=name)
        if same and users_of(leaf, program):  # a result of it is there, and not in the loss
            do = tell("skip-or-use", all=shown, name=name)
        yield do
        return
    frame = program.frame
    at_top = frame is not None and frame.f_code.co_name == "<module>"
    yield tell("not-filled", name=name, more=f" explain({name}) says more." if at_top else "")
    here = reader.spoken_line(frame.f_code.co_filename, frame.f_lineno) if frame else ""
    if SETS_TO_0.search(here):  # below a pass nothing would be left of it
        yield tell("empty-the-filled", name=name)
    else:
        below = pass_below(here, frame)
        yield tell("run-below", line=below) if below else tell("run-after-the-pass", name=name)


def pass_below(here: str, frame: FrameType | None) -> str:
    """The only line of a loop that runs a pass, where it stands below this one; else empty."""
    for source, loop in everywhere(frame, LOOPS):
        passes = passes_at(source, loop)
        if len(passes) == 1 and is_between(source.spoken(loop.lineno), here, passes[0]):
            return passes[0]
    return ""


def grad_of(name: str, program: Program) -> Iterator[str]:
    """What to write in the place of a ``.grad``, where one line names what ``grad`` gave for it."""
    found = [(given, line, call.args[1:]) for line, given, call, _ in derivatives(program.frame)]
    match [each for each in found if [*map(ast.unparse, each[2][:1])] == [name]]:
        case [(given, line, _)] if given.isidentifier():
            yield tell("took-what-grad-returns", given=given, line=line, name=name)


def without_it(leaf: Any, filled: Any, path: str, program: Program) -> str:
    """That the loss of the pass that filled another leaf was computed without this one."""
    line = last_pass(filled) or ""
    for own, thing in program.variables.items():
        is_meant = isinstance(thing, Tensor) and f"{own}.backward(" in line
        if is_meant and "inputs" not in line and way(thing, filled) and not way(thing, leaf):
            if not ended(leaf):
                return f"{own} was not computed from {path}."
    return ""


def of_result(tensor: Tensor, owner: ast.expr, program: Program) -> Iterator[str]:
    """A tensor that was computed: in the place of a leaf, or on the way to a loss."""
    line = program.binding_line(name := ast.unparse(owner))
    update, is_lost = updated_by(tensor, name, program), has_lost_a_leaf(tensor, program)
    is_taken = line is None or ": `for " in line  # else this line tells how it was computed
    made = line_of(tensor.grad_fn, program)
    if (update or ".grad" in made) and (asked := asked_for_a_step(tensor)):
        yield f"It was computed as a recorded step ({made or update})."
        yield tell("grad-of-a-step", name=name, **asked)
    elif update and (is_assigned(update) or is_lost and is_taken):
        own_line = reader.spoken_line(program.frame.f_code.co_filename, owner.lineno)
        is_here = is_lost and update == own_line
        is_here = ": an earlier run of this line made it, as a recorded step" * is_here
        yield f"It is a new tensor, in the place of the leaf{is_here} ({update})."
        yield how_to_step(name, update, program)
    elif found := asked_before(tensor, program):
        lines, written = "; or ".join(dict.fromkeys(f.line for f in found)), found[0].asks_last
        also = asked_besides(tensor, lines, program)
        yield f"The leaf is what asked for gradients before the last operation ({lines})."
        yield f"Try: `{written}` there, which asks last, so that the result is the leaf{also}."
    elif line and not is_lost and was_the_leaf(name, program):
        yield tell("name-of-a-new-tensor", name=name, line=line)
        yield tell("another-name", name=name)
    elif leaf := leaf_meant(tensor, program):
        yield f"{name} was computed from the leaf {leaf}{in_brackets(made)}."
        if new := stepped_in_place(name, program):
            yield f"Try: `{new}` there, which makes {name} the leaf that is stepped."
            return
        ways = [f"{leaf}.grad", f"{name}.retain_grad() before backward(), for that of {name}"]
        behind = next(e for e in leaves_behind(tensor) if program.name_of(e) == leaf)
        is_sum = (rounds(behind) or 0) > 1  # with what another pass has brought
        is_alike = behind.shape == tensor.shape  # else it does not fit the line
        yield f"Try: {'; or '.join(ways[is_sum:] if is_alike else reversed(ways))}."
    elif line and program.used_earlier_value(name, name) and is_lost:
        yield tell("name-of-a-new-tensor", name=name, line=line)
        yield put_back(name, program) or tell("keep-either", **kept_beside(name, program))
    else:
        if made:
            yield f"It was computed in {made}."
        grads = (e.value for _, tree in texts(program.frame) for e in attributes_in(tree, {"grad"}))
        read = {e.id: program.variables.get(e.id) for e in grads if isinstance(e, ast.Name)}
        read = {n: e for n, e in read.items() if isinstance(e, Tensor) and e is not tensor}
        results = [own for own, e in read.items() if not e.is_leaf and not e.retains_grad]
        others = tell("retain-others", names=", ".join(results)) if results else ""
        yield tell("retain-or-ask", name=name, others=others)


def asked_for_a_step(tensor: Tensor) -> dict[str, str]:
    """What the pass began at, and its line, where it gave leaves gradients with a history."""
    for leaf in leaves_behind(tensor):
        line = last_pass(leaf) if leaf.grad is not None and leaf.grad.requires_grad else ""
        if line and (found := re.search(OF_A_PASS, line)):
            return {"loss": found[1], "line": line}
    return {}


def kept_beside(name: str, program: Program) -> dict[str, str]:
    """Where the gradient of a result is kept, and how the leaf keeps a name that it gave away.

    The second only where the line is known to have found the leaf under this name.
    """
    at = program.last(name, kinds=(BINDS,))
    step, before = program.steps[at], program.last(name, at, (BINDS, ASKS))
    asked = program.steps[before]
    is_leaf = before >= 0 and not asked.branch and (asked.kind is ASKS or asks_last(asked.value))
    is_leaf &= not any(start <= at < end and not start <= before for start, end in program.loops)
    place = without_text(step.line)
    place = f"the statement of {place}" if len(step.lines) > 1 else place
    leaf = "leaf" if "leaf" not in program.variables else f"{name}_leaf"
    return {"name": name, "place": place, "leaf": tell("keep-leaf", name=name, leaf=leaf) * is_leaf}


def was_the_leaf(name: str, program: Program) -> bool:
    """Whether a name was given to what was computed from the leaf that it had named."""
    at = program.last(name, kinds=(BINDS,))
    asked = program.last(name, at, (BINDS, ASKS)) if at > 0 else -1
    is_leaf = asked >= 0 and program.steps[asked].kind is ASKS
    return is_leaf and program.used_earlier_value(name, name)


def asked_besides(tensor: Tensor, lines: str, program: Program) -> str:
    """How other results of leaves that nobody can reach ask last, where one line is known each."""
    found: dict[str, Asked] = {}
    for each in (each.thing for each in held(program.variables)):
        if isinstance(each, Tensor) and each is not tensor and not each.is_leaf:
            is_alike = [leaf.numel() for leaf in leaves_behind(each)] == [each.numel()]
            asked = asked_before(each, program) if is_alike else []
            asked = [each for each in asked if each.line not in lines]  # that is told already
            found |= {asked[0].line: asked[0]} if len(asked) == 1 else {}
    more = [*found.values()][:MOST_BESIDE]
    return "".join(f"; and `{each.asks_last}` in {each.line}" for each in more)


def stepped_in_place(name: str, program: Program) -> str:
    """How a result is made a leaf, where a line goes down its own gradient in place."""
    step, made = (program.step(name, kinds=(kind,)) for kind in (WRITES, BINDS))
    if step is None or made is None or f"{name}.grad" not in ast.unparse(step.value):
        return ""
    return f"{name} = ({ast.unparse(made.value)}).detach().requires_grad_()"


def leaf_meant(tensor: Tensor, program: Program) -> str | None:
    """The name of the one leaf of as many numbers, beside parameters, that it was computed from."""
    leaves = [each for each in leaves_behind(tensor) if not isinstance(each, Parameter)]
    is_alike = len(leaves) == 1 and leaves[0].numel() == tensor.numel()
    return program.name_of(leaves[0]) if is_alike else None


def has_lost_a_leaf(tensor: Tensor, program: Program) -> bool:
    """Whether a leaf behind a tensor has no name any more."""
    return any(program.name_of(leaf) is None for leaf in leaves_behind(tensor))
