"""How wide a text will be, without asking a browser or the fonts of this machine.

The widths are those of DejaVu Sans, the widest of the common fonts, rounded up: a text may come out
narrower than measured, hardly ever wider, and every machine measures the same.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: Advance widths in units of the font size.
REGULAR = {
    0.32: " ',.IJijl·’",
    0.345: "/:;\\|",
    0.4: "!()-[]ft²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ᵀ",
    0.46: '"r',
    0.525: "*_`sz°‖∂“”–",
    0.6: "?FLckvxy⁻γελπτ",
    0.64: "$0123456789EPSTYabdeghnopqu{}Σ√βδθμσ",
    0.7: "ABCKRVXZ∇∑αφ",
    0.75: "HNU",
    0.79: "&DGOQ∏",
    0.84: "#+<=>^w~×÷−±→←∞≤≥≠≈ω",
    0.9: "M①②③④⑤⑥⑦⑧⑨",
    1.0: "%@Wm…—",
}
BOLD = {
    0.32: "'",
    0.345: "ijl",
    0.4: " ,./:;IJ\\|·’",
    0.46: "!()-[]f²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ᵀ",
    0.525: '"*_`rt°‖–',
    0.6: "?csz⁻∂ε",
    0.64: "Lλτ",
    0.7: "$0123456789EFTaekovxyΣ∇√αγδθ“”",
    0.75: "CPSYZbdghnpqu{}∑βμ",
    0.79: "ABKRVX∏σφπ",
    0.84: "#+<=>DGHNU^~×÷−±→←∞≤≥≠≈",
    0.9: "&OQ①②③④⑤⑥⑦⑧⑨ω",
    1.0: "%@Mw…—",
    1.11: "Wm",
}
WIDTHS = {
    bold: {character: width for width, group in table.items() for character in group}
    for bold, table in ((False, REGULAR), (True, BOLD))
}
MONO = 0.602

#: What XML cannot hold: control characters, halves of surrogate pairs, two non-characters.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of one line of text at a font size, in the unit of that size.

    >>> text_width("12", 10)
    12.8
    >>> text_width("12", 10, bold=True)
    14.0
    """
    known = WIDTHS[bold]
    return round(sum(known.get(c) or _unknown(c, bold) for c in text) * size, 2)


def _unknown(character: str, bold: bool) -> float:
    """Letters of other scripts: a full square in East Asia, else a wide letter."""
    if unicodedata.combining(character):
        return 0
    return 1.0 if unicodedata.east_asian_width(character) in "WF" else 0.75 if bold else 0.7


def clean(text: str) -> str:
    """The text, with a replacement character for each that no page can show.

    >>> clean("a" + chr(0) + "b")
    'a�b'
    """
    return UNPRINTABLE.sub("\ufffd", text)


def clip(text: str, limit: int) -> str:
    """A text that a picture has room for: on one line, and cut off after ``limit`` characters.

    >>> clip("a name that goes on and on", 12)
    'a name that…'
    """
    text = " ".join(clean(text[: 4 * limit]).split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
