"""What the notes on errors say about a program, in sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from inspect import signature
from types import FunctionType
from typing import Any

from ...autograd.function import Function, FunctionNode
from ...nn.layers import Linear
from ...tensor import Tensor
from ..gradients.computed_leaf import last_of
from ..gradients.results_of_leaf import users_of
from ..gradients.untracked import LOST, UNKNOWN
from ..gradients.untracked import what_to_do as remedies
from ..gradients.untracked import why_untracked as reasons
from ..graph.expression_of_node import line_of
from ..graph.history import leaves_behind, nodes_behind
from ..graph.nodes import kind_of, next_of, saved
from ..graph.out_of_place import not_in_place, out_of_place
from ..graph.put_into_leaves import computed_with, puts_at
from ..graph.saved_views import viewed
from ..paths.path import is_derived, path, recorded_derivatives
from ..paths.sibling_inputs import named_in, otherwise_called
from ..program.failure import Failure
from ..program.program import Program
from ..program.statements import uses
from ..source import reader
from ..source.called import is_in_a_library, thing_called
from ..source.parsed import expression_at, text_of_code, tree_of, tree_of_code
from ..source.syntax import is_at, is_call, names_in, parents_in, root, statements_at
from ..source.texts import all_calls, assignments, definition_of, everywhere
from ..source.variables import all_stepped, held, is_module, is_parameter, optimizers
from ..words.sentences import tell
from .graph_across_rounds import line_that_gives
from .lists_across_rounds import loops_around

#: calls that may compute with whatever a module keeps
BY_ANY_NAME = {"getattr", "children", "named_children", "modules", "named_modules"}


def why_untracked(tensor: Any, otherwise: str) -> str:
    """Why a tensor does not require grad; ``otherwise`` is what to call it if it has no name."""
    said, _name, _program = known_of(tensor, otherwise)
    return " ".join(said)


def what_to_do(tensor: Any) -> str:
    """What to write so that a tensor keeps its history; empty where that is unknown."""
    _said, name, program = known_of(tensor, "")
    return remedies(name, program)


def to_ask(tensor: Any) -> str:
    """Where to ask for gradients of what a derivative is taken by, whatever that lost before."""
    said, name, program = known_of(tensor, "")
    is_own = name in program.variables and tensor.dtype.is_floating_point
    line = program.binding_line(name) if is_own else None
    is_cut = any(each.startswith(LOST) for each in said)
    is_open = line is not None and (is_cut or not remedies(name, program))
    return f"{name}.requires_grad_() below {line}." if is_open else ""


def gives_a_list() -> bool:
    """Whether the failing line gives lists of roots and of gradients: ``backward([a, b], gs)``."""
    place = reader.place()
    call = None if place is None else expression_at(place)
    return is_call(call, {"backward"}) and len(call.args) > 1


def rows_anew() -> str:
    """How rows are computed anew that a loop writes into, one after the other; else empty."""
    for loop in loops_around(reader.frame()):
        match loop:
            case ast.For(
                ast.Name(row),
                ast.Name(whole),
                [ast.AugAssign(ast.Name(own), operation, value)],
            ) if own == row:
                new = ast.unparse(ast.BinOp(ast.Name(row), operation, value))
                return tell("rows-anew", whole=whole, row=row, new=new)
            case ast.For(ast.Name(), ast.Name(whole)):
                return tell("rows-in-a-list", whole=whole)
    return ""


def asks_a_part() -> bool:
    """Whether the failing line asks about another part in each round: ``grad(y[i], x)``."""
    program, frame = Program.of(reader.frame()), reader.frame()
    asked = program.asked[0].value if program.asked and frame is not None else None
    if not isinstance(asked, ast.Subscript):
        return False
    return any(names_in(loop.target) & names_in(asked.slice) for loop in loops_around(frame))


def asks_what_a_loop_gives() -> bool:
    """Whether the failing line asks about what a loop around it gives: ``for loss in losses``."""
    name, frame = asked_about(), reader.frame()
    loops = [loop for loop in loops_around(frame) if name in names_in(loop.target)]
    bound = [{n for each in loop.body for n in names_in(each, ast.Store)} for loop in loops]
    return not all(name in names for names in bound)


def known_of(tensor: Any, otherwise: str) -> tuple[list[str], str, Program]:
    """Why a tensor does not require grad, as the lines tell of the function that knows it best.

    That is the one whose line failed, or one that called it and has made the tensor itself.
    """
    first = None
    for frame in reader.callers(reader.frame()):
        code = frame.f_code
        if not is_in_a_library(code.co_filename):
            program = Program.of(frame)
            name = program.name_of_argument(tensor, 0) or ("" if first else otherwise)
            if name or first is None:
                program.meant[name] = tensor
                found = reasons(tensor, name, program), name, program
                if UNKNOWN not in " ".join(found[0]):
                    called = f"{first[1]} is {name} in {code.co_name}()." if first else ""
                    own = called and first[1] and code.co_name != "<module>"
                    return ([called, *found[0]] if own else found[0]), name, program
                first = first or found
    return first or ([], otherwise, Program())


def unpacked(maker: str) -> dict[str, str]:
    """The call in the failing line that unpacks parameters into their rows.

    What has the star, what is called, and the call without it.
    """
    frame = reader.frame()
    if frame is None or not maker.startswith("Unbind"):
        return {}
    here = reader.file_name(frame.f_code.co_filename)
    for source, call in all_calls(frame):
        if source.name == here and is_at(call, frame.f_lineno):
            stars = [each for each in call.args if isinstance(each, ast.Starred)]
            if stars and all(isinstance(e.value, ast.Call | ast.List) for e in stars):
                given = ", ".join(ast.unparse(getattr(e, "value", e)) for e in call.args)
                name, starred = ast.unparse(call.func), ast.unparse(stars[0])
                return {"starred": starred, "function": name, "written": f"{name}({given})"}
    return {}


def asked_about() -> str:
    """The name of what the failing line asks about: ``loss`` in ``loss.backward()``."""
    asked = [step.target for step in Program.of(reader.frame()).asked]
    return asked[0] if len(asked) == 1 and asked[0].isidentifier() else ""


def made_in_the_question(wanted: Any, output: Any) -> tuple[str, str]:
    """The expression of the failing line that made a tensor anew: ``x[0]`` in ``grad(u, x[0])``.

    And what to ask by instead; both are empty where nothing was made there.
    """
    program = Program.of(reader.frame())
    is_named = program.name_of(wanted) or wanted.grad_fn is None or len(program.asked) < 2
    given = ast.List([]) if is_named else program.asked[1].value
    things = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
    made = [thing for thing in things if makes_a_tensor(thing, program)]
    if len(made) != 1:
        return "", ""
    is_used = {*next_of(wanted.grad_fn)} & {*nodes_behind(output)}
    match made[0]:
        case ast.Subscript(whole) | ast.Call(ast.Attribute(whole)) if is_used and (
            viewed(made[0]) or is_call(made[0], {"clone"})
        ):
            part = f", and take {last_of(made[0])} of its gradient" * bool(viewed(made[0]))
            do = tell("ask-by-the-whole", whole=ast.unparse(whole), part=part)
        case _:
            do = tell("name-it-before", made=ast.unparse(made[0]))
    return ast.unparse(made[0]), do


def makes_a_tensor(thing: ast.expr, program: Program) -> bool:
    """Whether an expression computes a tensor, and does not only name one."""
    if isinstance(thing, ast.Subscript):
        return isinstance(thing_called(thing.value, program.variables), Tensor)
    return isinstance(thing, ast.Call | ast.BinOp | ast.UnaryOp)


def line_that_made(tensor: Any) -> str:
    """The line that bound the reader's name of a tensor; empty where that is unknown."""
    program = Program.of(reader.frame())
    name = program.name_of(tensor)
    return (line_that_gives(name, name, program) or "") if name else ""


