"""Notes on errors: PyTorch's sentence stays as it is, and what would have helped comes after it.

Their words stand in ``notes.toml``. A note that wants nothing else has no function here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...autograd.function import FunctionCtx, FunctionNode
from ...autograd.views import NO_GRAD
from ...language import _
from ..first_errors.no_parameters import as_one_list, holds_parameters
from ..first_errors.other_dtypes import whole_numbers
from ..gradients.computed_leaf import asked_before
from ..gradients.custom_backwards import gradients_unread, unread
from ..gradients.no_gradient import asked_besides
from ..graph.history import nodes_behind
from ..graph.nodes import reached
from ..graph.out_of_place import out_of_place
from ..program.derivatives import is_recorded
from ..program.failure import Failure
from ..program.program import Program
from ..source import reader
from ..source.line_order import without_text
from ..source.parsed import expression_at
from ..source.syntax import as_owner
from ..words.noted import asks_by_grad, noted
from ..words.sentences import table, tell
from . import for_notes, hook_notes, nan_notes
from .last_error import of_failure
from .read_by_numpy import is_only_shown, of_each, own_frame, read_by_numpy, values_alone
from .saved_notes import freed, stale  # noqa: F401  (handed on)

TIMES = "multiply the gradient that comes in, as in `factor * grad_output`"
FEWEST_BYTES = 8  #: of an element, in which steps of 1e-6 can be told apart


class Spoken:
    """A tensor as notes speak of it: ``{t}`` is the reader's name of it, or else a description.

    >>> import minigrad as mg
    >>> print(Spoken(mg.ones(2, 3), "y").size)
    has 6 elements (shape [2, 3])
    """

    def __init__(self, tensor: Any, otherwise: str = "the tensor"):
        self.tensor, self.otherwise = tensor, otherwise

    def __str__(self) -> str:
        return reader.name_of(self.tensor) or self.otherwise

    @property
    def shape(self) -> list[int]:
        return list(self.tensor.shape)

    @property
    def count(self) -> int:
        return self.tensor.numel()

    @property
    def size(self) -> str:
        return f"has {self.count} elements (shape {self.shape})"

    @property
    def maker(self) -> str:
        return self.tensor._edge.node.name()  # its `grad_fn` may refuse to be asked for

    @property
    def made(self) -> str:
        return reader.in_brackets(for_notes.line_that_made(self.tensor))

    @property
    def why_untracked(self) -> str:
        return for_notes.why_untracked(self.tensor, self.otherwise)

    @property
    def how_to_track(self) -> str:
        return for_notes.what_to_do(self.tensor) or tell("ask-the-leaves")

    @property
    def how_to_ask(self) -> str:
        return for_notes.to_ask(self.tensor) or self.how_to_track


def __getattr__(kind: str) -> Callable[..., Exception]:
    """The notes that are words alone."""
    if kind not in table("errors/notes"):
        raise AttributeError(kind)
    return partial(add, kind)


def add(kind: str, error: Exception, it: Any = None, where: str = "", /, **facts: Any) -> Exception:
    """Add the note of this kind to an error about a tensor, or another thing.

    Further facts are given by name, and ``where``, the line to blame.
    """
    notes = table("errors/notes")
    words = notes[notes[kind].get("like", kind)] | notes[kind]
    facts = {"it": it, "t": Spoken(it, words.get("otherwise", "the tensor"))} | facts
    why, do = (_(words[part]).format(**facts) for part in ("why", "do"))
    return noted(error, where=where, why=why, do=do)


def known(error: Exception) -> Exception:
    """What the text of an error tells, and the expression that is about to fail."""
    said, _ = of_failure(Failure.now(error))
    why, do = for_notes.why_and_do(said)
    return noted(error, why=why, do="; or ".join(do)) if said else error


# -- asking for gradients --------------------------------------------------------------------------


def not_scalar(error: Exception, tensor: Any) -> Exception:
    """A pass that starts at several numbers: of a loss to step by, a mean is meant."""
    t = Spoken(tensor, "y")
    if not asks_by_grad() and for_notes.is_a_loss(tensor):
        made, kept = for_notes.unreduced(tensor), for_notes.kept_by_a_mask(tensor)
        kind = "loss_of_a_mask" if kept else "loss_of_several"
        kind = "loss_of_shares" if for_notes.is_shared_out(tensor) else kind
        return add(kind, error, tensor, made=made, kept=kept)
    asks = "autograd.grad({}, ...)" if asks_by_grad() else "{}.backward()"
    part = f"{t}[{', '.join('ijklmnpq'[: tensor.dim()])}]"
    whole, one = asks.format(f"{t}.sum()"), asks.format(part)
    return add("not_scalar", error, tensor, whole=whole, one=one)


def shape_mismatch(error: Exception, tensor: Any, given: list[int]) -> Exception:
    """A vector that has another shape than what the pass starts at."""
    if tensor.dim():
        return add("shape_mismatch", error, tensor, given=given)
    if for_notes.gives_a_list():
        return add("list_for_numbers", error, tensor, given=given)
    t = Spoken(tensor, "y")
    fills = f"{t}.backward() fills the .grad of all leaves; inputs=[...] names some of them"
    do = f"autograd.grad({t}, inputs)" if asks_by_grad() else fills
    return add("vector_for_a_number", error, tensor, given=given, do=do)


def unused(error: Exception, wanted: Any, outputs: Sequence) -> Exception:
    """An input that no path leads to."""
    roots = ", ".join(str(Spoken(output, "the output")) for output in outputs)
    are_tensors = all(hasattr(each, "grad_fn") for each in (*outputs, wanted))
    made, do = for_notes.made_in_the_question(wanted, outputs[0]) if are_tensors else ("", "")
    if made:
        return add("made_in_the_question", error, wanted, made=made, roots=roots, do=do)
    if layer := for_notes.read_by_no_line(wanted):
        return add("unused_layer", error, wanted, roots=roots, layer=layer)
    if len(outputs) == 1 and are_tensors and reader.name_of(wanted) is not None:
        why, do = for_notes.where_a_path_breaks(outputs[0], wanted)
        do = do or for_notes.asked_of_another(outputs[0], wanted)
        return noted(error, why=why, do=do or _(table("errors/notes")["unused"]["do"]))
    return add("unused", error, wanted, roots=roots)


# -- writing in place ------------------------------------------------------------------------------


def leaf_written(error: Exception, leaf: Any, through_view: bool = False) -> Exception:
    """A write into a leaf, or into a view of one."""
    seen = "a view of it shares its memory, so the write changes the leaf; " if through_view else ""
    if through_view and (made := for_notes.made_to_be_filled(leaf)):
        return add("leaf_to_be_filled", error, leaf, seen=seen, made=made)
    do = for_notes.instead_of_a_write(leaf) or tell("write-unrecorded")
    return add("leaf_written", error, leaf, seen=seen, do=do)


def not_replaced(error: Exception, given: Any, parameter: Any, name: str) -> Exception:
    """A tensor that was to take the place of a parameter: a new value for it, or a step."""
    new, do = for_notes.instead_of_a_parameter(Failure.now(error), parameter, given)
    made = f"`{new}` gives" if new else "this is"
    otherwise = f"copy_(...) into `{name}`, inside `with torch.no_grad():`"
    return add("not_replaced", error, parameter, name=name, made=made, do=do or otherwise)


def view_refused(error: Exception, view: Any, tensor: Any) -> Exception:
    """A write into a view whose history cannot follow, or its use after such a write."""
    writers = [writer for writer in tensor._counter.writers if writer is not None]
    written = tensor._version != view.version and writers
    where = f"{reader.spoken(writers[-1])} changed the memory it shares" if written else ""
    if view.made == NO_GRAD or tensor._edge is None:
        return add("view_of_no_grad", error, tensor, where)
    place = reader.place()
    instead = "" if written else out_of_place([place], tensor.requires_grad)
    behind = reached([tensor._edge.node])
    made = next((e for e in behind if isinstance(e, FunctionNode) or e.outputs > 1), None)
    if isinstance(made, FunctionNode):
        returns = reader.in_brackets(for_notes.line_that_returns(made.function.forward)[0])
        own = "that line" if place is None else without_text(reader.spoken(place))
        do = instead.replace("that line", own) or "put .clone() behind what forward returns"
        return add("view_of_a_function", error, made.function, where, returns=returns, do=do)
    whole = tensor._base
    if whole is not None and whole.is_leaf and whole.requires_grad:
        do = tell("write-unrecorded")
    elif "`for " in for_notes.line_that_made(tensor):  # the whole is to change
        do = for_notes.rows_anew() or tell("single-views")
    else:
        do = f"{instead}, where the whole need not change" if instead else tell("single-views")
    return add("one_of_many_views", error, tensor, where, do=do)


# -- flags and values ------------------------------------------------------------------------------


def not_floating(error: Exception, dtype: Any) -> Exception:
    """Whole numbers that are asked for gradients: what made them, and how that makes others."""
    why, do = whole_numbers(Failure.now(error), dtype)
    return noted(error, why=why, do=do)


def not_optimized(error: Exception, tensor: Any) -> Exception:
    """A result among what an optimizer is given."""
    name, maker = reader.name_of(tensor), Spoken(tensor).maker
    if not name and (unpacked := for_notes.unpacked(maker)):
        return add("parameters_unpacked", error, maker=maker, **unpacked)
    program = Program.of(reader.frame())
    found = asked_before(tensor, program)
    if len(found) == 1:
        line = found[0].line
        besides = asked_besides(tensor, line, program)
        of = {"asks_last": found[0].asks_last, "line": line, "besides": besides}
        return add("computed_for_a_leaf", error, tensor, **of)
    there = " right below that line" * bool(name and for_notes.line_that_made(tensor))
    by = f", by {name} = {name}.detach().requires_grad_(){there}"
    how = by if name else " where it is made, by .detach().requires_grad_()"
    return add("not_optimized", error, tensor, own=name or "it", how=how)


def not_a_parameter(error: Exception, given: Any) -> Exception:
    """Something else than a tensor among what an optimizer is given: several lists in one."""
    if not holds_parameters(given):
        return known(error)
    several = "[*first.parameters(), *second.parameters()], a star before each"
    return add("not_a_parameter", error, as_one_list() or several)


def nan_returned(error: Exception, node: Any, saved: Any, first: Sequence) -> Exception:
    """A derivative that gave nan in anomaly mode; ``first`` is the node that gave inf before."""
    said = nan_notes.nan_returned(node, saved, first)
    return noted(error, **said) if said else error


def hook_answer(error: Exception, hook: Any, answer: Any, before: Any) -> Exception:
    """A hook that returns what cannot take the gradient's place."""
    return noted(error, **hook_notes.hook_answer(hook, answer, before))


