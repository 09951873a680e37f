"""The look of a figure. Colors are Okabe and Ito's, and never the only sign of anything.

Contrast against the white card: blue 5.2, gray 5.1, black 18.9, vermillion 3.9 (lines alone),
rust 6.1 and green 6.5 (text).
"""

from .measure import FONTS

BLUE, GRAY, INK = "#0072B2", "#6E6E6E", "#111111"
VERMILLION, RUST, GREEN, CARD = "#D55E00", "#A84300", "#006B4E", "#FFFFFF"

CSS = f"""
.minigrad-figure {{ display: block; height: auto; color-scheme: light; }}
.minigrad-figure text {{ font-family: {FONTS}; font-size: 14px; fill: {INK};
  text-anchor: middle; dominant-baseline: central; }}
.minigrad-figure .card {{ fill: {CARD}; stroke: #D0D0D0; }}
.minigrad-figure .shape {{ fill: {CARD}; stroke: {INK}; stroke-width: 1.5; }}
.minigrad-figure .inner, .minigrad-figure .tray {{ fill: none; stroke-width: 1.2; }}
.minigrad-figure .value .shape, .minigrad-figure .value .inner,
.minigrad-figure .leaf .tray {{ stroke: {BLUE}; }}
.minigrad-figure .unasked .shape {{ stroke: {GRAY}; stroke-dasharray: 1.5 3.5;
  stroke-linecap: round; }}
.minigrad-figure .unasked text {{ fill: {GRAY}; }}
.minigrad-figure .ghost .shape {{ stroke: none; fill: none; }}
.minigrad-figure .ghost .outline, .minigrad-figure .ghost text.small {{ fill: {GRAY}; }}
.minigrad-figure .ghost .outline {{ fill: {CARD}; stroke: none; }}
.minigrad-figure text.small, .minigrad-figure text.slot {{ font-size: 12px; }}
.minigrad-figure text.gradient {{ font-size: 13px; }}
.minigrad-figure text.symbol {{ font-size: 19px; }}
.minigrad-figure .accumulate .tray {{ stroke: {INK}; }}
.minigrad-figure .lunch {{ fill: {CARD}; stroke: {GRAY}; stroke-width: 1.2; }}
.minigrad-figure text.saved {{ fill: #444444; }}
.minigrad-figure .strike {{ display: none; stroke: {GRAY}; stroke-width: 1.6; }}
.minigrad-figure .freed .strike {{ display: inline; }}
.minigrad-figure .freed text.saved {{ fill: {GRAY}; }}
.minigrad-figure .forward {{ fill: none; stroke: {BLUE}; stroke-width: 1.6; }}
.minigrad-figure .forward-tip {{ fill: {BLUE}; }}
.minigrad-figure .edge.unasked .forward {{ stroke: {GRAY}; stroke-dasharray: none; }}
.minigrad-figure .edge.unasked .forward-tip {{ fill: {GRAY}; }}
.minigrad-figure .backward {{ fill: none; stroke: {VERMILLION}; stroke-width: 2;
  stroke-dasharray: 6 4; }}
.minigrad-figure .backward-tip {{ fill: {VERMILLION}; }}
.minigrad-figure .gradient-line {{ display: none; }}
.minigrad-figure .edge.sent .gradient-line, .minigrad-figure .always .gradient-line {{
  display: inline; }}
.minigrad-figure .edge.now .backward {{ stroke-width: 3.5; }}
.minigrad-figure text.gradient {{ fill: {RUST}; }}
.minigrad-figure text.gradient, .minigrad-figure text.ordinal {{ paint-order: stroke;
  stroke: {CARD}; stroke-width: 4px; stroke-linejoin: round; }}
.minigrad-figure .edge.now text.gradient {{ font-weight: bold; }}
.minigrad-figure text.ordinal {{ fill: {GRAY}; font-size: 13px; }}
.minigrad-figure .badge, .minigrad-figure .ring, .minigrad-figure .zigzag {{ display: none;
  fill: none; }}
.minigrad-figure .badge {{ fill: {CARD}; stroke: {INK}; stroke-width: 1.2; }}
.minigrad-figure .now .badge, .minigrad-figure .ready .badge, .minigrad-figure .waiting .badge,
.minigrad-figure .done .badge, .minigrad-figure .error .badge {{ display: inline; }}
.minigrad-figure .now .shape {{ stroke-width: 4; stroke: {INK}; }}
.minigrad-figure .now .badge {{ fill: {INK}; }}
.minigrad-figure .now text.status {{ fill: {CARD}; font-weight: bold; }}
.minigrad-figure .ready .ring {{ display: inline; stroke: {INK}; stroke-width: 1.6;
  stroke-dasharray: 5 4; }}
.minigrad-figure .waiting .badge {{ stroke: {GRAY}; }}
.minigrad-figure .done .badge {{ stroke: {GREEN}; }}
.minigrad-figure .done text.status {{ fill: {GREEN}; font-weight: bold; }}
.minigrad-figure .error .zigzag {{ display: inline; stroke: {RUST}; stroke-width: 2.5; }}
.minigrad-figure .error .shape {{ stroke: none; }}
.minigrad-figure .error .badge {{ stroke: {RUST}; }}
.minigrad-figure .error text.status {{ fill: {RUST}; font-weight: bold; }}
.minigrad-figure text.caption {{ text-anchor: start; }}
.minigrad-figure text.heading {{ text-anchor: start; font-weight: bold; }}
""".strip()
