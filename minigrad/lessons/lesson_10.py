"""Lesson 10: what no kind of judge can say. Its words are in `10.toml`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import minigrad as mg

from ..language import _
from ..widgets.tape import tape_of
from ..widgets.tape.programs import PROGRAMS
from .exercises import Mistake, ReturnsNothing, Unreadable, call, is_tensor, number
from .guard import TooLong, guarded
from .kinds import unforeseen
from .probes import close


def f(a: Any) -> Any:
    """The program of the lesson."""
    return PROGRAMS["f"].function(a)


# --- 10-2: a gradient and a quotient ----------------------------------------------------------

#: Starts at which d / a is the gradient to the last digit, and some at which it is not.
_EXACT = (300.0, 200.0, -300.0, 0.98, 700.0)
_ROUNDED = (-0.7056439518928528, -0.33, -1.31)
#: Where d is also tried one float32 beside grad * a, which it is exactly in every run of f.
_BESIDE = (_ROUNDED[0], 1.0)
_SCALES = (1.0, 2.0**-20)
_NEAREST = 1.01
_WRONG = (2.0, 0.5, -1.0, _NEAREST, 0.0)


def judge_agrees(answer: Any) -> str | Mistake | None:
    """Judge a function of a gradient, a result and an input that says whether they fit."""
    right = {start: _said(answer, 1.0, start) for start in _cases(_EXACT)}
    for start, said in right.items():
        if not said:
            return _wrongly(1.0, start, said)
    accepted = [(w, s) for s in _cases(_EXACT) for w in _WRONG if _said(answer, w, s)]
    if len(accepted) == len(_WRONG) * len(right):
        return "always"
    if accepted:
        return _too_much(accepted)
    if not _said(answer, 1.0, _BESIDE, ulps=1):
        return "no rounding"
    refused = (start for start in _cases(_ROUNDED) if not _said(answer, 1.0, start))
    return next((_wrongly(1.0, start, False) for start in refused), None)


def _too_much(accepted: list[tuple[float, tuple[float, float]]]) -> str | Mistake:
    """The mistake of a function that says True of these factors, each in these cases."""
    of_large = [wrong for wrong, (_start, scale) in accepted if scale == 1.0]
    if set(of_large) - {_NEAREST}:
        return _wrongly(*accepted[0], True)
    if of_large and {wrong for wrong, _case in accepted} == {_NEAREST}:
        return "too wide"
    return "one tolerance"


def _cases(starts: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    return ((start, scale) for start in starts for scale in _SCALES)


def _run(start: tuple[float, float], ulps: int = 0) -> tuple[Any, Any, Any]:
    """A gradient, a result and an input of a run; the scale is a power of 2, and so is exact.

    The result is moved up by so many steps of float32.
    """
    a = mg.tensor(start[0], requires_grad=True)
    d = f(a) * start[1]
    d.backward()
    step = math.ulp(d.item()) * 2.0**29  # from the 52 bits of a float to the 23 of float32
    return a.grad, mg.tensor(d.item() + ulps * step), a.detach()


def _said(answer: Any, factor: float, start: tuple[float, float], ulps: int = 0) -> bool:
    """What the learner's function says of a run whose gradient was multiplied by a factor."""
    grad, d, a = _run(start, ulps)
    said = call(answer, grad * factor, d, a)
    plain = said.tolist() if hasattr(type(said), "tolist") else said
    if not isinstance(plain, bool):
        raise Unreadable(_("True or False is wanted here, and this is {!r}.").format(said))
    return plain


def _wrongly(factor: float, start: tuple[float, float], said: bool) -> Mistake:
    grad, d, a = (number(one) for one in _run(start))
    fact = _("With grad = {:g}, d = {:g} and a = {:g} yours says {}.")
    return unforeseen(fact.format(grad * factor, d, a, said))


# --- 10-3: a loop that ends -------------------------------------------------------------------

_STARTS = (300.0, 2000.0, 0.0001, -5.0)
_SMALLEST = (-1e-20, 1e-30)  # many rounds; the norm of the second one is 0 in float32


def judge_guard(answer: Any) -> str | Mistake | None:
    """Judge a doubling loop that raises a `ValueError` for 0 and changes nothing else."""
    tried = [(_away_from_zero, at) for at in _STARTS]
    tried += [(_at_zero, 0.0), (_at_zero, -0.0)]
    tried += [(_away_from_zero, at) for at in _SMALLEST]
    found = (judged(answer, at) for judged, at in tried)
    return next((mistake for mistake in found if mistake is not None), None)


def _away_from_zero(answer: Any, at: float) -> str | Mistake | None:
    a = mg.tensor(at, requires_grad=True)
    true = number(PROGRAMS["doubled"].function(mg.tensor(at)))
    try:
        said = _in_time(answer, a)
    except TooLong:
        return unforeseen(_("For a = {:g} your loop did not come to an end.").format(at))
    except Unreadable as refusal:
        if isinstance(refusal.__cause__, ValueError):
            return _refuses(at)
        raise
    if not is_tensor(said) or not close(number(said), true):
        fact = _("For a = {:g} yours returns {}, and the loop as it stands ends at {:g}.")
        told = said.detach() if is_tensor(said) else said
        return unforeseen(fact.format(at, told, true))
    return _gone_back(said, a)


def _gone_back(said: Any, a: Any) -> str | Mistake | None:
    """What is wrong with the gradient that comes back from a right number."""
    if not said.requires_grad:
        return "cut off"
    (slope,) = mg.autograd.grad(said, a, allow_unused=True)
    at, true = number(a.detach()), number(said.detach()) / number(a.detach())
    if slope is not None and close(number(slope), true):
        return None
    fact = _("For a = {:g} the gradient of the loop as it stands is {:g}, and yours is {}.")
    return unforeseen(fact.format(at, true, "None" if slope is None else f"{number(slope):g}"))


