"""Why a tensor has no history: what the reader's lines, its memory and the grad mode still tell.

An operation that is not recorded leaves nothing behind, so that it costs nothing. What can be known
afterwards is said; the rest is said to be unknown.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ...autograd.thread_state import state
from ...autograd.views import NO_GRAD
from ...nn.module import Module
from ...nn.parameter import Parameter
from ...tensor import Tensor
from ..graph.expression_of_node import functions_run, line_of_assignment
from ..graph.nan_and_inf import kind_of
from ..graph.recorded import are_of_values, breaks_beside_frozen, lines_made, unrecorded_pass
from ..program.breaks import LEFT_OUT, Break, breaks, remedy, scissors
from ..program.counted import counted_by
from ..program.cuts import BY_GRAD, ENDS_THERE, MEANING, MOVE
from ..program.program import TO_CHANGE_A_LEAF, Program
from ..program.reading import FACTORIES
from ..program.statements import RESULT, WRITES
from ..source import reader
from ..source.called import function_called
from ..source.line_order import without_text
from ..source.syntax import attributes_in, calls_in, is_call, names_in
from ..source.texts import everywhere, led_to, texts
from ..source.variables import all_stepped, held, is_module, optimizers, parts
from ..words.sentences import tell
from .constant_derivatives import constant_derivative
from .frozen import by_frozen, froze, frozen_behind, to_thaw
from .misspelt import idle_flags_for, misspelt, not_asked

MOST_MADE = 2
TOO_LATE = re.compile(r"(\w+) was computed before .*?\((line \d+ of [^:)]*)")
COPIES = re.compile(r"state_dict\(|(detach\(\)|\bdata)\.clone\(|clone\(\)\.(detach\(|data\b)")
UNKNOWN = "Which of these is unknown."
COMPUTED = "It was computed from"
UNASKED = "It was made without asking for gradients"
IF_THAT = ", if the gradient itself is to be differentiated"
FORM = " asks for the form"  #: whose answer never has a history that could be lost
RETURN = ": `return "
LOST = "How it lost its history", "If this line ran, it lost its history there"
GRADIENTS = re.compile(r"(\.grad has|\w+\(\.\.\.\) gives) a history only")
PLAIN_VALUES = "It was made from plain values"
CALLED = type | ModuleType | FunctionType  #: what is no value that is computed with
PLAIN = bool | int | float | str | np.ndarray | np.generic | ModuleType | None


def why_untracked(tensor: Tensor, name: str, program: Program) -> list[str]:
    """Sentences on why ``tensor`` does not require grad, from what knows best."""
    said = [*misspelt(tensor, name, program)] or buffer_of(tensor, name, program)
    if not said and (known := constant_derivative(tensor, name, program)):
        if known.is_custom:
            return [tell("custom-derivative", it=known)]
        return [
            tell("constant-derivative", it=known),
            *[cut.told(*LOST) for cut in cuts_within(name, program)],
        ]
    said += by_a_pass(tensor, name, program)
    said = said or lost_history(name, program)
    if not said and (line := constant_result(name, program)):
        return [tell("constant-result", name=name, line=line)]
    if not said and (given := handed_in(name, program)):
        said = lost_history(*given)
    if not said and (wrong := not_asked(program)):
        return [wrong[0]]
    if not said and (counted := counted_by(name, program)):
        return [counted.why]
    said = said or never_had_one(tensor, name, program)
    if not said or said[0].startswith(COMPUTED):
        said = by_frozen(name, program) or said
    if not said and (lines := lines_made(tensor)) and tensor.dtype.is_floating_point:
        return [f"Its values come from {lines[0]}, where nobody had asked for gradients."]
    return said or [what_it_shows(tensor), *not_read(name, program)]


def by_a_pass(tensor: Any, name: str, program: Program) -> list[str]:
    """That a pass without a history of its own filled what ``name`` is, or is a copy of.

    Numbers alone do not show a copy, as those of ``x`` are the gradient of ``(w * x).sum()``: a
    line that made it has to read a ``.grad``.
    """
    parts, own = [*everywhere(program.frame)], name.partition("[")[0]
    made = [
        (at, e) for at, e in parts if isinstance(e, ast.Assign) and own in names_in(e, ast.Store)
    ]
    inside = [e for _, part in led_to(made, program.frame) for e in ast.walk(part)] if made else []
    called = {id(each.func) for each in inside if is_call(each)}
    grads = [each for each in inside if getattr(each, "attr", "") == "grad"]
    is_read = any(id(each) not in called for each in grads)
    return unrecorded_pass(tensor, name, program.variables, is_read)


def constant_result(name: str, program: Program) -> str:
    """The line of a function that gave ``name``, where all it gives are new plain values."""
    steps = [program.steps[at] for at in {at for _, at, _ in program.ingredients(name)}]
    for step in (each for each in steps if each.target == name and is_call(each.value)):
        called = function_called(step.value, program.variables)
        entered = program.entered(*called) if called else None
        gives = [each for each in entered[0].steps if each.target == RESULT] if entered else []
        if len(gives) == 1 and is_call(gives[0].value.elts[1], FACTORIES - {"tensor"}):
            return gives[0].line
    return ""


def buffer_of(tensor: Tensor, name: str, program: Program) -> list[str]:
    """That a module keeps a tensor as a buffer, which is no parameter."""
    modules = [each.thing for each in held(program.variables) if is_module(each.thing)]
    if any(each is tensor for module in modules for each in module.buffers()):
        return [tell("buffer", name=name)]
    return []


def lost_history(name: str, program: Program) -> list[str]:
    """What the reader's lines say on how ``name`` lost its history."""
    cuts = cuts_behind(name, program)
    said = [cut.told(*LOST) for cut in cuts]
    if cuts and cuts[0].certain and program.shown.scene is None:
        program.shown.scene = scissors("…", name, cuts[0])
    if said and program.is_updated(name):
        said.append(f"{name} names a new tensor since then. {TO_CHANGE_A_LEAF.format(name)}")
    return [*said, *(asked_above_it(name, program) if said else ())]


