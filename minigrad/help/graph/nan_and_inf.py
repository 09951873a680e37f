"""Where nan and inf begin: values that hold them, and operations whose slope is infinite.

Nothing is run. What an operation saved is read, and tells where its slope has no finite value; a
pass through it gives inf there, and nan where 0 comes in. Where values are gone, because a pass has
freed them, or would have to be unpacked by code of the reader's, nothing is said. Only public doors
are used, so a graph of PyTorch is looked at in the same way.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

from ..program.program import Program
from ..program.stepped import was_stepped
from ..source import reader
from ..source.variables import is_parameter
from ..words.answer import BadNode
from ..words.sentences import tell
from .bounds import KEEPS
from .chosen_before import chosen_before
from .expression_of_node import graph_of, in_words, line_of, named, written_like
from .masked import masked_by
from .nodes import (
    fills_a_leaf,
    is_all_0,
    leading_to,
    leaf_of,
    next_of,
    nodes_behind,
    reached,
    saved,
)
from .nodes import kind_of as kind_of_node
from .overflow import in_place_of, in_place_of_log, operand
from .slopes import NAN, ROOTS, SLOPES, TWICE, UNDEFINED, Slope
from .zero_slopes import inside

MOST_TOLD = 2
OPERANDS = {"self": 0, "other": 1}
CHOOSES = ("WhereBackward0", "MaskedFillBackward0")
TAKES = ("SelectBackward0", "SliceBackward0", "UnbindBackward0", "IndexBackward0")
DROPS = (*CHOOSES, *TAKES)
STOPS = {"Where", "MaskedFill", "Relu", "Clamp"}  #: let nothing of what they leave out through
FINITE = {"Sqrt", "Pow", "Acos", "Asin"}  #: give a number where their slope is infinite
OF_0 = {"LinalgVectorNorm", "Sum", "Pow", "Abs", "Sqrt", "Mul", "Relu"}  #: 0 where their input is
COLLECTS = ("CopySlices", "IndexPut", "Stack", "Cat")


def kind_of(value: Any) -> str:
    """``nan``, ``inf``, or empty for numbers.

    >>> import minigrad as mg
    >>> kind_of(mg.tensor([1.0, 2.0])), kind_of(mg.tensor([1.0, -mg.inf])), kind_of(mg.tensor(1))
    ('', 'inf', '')
    """
    if not value.is_floating_point():
        return ""
    values = value.detach()
    return "nan" if values.isnan().any() else "inf" if values.isinf().any() else ""


def still_known(node: Any, slot: str, variables: Mapping[str, Any]) -> Any:
    """What a freed node had saved, where the reader has it under a name, or it is a leaf."""
    if slot != "result":
        ends = node.next_functions[OPERANDS[slot] :]  # none for a number that PyTorch divides by
        after = ends[0][0] if ends else None
        if fills_a_leaf(after):
            return after.variable
        node = after
    name = next(named(node, variables), None) if node is not None else None
    return None if name is None else variables[name]


# -- in words --------------------------------------------------------------------------------------


def infinite_slopes(y: Any, program: Program, x: Any = None) -> Iterator[str]:
    """The operations behind ``y`` whose slope is infinite somewhere, and what helps.

    Where ``x`` is given, those alone that are on a way back to it.
    """
    is_bad, nodes = bool(kind_of(y)), nodes_behind(y)
    if is_bad and stepped(y):
        return  # of values that came from weights that were nan before, slopes tell nothing
    if x is not None:
        leads = leading_to(y, x)
        leads |= {after for node in leads for after in bad_powers(node)}
        nodes = [node for node in nodes if node in leads]
    variables = program.variables
    steep = [*steep_at([*reversed(nodes)], variables, is_bad)]  # what ran first comes first
    if is_bad:  # a finite result has not begun it
        steep = [each for each in steep if kind_of_node(each[0]) not in FINITE or each[1] in NAN]
    if steep:
        slope = "nan" if steep[0][1] in NAN else "inf"
        tensors = {n: weakref.ref(t) for n, t in variables.items() if type(t) is type(y)}
        program.shown.scene = BadNode(weakref.ref(y), steep[0][0]._sequence_nr(), slope, tensors)
    norms = {node: norm_taken_twice(node, program) for node, _, _ in steep[:MOST_TOLD]}
    for node, slope, where in steep[:MOST_TOLD]:
        at, why = norms[node] or node, (TWICE if norms[node] else slope).why
        yield f"At {in_words(at, program)} {why}; that is so {where}."
    if steep and norms[steep[0][0]]:
        yield f"Try: {TWICE.do}."
    elif steep:
        node, slope, _where = steep[0]
        do = instead(node, nodes, program) or slope.do
        if not is_bad and node not in not_dropped(y):
            bad = "nan" if slope in NAN else "inf"
            yield tell("zero-times", products=f"0 × {bad} = nan")
            after = {each.name() for each in nodes if each.name() in DROPS and each is not node}
            begun = [each for each, *_ in steep]
            if drops_something(nodes):
                do = tell("take-first") if after <= {*TAKES} else choose_first(begun, program)
        kind = kind_of_node(node).lower()
        are_more = line_of(node, program).count(f"{kind}(") > 1
        yield f"Try: {do}{f'; and so for each {kind} of that line' * are_more}."


def norm_taken_twice(division: Any, program: Program) -> Any:
    """The norm of whose derivative, ``x / norm(x)``, a division is part; None for others.

    No line has run the where() that leaves it out at 0.
    """
    ends = [after for after, _ in division.next_functions]
    below = reached(ends[1:], lambda node: next_of(node) if kind_of_node(node) in KEEPS else ())
    norms = [each for each in below if kind_of_node(each) == "LinalgVectorNorm"]
    if kind_of_node(division) != "Div" or not norms or next_of(norms[0]) != ends[:1]:
        return None
    users = graph_of(program).users.get(division, ())
    is_by_hand = any(written_like(each, graph_of(program)) for each in users)
    return None if is_by_hand or {*map(kind_of_node, users)} != {"Where"} else norms[0]


def drops_something(nodes: list[Any]) -> bool:
    """Whether nodes leave elements out, but for those that pick the scores of the right classes."""
    drops = [each for each in nodes if each.name() in DROPS]
    return any(kind_of_node(inner) != "LogSoftmax" for each in drops for inner in next_of(each)[:1])


def choose_first(nodes: list[Any], program: Program) -> str:
    """To choose the input before an operation: of several in a chain, before the first to run."""
    lines = {line_of(each, program) for each in nodes}
    kinds = {kind_of_node(each).lower() for each in nodes}
    if len(lines) == 1 and (written := chosen_before(lines.pop(), kinds, program)):
        return written
    is_chain = nodes[0] is not nodes[-1] and nodes[0] in reached([nodes[-1]])
    place = reader.in_brackets(line_of(nodes[0], program) or nodes[0].name()) if is_chain else ""
    return tell("choose-first", place=place)


def steep_at(nodes: list[Any], variables: Mapping[str, Any], is_bad: bool) -> Iterator[tuple]:
    """Those of some nodes whose slope is infinite, or has no value, and at how many elements.

    One whose gradient is stopped below is left out, unless its result is to be told, too.
    """
    for node, table in itertools.product(nodes, (SLOPES, UNDEFINED, ROOTS)):
        slope = table.get(kind_of_node(node))
        found = None if slope is None else bad_elements(node, slope, variables)
        if found is not None and found.any() and (is_bad or not is_stopped(node, found)):
            yield node, slope, in_numbers(found)


def bad_powers(product: Any) -> list[Any]:
    """The powers whose result is nan that a product multiplies by: so is its other gradient."""
    ends = zip(("self", "other"), product.next_functions)
    known = [(saved(product, s), after) for s, (after, _) in ends if kind_of_node(after) == "Pow"]
    return [after for value, after in known if value is not None and kind_of(value) == "nan"]


def is_stopped(node: Any, found: Any = None) -> bool:
    """Whether no gradient of a node, or of those of its elements, gets to a leaf."""
    first = operand(node)
    lets = elements_let(first) if found is not None and kind_of_node(first) in STOPS else None
    if lets is not None and lets.shape == found.shape:
        return not bool((lets & found).any())
    nodes = reached([node], lambda n: () if kind_of_node(n) in STOPS else next_of(n))
    return not any(map(fills_a_leaf, nodes))


def elements_let(node: Any) -> Any:
    """The elements at which such an operation lets gradients through; None if not known."""
    match kind_of_node(node):
        case "Relu":
            value = saved(node, "result")
            return None if value is None else value > 0
        case "MaskedFill":
            value = saved(node, "mask")
            return None if value is None else ~value
        case "Where" if (value := saved(node, "condition")) is not None:
            return value if node.next_functions[0][0] is not None else ~value
        case "Clamp" if (value := saved(node, "self")) is not None:
            low, high = (getattr(node, f"_saved_{end}", None) for end in ("min", "max"))
            return inside(value, low, high)
    return None


def instead(node: Any, nodes: list[Any], program: Program) -> str:
    """What helps at an operation by what is around it; empty where that does not tell."""
    match kind_of_node(node):
        case "Exp":
            return in_place_of(node, nodes)[0]
        case "Log":
            return in_place_of_log(node)
        case "Div":
            leaf = leaf_of(below := end_of_chain(operand(node)))
            if leaf is None or leaf._version > is_parameter(leaf) or not is_all_0(leaf):
                return ""
            own = program.name_of(leaf) or "the divisor"
            is_itself = below is operand(node)
            zeros = tell("zeros-to-start", name=own)
            return (
                tell("start-at-1", name=own) if is_itself else tell("start-at-random", names=zeros)
            )
    return ""


def end_of_chain(node: Any) -> Any:
    """What a length, a sum or another result that is 0 where its input is was computed from."""
    while kind_of_node(node) in OF_0 | KEEPS and len(next_of(node)) == 1:
        node = next_of(node)[0]
    return node


def at_how_many(node: Any, slope: Slope, variables: Mapping[str, Any]) -> str:
    """At how many elements the slope is infinite, in words; empty for none."""
    found = bad_elements(node, slope, variables)
    return "" if found is None else in_numbers(found)


def in_numbers(found: Any) -> str:
    """How many elements were picked, in words; empty for none."""
    count = int(found.sum())
    where = f"at {count} of its {found.numel()} elements" if found.dim() else "here"
    return where if count else ""


def bad_elements(node: Any, slope: Slope, variables: Mapping[str, Any]) -> Any:
    """The elements at which a slope is infinite; None where that is not known."""
    if not slope.applies(node):
        return None
    by_saved = ((saved(node, slot), bad) for slot, bad in slope.signs)
    by_name = ((still_known(node, slot, variables), bad) for slot, bad in slope.signs)
    known = itertools.chain(by_saved, by_name)
    return next((bad(value.detach()) for value, bad in known if value is not None), None)


def values(y: Any, name: str, program: Program) -> Iterator[str]:
    """That ``y`` itself holds nan or inf, and which of the reader's tensors was the first to."""
    kind = kind_of(y)
    if not kind:
        return
    yield f"{name} itself holds {kind}."
    if y.grad_fn is not None and kind_of_node(y.grad_fn) in COLLECTS and y.isfinite().any():
        yield tell("entries-meet", name=name)
    first, tensor = first_bad(y, name, program)
    # Behind a leaf that is bad by now nobody knows whether it was before the step.
    is_stepped = first and (any(each is tensor for each in stepped(y)) or stepped(tensor))
    if first and (tensor.is_leaf or tensor is not y) and not is_stepped:
        place = reader.in_brackets(program.last_line(first))
        yield tell("first-that-is-bad", first=first, place=place)
        if tensor.is_leaf and tensor._version:
            yield tell("stepped-leaf", first=first)


