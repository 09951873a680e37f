"""What would be in the tray if both walks were `backward()`: two bricks, and their sum."""

from __future__ import annotations

import warnings
from functools import lru_cache
from html import escape

import minigrad as mg

from ...language import _
from ..safe import parse
from ..trays.drawn import middle, r, rect
from .drawn import number
from .floors import BARE, Built, places

WIDTH, HEIGHT, HIGH = 104, 92, 76
Bricks = tuple[float, float]


def bricks(built: Built) -> Bricks | None:
    """What the two passes bring, where there are two recorded walks to one leaf; else None.

    >>> from .floors import build
    >>> bricks(build("x * x * y", ("x", "x")))
    (12.0, 6.0)
    """
    by = built.by
    if len(by) != 2 or by[0] != by[1] or by[0].endswith(BARE) or built.error:
        return None
    return _run(built.text, by[0])


@lru_cache(32)
def _run(text: str, name: str) -> Bricks:
    """Both passes, with one tray."""
    leaves = {
        leaf: mg.tensor(value, dtype=mg.float64, requires_grad=True)
        for leaf, value in places(text).items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the circle; it ends with this function
        parse(text)(leaves).backward(create_graph=True)
    leaf = leaves[name]
    first = leaf.grad.item()
    leaf.grad.backward()
    both, leaf.grad = leaf.grad.item(), None
    return first, both - first


def told(built: Built, pair: Bricks) -> str:
    """The sum in words."""
    first, second = map(number, pair)
    second = f"({second})" if pair[1] < 0 else second
    said = _("With `backward()` twice, `{}.grad` would hold {} + {} = {}.")
    return said.format(built.by[0], first, second, number(sum(pair)))


def html(built: Built) -> str:
    """The sum in words, with the bricks beside it where both have one sign; else nothing."""
    pair = bricks(built)
    if pair is None:
        return ""
    pieces = escape(told(built, pair)).split("`")
    pieces[1::2] = (f"<code>{piece}</code>" for piece in pieces[1::2])
    drawn = _drawn(pair, told(built, pair)) if pair[0] * pair[1] > 0 else ""
    return f'<div class="in-one-tray">{drawn}<span>{"".join(pieces)}</span></div>'


def _drawn(pair: Bricks, alt: str) -> str:
    """A tray with two bricks, the first at the bottom."""
    unit = (HIGH - 6) / sum(map(abs, pair))
    floor = HEIGHT - 4
    walls = f"M6 {floor - HIGH}V{floor}H{WIDTH - 6}V{floor - HIGH}"
    drawn, top = f'<path class="walls" d="{walls}"/>', float(floor - 2)
    for count, value in enumerate(pair):
        height = abs(value) * unit
        top -= height
        drawn += rect(f"brick{' new' if count else ''}", 9, top, WIDTH - 18, height)
        if height >= 14:
            said = f"+ {number(value)}" if count else number(value)
            drawn += middle("nm", WIDTH / 2, top + height / 2 + 5, said)
    label = escape(alt.replace("`", ""))
    return (
        f'<svg class="minigrad-figure tower" width="{r(WIDTH)}" height="{r(HEIGHT)}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{drawn}</svg>'
    )