def line_that_returns(function: FunctionType) -> tuple[str, bool]:
    """The line of the only ``return`` of a function, or its first where it has none at all.

    And whether it returns; the line is empty where it has several.
    """
    source, node = definition_of(function)
    gives = [each for each in ast.walk(node) if isinstance(each, ast.Return)]
    others = [each for each in ast.walk(node) if isinstance(each, ast.Yield | ast.Lambda)]
    meant = gives or [node][: not others]
    return source.spoken(meant[0].lineno) if source and len(meant) == 1 else "", bool(gives)


def lines_of(function: type) -> dict[str, str]:
    """Where a custom function is defined, and where it is applied; a single line each, or none."""
    found: dict[str, list[str]] = {"made": [], "applied": []}
    for source, each in everywhere(reader.frame()):
        key = "applied" if getattr(each, "attr", "") == "apply" else "made"
        own = getattr(each, "name", "") if key == "made" else root(each.value)
        if own == function.__name__ and source.spoken(each.lineno) not in found[key]:
            found[key].append(source.spoken(each.lineno))
    return {key: reader.in_brackets(*each) if len(each) == 1 else "" for key, each in found.items()}


def step_returned(forward: FunctionType) -> str:
    """What ``forward`` returns, as it is written, where that has no derivative but 0."""
    gives = re.findall(r"^ +return (.*)", ast.unparse(definition_of(forward)[1]), re.MULTILINE)
    return gives[0] if len(gives) == 1 and A_STEP.fullmatch(gives[0]) else ""


