"""The kind of the steps of lesson 05: an engine that grows from exercise to exercise."""

from typing import Any

import minigrad as mg

from ..engine_before import refuse_wrong_before
from ..engine_steps import built
from ..engine_trial import stop_told
from ..exercises import Blank, Mistake, Unreadable, is_stub
from ..snippets import run_in
from .judges import Table, named


class Engine:
    """A step of the engine that grows from exercise to exercise; snippets stand on the ones before.

    `judge` names a function of the answer and the exercise's name. It returns None, the name of a
    mistake, or a fact about the answer. A fact gives way to the mistake that behaves alike, where
    `behavior` names a function that tells how an answer behaves, as something to compare.
    """

    def __init__(self, exercise: Table):
        self.name, self.mistakes = exercise["name"], exercise["mistakes"]
        self.examine = named(exercise["judge"])
        self.behavior = named(exercise["behavior"]) if "behavior" in exercise else None
        self._behaviors: dict[str, Any] = {}

    def judge(self, answer: Any) -> str | Mistake | None:
        try:
            found = self._judged(answer)
        except Unreadable:
            refuse_wrong_before(answer, self.name)
            raise
        except Blank:
            raise
        except Exception as error:  # what a value of the learner's does when it is asked
            if is_stub(error):
                raise Blank from None
            refuse_wrong_before(answer, self.name)
            raise Unreadable(stop_told(error)) from error
        if found is not None:
            refuse_wrong_before(answer, self.name)
        return found

    def _judged(self, answer: Any) -> str | Mistake | None:
        found = self.examine(answer, self.name)
        if self.behavior and isinstance(found, Mistake):
            mine = self.behavior(answer)
            for mistake in self.mistakes:
                if mine == self._planned(mistake):
                    return mistake["name"]
        return found

    def _planned(self, mistake: Table) -> Any:
        name = mistake["name"]
        if name not in self._behaviors:
            self._behaviors[name] = self.behavior(self.wrong(mistake, mg))
        return self._behaviors[name]

    def wrong(self, mistake: Table, mg: Any) -> Any:
        scope = self.scope()
        scope["mg"] = mg
        return run_in(scope, mistake["answer"])

    def scope(self) -> dict[str, Any]:
        """What the steps before this one define, made anew."""
        return built(self.name)
