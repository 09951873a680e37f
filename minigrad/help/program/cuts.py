"""What takes the history away from a value, as it stands in a program, and what to do instead."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from ...extras.recorded_cuts import LINES
from ..source import reader
from ..source.line_order import at, text_in, without_text
from ..source.lists import is_list, parts_of
from ..source.syntax import (
    FUNCTIONS,
    is_at,
    is_call,
    is_word,
    name_called,
    names_in,
    operands,
    parts_in,
)
from ..source.texts import assignments, definition_of, everywhere
from ..source.variables import parameters_of, thing_at
from ..words.sentences import say, table
from .arrays import besides
from .derivatives import taken_again
from .emptied import is_emptied_somewhere
from .next_leaf import next_leaf
from .numpy_to_tensors import is_ours, of_a_list, with_tensors
from .picked import (
    decoded,
    expected_position,
    instead_of_a_draw,
    instead_of_picking,
    is_an_index,
    soft_rank,
)
from .soft import joined_masks, largest, smooth, smooth_each, soft
from .updates import update_in


@dataclass(frozen=True)
class Loss:
    """What takes the history away, and what to write instead.

    ``expected`` where nobody would look for a gradient: a size, a mask, a position; ``form`` where
    no value goes on. ``kept`` where the engine remembers each line that has done it, ``off`` where
    grad mode was off, ``along`` the numbers of lines that are to move with the one told, and
    ``left`` those of the others in its block, None where there is no block.
    ``unless`` is the variable that decides, where the line cuts only while that is false.
    """

    says: str
    do: str = ""
    expected: bool = False
    form: bool = False
    kept: bool = False
    off: bool = False
    along: tuple[int, ...] = ()
    left: tuple[int, ...] | None = None
    unless: str = ""


INTEGERS = {"int8", "int16", "int32", "int64", "uint8", "short", "int", "long", "byte"}
POSITIONS = {"argmax", "argmin", "argsort", "nonzero", "count_nonzero", "searchsorted", "indices"}
PAIRS = {"max", "min", "sort", "topk", "median", "kthvalue", "mode", "cummax", "cummin"}
QUESTIONS = {
    "eq", "ne", "isnan", "isinf", "isfinite", "isclose", "allclose",
    "equal", "any", "all", "logical_and", "logical_or", "logical_not", "is_tensor",
}  # fmt: skip
COMPARES = {"lt", "le", "gt", "ge"}
SIZES = {
    "shape", "size", "dim", "ndim", "numel", "dtype", "len", "stride", "is_leaf", "grad_fn", "keys",
    "ones_like", "zeros_like", "rand_like", "randn_like", "empty_like", "new_zeros", "new_ones",
}  # fmt: skip
OFF = {"no_grad", "inference_mode"}
SECOND = "the second result of"
GIVES_POSITIONS = " gives positions"
IN_WORDS = "(softmax of the scores * their positions).sum() over that dimension"
TO_PICK = ("int", "item", "bool")  #: what a position is made by
COPIES = {"load_state_dict", "vector_to_parameters"}

MOVE = "move the line out of "  #: what stands beside each other under one switch moves together
ITSELF = "{0} itself in the place of {1}({0})"
STACK = "torch.stack({0}) in the place of {1}({0})"
EITHER = ITSELF + ", or torch.stack({0}) if that is a list of tensors"
MADE_ANEW = re.compile(r"([\w.]+) itself in the place of (\w+)\(")
JOIN = "torch.stack([...]) in its place, or torch.cat([...]) where they have dimensions to join,"
TO_INTEGERS = "gives integers", "to integers"
GUESSES = "a comparison ", *TO_INTEGERS
THRESHOLD = re.compile(r"[^-][<>]|\b[gl][te]\(")
JUMPS = {"round", "floor", "ceil", "trunc", "sign"}  #: whose derivative is 0
BY_NUMPY = re.compile(r" for ((?:np|numpy)\.\w+)\(\.\.\.\)$")
PLAIN_NUMBERS = "(...) computes with plain numbers"
WITHOUT_FLAG = ", without requires_grad=True"
DRAWN = "mean + std * torch.randn_like(std), of the two that it is given,"
ITEMS = "torch.stack([torch.as_tensor(each) for each in [...]])"
ROWS = f"torch.stack([{ITEMS.replace('[...]', 'row')} for row in [...]])"
KEPT = " joins tensors and keeps their history"
LISTS = ast.List | ast.Tuple | ast.ListComp
MOST_WRITTEN = 100  #: letters of a remedy that is written out
#: by the name of a method, an attribute or a function
MEANING = {name: Loss(**words) for name, words in table("program/cuts")["called"].items()}


@cache
def lost_by(key: str, name: str = "", **given: str) -> Loss:
    """What a line takes away that is written like this, with the words of the table.

    >>> lost_by("size", "ndim").says
    'ndim asks for the form, not for the values'
    """
    words = {part: said for part, said in table("program/cuts")[key].items() if part != "soft"}
    told = {part: words[part].format(name=name, **given) for part in words.keys() & {"says", "do"}}
    return Loss(**words | told)


BY_GRAD = lost_by("autograd-grad", "grad")
OF_A_COMPARISON = lost_by("comparison").says
COUNT = lost_by("count")  #: how often something runs, or how much there is
COUNTS = {"range", "arange", "ones", "zeros", "empty", "rand", "randn", "eye"}
FUNCTIONAL = {"jacobian", "hessian", "vjp", "jvp", "hvp", "vhp"}  #: of a function and its inputs
AT_A_POSITION = lost_by("position")  #: its remedy stands in the place of those for how it was made
ENDS_THERE = MEANING["detach"], MEANING["data"]  #: what follows begins with the same values


def switches_off(context: ast.expr) -> Loss | None:
    """What a ``with`` item or a decorator says, if it turns grad mode off."""
    name = name_called(context.func if isinstance(context, ast.Call) else context)
    match context:
        case ast.Call(_, [ast.Constant(False), *_]) if name in OFF:
            return None  # inference_mode(False)
        case _ if name in OFF:
            return was_on(name, name)
        case ast.Call(_, [ast.Constant(False), *_]) if name == "set_grad_enabled":
            return was_on(f"{name}(False)", name)
    return None


def was_on(switch: str, name: str, since: str = "") -> Loss:
    """What a switch that turns grad mode off takes away."""
    said = f"{switch} was on{since}, so nothing was recorded"
    return Loss(said, f"{MOVE}{name}", kept=True, off=True)


def step_again(loss: Loss, loop: ast.For | ast.While, number: int) -> Loss | None:
    """The loss where a loop in such a block iterates ``z = f(z, x)``: its step can run once more.

    None where each round computes something else, as with the next item of the loop.
    """
    bound = {
        e.targets[0].id: e for e in parts_in(loop, ast.Assign) if isinstance(e.targets[0], ast.Name)
    }
    own = next((name for name, each in bound.items() if is_at(each, number)), "")
    value = getattr(bound.get(own), "value", None)
    goes_on = [own, *(name for name, e in bound.items() if getattr(e.value, "id", "") == own)]
    carried = [name for name in goes_on if name in names_in(value)]
    given = names_in(getattr(loop, "target", None)) & names_in(value)
    if not carried or given or not loss.do.startswith(MOVE):
        return None
    names = " = ".join(dict.fromkeys([own, *carried]))
    do = say("step-again", again=f"{names} = {ast.unparse(value)}", off=loss.do.removeprefix(MOVE))
    return replace(loss, do=do)


def switches_on(context: ast.expr) -> bool:
    """Whether a ``with`` item turns grad mode on again."""
    name = name_called(context.func if isinstance(context, ast.Call) else context)
    match context:
        case ast.Call(_, [ast.Constant(True), *_]) if name == "set_grad_enabled":
            return True
    return name == "enable_grad"


def cut_by(node: ast.AST, child: ast.AST) -> Loss | None:
    """What ``node`` does to the history of its part ``child``; None if it keeps it.

    >>> tree = ast.parse("a.detach() * b", mode="eval").body
    >>> cut_by(tree.left.func, tree.left.func.value).says
    'detach() gives the same value without history'
    >>> cut_by(tree, tree.left)
    """
    match node:
        case ast.Compare(_, [ast.Is() | ast.IsNot()], _):  # asks nothing of values
            return None
        case ast.IfExp(ast.Compare(_, [ast.Is() | ast.IsNot()], _) as test) if child is test:
            return None
        case ast.Compare() if soft(node):
            return replace(lost_by("comparison"), do=smooth(node))
        case ast.Compare(a, [ast.NotEq()], [ast.Constant() as b]):
            apart = f"({ast.unparse(a)} - {ast.unparse(b)}).abs() in its place"
            return replace(lost_by("comparison"), do=apart)
        case ast.Compare():
            return replace(lost_by("comparison"), do=largest(node) or lost_by("comparison").do)
        case ast.IfExp() if child is node.test:
            return lost_by("decision")
        case ast.Subscript() if child is node.slice:
            return AT_A_POSITION
        case ast.Subscript(_, ast.Constant(1)) if is_call(child, PAIRS):
            return lost_by("positions", f"{SECOND} {name_called(child.func)}")
        case ast.Call(function) if child is not function and name_called(function) in COUNTS:
            return COUNT
        case ast.Attribute(_, "float" | "tensor"):
            return None
        case ast.Attribute(_, name) if name in INTEGERS:
            return with_jump(lost_by("integers", name), node)
        case ast.Attribute(_, name):
            return of_name(name)
        case ast.Call():
            return cut_by_call(node, child)
    return None


def cut_by_call(call: ast.Call, child: ast.AST) -> Loss | None:
    """The same for a call, of which ``child`` is the function or an argument."""
    name = name_called(call.func)
    if child is call.func:
        to_integers = any(name_called(argument) in INTEGERS for argument in operands(call))
        is_cast = name in ("to", "type", "astype") and to_integers
        return with_jump(lost_by("to-integers", name), child) if is_cast else None
    if name == "grad" or name in FUNCTIONAL and len(call.args) > 1:
        if name in FUNCTIONAL and (given := unused_argument(call.args[0])):
            return lost_by("unused-argument", name, given=given, by=ast.unparse(call.args[1]))
        given = [each.value for each in call.keywords if each.arg == "create_graph"]
        match given:
            case [ast.Name(decides)]:
                return replace(lost_by("autograd-grad", name), unless=decides)
        is_asked = any(not is_word(each, False) for each in given)
        return None if is_asked else lost_by("autograd-grad", name)
    called = ast.unparse(call.func)
    module, _, inner = called.partition(".")
    if module in ("math", "np", "numpy") and inner:
        own = f"torch.{inner}(...)" if is_ours(inner) else "the same with operations of tensors"
        own = DRAWN if inner == "random.normal" else own
        do = f"{with_tensors(call) or own} for {called}(...)"
        return Loss(f"{called}{PLAIN_NUMBERS}", do, kept=True)
    of_lists = ("as_tensor", "asarray") if isinstance(child, LISTS) else ()  # else as it is
    if name in ("tensor", "Tensor", "FloatTensor", "DoubleTensor", *of_lists):
        do = f"leave {name}(...) out there"
        if isinstance(child, LISTS):
            do = (f"{joined} in its place" if (joined := stacked(child)) else JOIN) + KEPT
        elif isinstance(child, ast.Name | ast.Attribute | ast.Subscript):
            do = EITHER.format(ast.unparse(child), name)
        asks = {each.arg for each in call.keywords if not is_word(each.value, False)}
        do += WITHOUT_FLAG if "requires_grad" in asks and not do.startswith("leave ") else ""
        return Loss(f"{name}(...) makes a new leaf from the values alone", do)
    return lost_by("parameter") if name == "Parameter" else of_name(name)


def gives_positions(call: ast.Call) -> bool:
    """Whether a call gives positions, as the second result of ``max`` over a dimension is one."""
    over_one = len(operands(call)) > 1 or any(each.arg == "dim" for each in call.keywords)
    return is_call(call, POSITIONS) or is_call(call, PAIRS) and over_one


def unused_argument(function: ast.expr) -> str:
    """The only argument of a function of the reader's, where it is not used; else empty."""
    node = definition_of(reader.variables().get(getattr(function, "id", "")))[1]
    node = function if isinstance(function, ast.Lambda) else node
    names = [e.arg for e in node.args.args] if isinstance(node, FUNCTIONS | ast.Lambda) else []
    return names[0] if len(names) == 1 and names[0] not in names_in(node, ast.Load) else ""


