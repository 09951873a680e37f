"""What lesson 05 needs to go on with a learner's own engine.

ready("05-5", Value)   # the learner's class if that step is done, else the reference
habits(Value)          # x.grad by three habits of sending on
View                   # how the stepper sees it: mg.stepper(View(y))
beside(Value)          # its loop, and minigrad's
save(Value)            # my_engine.py, for lesson 12
load()                 # my_engine.py, or the reference
"""

import ast
import inspect
import textwrap
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from minigrad.autograd import engine as ours

from ..language import _
from . import engine_source, reference_engine
from .cards import Card, framed
from .engine_before import first_wrong
from .engine_steps import built, solutions
from .engine_trial import way_out
from .engine_view import EngineView as View
from .exercises import Exercise

__all__ = ["View", "beside", "habits", "load", "ready", "save"]


def ready(name: str, mine: Any) -> Any:
    """Return `mine`, a class or a function, if the step called `name` is right in it.

    Else return what the reference has by that name after the same step; a line says so.

    >>> ready("05-4", int).__name__
    Step 4 of yours is not done yet, so the reference engine runs here.
    'Value'
    """
    if _is_right(name, mine):
        return mine
    step = name.rpartition("-")[2][:1]
    said = _("Step {step} of yours is not done yet, so the reference engine runs here.")
    print(said.format(step=step))
    scope = built(_after(name))
    return scope["Value"] if isinstance(mine, type) else scope[mine.__name__]


def habits(engine: type) -> dict[str, float]:
    """The gradient of x in y = a·b with a = x·x and b = a·x, at x = 2, by three habits of sending.

    With each part that comes, a value sends on the sum so far; or it sends on that part alone; or
    it waits for all parts. The third is written out for this formula: y, b, a is a right order.

    >>> list(habits(reference_engine.Value).values())
    [112.0, 80.0, 80.0]
    """
    found = []
    for whole in (True, False):
        x, _a, _b, y = values = _fifth_power(engine)
        sums = dict.fromkeys(values, 0.0)
        _sent_on(y, 1.0, sums, whole)
        found.append(sums[x])
    x, a, b, y = values = _fifth_power(engine)
    sums = dict.fromkeys(values, 0.0) | {y: 1.0}
    for value in (y, b, a):
        for parent, part in zip(value.parents, value.rule(sums[value])):
            sums[parent] += part
    said = (
        _("each part that comes sends on the sum so far"),
        _("each part that comes is sent on alone"),
        _("a value waits for both parts, and sends their sum"),
    )
    return dict(zip(said, (*found, sums[x]), strict=True))


def _fifth_power(engine: type) -> tuple[Any, Any, Any, Any]:
    x = engine(2.0)
    a = x * x
    b = a * x
    return x, a, b, a * b


def _sent_on(value: Any, part: float, sums: dict[Any, float], whole: bool) -> None:
    sums[value] += part
    if value.parents:
        parts = value.rule(sums[value] if whole else part)
        for parent, further in zip(value.parents, parts):
            _sent_on(parent, further, sums, whole)


def _after(name: str) -> str | None:
    names = list(solutions())
    place = names.index(name) + 1
    return names[place] if place < len(names) else None


def _is_right(name: str, engine: Any) -> bool:
    from . import LESSONS

    exercise: Exercise = LESSONS.find("exercise", name)
    try:
        return exercise.judge(engine) is None
    except Exception:  # blank, or not to be judged
        return False


def save(engine: type, folder: str | Path = ".") -> Card:
    """Write the engine into `my_engine.py`, if it is right up to step 8, and say what was done.

    An older file with another text is kept beside it.
    """
    if not _is_right("05-8", engine):
        words = [
            _("Nothing is saved before step 8 is right. Lesson 12 brings an engine for that case.")
        ]
        if step := first_wrong(engine, "05-8"):
            words.append(_("Step {number} has to be done first.").format(number=step[3:]))
            words.append(way_out(step))
        return Card(_("Not yet"), tuple(words), "#6E6E6E")
    try:
        text = engine_source.source_of(engine)
        tried = engine_source.loaded(text)
        _fifth_power(tried)[-1].backward()
    except (engine_source.NoSource, SyntaxError) as error:
        said = _(
            "The text of your functions cannot be found here ({error}), so no file is written."
        )
        return Card(_("Not saved"), (said.format(error=error),), "#A84300")
    except Exception as error:
        said = _("The file would not run on its own: {kind}: {error}")
        return Card(
            _("Not saved"), (said.format(kind=type(error).__name__, error=error),), "#A84300"
        )
    if not _is_right("05-8", tried):
        said = _(
            "On its own the file would not do what your notebook does. Is a part of it missing?"
        )
        return Card(_("Not saved"), (said,), "#A84300")
    return _written(text, Path(folder))


