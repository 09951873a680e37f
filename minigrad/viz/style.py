"""The look of a figure: one style sheet, two palettes. Color is never the only sign of anything.

A picture on a page takes the palette of the page; a stored picture cannot know its page and keeps
the light one, on a white card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LIGHT = {
    "card": "#FFFFFF",
    "ink": "#111111",
    "dim": "#5F5F5F",
    "line": "#D0D5DA",
    "soft": "#F4F6F8",
    "blue": "#0072B2",
    "grad": "#D55E00",
    "gradtext": "#A84300",
    "green": "#006B4E",
    "past": "#8A8A8A",
    "pasttext": "#6E6E6E",
    "edge": "#767B80",
    "wedge": "#E6EAEE",
}
DARK = {
    "card": "#16191D",
    "ink": "#F2F4F6",
    "dim": "#A9B0B7",
    "line": "#363C43",
    "soft": "#20252A",
    "blue": "#56B4E9",
    "grad": "#F0803C",
    "gradtext": "#FFB07F",
    "green": "#3CC79A",
    "past": "#7D858D",
    "pasttext": "#A0A7AE",
    "edge": "#7D858D",
    "wedge": "#262C33",
}
FONTS = "'Helvetica Neue', Helvetica, Arial, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

_DARK_PAGES = ('[data-jp-theme-light="false"]', ".vscode-dark", "html[theme=dark]")
_KNOWN_PAGES = ("[data-jp-theme-light]", ".vscode-light", ".vscode-dark")


def palette(selector: str = ".minigrad-figure") -> str:
    """The colors as variables ``--mg-NAME`` of a selector, light or dark as its page is."""
    dark = _variables(DARK)
    inside = ", ".join(f"{page} {selector}" for page in _DARK_PAGES)
    other = "".join(f":not({page})" for page in _KNOWN_PAGES)
    return (
        f"{selector} {{ {_variables(LIGHT)} }}\n"
        f"@media (prefers-color-scheme: dark) {{\n"
        f"html:not([theme]) body{other} {selector}, svg:root{selector} {{ {dark} }}\n}}\n"
        f"{inside} {{ {dark} }}\n"
    )


def _variables(colors: dict[str, str]) -> str:
    return " ".join(f"--mg-{name}: {color};" for name, color in colors.items())


_RULES = f"""
text {{ font-family: {FONTS}; font-size: 14px; fill: ink; font-variant-numeric: tabular-nums
  lining-nums; }}
.mid {{ text-anchor: middle; }}
.card {{ fill: card; stroke: none; }}
.nm {{ font-weight: 600; }}
.sh, .small {{ font-size: 12px; }}
.sh, .dim {{ fill: dim; }}
.mono {{ font-family: {MONO}; font-size: 12px; fill: dim; font-weight: 400; }}
.o {{ fill: card; stroke: ink; stroke-width: 1.25; }}
.b {{ fill: card; stroke: blue; stroke-width: 1.5; }}
.in {{ fill: none; stroke: blue; stroke-width: 1; }}
.tray {{ fill: card; stroke: blue; stroke-width: 1; }}
.grad {{ font-size: 12px; fill: dim; }}
.grad.full, .done .grad {{ fill: ink; font-weight: 600; }}
.unasked .b {{ stroke: pasttext; stroke-dasharray: 1.5 3; stroke-linecap: round; }}
.unasked text, .unasked tspan {{ fill: pasttext; }}
.node .tray {{ stroke: ink; }}
.m {{ fill: soft; stroke: edge; stroke-width: 1.25; }}
.opener rect {{ fill: card; stroke: edge; }}
.opener path {{ fill: none; stroke: ink; stroke-width: 1.5; }}
.hair {{ stroke: line; }}
.cell rect {{ fill: card; stroke: edge; stroke-width: 1.25; }}
.cell .tick, .words, .changed-word {{ display: none; }}
.tick {{ fill: none; stroke: green; stroke-width: 1.9; stroke-linecap: round;
  stroke-linejoin: round; }}
.state text {{ font-size: 13px; }}
.state .came {{ fill: gradtext; font-weight: 600; }}
.state text, .label {{ paint-order: stroke; stroke: card; stroke-width: 3px;
  stroke-linejoin: round; }}
.dot {{ display: none; }}
.dot .full {{ fill: ink; }}
.dot .ring {{ fill: none; stroke: ink; stroke-width: 1.5; }}
.dot .dashed {{ stroke-dasharray: 3 2.3; }}
.dot .sign {{ fill: card; }}
.dot .mark {{ fill: none; stroke: card; stroke-width: 1.9; stroke-linecap: round;
  stroke-linejoin: round; }}