def _refuses(at: float) -> str | Mistake:
    if at == -5.0:
        return "refuses below zero"
    if at == _SMALLEST[1]:
        return "refuses the smallest"
    if abs(at) < 1:
        return "refuses small ones"
    return unforeseen(_("For a = {:g} yours raises a ValueError.").format(at))


def _at_zero(answer: Any, zero: float) -> str | Mistake | None:
    try:
        _in_time(answer, mg.tensor(zero))
    except TooLong:
        return "never ends"
    except Unreadable as refusal:
        cause = refusal.__cause__
        if isinstance(cause, ValueError):
            return None
        if cause is None:  # it returned nothing
            return "no error"
        fact = _("For 0 yours stops with {}; a ValueError is asked for.")
        return unforeseen(fact.format(type(cause).__name__))
    return "no error"


def _in_time(answer: Any, a: Any) -> Any:
    """Call the answer with a tensor; raises `TooLong` where its own code goes on for ever."""
    file = getattr(getattr(answer, "__code__", None), "co_filename", "")
    return guarded(call, answer, a, file=file)


# --- 10-4: a replay that refuses --------------------------------------------------------------


def _mean(x: Any) -> Any:
    return x.sum() / len(x)


_THREE = [[1.0], [2.0], [6.0]]
Case = tuple[str, Callable[[Any], Any], Any, Any]

#: What a tape is recorded from, with which input, and with which it is repeated. The last has no
#: question on it.
_FITS: tuple[Case, ...] = (
    ("300", f, 300.0, 300.0),
    ("280", f, 300.0, 280.0),
    ("[4, 5, 9]", _mean, [1.0, 2.0, 6.0], [4.0, 5.0, 9.0]),
)
_DOES_NOT: tuple[tuple[str, Case], ...] = (
    (
        "no guard for shapes",
        (
            "[1, 2, 6, 7], with a tape of a mean over three,",
            _mean,
            [1.0, 2.0, 6.0],
            [1.0, 2.0, 6.0, 7.0],
        ),
    ),
    (
        "length alone",
        ("[[1], [2], [6]], with a tape of a mean over [1, 2, 6],", _mean, [1.0, 2.0, 6.0], _THREE),
    ),
    ("was False", ("200, with a tape of f(300),", f, 300.0, 200.0)),
    ("was True", ("600, with a tape of f(300),", f, 300.0, 600.0)),
    ("of the if", ("−300, with a tape of f(300),", f, 300.0, -300.0)),
)


def judge_careful(answer: Any) -> str | Mistake | None:
    """Judge a replay that raises a `ValueError` where the tape does not fit the input."""
    found = [_fits(answer, case) for case in _FITS]
    if found[0] == "refuses all" != found[2]:  # so it is not for want of an answer
        return "refuses the same answers"
    mistake = next((one for one in found if one is not None), None)
    if mistake is not None:
        return mistake
    let_through = [name for name, case in _DOES_NOT if not _refused(answer, case)]
    if not let_through:
        return None
    if "no guard for shapes" in let_through:
        return "no guard for shapes"
    if "length alone" in let_through:
        return "length alone"
    if len(let_through) == 3:
        return "no guard for answers"
    if let_through == ["was False"]:
        return "answers that were True"
    return _let_through(let_through[0])


def _let_through(name: str) -> Mistake:
    said = next(case[0] for known, case in _DOES_NOT if known == name)
    return unforeseen(_("Yours lets {} through, and an answer is another one there.").format(said))


def _tried(answer: Any, case: Case) -> Any:
    says, function, recorded, at = case
    x = mg.tensor(at, requires_grad=True)
    said = call(answer, tape_of(function, mg.tensor(recorded)), x)
    if isinstance(said, BaseException) or (
        isinstance(said, type) and issubclass(said, BaseException)
    ):
        told = _("With {} yours returns the error, and nothing stops. Use `raise` for it instead.")
        raise Unreadable(told.format(says))
    return said


def _fits(answer: Any, case: Case) -> str | Mistake | None:
    says, function, _recorded, at = case
    try:
        said = _tried(answer, case)
    except Unreadable as refusal:
        if isinstance(refusal.__cause__, ValueError):
            return "refuses all"
        raise
    if not is_tensor(said):
        raise Unreadable(_("Return the last value of the replay, a tensor."))
    true = number(function(mg.tensor(at)))
    if not close(number(said.detach()), true):
        fact = _("With {} the tape fits. Yours returns {:g}, and the replay gives {:g}.")
        return unforeseen(fact.format(says, number(said.detach()), true))
    if not said.requires_grad:
        return unforeseen(_("What you return has no graph: no gradient would come back to x."))
    return None


def _refused(answer: Any, case: Case) -> bool:
    """Whether a `ValueError` was raised; raises `Unreadable` for another end, such as None."""
    try:
        _tried(answer, case)
    except ReturnsNothing:
        said = _("With {} yours returns nothing. Raise a `ValueError`, so that it is noticed.")
        raise Unreadable(said.format(case[0])) from None
    except Unreadable as refusal:
        cause = refusal.__cause__
        if isinstance(cause, ValueError):
            return True
        if cause is None:
            raise
        said = _("With {} yours stops with {}; a ValueError is asked for.")
        raise Unreadable(said.format(case[0], type(cause).__name__)) from cause
    return False