def cuts_behind(name: str, program: Program) -> list[Break]:
    """The lines that took away a history that ``name`` would have had."""
    tensor = program.variables.get(name, program.meant.get(name))
    kept = breaks_beside_frozen(tensor)
    routes, asked, made = [], False, lines_made(tensor)
    is_returned = any(RETURN in line for line in made) and not tensor._version
    for used, at, lost in program.ingredients(name):
        thing = program.variables.get(used)
        if is_module(thing) and any(cut.loss == MEANING["deepcopy"] for cut in lost):
            continue  # the parameters of a copy are leaves of its own, and ask by themselves
        if reads_no_grad(thing, lost):
            continue
        asks = used != name and asks_for_gradients(thing)
        is_derived = any(cut.loss == BY_GRAD and cut.certain for cut in lost)  # else it had raised
        is_derived &= not holds_no_tensor(thing)
        tracked = asks or is_derived or not program.is_present(used, at)
        if is_returned and all(cut.loss in ENDS_THERE for cut in lost):
            continue  # by another return of the function, which is recorded where it runs
        if lost and lost[-1].has_ended(program.cutting) and tracked:
            routes.append(lost)
            asked |= asks
    found = [cut for cut in breaks(routes) if FORM not in cut.said]
    if tensor is not None and not kept and program.is_updated(name):  # which had no history
        return [cut for cut in found if not cut.said.startswith("no_grad was on")]
    if kept:
        line = program.binding_line(name) or ""
        places = {without_text(line)} - {cut.place for cut in kept}  # of an operand beside
        lost = [each for each in found if each.place in places and not each.expected]
        lost = [each for each in lost if not each.do.startswith(MOVE)]
        if all(cut.plain in LEFT_OUT for cut in kept):  # a derivative leaves no trace
            lost = [cut for cut in found if cut.said.startswith("grad(")] or lost
        return lost or kept
    if not asked and made and are_of_values(found):
        return []  # of values that are not known to have had a history
    is_plain = all(cut.expected for cut in found)  # such as the copy that a frozen net is
    return [] if found and is_plain and frozen_behind(name, program) else found


def reads_no_grad(thing: Any, lost: Sequence[Any]) -> bool:
    """Whether a way goes by the ``.grad`` of what has none and asks for none: by a None."""
    is_read = any(cut.loss == MEANING["grad"] for cut in lost)
    return is_read and isinstance(thing, Tensor) and not thing.requires_grad and thing.grad is None


def holds_no_tensor(thing: Any) -> bool:
    """Whether this is a module of Python's, a number or a list of some: with nothing to lose."""
    if isinstance(thing, ModuleType | int | float | str):
        return True
    return isinstance(thing, list | tuple) and all(isinstance(each, int | float) for each in thing)


def is_copied(said: Iterable[str]) -> bool:
    """Whether a tensor was made for a copy without a history, which is rarely a mistake."""
    return any(map(COPIES.search, said))