A_STEP = re.compile(
    r"[\w.]+\.(sign|round|floor|ceil|trunc)\([\w.]*\)|\(\w+ [<>]=? [\w.-]+\)\.(float\(\)|to\(.*\))"
)


def in_the_shape(got: Sequence, wanted: Sequence, index: int) -> str:
    """How a gradient comes to its shape: in another order, transposed or without dims of size 1.

    >>> in_the_shape([(2, 3), (3, 5)], [(2, 3), (5, 3)], 1)
    'return its transpose, as by .t().'
    """
    if sorted(filter(None, got)) == sorted(filter(None, wanted)):
        return "return the gradients in the order of the arguments of forward."
    one, other = got[index], wanted[index]
    if len(one) == 2 and one == other[::-1]:
        return "return its transpose, as by .t()."
    if [n for n in one if n != 1] == [n for n in other if n != 1]:
        return f"return it with .reshape({list(other)})."
    return f"return a gradient of shape {list(other)} in that place."


def gradients_in_order(node: FunctionNode) -> str:
    """What ``backward`` has to answer: a gradient for each argument that asks, None for others."""
    edges, parameters = iter(node.edges), signature(node.function.forward).parameters.values()
    named = [each.name for each in parameters if each.kind is not each.VAR_POSITIONAL]
    takes_ctx = node.function.setup_context is Function.setup_context
    known = dict(enumerate(named[takes_ctx:]))
    wanted = []
    for number, spec in enumerate(node.input_specs):
        asks = spec is not None and bool(next(edges))
        name = known.get(number, f"argument {number + 1}")
        wanted.append(f"the gradient of {name}" if asks else f"None for {name}")
    return f"({', '.join(wanted)})" if len(wanted) > 1 else "".join(wanted)


def read_by_no_line(wanted: Any) -> str:
    """What a module keeps that a parameter is in, or is, and that no line reads, with its line."""
    program = Program.of(reader.frame())
    name, parts = program.name_of(wanted) or "", [e for _, e in everywhere(program.frame)]
    read = {e.attr for e in parts if isinstance(e, ast.Attribute) and isinstance(e.ctx, ast.Load)}
    written = "".join(e.value for e in parts if isinstance(getattr(e, "value", 0), str))
    if not is_parameter(wanted) or any(is_call(each, BY_ANY_NAME) for each in parts):
        return ""
    for line, target, _ in assignments(program.frame):
        own = getattr(target, "attr", "")
        found = re.match(rf".*?\.{own}\b", name) if own and own not in read else None
        if found and own not in written:
            return f"{found[0]} ({line})"
    return ""


