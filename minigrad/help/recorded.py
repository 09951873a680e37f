"""What the engine has kept of lines that took a history away: they ran, and this is what they did.

Of each the expression is looked at, too, since it says more than the name of an operation:
``math.exp(k)`` reads a number, as ``float(k)`` does, and wants another remedy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..autograd.caller import Place
from ..autograd.meta import EMPTIED
from ..extras.recorded_cuts import KEY, LINES, MADE, NOT_RECORDED, PLAIN, Cut, cuts_of
from ..nn.parameter import Parameter
from ..tensor import Tensor
from . import reader
from .breaks import Break, blamed, breaks
from .breaks import Cut as Told
from .called import is_in_a_library
from .cuts import COPIES, Loss, cut_by, lost_by, of_name
from .history import is_stale_view, nodes_behind, way
from .nodes import nodes_behind as all_behind
from .put_into_leaves import USELESS, instead_of_a_leaf, is_step_at
from .reach import held, is_module, is_of_library, parts
from .switched_off import is_checkpointed, switched_off
from .syntax import is_call, statements_at
from .updates import update_in
from .written import around_in, expression_at, text_of_code, tree_of

NOT_TAKEN = ast.Expr | ast.AugAssign | ast.If | ast.While | ast.Assert


def recorded_breaks(thing: Any) -> list[Break]:
    """The lines at which the history of a tensor or a number ended, the last one first.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> [each.said.partition(" (")[0] for each in recorded_breaks(x.detach() * 2)]
    ['detach() gives the same value without history']
    """
    if isinstance(thing, Tensor) and thing.requires_grad:
        return []
    cuts = [cut for cut in cuts_of(thing) if not is_copied(cut)]
    return [] if all(cut.what in MADE and cut.source is None for cut in cuts) else told(cuts)


def is_copied(cut: Cut) -> bool:
    """Whether a line took over the values of another net, as it is done for one that is frozen."""
    return cut.place is not None and is_call(expression_at(cut.place), COPIES | {"state_dict"})


def told(cuts: Iterable[Cut]) -> list[Break]:
    """Cuts as they are spoken of, those apart that are no line of the reader's: `deepcopy`."""
    placed = [cut for cut in cuts if cut.place is not None]
    known = [cut for cut in placed if not is_in_a_library(cut.place[0].co_filename)]
    return breaks([(each,) for cut in known for each in (*outside(cut), Told(*meaning(cut)))])


def lines_made(thing: Any) -> list[str]:
    """The line that made a tensor from plain values, where no history is known to have ended."""
    cuts = cuts_of(thing) if isinstance(thing, Tensor) else ()
    made = [cut for cut in cuts if cut.what in MADE and cut.source is None and cut.place]
    return [reader.spoken(made[0].place)] if made and len(made) == len(cuts) else []


def breaks_between(y: Tensor, x: Tensor) -> list[Break]:
    """The lines that are known to have cut the way from ``y`` back to ``x``."""
    if y.requires_grad:
        own = [
            (cuts, leaf)
            for cuts, leaf in behind(y, x)
            if any(leads_to(cut, x) or leaf is not None and line_leads_to(cut, x) for cut in cuts)
        ]
        found = told([cut for cuts, _ in own for cut in cuts] or checkpointed(y, x))
        for cuts, leaf in own if found else ():
            found = found if leaf is None else put_into(leaf, cuts[0], found, way(y, x) is not None)
        return found
    return recorded_breaks(y) if any(leads_to(cut, x) for cut in cuts_of(y)) else []


def put_into(leaf: Tensor, cut: Cut, found: list[Break], is_beside: bool) -> list[Break]:
    """The breaks, with another remedy where a line put a value into a leaf that keeps its own.

    Beside a way that is whole, nobody would look for one more through a step.
    """
    do = "" if cut.place is None else instead_of_a_leaf(leaf, cut.place)
    if not do:
        return found
    place = reader.spoken(cut.place).partition(": `")[0]
    at = next((at for at, each in enumerate(found) if each.place == place), 0)
    others = [part for part in found[at].do.split("; ") if part not in ("", do)]  # of one more leaf
    do = "; ".join([do, *(part for part in others if not USELESS.match(part))])
    is_step = is_beside and (cut.what is NOT_RECORDED or is_step_at(cut.place))
    found[at] = replace(found[at], do=do, place=place, expected=is_step)
    return found


