"""Recording what a program did to one input, and repeating it with another one.

    tape = tape_of(f, x)     # runs f(x), and keeps each operation in order
    tape.replay(other)      # the same operations, whatever f would have done with the other input

A tape holds operations. Where the program asked a tensor yes or no, for an `if` or a `while`, the
answer is kept beside the operation; what the program did with it is not on the tape. Python's own
numbers, such as a length, are kept as they were. Tensors may be those of PyTorch, too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...language import _

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "matmul": "@",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip
_TURNED = ("add", "sub", "mul", "truediv", "pow", "matmul")  # those that exist as `2 * x`, too


class Name(str):
    """The name of a value on a tape, which is no text that a program handed over."""


@dataclass
class Step:
    """One operation: its result is called ``result`` on the tape.

    `inputs` are names of earlier results, or plain values. `answer` is what the program was told
    when it asked the result yes or no, None if it did not ask. `line` is where it was called.
    """

    result: str
    operation: Callable[..., Any]
    inputs: tuple[Any, ...]
    says: str
    line: int
    answer: bool | None = None

    def __str__(self) -> str:
        asked = "" if self.answer is None else f"    {_('asked:')} {self.answer}"
        return f"{self.result} = {self.says}{asked}"


@dataclass
class Tape:
    """The operations of one run, in order.

    `shape` is that of the input that was recorded, and `result` the name of what was returned.
    """

    steps: list[Step]
    shape: Any
    result: Any = "x"

    def replay(self, x: Any) -> Any:
        """Repeat all operations with x, and return the last result. No question is asked again."""
        return self.values(x)[self.result]

    def values(self, x: Any) -> dict[str, Any]:
        """Every value of the replay with x, by its name."""
        values = {"x": x}
        for step in self.steps:
            given = (values[one] if isinstance(one, Name) else one for one in step.inputs)
            values[step.result] = step.operation(*given)
        return values

    def refused(self, x: Any) -> Step | None:
        """The first question that would be answered in another way with x; None if there is none.

        >>> import minigrad as mg
        >>> tape = tape_of(lambda x: x if x > 0 else -x, mg.tensor(2.0))
        >>> tape.refused(mg.tensor(5.0)), str(tape.refused(mg.tensor(-5.0)))
        (None, 'v1 = x > 0    asked: True')
        """
        values = {"x": x}
        for step in self.steps:
            given = (values[one] if isinstance(one, Name) else one for one in step.inputs)
            values[step.result] = step.operation(*given)
            if step.answer is not None and bool(values[step.result]) != step.answer:
                return step
        return None

    def __repr__(self) -> str:
        return "\n".join([*map(str, self.steps), f"{_('returns')} {self.result}"])


def tape_of(function: Callable[[Any], Any], x: Any) -> Tape:
    """Run ``function(x)`` and keep every operation that is made of x, in order.

    The function may use operators and methods of its argument. Raises `TypeError` for a write in
    place, and where what comes back is not made of x by recorded operations.

    >>> import minigrad as mg
    >>> def f(x):
    ...     y = x * 3
    ...     return y if y > 1 else y - 1
    >>> tape = tape_of(f, mg.tensor(2.0))
    >>> tape
    v1 = x * 3
    v2 = v1 > 1    asked: True
    returns v1
    >>> tape.replay(mg.tensor(-2.0)), f(mg.tensor(-2.0))
    (tensor(-6.), tensor(-7.))
    """
    tape = Tape([], x.shape)
    result = function(Recorded(x, Name("x"), tape))
    if not isinstance(result, Recorded):
        said = _("What came back is a {}, and not made of x by recorded operations.")
        raise TypeError(said.format(type(result).__name__))
    tape.result = result._name
    return tape


class Recorded:
    """A tensor that writes down on a tape what is done with it."""

    def __init__(self, value: Any, name: Name, tape: Tape, step: Step | None = None):
        self._value, self._name, self._tape, self._step = value, name, tape, step

    def __bool__(self) -> bool:
        answer = bool(self._value)
        if self._step is not None:
            self._step.answer = answer
        return answer

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._value, name)
        if isinstance(found, type(self._value)):
            return self._did(operator.attrgetter(name), "{}." + name, self)
        return self._method(name) if callable(found) else found

    def _method(self, name: str) -> Callable[..., Any]:
        if name.endswith("_"):
            raise TypeError(_("`{}` writes in place, and a tape does not keep that.").format(name))

        def method(*given: Any, **named: Any) -> Any:
            def call(first: Any, *others: Any) -> Any:
                return getattr(first, name)(*others, **named)

            places = ["{}"] * len(given) + [f"{key}={value}" for key, value in named.items()]
            return self._did(call, "{}." + name + f"({', '.join(places)})", self, *given)

        return method

    def _did(self, operation: Callable[..., Any], says: str, *inputs: Any) -> Any:
        """Do it, and write it down if a tensor came of it; a plain number leaves the tape."""
        plain = (one._value if isinstance(one, Recorded) else one for one in inputs)
        value = operation(*plain)
        if not isinstance(value, type(self._value)):
            return value
        named = tuple(one._name if isinstance(one, Recorded) else one for one in inputs)
        name = Name(f"v{len(self._tape.steps) + 1}")
        step = Step(name, operation, named, says.format(*named), _line())
        self._tape.steps.append(step)
        return Recorded(value, name, self._tape, step)

    def __getitem__(self, index: Any) -> Any:
        return self._did(operator.getitem, "{}[{}]", self, index)

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __float__(self) -> float:
        return float(self._value)

    def __neg__(self) -> Any:
        return self._did(operator.neg, "-{}", self)

    def __abs__(self) -> Any:
        return self._did(operator.abs, "abs({})", self)

    __hash__ = None


def _line() -> int:
    """The line outside of this file that called."""
    import sys

    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


def _operator(name: str, turned: bool) -> Callable[[Recorded, Any], Any]:
    does, says = getattr(operator, name), f"{{}} {_SIGNS[name]} {{}}"

    def method(self: Recorded, other: Any) -> Any:
        return self._did(does, says, other, self) if turned else self._did(does, says, self, other)

    return method


for _name in _SIGNS:
    setattr(Recorded, f"__{_name}__", _operator(_name, turned=False))
for _name in _TURNED:
    setattr(Recorded, f"__r{_name}__", _operator(_name, turned=True))