def handed_in(name: str, program: Program) -> tuple[str, Program] | None:
    """What a value was computed from that the running function was given without a history.

    By its name in the function that called, and with the lines of that one.
    """
    if program.frame is None:
        return None
    code, known = program.frame.f_code, program.frame.f_locals
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    used = {used for used, _at, _lost in program.ingredients(name)} & {*arguments}
    given = [thing for each in sorted(used) if isinstance(thing := known.get(each), Tensor)]
    for outer in [*reader.callers(program.frame)][1:]:
        for own, thing in outer.f_locals.items():
            if not asks_for_gradients(thing) and any(thing is each for each in given):
                return own, Program.of(outer)
    return None


def cuts_within(name: str, program: Program) -> list[Break]:
    """The lines that took away a history, beside those that read a gradient."""
    return [each for each in cuts_behind(name, program) if not GRADIENTS.match(each.said)]


def is_a_gradient(name: str, program: Program) -> bool:
    """Whether a value has no history because it was computed from gradients, and nothing else."""
    tensor = meant_by(name, program)
    are_all = cuts_behind(name, program) and not cuts_within(name, program)
    return bool(are_all or by_a_pass(tensor, name, program))


def meant_by(name: str, program: Program) -> Any:
    """What a name stands for in the question; of the name of a list, which part of it."""
    thing = program.variables.get(name)
    return thing if isinstance(thing, Tensor) else program.meant.get(name, thing)


def what_to_do(name: str, program: Program) -> str:
    """What to write so that ``name`` keeps its history; empty where that is unknown."""
    tensor = meant_by(name, program)
    if known := constant_derivative(tensor, name, program):
        if known.is_custom:
            return tell("save-for-derivatives")
        cut = remedy(cuts_within(name, program))
        zeros, cut = known.by or known.name, f"; or {cut}" * bool(cut)
        return tell("its-derivative", it=known, zeros=zeros, cut=cut)
    if by_a_pass(tensor, name, program):
        return f"pass create_graph=True there{IF_THAT}."
    if do := remedy(cuts_behind(name, program)):
        return f"{do}."
    if constant_result(name, program):
        return tell("compute-the-result")
    if (given := handed_in(name, program)) and (do := remedy(cuts_behind(*given))):
        return f"{do}."
    if wrong := not_asked(program):
        return f"{wrong[1]}."
    if counted := counted_by(name, program):
        return counted.do
    said = never_had_one(tensor, name, program) if isinstance(tensor, Tensor) else []
    if late := TOO_LATE.match(said[0] if said else ""):
        return f"compute {late[1]} again, below {late[2]}."
    if said and said[0].startswith(PLAIN_VALUES) and name in program.variables:
        return f"{name}.requires_grad_() below that line, if gradients of {name} are wanted."
    if not said or said[0].startswith((COMPUTED, UNASKED)):
        if do := to_thaw(name, program):
            return do
        if leaves := said and to_be_learned(name, program):
            (own, line), *rest = leaves.items()
            whole = own.removesuffix("[0]")
            if leaves.keys() == {path for path, _ in parts(whole, program.variables.get(whole))}:
                return f"`for each in {whole}: each.requires_grad_()` below {line}."
            so = ", ".join(f"{each} ({at.partition(': `')[0]})" for each, at in rest)
            return f"{own}.requires_grad_() below {line}{f', and so for {so}' * bool(so)}."
    if (lines := lines_made(tensor)) and not said and not cuts_behind(name, program):
        return f"make it from tensors that ask, or pass requires_grad=True there ({lines[0]})."
    return ""


def asks_for_gradients(thing: Any) -> bool:
    """Whether ``thing`` is a tensor that requires grad, or holds one as a module or object."""
    tensors = [parameter for _, parameter in reader.parameters_of(thing)] or [thing]
    if isinstance(thing, dict | list | tuple):
        tensors += thing.values() if isinstance(thing, dict) else thing
    if not isinstance(thing, Tensor | CALLED):
        tensors += getattr(thing, "__dict__", {}).values()
    return any(isinstance(each, Tensor) and each.requires_grad for each in tensors)