def behind(y: Tensor, x: Tensor) -> Iterator[tuple[tuple[Cut, ...], Tensor | None]]:
    """The cuts of each operand that brings no history, and of leaves other than ``x``, with those.

    A pass that is watched keeps them; some operands are saved, and some leaves were made of values.
    """
    for node in nodes_behind(y):
        known = () if node.extras is None else node.extras.metadata.get(KEY, ())
        yield from (((cut,), None) for cut in known)
        saved = () if node.is_freed else node.saved or ()
        operands = [getattr(each, "kept", each) for each in saved]
        for each in (*operands, getattr(node, "variable", None)):
            if isinstance(each, Tensor) and is_leaf(each) and each is not x:
                yield cuts_of(each), each if each.requires_grad else None


def checkpointed(y: Tensor, x: Tensor) -> list[Cut]:
    """The only line where a reentrant checkpoint computed with a parameter that ``y`` misses."""
    if not isinstance(x, Parameter) or runs_again(y):
        return []
    cuts = [cut for cut in [*LINES.values()] if is_checkpointed(cut.off) and leads_to(cut, x)]
    return cuts if len(cuts) == 1 else []


def ended(x: Tensor) -> list[Break]:
    """The lines at which a history ended that led back to a leaf, the last one first.

    Not those that only show a number, or the leaf as it is, unless a line computes with that. Those
    where nobody would look for a gradient count where there are no others.
    """
    cuts = [cut for cut in reversed([*LINES.values()]) if leads_to(cut, x)]
    results = [cut for cut in cuts if cut.what is NOT_RECORDED or cut.source() is not x]
    cuts = results or [cut for cut in cuts if is_computed_with(cut)]
    return blamed(told([cut for cut in cuts if cut.what not in PLAIN or not is_shown(cut.place)]))


def is_computed_with(cut: Cut) -> bool:
    """Whether a number was read inside of arithmetic: `v * a.item()`, or `v * math.cos(a)`."""
    number = None if cut.place is None else expression_at(cut.place)
    if number is None or cut.what not in PLAIN:
        return False
    whole = around_in(text_of_code(cut.place[0])).get(number)
    return isinstance(whole, ast.BinOp) and not isinstance(whole.op, ast.Mod)  # of a text


def is_shown(place: Place) -> bool:
    """Whether nobody takes what is made of a number: `print(loss.item())`, or the test of an if."""
    around, part = around_in(text_of_code(place[0])), expression_at(place)
    while part is not None and not isinstance(part, ast.stmt):
        part = around.get(part)
    return isinstance(part, NOT_TAKEN)


def runs_again(y: Any) -> bool:
    """Whether a node behind ``y`` is a checkpoint, which leads to more than the graph shows."""
    return any(node.name().startswith("CheckpointFunction") for node in all_behind(y))


def is_leaf(tensor: Tensor) -> bool:
    """Whether nothing was recorded for a tensor; looking makes no node."""
    return tensor._edge is None


def leads_to(cut: Cut, x: Tensor) -> bool:
    """Whether what lost its history is known to have been computed from ``x``."""
    if any(leaf() is x for leaf in cut.leaves):
        return True
    source = None if cut.source is None else cut.source()
    if source is None or is_stale_view(source):
        return False
    return source is x or way(source, x) is not None or are_of_one_layer(source, x)


def line_leads_to(cut: Cut, x: Tensor) -> bool:
    """Whether something else on the line lost a history of ``x``: ``w.copy_(w - lr * g)``."""
    line = cut.place and reader.spoken(cut.place)
    others = [each for each in LINES.values() if line and each.place and each.what is cut.what]
    return any(reader.spoken(each.place) == line and leads_to(each, x) for each in others)


