"""The dashboard of a training: loss, gradient norms, what it gets wrong, switches that break it.

A board over `training_runs`: every screen is one moment of a run with one fault, or none, on the
digits or on two moons. The moons are shown where there is a kernel; a page stores the digits.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from ..language import _
from ..widgets.board import Board, Button, Part, Screen
from . import training_runs as runs
from .charts import Chart, Curve, digit_image, legend
from .digits import TRAINED_ON, table

SWITCHES = {
    runs.NOTHING: "nothing",
    runs.ZERO: "no `zero_grad()`",
    runs.RATE: "`lr` × 100",
    runs.DETACH: "`detach()` in the middle",
    runs.ROUND: "whole numbers",
}
DATA = {runs.DIGITS: "digits", runs.MOONS: "two moons"}
SIZES = {runs.DIGITS: (560, 190), runs.MOONS: (280, 170)}  #: of a chart: two in a row, or three
LETTERS = {runs.DIGITS: 18, runs.MOONS: 13}  #: their font size: a large chart shrinks beside files
SMALLEST = 12  #: pixels of a letter: a chart that would have to shrink further is scrolled
SHOWN = 8  #: wrong digits in the gallery
STEPS = range(0, runs.TURNS + 1, runs.EVERY)


def dashboard() -> Board:
    """A network of two layers that learns digits, turn by turn, with a switch for each fault.

    >>> board = dashboard()
    >>> board.press("whole numbers").press("▶▶")
    Board: Turn 60: the loss has not moved at all. Both layers get a gradient of 0.
    """
    states = [_state(fault, turn) for fault in SWITCHES for turn in STEPS]
    told = [(SWITCHES[fault], _state(fault, runs.EVERY)) for fault in SWITCHES]
    return Board(
        _("Training dashboard"),
        screen,
        _state(runs.NOTHING, 0),
        stored=states,
        told=[(_(says).replace("`", ""), state) for says, state in told],
    )


def _state(fault: str, turn: int, data: str = runs.DIGITS) -> dict:
    state = {"broken": fault, "turn": turn}
    return state if data == runs.DIGITS else {**state, "data": data}


def screen(state: dict) -> Screen:
    """What is shown at a turn of a run. Raises `ValueError` for a run or turn there is not."""
    fault, turn, data = state["broken"], state["turn"], state.get("data", runs.DIGITS)
    if fault not in SWITCHES or turn not in STEPS or data not in DATA:
        raise ValueError(_("There is no such run, or no such turn in it."))
    moons = data == runs.MOONS
    of = runs.of_moons if moons else runs.Setting
    run, whole = runs.trained(of(fault)), runs.trained(of(runs.NOTHING))
    moment = run.moments[turn // runs.EVERY]
    choices = tuple(
        Button(_(says), _state(one, turn, data), pressed=one == fault)
        for one, says in SWITCHES.items()
    )
    learned = tuple(
        Button(_(says), _state(fault, turn, one), pressed=one == data) for one, says in DATA.items()
    )
    look = {"size": SIZES[data], "letters": LETTERS[data]}
    charts = (_losses(run, whole, turn, look), _norms(run, turn, look))
    bar = _turns(fault, turn, data)
    place = _("turn {turn} of {turns} · {right} of {new} new digits right")
    if moons:
        place = _("turn {turn} of {turns} · {right} of {new} points right")
    return Screen(
        title=_("Learning two moons, 2 → 16 → 2") if moons else _("Learning digits, 64 → 32 → 10"),
        place=place.format(
            turn=turn,
            turns=runs.TURNS,
            right=moment.right,
            new=2 * runs.POINTS if moons else len(table()) - TRAINED_ON,
        ),
        rows=((_("broken"), choices), (_("learns"), learned)),
        parts=(*charts, _border(run, turn), bar) if moons else (*charts, bar, _gallery(moment)),
        sentence=sentence(run, turn),
        actions=_moves(fault, turn, data),
    )


def _moves(fault: str, turn: int, data: str) -> tuple:
    first, last = STEPS[0], STEPS[-1]
    at_start = _("This is the first turn.") if turn == first else ""
    at_end = _("This is the last turn.") if turn == last else ""
    before, after = max(turn - runs.EVERY, first), min(turn + runs.EVERY, last)

    def to(other: int) -> dict:
        return _state(fault, other, data)

    back = (
        Button("◀◀", to(first), off=at_start, key="Home", name=_("to the first turn")),
        Button("◀", to(before), off=at_start, key="ArrowLeft", name=_("back")),
    )
    on = (
        Button("▶", to(after), off=at_end, key="ArrowRight", name=_("on"), plays=True),
        Button("▶▶", to(last), off=at_end, key="End", name=_("to the last turn")),
    )
    return (("", back), ("", on))


# --- the parts --------------------------------------------------------------------------------


def _losses(run: runs.Run, whole: runs.Run, turn: int, look: dict[str, Any]) -> Part:
    curves = [Curve(_("this run"), run.losses[: turn + 1])]
    if run is not whole:
        curves.insert(0, Curve(_("nothing broken"), whole.losses, "whole"))
    alt = _("Loss over turns, now {}.").format(number(run.losses[turn]))
    chart = Chart(tuple(curves), runs.TURNS, -2, 3, alt, **look)
    text = _("{} at turn 0").format(number(run.losses[0]))
    if turn:
        text = _("{}, {} at turn {}").format(text, number(run.losses[turn]), turn)
    return Part("loss", _drawn(chart), text, title=_("Loss"))


def _norms(run: runs.Run, turn: int, look: dict[str, Any]) -> Part:
    looks = ("now", "other")
    curves = [
        Curve(f"{_(name)}: {number(norms[turn])}", norms[: turn + 1], look)
        for name, norms, look in zip(runs.LAYERS, run.norms, looks, strict=True)
    ]
    alt = _("Gradient norms over turns: {}.").format("; ".join(curve.name for curve in curves))
    chart = Chart(tuple(curves), runs.TURNS, -3, 2, alt, **look)
    text = "\n".join(curve.name for curve in curves)
    title = _("Gradient norm of each layer")
    return Part("norms", _drawn(chart), text, title=title, stays=True)


def _drawn(chart: Chart) -> str:
    """A chart that scrolls sideways before its words become too small."""
    drawn = chart.svg(least=round(SMALLEST / chart.letters * chart.size[0]))
    return f'<div class="scroll">{drawn}</div>{legend(chart.curves)}'


def _border(run: runs.Run, turn: int) -> Part:
    """Where the net changes its mind between the moons."""
    moment = run.moments[turn // runs.EVERY]
    text = _("{} of {} points right").format(moment.right, 2 * runs.POINTS)
    html = run.film.at(turn // runs.EVERY)
    return Part("border", html, text, title=_("Where it changes its mind"), stays=True)


def _turns(fault: str, turn: int, data: str) -> Part:
    """A bar that fills as the training goes on; each of its pieces leads to a turn."""
    cells = "".join(_piece(_state(fault, one, data), turn) for one in STEPS)
    bar = (
        '<div class="scroll"><table data-grid '
        'style="width:100%;min-width:420px;table-layout:fixed">'
        f"<tr>{cells}</tr></table></div>"
    )
    text = " ".join(f"[{one}]" if one == turn else str(one) for one in STEPS)
    return Part("turns", bar, text, title=_("Turn"))


def _piece(state: dict, now: int) -> str:
    turn = state["turn"]
    to, name = escape(json.dumps(state)), escape(_("turn {}").format(turn))
    here = ' aria-current="true"' if turn == now else ""
    edge = "--mg-blue" if turn <= now else "--mg-line"
    return (
        f'<td style="padding:0"><span data-to="{to}" aria-label="{name}"{here} '
        'style="display:block;min-height:44px;line-height:44px;text-align:center;'
        f'border-bottom:6px solid var({edge})">'
        f"{f'<b>{turn}</b>' if turn == now else turn}</span></td>"
    )


def _gallery(moment: runs.Moment) -> Part:
    shown = moment.wrong[:SHOWN]
    pictures = "".join(
        '<figure style="margin:0;text-align:center;font-size:13px">'
        + digit_image(table()[TRAINED_ON + place, :64], _("a {}").format(kind))
        + f"<figcaption>{_('{}, says {}').format(kind, says)}</figcaption></figure>"
        for place, kind, says in shown
    )
    more = len(moment.wrong) - len(shown)
    and_more = _("and {} more").format(more) if more > 0 else ""
    html = (
        '<div style="display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center;min-height:64px">'
        f"{pictures}<span>{and_more}</span></div>"
    )
    said = [_("{}, says {}").format(kind, says) for _place, kind, says in shown]
    text = "; ".join([*said, *filter(None, [and_more])])
    return Part("wrong", html, text, title=_("New digits that it gets wrong"))


def number(value: float | None) -> str:
    """A number as the dashboard writes it: two digits count.

    >>> number(None), number(0.0), number(0.02345), number(103.7)
    ('None', '0', '0.023', '104')
    """
    if value is None:
        return "None"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.2g}"


# --- what happens, in words -------------------------------------------------------------------


def sentence(run: runs.Run, turn: int) -> str:
    """What the curves say up to a turn. Each half is checked on the numbers of the run."""
    if turn == 0:
        return _("Turn 0: nothing has been learned yet. All curves begin here.")
    return _("Turn {}: {} {}").format(turn, of_the_loss(run, turn), of_the_norms(run, turn))


def of_the_loss(run: runs.Run, turn: int) -> str:
    """What the loss has done up to a turn, which is not the first."""
    losses = run.losses[: turn + 1]
    start, now, best = losses[0], losses[-1], min(losses)
    if max(losses) - best < 1e-6 * start:
        return _("the loss has not moved at all.")
    if max(losses) > 5 * start:
        return _("the loss leapt to more than five times its start.")
    if now > 1.25 * best:
        return _("the loss fell, and then it rose again.")
    if now < 0.99 * losses[-1 - runs.EVERY]:
        return _("the loss is falling.")
    return _("the loss hardly falls any more.")


def of_the_norms(run: runs.Run, turn: int) -> str:
    """What gradients the layers get at a turn."""
    norms = [layer[turn] for layer in run.norms]
    starts = [layer[0] for layer in run.norms]
    if None in norms:
        return _("The gradient of the first layer is None: no road leads back to it.")
    if not any(norms):
        return _("Both layers get a gradient of 0.")
    if all(norm > 5 * start for norm, start in zip(norms, starts, strict=True)):
        return _("Both gradients have grown to more than five times their start.")
    return _("Both layers get a gradient.")
