"""A small chart: how far off each nudge is. Both axes count powers of ten."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

from ...language import _

WIDTH, HEIGHT = 420, 126
LEFT, TOP, BOTTOM = 48, 10, 24


def chart(differences: Mapping[float, float], nudge: float, colors: Mapping[str, str]) -> str:
    """Draw the sizes of `differences` by nudge, with a ring around that of `nudge`.

    Differences that are no number are left out; one of exactly 0 stands on the lower edge, hollow.

    >>> "every nudge is exact" in chart({1.0: 0.0, 0.1: 0.0}, 1.0, {"ink": "", "axis": ""})
    True
    """
    finite = {h: abs(gap) for h, gap in differences.items() if math.isfinite(gap)}
    sizes = [math.log10(gap) for gap in finite.values() if gap]
    alt = told(finite)
    low, high = (math.floor(min(sizes)), math.ceil(max(sizes))) if sizes else (-1, 0)
    high = max(high, low + 1)
    powers = [math.log10(h) for h in differences]
    left, right = min(powers), max(powers)

    def place(power: float, size: float) -> tuple[float, float]:
        across = (power - left) / ((right - left) or 1.0)
        up = (size - low) / (high - low)
        return (
            round(WIDTH - 26 - across * (WIDTH - LEFT - 42), 1),
            round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1),
        )

    dots = ""
    for h, gap in finite.items():
        x, y = place(math.log10(h), math.log10(gap) if gap else low)
        fill = colors["ink"] if gap else "none"
        dots += f'<circle cx="{x}" cy="{y}" r="3.5" fill="{fill}" stroke="{colors["ink"]}"/>'
        if h == nudge:
            dots += f'<circle cx="{x}" cy="{y}" r="8" fill="none" stroke="{colors["ink"]}" '
            dots += 'stroke-width="2"/>'
    bottom = HEIGHT - BOTTOM + 4
    frame = (
        f'<path d="M{LEFT} {TOP - 4}V{bottom}H{WIDTH - 4}" fill="none" stroke="{colors["axis"]}"/>'
    )
    words = "".join(
        f'<text x="{LEFT - 6}" y="{place(left, size)[1] + 5}" text-anchor="end">'
        f"{ten(size) if sizes else '0'}</text>"
        for size in ((low, high) if sizes else (low,))
    )
    words += "".join(
        f'<text x="{place(math.log10(h), low)[0]}" y="{HEIGHT - 4}" text-anchor="middle">'
        f"{ten(round(math.log10(h)))}</text>"
        for h in (1.0, 1e-3, 1e-6, 1e-9, 1e-12)
        if any(math.isclose(h, other) for other in differences)
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'style="max-width:100%;height:auto"><title>{escape(_("how far off each nudge is"))}'
        f"</title><desc>{escape(alt)}</desc>{frame}"
        f'<g font-family="sans-serif" font-size="13" fill="{colors["ink"]}">{words}</g>{dots}</svg>'
    )


def told(sizes: Mapping[float, float]) -> str:
    """What the chart shows, in a sentence."""
    if not sizes:
        return _("No nudge leads to a number.")
    if not any(sizes.values()):
        return _("every nudge is exact")
    best = min(sizes, key=sizes.__getitem__)
    said = _("Of the nudges that are listed, {} is closest: off by {:.2g}.")
    return said.format(spelled(best), sizes[best])


def spelled(nudge: float) -> str:
    """A nudge as a button says it.

    >>> spelled(0.001), spelled(1e-05)
    ('0.001', '1e-5')
    """
    return f"{nudge:g}".replace("e-0", "e-")


def ten(power: float) -> str:
    """A power of ten.

    >>> ten(0), ten(-12)
    ('1', '10⁻¹²')
    """
    raised = str(round(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return "1" if not power else f"10{raised}"
