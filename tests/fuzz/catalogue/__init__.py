"""Every kind of step that a random program can take, and the themes that programs dwell on."""

from tests.fuzz.catalogue import arithmetic, hooks, indexing, making, passes, shapes, writing
from tests.fuzz.catalogue.kind import STEPS

# A program of a theme takes steps of these groups more often, so that they meet each other.
THEMES = [
    (),
    ("shapes", "writing"),
    ("indexing", "writing"),
    ("passes",),
    ("passes", "writing"),
    ("hooks", "passes"),
    ("hooks", "writing"),
    ("arithmetic",),
    ("making", "arithmetic"),
    ("modes", "writing", "shapes"),
]
MODULES = (arithmetic, hooks, indexing, making, passes, shapes, writing)

__all__ = ["MODULES", "STEPS", "THEMES"]
