"""What can have made nan or inf of numbers, where a pass has freed the values that would tell.

The kinds of the operations are still known, and so are their plain arguments and whatever the
reader has under a name. An operation that cannot have done it, by what is known, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..gradients.results_of_leaf import users_of
from ..graph import nan_and_inf
from ..graph.computed_again import constant_of, is_0_for_all, value_made_by
from ..graph.expression_of_node import line_of, named
from ..graph.masked import begins_nan_in_rows, is_all_masked, masked_by
from ..graph.masked_rows import rows_masked
from ..graph.nan_and_inf import (
    CHOOSES,
    FINITE,
    choose_first,
    drops_something,
    norm_taken_twice,
    not_dropped,
    still_known,
)
from ..graph.nan_and_inf import kind_of as kind_of_values
from ..graph.nan_makers import (
    MAKERS,
    OF_NEGATIVE,
    OF_SCORES,
    ONLY_INF,
    OTHERS,
    POWER,
    Maker,
    of_a_slope,
)
from ..graph.nodes import kind_of, next_of, nodes_behind, reached, saved
from ..graph.overflow import (
    ARITHMETIC,
    alone,
    in_place_of,
    in_place_of_log,
    is_sigmoid,
    near,
    operand,
)
from ..graph.recorded import is_made_of
from ..graph.slopes import ROOTS, SLOPES, TWICE, UNDEFINED
from ..program.program import Program
from ..source import reader
from ..training.exploded import scaled_behind
from ..training.outputs import target_first
from ..words.sentences import GUESS, tell
from .bad_data import (
    bad_inputs,
    empty_input,
    line_of_inf,
    line_that_made,
    made_there,
    single_row,
    told_of,
)
from .growth import by_growth, is_same_each_round
from .known_values import OF_EXPS, at_the_start, ends, of_exps

MOST = 2
OF_A_LOG = re.compile(r"\bexp\([^()]*\blog\(|\blog\([^()]*\)\)\.exp\(")
#: as ``/ 2`` is, and ``x - x.max()``
HARMLESS = re.compile(r"/=? ?([\d.]*[1-9]|math\.|np\.|len\()|\b(max|size)\(|shape|^$")
MOST_LOOKED_AT = 20  #: nodes whose line is looked for
ANGLES = ("Acos", "Asin")
LENGTHS = {"LinalgVectorNorm", "Sqrt"}
MASKS = {*CHOOSES, "IndexBackward0"}  #: may test for that 0
UNDERFLOWS = -87.0  #: exp of less is 0, or nearly so

MAY_BEGIN = {*MAKERS, *OTHERS, *FINITE}


def is_doubtful(node: Any) -> bool:
    """Whether a divisor is a constant or a leaf, or the input of an exp was made smaller."""
    given = operand(node)
    if kind_of(node) == "Div":
        return kind_of(given) in ("", "AccumulateGrad")
    is_less = kind_of(node) == "Exp" and given is not None and kind_of(given) == "Sub"
    return is_less and given.next_functions[1][0] is None


def of_values(y: Any, name: str, program: Program, freed: bool) -> Iterator[str]:
    """What can have made the nan or inf in ``y``, of what was computed since numbers were seen.

    Where nothing has been ``freed``, more is known, so what is not certain is left out. Where a
    leaf is bad by now, so is all that comes of it, whatever it was in the round that began it.
    """
    if said := [*target_first(y, program)]:  # its own derivative there is a log of 0 and 1
        yield from said
        return
    stepped = nan_and_inf.stepped(y)
    by_now = {"bad": kind_of_values(stepped[0])} if stepped else {}
    by_now |= {"own": stepped and program.name_of(stepped[0]) or "the leaves", "name": name}
    inputs = bad_inputs(y, name, program)
    if inputs and not is_made_of(inputs[1], {*map(id, stepped)}):  # else steps have made it bad
        yield from told_of(*inputs, name, program)
        yield from [tell("data-by-now", **by_now)] if stepped else ()
        return
    if not stepped and kind_of_values(y) == "nan" and (said := [*empty_input(name, program)]):
        yield from said
        return
    first, tensor = (None, y) if stepped else nan_and_inf.first_bad(y, name, program)
    found: dict[bool | None, list] = {True: [], None: [], False: []}
    for node in reversed(since_numbers(y if tensor is None else tensor, stepped, program)):
        given = input_of(node, program) if kind_of(node) in MAY_BEGIN else None
        makers = [*makers_of(node, given, bool(stepped), program)]
        if stepped and makers and (maker := at_the_start(node, makers, y, program)):
            found[True].append((node, maker))
            continue
        for maker in makers:
            if (can := can_have(maker, node, given, y, program)) is not False:
                found[can].append((node, maker))
                break
    known = found[True] or (found[None] if freed or stepped else [])
    by_inf: list[str] = []
    if not found[True] and not any(m is MAKERS["Std"] for _, m in known):
        by_inf = [*single_row(name, program)]
    seen = not_dropped(y) if stepped else {node for node, _ in known}
    is_dropped = not any(node in seen for node, _ in known)
    told = by_inf or [*in_words(known, program, y, is_dropped, bool(found[True]))]
    if not told and not stepped and (found := line_that_made(first or name, program)):
        told = [*made_there(found)]
    by_sums = {"Exp", "Log"} & {kind_of(node) for node, _ in known}  # that are far from 0
    by_steps = stepped and by_sums and not (found[True] or is_dropped)
    by_steps = by_steps and is_same_each_round(y, program)
    large = scaled_behind(y, program) if by_steps and told else None
    for own, loss in users_of(stepped[0], program).items() if stepped and not told else ():
        if y.grad_fn in nodes_behind(loss)[1:]:  # what came after y may have begun it
            yield from of_values(loss, own, program, freed)
            return
    told = told or [*by_growth(y, stepped, program)]
    yield from told
    if large:
        yield from [*large[0], f"Try: {large[1]}."]
    if stepped and known:
        yield tell("bad-by-now", **by_now)


def can_have(maker: Maker, node: Any, given: Any, y: Any, program: Program) -> bool | None:
    """Whether an operation has made nan or inf of numbers; None where that is not known.

    A step may have made what goes in nan, which it was not in the round that began it; but where
    it is 0 whatever the leaves hold, it was 0 then as well.
    """
    if kind_of(node) == "Mean":
        return maker.applies(node, given)
    given = y.detach().new_tensor(given) if isinstance(given, int | float) else given
    is_unknown = given is None or bool(kind_of_values(given))
    if maker is OF_EXPS and is_unknown:
        return None
    if maker is OF_SCORES and is_unknown:  # its slopes are numbers, so no step made them inf
        is_inf = given is not None and kind_of_values(given) == "inf"
        return is_inf or (None if given is None and line_of_inf(node, program) else False)
    if kind_of(node) == "Exp" and is_unknown and ends(operand(node), program)[1] <= 0:
        return False
    if maker is OTHERS["Pow"] and is_unknown and ends(operand(node), program)[0] >= 0:
        return False
    if maker is ONLY_INF and given is not None and kind_of_values(given) != "nan":
        return is_all_masked(node, given)
    if maker is ONLY_INF and begins_nan_in_rows(node):
        return True
    if not is_unknown:
        return maker.can(node, given, y)
    is_bad_at_0 = bool(maker.bad(y.detach().new_zeros(1)).any()) and maker.applies(node, None)
    if is_bad_at_0 and kind_of(node) in FINITE and kind_of(exp := operand(node)) == "Exp":
        return None if ends(operand(exp), program)[0] < UNDERFLOWS else False
    is_0 = is_0_for_all(operand(node), program) if is_bad_at_0 else None
    return True if is_0 is not None and bool(is_0.any()) else maker.can(node, None, y)


def makers_of(node: Any, given: Any, stepped: bool, program: Program) -> Iterator[Maker]:
    """How an operation can have begun it: by its values; or in a step, by its slope."""
    kind = kind_of(node)
    if kind == "Log" and of_exps(node, program):
        yield OF_EXPS
    if kind == "Log" and given is not None and not kind_of_values(given):
        yield OF_NEGATIVE
    yield from (makers[kind] for makers in (MAKERS, OTHERS) if kind in makers)
    if stepped and kind in FINITE and SLOPES[kind].applies(node):
        yield of_a_slope(SLOPES[kind])


def of_slopes(y: Any, program: Program) -> Iterator[str]:
    """What can have an infinite slope behind ``y``, where gradients are nan or inf.

    Most operations give inf where their slope is infinite. A ``y`` of numbers shows that they did
    not, unless that was dropped; so those come first that give numbers there, or were dropped.
    """
    found: dict[bool | None, list] = {True: [], None: [], False: []}
    seen, stepped = not_dropped(y), nan_and_inf.stepped(y)
    for node in reversed(nodes_behind(y)):
        is_masked = MAKERS.get(kind_of(node)) is ONLY_INF and node not in seen
        if is_masked and ONLY_INF.applies(node, given := input_of(node, program)):
            found[can_have(ONLY_INF, node, given, y, program)].append((node, ONLY_INF))
        own = [SLOPES.get(kind_of(node)), UNDEFINED.get(kind_of(node))]
        own += [ROOTS["Pow"]] * (kind_of(node) == "Pow" and node not in seen)
        for slope in own:
            if slope is not None and slope.applies(node) and not gave_numbers(node, program):
                maker, given = of_a_slope(slope, kind_of(node)), input_of(node, program)
                can = can_have(maker, node, given, y, program)
                is_tensor = not stepped and hasattr(given, "isinf")  # which no step has made so
                can = True if is_tensor and bool((maker.bad(given) & given.isinf()).any()) else can
                if can or kind_of(node) == "Pow" or slope is own[0]:  # else too many would be told
                    found[can].append((node, maker))
    fits = [each for each in found[None] if kind_of(each[0]) in FINITE or each[0] not in seen]
    known = found[True] or fits or found[None]
    is_dropped = not any(node in seen for node, _ in known)
    yield from in_words(known, program, y, is_dropped, bool(found[True]))


def gave_numbers(node: Any, program: Program) -> bool:
    """Whether the result of an operation that gives inf at such a slope has a name, and is finite.

    A result that was written to since tells nothing.
    """
    name = None if kind_of(node) in FINITE else next(named(node, program.variables), None)
    result = None if name is None else program.variables[name]
    return result is not None and not result._version and not kind_of_values(result)


def in_words(
    found: list, program: Program, y: Any, dropped: bool = False, is_known: bool = False
) -> Iterator[str]:
    """The operations that come into question, in the order of the run; without a line comes last.

    Of all of them results are ``dropped`` afterwards: then it helps to choose the input, but
    for a divisor. Of several of which it is not ``known`` that
    they did it, each is told with what helps there.
    """
    norms = {n: norm_taken_twice(n, program) for n, _ in found}
    found = [(norms[n] or n, of_a_slope(TWICE) if norms[n] else m) for n, m in found]
    dropped &= not all(norms.values())  # what that where() leaves out, no other choice helps
    makers = {n for n, maker in found if maker is not ONLY_INF and not is_doubtful(n)}
    found = [(n, m) for n, m in found if m is not ONLY_INF or not makers & {*reached([n])}]
    cosines = {div for node, _ in found if kind_of(node) in ANGLES for div in near(operand(node))}
    found = [each for each in found if each[0] not in cosines or not is_by_norms(each[0])]
    own = {n for n, _ in found if kind_of(n) == "Exp" and not is_known and is_of_bad_leaves(n)}
    if any(kind_of(n) != "Div" and not is_doubtful(n) for n, _ in found if n not in own):
        # A leaf that was made nan tells no overflow, nor that it is 0 where it divides.
        found = [(n, m) for n, m in found if n not in own and not any(made_by(n, e) for e in own)]
    logs = [node for node, _ in found if kind_of(node) == "Log" and not is_known]
    sigmoids = [each for log in logs for each in alone(operand(log)) if is_sigmoid(each)]
    within = {exp for each in sigmoids for exp in near(operand(each))}  # its inf is a log of 0
    found = [each for each in found if each[0] not in within or kind_of(each[0]) != "Exp"]
    sure = [each for each in found if not is_doubtful(each[0])]
    places: dict[tuple[str, str], dict[str, None]] = {}
    shown, alike = [], {}
    for node, maker in (sure or found)[:MOST_LOOKED_AT]:
        line = line_of(node, program)
        maker = POWER if kind_of(node) == "Exp" and OF_A_LOG.search(line) else maker
        if line and maker in (MAKERS.get(kind_of(node)), OTHERS.get(kind_of(node))):
            maker = alike.setdefault((kind_of(node), line), maker)  # told once for a line
        if sure or not HARMLESS.search(line):
            shown.append((node, maker))
            places.setdefault((node.name(), maker.how), {})[line] = None
    rare = {(node.name(), maker.how) for node, maker in shown if is_by_norms(node)}
    told = [*places]
    told.sort(key=lambda each: (each[1] != OF_EXPS.how, each in rare, not any(places[each])))
    told = told[:MOST]
    shown = [(n, m) for n, m in shown if (n.name(), m.how) in told]
    is_chosen = dropped and told and told[0][1] != ONLY_INF.how
    is_chosen = is_chosen and drops_something(nodes_behind(y))
    begun = [n for n, maker in shown if is_chosen and maker is not ONLY_INF]
    chosen = {*reached([each for each in nodes_behind(y) if each.name() in MASKS])} & {*begun}
    if not chosen and any(made_by(one, each) for one in begun for each in begun):
        begun = []  # what is chosen for one of 0 would be 0, by which the other divides
    helps = [] if begun else [*remedies(shown, y, program)]
    do = [do for _, do in helps]
    is_one = is_known or len({*do}) == 1
    rows = {n.name(): rows_masked(n, program) for n, m in shown if m is ONLY_INF}
    for each in told:
        place = reader.in_brackets("; or ".join(filter(None, [*places[each]][:MOST])))
        own = dict.fromkeys(do for told_of, do in helps if told_of == each and not is_one)
        then = f" If that is it, try: {'; or '.join(own)}." if own else ""
        yield f"{GUESS} {each[0]}{place}: {each[1]}{rows.get(each[0], '')}.{then}"
    do = do if is_one else []
    if told and dropped:
        yield tell("zero-times", products="0 × inf = nan, and 0 × nan = nan")
        do = [choose_first(begun, program)] if begun else do
    if do:
        yield f"Try: {'; or '.join(dict.fromkeys(do))}."


def remedies(shown: list, y: Any, program: Program) -> Iterator[tuple[tuple[str, str], str]]:
    """What helps where: one thing for an exp and the log of its softmax, or a divisor's maker."""
    covered: set[Any] = set()
    for node, maker in shown:
        told = node.name(), maker.how
        if kind_of(node) == "Exp" and maker is not POWER:
            do, logs = in_place_of(node, nodes_behind(y))
            covered.update(logs)
            yield told, do
        elif maker is OF_EXPS:
            exps = [each for each in near(operand(node)) if kind_of(each) == "Exp"]
            yield told, in_place_of(exps[0], nodes_behind(y))[0]
        elif kind_of(node) == "Log" and maker is not POWER and (do := in_place_of_log(node)):
            yield told, do
        elif node not in covered and not any(made_by(node, other) for other, _ in shown):
            where = line_of_inf(node, program) if maker in (ONLY_INF, OF_SCORES) else ""
            yield told, f"{maker.do}{where}"


