"""What a workload is, and how engines are held to the same numbers before they are timed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .engines import Engine

Step = Callable[[], list]
BY_HAND = "NumPy"


class Disagreement(Exception):
    """Two engines computed different numbers for the same workload."""


@dataclass(frozen=True)
class Workload:
    """Some work for every engine: `start` prepares it, and returns the step that is timed.

    A step returns its results, gradients as a rule. `by_hand` is the same in NumPy alone, without
    any engine: the limit; its step may return the value as well, after the gradients. `without`
    names the engines that cannot do it, each with the reason.
    """

    title: str
    start: Callable[[Engine], Step]
    by_hand: Callable[[], Step] | None = None
    without: dict[str, str] = field(default_factory=dict)
    tolerance: float = 1e-4

    def steps(self, engines: dict[str, Engine]) -> dict[str, Step]:
        """Return a fresh step for every engine that can do this, minigrad's first."""
        steps = {
            name: self.start(engine) for name, engine in engines.items() if name not in self.without
        }
        if self.by_hand is not None:
            steps[BY_HAND] = self.by_hand()
        return steps

    def check(self, engines: dict[str, Engine]) -> None:
        """Raise Disagreement unless all engines compute the same numbers as minigrad."""
        results = {
            name: [as_array(engines.get(name), value) for value in step()]
            for name, step in self.steps(engines).items()
        }
        expected = results["minigrad"]
        for name, found in results.items():
            if len(found) < len(expected):
                raise Disagreement(f"{self.title}: {name} returns only {len(found)} results")
            for one, other in zip(expected, found):
                scale = np.abs(one).max(initial=1e-12)
                if not np.allclose(one, other, rtol=0, atol=self.tolerance * scale):
                    raise Disagreement(f"{self.title}: minigrad and {name} differ")


def as_array(engine: Engine | None, value: Any) -> np.ndarray:
    """Return one result in double precision; without an engine it is NumPy's already."""
    array = value if engine is None else engine.array(value)
    return np.asarray(array, dtype=np.float64)