def stepped(y: Any) -> list[Any]:
    """The leaves behind ``y`` that hold nan or inf now, and have been written to."""
    leaves = [getattr(node, "variable", None) for node in nodes_behind(y)]
    bad = [leaf for leaf in leaves if leaf is not None and kind_of(leaf)]
    return [leaf for leaf in bad if leaf._version or was_stepped(leaf, reader.frame())]


def not_dropped(y: Any) -> set[Any]:
    """The nodes with a way to ``y`` on which no element is dropped: nan there would be in ``y``."""
    return {*reached([y.grad_fn], lambda node: () if node.name() in DROPS else next_of(node))}


def is_passed(node: Any) -> bool:
    """Whether a pass has freed what a node had saved."""
    freed = getattr(node, "is_freed", None)
    if freed is not None:
        return freed
    for slot in (each for each in dir(type(node)) if each.startswith("_saved_")):
        try:
            getattr(node, slot)
        except RuntimeError as error:
            return "freed" in str(error)
    return False


def first_bad(y: Any, name: str, program: Program) -> tuple[str, Any]:
    """The name and the tensor, of the reader's behind ``y``, that is farthest back with nan or inf.

    Empty where nothing is behind ``y``. After a pass a leaf that was written
    to is left out: a step by nan makes it nan, whatever it held when ``y`` was computed.
    """
    nodes = nodes_behind(y)
    passed = any(map(is_passed, nodes))
    order = {node: number for number, node in enumerate(nodes)}
    leaves = {id(n.variable): order[n] for n in nodes if fills_a_leaf(n)}
    bad = {(name, y): 0} if nodes else {}
    for other, thing in tensors_of(program.variables, y):
        number = order.get(thing.grad_fn, leaves.get(id(thing)))
        stepped = passed and thing.is_leaf and thing._version
        is_other = number is not None and thing is not y and not stepped
        if is_other and kind_of(thing) and not masked_by(thing):
            bad[other, thing] = number
    return max(bad, key=bad.__getitem__, default=("", None))


def tensors_of(variables: Mapping[str, Any], like: Any) -> Iterator[tuple[str, Any]]:
    """The reader's tensors of one library by their names, and the parameters of modules."""
    own = [(name, thing) for name, thing in variables.items() if not name.startswith("_")]
    yield from ((name, thing) for name, thing in own if type(thing) is type(like))
    for name, thing in own:
        for path, parameter in reader.parameters_of(thing):
            yield reader.at(name, path), parameter


def gradient(leaf: Any, name: str, users: Mapping[str, Any], program: Program) -> Iterator[str]:
    """What is known of nan or inf in the ``.grad`` of a leaf; ``users`` are results of it."""
    if leaf.grad is None or not (kind := kind_of(leaf.grad)):
        return
    yield f"{name}.grad holds {kind}."
    said = [*values(leaf, name, program)]
    for user, tensor in users.items():
        said = said or [*values(tensor, user, program)]
        said += infinite_slopes(tensor, program)
        if said:
            break
    yield from said