def where_a_path_breaks(output: Any, wanted: Any) -> tuple[str, str]:
    """Why no recorded path leads from one tensor back to another, and what to do."""
    inner = Program.of(reader.frame())
    said = [*path(output, wanted, inner)]
    whole = named_in(inner.name_of_argument(output, 0) or "", output, inner)
    for frame in [*reader.callers(inner.frame)][1:]:
        if how_known(said) > 1:
            break
        program = Program.of(frame)
        names = {inner.name_of(each): program.name_of(each) for each in (whole, wanted)}
        found = [*path(whole, wanted, program)] if all(names.values()) else []
        if found and how_known(found) >= max(1, how_known(said)):
            said = [otherwise_called(names, frame and frame.f_code), *found]
    why, do = why_and_do(said)
    return why.strip(), "; ".join(do)


def why_and_do(said: Sequence[str]) -> tuple[str, list[str]]:
    """What sentences tell, and what they advise, without the word that begins advice."""
    do = [each.removeprefix("Try: ") for each in said if each.startswith("Try: ")]
    return " ".join(each for each in said if not each.startswith("Try: ")), do


def asked_of_another(output: Any, wanted: Any) -> str:
    """The result that was computed from an input, where another one was asked; empty for none."""
    program = Program.of(reader.frame())
    asked, of = program.name_of_argument(output, 0), program.name_of(wanted)
    if asked and (is_derived(output) or recorded_derivatives(asked, program)):
        return tell("ask-of-a-derivative", a=asked)
    results = [n for n, t in users_of(wanted, program).items() if t.shape == output.shape]
    line = program.binding_line(results[0]) if len(results) == 1 else None
    return tell("ask-another", a=asked, b=of, other=results[0], line=line) if line and asked else ""


def how_known(said: list[str]) -> int:
    """2 where an answer tells what broke a path, 1 where it tells what else a result came from."""
    text = " ".join(" ".join(said).split())
    return 0 if "unknown" in text else 2 - ("no line that can be read" in text)


def instead_of_a_write(leaf: Any) -> str:
    """How to compute with what the failing line writes into a leaf, if that has a history."""
    if (place := reader.place()) is None:
        return ""
    statements = statements_at(tree_of(text_of_code(place[0])), reader.line_number(place))
    if not is_parameter(leaf) and (do := not_in_place(place, statements)):
        return do
    values = [each.value for each in statements if getattr(each, "value", None) is not None]
    if not any(has_history(each, leaf) for each in values):
        return ""
    puts = [each for each in puts_at(place) if not isinstance(each[0], ast.Subscript)]
    if puts or is_parameter(leaf):
        return computed_with(leaf, *puts[0]) if puts else ""
    return out_of_place([place], True)


def has_history(value: ast.expr, leaf: Any) -> bool:
    """Whether an expression calls a layer that learns, or computes with another tensor that asks.

    Parameters alone do not count: a copy that follows them is changed without recording. They do
    for a number that nobody steps, as a loss is.
    """
    known = reader.variables()
    is_number = leaf.numel() == 1 and not is_parameter(leaf) and id(leaf) not in all_stepped(known)
    called = [each.func for each in ast.walk(value) if is_call(each)]
    run = {root(each) for each in called if is_module(thing_called(each, known))}
    for name, lost in uses(value, lambda *_: None):
        inside = [] if lost else [each.thing for each in held({name: known.get(name)})]
        asking = [t for t in inside if isinstance(t, Tensor) and t.requires_grad and t is not leaf]
        if asking and (is_number or str(name) in run or not all(map(is_parameter, asking))):
            return True
    return False


def made_to_be_filled(leaf: Any) -> str:
    """The line that made a leaf of zeros, if values with a history are written into its items."""
    frame, name, known = reader.frame(), reader.name_of(leaf), reader.variables()
    line = Program.of(frame).binding_line(name) if name else None
    if line is None or not re.search(r"\b(zeros|empty)(_like)?\(", line):
        return ""
    items = (value for _, at, value in assignments(frame) if ast.unparse(at).startswith(f"{name}["))
    for value in items:
        given = held({each: known.get(each) for each in names_in(value) - {name}})
        if any(getattr(each.thing, "requires_grad", False) for each in given):
            return line
    return ""


