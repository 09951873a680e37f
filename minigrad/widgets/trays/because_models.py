"""Why a tray of two models is filled or not: model A makes a, and model B is given it as b.

As in `because`, no rule knows a number, and a rule reads off the run what it says.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...language import _
from .numbers import said
from .programs import (
    ASKS_AGAIN,
    CLEAR,
    CUTS,
    DETACH,
    FREEZE_U,
    FREEZE_W,
    ITEM,
    NO_GRAD_A,
    NO_GRAD_B,
    TRAIN,
)
from .running import Fact, Moment, Run

FROZEN = {"u": FREEZE_U, "w": FREEZE_W}
FACTORS = {"u": ("a", "2 · u"), "w": ("y", "b · w")}  #: what comes to it, and by which operation


def why(run: Run, name: str, fact: Fact) -> str:
    """The sentence about one tensor, without the value of its `.grad`."""
    if name in FROZEN:
        return _of_a_weight(run, name, fact)
    if not fact.requires_grad:
        return f"{_unrecorded(run, name)} {_('It has no history, so it is a leaf.')}"
    if fact.is_leaf:
        return _asked_again(run, name, fact)
    return _of_a_result(run, name, fact)


def is_cut(run: Run) -> bool:
    """Whether b is a tensor of its own, without the history of a."""
    return any(cut in run.on for cut in CUTS)


# --- weights ----------------------------------------------------------------------------------


def _of_a_weight(run: Run, name: str, fact: Fact) -> str:
    if not fact.requires_grad:
        return _("{} asks for no gradient, because of {}.").format(name, FROZEN[name])
    if fact.grad is not None:
        return _filled(run, name, fact)
    if not run.passes:
        return _("no backward() has reached {} yet.").format(name)
    if fact.came is None:
        return _the_way_is_cut(run)
    return _("zero_grad() took the tray away.")


def _filled(run: Run, name: str, fact: Fact) -> str:
    number = _since_cleared(run, run.moments)
    if number > 1:
        added = _("the sum of the gradients of {} backwards. Nobody has emptied the tray.")
        return added.format(number)
    at, operation = FACTORS[name]
    came = run.facts[at].came
    sent = _("{} is a leaf that asks. {} came to {}, and {} sends it {} × {}.")
    return sent.format(name, said(came), at, operation, said(came), said(fact.grad / came))


def _since_cleared(run: Run, moments: Sequence[Moment]) -> int:
    """How many of the passes have come since the trays were taken away last."""
    events = [m.event for m in moments if not m.error]
    last = len(events) - events[::-1].index(CLEAR) if CLEAR in events else 0
    return sum(event in run.program.passes for event in events[last:])


def _the_way_is_cut(run: Run) -> str:
    if DETACH in run.on:
        return _("the way back to u is cut, because b = a.detach() has no history.")
    if ITEM in run.on:
        return _("the way back to u is cut, because a.item() is a number and has no history.")
    return _("the way back to u is cut, because 2 · u was computed under no_grad().")


# --- what was made on the way -----------------------------------------------------------------


def _unrecorded(run: Run, name: str) -> str:
    if name == "b" and DETACH in run.on:
        return _("detach() made a new tensor that asks for no gradient.")
    if name == "b" and ITEM in run.on:
        return _("a.item() is a number, and mg.tensor made a new tensor of it, which does not ask.")
    if name == "b":
        return _("b = a is a second name for a, and a does not ask.")
    under = {"a": NO_GRAD_A, "y": NO_GRAD_B}[name] in run.on
    if under:
        return _("{} was made under no_grad(), so nothing was recorded.").format(name)
    made_from = {"a": _("u does not ask"), "y": _("neither b nor w asks")}[name]
    return _("{}, so nothing was recorded.").format(made_from)


def _asked_again(run: Run, name: str, fact: Fact) -> str:
    """A tensor without history that `b.requires_grad_()` made ask."""
    whose = _("{} made b ask").format(ASKS_AGAIN)
    if not is_cut(run):
        whose += _(", and a is the same tensor") if name == "a" else _(", which is a as well")
    if fact.grad is None:
        return _("{}. No backward() has reached this leaf yet.").format(whose)
    return _("{}. The way back ends in it: it is a leaf.").format(whose)


def _of_a_result(run: Run, name: str, fact: Fact) -> str:
    if name == "b":
        return _("b = a is a second name for a, which is not a leaf.")
    if name == "a" and is_cut(run):
        own = _("a is not a leaf, and keeps its history. But b is another tensor")
        return own + (_(", so nothing came to a.") if run.passes else ".")
    if fact.came is None or run.moments[-1] is not run.passes[-1]:
        return _("{} is not a leaf, and nobody called {}.retain_grad().").format(name, name)
    passed = _("{} passed through {}, but {} is not a leaf and nobody called {}.retain_grad().")
    return passed.format(said(fact.came), name, name, name)


# --- the sentence above the picture -----------------------------------------------------------


def sentence(run: Run) -> str:
    """What the last event did; the board has shown what `because` says of an error."""
    if not run.moments:
        return _("Which trays will fill? Say it, then press loss.backward().")
    last = run.moments[-1]
    if last.error:
        told = _("{} stops: no way leads from loss to a tensor that asks. {}")
        return told.format(last.event, last.error)
    if last.event == TRAIN:
        return _after_a_step(run)
    if last.event == CLEAR:
        return _after_clearing(run)
    return _after_a_pass(run)


def _after_a_step(run: Run) -> str:
    moved = [name for name in FROZEN if run.facts[name].grad is not None]
    if not moved:
        return _("No weight moves: each has None for a gradient, and step() passes over None.")
    now = _(" and ").join(_("{} to {}").format(n, said(run.facts[n].value)) for n in moved)
    told = _("step() moves {}. What was made of the old weights stays as it was.").format(now)
    still = [name for name in FROZEN if name not in moved]
    if still:
        told += _(" {} stays {}: its .grad is None.").format(
            still[0], said(run.facts[still[0]].value)
        )
    return told


def _after_clearing(run: Run) -> str:
    """Which trays there were: those that the passes since the last clearing have filled."""
    filled = _since_cleared(run, run.moments[:-1])
    gone = [name for name in FROZEN if filled and _came(run, name)]
    if not gone:
        return _("No weight had a tray, so nothing has changed.")
    if len(gone) == 1:
        return _("The tray of {} is gone. The next backward() brings a new one.").format(gone[0])
    return _("The trays of u and w are gone. The next backward() brings new ones.")


def _after_a_pass(run: Run) -> str:
    facts = run.facts
    reached = [name for name in FROZEN if facts[name].requires_grad and _came(run, name)]
    if len(reached) == 2:
        both = _("The way back is open: {} comes to w, and through b and a {} to u.")
        return both.format(said(facts["w"].came), said(facts["u"].came))
    if reached == ["u"]:
        only = _("w is frozen and gets nothing, yet the way through B stays open: {} comes to u.")
        return only.format(said(facts["u"].came))
    told = [_("{} comes to w.").format(said(facts["w"].came))] if reached else []
    if ASKS_AGAIN in run.on and facts["b"].is_leaf:
        told.append(
            _("{} comes to b, which asks, and goes no further.").format(said(facts["b"].came))
        )
    why_not = _("u is frozen") if FREEZE_U in run.on else _("the way to it is cut")
    told.append(_("Nothing comes to u, because {}.").format(why_not))
    return " ".join(told)


def _came(run: Run, name: str) -> bool:
    return run.facts[name].came is not None
