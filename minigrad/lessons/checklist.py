"""Is my backward right, and how would I know? A checklist for an `autograd.Function`.

    checklist(MulConstant, mg.tensor([1., 3.]), 5)

The checks light up in order; after one that fails, those that lean on it stay open. Nudging alone
proves nothing about points that were not tried, so the last line says what these inputs could not
have shown.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import minigrad as mg

from ..language import _
from .checks import OPEN, RIGHT, TITLES, WEAK, WRONG, Check, Checklist
from .trial import ABSOLUTE, Stopped, Trial, kinks, nudged, versions

RELATIVE = 1e-3  # as in gradcheck
LARGEST_TABLE = 6


def checklist(function: type, *inputs: Any, like: Callable[..., Any] | None = None) -> Checklist:
    """Try a subclass of `mg.autograd.Function` at `inputs`, and say what holds of it.

    The inputs are what `apply` takes. Gradients are checked of those tensors that ask for one, or
    of all floats when none does, in float64. `like` is a plain function that forward has to agree
    with. Raises `TypeError` for anything but such a class, and `ValueError` without a float tensor.

    >>> class Square(mg.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, incoming):
    ...         (x,) = ctx.saved_tensors
    ...         return incoming * x
    >>> checklist(Square, mg.tensor(3.)).failed.says
    'y by x: nudging says 6, you say 3.'
    """
    if not (isinstance(function, type) and issubclass(function, mg.autograd.Function)):
        raise TypeError(_("The class itself is wanted, one made from `mg.autograd.Function`."))
    trial = Trial(function, inputs)
    if not trial.asked:
        raise ValueError(_("At least one of the inputs has to be a tensor of floats."))
    found: list[Check] = []
    for check in _checks(trial, like):
        found.append(check)
        if check.state == WRONG:
            break
    reached = {check.key for check in found}
    open_ones = tuple(Check(key, OPEN) for key in TITLES if key not in reached)
    return Checklist(function, (*found, *open_ones))


def _checks(trial: Trial, like: Callable | None) -> Iterator[Check]:
    """The checks in their order, each one when the ones before it held."""
    try:
        leaves = trial.leaves()
        before = versions(leaves)
        outputs = trial.run(leaves)
    except Stopped as stopped:
        yield Check("forward", WRONG, str(stopped), (stopped.kind,))
        return
    written = [i for i, one in enumerate(versions(leaves)) if one != before[i]]
    if written:
        words = _("it writes into `{}`, which others may hold, too. A new tensor is wanted.")
        yield Check("forward", WRONG, words.format(trial.names[written[0]]), ("written", *written))
        return
    yield _forward(trial, outputs, like)
    try:
        trial.gradients(outputs, leaves, [mg.ones_like(y) for y in outputs])
        stopped = None
    except Stopped as error:
        stopped = error
    yield from _returned(trial, stopped)
    later: dict[str, Callable[[], Check]] = {
        "jacobian": lambda: _jacobian(trial, outputs),
        "second": lambda: _second(trial),
        "saved": lambda: _saved(trial),
        "points": lambda: _points(trial),
    }
    for key, made in later.items():
        try:
            check = made()
        except Stopped as error:
            check = Check(key, WRONG, str(error), (error.kind,))
        yield check


def _forward(trial: Trial, outputs: tuple, like: Callable | None) -> Check:
    for y in outputs:
        if not isinstance(y, mg.Tensor):
            said = _("forward returned {!r} where a tensor is wanted. Is a `return` missing?")
            return Check("forward", WRONG, said.format(y), ("no tensor",))
    if not any(y.requires_grad for y in outputs):
        return Check("forward", WRONG, _("what it returns has no gradient."), ("no gradient",))
    if like is not None:
        wanted = like(*trial.given)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        said, true = ([y.detach().double() for y in ys] for ys in (outputs, wanted))
        alike = [a.shape == b.shape and mg.allclose(a, b) for a, b in zip(said, true)]
        if len(said) != len(true) or not all(alike):
            words = _("forward gives {}, and the formula gives {}.")
            both = _told(said), _told(true)
            return Check("forward", WRONG, words.format(*both), ("value", both[0]))
    return Check("forward", RIGHT, f"y = {_told([y.detach() for y in outputs])}.")


def _returned(trial: Trial, stopped: Stopped | None) -> Iterator[Check]:
    """What backward returned: how many, of which shape, and None for what is no tensor."""
    if not trial.returned:
        said = _("backward was never called.") if stopped is None else str(stopped)
        facts = (stopped.kind,) if stopped else ()
        yield Check("count", WRONG, said, facts)
        return
    answers = trial.returned[0]
    wanted = len(trial.inputs)
    if len(answers) == 1 and isinstance(answers[0], list):
        said = _("backward returns a list, and a tuple is wanted: `return …, …`, without brackets.")
        said = said if wanted > 1 else _("backward returns a list, and one tensor is wanted.")
        yield Check("count", WRONG, said, ("list",))
        return
    if len(answers) < wanted or any(extra is not None for extra in answers[wanted:]):
        said = _("forward takes {} inputs ({}), and backward returns {}.")
        names = ", ".join(trial.names)
        yield Check("count", WRONG, said.format(wanted, names, len(answers)), (len(answers),))
        return
    yield Check("count", RIGHT, f"{wanted}: {', '.join(trial.names)}.")
    for i in trial.asked:
        said = _wrong_shape(trial, i, answers[i], bool(stopped))
        if said:
            shape = tuple(getattr(answers[i], "shape", ()))
            yield Check("shapes", WRONG, said, (i, shape))
            return
    yield Check("shapes", RIGHT)
    yield _none(trial, answers, stopped)


def _wrong_shape(trial: Trial, i: int, answer: Any, refused: bool) -> str:
    name, wanted = trial.names[i], list(trial.given[i].shape)
    if answer is None:
        return ""
    if not isinstance(answer, mg.Tensor):
        said = _("the gradient of `{}` has to be a tensor, and this is {!r}.")
        return said.format(name, answer)
    if refused and list(answer.shape) != wanted:
        said = _("`{}` has the shape {}, and its gradient {}.")
        return said.format(name, wanted, list(answer.shape))
    return ""


def _none(trial: Trial, answers: tuple, stopped: Stopped | None) -> Check:
    for i, (x, answer) in enumerate(zip(trial.inputs, answers, strict=False)):
        if not isinstance(x, mg.Tensor) and answer is not None:
            said = _("`{}` is no tensor: None stands in its place.").format(trial.names[i])
            return Check("none", WRONG, said, (i,))
    if stopped:
        return Check("none", WRONG, str(stopped), (stopped.kind,))
    moves = _moves(trial)
    start = 0
    for i in trial.asked:
        columns = moves[:, start : start + trial.given[i].numel()]
        start += trial.given[i].numel()
        if answers[i] is None and columns.max(initial=0) > ABSOLUTE:
            said = _("`{0}` gets None, but a nudge of `{0}` moves y: its gradient is lost.")
            return Check("none", WRONG, said.format(trial.names[i]), (i,))
    return Check("none", RIGHT)


def _moves(trial: Trial) -> np.ndarray:
    """How fast y moves with a nudge, to whichever side it moves more: |x| does at 0, too."""
    return np.abs(trial.nudged()).max(axis=0)


def _jacobian(trial: Trial, outputs: tuple) -> Check:
    said, (both, down, up) = trial.jacobian(), trial.nudged()
    if _ignores_what_comes_in(trial, outputs):
        words = _(
            "backward answers the same to an incoming 2 as to a 1. "
            "What comes in has to be a factor of what goes out."
        )
        return Check("jacobian", WRONG, words, ("ignores",))
    bent = kinks(down, up)
    outside = np.broadcast_to(~np.isfinite(both).all(axis=0), both.shape)
    between = (np.minimum(down, up) - ABSOLUTE <= said) & (said <= np.maximum(down, up) + ABSOLUTE)
    differ = ~np.isclose(said, both, RELATIVE, ABSOLUTE, equal_nan=True)
    rows, columns = trial.rows(outputs), trial.columns
    for wrong, state in ((differ & ~(bent & between) & ~outside, WRONG), (differ, WEAK)):
        if wrong.any():
            with np.errstate(invalid="ignore", over="ignore"):
                apart = np.abs(np.nan_to_num(said - both, nan=np.inf)).round(4)
            gap = np.where(wrong, apart, -1.0)
            r, c = np.unravel_index(gap.argmax(), gap.shape)
            words = _("{} by {}: nudging says {}, you say {}.")
            told = words.format(rows[r], columns[c], _number(both[r, c]), _number(said[r, c]))
            if outside[r, c]:
                told += " " + _("A nudge leads to where y is no number, so it cannot decide.")
            elif bent[r, c]:
                here = trial.jumps()[r, c]
                told += " " + (
                    _("y jumps here, so this point cannot decide.")
                    if here
                    else _("A kink is here, so this point cannot decide.")
                )
            tables = _three_tables(both, said, rows, columns)
            facts = tuple(_number(n) for n in said.reshape(-1))
            return Check("jacobian", state, told, facts, tables)
    return Check("jacobian", RIGHT, _("{0} of {0} agree.").format(said.size))


def _ignores_what_comes_in(trial: Trial, outputs: tuple) -> bool:
    leaves = trial.leaves()
    made = trial.run(leaves)
    answers = []
    for size in (1.0, 2.0):
        found = trial.gradients(made, leaves, [mg.full_like(y, size) for y in made])
        numbers = np.abs(trial._flat([g if g is None else g.detach() for g in found]))
        answers.append(numbers[np.isfinite(numbers)].tolist())  # twice inf is inf
    return answers[0] == answers[1] and any(answers[0])


def _second(trial: Trial) -> Check:
    """The gradient's own gradient, against nudges of the gradient."""
    try:
        leaves = trial.leaves()
        found, incoming = _first_order(trial, leaves)
    except Stopped as stopped:
        return Check("second", WEAK, str(stopped), (stopped.kind,))
    weights = [mg.tensor(_weights(g.numel(), 3), dtype=g.dtype).reshape(g.shape) for g in found]
    total = sum((g * w).sum() for g, w in zip(found, weights, strict=True))
    asked = [leaves[i] for i in trial.asked]

    def weighted(moved: list) -> np.ndarray:
        first, _incoming = _first_order(trial, moved)
        return np.array([sum((g * w).sum().item() for g, w in zip(first, weights, strict=True))])

    try:
        said = np.zeros(0)
        if total.requires_grad:
            for leaf in asked:
                leaf.grad = None
            trial._guarded(total.backward)  # all of it: a refusal lies on no way to a leaf
            said = trial._flat([leaf.grad for leaf in asked])
    except Stopped as stopped:
        if "twice" in str(stopped.error):
            return Check("second", WEAK, _("it says itself that it works once only."), ("once",))
        return Check("second", WRONG, str(stopped), (stopped.kind,))
    both, down, up = (side.reshape(-1) for side in nudged(weighted, leaves, trial.asked))
    said = said if said.size else np.zeros_like(both)
    jumps = kinks(*trial.nudged()[1:]).any(axis=0)  # where y has a kink its slope jumps
    wrong = ~np.isclose(said, both, RELATIVE, 10 * ABSOLUTE) & ~kinks(down, up) & ~jumps
    wrong &= np.isfinite(both)
    if not wrong.any():
        return _by_incoming(total, incoming)
    name = trial.columns[int(wrong.argmax())]
    words = _(
        "a nudge of {} changes the gradient, and the gradient's own graph does not say so. "
        "Was something computed under `no_grad`, from `.data` or with `detach`?"
    )
    return Check("second", WRONG, words.format(name), (int(wrong.argmax()),))


