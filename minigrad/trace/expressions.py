"""What a value without a name is called in a picture: its expression.

An expression is written only where it says all there is to say: an operand that nobody knows, or
a factor that the sign would hide (``alpha``), leaves the value without one.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from . import read
from .model import Index, Operation
from .sentences import written

WIDEST = 14  #: characters of the longest expression in a picture
WIDEST_ROOT = 30  #: of that of a root


class Part(NamedTuple):
    """A piece of an expression and how tightly its outermost sign binds.

    A factor 1 is left out of ``text`` but stands in ``whole``, because ``1·x`` is not ``x`` itself.
    """

    text: str
    binds: int
    whole: str = ""


ANYTHING, SUM, PRODUCT, SIGN, POWER, ATOM = range(6)

#: What stands in a node besides its operands and changes the result; harmless at these values.
HARMLESS = {"alpha": (1, None), "rounding_mode": (None,)}


def expressions(
    index: Index, nodes: dict[str, Any], keeps: dict[str, read.Keeps]
) -> dict[str, str]:
    """The expression of every value that has no name and can be written in a few characters.

    Args:
        index: a finished graph.
        nodes: its live nodes, by the key of the operation.
        keeps: what each of them keeps.
    """
    writer = _Writer(index, nodes, keeps)
    taken: set[str] = set()
    found: dict[str, str] = {}
    for key in (key for operation in index.graph.operations for key in operation.outputs):
        part = None if key in writer.parts else writer.result(key)
        if part is not None and len(part.text) <= WIDEST:
            known = part.binds == ATOM or part.text in taken
            name = part.whole if part.whole and known else part.text
            writer.parts[key] = part
            if len(name) <= WIDEST:
                found[key] = name
                taken.add(name)
    for key, operation in index.operations.items():
        if writer.divides_one(operation):
            source = index.operands[key][0].source
            found.update(_inverse(source, found.get(source, "")))
    return found


def _inverse(key: str, text: str) -> dict[str, str]:
    """The reader's 1 / x is a reciprocal times 1: the product is 1/x, the reciprocal x⁻¹."""
    if not text.startswith("1/"):
        return {}
    base = text.removeprefix("1/")
    alone = re.fullmatch(r"[^+−·@/^]+|[(][^()]+[)]", base)
    return {key: f"{base if alone else f'({base})'}⁻¹"}


def expression_of(
    root: str, index: Index, nodes: dict[str, Any], keeps: dict[str, read.Keeps]
) -> str:
    """How a value was computed from values with names: ``(x + 1)·(x + 2)``; "" if that is long."""
    writer = _Writer(index, nodes, keeps)
    writer.parts.pop(root, None)
    waiting = [root]
    while waiting:
        if len(waiting) > WIDEST_ROOT:  # every level adds a character
            return ""
        edges = index.operands[index.maker[waiting[-1]].key]
        unknown = [edge.source for edge in edges if edge.source not in writer.parts]
        if unknown:
            waiting.append(unknown[0])
            continue
        part = writer.result(waiting[-1])
        if part is None or len(part.text) > WIDEST_ROOT:
            return ""
        writer.parts[waiting.pop()] = part
    text = spaced(part.whole or part.text)
    return text if len(text) <= WIDEST_ROOT else ""


class _Writer:
    """Writes results with the values that have a name, leaves, and ``parts`` found before."""

    def __init__(self, index: Index, nodes: dict[str, Any], keeps: dict[str, read.Keeps]):
        self.index, self.nodes, self.keeps = index, nodes, keeps
        self.parts = {
            value.key: _atom(value.name)
            for value in index.values.values()
            if value.named or not index.is_result(value.key)
        }

    def result(self, key: str) -> Part | None:
        """The expression of one result of an operation."""
        operation = self.index.maker[key]
        part = None if operation.kind == "accumulate" else self._written(operation)
        if part is not None and read.output_count(self.nodes[operation.key]) > 1:
            place = next(e for e in self.index.results[operation.key] if e.target == key).output
            return Part(f"{part.text}[{place}]", ATOM)
        return part

    def _written(self, operation: Operation) -> Part | None:
        arguments = self.keeps[operation.key].arguments
        if any(arguments.get(name) not in harmless for name, harmless in HARMLESS.items()):
            return None
        node, operands = self.nodes[operation.key], self._operands(operation)
        stem = read.stem(node)
        if written(stem, "sign") or stem == "Pow":
            if len(operands) != 2 or None in operands:
                return None
            return _power(*operands) if stem == "Pow" else _between(stem, *operands)
        drawn = [operands[edge.argument] for edge in self.index.operands[operation.key]]
        if not drawn or None in drawn or stem == "CopySlices":
            return None
        if stem == "Neg":
            return Part("−" + _inside(drawn[0], POWER), SIGN)
        if stem == "Reciprocal":
            return Part("1/" + _inside(drawn[0], SIGN, first=False), PRODUCT)
        part = _viewed(stem, drawn[0], arguments)
        if part is not None:
            return part
        along = _along(arguments)
        if along is None:
            return None
        inside = ",".join([*(part.text for part in drawn), *along])
        return Part(f"{read.plain_name(node)}({inside})", ATOM)

    def divides_one(self, operation: Operation) -> bool:
        """Whether an operation may be the second half of the reader's 1 / x: a product with 1."""
        alone = len(self.index.operands[operation.key]) == 1
        product = alone and read.stem(self.nodes[operation.key]) == "Mul"
        return product and "1" in operation.constants.values()

    def _operands(self, operation: Operation) -> list[Part | None]:
        """All operands in order; None for one nobody knows or whose expression is too long."""
        edges = self.index.operands[operation.key]
        found: dict[int, Part | None] = {e.argument: self.parts.get(e.source) for e in edges}
        for argument, text in operation.constants.items():
            found[argument] = None if text == "?" else _number(text)
        return [found.get(argument) for argument in range(max(found, default=-1) + 1)]


