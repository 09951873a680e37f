"""Lesson 12: arrays on the learner's own engine, layers, training, faults. Words are in `12.toml`.

What is tried out here is compared with what the solutions do; see `kinds.behaviors`.
"""

import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

import minigrad as mg

from ..language import _
from . import training_runs as runs
from .digits import digits
from .engine_steps import built, without_last_value
from .engine_trial import _holds_dots, attempt, functions_of
from .exercises import (
    Blank,
    Mistake,
    ReturnsNothing,
    Unreadable,
    call,
    is_blank,
    is_empty,
    refuse_blanks,
)
from .guard import TooLong
from .kinds.behaviors import Trial, came_of
from .kinds.judges import unforeseen
from .snippets import run_in

WORDS = Path(__file__).with_name("12.toml")
STEPS = ("12-1a", "12-1b", "12-1c", "12-1d")

#: What the notebook gives before the first step.
GIVEN = """
class Array(engine.load()):
    recording = True

def as_array(x):
    return x if isinstance(x, Array) else Array(mg.as_tensor(x))

def made(data, op, parents, rule):
    past = (op, parents, rule) if Array.recording else ()
    return Array(data, *past)
"""


@cache
def solutions() -> dict[str, str]:
    """The code of each step of 12-1, by its name."""
    exercises = tomllib.loads(WORDS.read_text(encoding="utf-8"))["exercises"]
    return {e["name"]: e["solution"]["answer"] for e in exercises if e["name"] in STEPS}


def built_before(step: str | None, base: type | None = None, arrays: Any = mg) -> dict[str, Any]:
    """Run what is given and the steps before `step`, or all, on the engine `base`.

    `arrays` is what the tensors come from that serve as arrays.
    """
    engine = base or built()["Value"]
    scope = {"mg": arrays, "engine": SimpleNamespace(load=lambda: engine), "__name__": "arrays"}
    run_in(scope, GIVEN)
    for name, code in solutions().items():
        if name == step:
            break
        run_in(scope, without_last_value(code))
    return scope


def before_add() -> dict[str, Any]:
    """What the snippets of 12-1b may use."""
    return built_before("12-1b")


def before_total() -> dict[str, Any]:
    """What the snippets of 12-1c may use."""
    return built_before("12-1c")


def before_cut() -> dict[str, Any]:
    """What the snippets of 12-1d may use."""
    return built_before("12-1d")


# --- what is tried ----------------------------------------------------------------------------


def _numbers(*shape: int, seed: int = 0) -> Any:
    """Numbers with one digit after the point, none of them 0 and no two rows alike."""
    drawn = np.random.default_rng([seed, *shape]).integers(1, 20, shape) / 10
    signs = np.random.default_rng([seed + 1, *shape]).choice([-1, 1], shape)
    return mg.from_numpy(np.asarray(drawn * signs, dtype=np.float32))


def _tried(told: str, function: Callable[..., Any], *given: Any) -> Trial:
    """Call a function of the learner's; an error in it is what came of it."""
    try:
        thing = call(function, *given)
    except Unreadable as refusal:
        return Trial(told, _stopped(refusal))
    return Trial(told, came_of(thing))


def _stopped(refusal: Unreadable) -> str:
    """What ended a function of the learner's."""
    error: BaseException = refusal
    while isinstance(error, Unreadable) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, TooLong):
        return _("a loop without an end, which was stopped")
    if isinstance(error, ReturnsNothing):
        return _("nothing; what comes out is handed over by `return`")
    if isinstance(error, Unreadable):
        return str(error).rstrip(".")
    return _("the error {}: {}").format(type(error).__name__, error).rstrip(".")


def _refuse_blanks_in(answer: Any, own: set[str]) -> None:
    """Raise `Blank` if a function of the answer, or one that it calls, still holds a `...`."""
    blank = [name for name, function in functions_of(answer).items() if _holds_dots(function)]
    if any(name in own for name in blank):
        raise Blank
    if blank:
        told = _("`{}` still has a blank, and this step stands on it.")
        raise Blank(told.format(blank[0]))


def _stand_on(step: str, answer: Any) -> None:
    """Raise `Blank`, with a sentence, unless an earlier step is right."""
    from . import LESSONS

    if LESSONS.find("exercise", step).judge(answer) is not None:
        told = _("This step stands on {}, which is not right yet. Do that one first.")
        raise Blank(told.format(step))


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
    _refuse_blanks_in(answer, {"", "fit"})
    told = _("A part of shape {} for an operand of shape {}")
    found = [
        _tried(told.format(list(came), list(shape)), attempt, answer, _numbers(*came), shape)
        for came, shape in FITS
    ]
    plain = _tried(_("The plain number 1.0 for an operand of shape []"), attempt, answer, 1.0, ())
    return [*found, plain]


# --- 12-1b and 12-1c: rules -------------------------------------------------------------------