def _by_incoming(total: Any, incoming: list) -> Check:
    """What goes out is what came in times slopes, so its slopes times what came in are itself."""
    parts = [(v * v.grad).sum().item() for v in incoming if v.grad is not None]
    apart = abs(sum(parts) - total.item())
    if not apart > ABSOLUTE + RELATIVE * abs(total.item()):  # nan, from inf, shows nothing
        return Check("second", RIGHT)
    words = _(
        "what comes in changes the gradient, and the gradient's own graph does not say so. "
        "Was `detach` called on it, or its `.data` used?"
    )
    return Check("second", WRONG, words, ("incoming",))


def _first_order(trial: Trial, leaves: list) -> tuple[list, list]:
    """The gradients, which are recorded, and what came in."""
    outputs = trial.run(leaves)
    incoming = [
        mg.tensor(_weights(y.numel(), 2), dtype=y.dtype).reshape(y.shape).requires_grad_()
        for y in outputs
    ]
    found = trial.gradients(outputs, leaves, incoming, create_graph=True)
    pairs = zip(found, trial.asked, strict=True)
    return [mg.zeros_like(leaves[i]) if g is None else g for g, i in pairs], incoming


def _weights(count: int, seed: int) -> list[float]:
    """Numbers between 0.5 and 1.5, the same every time."""
    return np.random.default_rng(seed).uniform(0.5, 1.5, count).tolist()


