"""Lesson 03: what no kind of judge can say. Its words are in `03.toml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import TracebackType
from typing import Any

from ..language import _
from .exercises import ReturnsNothing, Unreadable, call, is_tensor, number
from .kinds import unforeseen
from .probes import close, points
from .shapes import leaves_behind


def _leaf(value: float, dtype: str = "float64") -> Any:
    import minigrad as mg

    return mg.tensor(value, dtype=getattr(mg, dtype), requires_grad=True)


def _grad(tensor: Any) -> float | None:
    return None if tensor.grad is None else number(tensor.grad)


# --- 03-1: gradients in the middle ------------------------------------------------------------


def judge_kept(answer: Any) -> Any:
    """Judge a function that returns a and b of (x + 1)(x + 2), both with their gradients."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whoever reads `.grad` in the middle is warned
        found = [_kept_at(answer, value) for value in (2.0, *points(2, 3.0, 6.0))]
    return next((mistake for mistake in found if mistake is not None), None)


def _kept_at(answer: Any, value: float) -> Any:
    x = _leaf(value, "float32")  # as a gradient that somebody assigns by hand
    came: list[float] = []
    x.register_hook(lambda gradient: came.append(number(gradient)))
    with _assigned() as written:
        pair = call(answer, x)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(map(is_tensor, pair)):
        raise Unreadable(_("Let your function end with `return a, b`."))
    a, b = sorted(pair, key=lambda tensor: number(tensor.detach()))
    if not (close(number(a.detach()), value + 1) and close(number(b.detach()), value + 2)):
        return unforeseen(_("What you return is not a = x + 1 and b = x + 2."))
    if a.grad_fn is None and b.grad_fn is None:
        return "numbers"
    if not any(leaf is x for tensor in (a, b) for leaf in leaves_behind(tensor)):
        return "an x of its own"
    if any(tensor is one for tensor in (a, b, x) for one in written):
        return "by hand"
    if not came and all(_grad(tensor) is None for tensor in (a, b, x)):
        return "no backward"
    for tensor, slope in ((a, value + 2), (b, value + 1)):
        if _grad(tensor) is None:
            empty = [one for one in (a, b) if _grad(one) is None]
            if any(one.retains_grad for one in empty):
                return "after backward"
            return "not kept" if len(empty) == 2 else "one not kept"
        if not close(_grad(tensor), slope):
            return _wrong_kept(tensor, slope, value)
    if x.grad is None:
        return "nothing in x"
    if not close(number(x.grad), 2 * value + 3):
        return unforeseen(
            _("a and b are right, and `x.grad` is {:g}. One backward() brings {:g}.").format(
                number(x.grad), 2 * value + 3
            )
        )
    return None


def _wrong_kept(tensor: Any, slope: float, value: float) -> Any:
    fact = _("At x = {:g} the tensor with the value {:g} should keep {:g}, and yours keeps {:g}.")
    return unforeseen(fact.format(value, number(tensor), slope, _grad(tensor)))


@contextmanager
def _assigned() -> Iterator[list[Any]]:
    """The tensors to whose `.grad` something but None is assigned meanwhile; no pass does that."""
    import minigrad as mg

    written: list[Any] = []
    before = mg.Tensor.grad

    def assign(tensor: Any, new: Any) -> None:
        before.fset(tensor, new)
        if new is not None:
            written.append(tensor)

    mg.Tensor.grad = before.setter(assign)
    try:
        yield written
    finally:
        mg.Tensor.grad = before


# --- 03-2: a loop with three bugs -------------------------------------------------------------

GOALS = {"w": 5.0, "b": -1.0}
STEP = 0.1


def judge_loop(answer: Any) -> Any:
    """Judge a loop that moves w to 5 and b to −1, both in place, and clears both trays.

    It is run for one round, then for more, and compared with two walks: the right one, and that of
    a tray which is never emptied.
    """
    for rounds in (1, 2, 4):
        start = {"w": points(1, 0.0, 3.0)[0], "b": points(1, 0.0, 3.0, 5)[0]}
        leaves = {name: _leaf(value) for name, value in start.items()}
        used = {name: _still_full(leaf) for name, leaf in leaves.items()}
        try:
            pair = _call_a_descent(answer, leaves["w"], leaves["b"], rounds)
        except Unreadable as refusal:
            if _renamed(refusal.__cause__, leaves["w"]):
                return "a new w"
            raise
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(map(is_tensor, pair)):
            raise Unreadable(_("Let your function end with `return w, b`."))
        if pair[0] is leaves["b"] and pair[1] is leaves["w"]:
            return unforeseen(_("w and b are returned in the other order: `return w, b`."))
        if pair[0] is not leaves["w"]:
            return "a new w"
        if pair[1] is not leaves["b"]:
            return unforeseen(_("What you return as b is not the leaf that was handed in."))
        found = _compared(leaves, start, rounds, {name for name in used if any(used[name])})
        if found is not None:
            return found
    return None


def _call_a_descent(answer: Any, *arguments: Any) -> Any:
    """Call it, and name `no_grad()` where a step on a leaf was refused."""
    try:
        return call(answer, *arguments)
    except Unreadable as refusal:
        error = refusal.__cause__
        if "a leaf Variable that requires grad" not in str(error):
            raise
        words = _("Take each step under `no_grad()`. Without it, your function stopped: {}")
        raise Unreadable(words.format(error)) from error


def _still_full(leaf: Any) -> list[bool]:
    """For each gradient that comes to a leaf: whether something was in its tray by then."""
    full: list[bool] = []
    leaf.register_hook(lambda gradient: full.append(bool(_grad(leaf))))
    return full