def _parts(name: str, result: Callable[[], Any], operands: Iterable[str]) -> list[Trial]:
    """The number that an operation makes, and what its rule sends, as trials."""
    try:
        made = call(result)
    except Unreadable as refusal:
        return [Trial(name, _stopped(refusal))]
    if not hasattr(made, "rule") or not hasattr(made, "data"):
        return [Trial(name, _("no value with a rule: {!r}").format(made))]
    found = [Trial(name, came_of(made.data))]
    if not callable(made.rule):
        return [*found, Trial(_("The rule of {}").format(name), repr(made.rule))]
    came = _numbers(*getattr(made.data, "shape", ()), seed=5)
    try:
        parts = call(made.rule, came)
    except Unreadable as refusal:
        return [*found, Trial(_("The rule of {}").format(name), _stopped(refusal))]
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
    return [array(_numbers(*shape, seed=place)) for place, shape in enumerate(shapes)]


PAIRS = (((2, 3), (2, 3)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 1), (1, 3)), ((2, 3), ()))


def added(answer: Any) -> list[Trial]:
    """Sums and products of arrays of several shapes, and with plain numbers."""
    _expect_array(answer, "12-1b")
    answer.recording = True  # whatever an unfinished `no_grad` has done to it
    _refuse_blanks_in(answer, {"add", "multiply", "rule", *DOORS})
    fit = functions_of(answer).get("fit")
    if fit is not None:
        _stand_on("12-1a", fit)
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
    _refuse_blanks_in(answer, {"total", "tanh", "matmul", "rule", "__matmul__"})
    _stand_on("12-1b", answer)
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

    found.append(_tried(_("After `(x @ w + b).tanh().total().backward()`, w.grad"), walked))
    return [*found, Trial(_("The same, b.grad"), came_of(bias.grad))]


# --- 12-1d: cutting ---------------------------------------------------------------------------


def cut(answer: Any) -> list[Trial]:
    """What `detach` and `no_grad` leave of the past of a value."""
    if not isinstance(answer, tuple) or len(answer) != 3:
        raise Unreadable(_('Hand in all three: `check("12-1d", (Array, detach, no_grad))`.'))
    array, detach, no_grad = answer
    _expect_array(array, "12-1d")
    if not isinstance(detach, FunctionType) or not callable(no_grad):
        raise Unreadable(_("`detach` is a function, and `no_grad` a class."))
    _refuse_blanks_in(detach, {"", "detach"})
    _refuse_blanks_in(no_grad, {"", "no_grad", "__enter__", "__exit__"})
    _stand_on("12-1b", array)
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
        _tried(_("Inside of `no_grad()`, the number of parents of a * a"), inside),
        _tried(_("After it, the number of parents of a * a"), lambda: len((a * a).parents)),
        _tried(_("An error inside of `no_grad()`"), with_an_error),
        _tried(_("After that error, the number of parents"), lambda: len((a * a).parents)),
    ]


# --- 12-2: layers and losses ------------------------------------------------------------------


def straight(answer: Any) -> list[Trial]:
    """A linear layer at several shapes."""
    _expect_function(answer, "12-2a", "linear")
    told = _("x of shape {}, w of shape {}")
    found = []
    for count, inside, outside in ((2, 3, 4), (5, 2, 2), (3, 3, 3), (1, 4, 1)):
        x, w, b = _numbers(count, inside), _numbers(inside, outside, seed=1), _numbers(outside)
        given = [numbers.requires_grad_() for numbers in (x, w, b)]
        name = told.format([count, inside], [inside, outside])
        found.append(_tried(name, answer, *given))
        grad = _("{}, the gradient of {}")
        for letter, numbers in zip("xwb", given):
            walk = partial(_arrived, answer, given, numbers)
            found.append(_tried(grad.format(name, letter), walk))
    return found


def _arrived(answer: Callable[..., Any], given: list[Any], numbers: Any) -> Any:
    """What one of three inputs of a layer gets, as numbers; the walk begins with numbers unlike."""
    out = answer(*given)
    if not out.requires_grad:
        return mg.zeros_like(numbers)
    came = _numbers(*out.shape, seed=7)
    (slope,) = mg.autograd.grad((out * came).sum(), [numbers], allow_unused=True)
    return mg.zeros_like(numbers) if slope is None else slope


def _expect_function(answer: Any, name: str, called: str) -> None:
    if not isinstance(answer, FunctionType):
        raise Unreadable(_("Hand in your function: `check({!r}, {})`.").format(name, called))
    _refuse_blanks_in(answer, {"", called})


LEVELS = (
    ([[1.0, 2.0, 3.0], [0.5, -1.0, 0.25]], "Scores of ordinary size"),
    ([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], "Four rows of zeros"),
    ([[1000.0, 998.0, 999.0], [1000.0, 1001.0, 1000.0]], "Scores around 1000"),
    ([[-1000.0, -998.0, -999.0], [-1000.0, -1001.0, -1000.0]], "Scores around -1000"),
    ([[1000.0, 0.0, -1000.0], [-1000.0, 1000.0, 0.0]], "Scores from -1000 to 1000"),
    ([[1000.0, 999.0], [-1000.0, -999.0]], "One row around 1000, one around -1000"),
)


