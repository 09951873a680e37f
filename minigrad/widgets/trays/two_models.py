"""The picture of two models in a row: where the graph can be cut, and which trays are filled."""

from __future__ import annotations

from dataclasses import dataclass

from ...language import _
from ...viz.blocks import STATE
from ...viz.measure import text_width
from .because_models import is_cut
from .drawn import BLADES, ellipse, middle, path, picture, pill, r, rect, text
from .numbers import said
from .programs import ASKS_AGAIN, DETACH, FREEZE_U, FREEZE_W, ITEM, NO_GRAD_A, NO_GRAD_B
from .running import Run
from .sizes import Box, Picture, Toggle, came_to, edge, legend, told_grads
from .two_roads import box

HEIGHT = 250
FORWARD, BACK = 82, 96  #: the lanes of the values and of the gradients


@dataclass(frozen=True)
class Places:
    """Where everything stands, from left to right; `classes` is whether ovals name their node."""

    kind: str
    width: float
    classes: bool
    frames: tuple[tuple[float, float, float], ...]  #: left, right and bottom of A and of B
    boxes: dict[str, Box]
    ovals: dict[str, tuple[float, float]]  #: middle and radius
    marks: dict[str, tuple[float, float, float]]
    words: dict[str, str]  #: what stands on a mark, where that is not its code
    blades: float
    stops: tuple[float, float]  #: where it is said that scissors stop a gradient
    numbers: dict[str, tuple[float, float, float]]  #: by whose arrow: left, baseline, and room
    legend: tuple[float, float]


WIDE = Places(
    "wide",
    794,
    True,
    ((4, 290, 158), (382, 790, 226)),
    {"u": (8, 66, 74, 44), "a": (230, 66, 56, 44), "b": (386, 66, 72, 44),
     "w": (514, 150, 76, 40), "y": (606, 66, 56, 44)},
    {"2 ·": (156, 50), "×": (532, 50), "loss": (734, 50)},
    {FREEZE_U: (6, 33, 168), NO_GRAD_A: (190, 9, 96), DETACH: (293, 122, 86),
     ITEM: (293, 168, 86), ASKS_AGAIN: (386, 32, 136), NO_GRAD_B: (690, 9, 96),
     FREEZE_W: (604, 158, 170)},
    {},
    336,
    (336, 64),
    {"u": (97, 131, 100), "a": (209, 122, 28), "cut": (355, 114, 23), "b": (466, 128, 56),
     "w": (567, 146, 200), "×": (588, 120, 20), "y": (669, 122, 36)},
    (150, 345),
)  # fmt: skip
NARROW = Places(
    "narrow",
    556,
    False,
    ((2, 196, 158), (286, 554, 226)),
    {"u": (6, 66, 78, 44), "a": (134, 66, 58, 44), "b": (290, 66, 78, 44),
     "w": (364, 150, 78, 40), "y": (428, 66, 60, 44)},
    {"2 ·": (109, 15), "×": (403, 13), "loss": (525, 25)},
    {FREEZE_U: (4, 32, 76), NO_GRAD_A: (92, 9, 100), DETACH: (200, 122, 82),
     ITEM: (200, 168, 82), ASKS_AGAIN: (290, 32, 66), NO_GRAD_B: (448, 9, 102),
     FREEZE_W: (452, 158, 76)},
    {FREEZE_U: "frozen", FREEZE_W: "frozen", ASKS_AGAIN: "asks"},
    241,
    (241, 64),
    {"u": (88, 132, 21), "a": (118, 122, 20), "cut": (260, 114, 24), "b": (369, 113, 21),
     "w": (418, 144, 130), "×": (418, 113, 10), "y": (489, 122, 20)},
    (60, 212),
)  # fmt: skip


def describe(run: Run) -> str:
    """What the picture says, in words."""
    told = [_("Model A makes a from u, and model B makes y from b and w; then comes the loss.")]
    if is_cut(run):
        told.append(_("Scissors cut between a and b."))
    for switch, model in ((NO_GRAD_A, "A"), (NO_GRAD_B, "B")):
        if switch in run.on:
            told.append(_("Model {} is run under no_grad().").format(model))
    return " ".join([*told, told_grads(run)])


def _drawn(run: Run, toggle: Toggle, at: Places, alt: str) -> str:
    parts = [_frames(run, at), _forward(at), _back(run, at)]
    parts += [box(run, name, run.facts[name], place) for name, place in at.boxes.items()]
    parts += [_ovals(run, at), _scissors(run, at), _numbers(run, at)]
    for switch, place in at.marks.items():
        says = at.words.get(switch) or switch.partition(" " if "no_grad" in switch else ".")[2]
        parts.append(pill(place, _(says), switch, toggle(switch), switch in run.on))
    parts.append(legend(*at.legend, 241))
    return picture(at.width, HEIGHT, f"roads models {at.kind}", alt, "".join(parts))


