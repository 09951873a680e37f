"""The picture of `mean, then sum`: two results from one table, and the way of the last pass."""

from __future__ import annotations

from ...language import _
from .drawn import arrow, ellipse, middle, picture, rect
from .numbers import said
from .running import Fact, Run
from .sizes import tray

HEIGHT = 150
UPPER, LOWER = "out.backward()", "out2.backward()"


def two_results(run: Run) -> str:
    """Both sizes of the picture; the narrow one folds the upper road into one oval."""
    alt = describe(run)
    return _wide(run, alt) + _narrow(run, alt)


def describe(run: Run) -> str:
    """What the picture says, in words."""
    alt = _("x, four ones, goes through + 2, y · y, × 3 and mean to out = 27, and through sum ")
    alt += _("to out2 = 4. x.grad is {} in every entry.")
    return alt.format(said(run.facts["x"].grad))


def _passed(run: Run) -> str:
    """The event whose gradients are on the arrows: the last pass that went through."""
    return run.passes[-1].event if run.passes else ""


def _arrow(points: tuple, on: bool, gradient: bool) -> str:
    if not gradient:
        return f'<g class="edge">{arrow(points, "f")}</g>'
    return f'<g class="edge{" now" if on else ""}">{arrow(points, "g")}</g>'


def _leaf(run: Run, x: float, y: float, width: float) -> str:
    grad, center = run.facts["x"].grad, x + width / 2
    drawn = rect("b", x, y, width, 48) + rect("in", x + 4, y + 4, width - 8, 40)
    drawn += middle("", center, y + 22, _("x: four 1s")) + middle(
        "small dim", center, y + 38, "2 × 2"
    )
    kind = "small" if grad is None else "came"
    drawn += tray(center, y + 48, width - 12, 30, f".grad {said(grad)}", kind)
    return f'<g class="value">{drawn}</g>'


def _result(x: float, y: float, width: float, says: str) -> str:
    box = rect("b", x, y, width, 40)
    return f'<g class="value">{box}{middle("", x + width / 2, y + 25, says)}</g>'


def _oval(x: float, y: float, rx: float, ry: float, sign: str, now: bool, below: str = "") -> str:
    drawn = ellipse("o", x, y, rx, ry) + middle("mark", x, y + (-2 if below else 6), sign)
    if below:
        drawn += middle("small dim", x, y + 14, below)
    return f'<g class="{"now" if now else "oval"}">{drawn}</g>'


def _named(fact: Fact, name: str) -> str:
    return _("{}: {}s").format(name, said(fact.value))


def _wide(run: Run, alt: str) -> str:
    facts, passed = run.facts, _passed(run)
    up, low = passed == UPPER, passed == LOWER
    drawn = _leaf(run, 14, 44, 124)
    drawn += _arrow(((138, 54), (160, 42), (170, 36), (194, 34)), up, False)
    for start, end in ((276, 338), (424, 494), (576, 634), (716, 774), (860, 930), (1016, 1082)):
        drawn += _arrow(((start, 34), (end, 34)), up, False)
        if up:
            drawn += _arrow(((end, 48), (start + 2, 48)), start > 1000, True)
    if up:
        drawn += _arrow(((196, 48), (176, 50), (164, 56), (142, 68)), True, True)
        y, z = facts["y"].came, facts["z"].came
        half = said(y / 2)
        told = (
            (308, said(y)),
            (458, f"{half} + {half}"),
            (606, said(3 * z)),
            (896, f"× ¼ → {said(z)}"),
        )
        for x, words in (*told, (1050, "1")):
            drawn += middle("label", x, 75, words)
        drawn += middle("label", 160, 86, said(y))
    for x, sign in ((236, "+ 2"), (536, "y · y"), (676, "× 3"), (974, "mean")):
        drawn += _oval(x, 40, 40, 24, sign, up and sign == "+ 2")
    drawn += _result(340, 20, 84, _named(facts["y"], "y"))
    drawn += _result(776, 20, 84, _named(facts["z"], "z"))
    drawn += _result(1084, 20, 96, f"out = {said(facts['out'].value)}")
    drawn += _arrow(((138, 84), (200, 84), (250, 98), (492, 98)), low, False) + _arrow(
        ((578, 100), (1082, 100)), low, False
    )
    if low:
        drawn += _arrow(((492, 114), (143, 114)), True, True)
        drawn += _arrow(((1082, 114), (581, 114)), False, True)
        drawn += middle("label", 318, 136, _("×1 → 1 to every entry")) + middle(
            "label", 830, 134, "1"
        )
    drawn += _oval(536, 106, 42, 25, "sum", low)
    drawn += _result(1084, 86, 96, f"out2 = {said(facts['out2'].value)}")
    return picture(1196, HEIGHT, "long wide", alt, drawn)


def _narrow(run: Run, alt: str) -> str:
    facts, passed = run.facts, _passed(run)
    up, low = passed == UPPER, passed == LOWER
    drawn = _leaf(run, 8, 44, 104)
    drawn += _arrow(((112, 56), (140, 44), (160, 36), (195, 34)), up, False)
    drawn += _arrow(((364, 34), (458, 34)), up, False)
    drawn += _arrow(((112, 84), (160, 84), (180, 100), (236, 100)), low, False) + _arrow(
        ((322, 104), (458, 104)), low, False
    )
    if up:
        drawn += _arrow(((196, 48), (170, 50), (146, 58), (116, 70)), True, True)
        drawn += _arrow(((458, 48), (367, 48)), False, True)
        drawn += middle("label", 164, 80, said(facts["y"].came)) + middle("label", 412, 70, "1")
    if low:
        drawn += _arrow(((236, 116), (117, 116)), True, True)
        drawn += _arrow(((458, 118), (325, 118)), False, True)
        drawn += middle("label", 178, 140, _("×1 → 1 each")) + middle("label", 390, 140, "1")
    drawn += _oval(280, 40, 84, 26, _("4 operations"), up, "+2, y·y, ×3, mean")
    drawn += _oval(280, 110, 42, 25, "sum", low)
    drawn += _result(460, 20, 88, f"out = {said(facts['out'].value)}")
    drawn += _result(460, 90, 88, f"out2 = {said(facts['out2'].value)}")
    return picture(556, HEIGHT, "long narrow", alt, drawn)
