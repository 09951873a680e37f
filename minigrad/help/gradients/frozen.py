"""Results without a history because all parameters of a module are frozen."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from ...tensor import Tensor
from ..program.breaks import Break, breaks, remedy
from ..program.program import Program
from ..source import reader
from ..source.called import function_called, thing_called
from ..source.syntax import LOOPS, called_in, is_call, is_word, owners_of, root, runs_a_pass
from ..source.texts import all_calls, assignments, everywhere, led_to, texts
from ..source.variables import all_stepped, is_module, own_name, thing_at
from ..words.sentences import say
from .misspelt import not_thawed

GOES_THROUGH = {"parameters", "named_parameters", "modules", "children"}
MOST_LINES = 2
OF_A_RESULT = (".register_hook(", ".retain_grad(")


class Frozen(NamedTuple):
    """A module none of whose parameters asks, as it is written, and the call that computed."""

    name: str
    module: Any
    call: ast.Call
    line: str


def frozen_behind(name: str, program: Program) -> Frozen | None:
    """The frozen module that ``name`` was computed by; None where another one asks.

    Of several it is the last; before it come one that an optimizer is to change, and one that is
    known by two names, which may have been frozen under the other.
    """
    steps = dict.fromkeys([program.last(name), *(at for _, at, _ in program.ingredients(name))])
    known_steps = [(program.steps[at].value, program.steps[at].line) for at in steps if at >= 0]
    found = []
    for value, line in [*known_steps, *attribute_made(name, program)]:
        for call in ast.walk(value):
            ways = [call.func, *call.args] if is_call(call) else []
            things = [thing_called(each, program.variables) for each in ways]
            own = [[parameter for _, parameter in reader.parameters_of(each)] for each in things]
            own = own if ways and function_called(call, program.variables) else own[:1]
            known = next(filter(None, own), [])
            if any(getattr(each, "requires_grad", False) for each in (*known, *things[1:])):
                return None
            if known:
                name, net = ast.unparse(ways[own.index(known)]), things[own.index(known)]
                found.append(Frozen(name, net, call, line))
    stepped = all_stepped(program.variables)
    found.sort(key=lambda each: not any(id(p) in stepped for p in each.module.parameters()))
    return found[0] if found else None


def attribute_made(name: str, program: Program) -> list[tuple[ast.expr, str]]:
    """What the only line that assigns an attribute computes, as of ``self.loss``, and the line."""
    known = assignments(program.frame) if "." in name else ()
    found = [(value, line) for line, target, value in known if ast.unparse(target) == name]
    return found if len(found) == 1 else []


def by_frozen(name: str, program: Program) -> list[str]:
    """That what ``name`` was computed by is frozen, and the line that did it."""
    frozen = frozen_behind(name, program)
    if frozen is None:
        return []
    line = froze(reader.parameters_of(frozen.module), program)
    wrong = not_thawed(frozen.module, frozen.name, program)
    return [
        f"It was computed by {frozen.name} ({frozen.line}), whose parameters are all frozen{line}.",
        *([wrong[0]] if wrong else also_called(frozen.module, program)[:1]),
        *(f"Besides, {cut.said}." for cut in lost_besides(name, frozen.name, program)),
    ]


def lost_besides(name: str, net: str, program: Program) -> list[Break]:
    """What would have taken the history away, had the net been asked for one."""
    lost = [cuts for used, _, cuts in program.ingredients(name) if used == net and cuts]
    return [cut for cut in breaks(lost) if cut.certain]


def also_called(module: Any, program: Program) -> list[str]:
    """That a line gave a net a second name, and it was frozen by one of the two; and what to do.

    Both are names beside each other: a net that an object was handed has another there as well.
    """
    frozen = {ast.unparse(whole).rpartition(".")[2] for _, whole in freezing(program.frame)}
    made = [e for _, e in all_calls(program.frame) if "optim" in ast.unparse(e.func)]
    frozen -= {own for each in made for own in owners_of(each)}  # which are to learn
    own = {id(each) for each in module.modules()}
    rooms = [program.variables, *(vars_of(e.thing) for e in reader.held(program.variables))]
    for source, each in everywhere(program.frame):
        match each:
            case ast.Assign([new], ast.Name() | ast.Attribute() as old) if type(new) is type(old):
                to, of = ast.unparse(new), ast.unparse(old)
                new, old = own_name(to), own_name(of)
                same = {id(room.get(new)) for room in rooms if room.get(new) is room.get(old)}
                if {new, old} & frozen and own & same:
                    both = f"{to} and {of} are two names of one net ({source.spoken(each.lineno)})"
                    return [
                        f"{both}, so what is frozen under one is frozen under both.",
                        f"{to} = copy.deepcopy({of}) in that line, which makes another net.",
                    ]
    return []


def vars_of(owner: Any) -> dict[str, Any]:
    """The attributes of an object, and the modules that it holds."""
    known = getattr(owner, "__dict__", None) or {}
    return {**known, **(known.get("_modules") or {})}


def to_thaw(name: str, program: Program) -> str:
    """What to write: it depends on what is to learn, by what is asked and what is optimized."""
    frozen = frozen_behind(name, program)
    if frozen is None:
        return ""
    if wrong := not_thawed(frozen.module, frozen.name, program):
        return f"{wrong[1]}."
    if twice := also_called(frozen.module, program):
        return twice[1]
    place = reader.place()
    if place is not None and any(each in reader.spoken(place) for each in OF_A_RESULT):
        return f"{name}.requires_grad_() before that, which lets recording begin at {name}."
    held = all_stepped(program.variables)
    own = [*reader.parameters_of(frozen.module)]
    do, before = [], f"before {frozen.line.partition(': `')[0]}"
    stepped = [path for path, parameter in own if id(parameter) in held]
    if not held or stepped:
        is_part = 0 < len(stepped) < len(own)
        do.append(thawed(frozen.name, stepped if is_part else [own[-1][0]], f" {before}", is_part))
    given = [ast.unparse(each) for each in frozen.call.args[:1] if isinstance(each, ast.Name)]
    if given[:1] not in ([], [frozen.name]) and not (held and do):
        do.append(f"{given[0]}.requires_grad_() {before}, if gradients of {given[0]} are wanted")
    besides = remedy(lost_besides(name, frozen.name, program))
    return f"{'; or '.join(do)}{f'; and {besides}' * bool(besides)}." if do else ""


def thawed(net: str, paths: Iterable[str], when: str = "", are_held: bool = False) -> str:
    """What makes the layers of a net learn that hold these parameters, or all of the net.

    Either the last, by which it is shown, or those that an optimizer holds.
    """
    owners = dict.fromkeys(path.rpartition(".")[0] for path in paths)
    layers = [reader.at(net, owner) if owner else net for owner in owners]
    if not are_held:
        return f"{layers[0]}.requires_grad_(True){when}, if {layers[0]} is to learn"
    first, *rest = layers
    each = f"`for each in ({', '.join(layers)}): each.requires_grad_(True)`{when}" if rest else ""
    each = each or f"{first}.requires_grad_(True){when}"
    return f"{each}, since an optimizer holds what is in {'these' if rest else first}"


def thawed_again(program: Program) -> str:
    """How a function that a loop calls for its result thaws what it freezes; empty for others."""
    inside = [e for _, loop in everywhere(program.frame, LOOPS) for e in ast.walk(loop)]
    called, frozen = called_in(inside), [each for _, each in freezing(program.frame)]
    for source, own in everywhere(program.frame, ast.FunctionDef):
        if own.name in called and isinstance(end := own.body[-1], ast.Return):
            parts = {*ast.walk(own)}
            for net in (ast.unparse(each) for each in frozen if each in parts):
                return say("thaw-again", net=net, own=own.name, end=source.spoken(end.lineno))
    return ""


def froze(leaves: Iterable[tuple[str, Any]], program: Program) -> str:
    """The line that froze parameters, by their names, in brackets, and how many there are more.

    It names the parameter, what holds that, or what a loop goes through; else it is the only one to
    freeze what it was handed.
    """
    known, own = program.variables, {id(leaf): name for name, leaf in leaves}
    found, handed = {}, {}
    for line, whole in freezing(program.frame):
        first, part = root(whole) or "", ast.unparse(whole).partition(".")[2]
        thing = thing_at(whole, known) if first not in program.turning else None
        if own.keys() & {id(thing), *(id(each) for _, each in reader.parameters_of(thing))}:
            found[line] = None
        elif thing is None or not hasattr(known.get(first), "named_parameters"):
            if not part or any(f".{part}." in f".{name}." for name in own.values()):
                handed[line] = None  # of `self`, or of what a function was handed
    lines = [*(found or handed)]
    more = len(lines) - MOST_LINES
    others = f"; and {more} more {'lines freeze' if more > 1 else 'line freezes'} something"
    shown = "; ".join(lines[:MOST_LINES])
    return f" ({shown}{others * (more > 0)})" if found or len(lines) == 1 else ""


def thawed_since(leaves: Iterable[Any], program: Program) -> Iterator[str]:
    """That a line froze leaves, these among them, that ask again though no net ran between.

    What let them is a line that sets all their flags, or one that makes a parameter.
    """
    asking = {id(each) for each in leaves if each.requires_grad}
    run = [(e, stmt) for e, tree in texts(program.frame) for stmt in tree.body] if asking else []
    for at, (source, above) in enumerate(run):
        for line, own, is_sure in flags_in(above, False, program):
            if own and all(each.requires_grad for each in own.values()) and asking & own.keys():
                yield from asks_again(source.spoken(line), own, is_sure, run[at + 1 :], program)
                return


def asks_again(line: str, own: dict, is_sure: bool, run: list, program: Program) -> Iterator[str]:
    """What lets leaves learn again, of the statements below the line that froze them."""
    made = {}
    for source, below in run:
        if hasattr(below, "decorator_list"):  # a function or a class runs where it is called
            continue
        parts = led_to([(source, below)], program.frame)
        old = (each for each in parts if getattr(each[1], "name", "") != "__init__")
        inside = [(e, n) for e, part in old for n in ast.walk(part)]
        calls = [n.func for _, n in inside if is_call(n)]
        is_used = any(is_module(thing_at(each, program.variables)) for each in calls)
        if is_used or any(runs_a_pass(part) for _, part in parts):
            break
        for number, its, sets_all in flags_in(below, True, program):
            if sets_all and own.keys() <= its.keys():
                yield say("asks-again", line=line, again=source.spoken(number))
                return
        is_sure = is_sure and not any(flag_set(n) for _, n in inside)
        new = (e.spoken(n.lineno) for e, n in inside if is_call(n, {"Parameter"}))
        made |= dict.fromkeys(new, source.spoken(below.lineno))
    for new, below in made.items() if is_sure and len(made) == 1 else ():
        yield say("asks-anew", line=line, new=new, below=below)


def flags_in(
    statement: Any, flag: bool, program: Program
) -> Iterator[tuple[int, dict[int, Any], bool]]:
    """Where a statement sets flags to this: the line, the leaves by id, and whether it sets all."""
    is_loop = isinstance(statement, ast.For) and is_call(statement.iter, GOES_THROUGH)
    is_one = is_loop or isinstance(statement, ast.Expr | ast.Assign)
    for node in ast.walk(statement) if is_one else ():
        if is_word(flag_set(node), flag):
            whole = statement.iter.func.value if is_loop else frozen_by(node)
            thing = thing_at(whole, program.variables)
            sets_all = is_loop or isinstance(node, ast.Expr)  # a flag of a module sets nothing
            known = reader.parameters_of(thing) if sets_all else ()
            own = {id(e): e for e in [*(e for _, e in known), thing] if isinstance(e, Tensor)}
            if root(whole) not in program.turning:
                yield node.lineno, own, node in getattr(statement, "body", [statement])


def freezing(frame: FrameType | None) -> Iterator[tuple[str, ast.expr]]:
    """The lines that freeze, and what: in a loop, what that goes through.

    Where there are none, those that set a flag that is computed.
    """
    nodes = [*everywhere(frame, ast.stmt)]
    loops = [e for _, e in everywhere(frame, ast.For) if is_call(e.iter, GOES_THROUGH)]
    through = {each: getattr(e.iter.func, "value", None) for e in loops for each in ast.walk(e)}
    sure = [e for e in nodes if freezes(e[1])]
    sure = sure or [e for e in nodes if not isinstance(flag_set(e[1]), ast.Constant | None)]
    names = [source.name for source, _ in sure]
    for source, node in sorted(sure, key=lambda e: (names.index(e[0].name), e[1].lineno)):
        yield source.spoken(node.lineno), through.get(node) or frozen_by(node)


def frozen_by(statement: Any) -> ast.expr:
    """What a statement freezes: ``net[0]`` in ``net[0].requires_grad_(False)``."""
    target = statement.value.func if isinstance(statement, ast.Expr) else statement.targets[0]
    return target.value


def freezes(node: Any) -> bool:
    """Whether a statement is ``x.requires_grad_(False)`` or ``x.requires_grad = False``.

    The second sets nothing where ``x`` is a module.
    """
    flag = flag_set(node)
    is_it = flag is not None and is_word(flag, False)
    thing = thing_at(frozen_by(node), reader.variables()) if is_it else None
    return is_it and (isinstance(node, ast.Expr) or not is_module(thing))


def flag_set(node: Any) -> ast.expr | None:
    """What a statement makes of a ``requires_grad``; None for others."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(_, "requires_grad_"), flag, [])):
            return [*flag, ast.Constant(True)][0]
        case ast.Assign([ast.Attribute(_, "requires_grad")], flag):
            return flag
    return None