def _frames(run: Run, at: Places) -> str:
    """A dashed line around each model, thick where nothing is recorded."""
    drawn = ""
    models = (_("model A"), _("model B"))
    for (left, right, bottom), says, off in zip(
        at.frames, models, (NO_GRAD_A, NO_GRAD_B), strict=True
    ):
        kind = "frame off" if off in run.on else "frame"
        drawn += rect(kind, left, 4, right - left, bottom - 4, 8)
        drawn += text("nm", left + 8, 24, says)
    return drawn


def _ends(at: Places) -> list[tuple[str, float, float]]:
    """Each straight piece of the row: the tensor whose gradient takes it, and where it lies."""
    sides = {name: (x, x + w) for name, (x, _y, w, _h) in at.boxes.items()}
    round_ = {name: (x - radius, x + radius) for name, (x, radius) in at.ovals.items()}
    row = [sides["u"], round_["2 ·"], sides["a"], sides["b"], round_["×"], sides["y"],
           round_["loss"]]  # fmt: skip
    owners = ("u", "a", "cut", "b", "y", "y")
    return [
        (owner, one[1], other[0])
        for owner, one, other in zip(owners, row, row[1:], strict=False)
    ]  # fmt: skip


def _forward(at: Places) -> str:
    drawn = ""
    for _owner, start, end in _ends(at):
        drawn += edge(((start, FORWARD), (end - 2, FORWARD)), "f")
    left, top, width, _high = at.boxes["w"]
    x = left + width / 2 - 6
    return drawn + edge(((x, top), (x, 118)), "f")


def _back(run: Run, at: Places) -> str:
    """The gradients, each on its own lane; a dotted line where scissors stop one."""
    drawn = ""
    for owner, start, end in _ends(at):
        points = ((end - 2, BACK), (start + 2, BACK))
        if owner == "cut" and is_cut(run):
            drawn += f'<path class="cut" d="{path(points)}"/>'
        elif owner == "a" and not run.facts["a"].grad_fn:
            continue
        elif came_to(run, "a" if owner == "cut" else owner) is not None:
            drawn += edge(points, "g")
    left, top, width, _high = at.boxes["w"]
    if came_to(run, "w") is not None:
        x = left + width / 2 + 8
        drawn += edge(((x, 118), (x, top - 2)), "g")
    return drawn


def _ovals(run: Run, at: Places) -> str:
    recorded = {
        "2 ·": bool(run.facts["a"].grad_fn),
        "×": bool(run.facts["y"].grad_fn),
        "loss": run.facts["y"].requires_grad,
    }
    drawn = ""
    for key, (x, radius) in at.ovals.items():
        node = "PowBackward0" if key == "loss" else "MulBackward0"
        sign, size = (_("loss"), "") if key == "loss" else (key, "sign")
        inside = ellipse("o", x, 88, radius, 28)
        inside += middle(size, x, 88 if at.classes else 94, sign)
        if at.classes:
            inside += middle("small", x, 104, node if recorded[key] else _("not recorded"))
        drawn += f'<g class="oval{"" if recorded[key] else " idle"}">{inside}</g>'
    return drawn


def _scissors(run: Run, at: Places) -> str:
    """Scissors between the models, black where they have cut; the marks below them do it."""
    cut = is_cut(run)
    drawn = f'<circle class="ring" cx="{at.blades}" cy="{BACK}" r="{15 if cut else 13}"/>'
    place = f"translate({r(at.blades)} {BACK})scale({0.8 if cut else 0.72})"
    drawn += f'<g class="blades" transform="{place}">{BLADES}</g>'
    if cut:
        drawn += middle("small dim", *at.stops, _("gradient stops"))
    return f'<g class="open{" on" if cut else ""}">{drawn}</g>'


def _numbers(run: Run, at: Places) -> str:
    """What takes each way back, at its arrow; what has no room there is left to the table."""
    came = {name: came_to(run, name) for name in run.facts}
    told = {key: [said(came[name])] for key, name in _taken(run) if came[name] is not None}
    for name, before in (("b", "y"), ("w", "y"), ("u", "a")):
        if name in told and came[before]:
            told[name].insert(0, f"×{said(came[name] / came[before])} → {said(came[name])}")
    drawn = ""
    for key, ways in told.items():
        x, y, room = at.numbers[key]
        fits = [words for words in ways if text_width(words, STATE) <= room]
        drawn += text("label", x, y, fits[0]) if fits else ""
    return drawn


def _taken(run: Run) -> list[tuple[str, str]]:
    """Each way back that has a number, and the tensor whose gradient takes it."""
    ways = [("u", "u"), ("b", "b"), ("w", "w"), ("×", "y"), ("y", "y")]
    if run.facts["a"] and run.facts["a"].grad_fn:
        ways.append(("a", "a"))
    return ways if is_cut(run) else [*ways, ("cut", "a")]


TWO_MODELS = Picture((WIDE, NARROW), _drawn, describe)
