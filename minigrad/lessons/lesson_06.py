"""Lesson 06: what no kind of judge can say. Its words are in `06.toml`."""

from __future__ import annotations

import weakref
from typing import Any

from ..language import _
from .exercises import Mistake, ReturnsNothing, Unreadable, call, is_tensor, number
from .kinds import unforeseen
from .probes import close, points

_NOBODY_ASKS = "does not require grad and does not have a grad_fn"
STEP = 0.01

# --- 06-1: train one model, leave the other alone ----------------------------------------------

X, GOAL = (2.0, 1.5), 4.0


def judge_b(answer: Any) -> str | Mistake | None:
    """Judge a training step on two models in a row of which only the second may be touched."""
    return _judge_step(answer, "B", "A")


def judge_a(answer: Any) -> str | Mistake | None:
    """Judge a training step on the first of two models, by the loss behind the second."""
    return _judge_step(answer, "A", "B")


def _judge_step(answer: Any, trained: str, alone: str) -> str | Mistake | None:
    import minigrad as mg

    models = {"A": _model(0.5), "B": _model(3.0)}
    before = {name: number(model.weight.detach()) for name, model in models.items()}
    true = before[trained] - STEP * _slope(before["A"], before["B"], trained)
    reached: list[float] = []
    models[alone].weight.register_hook(lambda gradient: reached.append(gradient.item()))
    weight = models[trained].weight
    try:
        call(answer, models["A"], models["B"], mg.tensor([[x] for x in X]), GOAL)
    except ReturnsNothing:
        pass  # a step is what it does, not what it returns
    except Unreadable as refusal:
        if _NOBODY_ASKS in str(refusal.__cause__):
            return "all cut"
        if weight.grad is None and "NoneType" in str(refusal.__cause__):
            return "nothing comes"
        raise
    if models[trained].weight is not weight:
        fact = _("The weight of {} is another tensor now. Move the one that it has.")
        return unforeseen(fact.format(trained))
    found = _left_alone(alone, models[alone].weight, before[alone], reached)
    return found if found is not None else _stepped(trained, weight, before[trained], true)


def _model(weight: float) -> Any:
    """A model of one weight, without a bias."""
    import minigrad as mg

    made = mg.nn.Linear(1, 1, bias=False)
    with mg.no_grad():
        made.weight.fill_(weight)
    return made


def _slope(u: float, w: float, trained: str) -> float:
    """How fast the mean of (w · u · x − goal)² moves with w, the weight of B, or u, that of A."""
    other = u if trained == "B" else w
    return sum(2 * (w * u * x - GOAL) * other * x for x in X) / len(X)


def _left_alone(
    name: str, weight: Any, before: float, reached: list[float]
) -> str | Mistake | None:
    """What is wrong with the model that should be as it was."""
    now = number(weight.detach())
    if not close(now, before):
        fact = _("The weight of {} was {:g}, and after your function it is {:.4g}.")
        return unforeseen(fact.format(name, before, now))
    if weight.grad is not None:
        return "gets a gradient" if number(weight.grad) else "gets zeros"
    if reached and not weight.requires_grad:
        return unforeseen(_("The weight of {} asks for no gradient any more.").format(name))
    if not weight.requires_grad:
        return "stays frozen"
    return "thrown away" if reached else None


def _stepped(name: str, weight: Any, before: float, true: float) -> str | Mistake | None:
    """What is wrong with the model that should have taken a step; the other one is as it was."""
    now = number(weight.detach())
    if not weight.requires_grad:
        return unforeseen(_("The weight of {} asks for no gradient any more.").format(name))
    if close(now, true):
        return None
    if close(now, before):
        return "stands still"
    fact = _("The weight of {} should go from {:g} to {:.4g}, and yours goes to {:.4g}.")
    return unforeseen(fact.format(name, before, true, now))


# --- 06-2: one value, three gradients ----------------------------------------------------------

ORDER = ("first", "second", "third")