def _viewed(stem: str, base: Part, arguments: dict[str, Any]) -> Part | None:
    """A matrix transposed, ``kᵀ``, a part of a tensor, ``w[0]``, ``w[1:]``; None for the rest."""
    if stem == "T" or stem == "Permute" and tuple(arguments.get("dims", ())) == (1, 0):
        return Part(f"{_inside(base, ATOM)}ᵀ", ATOM)
    part = read.taken(arguments) if stem in ("Select", "Slice") else None
    dim = read.signed(arguments.get("dim", -1))
    if part is None or dim < 0:
        return None
    return Part(_inside(base, ATOM) + read.written_index(dim, part).replace(" ", ""), ATOM)


def _along(arguments: dict[str, Any]) -> list[str] | None:
    """The dimension of a reduction, if it is one alone; None for what is too long to say."""
    dims = arguments.get("dim")
    if "keepdim" not in arguments or dims in (None, ()):
        return []
    dims = dims if isinstance(dims, (tuple, list)) else (dims,)
    if arguments["keepdim"] or len(dims) > 1:
        return None
    return [str(read.signed(dims[0]))]


def spaced(expression: str) -> str:
    """Room around the signs that bind the least.

    >>> spaced("(x+1)·(−x−2)")
    '(x + 1)·(−x − 2)'
    """
    expression = re.sub(r",(?! )", ", ", expression)
    return re.sub(r"(?<=[\w)\]'\"⁰¹²³⁴-⁹])([+−@])", r" \1 ", expression)


def _atom(name: str) -> Part:
    """A name is in one piece, unless the reader's own text looks like more."""
    return Part(name, ATOM if re.fullmatch(r"[\w.\[\]'\"]+", name) else ANYTHING)


def _number(text: str) -> Part:
    if text.startswith(("-", "−")):
        return Part("−" + text[1:], SIGN)
    return Part(text, PRODUCT if "·" in text else ATOM)  # as 2·10⁻⁵ is a product


def _between(stem: str, left: Part, right: Part) -> Part:
    sign, also_right = written(stem, "sign"), stem == "Add"
    binds = SUM if sign in "+−" else PRODUCT
    if stem == "Rsub":
        left, right = right, left
    if stem == "Mul" and right.binds == PRODUCT and "/" not in right.text and "@" not in right.text:
        also_right = "/" not in left.text and "@" not in left.text
    also_right = also_right and left.text != right.text  # w·x·(w·x): two operations, not three
    right_side = _inside(right, binds if also_right else binds + 1, first=False)
    whole = f"{_inside(left, binds)}{sign}{right_side}"
    if stem == "Mul" and "1" in (left.text, right.text):
        other = left if right.text == "1" else right
        inverted = other.text.startswith("1/")  # 1 / x is 1/x times 1
        return Part(other.text, other.binds, "" if inverted else whole)
    return Part(whole, binds)


def _power(base: Part, exponent: Part) -> Part:
    base_text = _inside(base, ATOM)
    if re.fullmatch(r"\d+", exponent.text):
        raised = exponent.text.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return Part(base_text + raised, POWER)
    return Part(f"{base_text}^{_inside(exponent, ATOM)}", POWER)


def _inside(part: Part, at_least: int, first: bool = True) -> str:
    """A part as an operand; a sign in front is put in parentheses, too, where it is not first."""
    alone = part.binds >= at_least and (first or part.binds != SIGN)
    return part.text if alone else f"({part.text})"
