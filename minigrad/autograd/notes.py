"""Notes on errors: PyTorch's sentence stays as it is, and what would have helped comes after it.

A note has up to three lines::

    Where: the line of the reader's program that is to blame, when it is not the one that failed
    Why:   what happened
    Try:   what to do instead

It is added with ``add_note``, so Python and Jupyter print it under the message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from . import reader


def noted(error: Exception, *, where: str = "", why: str = "", do: str = "") -> Exception:
    """The same error with a note.

    >>> print(*noted(RuntimeError("no"), why="It rains.", do="wait.").__notes__)
    Why:   It rains.
    Try:   wait.
    """
    lines = {"Where: ": where, "Why:   ": why, "Try:   ": do}
    error.add_note("\n".join(label + text for label, text in lines.items() if text))
    return error


def called(tensor: Any, otherwise: str = "the tensor") -> str:
    """The reader's name of a tensor, or else a description."""
    return reader.name_of(tensor) or otherwise


def size(tensor: Any) -> str:
    """A shape in words.

    >>> import minigrad as mg
    >>> size(mg.ones(2, 3))
    'has 6 elements (shape [2, 3])'
    """
    return f"has {tensor.numel()} elements (shape {list(tensor.shape)})"


# -- saved values ----------------------------------------------------------------------------------


def stale(error: Exception, tensor: Any, node: Any, expected: int, counter: Any) -> Exception:
    """A value that ``node`` had saved at version ``expected`` was changed."""
    writers = counter.writers[-(counter.value - expected) :]
    known = [reader.spoken(writer) for writer in writers if writer is not None]
    where = f"{known[0]} changed the value in place" if known else ""
    if len(known) > 1:
        where = f"{known[0]} changed the value in place ({counter.value - expected} writes in all)"
    if not known:
        why = (
            "The value was changed in place, by backward() adding into a .grad or by a write that "
        )
        why += "left no line. "
    else:
        why = ""
    why += f"{maker(node)} had kept it{kept_as(node, tensor)} for its derivative"
    why += f" (version {expected}, now {counter.value})."
    name = reader.name_of(tensor) or owner_of(tensor, counter) or "y"
    if tensor.is_leaf and tensor.requires_grad:
        do = f"change {name} after backward(), not between the forward pass and backward()."
    else:
        do = f"make a new tensor ({name} = {name} + 1 instead of {name} += 1), or write into "
        do += f"{name}.clone(), or write after backward()."
    return noted(error, where=where, why=why, do=do)


def owner_of(tensor: Any, counter: Any) -> str | None:
    """The reader's name of the tensor that a node saved as its own result, in other words."""
    return reader.name_among(
        reader.variables(),
        lambda thing: getattr(thing, "_counter", None) is counter and not thing._is_view(),
    )


def maker(node: Any) -> str:
    """A node, and in anomaly mode the line that recorded it."""
    line = recorded_at(node)
    return node.name() if line is None else f"{node.name()}, recorded at {line},"


def recorded_at(node: Any) -> str | None:
    """The reader's line that recorded a node, which anomaly mode remembers."""
    metadata = {} if node.extras is None else node.extras.metadata
    for entry in reversed(metadata.get("traceback_", ())):
        found = re.match(r'\s*File "(.*)", line (\d+)', entry)
        if found and not found[1].startswith(reader.PACKAGE):
            return reader.spoken_line(found[1], int(found[2]))
    return None


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
    line = (
        f"{reader.spoken(by.place)} ran a backward pass through {node.name()}" if by.place else ""
    )
    return noted(
        error,
        where=line,
        why=f"{node.name()} lets go of the values it had saved as soon as a pass has used them.",
        do="pass retain_graph=True to the earlier call; or compute the result again before each "
        "backward(); or ask for everything in one call, as in grad(z, (x, y)).",
    )


# -- asking for gradients --------------------------------------------------------------------------


def not_scalar(error: Exception, output: Any) -> Exception:
    """``backward`` of several elements without a vector."""
    name = called(output, "y")
    return noted(
        error,
        why=f"{name} {size(output)}, and a gradient belongs to one number.",
        do=f"{name}.sum().backward(), or say what each element counts: "
        f"{name}.backward(gradient=torch.ones_like({name})).",
    )


def shape_mismatch(error: Exception, output: Any, vector: Any) -> Exception:
    """A vector that does not have the shape of its root."""
    return noted(
        error,
        why="The vector v of v·J has one number for each element of the output; it is not "
        "broadcast.",
        do=f"give a vector of shape {list(output.shape)}, as "
        f"torch.ones_like({called(output, 'y')}) has; this one has {list(vector.shape)}.",
    )


def not_tracked(error: Exception, tensor: Any, before: str = "computing with it") -> Exception:
    """A tensor without history or flag was asked for what only tracked tensors have."""
    from .untracked import why_untracked

    name = called(tensor)
    return noted(
        error,
        why=f"{name} has requires_grad=False. {why_untracked(tensor, reader.variables())}",
        do=f"set requires_grad=True on the leaves you want gradients for before {before}, and keep "
        "the way from them free of detach(), no_grad, .item() and tensor(...)"
        + (f"; minigrad.explain({name}) says more." if reader.name_of(tensor) else "."),
    )