def never_had_one(tensor: Tensor, name: str, program: Program) -> list[str]:
    """What the reader's lines say where nothing that ``name`` was made from asked for gradients."""
    line = program.binding_line(name)
    if line is None or isinstance(tensor, Parameter) or tensor.is_inference():
        return []
    if not tensor.dtype.is_floating_point:
        return []
    operands, learned = {}, to_be_learned(name, program)
    if name in learned and line in [step.line for step in program.asked]:  # an item
        return [f"{UNASKED} ({learned[name]})."]
    are_stepped = learned and optimizers(program.variables)  # whatever else it was computed from
    used_for = [*program.ingredients(name)]
    for used, at, _ in used_for:
        if used not in program.variables and hasattr(builtins, used):
            continue
        if used == name and program.steps[at].kind is WRITES:
            continue
        thing = program.variables.get(used, program)
        is_known = isinstance(thing, PLAIN) or isinstance(thing, type) and issubclass(thing, Module)
        if isinstance(thing, Tensor | Module):
            operands[used] = thing
        elif not is_known and not are_stepped:
            return []  # such as a function or a list: what is in it was not read
        if not program.is_present(used, at) and not are_stepped:
            return []
    if late := [operand for operand in operands if asks_for_gradients(operands[operand])]:
        flagged = program.flagged_after(late[0], name)
        return [was_computed_before(late[0], *flagged)] if flagged else []
    if not state.here.enabled:
        return []
    grads = [[cut.line for cut in cuts if cut.loss == MEANING["grad"]] for _, _, cuts in used_for]
    if grads and all(grads):
        return [tell("read-from-a-grad", name=name, line=grads[0][0])]
    if not operands and not learned:
        return [f"{PLAIN_VALUES} ({line}), and nobody had asked for gradients."]
    first = [e for e in operands if not operands.keys() & program.parts_of(e)]
    those = ", ".join(learned or first or operands)
    if (last := program.last_line(name)) is None:
        return []
    said = [f"{COMPUTED} {those} ({last}), where nobody had asked for gradients."]
    first = [
        each for each in first if getattr(operands[each], "dtype", tensor.dtype).is_floating_point
    ]
    first = [] if learned else first
    if made := list(filter(None, map(program.factory_line, first)))[:MOST_MADE]:
        said.append(f"They can be asked for where a leaf is made: {'; or '.join(made)}.")
    return said


def asked_above_it(name: str, program: Program) -> Iterator[str]:
    """Where the nan of derivatives that a function took of others is still known, by its line."""
    step, thing = program.step(name), program.variables.get(name)
    kind = kind_of(thing) if isinstance(thing, Tensor) else ""
    calls = calls_in(step.value) if kind and step is not None else []
    for _source, body, _ in functions_run(calls, program.variables):
        around = [each for each in ast.walk(body) if isinstance(each, ast.comprehension)]
        wholes = {ast.unparse(each.target): each.iter for each in around}
        for call in (each for each in ast.walk(body) if is_call(each, {"grad"})):
            is_last = not any(each.arg == "create_graph" for each in call.keywords)
            if is_last and len(call.args) > 1:
                given, by = map(ast.unparse, call.args[:2])
                of = ast.unparse(wholes.get(given, call.args[0]))
                yield tell("ask-above-it", kind=kind, of=of, by=by)
                return


def to_be_learned(name: str, program: Program) -> dict[str, str]:
    """The leaves behind a value that are stepped, or whose ``.grad`` is read, and their lines.

    These are the weights among data; none where the line of one is unknown.
    """
    stepped, things = all_stepped(program.variables), program.variables
    read = read_gradients_of(program)
    used = dict.fromkeys(own for own, _, _ in program.ingredients(name) if own != name)
    plain = {e: things[e] for e in used if not isinstance(things.get(e, ast), CALLED)}
    tensors = [each for each in held(plain) if isinstance(each.thing, Tensor)]
    found = {
        each.path: program.binding_line(each.root)
        or line_of_assignment(program, lambda at, _, own=each.root: ast.unparse(at) == own)
        for each in tensors
        if not each.thing.requires_grad and each.thing.dtype.is_floating_point
        if not isinstance(each.thing, Parameter)
        if id(each.thing) in stepped
        or each.path in read
        and not plain.keys() & program.parts_of(each.root)
    }
    return found if all(found.values()) else {}


def read_gradients_of(program: Program) -> set[str]:
    """Whose ``.grad`` the program reads, also by the name that a loop gives to each of several."""
    grads = [each for _, tree in texts(program.frame) for each in attributes_in(tree, {"grad"})]
    read = {ast.unparse(each.value) for each in grads}
    given = [each for _, each in everywhere(program.frame, ast.Assign)]
    lists = {ast.unparse(each.targets[0]): each.value for each in given}
    for _, loop in everywhere(program.frame, ast.For):
        if ast.unparse(loop.target) in read:
            whole = lists.get(ast.unparse(loop.iter), loop.iter)
            read |= {*map(ast.unparse, getattr(whole, "elts", ()))}
    return read