def with_jump(loss: Loss, method: ast.AST) -> Loss:
    """A cast to integers, with what rounds just before it, which would leave a gradient of 0."""
    call = getattr(method, "value", None)
    out = f"leave {name_called(call.func)}(...) and " if is_call(call, JUMPS) else "leave "
    return replace(loss, do=loss.do.replace("leave ", out))


def stacked(several: ast.expr) -> str:
    """How a list of lists or of plain numbers is joined, written out where that is short.

    Elsewhere each item is made a tensor first, as torch.stack takes no plain numbers. Empty for a
    list without either, whose items may have dimensions that torch.cat joins.
    """

    def written(each: ast.expr) -> str:
        match each:
            case ast.List(parts) | ast.Tuple(parts):
                return f"torch.stack([{', '.join(map(written, parts))}])"
            case _ if is_plain(each):
                return f"torch.tensor({float(ast.literal_eval(each))})"
        return ast.unparse(each)

    def is_plain(each: ast.expr) -> bool:
        return isinstance(getattr(getattr(each, "operand", each), "value", None), int | float)

    def held(lists: list[ast.expr]) -> list[ast.expr]:
        parts = ([e.elt] if isinstance(e, ast.ListComp) else e.elts for e in lists)
        return [*itertools.chain.from_iterable(parts)]

    items = held([several])
    rows = [each for each in items if isinstance(each, LISTS)]
    if not rows and not any(map(is_plain, items)):
        return ""
    none = ast.ListComp | ast.Starred
    is_long = any(isinstance(e, none) or is_call(e, MEANING) for e in ast.walk(several))
    text = "" if is_long else written(several)
    if 0 < len(text) <= MOST_WRITTEN:
        return text
    is_deeper = any(isinstance(each, LISTS) for each in held(rows))
    return "" if is_deeper else ROWS if rows else ITEMS