def is_by_norms(div: Any) -> bool:
    """Whether something is divided by lengths alone, as in a cosine: those are rarely 0."""
    ends = [each for each in near(operand(div)) if kind_of(each) not in ARITHMETIC]
    return kind_of(div) == "Div" and {*map(kind_of, ends)} <= LENGTHS


def is_of_bad_leaves(exp: Any) -> bool:
    """Whether an exp is of a leaf that holds nan by now, maybe with a factor."""
    behind = reached([operand(exp)])
    leaves = [node.variable for node in behind if kind_of(node) == "AccumulateGrad"]
    is_plain = {*map(kind_of, behind)} <= {"AccumulateGrad", "Mul", "Neg"}
    return is_plain and all(kind_of_values(leaf) == "nan" for leaf in leaves)


def made_by(quotient: Any, node: Any) -> bool:
    """Whether the divisor of a division was computed by another node: what helps there helps."""
    return kind_of(quotient) == "Div" and node in near(operand(quotient))


def input_of(node: Any, program: Program) -> Any:
    """What decides whether an operation leaves the numbers, where it is known or can be told."""
    after = operand(node)
    slot = "other" if kind_of(node) == "Div" else "self"
    known = saved(node, slot)
    if kind_of(node) in ("Div", "Pow") and after is None and known is None:
        return constant_of(node, program)
    if known is None and after is not None:
        known = still_known(node, slot, program.variables)
    return value_made_by(after, program) if known is None else known


def since_numbers(y: Any, stepped: list[Any], program: Program) -> list[Any]:
    """The nodes behind ``y`` up to those whose results are known, by a name, to be numbers.

    Where a leaf has been ``stepped`` to inf, numbers that come of it tell nothing: exp(-inf) is 0.
    """
    is_inf = any(kind_of_values(leaf) == "inf" for leaf in stepped)
    known = set()
    for name, thing in program.variables.items() if not is_inf else ():
        is_like = type(thing) is type(y) and not name.startswith("_") and thing.grad_fn is not None
        if is_like and (not kind_of_values(thing) or masked_by(thing)):
            known.add(thing.grad_fn)
    starts = [] if y.grad_fn is None else [y.grad_fn]
    return reached(starts, lambda node: (each for each in next_of(node) if each not in known))
