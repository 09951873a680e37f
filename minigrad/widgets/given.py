"""What was handed over, and what to do where it has no graph."""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from minigrad import Tensor
from minigrad.help.in_notebooks import is_ours, without_package
from minigrad.help.source.reader import passed
from minigrad.trace import watch
from minigrad.viz import VIEWS

from ..language import _


def ends_in_the_readers_line(door: Callable) -> Callable:
    """Let IPython show what a door refuses at the line that called it.

    The frames from there to the refusal are files of this package, which tell a reader nothing.
    Nothing is taken from the error itself: a plain traceback has them all. An error that nobody
    here raised on purpose is shown whole, and so is one that comes out of code of the reader's.
    """

    @functools.wraps(door)
    def opened(*args: Any, **kwargs: Any) -> Any:
        try:
            return door(*args, **kwargs)
        except Exception as error:
            ipython = sys.modules.get("IPython")
            shell = None if ipython is None else ipython.get_ipython()
            if shell is not None and _refused(error.__traceback__):
                error._render_traceback_ = functools.partial(_shown, error, shell)
            raise

    return opened


def _shown(error: Exception, shell: Any) -> list[str]:
    """The lines of an error as IPython shows it, without our frames."""
    short = without_package(error.__traceback__)
    return shell.InteractiveTB.structured_traceback(type(error), error, short)


RAISE = dis.opmap["RAISE_VARARGS"]


def _refused(traceback: TracebackType | None) -> bool:
    """Whether the last of its frames is one of ours, and stands at a ``raise``."""
    *_above, last = passed(traceback)
    return is_ours(last) and last.tb_frame.f_code.co_code[last.tb_lasti] == RAISE


def is_tensor(given: Any) -> bool:
    """Whether this is a tensor of minigrad or of PyTorch, which is not imported for that.

    >>> import minigrad as mg
    >>> is_tensor(mg.ones(2)), is_tensor(2)
    (True, False)
    """
    torch = sys.modules.get("torch")
    return isinstance(given, Tensor) or (torch is not None and isinstance(given, torch.Tensor))


def need_graph(given: Any, door: str) -> None:
    """Raise with a word on what to do unless ``given`` is a tensor with a graph behind it.

    Args:
        given: what was handed to `door`.
        door: the name of the function, for the message.

    Raises:
        TypeError: for something that is no tensor.
        ValueError: for a tensor without a graph.

    >>> need_graph(3, "draw")
    Traceback (most recent call last):
    TypeError: draw() takes a tensor, not int: only a tensor has a graph behind it
    """
    if not is_tensor(given):
        raise TypeError(_no_tensor(given, door))
    if given.grad_fn is None:
        if given.requires_grad:
            why = _("{door}(): this tensor is a leaf, so nothing was computed yet; hand over what "
                    "was computed from it, such as {door}(loss)")  # fmt: skip
        else:
            why = _("{door}(): this tensor has no graph: it was computed from no tensor with "
                    "requires_grad=True, or under no_grad(), or it was detached; "
                    "explain(y) says which")  # fmt: skip
        raise ValueError(why.format(door=door))


def check_scene(depth: Any, module: Any, door: str) -> None:
    """Raise unless ``depth`` and ``module`` say which picture of a model is meant.

    Raises:
        TypeError: for a depth that is no whole number, or a module that is no path.
        ValueError: for a negative depth.

    >>> check_scene(1, None, "draw")
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        what = _("{door}(): depth is a whole number: 0 draws no boxes, 1 the outermost modules, "
                 "2 the modules in them, and so on; not {depth!r}")  # fmt: skip
        wrong = ValueError if type(depth) is int else TypeError
        raise wrong(what.format(door=door, depth=depth))
    if module is not None and not isinstance(module, str):
        what = _("{door}(): module is a path such as 'net.0', not {kind}")
        raise TypeError(what.format(door=door, kind=type(module).__name__))


def _no_tensor(given: Any, door: str) -> str:
    kind = type(given).__name__
    if isinstance(given, str) and given in VIEWS:
        why = _("{door}() takes a tensor, and how it is drawn by name: {door}(y, view={given!r})")
        return why.format(door=door, given=given)
    if isinstance(given, watch) and given.failure is not None:
        return _("{door}(): the watched block raised, so there is nothing to go back from; "
                 "draw(tape) shows how far it came").format(door=door)  # fmt: skip
    if callable(given) and hasattr(given, "parameters"):
        why = _("{door}() takes a tensor, not the module {kind}: call the module, and hand over "
                "what came out of it, such as {door}(loss)")  # fmt: skip
    elif isinstance(given, (list, tuple, dict)):
        why = _("{door}() takes a tensor, not a {kind}: hand over one of the tensors in it")
    else:
        why = _("{door}() takes a tensor, not {kind}: only a tensor has a graph behind it")
    return why.format(door=door, kind=kind)