def judge_cubes(answer: Any) -> str | Mistake | None:
    """Judge a function that returns x³ three times, with the gradients x², 2x² and 3x²."""
    for value in (2.0, *points(2, 1.0, 3.0)):
        x = _leaf(value)
        results = call(answer, x)
        if not isinstance(results, (tuple, list)) or len(results) != 3:
            raise Unreadable(_("Return three results, with commas between them."))
        if not all(map(is_tensor, results)):
            raise Unreadable(_("Return three tensors; one of yours is no tensor."))
        for place, result in enumerate(results):
            found = _cube(place, result, x, value)
            if found is not None:
                return found
    return None


def _cube(place: int, result: Any, x: Any, value: float) -> str | Mistake | None:
    said, name = number(result.detach()), _(ORDER[place])
    if not close(said, value**3):
        fact = _("At x = {:.4g} the value of the {} should be {:.4g}, and yours is {:.4g}.")
        return unforeseen(fact.format(value, name, value**3, said))
    came = _gradient(result, x)
    if came is None:
        return f"{ORDER[place]}: no road"
    came, true, square = number(came), (place + 1) * value**2, value**2
    if close(came, true):
        return None
    if place == 0 and close(came, 3 * square):
        return "first: nothing cut"
    if place == 0 and close(came, 2 * square):
        return "first: one cut"
    if place == 1 and close(came, 3 * square):
        return "second: nothing cut"
    if place == 1 and close(came, square):
        return "second: two cut"
    fact = _("At x = {:.4g} the gradient of the {} should be {:.4g}, and yours is {:.4g}.")
    return unforeseen(fact.format(value, name, true, came))


def _leaf(value: Any) -> Any:
    import minigrad as mg

    return mg.tensor(value, dtype=mg.float64, requires_grad=True)


def _gradient(result: Any, x: Any) -> Any:
    """The gradient of a result, or None where no road leads back to x."""
    import minigrad as mg

    if not result.requires_grad:
        return None
    try:
        (found,) = mg.autograd.grad(result, x, allow_unused=True, retain_graph=True)
    except RuntimeError as error:  # such as a graph that was walked and freed in the function
        fact = _("Going back from your result stopped: {}")
        raise Unreadable(fact.format(str(error).split(". ")[0])) from error
    return found


# --- 06-3: an evaluation that keeps nothing ----------------------------------------------------


class _Held:
    """A number table that some node keeps; when the node goes, this goes."""

    def __init__(self, tensor: Any):
        self.tensor = tensor.detach()  # with its history, a kept result would keep its own node
        self.bytes = tensor.numel() * tensor.element_size()


class _Watch:
    """Counts, at each call of a model, how many bytes the graphs made so far still keep."""

    def __init__(self) -> None:
        self.kept: list[weakref.ref[_Held]] = []
        self.most = 0
        self.evaluated = False

    def alive(self) -> int:
        """The bytes that are kept now."""
        held = (reference() for reference in self.kept)
        return sum(one.bytes for one in held if one is not None)

    def pack(self, tensor: Any) -> _Held:
        """Called for each tensor that a node is about to keep."""
        held = _Held(tensor)
        self.kept.append(weakref.ref(held))
        return held

    def called(self) -> None:
        """Called when the model is."""
        self.most = max(self.most, self.alive())


