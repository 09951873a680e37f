"""Outputs that come to a loss in another form than it takes: in another shape, or as probabilities.

That runs, and hardly learns. Of an output (n, 1) and targets (n,) the difference is (n, n), and its
mean falls to the variance of the targets. All pairs are often meant, as in ``x[:, None] - x``: so
only what a layer gave, on one side, and values without a history, on the other, are told.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Any

from ..graph.expression_matches_node import operands
from ..graph.expression_of_node import graph_of, in_words, line_of, written_like
from ..graph.history import nodes_behind
from ..graph.nodes import kind_of, leaf_of, leaves_of, next_of
from ..graph.zero_slopes import width_of
from ..program.dropped_values import dropped_of
from ..program.evaluated import plain, value_of
from ..program.program import Program
from ..source.reader import in_brackets
from ..source.syntax import as_owner
from ..source.texts import all_calls
from ..source.variables import is_parameter, thing_at
from ..words.sentences import say, table

COMPARES = {"Sub", "Mul"}
COMPARED = {"MseLoss", "SmoothL1Loss", "HuberLoss", "Sub"}  #: of an output and a target
OF_PROBABILITIES = {"BinaryCrossEntropy", "BinaryCrossEntropyWithLogits"}
LOSSES = {"MseLoss", "SmoothL1Loss", "HuberLoss", "Abs"}  #: they expand what they are given
LAYERS = {"Addmm", "Mm"}
ELEMENTWISE = {
    "Add", "Mul", "Rsub", "Neg", "Exp", "Log", "Sigmoid", "Tanh", "Relu", "Softplus", "Gather"
}  # fmt: skip
OF_LOGARITHMS = ELEMENTWISE | {"LogSoftmax", "Softmax"}
LINEAR = {"Add", "Sub", "Rsub", "Neg"}
OF_TERMS = {"Add", "Sub", "Rsub", "Mul", "Div", "Neg", "Pow", "Abs", "Sqrt", "Clamp", "Where"}
VIEWS = {"Squeeze", "Unsqueeze", "View", "Reshape", "Select", "Expand"}
#: in the line of a difference, shows that each is to meet every other
CROSSES = re.compile(r"None\]|None,|unsqueeze|reshape|view|newaxis|^$")
TO_A_ROW = {"Squeeze", "View", "Select", "Index", "Sum", "Max", "Amax"}


def at_the_loss(tensor: Any, program: Program) -> Iterator[str]:
    """What comes to a loss behind a tensor in a form that it does not take, and what to do."""
    if said := [*target_first(tensor, program)]:
        yield from said
        return
    for node in nodes_behind(tensor):
        after = past_views(node.next_functions[0][0]) if node.next_functions else None
        if shapes := crossed(node, tensor, program):
            column = next(shape for shape in shapes if len(shape) == 2)
            other = "target" if kind_of(node) == "Sub" else "target or weight"
            yield f"""{in_words(node, program)} is given shapes {shapes[0]} and {shapes[1]}, so each
                output meets every {other}, not only its own."""
            yield f"Try: .squeeze(1) on the one of shape {column}, so that both are {column[:1]}."
        elif shape := expanded(node):
            line = line_of(node, program)
            row = shape[:1] == row_of_targets(line, program)
            targets = f"of shape {shape[:1]}" if row else "of another shape"
            yield f"""{in_words(node, program)} is given an output of shape {shape} and targets
                {targets}, so each output meets targets of others."""
            own = {program.name_of(tensor) or "": tensor}
            said = [*dropped_of(own, nodes_behind(tensor), program)]
            yield from said or [f"Try: the targets in the same shape, by .reshape{shape}."]
        elif after is not None and (known := not_taken(node, after)):
            gave = in_words(after, program)
            yield f"{in_words(node, program)} is given what {gave} gave: {known['why']}."
            yield f"Try: {known['do']}."
        elif (over := over_examples(node)) is not None:
            yield say("over-examples", node=in_words(over, program))
            yield say("sum-over-classes" if kind_of(over) == "Div" else "over-classes")
        elif side := [*moved_along(node, program)]:
            of = {"node": in_words(node, program), "target": ast.unparse(side[0])}
            yield say("target-moves", **of)
            yield say("keep-target", new=f"{as_owner(side[0])}.detach()", target=of["target"])
        else:
            continue
        return


def target_first(loss: Any, program: Program) -> Iterator[str]:
    """That a loss of probabilities has data in the place of its output, and results as targets.

    cross_entropy with probabilities for classes multiplies what it has made of both. Where the
    history of something has ended on the way, it may be the output that has lost it.
    """
    nodes, name = nodes_behind(loss), program.name_of(loss) or ""
    step, lost = program.step(name), (cut for _, _, e in program.ingredients(name) for cut in e)
    is_cut = any(cut.kept and cut.has_ended(program.cutting) for cut in lost)
    is_sum = step is not None and kind_of(loss.grad_fn) in ("Div", "Neg")
    is_sum = is_sum and graph_of(program).is_run_by(step.value, "LogSoftmax", None)
    product = [each for each in nodes[2:4] if is_sum and kind_of(each) == "Mul"]
    for node in product or [each for each in nodes if kind_of(each) in OF_PROBABILITIES]:
        (output, _), (target, _) = node.next_functions
        if not is_cut and output is None and target is not None and leaf_of(target) is None:
            line = step.line if product else line_of(node, program)
            yield from (say("target-first", line=in_brackets(line)), say("output-first"))
            return


def moved_along(loss: Any, program: Program) -> Iterator[ast.expr]:
    """A side of a loss that adds data to a multiple of what the weights of the other side gave."""
    sides = [past_views(after) for after, _ in loss.next_functions]
    if kind_of(loss) not in COMPARED or len(sides) != 2 or None in sides:
        return
    for at, side in enumerate(sides):
        term, *others = next_of(side) if kind_of(side) == "Add" else [None]
        is_target = kind_of(term) == "Mul" and len(next_of(term)) == 1 and not others
        weights = {*filter(is_parameter, leaves_of(side))} if is_target else ()
        if weights and weights == {*filter(is_parameter, leaves_of(sides[1 - at]))}:
            found = [each for _, each, _ in written_like(loss, graph_of(program))]
            given = [operands(each)[-2:] for each in found]
            yield from (own[at] for own in given if len(given) == 1 and len(own) == 2)


def row_of_targets(line: str, program: Program) -> tuple:
    """The shape of what the call of a line is given last, as its names stand; () if unknown."""
    for source, call in all_calls(program.frame):
        if len(call.args) == 2 and source.spoken(call.lineno) == line:
            known = value_of(call.args[1], lambda name: plain(thing_at(name, program.variables)))
            return tuple(getattr(known, "shape", ()))
    return ()


def over_examples(loss: Any) -> Any:
    """The softmax of a layer's outputs that runs over the examples; None where none does."""
    node = loss if kind_of(loss) in ("NllLoss", "Log") else None
    while kind_of(node) in ("NllLoss", "Log", "Add", "Clamp", "Index", "Gather"):
        node = node.next_functions[0][0]
    if node is not None and is_softmax(node):
        total = node.next_functions[1][0]
        sizes = getattr(total, "_saved_self_sym_sizes", ())
        is_over_rows = len(sizes) == 2 and sizes[1] > 1 and tuple(total._saved_dim)[:1] == (0,)
        return node if is_over_rows else None
    if kind_of(node) not in ("LogSoftmax", "Softmax") or node._saved_dim not in (0, 2**64 - 2):
        return None
    return node if (width_of(node.next_functions[0][0]) or 0) > 1 else None


