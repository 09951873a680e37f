"""How wide a text will be, without asking a browser.

The widths are those of the widest of the fonts that a figure asks for (`FONTS`), so a text may come
out narrower than measured, and never wider.
"""

from __future__ import annotations

FONTS = "'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, Arial, sans-serif"

#: Advance widths in units of the font size.
WIDTHS = (
    ("iljI|'.,:;![]() ", 0.40),
    ("frt-/*", 0.45),
    ("mwMW@%…", 0.98),
    ("→←×+−=÷<>∂", 0.84),
    ("▶✓✗①②③④", 0.95),
    ("ABCDEFGHJKLNOPQRSTUVXYZ", 0.74),
    ("0123456789", 0.64),
    ("₀₁₂₃₄₅₆₇₈₉", 0.42),
)
OF = {character: width for characters, width in WIDTHS for character in characters}
OTHERS = 0.63


def text_width(text: str, size: float) -> float:
    """The width of one line of text at a font size, in the unit of that size.

    >>> text_width("12", 10)
    12.8
    """
    return round(sum(OF.get(character, OTHERS) for character in text) * size, 2)
