"""Why a `.grad` is what it is: one sentence for each tensor, the first rule that fits.

No rule knows a number. What is open, what came and what is kept is read off the run.
"""

from __future__ import annotations

from ...language import _
from . import because_models
from .numbers import said, summed
from .programs import DETACH_A, DETACH_B, NO_GRAD, NONE, RETAIN_A, RETAIN_Y, ROUND, STEP, ZERO
from .running import Fact, Moment, Run

RETAINED = {"a": RETAIN_A, "y": RETAIN_Y}
DETACHED = {"a": DETACH_A, "b": DETACH_B}
ORDINALS = ("the first backward", "the second", "the third")


def because(run: Run) -> dict[str, str]:
    """A sentence for each tensor. It starts with the value of its `.grad`.

    >>> import minigrad as mg
    >>> from .programs import ASKS
    >>> from .running import Runner
    >>> because(Runner(mg).run("case 1", [ASKS, DETACH_A], ["y.backward()"]))["b"]
    'None: 3 passed through b, but b is not a leaf and nobody called b.retain_grad().'
    """
    found = {}
    for name, fact in run.facts.items():
        if fact is None:
            found[name] = _("—: this line was never reached.")
        else:
            found[name] = f"{said(fact.grad)}: {_why(run, name, fact)}"
    return found


def _why(run: Run, name: str, fact: Fact) -> str:
    if run.program.group == "two models":
        return because_models.why(run, name, fact)
    return _of_the_tray(run, fact) if name == run.first else _of_a_result(run, name, fact)


def alike(run: Run) -> tuple[str, ...]:
    """The results of which one sentence can be said: nobody keeps their gradient."""
    names = [name for name, fact in run.facts.items() if fact and fact.grad_fn]
    return tuple(names) if len(names) > 3 else ()


def of_all_alike() -> str:
    """The sentence about `alike`."""
    return _("None: none of the four is a leaf, and nobody called retain_grad().")


# --- the tensor with the tray -----------------------------------------------------------------


def _of_the_tray(run: Run, fact: Fact) -> str:
    name, tray = run.first, run.tray
    if not fact.requires_grad:
        return _("{} asks for no gradient (requires_grad is False).").format(name)
    if tray is None:
        return _without_a_tray(run, name)
    if not tray:
        return _("zero_() emptied the tray.")
    if run.program.title == "mean, then sum":
        return _by_each_pass(run, tray)
    if len(tray) > 1:
        return _added_up(tray)
    if name == "x":
        return _by_its_roads(run)
    return _("{} is a leaf that asks for a gradient, and one backward has reached it.").format(name)


def _without_a_tray(run: Run, name: str) -> str:
    taken = _last(run, NONE)
    if taken is not None and any(m.tray is not None for m in run.moments[:taken]):
        return _("{}.grad = None took the tray away.").format(name)
    return _("no backward() has reached {} yet.").format(name)


def _last(run: Run, event: str) -> int | None:
    """Where an event that went through is found last."""
    found = [i for i, m in enumerate(run.moments) if m.event == event and not m.error]
    return found[-1] if found else None


def _added_up(tray: tuple[float, ...]) -> str:
    if len(tray) > len(ORDINALS):
        many = _("the sum of the gradients of {} backwards. Nobody has emptied the tray.")
        return many.format(len(tray))
    whose = [_("{} by {}").format(said(n), _(w)) for n, w in zip(tray, ORDINALS, strict=False)]
    return _("{}. Backward adds to what is in the tray.").format(_(", then ").join(whose))


def _by_each_pass(run: Run, tray: tuple[float, ...]) -> str:
    """Which result brought which brick."""
    passes = [m.event.partition(".")[0] for m in run.passes][-len(tray) :]
    whose = [_("{} by {}").format(said(n), p) for n, p in zip(tray, passes, strict=True)]
    if len(tray) == 1:
        return _("x is a leaf that asks for a gradient: {}.").format(whose[0])
    return _("{}. Backward adds to what is in the tray.").format(_(", then ").join(whose))


def _by_its_roads(run: Run) -> str:
    came = {road: run.facts[road].came for road in "ab"}
    parts = {road: part for road, part in came.items() if part is not None}
    if len(parts) == 2:
        whose = " + ".join(_("{} (by {})").format(said(n), road) for road, n in parts.items())
        start = _("x is a leaf that asks for a gradient. Both roads reach it: {}.")
        return start.format(whose)
    ((road, part),) = parts.items()
    start = _("x is a leaf that asks for a gradient. One of its two roads is open, through {}: {}.")
    return start.format(road, f"{said(run.facts['y'].came)} × {said(part)} × 1")


# --- results ----------------------------------------------------------------------------------


def _of_a_result(run: Run, name: str, fact: Fact) -> str:
    if not fact.requires_grad:
        return _unrecorded(run, name)
    kept = RETAINED.get(name)
    if kept is None or kept not in run.on:
        return _not_kept(run, name, fact)
    if fact.grad is None:
        return _("{}() was called, and no backward() has come through yet.").format(kept[:-2])
    why = _("{} is not a leaf, but {} was called.").format(name, kept)
    if name == "y":
        why += _(" {} is what backward() starts with.").format(said(fact.grad))
    return why + _made_anew(run, name)


def _made_anew(run: Run, name: str) -> str:
    """Why a result never gathers: before a second pass its lines run again."""
    again = run.passes[-1].again
    if not again:
        return ""
    words = _(" Lines {} to {} ran again before the last backward, so this {} is new.")
    return words.format(again[0] + 1, again[-1] + 1, name)