.now > .state .dot-now, .ready > .state .dot-ready, .waiting > .state .dot-waiting,
.done > .state .dot-done, .error > .state .dot-error {{ display: inline; }}
.dot-done .full {{ fill: green; }}
.dot-error .full {{ fill: gradtext; }}
.now > .state text {{ font-weight: 700; }}
.now > .o, .now > .m, .leaf.now > .value > .outer {{ stroke: ink; stroke-width: 4; }}
.cell.now rect {{ stroke: ink; stroke-width: 4; }}
.cell.now text {{ font-weight: 700; }}
.cell.done .tick {{ display: inline; }}
.done > .o, .done > .m, .done .b, .done .in, .done .tray, .cell.done rect {{ stroke: past; }}
.done text, .done .nm, .done .v, .done .sh, .done .state .came {{ fill: pasttext; }}
.done .state .came {{ font-weight: 400; }}
.error > .o, .error > .m, .leaf.error .outer {{ stroke: gradtext; stroke-width: 4;
  stroke-dasharray: 3 2; }}
.error > .state text {{ fill: gradtext; font-weight: 700; }}
.value.changed > .b, .leaf.changed > .value > .outer {{ stroke: gradtext; stroke-width: 3; }}
.changed > .changed-word, .changed > .value > .changed-word {{ display: inline; fill: gradtext;
  font-size: 12px; font-weight: 600; }}
.edge path {{ fill: none; }}
.f {{ stroke: blue; stroke-width: 1.5; }}
.edge .fh {{ fill: blue; }}
.edge.plain .f, .edge.left .f {{ stroke: past; }}
.edge.plain .fh, .edge.left .fh {{ fill: past; }}
.edge.error .f {{ stroke: gradtext; stroke-width: 2.75; stroke-dasharray: 3 2; }}
.edge.error .fh {{ fill: gradtext; }}
.gradient {{ display: none; }}
.edge.now > .gradient, .edge.held > .gradient, .edge.past > .gradient, .edge.always > .gradient
  {{ display: inline; }}
.g {{ stroke: grad; stroke-width: 1.5; stroke-dasharray: 5 4; }}
.edge .gh {{ fill: grad; }}
.edge .big {{ display: none; }}
.edge.now .g {{ stroke-width: 2.75; stroke-dasharray: 7 4.5; }}
.edge.now .big {{ display: inline; }}
.edge.past .g {{ stroke: past; stroke-width: 1.25; }}
.edge.past .gh {{ fill: past; }}
.label {{ font-size: 13px; fill: gradtext; }}
.edge.now .label {{ font-weight: 700; }}
.edge.past .label {{ fill: pasttext; }}
.ordinal {{ font-size: 12px; fill: dim; }}
.absent {{ visibility: hidden; }}
"""


def _parsed(rules: str) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """The selectors of each rule, and its declarations."""
    for rule in filter(str.strip, rules.split("}")):
        selectors, _, body = rule.partition("{")
        pieces = [piece.partition(":") for piece in filter(str.strip, body.split(";"))]
        yield (
            [one.strip() for one in selectors.split(",")],
            [(name.strip(), " ".join(text.split())) for name, _, text in pieces],
        )


def _scoped(rules: str, scope: str) -> str:
    """Each selector below ``scope``; each color a variable."""
    found = []
    for selectors, pieces in _parsed(rules):
        names = ", ".join(f"{scope} {one}" for one in selectors)
        said = (f"{name}: {f'var(--mg-{v})' if v in LIGHT else v}" for name, v in pieces)
        found.append(f"{names} {{ {'; '.join(said)} }}")
    return "\n".join(found)


def paper(drawn: str) -> str:
    """The style of a picture that is a document of its own, on white: what is used in it.

    Args:
        drawn: the elements of the picture, as SVG.

    >>> paper('<path class="f" d="M0 0"/>')
    '.f{stroke:#0072B2;stroke-width:1.5}'
    """
    there = {
        f".{name}" for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()
    }
    there.update(re.findall(r"<(\w+)", drawn))
    found = []
    for selectors, pieces in _parsed(_RULES):
        used = [one for one in selectors if there.issuperset(re.findall(r"\.?[\w-]+", one))]
        if used:
            said = ";".join(f"{name}:{_short(v)}" for name, v in pieces)
            names = ",".join(one.replace(" > ", ">") for one in used)
            found.append(f"{names}{{{said}}}")
    return "".join(found)


def _short(value: str) -> str:
    """The value of a declaration in few characters, colors as they are on paper."""
    color = re.sub(r"^#(.)\1(.)\2(.)\3$", r"#\1\2\3", LIGHT.get(value, value))
    return color.replace(", ", ",")


RULES = ".minigrad-figure { display: block; }\n" + _scoped(_RULES, ".minigrad-figure")
#: The style of a picture that lies in a page.
CSS = palette() + RULES
