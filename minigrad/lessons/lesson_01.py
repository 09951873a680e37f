"""Lesson 01: what no kind of judge can say, and its pictures. Its words are in `01.toml`."""

from typing import Any

from ..extras.recorded_cuts import NOT_RECORDED, cuts_of
from ..language import _
from ..trace import graph_of, record
from ..viz import draw
from .exercises import HoldsNone, Unreadable, call, is_tensor
from .kinds import letters

# --- 01-1: the graph of the picture -----------------------------------------------------------


def draw_the_task() -> Any:
    """Draw the graph of 01-1, with names at its leaves alone."""
    import minigrad as mg

    w, x = (mg.tensor(value, requires_grad=True) for value in (3.0, 2.0))
    with record() as tape:
        p = w * x
        y = p * p + w
    alt = _("w and x feed a ×; what it makes feeds a second × twice; that and w feed a +")
    # Only the leaves are named: what is in between is for the learner to name.
    return draw(graph_of(y, names={"w": w, "x": x}, tape=tape), "forward", alt)


def draw_the_answer(answer: Any) -> Any:
    """Draw the graph that was handed in, if there is one."""
    if answer.grad_fn is None:
        return None
    alt = _("the graph that you built, to compare with the task")
    return draw(graph_of(answer), "forward", alt)


# --- 01-2: a result with grad_fn None, two ways -----------------------------------------------


def two_ways(answer: Any) -> str | None:
    """Judge two functions whose results are unrecorded, each for a reason of its own."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise Unreadable(_("Hand in both functions as a pair: `(first, second)`."))
    reasons = []
    for way in answer:
        mistake, reason = _why_none(way)
        if mistake == "recorded" and reasons:
            return "the second recorded"
        if mistake:
            return mistake
        reasons.append(reason)
    return "the same way" if reasons[0] == reasons[1] else None


def _why_none(way: Any) -> tuple[str | None, str]:
    """The mistake in one way, or the reason why its result was not recorded."""
    pairs = [_operand_and_result(way, number) for number in (2.0, -3.0)]
    x, z = pairs[0]
    if z is x:
        return "a second name", ""
    if z.grad_fn is not None:
        return "recorded", ""
    if x.requires_grad and not z.dtype.is_floating_point:
        return None, "a question, or whole numbers"
    values = [z.tolist() for _x, z in pairs]
    if values[0] == values[1] and z.dtype.is_floating_point:
        return "not computed from x", ""
    if not x.requires_grad:
        return None, "nobody asked"
    off = any(cut.what == NOT_RECORDED for cut in cuts_of(z))
    return None, "recording is off" if off else "cut off"


def _operand_and_result(way: Any, number: float) -> tuple[Any, Any]:
    try:
        pair = call(way, number)
    except HoldsNone:
        match way(number):
            case (x, None) if is_tensor(x):
                told = _("Your z is None itself. It has to be a tensor whose `grad_fn` is None.")
                raise Unreadable(told) from None
        raise
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise Unreadable(_("Let each function end with `return x, z`."))
    if not all(is_tensor(tensor) for tensor in pair):
        raise Unreadable(_("x and z have to be tensors. A Python number has no grad_fn at all."))
    return pair


# --- 01-3: which lines raise, and why ---------------------------------------------------------

LINES = {
    "A": "mg.tensor(1., requires_grad=True)",
    "B": "mg.tensor(1, requires_grad=True)",
    "C": "mg.tensor([1, 2]).requires_grad_()",
    "D": "mg.tensor([1, 2.]).requires_grad_()",
    "E": "mg.tensor(1) * 2",
}
REASONS = {
    "P": "a whole number cannot be moved by a little, so it has no slope",
    "Q": "only a single number may ask, a list may not",
    "R": "the tensor was used before it asked",
}


def which_raise(answer: Any) -> str | None:
    """Judge which of `LINES` raise, and for which of `REASONS`."""
    if not isinstance(answer, dict) or set(answer) != {"raises", "because"}:
        raise Unreadable(_('Keep the dictionary with the entries "raises" and "because".'))
    lines = set(letters(answer["raises"], LINES))
    (reason,) = letters(answer["because"], REASONS, one=True)
    if lines == {"B", "C"}:
        return {"P": None, "Q": "lists", "R": "used before"}[reason]
    if "D" in lines:
        return "a list that asks"
    if "E" in lines:
        return "nobody asks"
    if "A" in lines:
        return "a float that asks"
    return "only the keyword" if lines == {"B"} else "only the method"