def of_name(name: str | None) -> Loss | None:
    """What an attribute or a function of this name does, where it is known to cut."""
    if name in POSITIONS:
        return lost_by("positions", name)
    if name in COMPARES:
        return replace(lost_by("compared", name), do=lost_by("comparison").do)
    if name in QUESTIONS:
        return lost_by("question", name)
    return lost_by("size", name) if name in SIZES else MEANING.get(name)


def instead_of(losses: Iterable[Loss], line: str, in_place: bool = True) -> str:
    """What to write in a line instead of what lost a history there; steps are taken in place."""
    is_picked, losses = AT_A_POSITION in losses, [*losses]
    if lost_by("decision") in losses and are_compared(line):  # nothing is rounded there, or joined
        return AT_A_POSITION.do * is_picked
    to_pick = (MEANING[name] in losses for name in TO_PICK * is_picked)
    if any(to_pick) or any(part in loss.says for loss in losses for part in TO_INTEGERS):
        if is_picked or is_an_index(line):
            return instead_of_picking(line) or AT_A_POSITION.do
    if {*losses} == {AT_A_POSITION} and (do := instead_of_a_draw(line)):
        return do
    if all(loss.off or loss in ENDS_THERE for loss in losses) and (do := next_leaf(line)):
        return do
    history = "off" if any(loss.off for loss in losses) else "cut"
    if in_place and (do := update_in(line, history, is_emptied_somewhere(reader.frame()))):
        return do
    losses = [known_kind(loss, line) for loss in losses]
    if BY_GRAD in losses and (again := taken_again(line.strip(), reader.frame())):
        places = " and ".join(map(without_text, again))
        return say("and-where-taken-again", do=BY_GRAD.do, lines=places)
    gives_array = next((each for each in losses if "a NumPy array" in each.says), None)
    kept = [loss for loss in reversed([*losses]) if loss.do and loss != AT_A_POSITION]
    each = (", ".join([e.do, *(besides(line) if e is gives_array else ())]) for e in kept)
    return "; ".join(dict.fromkeys(each))


