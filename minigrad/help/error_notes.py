"""Notes on errors: PyTorch's sentence stays as it is, and what would have helped comes after it.

A note has up to three lines::

    Where: the line of the reader's program that is to blame, when it is not the one that failed
    Why:   what happened
    Try:   what to do instead

It is added with ``add_note``, so Python and Jupyter print it under the message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

from ..autograd.around import Around
from ..autograd.views import NO_GRAD
from . import reader


def noted(error: Exception, *, where: str = "", why: str = "", do: str = "") -> Exception:
    """The same error with a note.

    >>> print(*noted(RuntimeError("no"), why="It rains.", do="wait.").__notes__)
    Why:   It rains.
    Try:   wait.
    """
    lines = {"Where: ": where, "Why:   ": as_imported(why), "Try:   ": as_imported(do)}
    told = {label: re.sub(r"\n\s*", " ", text) for label, text in lines.items() if text}
    error.add_note("\n".join(map("".join, told.items())))
    return error


class Help:
    """Where notes get what takes reading the program: :mod:`minigrad.help.for_notes`."""

    @staticmethod
    def load() -> Any:
        return Around.load("help.for_notes")


def as_imported(text: str) -> str:
    """A sentence with the name under which the reader has imported this package.

    A line that is quoted stays as it is written.
    """
    own = reader.library()
    quoted = text.split("`")
    for at in range(0, len(quoted) if own else 0, 2):
        quoted[at] = re.sub(r"\b(torch|minigrad)\.(?=[a-z])", f"{own}.", quoted[at])
    said = "`".join(quoted)
    return said.replace("`with torch.", f"`with {own}.") if own else said


def in_own_spelling(tell: Callable[..., Iterable[str]]) -> Callable[..., Iterable[str]]:
    """The same sentences, with the name under which the reader has imported this package."""

    @wraps(tell)
    def told(*given: Any) -> Iterable[str]:
        return map(as_imported, tell(*given))

    return told


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
        helper = Help.load()
        line = "" if helper is None else helper.line_that_made(self.tensor)
        return f" ({line})" if line else ""

    @property
    def why_untracked(self) -> str:
        helper = Help.load()
        return "" if helper is None else helper.why_untracked(self.tensor, self.otherwise)

    @property
    def how_to_track(self) -> str:
        helper = Help.load()
        known = "" if helper is None else helper.what_to_do(self.tensor)
        return known or (
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


# -- saved values ----------------------------------------------------------------------------------


def stale(error: Exception, tensor: Any, node: Any, expected: int, counter: Any) -> Exception:
    """A value that ``node`` had saved at version ``expected`` was changed."""
    count = counter.value - expected
    known = [reader.spoken(writer) for writer in counter.writers[-count:] if writer is not None]
    where = f"{known[0]} changed the value in place" if known else ""
    if len(known) > 1:
        where += f" ({count} writes in all)"
    unknown = (
        "The value was changed in place, by backward() adding into a .grad or by a write that left "
        "no line. "
    )
    why = (
        f"{'' if known else unknown}{maker(node)} had kept it{kept_as(node, tensor)} for its "
        f"derivative (version {expected}, now {counter.value})."
    )

    def is_owner(thing: Any) -> bool:  # of a value that the node saved as its own result
        return getattr(thing, "_counter", None) is counter and not thing._is_view()

    writer, helper = next(filter(None, counter.writers[-count:]), None), Help.load()
    view = None if helper is None else helper.view_kept(tensor, writer)
    name = reader.name_of(tensor) or reader.name_among(reader.variables(), is_owner)
    owner = tensor._base if tensor._is_view() else tensor
    if owner._edge is None and owner.requires_grad:
        do = after_an_update(name or "the leaf", node, counter.writers[-count:])
    elif view is not None:
        is_named = reader.name_of(tensor) is not None
        that = f"That is {view.name}, a view" if is_named else f"That is a view, as {view.name} is,"
        why += f" {that} of {view.whole} ({view.line})."
        do = f"{view.name} = {view.written}.clone() there, which has values of its own."
    elif name is None:
        do = "make a new tensor instead, or write into a clone(), or write after backward()."
    else:
        do = (
            f"make a new tensor ({name} = {name} + 1 instead of {name} += 1), or write into "
            f"{name}.clone(), or write after backward()."
        )
    return noted(error, where=where, why=why, do=do)


def after_an_update(leaf: str, node: Any, writers: Sequence) -> str:
    """What to do where a leaf was changed between a forward pass and its backward pass."""
    helper, place, here = Help.load(), next(filter(None, writers), None), reader.place()
    in_loop = place and here and place[0] is here[0] and place[1] > here[1]
    if in_loop and helper is not None and (carried := helper.carried_over(node)):
        return carried
    root = "" if helper is None else helper.asked_about()
    stepped = place is not None and ".step(" in reader.spoken(place)
    costs = ", where that step would use these gradients as well" if stepped else ""
    return (
        f"compute {root or 'what backward() starts from'} after that line, from the changed "
        f"{leaf}; or change {leaf} after backward(){costs}."
    )


def maker(node: Any) -> str:
    """A node, and the reader's line that recorded it, where that is known."""
    line = line_recorded(node)
    return f"{node.name()}, recorded at {line}," if line else node.name()


