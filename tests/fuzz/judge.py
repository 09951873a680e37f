"""One program under both libraries: what differs, and whether that is known."""

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from tests.fuzz.compare import KINDS, compared
from tests.fuzz.play import played
from tests.fuzz.rounding import is_rounding

EXPLAINED = tomllib.loads(Path(__file__).with_name("differences.toml").read_text(encoding="utf-8"))
NEVER_EXPLAINED = ("silently wrong", "crash", "unsupported")
ROUNDING = """The program magnifies its last bits: PyTorch's own numbers move as far when those of \
what it computes on the way are replaced."""


@dataclass(frozen=True)
class Verdict:
    """How one program fared: what differs at the first step that does; why, if that is known."""

    differences: tuple = ()
    why: str | None = None

    @property
    def kind(self):
        """The worst kind among the differences; None if there are none."""
        kinds = {difference.kind for difference in self.differences}
        return next((kind for kind in KINDS if kind in kinds), None)

    @property
    def unexplained(self):
        return self.kind is not None and self.why is None

    @property
    def worst(self):
        return next(d for d in self.differences if d.kind == self.kind)

    def signature(self, program):
        """What two failures have in common that are probably the same fault."""
        worst = self.worst
        where = re.sub(r"\bt\d+\b|\[\d+\]|\d+", "·", worst.what)
        said = ""
        if worst.what in ("exception",):
            said = str([text[:80] for text in worst.actual or worst.expected])
        return worst.kind, where, re.sub(r"\bt\d+\b|\d+", "·", said)


def judged(program, torch, minigrad, expected=None):
    """Play a program on both libraries and compare; answers may come from a record."""
    expected = played(program, torch) if expected is None else expected
    verdict = Verdict(tuple(compared(expected, played(program, minigrad))))
    why = explanation(program, verdict.differences)
    if verdict.kind == "silently wrong" and torch is not None:
        why = ROUNDING if is_rounding(program, verdict.differences, expected, torch) else why
    return replace(verdict, why=why)


def explanation(program, differences, entries=None):
    """Why a program may differ: one entry must fit each difference; None if one has no entry."""
    entries = EXPLAINED.get("difference", []) if entries is None else entries
    found = []
    for difference in differences:
        sources = [step.source for step in program.steps[: difference.step + 1]]
        program_so_far = "\n".join(sources)
        last = difference.step == len(program.steps)  # the look at the end
        code = program_so_far if last else sources[-1]
        if difference.kind in NEVER_EXPLAINED:
            return None
        parts = {"code": code, "program": program_so_far}
        entry = next((entry for entry in entries if fits(entry, difference, parts)), None)
        if entry is None:
            return None
        found.append(entry["why"])
    return found[0] if found else None


def fits(entry, difference, parts):
    """Whether an entry's expressions are found in a difference and in parts of its program."""
    texts = {
        **parts,
        "what": difference.what,
        "expected": str(difference.expected),
        "actual": str(difference.actual),
    }
    found = all(re.search(entry.get(part, ""), text, re.DOTALL) for part, text in texts.items())
    return found and (not entry.get("reading_order") or falling(difference.actual))


def falling(steps):
    """Whether the strides of a tensor are those of memory in reading order."""
    return steps == sorted(steps, reverse=True)
