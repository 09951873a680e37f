"""The picture of y = (x + 1)(x + 2): two roads from x to y, with switches and trays on them."""

from __future__ import annotations

from dataclasses import dataclass

from ...language import _
from ...viz.measure import text_width
from .drawn import Points, arrow, ellipse, middle, path, picture, pill, rect, scissors, text
from .numbers import said
from .programs import ASKS, DETACH_A, DETACH_B, NO_GRAD, RETAIN_A, RETAIN_Y
from .running import Fact, Run
from .sizes import Box, Picture, Toggle, came_to, legend, told_grads, tray


@dataclass(frozen=True)
class Places:
    """Where everything stands. Roads are drawn once each way: the value, then the gradient."""

    kind: str
    width: float
    radii: tuple[float, float]  #: of the ovals
    classes: bool  #: whether ovals say the class of their node
    x: Box
    a: Box
    b: Box
    y: Box
    ovals: dict[str, tuple[float, float]]
    marks: dict[str, tuple[float, float, float]]
    blades: dict[str, tuple[float, float]]
    forward: dict[str, Points]
    gradient: dict[str, Points]
    labels: dict[str, tuple[float, float]]
    legend: tuple[float, float]


WIDE = Places(
    "wide",
    786,
    (68, 33),
    True,
    (16, 86, 106, 50),
    (390, 46, 84, 46),
    (390, 150, 84, 44),
    (698, 97, 80, 44),
    {"+1": (238, 70), "+2": (238, 172), "×": (600, 118)},
    {ASKS: (8, 54, 122), NO_GRAD: (186, 9, 104),
     RETAIN_A: (374, 14, 116), RETAIN_Y: (668, 65, 114)},
    {DETACH_A: (347, 77), DETACH_B: (347, 180)},
    {
        "x+1": ((122, 96), (148, 84), (156, 77), (172, 71)),
        "x+2": ((122, 130), (146, 146), (156, 156), (172, 164)),
        "+1": ((306, 62), (388, 62)),
        "+2": ((306, 165), (388, 165)),
        "a": ((474, 68), (541, 96)),
        "b": ((474, 164), (541, 138)),
        "y": ((668, 112), (696, 112)),
    },
    {
        "x+1": ((176, 87), (156, 92), (144, 100), (126, 109)),
        "x+2": ((168, 180), (146, 172), (136, 160), (125, 148)),
        "+1": ((386, 77), (308, 77)),
        "+2": ((386, 180), (308, 180)),
        "a": ((533, 111), (478, 86)),
        "b": ((546, 150), (477, 178)),
        "y": ((696, 127), (670, 127)),
    },
    {
        "x+1": (152, 128), "x+2": (92, 194), "+1": (322, 97), "+2": (322, 200),
        "a": (500, 127), "b": (544, 184), "y": (675, 148),
    },
    (150, 345),
)  # fmt: skip
NARROW = Places(
    "narrow",
    556,
    (39, 26),
    False,
    (8, 86, 78, 50),
    (264, 46, 64, 46),
    (264, 150, 64, 44),
    (484, 97, 66, 44),
    {"+1": (160, 70), "+2": (160, 172), "×": (408, 118)},
    {ASKS: (1, 54, 118), NO_GRAD: (112, 10, 96),
     RETAIN_A: (240, 14, 112), RETAIN_Y: (440, 65, 114)},
    {DETACH_A: (231, 77), DETACH_B: (231, 180)},
    {
        "x+1": ((86, 98), (124, 78)),
        "x+2": ((86, 128), (122, 155)),
        "+1": ((199, 62), (262, 62)),
        "+2": ((199, 165), (262, 165)),
        "a": ((328, 68), (373, 96)),
        "b": ((328, 162), (371, 138)),
        "y": ((447, 112), (482, 112)),
    },
    {
        "x+1": ((130, 91), (90, 112)),
        "x+2": ((120, 173), (90, 151)),
        "+1": ((261, 77), (201, 77)),
        "+2": ((261, 180), (201, 180)),
        "a": ((368, 111), (331, 88)),
        "b": ((379, 148), (331, 178)),
        "y": ((482, 127), (449, 127)),
    },
    {
        "x+1": (116, 126), "x+2": (54, 194), "+1": (205, 99), "+2": (205, 202),
        "a": (339, 129), "b": (386, 184), "y": (465, 148),
    },
    (60, 212),
)  # fmt: skip
HEIGHT = 257
BIG = 16  #: the font size of what stands in a box, where there is room
LONG = 9  #: a .grad of more letters is written small
ROOMY = 80  #: a box as wide as this has a longer sentence below it


def describe(run: Run) -> str:
    """What the picture says, in words."""
    told = [_("x has two roads to y, one through a and one through b.")]
    for road, switch in (("a", DETACH_A), ("b", DETACH_B)):
        if switch in run.on:
            told.append(_("The road through {} is cut by detach().").format(road))
    if NO_GRAD in run.on:
        told.append(_("a is made under no_grad()."))
    return " ".join([*told, told_grads(run)])