def past_views(node: Any) -> Any:
    """What made the values that a node passes on in another shape, or the node itself."""
    while kind_of(node) in VIEWS:
        node = node.next_functions[0][0]
    return node


def not_taken(loss: Any, gave: Any) -> dict[str, str]:
    """Why a loss does not take what an operation gave, and what to do; empty where it does."""
    kind = "Softmax" if is_softmax(gave) else kind_of(gave)
    return table("graph/operations").get(kind_of(loss), {}).get("given", {}).get(kind, {})


def is_softmax(node: Any) -> bool:
    """Whether this is a softmax that is written out: exp() divided by its sum."""
    if kind_of(node) != "Div":
        return False
    (above, _), (below, _) = node.next_functions
    is_sum = kind_of(below) == "Sum" and kind_of(below.next_functions[0][0]) == "Exp"
    return kind_of(above) == "Exp" and is_sum


def crossed(node: Any, loss: Any, program: Program) -> list[tuple]:
    """The shapes of an output and its targets, where they are a column and a row; else empty."""
    specs = getattr(node, "specs", None) or ()
    if kind_of(node) not in COMPARES or None in specs:
        return []
    shapes = [shape for shape, _dtype in specs]
    n = max(max(shapes, default=()), default=0)
    is_crossed = n > 1 and sorted(shapes) == [(n,), (n, 1)]
    (first, _), (second, _) = node.next_functions if is_crossed else ((None, 0), (None, 0))
    if (first is None) == (second is None):  # both have a history, or none does
        return []
    output, shape = (first, shapes[0]) if second is None else (second, shapes[1])
    # Of all products of two vectors the sum is that of the one times that of the other.
    is_split = kind_of(node) == "Mul" and is_averaged(node, loss, LINEAR)
    through = OF_LOGARITHMS if is_split else ELEMENTWISE
    if is_from_a_layer(output, is_row=len(shape) == 1, through=through):
        return shapes
    # What has n elements got the n from data where all leaves behind it have fewer.
    is_meant = any(e.numel() >= n for e in leaves_of(output)) or not is_averaged(node, loss)
    return [] if is_meant or CROSSES.search(line_of(node, program)) else shapes