def no_numpy(error: Exception, tensor: Any) -> Exception:
    """A tensor with a history that NumPy was to read; without a name, as the line has it."""
    if (frame := own_frame()) is None:
        return add("no_numpy", error, tensor)
    function = None
    for each in reader.callers(frame):
        ctx = next(iter(each.f_locals.values()), None)
        if each.f_code.co_name == "backward" and isinstance(ctx, FunctionCtx):
            function = node_of(ctx).function
        elif function and is_recorded(expression_at((each.f_code, each.f_lasti))):
            line = reader.spoken_line(each.f_code.co_filename, each.f_lineno)
            return add("no_numpy_in_backward", error, function, line=line)
    new, old = read_by_numpy(frame)
    if is_only_shown(frame) and (values := values_alone(frame, tensor)):
        return add("no_numpy_shown", error, tensor, values=values)
    if new:
        return add("no_numpy_of", error, tensor, new=new, old=old)
    place = reader.place()
    match None if place is None else expression_at(place):
        case ast.Call(ast.Attribute(whole, "numpy")) if not reader.name_of(tensor):
            return add("no_numpy", error, tensor, t=as_owner(whole))
    with reader.asked_at(frame):  # NumPy has names of its own for what it is given
        values = of_each(frame, tensor)
        return add("no_numpy_of_several" if values else "no_numpy", error, tensor, values=values)


