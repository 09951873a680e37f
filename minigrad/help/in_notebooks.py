"""``%load_ext minigrad``: errors in a notebook end in the reader's line, with what helps below.

The frames of this package are left out of a traceback, and what `why` knows of an error without a
note is printed under it, also of one that Python itself or PyTorch raised. Others are shown as they
were. ``%%autograd`` runs a cell under `watch`, and tells where a history ended in it.
"""

from __future__ import annotations

import ast
import sys
from types import TracebackType
from typing import Any

from ..autograd.around import Around
from .errors.last_error import beyond_notes, from_notes
from .graph.recorded import told
from .source import reader
from .words.answer import as_html

MAGIC = "autograd"


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext minigrad``: short tracebacks with what helps, and the magic ``%%autograd``."""
    show_errors_short(shell)
    watch_cells(shell)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext minigrad``: tracebacks as IPython has them."""
    shell.set_custom_exc((), None)
    shell.magics_manager.magics["cell"].pop(MAGIC, None)


def watch_cells(shell: Any) -> None:
    """Give an IPython shell the cell magic ``%%autograd``."""

    def autograd(line: str, cell: str) -> Any:
        """Run the cell under `minigrad.watch`, then say where a history ended in it."""
        with Around.load("widgets.watching").watch() as tape:
            answer = run(shell, cell)
        found = [each for each in told(tuple(tape.cuts)) if not each.expected]
        if found:
            lines = "in one line" if len(found) == 1 else f"in {len(found)} lines"
            head, said = f"In this cell a history ended {lines}.", [f"{b.said}." for b in found]
            listed = "".join(f"<li>{as_html(each)}</li>" for each in said)
            page = f"<p><b>{head}</b></p><ul>{listed}</ul>"
            shell.display_pub.publish({"text/plain": "\n".join([head, *said]), "text/html": page})
        return answer

    shell.register_magic_function(autograd, "cell", MAGIC)


def run(shell: Any, cell: str) -> Any:
    """Run the text below the magic as the lines of its cell; the value of a last expression."""
    text = "\n" + shell.transform_cell(cell)  # the line of the magic counts
    name = shell.compile.cache(text, len(shell.user_ns["In"]) - 1)
    body = ast.parse(text, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), name, "exec"), shell.user_ns)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), shell.user_ns)


def show_errors_short(shell: Any) -> None:
    """Let an IPython shell show errors without the frames of this package."""

    def handler(shell: Any, kind: type, error: BaseException, traceback: Any, tb_offset=None):
        sys.last_type, sys.last_value, sys.last_traceback = kind, error, traceback
        reader.STOPPED.update(reader.stopped(traceback))
        shown = without_package(traceback)
        told = shell.InteractiveTB.structured_traceback(kind, error, shown, tb_offset=tb_offset)
        told = [*told, *([] if from_notes(error) else beyond_notes(error)[0])]
        shell._showtraceback(kind, error, told)
        return told

    shell.set_custom_exc((Exception,), handler)


def shorten_errors_here() -> None:
    """The same for the notebook that runs this, unless somebody shows its errors already."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None and not shell.custom_exceptions:
        show_errors_short(shell)


def without_package(traceback: TracebackType | None) -> TracebackType | None:
    """The same traceback without the frames of this package; whole where nothing else is in it.

    >>> without_package(None)
    """
    frames = [*reader.passed(traceback)]
    own = [each for each in frames if not is_ours(each)]
    shown: TracebackType | None = None
    for each in reversed(own or frames):
        shown = TracebackType(shown, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return shown


def is_ours(traceback: TracebackType) -> bool:
    """Whether a frame runs code of this package."""
    return traceback.tb_frame.f_code.co_filename.startswith(reader.PACKAGE)
