"""Lesson 08: what no kind of judge can say. Its words are in `08.toml`."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from weakref import ref

from ..language import _
from ..widgets.memory import graph_memory
from ..widgets.memory.kept import owner
from .exercises import Blank, Mistake, Unreadable, call, is_tensor, number
from .kinds import unforeseen
from .probes import close, points
from .snippets import run

_A_SECOND_TIME = "backward through the graph a second time"
_NOT_RECORDED = "does not require grad and does not have a grad_fn"


def _leaf(value: float) -> Any:
    import minigrad as mg

    return mg.tensor(value, dtype=mg.float64, requires_grad=True)


# --- 08-1a: two losses in one pass ---------------------------------------------------------


def judge_together(answer: Any) -> str | Mistake | None:
    """Judge a function that walks back once from z = t * y and u = t * t, with t = x * x."""
    for a, b in ((2.0, 3.0), tuple(points(2, 1.0, 4.0))):
        found = _together_at(answer, a, b)
        if found is not None:
            return found
    return None


def _together_at(answer: Any, a: float, b: float) -> str | Mistake | None:
    x, y = _leaf(a), _leaf(b)
    t = x * x
    z, u = t * y, t * t
    walks: list[Any] = []
    t.grad_fn.register_hook(lambda sent, came: walks.append(sent))
    try:
        said = call(answer, z, u, x, y)
    except Unreadable as refusal:
        if _A_SECOND_TIME in str(refusal.__cause__):
            return "the graph is gone"
        raise
    pair = [one[0] if _holds_one(one) else one for one in _several(said)]
    if len(pair) != 2:
        raise Unreadable(_("Return two numbers: the gradient of x, and that of y."))
    of_x, of_y = map(number, pair)
    of_z, of_u = 2 * a * b, 4 * a**3
    if not (close(of_x, of_z + of_u) and close(of_y, a * a)):
        return _wrong_gradients((of_x, of_y), (of_z, of_u, a * a), (a, b))
    if len(walks) > 1:
        return "two passes"
    if not walks:
        return unforeseen(_("Both numbers are right, and your function never went back to t."))
    if not t.grad_fn.is_freed:
        return unforeseen(_("One pass is enough, and yours is told to keep what it used."))
    return None


def _wrong_gradients(
    said: tuple[float, float], true: tuple[float, float, float], at: tuple[float, float]
) -> str | Mistake:
    """What two wrong numbers are, with the slopes of z and of u by x, and the one by y."""
    of_z, of_u, of_y = true
    if close(said[0], of_z) and close(said[1], of_y):
        return "z alone"
    if close(said[0], of_y) and close(said[1], of_z + of_u):
        return "swapped"
    (a, b), product = at, (at[0] ** 6 * at[1])  # z · u = x⁶ · y
    if close(said[0], 6 * product / a) and close(said[1], product / b):
        return "multiplied"
    fact = _("At x = {:g} and y = {:g} yours are {:g} and {:g}. Nudges say {:g} and {:g}.")
    shown = (round(one, 4) for one in (a, b, *said, of_z + of_u, of_y))
    return unforeseen(fact.format(*shown))


def _several(said: Any) -> list[Any]:
    return list(said) if isinstance(said, (tuple, list)) else [said]


def _holds_one(said: Any) -> bool:
    return isinstance(said, (tuple, list)) and len(said) == 1


# --- 08-2: a report that keeps no graph -------------------------------------------------------

BATCHES = 12


class _Mark:
    """Hangs in the metadata of a node, and goes with it."""


def judge_report(answer: Any) -> str | Mistake | None:
    """Judge a loop over batches that is to keep no more than one graph at a time."""
    import minigrad as mg

    w = _leaf(1.5)
    batches = [mg.tensor(points(3, seed=seed), dtype=mg.float64) for seed in range(BATCHES)]
    marks: list[ref[_Mark]] = []
    alive: list[int] = []
    grads: list[bool] = []
    saved: list[Any] = []
    held: list[bool] = []

    def loss_of(w: Any, batch: Any) -> Any:
        alive.append(_alive(marks))
        grads.append(w.grad is not None)
        held.append(any(memory.bytes for memory in saved))
        with graph_memory() as memory:
            loss = ((w * batch - 1) ** 2).mean()
        saved.append(memory)
        if loss.grad_fn is not None:
            mark = loss.grad_fn.metadata["mark"] = _Mark()
            marks.append(ref(mark))
        return loss

    try:
        said = call(answer, w, batches, loss_of)
    except Unreadable as refusal:
        if _NOT_RECORDED in str(refusal.__cause__):
            return "cut too early"
        raise
    if len(alive) != BATCHES:
        fact = _("Of {} batches your function asked for the loss of {}.")
        return unforeseen(fact.format(BATCHES, len(alive)))
    losses = [float(((1.5 * batch - 1) ** 2).mean()) for batch in batches]
    total = number(said.detach() if is_tensor(said) else said)
    if not close(total, sum(losses)):
        fact = _("The losses of the batches sum to {:g}, and you return {:g}.")
        return unforeseen(fact.format(round(sum(losses), 4), round(total, 4)))
    found = _kept_by_the_loop(said, w, batches, alive, grads)
    return "kept for nothing" if found is None and any(held) else found


def _alive(marks: list[ref[_Mark]]) -> int:
    return sum(mark() is not None for mark in marks)


def _kept_by_the_loop(
    said: Any, w: Any, batches: list[Any], alive: list[int], grads: list[bool]
) -> str | Mistake | None:
    piled_up = max(alive) > 1
    if w.grad is None:
        return "never back"
    true = sum(float((2 * batch * (1.5 * batch - 1)).mean()) for batch in batches)
    if not close(number(w.grad), true):
        fact = _("`w.grad` should hold {:g}, the sum over all batches, and holds {:g}.")
        return unforeseen(fact.format(round(true, 4), round(number(w.grad), 4)))
    if piled_up and not any(grads):
        return "back at the end"
    if piled_up and (not is_tensor(said) or said.grad_fn is None):
        return "cut at the end"
    if piled_up:
        return "as it stands"
    if is_tensor(said) and said.grad_fn is not None:
        return unforeseen(_("No graphs pile up. But what you return still leads to a graph."))
    return None


# --- 08-3: a chain that is run again in parts -------------------------------------------------

LAYERS = 16
MOST_KEPT, MOST_AT_ONCE = 5, 10


class _Layers:
    """Layers that tell which of them ran, and how many tensors were kept by then."""

    def __init__(self) -> None:
        self.kept = graph_memory()
        self.factors = points(LAYERS, 0.6, 1.4)
        self.ran: list[int] = []
        self.results: list[ref[Any]] = []
        self.most = 0
        self.layers = [self._layer(i) for i in range(LAYERS)]

    def _layer(self, i: int) -> Callable[[Any], Any]:
        def layer(y: Any) -> Any:
            self.ran.append(i)
            # This one's result comes on top; a second run may end before it is returned.
            alive = 1 + sum(result() is not None for result in self.results)
            self.most = max(self.most, self.kept.tensors + alive)
            result = self.compute(i, y)
            self.results.append(ref(owner(result)))
            return result

        return layer

    def compute(self, i: int, y: Any) -> Any:
        return (y * self.factors[i]).tanh()

    def start_backward(self) -> None:
        """Forget what ran so far: from here on, what runs has come back."""
        self.ran, self.most, self.results = [], 0, []


def judge_parts(answer: Any) -> str | Mistake | None:
    """Judge a function of x and 16 layers that keeps little, and runs parts of it again."""
    x, chain = _leaf(0.7), _Layers()
    with chain.kept:
        y = call(answer, x, list(chain.layers))
    if not is_tensor(y):
        raise Unreadable(_("Return the tensor that the last layer gives."))
    true = _leaf(0.7)
    result = true
    for i in range(LAYERS):
        result = chain.compute(i, result)
    if not close(number(y.detach()), number(result.detach())):
        fact = _("Your result is {:g}. All {} layers, one after the other, give {:g}.")
        shown = round(number(y.detach()), 4), LAYERS, round(number(result.detach()), 4)
        return unforeseen(fact.format(*shown))
    if y.grad_fn is None:
        return "nothing recorded"
    before = chain.kept.tensors
    chain.start_backward()
    try:
        y.backward()
    except RuntimeError as error:
        raise Unreadable(_("backward() from your result stopped: {}").format(error)) from error
    result.backward()
    return _judged_parts(chain, before, x.grad, number(true.grad))


def _judged_parts(chain: _Layers, before: int, grad: Any, true: float) -> str | Mistake | None:
    if not chain.ran and before >= LAYERS:
        return "nothing runs again"
    if grad is None or not close(number(grad), true):
        if grad is not None and len(set(chain.ran)) < len(chain.ran):  # some ran for others
            return "other layers ran again"
        said = "None" if grad is None else f"{number(grad):.4g}"
        fact = _("`x.grad` should be {:.4g}, and yours is {}.")
        return unforeseen(fact.format(true, said))
    if before >= LAYERS:
        return "each for itself"
    if before > MOST_KEPT:
        fact = _("After the forward pass your graph keeps {} tensors; at most {} are wanted.")
        return unforeseen(fact.format(before, MOST_KEPT))
    if chain.most > MOST_AT_ONCE:
        if before == 1:
            return "one part"
        fact = _("In backward, {} tensors are there at once; at most {} are wanted.")
        return unforeseen(fact.format(chain.most, MOST_AT_ONCE))
    return None


# --- 08-4: five snippets, ranked --------------------------------------------------------------

SNIPPETS = {
    "A": "x.exp() * x.exp()",
    "B": "(x + c) * 2",
    "C": "x.sin().sin().sin().sin()",
    "D": "x * c",
    "E": "x.tanh().exp() * x",
}


def bytes_kept() -> dict[str, int]:
    """What the graph of each snippet keeps, counted anew."""
    import minigrad as mg

    x, c = mg.ones(1000, requires_grad=True), mg.ones(1000)
    found = {}
    for letter, code in SNIPPETS.items():
        with graph_memory() as kept:
            result, _names = run(code, x=x, c=c)
        found[letter] = kept.bytes
        del result
    return found


def judge_order(answer: Any) -> str | None:
    """Judge the letters of the snippets, from the one that keeps least to the one that most."""
    said = _letters(answer)
    kept = bytes_kept()
    true = sorted(SNIPPETS, key=kept.__getitem__)
    if said == true:
        return None
    if said == true[::-1]:
        return "the other way round"
    wrong = (f"{a} before {b}" for a, b in pairwise(true) if said.index(a) > said.index(b))
    return next(wrong)


def _letters(answer: Any) -> list[str]:
    """The letters in their order, out of "BDA…", "B, D, A …" or a list."""
    pieces = answer if isinstance(answer, (list, tuple)) else [answer]
    if isinstance(answer, str) and not answer.strip():
        raise Blank
    said = re.findall(r"\w", "".join(map(str, pieces)).upper())
    if sorted(said) != sorted(SNIPPETS) or not all(isinstance(one, str) for one in pieces):
        raise Unreadable(_("Answer with each of the letters {} once.").format(", ".join(SNIPPETS)))
    return said
