"""Lesson 09: what no kind of judge can say. Its words are in `09.toml`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..language import _
from .exercises import Unreadable, call, is_tensor, number
from .kinds import unforeseen
from .lesson_04 import plain
from .probes import close, points, slope
from .ways import Found, judge_each, of_way

_UNRECORDED = "does not require grad and does not have a grad_fn"
_FREED = "backward through the graph a second time"
_NO_NUMBER = "grad can be implicitly created only for scalar outputs"
_IN_PLACE = "a leaf Variable that requires grad is being used in an in-place operation"
_TURN = 1e-3  # how far a number is moved for the slope of a slope


def _leaf(value: Any) -> Any:
    import minigrad as mg

    return mg.tensor(value, dtype=mg.float64, requires_grad=True)


class _F:
    """The f that a learner's function is given: it goes by that name, and tells when it is called.

    A search that does not end is stopped after `MOST` calls.
    """

    MOST = 1000

    def __init__(self, function: Callable[[Any], Any], heard: Callable[[Any], Any]):
        self.function, self.heard, self.calls = function, heard, 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        if self.calls > self.MOST:
            raise RuntimeError(_("f was called more than {} times").format(self.MOST))
        return self.function(self.heard(x))

    def __repr__(self) -> str:
        return "f"


def _said(refusal: Unreadable) -> str:
    """What the error said that ended a learner's function."""
    return str(refusal.__cause__)


def _known(refusal: Unreadable, mistakes: dict[str, str]) -> str:
    """The mistake whose error ended a learner's function; any other refusal goes on its way."""
    for part, mistake in mistakes.items():
        if part in _said(refusal):
            return mistake
    raise refusal


def _numbers(said: Any, count: int) -> list[float] | None:
    """So many numbers, however deep each of them is wrapped; None where there are not so many."""
    said = plain(said)
    while isinstance(said, list) and len(said) == 1 and isinstance(said[0], list):
        said = said[0]
    if not isinstance(said, list) or len(said) != count:
        return None
    return [number(entry) for entry in said]


def _agree(said: Sequence[float], true: Sequence[float]) -> bool:
    return all(close(s, t) for s, t in zip(said, true, strict=True))


# --- 09-1b: second derivatives ----------------------------------------------------------------

# In none of them are two of the derivatives equal, at the points where they are tried.
_OF_TWO: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: x * x * x * y * y + y,
    lambda x, y: x * x * y,
    lambda x, y: x * y * y * (x + y),
)


def judge_second(answer: Any) -> Found:
    """Judge a function of z, x and y that returns the slopes of z's slope by x."""
    for function in _OF_TWO:
        at = points(2, 1.0, 3.0, seed=4)
        x, y = map(_leaf, at)
        try:
            said = _numbers(call(answer, function(x, y), x, y), 2)
        except Unreadable as refusal:
            return _known(refusal, {_UNRECORDED: "not recorded", _FREED: "walked twice"})
        if said is None:
            raise Unreadable(_("Return two numbers: by x and x, then by x and y."))
        mistake = _named_pair(said, function, at)
        if mistake is not None:
            return mistake
    return None


def _named_pair(said: list[float], function: Callable, at: Sequence[float]) -> Found:
    (xx, xy), (_yx, yy) = second_derivatives(lambda v: function(*v), at)
    one = first_derivatives(lambda v: function(*v), at)
    known = {
        "": (xx, xy),
        "the other order": (xy, xx),
        "first derivatives": one,
        "twice by y": (xx, yy),
        "added up": (one[0] + xx, one[1] + xy),
    }
    for mistake, pair in known.items():
        if _agree(said, pair):
            return mistake or None
    wrong = 0 if not close(said[0], xx) else 1
    fact = _("At x = {:.3g} and y = {:.3g} your {} number is {:.4g}, and small nudges say {:.4g}.")
    which = (_("first"), _("second"))[wrong]
    return unforeseen(fact.format(*at, which, said[wrong], (xx, xy)[wrong]))


def first_derivatives(function: Callable[[list[float]], float], at: Sequence[float]) -> list[float]:
    """The slopes of a function of several numbers, by nudges.

    >>> [round(s, 6) for s in first_derivatives(lambda v: v[0] * v[0] * v[1], (2.0, 3.0))]
    [12.0, 4.0]
    """
    return [
        slope(lambda value, i=i: function([*at[:i], value, *at[i + 1 :]]), at[i])
        for i in range(len(at))
    ]


def second_derivatives(
    function: Callable[[list[float]], float], at: Sequence[float]
) -> list[list[float]]:
    """The slopes of the slopes, by nudges of nudges: no rule is needed to judge a rule.

    >>> table = second_derivatives(lambda v: v[0] * v[0] * v[1], (2.0, 3.0))
    >>> [[round(s, 4) + 0 for s in row] for row in table]
    [[6.0, 4.0], [4.0, 0.0]]
    """

    def moved(i: int, j: int, di: int, dj: int) -> float:
        place = list(at)
        place[i] += di * _TURN
        place[j] += dj * _TURN
        return function(place)

    signs = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    return [
        [sum(s * moved(i, j, a, b) for a, b, s in signs) / (4 * _TURN**2) for j in range(len(at))]
        for i in range(len(at))
    ]


