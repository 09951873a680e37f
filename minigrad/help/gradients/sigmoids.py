"""Sigmoids and tanhs that are flat, or nearly, because weights or data are too large.

And gradients that shrink on their way back, because each sigmoid makes them smaller.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...tensor import Tensor
from ..graph.bounds import largest_of
from ..graph.expression_of_node import in_words
from ..graph.history import way
from ..graph.nodes import kind_of, leaf_of, leaves_behind, nodes_behind
from ..program.program import Program
from ..source.reader import in_brackets
from ..source.syntax import is_call
from ..source.texts import all_calls, everywhere
from ..source.variables import own_name
from ..words.sentences import say, tell

MOST = 0.8  #: so many of the units
FLAT = {"Sigmoid": 5.0, "Tanh": 3.0}  #: beyond it the slope is below 0.01
LARGE_DATA = 20.0  #: data above it are not scaled
FAR = 100.0  #: a loss above it is one of targets that are large, too
LARGE = 4.0  #: sums of so large weights leave the part where a sigmoid has a slope
DRAWS = {"normal_", "uniform_", "fill_", "constant_", "xavier_normal_", "xavier_uniform_"}
FEW, MANY = 3, 4  #: sigmoids: fewer are no trouble, and so many are some trouble anyway
NOTHING = 1e-12  #: a gradient below it changes no weight by a step
SHRUNK, TINY = 1e-3, 1e-4  #: a gradient smaller by this factor, and one that is small by itself
LEARNED, FEWEST_STEPS = 0.01, 20  #: a loss that needs no advice, and rounds that tell something


def nearly_flat(loss: Any, program: Program) -> Iterator[str]:
    """That data as large as they are throw the sums of a layer to where a sigmoid is nearly flat.

    They are computed again, of data with a name and of the weights as they are now.
    """
    for node in nodes_behind(loss):
        layer = node.next_functions[0][0] if kind_of(node) in FLAT else None
        if kind_of(layer) != "Addmm" or layer.next_functions[1][0] is not None:
            continue
        bias, weight = (leaf_of(layer.next_functions[at][0]) for at in (0, 2))
        if bias is None or weight is None or weight.grad is None or not largest_of(weight.grad):
            continue
        for name, _, _ in program.ingredients(program.name_of(loss) or ""):
            data = program.variables.get(name)
            if not isinstance(data, Tensor) or data.requires_grad or data.dim() != 2:
                continue
            largest = largest_of(data)
            if largest < LARGE_DATA or data.shape[1] != weight.shape[1]:
                continue
            sums = data.detach() @ weight.detach().t() + bias.detach()
            far = int((sums.abs() > FLAT[kind_of(node)]).sum())
            if far > MOST * sums.numel():
                some = far, sums.numel()
                at = in_words(node, program)
                yield say("nearly-flat", node=at, some=some, name=name, largest=largest)
                is_far = loss.numel() == 1 and float(loss.detach()) > FAR
                yield say("scale-inputs", name=name) + say("and-the-targets") * is_far
                return


def what_is_too_large(node: Any, program: Program) -> str:
    """What to do about the inputs of a node, where the layer before it is known; else empty."""
    layer = node.next_functions[0][0]
    if kind_of(layer) != "Addmm":
        return ""
    bias, weight = (leaf_of(layer.next_functions[at][0]) for at in (0, 2))
    if weight is None or weight.dim() != 2:
        return ""
    sizes = {weight: size_of(weight) * weight.shape[1] ** 0.5}
    sizes |= {} if bias is None else {bias: size_of(bias)}
    large = [leaf for leaf, size in sizes.items() if size >= LARGE]
    if not large:
        return say("scale-the-data") if layer.next_functions[1][0] is None else ""
    names = [program.name_of(leaf) or "what is added or multiplied before it" for leaf in large]
    lines = dict.fromkeys(line for name in names for line in lines_that_draw(name, program))
    key = "leave-out-the-draw" if 0 < len(lines) <= len(large) else "smaller-weights"
    size, places = size_of(large[0]), " and ".join(lines)
    return say(key, name=" and ".join(names), size=size, line=places)


def size_of(leaf: Any) -> float:
    """The root of the mean square of a leaf."""
    return float(leaf.detach().pow(2).mean()) ** 0.5


def lines_that_draw(path: str, program: Program) -> list[str]:
    """The lines that fill what has this last name with numbers of a size of the reader's."""
    found, name = {}, own_name(path)
    for source, each in everywhere(program.frame):
        match each:
            case ast.Expr(ast.Call() as call) if is_call(call, DRAWS):
                written = [call.func, *call.args]
                if any(getattr(part, "attr", "") == name for w in written for part in ast.walk(w)):
                    found[source.spoken(each.lineno)] = None
            case ast.AugAssign(target, ast.Mult()) if name in ast.unparse(target).split("."):
                found[source.spoken(each.lineno)] = None
    return [*found]


def vanishing(loss: Any, program: Program) -> Iterator[str]:
    """That what comes to a first leaf is tiny beside what comes to the last, by sigmoids between.

    Or, in a net that has learned little in many steps, tiny by itself.
    """
    leaves = [leaf for leaf in leaves_behind(loss) if leaf.grad is not None]
    found = [(sigmoids_between(loss, leaf), largest_of(leaf.grad), leaf) for leaf in leaves]
    most, first, leaf = max(found, key=lambda each: each[0], default=(0, 0.0, loss))
    least, last, _ = min(found, key=lambda each: each[0], default=(0, 0.0, loss))
    is_stuck = largest_of(loss) > LEARNED and leaf._version >= FEWEST_STEPS and first < TINY
    if most - least >= FEW and 0 < first < SHRUNK * last or most - least >= MANY and is_stuck:
        name = program.name_of(leaf) or "the first weight"
        line = where_sigmoids_are(program)
        yield tell("behind-sigmoids", name=name, size=first, count=most, line=line)
        yield tell("no-sigmoids")


def as_good_as_zero(loss: Any, program: Program) -> Iterator[str]:
    """That next to nothing came to a net, and a sigmoid on the way can be why; a loss is left."""
    if loss.numel() != 1 or abs(float(loss.detach())) < LEARNED:
        return
    filled = [leaf for leaf in leaves_behind(loss) if leaf.grad is not None]
    tiny = [leaf for leaf in filled if 0 < largest_of(leaf.grad) < NOTHING]
    flat = [node for node in nodes_behind(loss) if kind_of(node) in FLAT]
    if len(tiny) > 1 and flat:
        named = [name for name in map(program.name_of, tiny) if name]
        facts = {"size": max(largest_of(leaf.grad) for leaf in tiny), "loss": float(loss.detach())}
        name, at = (named or ["a net"])[-1], in_words(flat[0], program)
        yield say("as-good-as-0", name=name, at=at, **facts)
        yield say("before-the-sigmoid", kind=kind_of(flat[0]).lower())


def sigmoids_between(loss: Any, leaf: Any) -> int:
    """How many sigmoids lie on the way from a loss back to a leaf."""
    return sum(kind_of(node) == "Sigmoid" for node in way(loss, leaf) or ())


def where_sigmoids_are(program: Program) -> str:
    """The only line that makes or calls sigmoids, in brackets; empty where there are several."""
    found = all_calls(program.frame, {"Sigmoid", "sigmoid"})
    lines = {source.spoken(each.lineno) for source, each in found}
    return in_brackets(lines.pop()) if len(lines) == 1 else ""