def _saved(trial: Trial) -> Check:
    """Change each tensor in place after forward: backward has to complain, or not to need it.

    Whoever notices, be it a saved tensor or the learner's own code: it raises a `RuntimeError`, as
    autograd does, or an assertion fails.
    """
    if trial.writes_into_incoming:
        said = _("backward writes into what comes in, which others may hold. Return a new tensor.")
        return Check("saved", WRONG, said, ("incoming",))
    true = _sums(trial, None)
    tensors = [i for i, x in enumerate(trial.given) if isinstance(x, mg.Tensor)]
    for i in (*tensors, None):
        name = "y" if i is None else trial.names[i]
        try:
            said = _sums(trial, name if i is None else i)
        except Stopped as stopped:
            if isinstance(stopped.error, (RuntimeError, AssertionError)):
                continue
            words = _("`{}` was changed in place after forward, and then {} Raise a RuntimeError.")
            told = words.format(name, stopped)
            return Check("saved", WRONG, told, (stopped.kind,))
        if not np.allclose(said, true, RELATIVE, ABSOLUTE):
            at = int(np.abs(said - true).argmax())
            words = _(
                "`{}` was changed in place after forward. Backward then gave {} in place of {} for "
                "{}, without an error. "
            )
            told = (name, _number(said[at]), _number(true[at]), trial.columns[at])
            if i is not None and _is_saved(trial, i):
                words += _("It is saved: where `ctx.saved_tensors` is read, a change is noticed.")
                return Check("saved", WRONG, words.format(*told), (str(i), "unread"))
            words += _(
                "`ctx.save_for_backward` notices such a change, and an attribute of ctx does not."
            )
            return Check("saved", WRONG, words.format(*told), (str(i),))
    return Check("saved", RIGHT)


