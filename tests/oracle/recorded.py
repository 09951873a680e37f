"""Answers that real PyTorch gave once, stored in `tests/data`, and how they are asked for.

A `Recording` is one file there: named questions, how a library is asked one of them, and when two
answers count as the same. The files ``recording….py`` in the folders of `tests` declare them. All
that is done with answers goes through here: `tests/oracle/record.py` asks PyTorch and writes them,
the tests of a room ask minigrad, and `test_recordings_live.py` asks PyTorch again.
"""

import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path

from tests.oracle.accepted import case_of
from tests.oracle.observer import differences, observe, unlike
from tests.oracle.snippets import snippets_of

VERSION = "2.13.0"
ORACLE = f"torch {VERSION}"
TESTS = Path(__file__).resolve().parents[1]
DATA = TESTS / "data"


def the_oracle():
    """Real PyTorch of the one version whose answers count, or an exit that says what to do."""
    try:
        import torch
    except ImportError:
        sys.exit(f"PyTorch is not installed here. Install torch=={VERSION} and try again.")
    if torch.__version__.split("+")[0] != VERSION:
        sys.exit(f"The answers are PyTorch {VERSION}'s; this is {torch.__version__}.")
    torch.set_num_threads(1)
    warm_up(torch)
    return torch


@cache
def warm_up(torch):
    """Make a first dual tensor: that loads more of PyTorch, and warns of its insides."""
    with torch.autograd.forward_ad.dual_level(), warnings.catch_warnings(action="ignore"):
        torch.autograd.forward_ad.make_dual(torch.ones(1), torch.ones(1))


@dataclass(frozen=True)
class Recording:
    """One file of answers: ``ask(question, library)`` gives one, as data that JSON can hold.

    Questions have names, or are numbered in a list. ``compare(expected, answer)`` says in sentences
    where two answers differ. What cannot be asked again as it was, such as a program that PyTorch
    helped to write, has ``again=False`` and a live test of its own.
    """

    name: str
    questions: dict | list
    ask: Callable
    compare: Callable = differences
    again: bool = True

    @property
    def path(self):
        return DATA / f"{self.name}.json"

    @property
    def keys(self):
        """The names of the questions, or their numbers."""
        named = isinstance(self.questions, dict)
        return list(self.questions) if named else list(range(len(self.questions)))

    @cached_property
    def answers(self):
        """What PyTorch said, by name or number."""
        return json.loads(self.path.read_text(encoding="utf-8"))["answers"]

    def now(self, key, library):
        """What a library answers today."""
        return json.loads(json.dumps(self.ask(self.questions[key], library)))

    def differences(self, key, library):
        """Where a library's answer of today is not the recorded one: sentences."""
        return self.compare(self.answers[key], self.now(key, library))

    def check(self, key, library):
        """Fail where they differ."""
        found = self.differences(key, library)
        assert not found, "\n".join(found)

    def cases(self):
        """The questions as parameters of a test; those that differ on purpose must fail."""
        return [case_of(self.name, key) for key in self.keys]

    def record(self, torch):
        """Ask PyTorch everything and write it down."""
        found = {key: self.now(key, torch) for key in self.keys}
        answers = found if isinstance(self.questions, dict) else list(found.values())
        self.path.write_text(written(answers), encoding="utf-8")


def of_snippets(room):
    """The recording of what the snippets of a room show."""
    return Recording(room, snippets_of(room), observe, unlike)


def written(answers, recorded_with=ORACLE):
    """The text of a file of answers, each on a line of its own, so that a change of one is seen."""
    if isinstance(answers, dict):
        lines, (opening, closing) = [f"{dumped(k)}: {dumped(a)}" for k, a in answers.items()], "{}"
    else:
        lines, (opening, closing) = [dumped(answer) for answer in answers], "[]"
    head = f'"recorded_with": {dumped(recorded_with)},\n"answers": {opening}'
    return "\n".join(["{", head, ",\n".join(lines), closing, "}", ""])


def dumped(data):
    return json.dumps(data, ensure_ascii=False)


def recordings():
    """All recordings, by name."""
    found = {}
    for file in sorted(TESTS.glob("**/recording*.py")):
        module = import_module(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))
        for one in vars(module).values():
            if isinstance(one, Recording):
                found[one.name] = one
    return found
