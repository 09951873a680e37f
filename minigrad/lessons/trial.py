"""Trying a learner's `autograd.Function`: what its forward and backward give, nudged and asked.

The inputs are copied, in float64, so nothing of the learner's changes. Errors of the learner's
code come back as `Stopped`, with the line; what is still blank raises `Blank`.
"""

import inspect
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minigrad as mg

from ..language import _
from .exercises import Blank, is_stub

NUDGE = 1e-6  # as in gradcheck
LONGER = 16  # times the nudge: a slope moves y so many times as far, a jump as far as before
ABSOLUTE = 1e-5  # as in gradcheck
KINK = 1e-3  # slopes on either side that differ by more meet in a kink


class Stopped(Exception):
    """The learner's code raised an error; the message names its line."""

    def __init__(self, function: type, error: Exception):
        where = _("at line {} of its text").format(line) if (line := _line(function, error)) else ""
        said = _("{} stopped {}: {}: {}")
        told = said.format(function.__name__, where, type(error).__name__, error)
        told = told.replace(" :", ":").rstrip(": ")
        super().__init__(told if told.endswith((".", "!", "?")) else f"{told}.")
        self.error = error

    @property
    def kind(self) -> str:
        """The class of the error, or what it is about where one class stands for many mistakes."""
        return "ambiguous" if "is ambiguous" in str(self.error) else type(self.error).__name__


@dataclass
class Trial:
    """A custom function with its inputs. `asked` are the places of the inputs that are nudged."""

    function: type
    inputs: tuple
    returned: list[tuple] = field(default_factory=list)
    writes_into_incoming: bool = False

    def __post_init__(self) -> None:
        self.given = tuple(map(_copied, self.inputs))
        floats = [i for i, x in enumerate(self.given) if _is_float(x)]
        asking = [i for i in floats if self.inputs[i].requires_grad]
        self.asked = asking or floats
        self.names = _names(self.function, len(self.inputs))
        self.watched = self._watched()

    def _watched(self) -> type:
        """The same function, whose backward also puts down what it returns."""
        function, returned = self.function, self.returned
        derivative = function.backward

        def forward(*arguments: Any) -> Any:
            return _filled(function.forward(*arguments))

        def backward(ctx: Any, *incoming: Any) -> Any:
            before = versions(incoming)
            answers = derivative(ctx, *incoming)
            self.writes_into_incoming |= versions(incoming) != before
            several = answers if isinstance(answers, tuple) else (answers,)
            for answer in several:
                _filled(answer)
            returned.append(several)
            return answers

        own = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        return type(function)(function.__name__, (function,), own)

    def leaves(self) -> list:
        """Fresh inputs: those that are asked about ask for gradients."""
        fresh = [x.clone() if isinstance(x, mg.Tensor) else x for x in self.given]
        return [x.requires_grad_() if i in self.asked else x for i, x in enumerate(fresh)]

    def run(self, leaves: Sequence | None = None) -> tuple:
        """The outputs. Raises `Stopped`."""
        made = self._guarded(self.watched.apply, *(self.leaves() if leaves is None else leaves))
        return made if isinstance(made, tuple) else (made,)

    def gradients(
        self, outputs: Sequence, leaves: Sequence, incoming: Sequence, **how: Any
    ) -> list:
        """The gradient of each input asked about, None where none came. Raises `Stopped`."""
        asked = [leaves[i] for i in self.asked]
        pairs = zip(outputs, incoming, strict=True)
        ys, vs = zip(*((y, v) for y, v in pairs if y.requires_grad), strict=True)
        how = {"allow_unused": True, "retain_graph": True, **how}
        return list(self._guarded(mg.autograd.grad, ys, asked, vs, **how))

    def jacobian(self) -> np.ndarray:
        """Backward, a row for each number of the outputs and a column for each of the inputs."""
        leaves = self.leaves()
        outputs = self.run(leaves)
        rows = []
        for at, y in enumerate(outputs):
            for one in np.eye(y.numel()):
                incoming = [mg.zeros_like(other) for other in outputs]
                incoming[at] = mg.tensor(one.tolist(), dtype=y.dtype).reshape(y.shape)
                found = self.gradients(outputs, leaves, incoming)
                rows.append(self._flat(found))
        return np.array(rows)

    def nudged(self, nudge: float = NUDGE) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same by nudges: to both sides, only down, only up."""
        return nudged(lambda leaves: _numbers(self.run(leaves)), self.leaves(), self.asked, nudge)

    def jumps(self) -> np.ndarray:
        """Where y itself jumps: how far it moves does not get less with the nudge."""
        short, long = (
            np.maximum(*np.abs(self.nudged(nudge)[1:])) * nudge for nudge in (NUDGE, LONGER * NUDGE)
        )
        return (short > ABSOLUTE) & (long < 2 * short)

    def entries(self, names: Sequence[str], values: Sequence) -> list[str]:
        """Names for every number of some tensors: `a[0]`, `a[1]`, and `b` for a single one."""
        return [
            name + (f"[{', '.join(map(str, place))}]" if place else "")
            for name, value in zip(names, values, strict=True)
            for place in np.ndindex(*value.shape)
        ]

    @property
    def columns(self) -> list[str]:
        return self.entries(
            [self.names[i] for i in self.asked], [self.given[i] for i in self.asked]
        )

    def rows(self, outputs: Sequence) -> list[str]:
        several = len(outputs) > 1
        names = [f"y{i}" if several else "y" for i in range(len(outputs))]
        return self.entries(names, outputs)

    def _flat(self, gradients: Sequence) -> np.ndarray:
        pairs = zip(gradients, (self.given[i] for i in self.asked), strict=True)
        return np.concatenate([_numbers([mg.zeros_like(x) if g is None else g]) for g, x in pairs])

    def _guarded(self, function: Callable, *arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except (Blank, Stopped):
            raise
        except Exception as error:
            if is_stub(error):
                raise Blank(_blank()) from None
            raise Stopped(self.function, error) from error


def versions(inputs: Sequence) -> list[int]:
    """The version of each tensor, and 0 for what is none."""
    return [x._version if isinstance(x, mg.Tensor) else 0 for x in inputs]


def nudged(
    function: Callable[[list], np.ndarray],
    leaves: list,
    asked: Sequence[int],
    nudge: float = NUDGE,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How fast `function` moves with each number of `leaves[i]`, `i` in `asked`: a column each.

    Central differences, then those to the lower and to the upper side alone.
    """
    here = function(leaves)
    columns = []
    for i in asked:
        numbers = leaves[i].detach()
        for place in np.ndindex(*numbers.shape):
            sides = []
            kept = numbers[place].item()
            for step in (-nudge, nudge):
                moved = [x.detach().clone() if isinstance(x, mg.Tensor) else x for x in leaves]
                moved[i][place] = kept + step
                for j in asked:
                    moved[j].requires_grad_()
                sides.append(function(moved))
            low, high = sides
            with np.errstate(invalid="ignore"):  # inf - inf, where there is no number
                columns.append(
                    [(high - low) / (2 * nudge), (here - low) / nudge, (high - here) / nudge]
                )
    both, down, up = (np.array(side).T for side in zip(*columns, strict=True))
    return both, down, up