def _watched_model(watch: _Watch) -> Any:
    """A module of one weight, with all that modules have, which is watched."""
    import minigrad as mg

    class Model(mg.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = mg.nn.Parameter(mg.tensor(0.5, dtype=mg.float64))

        def forward(self, x: Any) -> Any:
            watch.called()
            return (self.weight * x).tanh()

        def train(self, mode: bool = True) -> Any:  # `eval()` is `train(False)`
            watch.evaluated = watch.evaluated or not mode
            return super().train(mode)

    return Model()


def judge_evaluation(answer: Any) -> str | Mistake | None:
    """Judge a function that returns the mean error of a model, by value and by what it keeps."""
    import minigrad as mg

    inputs = [mg.tensor(points(50, seed=seed), dtype=mg.float64) for seed in range(8)]
    goals = points(8, -1.0, 1.0)
    true, one_graph = _true_error(inputs, goals)
    watch = _Watch()
    model = _watched_model(watch)
    before = mg.is_grad_enabled()
    try:
        with mg.autograd.graph.saved_tensors_hooks(watch.pack, lambda held: held.tensor):
            result = call(answer, model, inputs, goals)
            left_off = not mg.is_grad_enabled()
    finally:
        mg.set_grad_enabled(before)
    said = number(result.detach() if is_tensor(result) else result)
    if not close(said, true):
        fact = _("The mean error should be {:.4g}, and yours is {:.4g}.")
        return unforeseen(fact.format(true, said))
    if watch.alive():
        return _still_kept(result, watch)
    if watch.most > one_graph:
        return "cut at the end"
    if not model.weight.requires_grad:
        return "frozen"
    if model.weight.grad is not None:
        return unforeseen(_("After your function there is a gradient in the tray of the weight."))
    return "left off" if left_off else None


def _still_kept(result: Any, watch: _Watch) -> str | Mistake:
    if watch.evaluated:
        return "eval"
    if is_tensor(result) and result.grad_fn is not None:
        return "kept"
    fact = _(
        "The number is right and has no graph. But {} bytes of graphs are still kept elsewhere."
    )
    return unforeseen(fact.format(watch.alive()))


def _true_error(inputs: list[Any], goals: list[float]) -> tuple[float, int]:
    """The mean error, and the bytes that the graph of one input keeps."""
    import minigrad as mg

    watch = _Watch()
    model = _watched_model(watch)
    total = 0.0
    for x, goal in zip(inputs, goals, strict=True):
        with mg.autograd.graph.saved_tensors_hooks(watch.pack, lambda held: held.tensor):
            error = ((model(x) - goal) ** 2).mean()
        one_graph = watch.alive()
        total += error.item()
        del error
    return total / len(inputs), one_graph


# --- 06-5: a gradient of one's own choice ------------------------------------------------------


def judge_rounded(answer: Any) -> str | Mistake | None:
    """Judge a function with the values of `round()` and the gradient 1."""
    x = _leaf([-1.2, 0.4, 2.6, *points(3, 3.0, 6.0)])
    given = x.tolist()
    result = call(answer, x)
    if x.tolist() != given:
        return unforeseen(_("Your function wrote into x itself, and x belongs to the caller."))
    if not is_tensor(result) or result.shape != x.shape:
        raise Unreadable(_("Return a tensor of the shape of x."))
    true, said = x.detach().round().tolist(), result.detach().tolist()
    values = all(close(one, other) for one, other in zip(said, true, strict=True))
    if not result.requires_grad:
        return "no road" if values else unforeseen(_("From your result no road leads back to x."))
    came = _gradient(result.sum(), x)
    if came is None:
        return "no road"
    return _rounded(values, said, true, came.tolist())


def _rounded(
    values: bool, said: list[float], true: list[float], came: list[float]
) -> str | Mistake | None:
    ones = _all_close(came, 1.0)
    if values and ones:
        return None
    if values and _all_close(came, 0.0):
        return "flat"
    if values and _all_close(came, -1.0):
        return "turned"
    if ones:
        wrong = next(i for i, entry in enumerate(said) if not close(entry, true[i]))
        if wrong == 0 and close(said[0], -1.2):
            return "not rounded"
        fact = _("Every gradient is 1. But x[{}] should become {:g}, and yours is {:.4g}.")
        return unforeseen(fact.format(wrong, true[wrong], said[wrong]))
    where = "x[0]" if values else _("x[0], where the value is {:.4g},").format(said[0])
    fact = _("The gradient at {} should be 1, and yours is {:.4g}.")
    return unforeseen(fact.format(where, came[0]))


def _all_close(numbers: list[float], wanted: float) -> bool:
    return all(close(one, wanted) for one in numbers)
