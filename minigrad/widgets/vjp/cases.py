"""What the v·J viewer shows: functions with many outputs, and what backward says about them.

Every number comes out of a pass: a row of J out of one backward, v·J out of another one, J·u out of
`func.jvp`. What backward refuses is kept as its own message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product as pairs_of
from math import prod
from typing import Any

import minigrad as mg

from ...language import _
from ..safe import Refused, parse

NO_V = None  #: hand over nothing
Row = tuple[float, ...]

_M = ((1.0, 2.0), (3.0, 4.0))


@dataclass(frozen=True)
class Case:
    """A function at a place.

    Args:
        code: the line that computes the result, as it is shown.
        function: takes a tensor, returns the result.
        at: the numbers of x; a plain number for a tensor without dimensions.
        out: the name of the result.
        weights: an example of a v, with a number for each entry of the result.
        entrywise: whether each output is made from one input alone, its own.
        dtype: of x.
        constants: what else is known: ``"M = [[1, 2], [3, 4]]"``.
    """

    code: str
    function: Callable[[Any], Any]
    at: Row | float
    out: str = "y"
    weights: Row = ()
    entrywise: bool = False
    dtype: Any = mg.float32
    constants: str = ""

    def x(self) -> Any:
        """A new leaf at the place of the function."""
        at = self.at if isinstance(self.at, float) else list(self.at)
        return mg.tensor(at, dtype=self.dtype, requires_grad=True)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return tuple(self.function(self.x()).shape)

    @property
    def outputs(self) -> list[str]:
        """The names of all outputs, such as ``z[0,1]``, in the order in which they are read."""
        return _names(self.out, self.shape)

    @property
    def inputs(self) -> list[str]:
        """The names of all inputs."""
        return _names("x", tuple(self.x().shape))

    @cached_property
    def jacobian(self) -> list[Row]:
        """All rows of J: one backward for each, on one graph, the tray emptied in between."""
        x = self.x()
        z = self.function(x)
        rows = []
        for i in range(len(self.outputs)):
            x.grad = None
            z.backward(self.tensor(unit(i, len(self.outputs))), retain_graph=True)
            rows.append(_flat(x.grad))
        return rows

    def tensor(self, v: Sequence[float]) -> Any:
        """The numbers of v as a tensor in the shape of the result."""
        return mg.tensor(list(v), dtype=self.dtype).reshape(self.shape)

    def backward(self, v: Any = NO_V) -> Row:
        """v·J, by one backward with the tensor v; what PyTorch refuses raises `RuntimeError`."""
        x = self.x()
        self.function(x).backward(v)
        return _flat(x.grad)

    def forward(self, u: Sequence[float]) -> Row:
        """J·u."""
        x = self.x().detach()
        u = mg.tensor(list(u), dtype=self.dtype).reshape(tuple(x.shape))
        return _flat(mg.func.jvp(self.function, (x,), (u,))[1])


def unit(i: int, size: int) -> Row:
    """A 1 at place i, and 0 elsewhere.

    >>> unit(1, 3)
    (0.0, 1.0, 0.0)
    """
    return tuple(float(j == i) for j in range(size))


def _names(name: str, shape: tuple[int, ...]) -> list[str]:
    """Name the entries of a tensor by their Python index.

    >>> _names("z", (2, 2)), _names("y", ())
    (['z[0,0]', 'z[0,1]', 'z[1,0]', 'z[1,1]'], ['y'])
    """
    places = pairs_of(*(range(size) for size in shape))
    return [f"{name}[{','.join(map(str, at))}]" if at else name for at in places]


def _flat(tensor: Any) -> Row:
    return tuple(tensor.reshape(prod(tuple(tensor.shape))).tolist())


def _times_m(x: Any) -> Any:
    return mg.tensor([list(row) for row in _M], dtype=x.dtype) @ x


CASES = {
    "square": Case("y = x * x", lambda x: x * x, (1.0, 2.0), weights=(1.0, 0.1), entrywise=True),
    "table": Case(
        "z = (x * x + 2).view(2, 2)",
        lambda x: (x * x + 2).reshape(2, 2),
        (1.0, 2.0, 3.0, 4.5),
        "z",
        (1.0, 0.1, 1.0, 0.01),
        entrywise=True,
    ),
    "matrix": Case(
        "y = M @ x", _times_m, (1.0, 1.0), weights=(1.0, 10.0), constants="M = [[1, 2], [3, 4]]"
    ),
    "softmax": Case(
        "p = softmax(x, 0)",
        lambda x: mg.softmax(x, 0),
        (1.0, 2.0, 3.0),
        "p",
        (1.0, 0.0, -1.0),
    ),
}  #: the functions with a button


def case_of(name: str, at: Any = None) -> Case:
    """The function with a button called `name`, or the one typed after ``=``, at a place.

    Raises `ValueError` with a sentence for a text or a place that cannot be used.
    """
    if name.startswith("="):
        return _typed(name[1:], (1.0, 2.0) if at is None else at)
    known = CASES[name]
    if at is None or at == known.at:
        return known
    size = len(known.at)
    free = name in ("square", "softmax")
    if isinstance(at, float) or (len(at) != size and not free):
        said = _("This function needs an x of {} numbers, such as {}.")
        raise ValueError(said.format(size, ", ".join(f"{number:g}" for number in known.at)))
    weights = (known.weights * len(at))[: len(at)]
    return Case(
        known.code, known.function, at, known.out, weights, known.entrywise,
        constants=known.constants,
    )  # fmt: skip


def _typed(text: str, at: Row | float) -> Case:
    expression = parse(text)
    strangers = [name for name in expression.names if name != "x"]
    if strangers:
        said = _("There is only x here, not `{}`.").format(strangers[0])
        raise Refused(said, text, text.find(strangers[0]))
    if not expression.names:
        raise Refused(_("x does not occur in it, so there is no slope to look at."), text, 0)

    def function(x: Any) -> Any:
        return expression({"x": x})

    case = Case(f"y = {text.strip()}", function, at, dtype=mg.float64)
    size = len(case.outputs)
    entrywise = (
        size == len(case.inputs) > 1 and "@" not in text and not {"sum", "mean"} & set(_words(text))
    )
    weights = tuple(0.1**i for i in range(size))
    return Case(case.code, function, at, "y", weights, entrywise, mg.float64)


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalpha() else " " for letter in text).split()