def unused(error: Exception, wanted: Any, outputs: Sequence) -> Exception:
    """An input that no path leads to."""
    name = called(wanted, "this input")
    roots = ", ".join(called(output, "the output") for output in outputs)
    return noted(
        error,
        why=f"No recorded path leads from {roots} back to {name}: it was not used, or the way was "
        "cut (detach(), no_grad, .item()), or the name now means another tensor, or what depends "
        "on it is a constant.",
        do=f"minigrad.explain({roots}, {name}) looks for the break; allow_unused=True answers "
        "None, materialize_grads=True zeros."
        if all(reader.name_of(each) for each in (wanted, *outputs))
        else "allow_unused=True answers None, materialize_grads=True zeros.",
    )


def no_inputs(error: Exception) -> Exception:
    """An empty ``inputs``."""
    return noted(
        error,
        why="inputs= lists the tensors whose gradients you want, and it is empty.",
        do="name at least one tensor, or leave inputs= out of backward() to fill all leaves.",
    )


# -- writing in place ------------------------------------------------------------------------------


def leaf_written(error: Exception, leaf: Any, through_view: bool = False) -> Exception:
    """A write into a leaf, or into a view of one."""
    name = called(leaf, "the leaf")
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
    if view.made == "no_grad":
        why = "The view was made inside no_grad, so how it hangs on its base was not recorded."
        do = "make the view where its memory is written: both inside no_grad, or both outside."
    else:
        why = "unbind, split and chunk make all their views in one node, and that node cannot be "
        why += "told that one of them changed."
        do = "take single views (x[0], x.narrow(...), x.select(...)), which may be written into; "
        do += "or work on a clone() of the view."
    return noted(error, where=where, why=why, do=do)


def detach_view(error: Exception) -> Exception:
    """``detach_()`` of a view."""
    return noted(
        error,
        why="A view gets its history from its base, so it cannot forget it alone.",
        do="x = x.detach(), which leaves the original as it is.",
    )


# -- flags and values ------------------------------------------------------------------------------


def not_floating(error: Exception, dtype: Any) -> Exception:
    """A gradient asked for integers or bools."""
    return noted(
        error,
        why=f"The dtype is {dtype.name}; a derivative needs values that can change by a little.",
        do="write 1. instead of 1, or convert first: x.float().requires_grad_().",
    )


def not_a_leaf(error: Exception, tensor: Any) -> Exception:
    """``requires_grad = False`` on a result."""
    name = called(tensor, "x")
    return noted(
        error,
        why=f"{name} was computed by {tensor.grad_fn.name()}, so it requires grad because its "
        "operands do.",
        do=f"{name}.detach() is the same value without history; to freeze a parameter, set "
        "requires_grad on the leaf.",
    )


def no_numpy(error: Exception, tensor: Any) -> Exception:
    """``numpy()`` of a tracked tensor."""
    name = called(tensor, "x")
    return noted(
        error,
        why="NumPy does not record, so the way back would end here unnoticed.",
        do=f"{name}.detach().numpy() says that you mean it (same memory: add .copy() before "
        "changing it); to keep gradients, use the tensor's own operations.",
    )


def only_on_leaves(error: Exception, tensor: Any) -> Exception:
    """A hook after accumulation, on a tensor that nothing is accumulated in."""
    return noted(
        error,
        why=f"{called(tensor)} was computed by {tensor.grad_fn.name()}, and gradients are added "
        "into the .grad of leaves alone.",
        do="register_hook(...) sees the gradient of a result.",
    )


# -- custom functions ------------------------------------------------------------------------------


def wrong_count(error: Exception, function: type, expected: int, got: int) -> Exception:
    """A ``backward`` that answers another number of gradients than ``forward`` had arguments."""
    name = function.__name__
    return noted(
        error,
        why=f"{name}.apply was called with {expected} argument{'s' * (expected != 1)}, and "
        f"backward answers one gradient for each, in order; it gave {got}.",
        do="return None in the place of an argument that needs no gradient, such as a number.",
    )


def wrong_shape(error: Exception, function: type, index: int) -> Exception:
    """A ``backward`` whose gradient does not fit its argument."""
    return noted(
        error,
        why=f"Gradient {index} of {function.__name__}.backward belongs to argument {index} of "
        "forward, and a gradient has the shape of what it is the gradient of.",
        do="sum over the dimensions that forward broadcast, or reorder what backward returns.",
    )


def gradient_of_a_number(error: Exception, function: type, position: int) -> Exception:
    """A gradient given for an argument that is no tensor."""
    return noted(
        error,
        why=f"Argument {position} of {function.__name__}.apply was not a tensor, so nothing can "
        "take its gradient.",
        do="return None in that place.",
    )