def _unrecorded(run: Run, name: str) -> str:
    leaf = _("It has no history, so it is a leaf.")
    if name == "a" and NO_GRAD in run.on:
        made = _("a was made under no_grad(), so nothing was recorded.")
    elif DETACHED.get(name) in run.on:
        made = _("detach() made a new tensor that asks for no gradient.")
    else:
        made = _("nothing that {} was made from asks for a gradient.").format(name)
    return f"{made} {leaf}"


def _not_kept(run: Run, name: str, fact: Fact) -> str:
    if fact.came is None or run.moments[-1] is not run.passes[-1]:
        return _("{} is not a leaf, and nobody called {}.retain_grad().").format(name, name)
    if name == run.passes[-1].event.partition(".")[0]:
        begun = _("backward() starts here with {}, but {} is not a leaf ")
        begun += _("and nobody called {}.retain_grad().")
        return begun.format(said(fact.came), name, name)
    passed = _("{} passed through {}, but {} is not a leaf and nobody called {}.retain_grad().")
    return passed.format(said(fact.came), name, name, name)


# --- the sentence above the picture -----------------------------------------------------------


def sentence(run: Run) -> str:
    """What has happened, in one or two sentences: the last event, or the line that raised."""
    if run.stopped:
        number, message = run.stopped
        what = _("Line {} stops, so nothing after it happens. {}")
        return what.format(number + 1, message)
    if run.program.group == "two models":
        return because_models.sentence(run)
    if not run.moments:
        return _at_first(run)
    last = run.moments[-1]
    if last.error:
        return _no_way_back(run, last) or _("{} stops. {}").format(last.event, last.error)
    if last.event == ROUND:
        return _after_a_round(run, last)
    if last.event == ZERO:
        return _("zero_() writes 0 into the tray.") + _zero_in_g(run)
    if last.event == NONE:
        return _after_none(run, last)
    if last.event == STEP:
        return _after_a_step(run, last)
    return _after_a_pass(run, last)


def _no_way_back(run: Run, last: Moment) -> str:
    """The sentence of a backward that has nowhere to begin, as no node made its result."""
    name = last.event.removesuffix(".backward()")
    fact = run.facts.get(name)
    if fact is None or fact.grad_fn:
        return ""
    told = _("{event} stops: {leaf} asks for no gradient, so {name} has no node to go back from. "
             "{error}")  # fmt: skip
    if run.facts[run.first].requires_grad:
        told = _(
            "{event} stops: both roads are cut, so {name} has no node to go back from. {error}"
        )
    return told.format(event=last.event, leaf=run.first, name=name, error=last.error)


def _at_first(run: Run) -> str:
    if run.program.title == "never zeroed":
        return _("The lowest loss is at w = 3. Each press is one round of a loop without zero_().")
    if run.program.title == "mean, then sum":
        return _("Two results were made from x. What is in the tray after both backwards?")
    return _("Say what every .grad will be. Then press y.backward().")


def _has_g(run: Run) -> bool:
    """Whether the picture names g, a second name for what is in the tray."""
    return run.program.title == "mean, then sum"


def _zero_in_g(run: Run) -> str:
    return _(" g, a second name for it, reads 0 as well.") if _has_g(run) else ""


def _after_none(run: Run, last: Moment) -> str:
    if last.g is None:
        return _("There was no tray, so nothing has changed.")
    if not _has_g(run):
        return _("The tray is gone. The next backward() brings a new one.")
    return _("The tray is gone. g, a second name for it, still holds {}.").format(said(last.g))


def _after_a_step(run: Run, last: Moment) -> str:
    moved = _("x is now {}. The tray stays as it is, and a, b and y are those of the old x.")
    return moved.format(said(last.value))


def _after_a_round(run: Run, last: Moment) -> str:
    *before, newest = last.tray or (0.0,)
    if not before:
        first = _("The first gradient is {}, so w moves to {}.")
        return first.format(said(newest), said(last.value))
    told = _("The new gradient is {}. The tray held {}, so the step uses {}, and w moves to {}.")
    held, now = sum(before), sum(before) + newest
    return told.format(said(newest), said(held), said(now), said(last.value))


def _after_a_pass(run: Run, last: Moment) -> str:
    if run.program.title == "mean, then sum":
        each = _("{} sends {} to every entry of x.")
        what = each.format(last.event.partition(".")[0], said(last.tray[-1]))
    else:
        what = _by_road(run)
    if len(last.tray) < 2:
        return what
    held = _(" The tray held {}, so it now holds {}.")
    two = (sum(last.tray[:-1]), last.tray[-1])
    return what + held.format(said(two[0]), summed(two))


def _by_road(run: Run) -> str:
    a, b = run.facts["a"], run.facts["b"]
    if a.came is not None and b.came is not None:
        both = _("{} comes back through a and {} through b, so x is sent {}.")
        return both.format(said(a.came), said(b.came), summed((a.came, b.came)))
    road, other = ("b", "a") if a.came is None else ("a", "b")
    missing, sent = run.facts[road].value, run.facts[road].came
    hidden = other == "a" and NO_GRAD in run.on
    cut = _("{} was made under no_grad()") if hidden else _("detach() cut that road")
    only = _("Only {} reaches x. The {} that would come through {} is missing, because {}.")
    return only.format(said(sent), said(missing), other, cut.format(other))