def _written(text: str, folder: Path) -> Card:
    try:
        path, kept = engine_source.write(text, folder)
    except OSError as error:
        said = _("`{file}` cannot be written here: {error}.")
        told = said.format(file=engine_source.FILE, error=error.strerror or error)
        return Card(_("Not saved"), (told,), "#A84300")
    lines = sum(bool(line.strip()) for line in text.splitlines())
    words = [_("{lines} lines of yours are in `{file}`, and they run on their own.").format(
        lines=lines, file=path.name)]  # fmt: skip
    if kept:
        words.append(_("What was there is now `{file}`.").format(file=kept.name))
    return Card(_("Saved"), tuple(words), "#006B4E")


def load(folder: str | Path = ".") -> type:
    """The `Value` of `my_engine.py` in `folder`, to be given arrays from now on.

    The reference, with a line that says so, if there is no such file, or if its values cannot hold
    an array. Raises what the file raises.
    """
    path = Path(folder) / engine_source.FILE
    if not path.exists():
        said = _("There is no `{file}` here, so the reference engine runs.")
        print(said.format(file=path.name))
        return reference_engine.Value
    found = engine_source.loaded(path.read_text(encoding="utf-8"))
    if _takes_arrays(found):
        return found
    said = _("The values in `{file}` hold single numbers only, so the reference engine runs.")
    print(said.format(file=path.name))
    return reference_engine.Value


def _takes_arrays(engine: type) -> bool:
    """Whether two roads through an engine work with arrays as they do with numbers."""
    numbers = np.array([1.0, 2.0])
    try:
        x = engine(numbers)
        doubled = engine(2 * numbers, "×", (x,), lambda came: (2 * came,))
        total = engine(
            3.0 * numbers.sum(), "Σ", (x, doubled), lambda came: (came, came + 0 * numbers)
        )
        total.backward()
        total.backward()
        return x.data is numbers and x.grad.tolist() == [6.0, 6.0]
    except Exception:
        return False


# --- two loops beside each other ----------------------------------------------------------------


#: How the lines of minigrad's loop begin that do what the learner's loop does, too.
_LIKE_YOURS = (
    "while True:",
    "# Each gradient goes", "for edge, answer in pairs:",
    "if edge not in buffers:", "heappush(ready,", "buffers[edge] = answer",
    "elif answer is not None:", "buffers[edge] = self.add(have",
    "if not ready:", "break",
    "# The newest node", "node = heappop(ready)", "g = buffers.pop(node)",
    "pairs = node.differentiate(",
    "# What is left", "for leaf, g in buffers.items():", "if g is not None:", "accumulate(leaf, g",
)  # fmt: skip


@dataclass(frozen=True)
class Beside:
    """Two pieces of source under their headings, and one to unfold below them."""

    pairs: tuple[tuple[str, str], ...]
    whole: tuple[str, str]

    def __repr__(self) -> str:
        return "\n\n".join(f"{heading}\n\n{text}" for heading, text in self.pairs)

    def _repr_html_(self) -> str:
        columns = "".join(
            '<div style="flex:1 1 24em;min-width:0"><strong>'
            + escape(heading)
            + f"</strong>{_listing(text)}</div>"
            for heading, text in self.pairs
        )
        heading, text = self.whole
        row = f'<div style="display:flex;flex-wrap:wrap;gap:0 1em">{columns}</div>'
        row += f"<details><summary>{escape(heading)}</summary>{_listing(text)}</details>"
        return framed(row, width="78em")


def _listing(text: str) -> str:
    return (
        '<pre style="background:var(--jp-layout-color2,#f6f6f6);color:inherit;padding:.6em;'
        "margin:.3em 0;overflow:auto;white-space:pre;"
        f'font-size:12px;line-height:1.35" tabindex="0">{escape(text)}</pre>'
    )


def beside(engine: type) -> Beside:
    """The learner's `backward`, once step 7 is done, beside what is like it in minigrad's loop."""
    pairs = []
    if _is_right("05-7b", engine):
        with suppress(OSError, TypeError):
            pairs.append((_("your loop"), _dedented(inspect.getsource(engine.backward))))
    loop = _loop_of(ours._Pass.run)
    pairs.append((_("from the loop in minigrad/autograd/engine.py"), _like_yours(loop)))
    return Beside(tuple(pairs), (_("the whole loop"), loop))


def _like_yours(loop: str) -> str:
    """The lines that do what the learner's do, with a dot line for those between them."""
    kept, depth = [], None
    for line in loop.splitlines():
        inward = len(line) - len(line.lstrip())
        if not line.lstrip().startswith(_LIKE_YOURS):
            depth = inward if depth is None else min(depth, inward)
            continue
        if depth is not None:
            kept.append(" " * depth + "…")
        kept.append(line)
        depth = None
    return "\n".join(kept)


def _loop_of(run: Callable) -> str:
    """The loop of a pass, out of the `try` around it, and what is done after it."""
    source = _dedented(inspect.getsource(run))
    (function,), lines = ast.parse(source).body, source.splitlines()
    around = next(part for part in function.body if isinstance(part, ast.Try))
    loop = lines[around.body[0].lineno - 1 : around.body[-1].end_lineno]
    pieces = (loop, lines[around.end_lineno :])
    return "\n".join(_dedented("\n".join(piece)) for piece in pieces)


def _dedented(text: str) -> str:
    return textwrap.dedent(text).strip()
