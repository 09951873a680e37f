"""The picture of a run: a column for each operation that ran, as high as the bytes kept after it.

Forward columns are full, those of a second run are hatched, and backward ones are outlined.
"""

from __future__ import annotations

from minigrad.viz.shapes import escape, r, text

from ...language import _
from .running import AGAIN, BACK, FORWARD, Run

HEIGHT, FLOOR, ROOF = 176, 130, 30  #: of the picture, of the columns, of the highest one
EDGE = 12
HATCH = (
    '<defs><pattern id="{}" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect class="ground" width="6" height="6"/>'
    '<path class="stripe" d="M0 0V6"/></pattern></defs>'
)
STAGES = ("forward", "first backward", "second backward")
LOOKS = {FORWARD: "forward", AGAIN: "again", BACK: "back"}
LEGEND = {FORWARD: "ran forward", AGAIN: "ran again", BACK: "ran back"}


def picture(run: Run, planned: Run, plain: Run, hidden: bool = False) -> str:
    """Both sizes of the picture.

    Args:
        run: what happened so far.
        planned: the same setting, as far as it will go with the next backward.
        plain: the same chain, recorded and without parts that run again.
        hidden: whether the heights are still to be guessed.
    """
    alt = describe(run, plain, hidden)
    return "".join(
        _drawn(run, planned, plain, hidden, width, kind, alt)
        for width, kind in ((1196, "wide"), (540, "narrow"))
    )


def describe(run: Run, plain: Run, hidden: bool = False) -> str:
    """What the picture says, in words."""
    if hidden:
        return _("A column for each operation that ran. How high they are is to be guessed.")
    told = [_("The graph keeps {:,} bytes after the forward pass.").format(run.before)]
    for number, stage in enumerate(run.stages):
        if number and stage:
            most = run.most_in(number)
            words = _("A backward: at most {:,} bytes, and {:,} after it.")
            told.append(words.format(most, stage[-1].bytes))
    if _differs(run, plain):
        told.append(_("A dashed line: the plain chain keeps {:,}.").format(plain.before))
    return " ".join(told)


def _differs(run: Run, plain: Run) -> bool:
    return plain.setting.passes == 0 and plain.before != run.before


def _drawn(
    run: Run, planned: Run, plain: Run, hidden: bool, width: float, kind: str, alt: str
) -> str:
    setting = run.setting
    top = max(4 * setting.width * setting.depth, planned.most, 1)
    columns = max(len(planned.moments), 1)
    step = min(44.0, (width - 2 * EDGE) / columns)

    def high(count: int) -> float:
        return (FLOOR - ROOF) * count / top

    hatching = f"mg-memory-{kind}"  # what a hidden picture defines fills nothing
    end = r(EDGE + step * columns)
    drawn = HATCH.format(hatching) + f'<path class="axis" d="M{EDGE} {FLOOR}H{end}"/>'
    drawn += _stages(run, planned, step)
    for number, moment in enumerate(run.moments):
        x, tall = EDGE + step * number, 0.0 if hidden else high(moment.bytes)
        gap = min(3.0, step / 4)
        look = LOOKS[moment.kind]
        tall = max(tall, 2)
        drawn += _column(look, x + gap / 2, FLOOR - tall, step - gap, tall, hatching)
    if not hidden:
        if _differs(run, plain):
            y = FLOOR - high(plain.before)
            drawn += f'<path class="plain" d="M{EDGE} {r(y)}H{end}"/>'
            said = _("the plain chain: {:,} bytes").format(plain.before)
            drawn += text("small dim", EDGE, y - 5, said)
        drawn += _peak(run, step, high)
    drawn += _legend(run, hatching)
    return (
        f'<svg class="minigrad-figure memory {kind}" width="{width}" height="{HEIGHT}" '
        f'viewBox="0 0 {width} {HEIGHT}" role="img" aria-label="{escape(alt)}">{drawn}</svg>'
    )


def _stages(run: Run, planned: Run, step: float) -> str:
    """A hairline where the forward pass ends and where each backward ends, and their names."""
    drawn, start = "", 0
    for number, stage in enumerate(planned.stages):
        if not stage:
            continue
        x = EDGE + step * start
        if number:
            drawn += f'<path class="hair" d="M{r(x)} {ROOF - 6}V{FLOOR + 18}"/>'
        look = "small" if number < len(run.stages) else "small dim"
        name = _(STAGES[min(number, 2)])
        drawn += text(look, x + 4 * bool(number), FLOOR + 15, name)
        start += len(stage)
    return drawn


def _peak(run: Run, step: float, high) -> str:
    """The first column that is highest, with its number."""
    if not run.most:
        return text("came", EDGE, FLOOR - 8, _("0 bytes"))
    number = next(n for n, moment in enumerate(run.moments) if moment.bytes == run.most)
    x, y = EDGE + step * (number + 0.5), FLOOR - high(run.most)
    said = _("{:,} bytes").format(run.most)
    room = 8 * len(said)
    place = "mid" if x > room else ""
    return text(f"{place} came".strip(), x if place else EDGE, y - 6, said)


def _column(look: str, x: float, y: float, width: float, height: float, hatching: str) -> str:
    fill = f' style="fill:url(#{hatching})"' if look == LOOKS[AGAIN] else ""
    return (
        f'<rect class="column {look}"{fill} x="{r(x)}" y="{r(y)}" '
        f'width="{r(width)}" height="{r(height)}"/>'
    )


def _legend(run: Run, hatching: str) -> str:
    """What the kinds of columns stand for, with how many there are of each."""
    drawn, x = "", float(EDGE)
    for kind, says in LEGEND.items():
        count = run.runs(kind)
        if not count:
            continue
        drawn += _column(LOOKS[kind], x, HEIGHT - 16, 12, 12, hatching)
        said = f"{_(says)}: {count}"
        drawn += text("small", x + 18, HEIGHT - 6, said)
        x += 18 + 7.5 * len(said) + 18
    return drawn
