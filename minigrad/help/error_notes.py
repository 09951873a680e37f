"""Notes on errors: PyTorch's sentence stays as it is, and what would have helped comes after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..autograd.views import NO_GRAD
from . import for_notes, hook_notes, nan_notes, reader
from .no_parameters import as_one_list, holds_parameters
from .noted import asks_by_grad, noted
from .saved_notes import freed, stale  # noqa: F401  (handed on)


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
    def size(self) -> str:
        return f"has {self.tensor.numel()} elements (shape {self.shape})"

    @property
    def maker(self) -> str:
        return self.tensor._edge.node.name()  # its `grad_fn` may refuse to be asked for

    @property
    def made(self) -> str:
        line = for_notes.line_that_made(self.tensor)
        return f" ({line})" if line else ""

    @property
    def why_untracked(self) -> str:
        return for_notes.why_untracked(self.tensor, self.otherwise)

    @property
    def how_to_track(self) -> str:
        return for_notes.what_to_do(self.tensor) or (
            "set requires_grad=True on the leaves you want gradients for before computing with it, "
            "and keep the way from them free of detach(), no_grad, .item() and tensor(...)."
        )


def note(why: str, do: str, otherwise: str = "the tensor") -> Callable[..., Exception]:
    """A function that adds this note to an error about a tensor, ``{t}``, or other thing, ``{it}``.

    Further facts are given by name, and ``where``, the line to blame.
    """

    def add(error: Exception, it: Any = None, where: str = "", **facts: Any) -> Exception:
        facts |= {"it": it, "t": Spoken(it, otherwise)}
        return noted(error, where=where, why=why.format(**facts), do=do.format(**facts))

    return add


# -- asking for gradients --------------------------------------------------------------------------

no_root = note(
    "Gradients start at tensors, which know what they were computed from; this is of type {it}.",
    "give the tensor itself, before item(), tolist() or numpy().",
)
_not_scalar = note(
    "{t} {t.size}, and a gradient belongs to one number.",
    "{do}.",
    otherwise="y",
)
_shape_mismatch = note(
    "The vector v of v·J has one number for each element of the output; it is not broadcast.",
    "give a vector of shape {t.shape}, as torch.ones_like({t}) has; this one has {given}.",
    otherwise="y",
)
_one_number = note(
    "{t} is one number, so its gradient starts at 1; the argument is no list of what to "
    "differentiate by, and has shape {given}.",
    "{do}.",
    otherwise="y",
)


def not_scalar(error: Exception, tensor: Any) -> Exception:
    """A pass that starts at several numbers."""
    t = Spoken(tensor, "y")
    ones = f"torch.ones_like({t})"
    each = f"grad_outputs={ones}" if asks_by_grad() else f"{t}.backward(gradient={ones})"
    whole = f"autograd.grad({t}.sum(), ...)" if asks_by_grad() else f"{t}.sum().backward()"
    do = f"{whole}, or say what each element counts: {each}"
    return _not_scalar(error, tensor, do=do)


def shape_mismatch(error: Exception, tensor: Any, given: list[int]) -> Exception:
    """A vector that has another shape than what the pass starts at."""
    if tensor.dim():
        return _shape_mismatch(error, tensor, given=given)
    t = Spoken(tensor, "y")
    fills = f"{t}.backward() fills the .grad of all leaves; inputs=[...] names some of them"
    do = f"autograd.grad({t}, inputs)" if asks_by_grad() else fills
    return _one_number(error, tensor, given=given, do=do)


not_tracked = note(
    "{t} has requires_grad=False. {t.why_untracked}",
    "{t.how_to_track}",
)
no_inputs = note(
    "inputs= lists the tensors whose gradients you want, and it is empty.",
    "name at least one tensor, or leave inputs= out of backward() to fill all leaves.",
)


def unused(error: Exception, wanted: Any, outputs: Sequence) -> Exception:
    """An input that no path leads to."""
    name = Spoken(wanted, "this input")
    roots = ", ".join(str(Spoken(output, "the output")) for output in outputs)
    both, do = (*outputs, wanted), ""
    if made := for_notes.made_in_the_question(wanted):
        why = f"{made} makes a new tensor in this line, and {roots} was not computed from that one."
        do = f"name it before {roots} is computed, as in x = {made}, and use x in both places."
        return noted(error, why=why, do=do)
    are_tensors = all(hasattr(each, "grad_fn") for each in both)
    have_names = are_tensors and reader.name_of(wanted) is not None
    if len(both) == 2 and have_names:
        why, do = for_notes.where_a_path_breaks(outputs[0], wanted)
    else:
        why = (
            f"No recorded path leads from {roots} back to {name}: it was not used, or the way was "
            "cut (detach(), no_grad, .item()), or the name now means another tensor, or what "
            "depends on it is a constant."
        )
    leave = (
        "leave it out of the inputs; or allow_unused=True answers None, materialize_grads=True 0."
    )
    return noted(error, why=why, do=do or leave)


# -- writing in place ------------------------------------------------------------------------------


def leaf_written(error: Exception, leaf: Any, through_view: bool = False) -> Exception:
    """A write into a leaf, or into a view of one."""
    name = Spoken(leaf, "the leaf")
    seen = "a view of it shares its memory, so the write changes the leaf; " if through_view else ""
    return noted(
        error,
        why=f"{name} is where gradients are collected; {seen}a recorded write would make it a "
        "result, and its .grad could not be filled any more.",
        do="to update it, as an optimizer does, write inside `with torch.no_grad():`; to compute "
        f"with other values, make a new tensor ({name} + 1, or {name}.clone()).",
    )


def view_refused(error: Exception, view: Any, tensor: Any) -> Exception:
    """A write into a view whose history cannot follow, or its use after such a write."""
    writers = [writer for writer in tensor._counter.writers if writer is not None]
    written = tensor._version != view.version and writers
    where = f"{reader.spoken(writers[-1])} changed the memory it shares" if written else ""
    if view.made == NO_GRAD:
        why = "The view was made inside no_grad, so how it hangs on its base was not recorded."
        do = "make the view where its memory is written: both inside no_grad, or both outside."
    else:
        why = (
            "unbind, split and chunk make all their views in one node, and that node cannot be "
            "told that one of them changed."
        )
        do = (
            "take single views (x[0], x.narrow(...), x.select(...)), which may be written into; "
            "or write into c = c.clone() for such a view c, where the whole need not change."
        )
        if loop := for_notes.goes_through(tensor):
            why = f"A loop over a tensor takes its rows by unbind ({loop.line}), which makes all "
            why += "views in one node, and that node cannot be told that one of them changed."
            do = (
                f"write into {loop.over}[i] with i from range(len({loop.over})), a view of its own."
            )
    return noted(error, where=where, why=why, do=do)


detach_view = note(
    "A view gets its history from its base, so it cannot forget it alone.",
    "{t} = {t}.detach(), which leaves the original as it is.",
    otherwise="x",
)

# -- flags and values ------------------------------------------------------------------------------

not_floating = note(
    "The dtype is {it.name}; a derivative needs values that can change by a little.",
    "write 1. instead of 1, or convert first: x.float().requires_grad_().",
)
not_a_leaf = note(
    "{t} was computed by {t.maker}, so it requires grad because its operands do.",
    "{t}.detach() is the same value without history; to freeze a parameter, set requires_grad on "
    "the leaf.",
    otherwise="x",
)
no_numpy = note(
    "NumPy does not record, so the way back would end here unnoticed.",
    "{t}.detach().numpy() says that you mean it (same memory: add .copy() before changing it); to "
    "keep gradients, use the tensor's own operations.",
    otherwise="x",
)
only_on_leaves = note(
    "{t} was computed by {t.maker}, and gradients are added into the .grad of leaves alone.",
    "register_hook(...) sees the gradient of a result.",
)


def not_optimized(error: Exception, tensor: Any) -> Exception:
    """A result among what an optimizer is given."""
    name, t = reader.name_of(tensor), Spoken(tensor, "one of the tensors")
    why = f"{t} was computed by {t.maker}{t.made}; a step would change the result, not what it is "
    why += "computed from."
    if not name and (unpacked := for_notes.unpacked(t.maker)):
        why = f"{unpacked.starred} hands each tensor to {unpacked.function} alone, which goes "
        why += f"through its rows, and rows are results ({t.maker})."
        return noted(error, why=why, do=f"leave the star out: {unpacked.written}.")
    itself = (
        f"make {name} a leaf, by {name} = {name}.detach().requires_grad_()"
        if name
        else ("make it a leaf where it is made, by .detach().requires_grad_()")
    )
    do = f"{itself}; or give the optimizer the leaves behind {name or 'it'}, and compute "
    return noted(error, why=why, do=f"{do}{name or 'it'} from them anew in each round.")


def not_a_parameter(error: Exception, given: Any) -> Exception:
    """Something else than a tensor among what an optimizer is given: several lists in one."""
    if not holds_parameters(given):
        return error
    do = as_one_list() or "[*first.parameters(), *second.parameters()], a star before each"
    return noted(
        error,
        why="An optimizer takes one list of tensors; this one holds what has tensors inside.",
        do=f"{do}, which is one list.",
    )


not_replaced = note(
    "The module and its optimizer know the parameter as one object, and this is another.",
    "write into it, as in `self.{it} -= ...` inside `with torch.no_grad():`.",
)


def nan_returned(error: Exception, node: Any, saved: Any, first: Sequence) -> Exception:
    """A derivative that gave nan in anomaly mode; ``first`` is the node that gave inf before."""
    said = nan_notes.nan_returned(node, saved, first)
    return noted(error, **said) if said else error


def hook_answer(error: Exception, hook: Any, answer: Any, before: Any) -> Exception:
    """A hook that returns what cannot take the gradient's place."""
    return noted(error, **hook_notes.hook_answer(hook, answer, before))


