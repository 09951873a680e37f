"""``minigrad.why``: the last error again, in words; also errors of Python's own.

Most errors of this package carry a note already. What a note cannot reach are errors that Python
itself raises, such as ``'NoneType' object has no attribute 'backward'``: there the failing line is
parsed, and the names in it are looked up where it failed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from types import FrameType

from ...extras.recorded_cuts import NOT_RECORDED, cuts_of
from ...tensor import Tensor
from ..first_errors.classes import HAS_NO
from ..first_errors.first_errors import of_a_beginner
from ..first_errors.no_tensor import (
    bound_without_brackets,
    in_place_of_a_tensor,
    of_several,
    without_brackets,
)
from ..first_errors.none_came_from import came_from, nothing_given
from ..first_errors.operands import ABOUT_SHAPES, whatever_it_is, with_operands
from ..gradients.no_gradient import of_a_grad
from ..graph.recorded import told
from ..program.failure import Failure, own_lines, own_parts
from ..source import reader
from ..source.lookup import value_of
from ..source.parsed import tree_of_code
from ..source.prompt import PROMPTS
from ..source.syntax import is_call, parents_in
from ..words.answer import Explanation
from ..words.noted import as_imported
from ..words.sentences import table, tell
from .own_checks import of_own_check
from .read_by_numpy import beside_an_array, read_by_numpy

NOTE = re.compile(r"^(Where|Why|Try): +", re.MULTILINE)
LINE = re.compile(r"\bline \d+ of ")
CALLABLES = {"function", "method", "builtin_function_or_method"}
NUMBERS = {"float", "int", "bool", "complex", "numpy.float64", "numpy.float32", "numpy.ndarray"}
UNPACKED = re.compile(r"values to unpack \(expected (\d+)(?:, got (\d+))?\)")
A_METHOD = re.compile(r"'(?:builtin_function_or_method|method)'")
ONE_TENSOR = "params argument given to the optimizer should be an iterable of Tensors"


def why(error: BaseException | None = None) -> Explanation:
    """Say what the last error meant, which line is to blame, and what to do.

    Errors of Python's own are answered where they are about a gradient: None or a number in the
    place of a tensor.

    Args:
        error: an exception that was caught; None takes the one that is being handled, or else the
            last one that nobody caught, which Python and notebooks keep.

    Raises:
        TypeError: ``error`` is no exception.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> try:
    ...     x.backward()
    ... except RuntimeError as error:
    ...     print(mg.why(error).sentences[-1])
    Try: x.sum().backward(), which counts each element once; for one of them alone, x[i].backward().
    """
    if error is None:
        error = sys.exception() or getattr(sys, "last_value", None)
    if error is None:
        return Explanation([tell("no-error"), tell("give-the-error")])
    if not isinstance(error, BaseException):
        kind = type(error).__name__
        raise TypeError(f"why() takes an exception, not {kind}; without one it takes the last")
    passed = own_parts(error.__traceback__)
    with reader.asked_at(passed[0].tb_frame if passed else None):
        return of_error(error)


def of_error(error: BaseException) -> Explanation:
    """The same of an error, read where it was raised."""
    said, is_known = from_notes(error), True
    if not said:
        said, by_line = beyond_notes(error)
        is_known = by_line or came_from_here(error)
    unknown = f"{type(error).__name__}: {error}".removesuffix(": ")
    there = [] if said else [*whatever_it_is(Failure.seen(error))]
    return Explanation([*with_its_line(said or [unknown], error), *there], own=is_known)


def from_notes(error: BaseException) -> list[str]:
    """What the notes say, the reason first."""
    said: dict[str, str] = {}
    for note in getattr(error, "__notes__", ()):
        pieces = NOTE.split(note)
        said |= dict(zip(pieces[1::2], map(str.strip, pieces[2::2])))
    order = [said.get("Why", ""), said.get("Where", ""), "Try" in said and f"Try: {said['Try']}"]
    return [sentence for sentence in order if sentence]


def with_its_line(said: list[str], error: BaseException) -> list[str]:
    """The sentences, with the line that failed where they name none."""
    if any(LINE.search(sentence) for sentence in said):
        return said
    found = next(iter(own_parts(error.__traceback__)), None)
    if found is None or found.tb_frame.f_code.co_filename in PROMPTS:
        return said  # at a prompt it is what was typed last
    line = reader.spoken((found.tb_frame.f_code, found.tb_lasti))
    return [said[0], f"It was raised in {line}.", *said[1:]]


def beyond_notes(error: BaseException) -> tuple[list[str], bool]:
    """What is known of an error that carries no note, and whether the line that failed tells it."""
    said, is_by_line = of_failure(Failure.seen(error))
    return ([*map(as_imported, said)] if is_by_line else said), is_by_line


def of_failure(failure: Failure) -> tuple[list[str], bool]:
    """What rules know of an error by its line, or else by its text, and whether by the line."""
    error, line = failure.error, (failure.frame, failure.expression)
    ruled = [*from_python(error, *line)] or [*of_own_check(failure)] or [*of_a_beginner(failure)]
    said = ruled or by_its_text(error)
    if ABOUT_SHAPES.match(str(error)):
        said = with_operands(failure, said, bool(ruled))
    return said, bool(ruled)


def by_its_text(error: BaseException) -> list[str]:
    """What is known of an error by what it says, also of one of PyTorch."""
    for text, known in messages().items():
        if found := text.match(str(error)):
            why, do = (fill(known[key], found) for key in ("why", "do"))
            return [why, *made_in_inference(error), f"Try: {do}"]
    return []


def made_in_inference(error: BaseException) -> Iterator[str]:
    """Which tensors of the failing line were made under ``inference_mode``, and where."""
    if not str(error).startswith("Inference tensors"):
        return
    *_, caller, _ = reader.passed(error.__traceback__)
    cuts = cuts_of(caller.tb_frame.f_locals.get("tensor"))
    for made in told(cut for cut in cuts if cut.what is NOT_RECORDED):
        yield f"Where it was made: {made.said}."
        return


def came_from_here(error: BaseException) -> bool:
    """Whether this package raised an error, and not PyTorch."""
    files = [each.tb_frame.f_code.co_filename for each in reader.passed(error.__traceback__)]
    return bool(files) and files[-1].startswith(reader.PACKAGE)


@cache
def messages() -> dict[re.Pattern, dict[str, str]]:
    """The known messages, read from `messages.toml` when the first one is asked for."""
    return {re.compile(known["text"]): known for known in table("errors/messages").values()}


def fill(sentence: str, found: re.Match) -> str:
    """A sentence with the pieces of a message in the place of ``{1}``, ``{2}``."""
    return re.sub(r"\{(\d)\}", lambda place: found[int(place[1])], sentence)


def from_python(
    error: BaseException, frame: FrameType | None, expression: ast.AST | None
) -> Iterator[str]:
    """What is known of an error by the expression of the reader's that failed, as of Python's."""
    found = HAS_NO.search(str(error))
    if isinstance(error, AttributeError) and found and isinstance(expression, ast.Attribute):
        (kind, attribute), owner = found.groups(), expression.value
        if attribute != expression.attr:
            return
        if kind in ("tuple", "list") and hasattr(Tensor, attribute):
            yield from of_several(owner, kind, f"so it has no {attribute}", frame)
        elif kind in CALLABLES and hasattr(Tensor, attribute):
            yield from bound_without_brackets(owner, frame)
        elif kind in (*NUMBERS, "NoneType"):
            said = [*in_place_of_a_tensor(owner, kind, attribute, frame)]
            yield from said
            if kind == "NoneType" and len(said) == 1:
                yield from came_from(owner, own_lines(error.__traceback__))
    elif "'numpy.ndarray' and 'Tensor'" in str(error):
        yield from beside_an_array(expression, frame)
    elif str(error).startswith("only one element") and all(instead := read_by_numpy(frame)):
        yield "Functions of math take one number, and a tensor there has several."
        yield "Try: {} for {}.".format(*instead)
    elif isinstance(error, TypeError) and A_METHOD.search(str(error)):
        yield from without_brackets(expression, frame)
    elif str(error).startswith(ONE_TENSOR) and is_call(expression) and expression.args:
        name = ast.unparse(expression.args[0])
        yield "An optimizer takes a list of tensors, or another iterable, also where it is one."
        yield f"Try: [{name}] for {name}."
    elif "NoneType" in str(error) and (said := [*of_nothing(error, expression, frame)]):
        yield from said
    elif isinstance(error, ValueError) and (counts := UNPACKED.search(str(error))):
        yield from saved_otherwise(expression, frame, counts)


def of_nothing(
    error: BaseException, expression: ast.AST | None, frame: FrameType | None
) -> Iterator[str]:
    """Why a part of the expression that failed was None: a ``.grad``, or what a call gave."""
    for thing in ast.iter_child_nodes(expression) if expression is not None else ():
        if isinstance(thing, ast.expr) and value_of(thing, frame, default=0) is None:
            if said := [*of_a_grad(thing, frame)]:
                yield from said
                return
    yield from nothing_given(str(error), own_lines(error.__traceback__), error.__traceback__)


def saved_otherwise(
    target: ast.AST | None, frame: FrameType | None, counts: re.Match
) -> Iterator[str]:
    """That ``backward`` takes another number of saved tensors than ``forward`` has saved."""
    match parents_in(tree_of_code(frame.f_code)).get(target) if frame is not None else None:
        case ast.Assign([ast.Tuple() as given], ast.Attribute(ctx, "saved_tensors")):
            wanted, got = counts.groups()
            saves = {None: "more", "0": "nothing"}.get(got, got)
            name, names = ast.unparse(ctx), ", ".join(map(ast.unparse, given.elts))
            yield f"{name}.saved_tensors: {wanted} expected, and forward saved {saves}."
            yield f"Try: {name}.save_for_backward({names}) in forward."