def how_to_ask(leaf: Tensor, name: str, when: str, program: Program, more: str = "") -> list[str]:
    """Where a leaf was made without asking, or was frozen, and what to write.

    ``more`` is what else has to change on the way to it.
    """
    if isinstance(leaf, Parameter):
        when += f", and {more}" * bool(more)
        tools = [*optimizers(program.variables)]
        is_new = tools and id(leaf) not in all_stepped(program.variables)
        own = tools[0] if len(tools) == 1 else "an optimizer"
        also = f", and give it to {own} as well" * bool(is_new)
        frozen = f"{name} is frozen{froze([(name, leaf)], program)}."
        if flags := [*idle_flags_for(leaf, program)]:
            return [frozen, flags[0]]
        return [frozen, f"Try: {name}.requires_grad_(True){when}{also}, if it is to learn."]
    if wrong := [*misspelt(leaf, name, program)]:
        return wrong
    if wrong := not_asked(program, leaf):
        return [wrong[0], f"Try: {wrong[1]}."]
    if buffer := buffer_of(leaf, name, program):
        return buffer
    if frozen := by_frozen(name, program):
        do = f"{name}.requires_grad_(){when}, if its gradient is wanted"
        do = "; or ".join(filter(None, (do, to_thaw(name, program).removesuffix("."))))
        return [*frozen, f"Try: {do}{f'; and with it, {more}' * bool(more)}."]
    line = program.binding_line(base := name.partition("[")[0])
    is_question = line in [step.line for step in program.asked]
    made = lines_made(leaf) or ([] if line is None or is_question else [line])
    said = [f"{UNASKED} ({line})." for line in made]
    there = "requires_grad=True there, or " if program.factory_line(base) else ""
    when += f", and {more}" * bool(more)
    return [*said, f"Try: {there}{name}.requires_grad_(){when}, if its gradient is wanted."]


def is_read(name: str, program: Program) -> bool:
    """Whether nothing is hidden of what ``name`` was computed from, as in an object or a list."""
    used = {used for used, _, _ in program.ingredients(name) if not hasattr(builtins, used)}
    things = [program.variables.get(each) for each in used]
    return program.last(name) >= 0 and all(isinstance(each, PLAIN | Tensor) for each in things)


def not_read(name: str, program: Program) -> list[str]:
    """Where to ask further: inside those of the reader's functions that could not be followed."""
    own = [
        used
        for used in sorted(program.parts_of(name))
        if isinstance(function := program.variables.get(used), FunctionType)
        if not function.__code__.co_filename.startswith(reader.PACKAGE)
    ]
    said = f"The lines inside {', '.join(own)} were not read; explain(...) can be asked there."
    return [said] if own else []


def was_computed_before(operand: str, result: str, asked: str, made: str) -> str:
    """A sentence on a flag that came too late."""
    before = f"{result} was computed before {operand} was asked to require grad ({asked})"
    return f"{before}, namely in {made}." if made else f"{before}."


def ask_before(operand: str, result: str, asked: str, made: str) -> str:
    """What to write where a flag came too late."""
    quoted = re.search("`(.*)`", asked)
    line = without_text(made) or f"the line that computes {result}"
    return f"Try: `{quoted[1] if quoted else f'{operand}.requires_grad_()'}` before {line}."


def what_it_shows(tensor: Tensor) -> str:
    """What the tensor itself tells.

    >>> import minigrad as mg
    >>> what_it_shows(mg.tensor([1, 2]))
    'Its dtype is int64, and only floating point numbers have gradients.'
    """
    if not tensor.dtype.is_floating_point:
        return f"Its dtype is {tensor.dtype.name}, and only floating point numbers have gradients."
    if tensor.is_inference():
        return "It was made in inference mode, where nothing is recorded."
    if isinstance(tensor, Parameter):
        return "It is a parameter that was frozen, by requires_grad=False or requires_grad_(False)."
    if tensor._is_view() and tensor._meta.made == NO_GRAD:
        return "It is a view that was made while grad mode was off (no_grad)."
    if not state.here.enabled:
        return tell("grad-mode-off")
    return f"{tell('nobody-asked')} {UNKNOWN}"
