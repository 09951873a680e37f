"""Where the slope of an operation is infinite, or has no value at all: the conditions.

Their words stand in ``operations.toml``. A pass through such an operation gives inf there, and nan
where 0 comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..words.sentences import table
from .bounds import bounds, exponent_of

Signs = tuple[tuple[str, Callable[[Any], Any]], ...]


@dataclass(frozen=True)
class Slope:
    """Where the slope of an operation is infinite, and what helps there.

    ``signs`` are what tells it: a saved value or an operand, and what picks its bad elements.
    """

    signs: Signs
    why: str
    do: str
    applies: Callable[[Any], bool] = lambda node: True


def is_zero(value: Any) -> Any:
    """The elements that are 0."""
    return value == 0


def has_infinite_inverse(value: Any) -> Any:
    """The elements that are 0, or so near to it that 1 divided by them overflows."""
    return (1 / value).isinf()


def is_infinite(value: Any) -> Any:
    """The elements that are inf or -inf."""
    return value.isinf()


def is_nan(value: Any) -> Any:
    """The elements that are nan."""
    return value.isnan()


def is_outside(value: Any) -> Any:
    """The elements beyond 1 or -1."""
    return value.abs() > 1


def is_negative(value: Any) -> Any:
    """The elements below 0."""
    return value < 0


def may_be_negative(node: Any) -> bool:
    """Whether the graph leaves open that the input of an operation is negative."""
    return bounds(node.next_functions[0][0])[0] < 0


def is_root(node: Any) -> bool:
    """Whether an exponent that asks for no gradient is no whole number, or is unknown."""
    exponent, after = exponent_of(node), [n for n, _ in node.next_functions[1:]]
    is_known = exponent == exponent or getattr(node, "is_freed", False)
    return is_known and exponent % 1 != 0 and after in ([], [None])


def slopes(case: str, signs: Mapping[str, Signs], **applies: Callable) -> dict[str, Slope]:
    """By operation where its slope is so, in the words of a case; some have a condition more."""
    words = table("graph/operations")
    found = {kind: Slope(own, **words[kind][case]) for kind, own in signs.items()}
    for kind, condition in applies.items():
        found[kind] = Slope(signs[kind], **words[kind][case], applies=condition)
    return found | ({"Asin": found["Acos"]} if "Acos" in found else {})


SLOPES = slopes(
    "steep",
    {
        "Sqrt": (("result", is_zero), ("self", is_zero)),
        "Rsqrt": (("result", is_infinite), ("self", is_zero)),
        "Log": (("self", has_infinite_inverse),),
        "Log2": (("self", is_zero),),
        "Log10": (("self", is_zero),),
        "Reciprocal": (("result", is_infinite), ("self", is_zero)),
        "Div": (("other", is_zero),),
        "Pow": (("self", is_zero),),
        "Exp": (("result", is_infinite),),
        "Acos": (("self", lambda value: value.abs() == 1),),
    },
    Pow=lambda node: 0 < exponent_of(node) < 1,
)
#: where the slope of an operation has no value at all
UNDEFINED = slopes(
    "undefined",
    {
        "Acos": (("self", is_outside),),
        "Cos": (("self", is_infinite),),
        "Sin": (("self", is_infinite),),
        "Div": (("other", is_infinite),),
        "Sqrt": (("result", is_nan), ("self", is_negative)),
        "Rsqrt": (("result", is_nan), ("self", is_negative)),
        "Pow": (("self", is_negative),),
    },
    Pow=lambda node: node.name() == "PowBackward1" and node.next_functions[1][0] is not None,
    Sqrt=may_be_negative,
    Rsqrt=may_be_negative,
)
ROOTS = slopes("root", {"Pow": (("self", is_negative),)}, Pow=is_root)
#: of a norm whose derivative is differentiated once more
TWICE = Slope((("other", is_zero),), **table("graph/operations")["LinalgVectorNorm"]["twice"])
NAN = [*UNDEFINED.values(), *ROOTS.values()]