# -- custom functions ------------------------------------------------------------------------------


def no_backward(error: Exception, ctx: Any) -> Exception:
    """A custom function without a ``backward``: one of operations with a history, or of steps."""
    if not isinstance(ctx, FunctionCtx):  # a program has called `backward` itself
        return error
    node = node_of(ctx)
    step = for_notes.step_returned(node.function.forward) if len(node.input_specs) == 1 else ""
    given = "g" if node.outputs == 1 else ", ".join(f"g{each}" for each in range(node.outputs))
    facts = for_notes.lines_of(node.function) | {"in_order": for_notes.gradients_in_order(node)}
    kind = "no_backward_of_a_step" if step else "no_backward"
    return add(kind, error, node.function, given=given, step=step, **facts)


def node_of(ctx: FunctionCtx) -> FunctionNode:
    """The node of a context.

    It is asked of the class: an attribute that forward left on the context may have any name.
    """
    return FunctionCtx.__getattr__(ctx, "vjp").__self__


def wrong_count(error: Exception, node: Any, got: int | str) -> Exception:
    """A ``backward`` that answers too few gradients, or too many."""
    function, count = node.function, len(node.input_specs)
    line, gives = for_notes.line_that_returns(function.backward)
    where = line and (f"{line} gives {got}" if gives else f"{line} ends without a return")
    got = "None" if line and not gives else got
    arguments = f"{count} argument{'s' * (count != 1)}"
    in_order = for_notes.gradients_in_order(node)
    return add(
        "wrong_count", error, function, where, arguments=arguments, got=got, in_order=in_order
    )