def line_recorded(node: Any) -> str:
    """The reader's line that recorded a node, which anomaly mode remembers; else empty."""
    metadata = {} if node.extras is None else node.extras.metadata
    for entry in reversed(metadata.get("traceback_", ())):
        found = re.match(r'\s*File "(.*)", line (\d+)', entry)
        if found and not found[1].startswith(reader.PACKAGE):
            return reader.spoken_line(found[1], int(found[2]))
    return ""


def kept_as(node: Any, tensor: Any) -> str:
    """Under which names a node saved a tensor; both of them where that is multiplied by itself."""
    names = node.saved_names()
    kept = zip(names, node.saved or ())
    own = [f"`{name}`" for name, value in kept if getattr(value, "kept", value) is tensor]
    if own:
        return " as " + " and ".join(reversed(own))
    return " (its own result)" if "result" in names else ""


def freed(error: Exception, node: Any, by: Any) -> Exception:
    """The values that ``node`` had saved were let go by an earlier pass."""
    name, place, here = node.name(), by.place, reader.place()
    in_loop = place and here and place[0] is here[0] and place[1] == here[1]
    helper = Help.load() if in_loop else None
    do = "ask for everything in one call, as in grad(z, (x, y))."
    if not in_loop:
        do = f"compute the result again before each backward(); or {do}"
    if helper is None or helper.is_unchanged(node):  # after a step it would use old values
        do = f"pass retain_graph=True to the earlier call; or {do}"
    if in_loop:
        do = (
            "if this line is in a loop, compute inside it all that a round needs, and detach() "
            f"what the next one takes over; or {do}"
        )
    if helper is not None and (carried := helper.carried_over(node)):
        do = carried
    elif helper is not None and (kept := helper.kept(node)):
        forward = ", as in forward()" if "." in kept.partition(" (")[0] else ""
        do = f"compute {kept} inside of the loop, anew in each round{forward}: "
        do += "it holds the first graph."
        if helper.asks_a_part():
            do = "pass retain_graph=True here: each round asks another part of one graph, "
            do += f"that of {kept}."
    return noted(
        error,
        where=f"{reader.spoken(place)} ran a backward pass through {name}" if place else "",
        why=f"{name} lets go of the values it had saved as soon as a pass has used them.",
        do=do,
    )


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


def asks_by_grad() -> bool:
    """Whether the reader's line calls ``autograd.grad`` rather than ``backward``."""
    place = reader.place()
    line = "" if place is None else reader.spoken(place)
    return ".backward(" not in line and bool(re.search(r"\bgrad\(", line))


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
    both, helper, do = (*outputs, wanted), Help.load(), ""
    if helper is not None and (made := helper.made_in_the_question(wanted)):
        why = f"{made} makes a new tensor in this line, and {roots} was not computed from that one."
        do = f"name it before {roots} is computed, as in x = {made}, and use x in both places."
        return noted(error, why=why, do=do)
    are_tensors = all(hasattr(each, "grad_fn") for each in both)
    have_names = are_tensors and reader.name_of(wanted) is not None
    if len(both) == 2 and have_names and helper is not None:
        why, do = helper.where_a_path_breaks(outputs[0], wanted)
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
            "or work on a clone() of the view."
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

not_optimized = note(
    "{t} was computed by {t.maker}{t.made}; a step would change the result, not what it is "
    "computed from.",
    "give the optimizer the leaves behind {t}; or make {t} a leaf, by {t} = "
    "{t}.detach().requires_grad_().",
    otherwise="x",
)


def not_a_parameter(error: Exception, given: Any) -> Exception:
    """Something else than a tensor among what an optimizer is given: several lists in one."""
    helper = Help.load()
    if helper is None or not helper.holds_parameters(given):
        return error
    do = helper.as_one_list() or "[*first.parameters(), *second.parameters()], a star before each"
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
    helper = Around.load("help.nan_notes")
    said = {} if helper is None else helper.nan_returned(node, saved, first)
    return noted(error, **said) if said else error


def hook_answer(error: Exception, hook: Any, answer: Any, before: Any) -> Exception:
    """A hook that returns what cannot take the gradient's place."""
    helper = Around.load("help.hook_notes")
    return error if helper is None else noted(error, **helper.hook_answer(hook, answer, before))


# -- custom functions ------------------------------------------------------------------------------

_wrong_count = note(
    "{it.__name__}.apply was called with {arguments}, and backward answers one gradient for each, "
    "in order; it gave {got}.",
    "return None in the place of an argument that needs no gradient, such as a number.",
)


def wrong_count(error: Exception, function: Any, count: int, got: int) -> Exception:
    """A ``backward`` that answers too few gradients, or too many."""
    helper = Help.load()
    line = "" if helper is None else helper.line_that_returns(function.backward)
    where = f"{line} gives {got}" if line else ""
    arguments = f"{count} argument{'s' * (count != 1)}"
    return _wrong_count(error, function, where, arguments=arguments, got=got)


def not_a_gradient(error: Exception, function: Any, answer: Any) -> Exception:
    """A ``backward`` that answers something else than tensors."""
    helper, kind = Help.load(), type(answer).__name__
    line = "" if helper is None else helper.line_that_returns(function.backward)
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
