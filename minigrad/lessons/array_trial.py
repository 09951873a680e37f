"""What is tried of arrays on a learner's own engine: parts that fit, rules, walks, and cuts.

It is compared with what the solutions do; see `kinds.behaviors`.
"""

from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

from ..language import _
from .engine_trial import attempt, functions_of
from .exercises import Unreadable, call, refuse_blanks
from .kinds.behaviors import Trial, came_of
from .trying import numbers, refuse_blanks_in, stand_on, stopped, tried

# --- 12-1a: fit -------------------------------------------------------------------------------

FITS = (
    ((2, 3), (3,)),
    ((2, 3), (2, 3)),
    ((2, 3), ()),
    ((2, 3), (1, 3)),
    ((2, 3), (2, 1)),
    ((4, 2, 3), (2, 1)),
)


def fitted(answer: Any) -> list[Trial]:
    """Parts of several shapes, summed to the shapes of operands."""
    if not isinstance(answer, FunctionType):
        raise Unreadable(_('Hand in your function: `check("12-1a", fit)`.'))
    refuse_blanks_in(answer, {"", "fit"})
    told = _("A part of shape {} for an operand of shape {}")
    found = [
        tried(told.format(list(came), list(shape)), attempt, answer, numbers(*came), shape)
        for came, shape in FITS
    ]
    plain = tried(_("The plain number 1.0 for an operand of shape []"), attempt, answer, 1.0, ())
    return [*found, plain]


# --- 12-1b and 12-1c: rules -------------------------------------------------------------------


def _parts(name: str, result: Callable[[], Any], operands: Iterable[str]) -> list[Trial]:
    """The number that an operation makes, and what its rule sends, as trials."""
    try:
        made = call(result)
    except Unreadable as refusal:
        return [Trial(name, stopped(refusal))]
    if not hasattr(made, "rule") or not hasattr(made, "data"):
        return [Trial(name, _("no value with a rule: {!r}").format(made))]
    found = [Trial(name, came_of(made.data))]
    if not callable(made.rule):
        return [*found, Trial(_("The rule of {}").format(name), repr(made.rule))]
    came = numbers(*getattr(made.data, "shape", ()), seed=5)
    try:
        parts = call(made.rule, came)
    except Unreadable as refusal:
        return [*found, Trial(_("The rule of {}").format(name), stopped(refusal))]
    if isinstance(parts, Iterator):
        parts = list(parts)
    if not isinstance(parts, (tuple, list)):
        return [
            *found,
            Trial(
                _("The rule of {}").format(name), _("one part that is in no tuple (mind the comma)")
            ),
        ]
    refuse_blanks(list(parts))
    told = _("{}, the part for {}")
    return found + [
        Trial(told.format(name, operand), came_of(part)) for operand, part in zip(operands, parts)
    ]


def _expect_array(answer: Any, step: str) -> None:
    if not (isinstance(answer, type) and hasattr(answer, "recording")):
        raise Unreadable(_("Hand in the class itself: `check({!r}, Array)`.").format(step))


def _operands(array: type, *shapes: tuple[int, ...]) -> list[Any]:
    return [array(numbers(*shape, seed=place)) for place, shape in enumerate(shapes)]


PAIRS = (((2, 3), (2, 3)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 1), (1, 3)), ((2, 3), ()))


def added(answer: Any) -> list[Trial]:
    """Sums and products of arrays of several shapes, and with plain numbers."""
    _expect_array(answer, "12-1b")
    answer.recording = True  # whatever an unfinished `no_grad` has done to it
    refuse_blanks_in(answer, {"add", "multiply", "rule", *DOORS})
    fit = functions_of(answer).get("fit")
    if fit is not None:
        stand_on("12-1a", fit)
    found = []
    for first, second in PAIRS:
        a, b = _operands(answer, first, second)
        told = _("a {} b with the shapes {} and {}")
        for sign, function in (("+", lambda a=a, b=b: a + b), ("*", lambda a=a, b=b: a * b)):
            name = told.format(sign, list(first), list(second))
            found += _parts(name, function, "ab")
    (a,) = _operands(answer, (2, 3))
    found += _parts(_("a + 1 with the shape [2, 3]"), lambda: a + 1, "a")
    found += _parts(_("2 * a with the shape [2, 3]"), lambda: 2 * a, "a")
    return found