def _drawn(run: Run, toggle: Toggle, at: Places, alt: str) -> str:
    parts = [_roads(run, at), _boxes(run, at), _ovals(run, at), _labels(run, at)]
    for switch, place in at.marks.items():
        says = switch.partition(" " if switch in (ASKS, NO_GRAD) else ".")[2]
        parts.append(pill(place, says, switch, toggle(switch), switch in run.on))
    for switch, (x, y) in at.blades.items():
        parts.append(scissors(x, y, switch, toggle(switch), switch in run.on))
    parts.append(legend(*at.legend, 242))
    return picture(at.width, HEIGHT, f"roads {at.kind}", alt, "".join(parts))


def _roads(run: Run, at: Places) -> str:
    """Every arrow: values where the line was reached, gradients where one came."""
    makes = {"x+1": "a", "x+2": "b", "+1": "a", "+2": "b", "a": "y", "b": "y", "y": "y"}
    drawn = ""
    for key, points in at.forward.items():
        fact = run.facts[makes[key]]
        drawn += f'<g class="edge{"" if fact else " plain"}">{arrow(points, "f")}</g>'
    for key, points in at.gradient.items():
        owner = {"x+1": "a", "x+2": "b", "+1": "a", "+2": "b"}.get(key, key)
        if came_to(run, owner) is not None:
            kind = "edge now" if key.startswith("x") else "edge"
            drawn += f'<g class="{kind}">{arrow(points, "g")}</g>'
        elif key in ("+1", "+2") and _cut(run, owner):
            drawn += f'<path class="cut" d="{path(points)}"/>'
    return drawn


def _cut(run: Run, name: str) -> bool:
    return f"{name}.detach()" in run.on


def _boxes(run: Run, at: Places) -> str:
    drawn = ""
    for name in "xaby":
        drawn += box(run, name, run.facts[name], getattr(at, name))
    return drawn


def box(run: Run, name: str, fact: Fact | None, place: Box) -> str:
    """The box of a tensor, with a double line if it is a leaf that asks, and its tray."""
    x, y, w, h = place
    center, asks = x + w / 2, fact is not None and fact.requires_grad
    kind = "value" if asks else "value unasked"
    inside = rect("b", x, y, w, h)
    double = asks and fact.is_leaf
    if double:
        inside += rect("in", x + 4, y + 4, w - 8, h - 8)
    if fact is None:
        words = [middle("nm", center, y + h / 2, name), middle("small", center, y + h - 6, "?")]
        return f'<g class="value unasked unreached">{inside}{"".join(words)}</g>'
    middle_line = y + h / 2 + (6 if asks else -3)
    words = f"{name} = {said(fact.value)}"
    look = "big" if text_width(words, BIG) < w - (12 if double else 4) else ""
    inside += middle(look, center, middle_line, words)
    if not asks:
        inside += middle("small", center, y + h - 8, _("no grad"))
    return f'<g class="{kind}">{inside}{_tray(run, name, fact, x, y + h, w)}</g>'


def _tray(run: Run, name: str, fact: Fact, x: float, y: float, w: float) -> str:
    """The tray below a box that keeps its gradient; the others have none."""
    keeps = fact.is_leaf or f"{name}.retain_grad()" in run.on
    if not fact.requires_grad:
        return ""
    if not keeps:
        if w < ROOMY:
            return middle("small dim", x + w / 2, y + 18, _("no tray"))
        return text("small dim", x + w, y + 18, _("keeps no .grad"), ' text-anchor="end"')
    there = fact.grad is not None
    grad = f".grad {said(fact.grad)}"
    kind = "small" if not there else "came small" if len(grad) > LONG else "came"
    return tray(x + w / 2, y, w - 8, 29, grad, kind)


def _ovals(run: Run, at: Places) -> str:
    made = {"+1": ("+ 1", "a", "AddBackward0"), "+2": ("+ 2", "b", "AddBackward0")}
    made["×"] = ("×", "y", "MulBackward0")
    drawn = ""
    for key, (sign, name, node) in made.items():
        (x, y), fact = at.ovals[key], run.facts[name]
        recorded = _recorded(run, name, fact)
        inside = ellipse("o", x, y, *at.radii)
        inside += middle("sign", x, y + (0 if at.classes else 6), sign)
        if at.classes:
            inside += middle("small", x, y + 18, node if recorded else _("not recorded"))
        drawn += f'<g class="oval{"" if recorded else " idle"}">{inside}</g>'
    return drawn


def _recorded(run: Run, name: str, fact: Fact | None) -> bool:
    """Whether the operation left a node behind: a cut comes after it."""
    if fact is None or (name == "a" and NO_GRAD in run.on):
        return False
    return fact.requires_grad or (_cut(run, name) and ASKS in run.on)


def _labels(run: Run, at: Places) -> str:
    """What is sent along each road, outside of its lane."""
    drawn, y = "", came_to(run, "y")
    if y is None:
        return ""
    told = {"y": said(y)}
    for name, op, other in (("a", "+1", "b"), ("b", "+2", "a")):
        came = came_to(run, name)
        if came is not None:
            factor = came / y if y else run.facts[other].value
            told |= {name: f"×{said(factor)} → {said(came)}", op: said(came)}
            told[f"x{op}"] = f"×1 → {said(came)}"
    for key, words in told.items():
        drawn += middle("label", *at.labels[key], words)
    return drawn


TWO_ROADS = Picture((WIDE, NARROW), _drawn, describe)
