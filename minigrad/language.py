"""The one seam for translations: every sentence that a reader sees passes through `_()`.

    from minigrad.language import _

    _("Right.")                        # 'Right.', or what the catalogue has for it
    _("You said {}.").format(answer)   # looked up first, filled afterwards

English is the source edition and needs no catalogue. Call `_()` where a sentence is shown, not
where a module is imported: a catalogue that is set later then holds for every sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["_", "set_catalogue"]

_NONE: Mapping[str, str] = MappingProxyType({})
_catalogue = _NONE


def _(text: str) -> str:
    """Return `text` in the reader's language; what the catalogue lacks stays English.

    >>> _("Right.")
    'Right.'
    """
    return _catalogue.get(text) or text


def set_catalogue(catalogue: Mapping[str, str] | None) -> Mapping[str, str]:
    """Use `catalogue`, from English sentences to translated ones, and return the one before.

    None goes back to English. An entry that is empty counts as missing, as gettext has it.

    >>> before = set_catalogue({"Right.": "Richtig."})
    >>> _("Right."), _("Not quite.")
    ('Richtig.', 'Not quite.')
    >>> german = set_catalogue(before)
    """
    global _catalogue
    before, _catalogue = _catalogue, _NONE if catalogue is None else catalogue
    return before