def instead_of_a_parameter(failure: Failure, parameter: Any, given: Any) -> tuple[str, str]:
    """What the failing line gives a module for a parameter, as it is written, and what to write.

    Both are empty where no assignment is read.
    """
    code = failure.frame and failure.frame.f_code
    is_step = [*map(id, leaves_behind(given))] == [id(parameter)]
    match parents_in(tree_of_code(code)).get(failure.expression) if code else None:
        case ast.Assign([ast.Attribute() as target, *_], value):
            name, new = ast.unparse(target), ast.unparse(value)
        case _:
            own = ast.Name("the parameter")
            return "", "" if is_step or given.is_leaf else computed_with(parameter, own, None)
    for each in ast.walk(value) if parameter is not None else ():
        other = failure.value(each) if isinstance(each, ast.Name | ast.Attribute) else None
        if other is not parameter and is_parameter(other) and other.shape == parameter.shape:
            is_alike = given.shape == other.shape
            if bool((given == other).all()) if is_alike else given._base is other:
                return new, tell("the-parameter-itself", name=name, other=ast.unparse(each))
    if given.grad_fn is not None and (not is_step or code.co_name == "forward"):
        owner, layer = ast.unparse(target.value), failure.value(target.value)
        if isinstance(layer, Linear) and target.attr == "weight":
            bias = "" if layer.bias is None else f", {owner}.bias"
            return new, tell("linear-with", new=new, bias=bias, owner=owner)
        return new, computed_with(parameter, target, value)
    if parameter is not None and given.shape == parameter.shape:
        return new, tell("into-the-parameter", name=name, new=new)
    return new, f"`{name} = torch.nn.Parameter({new})`, before an optimizer is given the parameters"


def is_a_loss(tensor: Any) -> bool:
    """Whether a result has a name of the reader's, and what is behind it is stepped."""
    name = reader.name_of(tensor) or ""
    its_optimizers = optimizers(reader.variables(), leaves_behind(tensor))
    return name.isidentifier() and (bool(its_optimizers) or is_stepped_by_hand())


def kept_by_a_mask(tensor: Any) -> str:
    """How many elements a mask of 0 and 1 keeps that was multiplied in last, as it is written."""
    for mask in constant_factors(tensor.grad_fn):
        name = reader.name_of(mask)
        if name and bool(((mask == 0) | (mask == 1)).all()):
            own = "" if mask.shape == tensor.shape else f".expand_as({reader.name_of(tensor)})"
            return f"{name}{own}.sum()"
    return ""


def is_shared_out(tensor: Any) -> bool:
    """Whether each element was multiplied by its share last: the shares add up to 1."""
    shares = [each for each in constant_factors(tensor.grad_fn) if each.shape == tensor.shape]
    return any(each.numel() > 1 and abs(float(each.sum()) - 1) < 1e-4 for each in shares)


def constant_factors(node: Any) -> list[Any]:
    """The factors without a history that a product has saved."""
    factors = [saved(node, name) for name in ("self", "other") if kind_of(node) == "Mul"]
    return [each for each in factors if each is not None and not each.requires_grad]


def is_stepped_by_hand() -> bool:
    """Whether a line goes down a gradient as it is, and does not share it out among rows first."""
    lines = (ast.unparse(each) for _, each in everywhere(reader.frame(), STEPS))
    return any(DOWNHILL.search(line) and "/" not in line for line in lines)


STEPS = ast.Assign | ast.AugAssign | ast.Expr
DOWNHILL = re.compile(r"(-=? |\.(sub|add)_\().*\.grad\b")


def unreduced(tensor: Any) -> str:
    """The only line that asks a loss for one number each, where a node behind is of such a loss.

    Else the line inside of a function that gave several, such as the ``return`` of a loss.
    """
    lines = {
        source.spoken(each.lineno)
        for source, each in everywhere(reader.frame(), ast.keyword)
        if each.arg in ("reduction", "reduce")
        and getattr(each.value, "value", "") in ("none", False)
    }
    is_one = any("Loss" in node.name() or "Entropy" in node.name() for node in nodes_behind(tensor))
    if len(lines) == 1 and is_one:
        return reader.in_brackets(f"unreduced in {lines.pop()}")
    line = line_of(tensor.grad_fn, Program.of(reader.frame()))
    is_inside = line and line != line_that_made(tensor)
    return reader.in_brackets(f"made in {line}" if is_inside else "")