def crossed(answer: Any) -> list[Trial]:
    """Cross entropy at ordinary and at extreme scores, and its gradient."""
    _expect_function(answer, "12-2b", "cross_entropy")
    found = []
    for rows, told in LEVELS:
        scores = mg.tensor(rows, requires_grad=True)
        kinds = mg.tensor([(place + 1) % len(rows[0]) for place in range(len(rows))])
        made: list[Any] = []

        def loss(scores: Any = scores, kinds: Any = kinds, made: list = made) -> Any:
            made.append(answer(scores, kinds))
            return made[0].detach() if hasattr(made[0], "detach") else made[0]

        def gradient(scores: Any = scores, made: list = made) -> Any:
            made[0].backward()
            return scores.grad

        found.append(_tried(_(told), loss))
        found.append(_tried(_("{}, the gradient").format(_(told)), gradient))
    return found


# --- 12-3: learning ---------------------------------------------------------------------------

ASKED_FOR, SECONDS = 0.9, 20


def judge_learning(answer: Any) -> str | Mistake | None:
    """Let a learner's function train, and ask the model about the digits that were held out."""
    _expect_function(answer, "12-3", "learn")
    images, kinds, new_images, new_kinds = map(mg.from_numpy, digits())
    begun = _clocks()
    try:
        model = answer(images, kinds)
        if model is None and not is_empty(answer):
            told = _("Your function ran, and returned nothing. Its last line returns the model.")
            raise ReturnsNothing(told)
        if is_blank(model):
            raise Blank
        if not callable(model):
            raise Unreadable(_("Return the model, something that can be called with images."))
        took = min(now - then for now, then in zip(_clocks(), begun))
        shares = [_share(model, *pair) for pair in ((new_images, new_kinds), (images, kinds))]
    except (Blank, Unreadable):
        raise
    except Exception as error:
        told = _("Your function stopped: {}: {}").format(type(error).__name__, error)
        raise Unreadable(told) from error
    return _judged(*shares, took)


def _clocks() -> tuple[float, float]:
    """Two clocks. On a busy machine the first one runs ahead, on several cores the second."""
    return time.perf_counter(), time.process_time()


def _share(model: Callable[[Any], Any], images: Any, kinds: Any) -> float | None:
    """How much of the digits a model gets right; None where its scores are no numbers."""
    with mg.no_grad():
        scores = model(images)
    if tuple(getattr(scores, "shape", ())) != (len(images), 10):
        told = _("For {0} images the model has to give {0} rows of 10 scores.")
        raise Unreadable(told.format(len(images)))
    if not bool(mg.isfinite(scores).all()):
        return None
    return (scores.argmax(1) == kinds).sum().item() / len(kinds)


def _judged(new: float | None, trained: float | None, took: float) -> str | Mistake | None:
    if new is None or trained is None:
        return "no numbers"
    if new >= ASKED_FOR:
        if took <= SECONDS:
            return None
        told = _("{:.0%} of the new digits, and it took {:.0f} seconds; {} are allowed.")
        return unforeseen(told.format(new, took, SECONDS))
    if trained < 0.2:
        return "no better than guessing"
    if trained < 0.97:
        return "stopped early"
    told = _("{:.1%} of the images it was trained on are right, and {:.1%} of the new ones.")
    return unforeseen(told.format(trained, new))


# --- 12-4: five runs, five causes -------------------------------------------------------------

PATIENTS = {
    "P": runs.Setting(runs.DETACH, 24, 0.03, 3),
    "Q": runs.Setting(runs.NOTHING, 24, 0.004, 4),
    "R": runs.Setting(runs.ZERO, 24, 0.03, 5),
    "S": runs.Setting(runs.ROUND, 24, 0.03, 6),
    "T": runs.Setting(runs.RATE, 24, 0.03, 7),
}
CAUSES = {
    "Z": runs.ZERO,
    "L": runs.RATE,
    "D": runs.DETACH,
    "W": runs.ROUND,
    "N": runs.NOTHING,
}


def judge_causes(answer: Any) -> str | Mistake | None:
    """Judge the causes of five runs, one letter each; the first wrong one decides."""
    if not isinstance(answer, dict) or set(answer) != set(PATIENTS):
        wanted = ", ".join(f'"{name}"' for name in PATIENTS)
        raise Unreadable(_("Keep the dictionary with the entries {}.").format(wanted))
    said = {name: str(letter).strip().strip(".").upper() for name, letter in answer.items()}
    if not all(said.values()):
        raise Blank
    if set(said.values()) - set(CAUSES):
        told = _("Answer each run with one letter out of {}.")
        raise Unreadable(told.format(", ".join(CAUSES)))
    for name, setting in PATIENTS.items():
        if CAUSES[said[name]] != setting.fault:
            return name
    return None
