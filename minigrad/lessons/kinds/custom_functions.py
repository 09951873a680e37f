"""The judge of a class: a custom `autograd.Function`, held to the checklist at several inputs."""

from collections.abc import Iterator
from typing import Any

import minigrad as mg

from ...language import _
from ..checklist import Check, Checklist, checklist
from ..exercises import Blank, Mistake, Unreadable
from ..snippets import run
from .judges import Table, unforeseen


class CustomFunction:
    """A subclass of `mg.autograd.Function`, tried at `cases` and compared with `forward`.

    `forward` is a plain function as code, and each of `cases` a tuple of its arguments as code. A
    mistake gives its `answer`, a snippet that ends with a class, and stands for all classes that
    fail as this one does; with `any = true` for every other that fails at the same check, too.
    `second = false` does not ask for a second order.
    """

    def __init__(self, exercise: Table):
        self.forward, self.cases = exercise["forward"], exercise["cases"]
        self.second = exercise.get("second", True)
        self.mistakes = exercise["mistakes"]

    def judge(self, answer: Any) -> str | Mistake | None:
        function = read(answer)
        found = self.fault(function)
        if found is None:
            return None
        planned = [(mistake, self.fault(self.wrong(mistake, mg))) for mistake in self.mistakes]
        for mistake, fault in planned:
            if fault and (fault[0], fault[1].key, fault[1].facts) == (
                found[0],
                found[1].key,
                found[1].facts,
            ):
                return mistake["name"]
        for mistake, fault in planned:
            if mistake.get("any") and fault and _alike(fault[1], found[1]):
                return mistake["name"]
        said = found[1].says
        names_an_entry = said.startswith("y")
        return unforeseen(said if names_an_entry else said[:1].upper() + said[1:])

    def fault(self, function: type) -> tuple[int, Check] | None:
        """The first case at which something is wrong, and the check that failed."""
        for number, done in enumerate(self.checklists(function)):
            failed = done.failed
            if failed and (self.second or failed.key != "second"):
                return number, failed
        return None

    def checklists(self, function: type) -> Iterator[Checklist]:
        forward = run(self.forward, mg=mg)[0]
        for case in self.cases:
            yield checklist(function, *run(case, mg=mg)[0], like=forward)

    def drawing(self, answer: Any) -> Checklist | None:
        """The checklist of the first case that fails."""
        try:
            done = list(self.checklists(read(answer)))
        except (Blank, Unreadable):
            return None
        return next((one for one in done if one.failed), None)

    def wrong(self, mistake: Table, mg: Any) -> type:
        return run(mistake["answer"], mg=mg)[0]


def _alike(planned: Check, found: Check) -> bool:
    """Whether two fail at the same check, neither or both by an error of their own."""
    kinds = [list(map(type, check.facts)) for check in (planned, found)]
    return planned.key == found.key and kinds[0] == kinds[1]


def read(answer: Any) -> type:
    """The class that was handed in; its `apply` will do, too."""
    answer = getattr(answer, "__self__", answer)
    if not (isinstance(answer, type) and issubclass(answer, mg.autograd.Function)):
        raise Unreadable(_("Hand in the class itself, one made from `mg.autograd.Function`."))
    if answer is mg.autograd.Function:
        raise Unreadable(_("This is the base class. Hand in yours, which is made from it."))
    return answer