# --- 09-2: Newton -----------------------------------------------------------------------------

MOST_CALLS, NEAR = 6, 1e-3
_FAR = 1e6  # where a quartic still has a slope that can be computed
_QUARTICS: tuple[tuple[Callable[[Any], Any], float], ...] = (
    (lambda x: (x - 1) ** 4 + 3 * (x - 1) ** 2 + 5, 3.0),
    (lambda x: x**4 + 2 * x**2 - 12 * x, 3.0),
)


def judge_lowest(answer: Any) -> Found:
    """Judge a function of f and x that finds where f is lowest, in six calls of f."""
    for function, start in _QUARTICS:
        found = _searched(answer, function, start)
        if found is not None:
            return found
    return None


def _searched(answer: Any, function: Callable, start: float) -> Found:
    asked: list[float] = []  # where f was asked for
    last: Any = None

    def heard(x: Any) -> Any:
        nonlocal last
        asked.append(number(_bare(x)))
        last = x
        return x

    try:
        end = number(_bare(call(answer, _F(function, heard), _leaf(start))))
    except Unreadable as refusal:
        bare = is_tensor(last) and not last.requires_grad
        unrecorded = "a bare x" if bare else "not recorded"
        known = {_UNRECORDED: unrecorded, _FREED: "the old x", _IN_PLACE: "a recorded step"}
        return _known(refusal, known)
    lowest = lowest_of(function)
    if abs(end - lowest) <= NEAR:
        return None if len(asked) <= MOST_CALLS else "too many"
    if abs(end - function(lowest)) <= NEAR:
        return "the height"
    mistake = _first_step([*asked, end], function) if asked[:1] == [start] else None
    if mistake is not None:
        return mistake
    if len(asked) == 1:
        fact = _(
            "You ask f at x = {:g} alone, and return {:.4g}. "
            "The slope is another one there, so ask f again."
        )
        return unforeseen(fact.format(asked[0], end))
    fact = _("From x = {:g} you return {:.4g}, with {} calls of f, and f is lower elsewhere.")
    return unforeseen(fact.format(start, end, len(asked)))


def _bare(value: Any) -> Any:
    return value.detach() if is_tensor(value) else value


def _first_step(places: list[float], function: Callable) -> str | None:
    """The mistake that leads from the first place where f was asked for to the next one."""
    here = places[0]
    there = next((place for place in places if place != here), here)
    value, one = function(here), slope(function, here)
    two = second_derivatives(lambda v: function(v[0]), [here])[0][0]
    known = {
        "turned over": here - two / one,
        "multiplied": here - one * two,
        "uphill": here + one / two,
        "where f is 0": here - value / one,
        "added up": here - one / (one + two),
        "one tray": here - 1.0,
    }
    if len(places) < MOST_CALLS:
        known["too few"] = here - one / two
    for mistake, at in known.items():
        if close(there, at):
            return mistake
    return "a guessed step" if _steps_alike(places, function) else None


def _steps_alike(places: list[float], function: Callable) -> bool:
    """Whether the first two steps are the slope times one number, as in a descent."""
    if len(places) < 3 or not all(abs(place) < _FAR for place in places[:3]):
        return False
    slopes = [slope(function, at) for at in places[:2]]
    if 0 in slopes or places[0] == places[1]:
        return False
    rates = [(places[i + 1] - places[i]) / slopes[i] for i in range(2)]
    return close(rates[1], rates[0])


def lowest_of(function: Callable[[float], float], low: float = -5.0, high: float = 5.0) -> float:
    """Where a function that falls and then rises is lowest, by halving.

    >>> round(lowest_of(lambda x: (x - 3) ** 2), 6)
    3.0
    """
    for _halving in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if slope(function, middle) > 0 else (middle, high)
    return (low + high) / 2


# --- 09-3: H times v --------------------------------------------------------------------------

_OF_THREE: tuple[Callable[[Any], Any], ...] = (
    lambda x: x[0] * x[0] * x[1] + x[1] * x[2] * x[2] * x[2],
    lambda x: x[0] * x[1] * x[2] + x[2] * x[2] * x[0] * x[0],
)
_V = [2.0, -1.0, 0.5]


def judge_hv(answer: Any) -> Found:
    """Judge a function of f, x and v that returns H·v, and count its walks back."""
    for function in _OF_THREE:
        found = _product(answer, function, points(3, 1.0, 2.0))
        if found is not None:
            return found
    return None