DOORS = {"__add__", "__radd__", "__mul__", "__rmul__"}


def reduced(answer: Any) -> list[Trial]:
    """Sum, tanh and matrix product, and a small network walked back."""
    _expect_array(answer, "12-1c")
    refuse_blanks_in(answer, {"total", "tanh", "matmul", "rule", "__matmul__"})
    stand_on("12-1b", answer)
    for name in ("total", "tanh", "__matmul__"):
        if not callable(getattr(answer, name, None)):
            raise Unreadable(_("There is no `{0}` in your class yet.").format(name))
    a, b = _operands(answer, (2, 3), (3, 4))
    c, d = _operands(answer, (3, 3), (3, 3))
    found = _parts(_("total() of the shape [2, 3]"), a.total, "a")
    found += _parts(_("tanh() of the shape [2, 3]"), a.tanh, "a")
    found += _parts(_("a @ b with the shapes [2, 3] and [3, 4]"), lambda: a @ b, "ab")
    found += _parts(_("a @ b with the shapes [3, 3] and [3, 3]"), lambda: c @ d, "ab")
    x, w, bias = _operands(answer, (5, 3), (3, 4), (4,))

    def walked() -> Any:
        (x @ w + bias).tanh().total().backward()
        return w.grad

    found.append(tried(_("After `(x @ w + b).tanh().total().backward()`, w.grad"), walked))
    found.append(Trial(_("The same, b.grad"), came_of(bias.grad)))
    a, b = _operands(answer, (2, 3), (2, 3))

    def shared() -> Any:
        (a + b + a).total().backward()  # + sends one array twice, and a `+=` adds into it
        return b.grad

    told = _("After `(a + b + a).total().backward()`, b.grad, which no part of a may change")
    return [*found, tried(told, shared)]


# --- 12-1d: cutting ---------------------------------------------------------------------------


def cut(answer: Any) -> list[Trial]:
    """What `detach` and `no_grad` leave of the past of a value."""
    if not isinstance(answer, tuple) or len(answer) != 3:
        raise Unreadable(_('Hand in all three: `check("12-1d", (Array, detach, no_grad))`.'))
    array, detach, no_grad = answer
    _expect_array(array, "12-1d")
    if not isinstance(detach, FunctionType) or not callable(no_grad):
        raise Unreadable(_("`detach` is a function, and `no_grad` a class."))
    refuse_blanks_in(detach, {"", "detach"})
    refuse_blanks_in(no_grad, {"", "no_grad", "__enter__", "__exit__"})
    stand_on("12-1b", array)
    (a,) = _operands(array, (2, 3))
    square = a * a
    try:
        return [*_detached(detach, square), *_unrecorded(no_grad, a)]
    finally:
        array.recording = True


def _detached(detach: Callable[[Any], Any], square: Any) -> list[Trial]:
    alone = call(detach, square)
    is_value = isinstance(alone, type(square))
    held = alone.data if is_value else alone
    if is_value and isinstance(held, type(square)):
        held = _("a value, and in that one the array")
    return [
        Trial(_("`detach(a * a)` is a value"), repr(is_value)),
        Trial(_("`detach(a * a)` is the same one as a * a"), repr(alone is square)),
        Trial(_("The array in `detach(a * a)`"), held if isinstance(held, str) else came_of(held)),
        Trial(_("The number of its parents"), came_of(len(getattr(alone, "parents", "")))),
        Trial(_("The parents of a * a itself, afterwards"), came_of(len(square.parents))),
    ]


def _unrecorded(no_grad: type, a: Any) -> list[Trial]:
    def inside() -> int:
        with no_grad():
            return len((a * a).parents)

    def with_an_error() -> str:
        try:
            with no_grad():
                raise KeyError("made up")
        except KeyError:
            return "raised"
        return "swallowed"

    return [
        tried(_("Inside of `no_grad()`, the number of parents of a * a"), inside),
        tried(_("After it, the number of parents of a * a"), lambda: len((a * a).parents)),
        tried(_("An error inside of `no_grad()`"), with_an_error),
        tried(_("After that error, the number of parents"), lambda: len((a * a).parents)),
    ]