# -- custom functions ------------------------------------------------------------------------------

_wrong_count = note(
    "{it.__name__}.apply was called with {arguments}, and backward answers one gradient for each, "
    "in order; it gave {got}.",
    "return {in_order}.",
)


def wrong_count(error: Exception, node: Any, got: int | str) -> Exception:
    """A ``backward`` that answers too few gradients, or too many."""
    function, count = node.function, len(node.input_specs)
    line = for_notes.line_that_returns(function.backward)
    where = f"{line} gives {got}" if line else ""
    if line := for_notes.line_without_return(function.backward):
        where, got = f"{line} ends without a return", "None"
    arguments = f"{count} argument{'s' * (count != 1)}"
    in_order = for_notes.gradients_in_order(node)
    return _wrong_count(error, function, where, arguments=arguments, got=got, in_order=in_order)


def not_a_gradient(error: Exception, function: Any, answer: Any) -> Exception:
    """A ``backward`` that answers something else than tensors."""
    kind, line = type(answer).__name__, for_notes.line_that_returns(function.backward)
    return noted(
        error,
        where=f"{line} gives it" if line else "",
        why=f"{function.__name__}.backward answers tensors, the gradients of what forward was "
        f"given; this is of type {kind}.",
        do="multiply the gradient that comes in, as in `factor * grad_output`; or return None "
        "where no gradient is needed.",
    )


wrong_shape = note(
    "Gradient {index} of {it.__name__}.backward belongs to argument {index} of forward, and a "
    "gradient has the shape of what it is the gradient of.",
    "sum over the dimensions that forward broadcast, or reorder what backward returns.",
)
gradient_of_a_number = note(
    "Argument {position} of {it.__name__}.apply was not a tensor, so nothing can take its "
    "gradient.",
    "return None in that place.",
)