def _product(answer: Any, function: Callable, at: list[float]) -> Found:
    import minigrad as mg

    walks: list[int] = []  # to x, and for each of them how often its gradient was gone back from
    places: list[list[float]] = []

    def walked(gradient: Any) -> None:
        walk = len(walks)
        walks.append(0)
        if gradient.requires_grad:
            gradient.register_hook(lambda came: gone_on(walk))

    def gone_on(walk: int) -> None:
        walks[walk] += 1

    def heard(x: Any) -> Any:
        inner = x * 1
        if is_tensor(inner):
            places.append(inner.detach().flatten().tolist())
            if inner.requires_grad:
                inner.register_hook(walked)
        return inner

    x, v = _leaf(at), mg.tensor(_V, dtype=mg.float64)
    try:
        returned = call(answer, _F(function, heard), x, v)
    except Unreadable as refusal:
        return _known(refusal, {_UNRECORDED: "not recorded", _NO_NUMBER: "no number"})
    g = first_derivatives(function, at)
    table = second_derivatives(function, at)
    true = _times(table, _V)
    value = _numbers(returned, 3)
    if value is None:
        single = _numbers([returned], 1) if _is_single(returned) else None
        if single and close(single[0], sum(a * b for a, b in zip(g, _V, strict=True))):
            return "the number"
        raise Unreadable(_("Return H·v: a number for each entry of x."))
    if _agree(value, true):
        if max(walks, default=0) >= len(at):
            return "the whole matrix"
        return None if len(walks) <= 2 else "row by row"
    ones = _times(table, [1.0] * 3)
    wrong = {
        "ones": ones,
        "v at the end": [a * b for a, b in zip(ones, _V, strict=True)],
        "the gradient": g,
        "entry by entry": [a * b for a, b in zip(g, _V, strict=True)],
        "only two entries": _times(table, [*_V[:2], 0.0]),
        "added up": [a + b for a, b in zip(g, true, strict=True)],
    }
    for mistake, numbers in wrong.items():
        if _agree(value, numbers):
            return mistake
    if any(place != places[0] for place in places) and _nearly(value, true):
        return "by a nudge"
    i = next(i for i in range(3) if not close(value[i], true[i]))
    fact = _("In one trial entry {} of H·v is {:.4g}, and yours is {:.4g}.")
    return unforeseen(fact.format(i, true[i], value[i]))


def _nearly(said: Sequence[float], true: Sequence[float]) -> bool:
    """Whether numbers are off by no more than what a nudge is off."""
    return all(abs(s - t) <= 0.02 * max(1.0, abs(t)) for s, t in zip(said, true, strict=True))


def _is_single(value: Any) -> bool:
    said = plain(value)
    return isinstance(said, (int, float)) or (isinstance(said, list) and len(said) == 1)


def _times(table: list[list[float]], v: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, v, strict=True)) for row in table]


# --- 09-4: two ways without adding ------------------------------------------------------------

_WAYS = ("backward", "grad")


def judge_ways(answer: Any) -> Found:
    """Judge two functions of z and x: by two backwards with one tray, and without any tray."""
    keep = _('Keep the dictionary with "backward" and "grad".')
    return judge_each(answer, _WAYS, _OF_TWO, _judge_way, keep)


def _judge_way(way: str, function: Any, formula: Callable) -> Found:
    import warnings

    import minigrad as mg

    at = points(2, 1.0, 3.0, seed=4)
    x, y = (mg.tensor(value, requires_grad=True) for value in at)  # float32, as on the page
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # backward(create_graph=True) warns of a cycle
            returned = call(function, formula(x, y), x)
    except Unreadable as refusal:
        return _refused(way, refusal)
    if way == "backward" and x.grad is None:
        return "backward: no tray"
    if way == "grad" and (x.grad is not None or y.grad is not None):
        return "grad: tray filled"
    said = _numbers([returned] if _is_single(returned) else returned, 1)
    if said is None:
        raise Unreadable(_("{}: return one number, the second derivative.").format(way))
    one = first_derivatives(lambda v: formula(*v), at)[0]
    two = second_derivatives(lambda v: formula(*v), at)[0][0]
    if close(said[0], two):
        return _tray_apart(way, x, two)
    if way == "backward" and said[0] == 0:
        return "backward: 0" if number(x.grad.detach()) == 0 else "backward: one tray"
    if way == "backward" and close(said[0], one + two):
        return "backward: added up"
    if close(said[0], one):
        return f"{way}: the first derivative"
    fact = _("{}: at x = {:.3g} and y = {:.3g} yours says {:.4g}, and small nudges say {:.4g}.")
    return unforeseen(fact.format(way, *at, said[0], two))


def _tray_apart(way: str, x: Any, two: float) -> Found:
    """A right number that was subtracted out of a tray with both in it is told so."""
    if way == "grad" or close(number(x.grad.detach()), two):
        return None
    fact = _("backward: the number is right, and `x.grad` still holds {:.4g}.")
    return unforeseen(fact.format(number(x.grad.detach())))


def _refused(way: str, refusal: Unreadable) -> str:
    said = _said(refusal)
    if way == "backward" and "'NoneType' object has no attribute 'backward'" in said:
        return "backward: nothing left"
    if _UNRECORDED in said:
        return f"{way}: not recorded"
    raise of_way(way, refusal) from refusal.__cause__