def _is_saved(trial: Trial, i: int) -> bool:
    """Whether forward hands an input to `save_for_backward`."""
    leaves = trial.leaves()
    nodes = [y.grad_fn for y in trial.run(leaves) if y.grad_fn is not None]
    saved = [one for node in nodes for one in node.saved_tensors if one is not None]
    return any(one.data_ptr() == leaves[i].data_ptr() for one in saved)


def _sums(trial: Trial, changed: int | str | None) -> np.ndarray:
    """The gradients for ones, after an input or the outputs were changed in place."""
    leaves = trial.leaves()
    outputs = trial.run(leaves)
    targets = outputs if changed == "y" else [] if changed is None else [leaves[changed]]
    for target in targets:
        target.detach().mul_(-3).add_(2)
    found = trial.gradients(outputs, leaves, [mg.ones_like(y) for y in outputs])
    return trial._flat([g if g is None else g.detach() for g in found])


def _points(trial: Trial) -> Check:
    """What these inputs could not have shown."""
    said = []
    for name, x in zip(trial.names, trial.inputs, strict=True):
        if not isinstance(x, mg.Tensor):
            if isinstance(x, (int, float)) and x in (0, 1):
                said.append(_("{} is {}: a missing factor would not show.").format(name, x))
            continue
        numbers = x.detach()
        if (numbers.abs() == 1).all():
            said.append(_("{} has only 1 in it: a missing factor would not show.").format(name))
        elif x.numel() > 1 and (numbers == numbers.reshape(-1)[0]).all():
            said.append(_("{} has equal entries: mixed-up ones would not show.").format(name))
        elif x.ndim == 2 and x.shape[0] == x.shape[1] > 1 and (numbers == numbers.T).all():
            said.append(_("{} is symmetric: a missing transpose would not show.").format(name))
        if x.dtype == mg.float32:
            said.append(_("{} is float32: the nudges were made in float64.").format(name))
    if _moves(trial).max(initial=0) <= ABSOLUTE:
        said.append(_("No nudge moves y: a backward that returns 0 would pass."))
    both, down, up = trial.nudged()
    for _row, column in np.argwhere(~np.isfinite(both))[:1]:
        words = _("Beside {} y is no number.")
        said.append(words.format(trial.columns[column]))
    for row, column in np.argwhere(kinks(down, up))[:1]:
        if trial.jumps()[row, column]:
            words = _("At {} y jumps, and a jump has no slope.")
            said.append(words.format(trial.columns[column]))
            continue
        words = _("{} stands on a kink: its slope is {} from below and {} from above.")
        sides = _number(down[row, column]), _number(up[row, column])
        said.append(words.format(trial.columns[column], *sides))
    weak = [words for words in said if "float32" not in words]
    return Check("points", WEAK if weak else RIGHT, " ".join(said), tuple(said))


# --- Numbers and tables as text ------------------------------------------------------------------


def _number(value: float) -> str:
    """Five digits, without the noise of the nudge."""
    return f"{round(float(value), 5) + 0.0:.5g}".replace("-", "−")


def _told(tensors: Sequence) -> str:
    return ", ".join(str(_rounded(t.tolist())) for t in tensors)


def _rounded(numbers: Any) -> Any:
    """Six digits of each number of nested lists."""
    if isinstance(numbers, list):
        return [_rounded(entry) for entry in numbers]
    return float(f"{numbers:.6g}") if isinstance(numbers, float) else numbers


def _three_tables(both: np.ndarray, said: np.ndarray, rows: list, columns: list) -> tuple:
    if max(both.shape) > LARGEST_TABLE:
        return ()
    tables = ((_("by nudging"), both), (_("yours"), said), (_("difference"), said - both))
    return tuple(
        (
            heading,
            [["", *columns]]
            + [[name, *map(_number, numbers)] for name, numbers in zip(rows, table, strict=True)],
        )
        for heading, table in tables
    )
