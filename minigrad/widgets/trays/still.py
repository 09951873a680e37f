"""A picture of trays as an image, for pages where no script runs and no drawing is let through."""

from __future__ import annotations

import re
from functools import lru_cache

from minigrad.viz.plot import image
from minigrad.viz.style import LIGHT, paper

from .. import assets

#: What makes a drawing a control, and does nothing in an image.
CONTROLS = re.compile(
    r' (?:data-[\w-]+|aria-[\w-]+|role)="[^"]*"|<(?:rect|circle) class="hit"[^>]*/>'
)


def still(svg: str, alt: str) -> str:
    """One drawing of trays on white, with the style that it needs inside.

    >>> found = still('<svg class="trays" width="9" height="9"><path class="f"/></svg>', "a line")
    >>> found.startswith('<img src="data:image/svg+xml;base64,'), 'alt="a line"' in found
    (True, True)
    """
    plain = CONTROLS.sub("", svg)
    head, inside = re.fullmatch(r"<svg([^>]*)>(.*)</svg>", plain, re.DOTALL).groups()
    size = re.sub(r' class="[^"]*"', "", head)
    ground = '<rect width="100%" height="100%" fill="#fff"/>'
    style = f"<style>{paper(inside)}{_own_rules(_classes(inside))}</style>"
    return image(
        f'<svg xmlns="http://www.w3.org/2000/svg"{size}>{style}{ground}{inside}</svg>', alt
    )


def _classes(drawn: str) -> frozenset[str]:
    return frozenset(
        name for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()
    )


@lru_cache(16)
def _own_rules(used: frozenset[str]) -> str:
    """The rules of trays about what is drawn, in the colors of paper."""
    rules = re.findall(
        r"^\.trays (\.[^{\n]+) \{ (.*) \}$", assets.read("browser/trays.css"), re.MULTILINE
    )
    found = []
    for selectors, said in rules:
        names = [one.strip().removeprefix(".trays ") for one in selectors.split(",")]
        wanted = [one for one in names if used.issuperset(re.findall(r"\.([\w-]+)", one))]
        if wanted:
            colors = re.sub(r"var\(--mg-(\w+)\)", lambda color: LIGHT[color[1]], said)
            found.append(f"{','.join(wanted)}{{{colors}}}")
    return "".join(found)