def are_of_one_layer(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are parameters of one ready-made layer, which uses them together."""
    for each in held(reader.variables()) if isinstance(a, Parameter) else ():
        is_layer = is_module(each.thing) and is_of_library(each.thing)
        own = each.thing._parameters.values() if is_layer else ()
        if any(parameter is a for parameter in own):
            return any(parameter is b for parameter in own)
    return False


def unrecorded_pass(tensor: Any, name: str, variables: Mapping[str, Any]) -> list[str]:
    """That a tensor is the ``.grad`` of a leaf, and which pass filled that."""
    for own, thing in variables.items():
        for path, leaf in [("", thing), *reader.parameters_of(thing)]:
            if not isinstance(leaf, Tensor) or leaf._meta is None or leaf._meta.grad is not tensor:
                continue
            if tensor is not None and (line := last_pass(leaf)):
                filled = f"{own}.{path}.grad" if path else f"{own}.grad"
                without = "kept no history of its own, because it ran without create_graph=True"
                return [f"{name} is {filled}, and the pass that filled it {without} ({line})."]
    return []


def same_gradient(tensors: Iterable[Any], variables: Mapping[str, Any]) -> Iterator[str]:
    """That several names are one ``.grad``, into which every pass writes."""
    several = (each.values() if isinstance(each, dict) else (each,) for each in tensors)
    given = [each for thing in several for each in thing if isinstance(each, Tensor)]
    for tensor in {id(each): each for each in given}.values():
        names = [own for own, thing in variables.items() if thing is tensor and own[0] != "_"]
        for own, thing in variables.items():
            if isinstance(thing, list | tuple | dict) and own[0] != "_":
                names += [path for path, each in parts(own, thing) if each is tensor]
        for each in held(variables) if len(names) > 1 else ():
            leaf = each.thing
            if isinstance(leaf, Tensor) and leaf._meta is not None and leaf._meta.grad is tensor:
                filled = f"{each.path}.grad"
                yield f"""{", ".join(names)} and {filled} are one tensor: each backward() adds into
                    it, and zero_() empties it, under all of these names."""
                yield f"Try: {filled}.clone() where it is kept, which makes a copy."
                return


def last_pass(leaf: Tensor) -> str | None:
    """The line that last added to the ``.grad`` of a leaf; None if that was taken away since."""
    touched = getattr(leaf._meta, "touched", None)
    return None if touched is None or EMPTIED in touched else reader.spoken(touched)


def emptied_at(leaf: Any) -> str | None:
    """The line that took the gradient of a leaf away, if none has come since; of minigrad's."""
    touched = getattr(getattr(leaf, "_meta", None), "touched", None)
    if touched is None or EMPTIED not in touched:
        return None
    is_own = touched[0].co_filename.startswith(reader.PACKAGE)
    return "a line of this package" if is_own else reader.spoken(touched[:2])


# -- what a line did -------------------------------------------------------------------------------


def meaning(cut: Cut) -> tuple[Loss, str]:
    """What a cut means, and the line to look at."""
    line = reader.spoken(cut.place)
    if cut.what is not NOT_RECORDED or is_call(expression_at(cut.place), COPIES):
        return lost(cut), line
    loss, switch = switched_off(cut.place, line, cut.off)
    return loss, line if update_in(line) else switch


def lost(cut: Cut) -> Loss:
    """What an operation takes away, and what to do instead."""
    expression = expression_at(cut.place)
    losses = () if expression is None else losses_in(expression)
    known = next((loss for loss in losses if loss is not None), None)
    if expression is None and cut.what == "float" and (name := put_into_an_array(cut.place)):
        return lost_by("array", name)
    if known is None and is_call(expression) and not is_written(cut.what, expression):
        name = ast.unparse(expression.func)
        return Loss(f"{name}(...) gives a result without history", f"leave {name}(...) out there")
    known = known or of_name(cut.what)
    if known is not None:
        return known
    out = f"leave {cut.what}(...) out there"
    if cut.what in MADE:
        return Loss(f"{cut.what}(...) makes a new leaf from the values alone", out)
    return Loss(f"{cut.what}(...) gives a result without history", out)


def put_into_an_array(place: Place) -> str | None:
    """The name that ``out[i] = loss`` writes to: where that reads a number, it is an array."""
    tree, number = tree_of(text_of_code(place[0])), reader.line_number(place)
    for each in statements_at(tree, number):
        for target in each.targets if isinstance(each, ast.Assign) else ():
            if isinstance(target, ast.Subscript):
                return ast.unparse(target.value)
    return None


def is_written(name: str, call: ast.Call) -> bool:
    """Whether a call shows what took the history away, where only a tensor does that itself."""
    names = {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(call)}
    return name not in ("detach", "data") or name in names


def outside(cut: Cut) -> list[Told]:
    """What the rest of its line takes away besides, the last first: mended alone, it would fail."""
    if cut.what is NOT_RECORDED or (inner := expression_at(cut.place)) is None:
        return []
    found: list[Told] = []
    around = around_in(text_of_code(cut.place[0]))
    while isinstance(whole := around.get(inner), ast.expr):
        if is_call(whole, {"grad"}):
            break  # it asks, and has failed
        loss = cut_by(whole, inner)
        found += [] if loss is None or loss.expected else [Told(loss, reader.spoken(cut.place))]
        inner = whole
    return found[::-1]


def losses_in(expression: ast.AST) -> Iterator[Loss | None]:
    """What one operation takes away from each of its operands."""
    for child in ast.iter_child_nodes(expression):
        yield cut_by(expression, child)
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        yield cut_by(expression.func, expression.func.value)