def known_kind(loss: Loss, line: str) -> Loss:
    """A `tensor(h)` or `np.mean(h)` in a line, with what fits where `h` is known to be a list.

    Positions that are compared, without a stand-in: the comparison would cut it off as well.
    """
    if GIVES_POSITIONS in loss.says:
        of_labels, _, as_number = loss.do.partition("; or where a position counts as a number, ")
        if are_compared(line):
            do = of_labels
        elif is_an_index(line) or are_compared(line, of_results=True):
            do = AT_A_POSITION.do.replace("weights *", "softmax of the scores *")
            do = instead_of_picking(line, are_scores=True) or do
        else:
            do = as_number if go_into_a_net(line) else loss.do
        written = [*filter(None, map(expected_position, parts_of(line, ast.Call)))]
        do = do.replace(IN_WORDS, written[0]) if len(written) == 1 else do
        rows = (decoded(each, line) for each in parts_of(line, ast.Call))
        do = next(filter(None, [soft_rank(line), *rows]), do)
        return replace(loss, do=do.replace("the scores", scores_picked_in(line) or "the scores"))
    if loss.says == OF_A_COMPARISON and (joined := joined_masks(line)):
        return replace(loss, do=joined)
    are_joined = any(isinstance(e.op, ast.BitAnd | ast.BitOr) for e in parts_of(line, ast.BinOp))
    if loss.says == OF_A_COMPARISON and not are_joined and (each := smooth_each(line)):
        return replace(loss, do=each)
    for each in parts_of(line, ast.BinOp):
        if isinstance(each.op, ast.BitAnd | ast.BitOr):
            if any(do and do == loss.do for do in map(smooth, ast.walk(each))):
                return replace(loss, do=smooth(each))  # a mask takes no single number
    is_guess = any(part in loss.says for part in GUESSES) and "in its place" not in loss.do
    if is_guess and are_compared(line):  # what stands in for a guess would be cut off there
        is_threshold = THRESHOLD.search(text_in(line))
        return replace(loss, do=say("of-two-classes" if is_threshold else "of-numbers"))
    numbers = BY_NUMPY.search(loss.do)
    if numbers and (written := of_a_list(numbers[1], line)):
        return replace(loss, do=f"{written}{numbers[0]}")
    given = MADE_ANEW.match(loss.do)
    several = is_list(given[1], line) if given else None
    return loss if several is None else made_of_tensors(loss, STACK if several else ITSELF)