def _renamed(error: BaseException | None, w: Any) -> bool:
    """Whether, where the learner's function stopped, w was the name of another tensor."""
    trace: TracebackType | None = error.__traceback__ if error else None
    while trace is not None:
        there = trace.tb_frame.f_locals.get("w", w)
        if is_tensor(there) and there is not w and not _inside(trace):
            return True
        trace = trace.tb_next
    return False


def _inside(trace: TracebackType) -> bool:
    """Whether a frame is one of this package, whose own names mean nothing here."""
    return trace.tb_frame.f_globals.get("__name__", "").startswith("minigrad")


def _compared(leaves: dict[str, Any], start: dict[str, float], rounds: int, full: set[str]) -> Any:
    """The mistake that w and b show after so many rounds; `full` are those never cleared."""
    now = {name: number(leaf.detach()) for name, leaf in leaves.items()}
    right = {name: _walk(start[name], GOALS[name], rounds, True) for name in now}
    if all(close(now[name], right[name]) for name in now):
        return None
    if now == start:
        return "cleared too early"
    kept = {name: close(now[name], _walk(start[name], GOALS[name], rounds, False)) for name in now}
    if kept["w"] and kept["b"] and full == {"w", "b"}:
        return "neither cleared"
    for name, other in (("w", "b"), ("b", "w")):
        if kept[name] and name in full and close(now[other], right[other]):
            return f"{name} never cleared"
    wrong = next(name for name in now if not close(now[name], right[name]))
    fact = _("From {0} = {1:.3g}, {2} should lead to {3:.3g}, and with yours it is {4:.3g}.")
    many = _("1 round") if rounds == 1 else _("{} rounds").format(rounds)
    return unforeseen(fact.format(wrong, start[wrong], many, right[wrong], now[wrong]))


def _walk(at: float, goal: float, rounds: int, clear: bool) -> float:
    """Where gradient descent on (at − goal)² ends, with or without clearing."""
    tray = 0.0
    for _round in range(rounds):
        tray = 2 * (at - goal) + (0.0 if clear else tray)
        at -= STEP * tray
    return at


# --- 03-3: one batch in thirds ----------------------------------------------------------------


def judge_thirds(answer: Any) -> Any:
    """Judge a function that gathers the gradient of a large batch from three small ones."""
    import minigrad as mg

    def loss_of(w: Any, batch: Any) -> Any:
        return ((w * batch - 1) ** 2).mean()

    w = _leaf(0.7)
    values = points(12, -2.0, 2.0)
    batches = [mg.tensor(values[start::3], dtype=mg.float64) for start in range(3)]
    reached: list[float] = []
    w.register_hook(lambda gradient: reached.append(gradient.item()))
    try:
        returned = call(answer, w, batches, loss_of)
    except ReturnsNothing:
        if reached and w.grad is None:
            return "taken away"
        raise
    except Unreadable as refusal:
        error = refusal.__cause__
        if error is None:
            raise
        fact = _("With three batches, your function stopped: {}: {}")
        told = fact.format(type(error).__name__, error).rstrip(".")
        raise Unreadable(f"{told}.") from error
    whole = _leaf(0.7)
    loss_of(whole, mg.tensor(values, dtype=mg.float64)).backward()
    if returned is w:
        return unforeseen(_("You return w itself. Return `w.grad`, its tray."))
    true, said = number(whole.grad), _grad(w)
    if said is None and reached:
        return "taken away"
    if said is None:
        raise Unreadable(_("After your function, `w.grad` is None: call backward() on a loss."))
    if close(said, true):
        return (
            None if len(reached) == 3 else "all at once" if len(reached) == 1 else _reached(reached)
        )
    if close(said, 3 * true):
        return "three times"
    if close(4 * said, true):
        return "a quarter"
    if len(reached) > 1 and close(said, reached[-1]):
        return "the last third"
    return unforeseen(_("`w.grad` should be {:.4g}, and yours is {:.4g}.").format(true, said))


def _reached(reached: Sequence[float]) -> Any:
    fact = _("The number is right, and {} backwards came to w. Three batches need three.")
    return unforeseen(fact.format(len(reached)))


# --- 03-4: the lowest point -------------------------------------------------------------------

LOWEST, MOST, NEAR = 3.0, 60, 1e-6


def judge_minimum(answer: Any) -> Any:
    """Judge a descent on (w − 3)² by where it ends, and by what came to w on its way."""
    for start in (0.0, 7.0):
        found = _descent(answer, start)
        if found is not None:
            return found
    return None


def _descent(answer: Callable[[Any], Any], start: float) -> Any:
    w = _leaf(start)
    seen: list[float] = []  # where w was when a gradient came to it
    w.register_hook(lambda gradient: seen.append(number(w.detach())))
    full = _still_full(w)
    try:
        end = _call_a_descent(answer, w)
    except Unreadable as refusal:
        if _renamed(refusal.__cause__, w):
            return "a new w"
        raise
    if not is_tensor(end):
        raise Unreadable(_("Return the tensor w."))
    if not seen:
        return "no backward"
    if end is not w:
        return "a new w"
    away = abs(number(w.detach()) - LOWEST)
    if len(seen) > MOST:
        return "too many"
    if away <= NEAR:
        return None
    if any(full):
        return "never cleared"
    return _too_short_or_long(seen, away, start)


def _too_short_or_long(seen: list[float], away: float, start: float) -> Any:
    """Whether the distance shrank at every step, or at none."""
    distances = [*(abs(at - LOWEST) for at in seen), away]
    steps = list(pairwise(distances))
    if all(after < before for before, after in steps):
        return "not there yet"
    if all(after >= before for before, after in steps):
        return "too far"
    fact = _("From w = {:g}, {} backwards left w a distance of {:.2g} from the lowest point.")
    return unforeseen(fact.format(start, len(seen), away))