def is_averaged(node: Any, loss: Any, terms: Collection[str] = OF_TERMS) -> bool:
    """Whether all that a loss takes of a result is the sum or the mean of a term for each element.

    All pairs that are meant go on otherwise, as by a sum over one dimension.
    """
    users: dict[Any, list[Any]] = {}
    for each in nodes_behind(loss):
        for after in next_of(each):
            users.setdefault(after, []).append(each)
    waiting, ends = [node], []
    for each in waiting:  # the list grows while it is walked
        for user in users.get(each, ()):
            is_end = user.name() in ("MeanBackward0", "SumBackward0")
            if not is_end and kind_of(user) not in terms:
                return False
            (ends if is_end else waiting).append(user)
    return loss.numel() == 1 and bool(ends)


def expanded(loss: Any) -> tuple:
    """The shape of an output that a loss has expanded to that of its targets; else empty."""
    if kind_of(loss) not in LOSSES:
        return ()
    inner = loss.next_functions[0][0] if kind_of(loss) == "Abs" else loss  # of l1_loss
    given = [after for after, _ in getattr(inner, "next_functions", ()) if after is not None]
    expand = given[0] if kind_of(inner) in LOSSES | {"Sub"} and len(given) == 1 else None
    if expand is None or kind_of(expand) != "Expand":
        return ()
    shape, output = tuple(expand._saved_self_sym_sizes), expand.next_functions[0][0]
    is_plain = len(shape) == 1 or shape[1:] == (1,)
    return shape if is_plain and is_from_a_layer(output, is_row=len(shape) == 1) else ()


def is_from_a_layer(node: Any, is_row: bool, through: Collection[str] = ELEMENTWISE) -> bool:
    """Whether a layer gave this column, or the column that became this row."""
    views = 0
    while node is not None and kind_of(node) in {*through, *TO_A_ROW}:
        views += kind_of(node) in TO_A_ROW
        node = next(iter(next_of(node)), None)
    return node is not None and kind_of(node) in LAYERS and views == is_row