def made_of_tensors(loss: Loss, instead: str) -> Loss:
    """A `tensor(h)` with what fits where it is known whether `h` is one tensor, or a list."""
    given = MADE_ANEW.match(loss.do)
    flag = WITHOUT_FLAG if loss.do.endswith(WITHOUT_FLAG) else ""
    return replace(loss, do=instead.format(*given.groups()) + flag) if given else loss


def scores_picked_in(line: str) -> str:
    """What is given to the only softmax of whose result a line takes positions; else empty."""
    calls = [each for each in parts_of(line, ast.Call) if is_call(each, POSITIONS | PAIRS)]
    of = [own for each in calls for own in operands(each)[:1]]
    names = {*map(ast.unparse, of)}
    bound = [(ast.unparse(target), value) for _, target, value in assignments(reader.frame())]
    made = [value for name, value in bound if name in names] or of
    is_one = len(of) == len(made) == 1 and is_call(made[0], {"softmax", "log_softmax"})
    return ast.unparse(operands(made[0])[0]) if is_one else ""


def are_compared(line: str, of_results: bool = False) -> bool:
    """Whether positions that a line gives are asked for equality, as guesses are with labels.

    Or, ``of_results``, with other positions that have ended a history.
    """
    own, names = made_of(line)
    frame = reader.frame()
    tests = [each.test for _, each in everywhere(frame, ast.If | ast.While | ast.Assert)]
    asked = [e for _, e in everywhere(frame, ast.Compare | ast.Call) if is_equality(e)]
    ended = reader.lines_run(cut.place for cut in LINES.values() if cut.place)
    bound = [(s.name, e) for s, e in everywhere(frame, ast.Assign) if is_call(e.value, POSITIONS)]
    lines = [each for name, each in bound if (name, each.lineno) in ended]
    others = set().union(*(names_in(each, ast.Store) for each in lines)) - names
    asked = [e for e in asked if e not in tests and bool(others & names_in(e)) == of_results]
    return any(each in own or names & names_in(each) for each in asked)


def go_into_a_net(line: str) -> bool:
    """Whether what a line gives is handed to a module with parameters, but to no table of rows."""
    _, names = made_of(line)
    calls = [e for _, e in everywhere(reader.frame(), ast.Call) if names & names_in(e, ast.Load)]
    nets = [thing_at(each.func, reader.variables()) for each in calls]
    return any([*parameters_of(e)] and not hasattr(e, "num_embeddings") for e in nets)


def made_of(line: str) -> tuple[list[ast.AST], set[str]]:
    """The parts of a program in a line, and the names of what was computed there, or of it.

    None of a prompt, that keeps no source.
    """
    name, number = at(line)
    parts = everywhere(reader.frame(), ast.stmt | ast.expr)
    own = [each for source, each in parts if source.name == name and is_at(each, number)]
    names = {each.name for each in own if isinstance(each, FUNCTIONS)}  # what they give, as well
    for _, each in everywhere(reader.frame(), ast.Assign):
        if each in own or names & names_in(each.value):
            names |= names_in(each, ast.Store)
    return own, names


def is_equality(node: ast.AST) -> bool:
    """Whether this asks whether something equals something else, or does not."""
    is_compared = isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq)
    return is_compared or is_call(node, {"eq", "ne"})