def wrong_shape(error: Exception, node: Any, answers: Sequence, index: int) -> Exception:
    """A ``backward`` of which a gradient has another shape than what it belongs to."""
    line, gives = for_notes.line_that_returns(node.function.backward)
    wanted = [spec and spec[0] for spec in node.input_specs]
    got = [getattr(answer, "shape", None) for answer in answers]
    facts = {"index": index, "wanted": list(wanted[index]), "got": list(got[index])}
    do = for_notes.in_the_shape(got, wanted, index)
    return add("wrong_shape", error, node.function, line if gives else "", **facts, do=do)


def not_a_gradient(error: Exception, function: Any, answer: Any) -> Exception:
    """A ``backward`` that answers something else than tensors."""
    line, gives = for_notes.line_that_returns(function.backward)
    where = f"{line} gives it" if line and gives else ""
    ends = [each for each in ("item()", "tolist()", "numpy()") if each in line]
    do = f"leave {ends[0]} out there, so that it stays a tensor" if ends else TIMES
    return add("not_a_gradient", error, function, where, kind=type(answer).__name__, do=do)


def wrong_jacobian(error: Exception, outputs: Sequence, inputs: Sequence, eps: float) -> Exception:
    """Derivatives that `gradcheck` refuses: a function reads no gradient, or digits are missing."""
    for each in unread(node for output in outputs for node in nodes_behind(output)):
        said, do = gradients_unread([each.node])
        return noted(error, where=each.line, why=said, do=do.removeprefix("Try: "))
    for x in inputs:
        if getattr(x, "requires_grad", False) and x.element_size() < FEWEST_BYTES:
            return add("few_digits", error, x, dtype=x.dtype, eps=eps)
    return error
