"""Lesson 11: what no kind of judge can say. Its words are in `11.toml`."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import minigrad as mg

from ..language import _
from .exercises import Blank, Unreadable, call, is_blank, is_tensor
from .kinds import unforeseen
from .probes import close, points

# --- 11-2b: points that tell right from wrong -------------------------------------------------

LEAST = 1.0
MOST_POINTS = 30


def _clamp(mask: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """ClampMin with `LEAST`, whose backward lets through what `mask` says."""

    class ClampMin(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.clamp(min=LEAST)

        @staticmethod
        def backward(ctx: Any, incoming: Any) -> Any:
            (x,) = ctx.saved_tensors
            return incoming * mask(x)

    return ClampMin.apply


RIGHT = _clamp(lambda x: x > LEAST)
WRONG = {
    "only those that stay": _clamp(lambda x: x == x),
    "only those that are replaced": _clamp(lambda x: x != x),
    "the wrong side": _clamp(lambda x: x < LEAST),
    "nothing between": _clamp(lambda x: x > 0),
}  #: by the mistake of points that let them pass; the third passes at no points


def judge_points(answer: Any) -> Any:
    """Judge points by what gradcheck says at them of ClampMin, a right one and four wrong ones."""
    at = _numbers_of(answer)
    if not _passes(RIGHT, at):
        return "on the kink"
    return next((name for name, wrong in WRONG.items() if _passes(wrong, at)), None)


def _passes(function: Callable[[Any], Any], at: list[float]) -> bool:
    x = mg.tensor(at, dtype=mg.float64, requires_grad=True)
    return mg.autograd.gradcheck(function, (x,), raise_exception=False)


def _numbers_of(answer: Any) -> list[float]:
    """The numbers of a list, a tensor or an array of any shape, or a single one.

    As gradcheck takes its inputs, `least` may stand behind them: `(points, 1)`.
    """
    first, last = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    if isinstance(last, (int, float)) and not isinstance(first, (int, float)):
        answer, least = answer
        if least != LEAST:
            words = _("The test is of ClampMin with a `least` of {:g}, and yours is {}.")
            raise Unreadable(words.format(LEAST, least))
    numbers = list(_flat(answer))
    if not 0 < len(numbers) <= MOST_POINTS:
        words = _("Hand in from 1 to {} numbers, as a list.")
        raise Unreadable(words.format(MOST_POINTS))
    if not all(map(math.isfinite, numbers)):
        raise Unreadable(_("Points that are nan or infinite cannot be nudged."))
    return numbers


def _flat(said: Any) -> Iterator[float]:
    if hasattr(type(said), "tolist"):
        said = said.tolist()
    if isinstance(said, (list, tuple, set)):
        for entry in said:
            yield from _flat(entry)
    elif is_blank(said):
        raise Blank
    elif isinstance(said, (int, float)) and not isinstance(said, bool) and not abs(said) > 1e6:
        yield float(said)
    else:
        words = _("Hand in a list of numbers of moderate size, such as [4.0, −7.5].")
        raise Unreadable(words)


# --- 11-4: a branch that is not chosen --------------------------------------------------------

NAMES = ("node", "sinc")
NEAR_0 = (0.09, -0.05, 0.009, *(sign * 10.0**-k for k in range(4, 17) for sign in (1, -1)))
NOISE = 1e-14  #: over x, how far rounding moves the slope of a right sinc: nearly 0 it is a number


def judge_sinc(answer: Any) -> Any:
    """Judge the name of a node, and a sin(x)/x whose value and gradient are numbers at 0, too."""
    if not isinstance(answer, dict) or set(answer) != set(NAMES):
        raise Unreadable(_('Keep the dictionary with the entries "node" and "sinc".'))
    node, function = (answer[name] for name in NAMES)
    if not isinstance(node, str):
        node = getattr(node, "__name__", None) or _named(node)
    quoted = re.search(r"\w+Backward\d*", node)  # out of the whole message, too
    node = (quoted[0] if quoted else node).strip().lower()
    if not node:
        raise Blank
    if "where" in node:
        return "node: where"
    if node.rstrip("0").removesuffix("backward") != _culprit():
        return "node: another"
    return _wrong_sinc(function)


def _named(node: Any) -> str:
    if not hasattr(node, "next_functions"):
        raise Unreadable(_("node: hand in a name, as text in quotation marks."))
    return node.name()


def _culprit() -> str:
    """The node that anomaly mode stops at in the function as it was given, in short."""
    x = mg.tensor([0.0, 2.0], requires_grad=True)
    with mg.autograd.set_detect_anomaly(True):
        y = mg.where(x == 0, 1.0, mg.sin(x) / x)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the line that made it, for a reader
                y.sum().backward()
        except RuntimeError as error:
            return str(error).split("'")[1].removesuffix("Backward0").lower()
    raise AssertionError("the function as it was given returns nan")


def _wrong_sinc(function: Any) -> Any:
    at = [0.0, *points(4, 0.3, 6.0), *points(2, -5.0, -0.3), *NEAR_0]
    x = mg.tensor(at, dtype=mg.float64, requires_grad=True)
    y = call(function, x)
    if not is_tensor(y) or list(y.shape) != [len(at)]:
        raise Unreadable(_("sinc: it gets a row of numbers, and should return one of that length."))
    values = y.detach().tolist()
    true = [math.sin(one) / one if one else 1.0 for one in at]
    if not y.requires_grad:
        right = all(map(close, values, true))
        return "sinc: cut off" if right else _wrong_value(at, values, true)
    slopes = mg.autograd.grad(y.sum(), x, allow_unused=True)[0]
    slopes = [0.0] * len(at) if slopes is None else slopes.tolist()
    if math.isnan(slopes[0]):
        return "sinc: still nan"
    if not close(values[0], 1.0) and math.isfinite(slopes[0]):
        return "sinc: another value at 0"
    found = _wrong_value(at, values, true)
    if found:
        return found
    return _wrong_slope(at, slopes)


def _wrong_value(at: list[float], values: list[float], true: list[float]) -> Any:
    for x, said, wanted in zip(at, values, true, strict=True):
        if not close(said, wanted):
            fact = _("sinc: at x = {} the value should be {}, and yours is {}.")
            return unforeseen(fact.format(_short(x), *_apart(wanted, said)))
    return None


def _wrong_slope(at: list[float], slopes: list[float]) -> Any:
    for x, said in zip(at, slopes, strict=True):
        far = abs(x) > 1e-3
        wanted = (x * math.cos(x) - math.sin(x)) / x**2 if far else -x / 3
        if not _slope_fits(x, said, wanted):
            fact = _("sinc: at x = {} a nudge says {}, and your gradient is {}.")
            return unforeseen(fact.format(_short(x), *_apart(wanted, said)))
    return None


def _slope_fits(x: float, said: float, wanted: float) -> bool:
    """Whether a slope is right, to a thousandth of it and what rounding does near 0."""
    if not math.isfinite(said) or x == 0 or abs(x) > 0.1:
        return close(said, wanted)
    return abs(said - wanted) <= 1e-3 * abs(wanted) + NOISE / abs(x)


def _short(number: float) -> str:
    return f"{number:.4g}"


def _apart(one: float, other: float) -> tuple[str, str]:
    """Both in short, with as many digits as it takes to see that they differ."""
    return next(
        (both for d in range(4, 17) if len(set(both := (f"{one:.{d}g}", f"{other:.{d}g}"))) == 2),
        (_short(one), _short(other)),
    )


# --- 11-5: a hook that clips ------------------------------------------------------------------

INCOMING = ([3.0, -0.2, -4.0, 0.1], [0.3, -0.1, 0.2, -0.4])
LIMITS = (0.5, 2.0)
VALUES = [5.0, -3.0, 0.25, -0.5]


def judge_clip(answer: Any) -> Any:
    """Judge a function that registers a clipping hook by what comes to a leaf behind it."""
    for most in LIMITS:
        for incoming in INCOMING:
            found = _clipped(answer, incoming, most)
            if found is not None:
                return found
    return None


def _clipped(answer: Any, incoming: list[float], most: float) -> Any:
    x = mg.tensor(VALUES, dtype=mg.float64, requires_grad=True)
    h = x * 1.0
    came: list[Any] = []
    h.register_hook(lambda gradient: came.append(gradient))
    handle = call(answer, h, most)
    if is_tensor(handle) and _is_clipped_value(handle, most):
        return "the value is clipped"
    if not hasattr(handle, "remove"):
        asked = _("Return the handle, that is, what `h.register_hook(…)` returned.")
        raise Unreadable(_("You return a tensor. {}").format(asked) if is_tensor(handle) else asked)
    _send(h, incoming)
    said = x.grad.tolist()
    wanted = [min(max(one, -most), most) for one in incoming]
    if came[0].tolist() != incoming:
        return "in place"
    if not all(map(close, said, wanted)):
        return _how_clipped(incoming, said, wanted, most)
    handle.remove()
    x.grad = None
    _send(h, incoming)
    if not all(map(close, x.grad.tolist(), incoming)):
        return unforeseen(_("After `handle.remove()` the gradient is still clipped."))
    return None


def _is_clipped_value(tensor: Any, most: float) -> bool:
    clipped = [min(max(one, -most), most) for one in VALUES]
    return list(tensor.shape) == [len(VALUES)] and all(map(close, tensor.tolist(), clipped))


def _send(h: Any, incoming: list[float]) -> None:
    try:
        h.backward(mg.tensor(incoming, dtype=mg.float64), retain_graph=True)
    except Exception as error:
        fact = _("When a gradient came to h, the pass stopped: {}: {}")
        told = fact.format(type(error).__name__, error).rstrip(": ")
        raise Unreadable(told if told.endswith((".", "!", "?")) else f"{told}.") from error


def _how_clipped(incoming: list[float], said: list[float], wanted: list[float], most: float) -> Any:
    if said == incoming:
        return "nothing returned"
    if said == [min(one, most) for one in incoming]:
        return "one side"
    factors = [a / b for a, b in zip(said, incoming, strict=True)]
    if 0 <= factors[0] < 1 and all(close(factor, factors[0]) for factor in factors):
        return "the whole is shortened"
    at = next(i for i in range(len(said)) if not close(said[i], wanted[i]))
    fact = _("With a limit of {:g}, {:g} came in, and {:g} went on. It should have been {:g}.")
    return unforeseen(fact.format(most, incoming[at], said[at], wanted[at]))