def kinks(down: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Where the slope to one side differs from that to the other."""
    return np.abs(down - up) > KINK * np.maximum(1.0, np.maximum(np.abs(down), np.abs(up)))


def _numbers(tensors: Sequence) -> np.ndarray:
    return np.concatenate([np.array(t.detach().reshape(-1).tolist(), float) for t in tensors])


def _is_float(value: Any) -> bool:
    return isinstance(value, mg.Tensor) and value.dtype.is_floating_point


def _copied(value: Any) -> Any:
    if not isinstance(value, mg.Tensor):
        return value
    copy = value.detach().clone()
    return copy.double() if _is_float(value) else copy


def _filled(answer: Any) -> Any:
    if answer is ...:
        raise Blank(_blank())
    return answer


def _blank() -> str:
    return _("Fill in the blanks and run this cell again.")


def _names(function: type, count: int) -> list[str]:
    """What forward calls its inputs."""
    names = list(inspect.signature(function.forward).parameters)
    if function.setup_context is mg.autograd.Function.setup_context:
        names = names[1:]
    return [*names, *(f"input {i + 1}" for i in range(len(names), count))][:count]


def _line(function: type, error: Exception) -> int | None:
    """The last line of the file of `function` that the error passed through."""
    codes = [getattr(part, "__code__", None) for part in (function.forward, function.backward)]
    files = {code.co_filename for code in codes if code}
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename in files]
    return lines[-1] if lines else None
