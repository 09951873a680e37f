"""A still picture of names: which tensor each one means, and in which memory its numbers lie.

A new name for a tensor, a view of it and a copy of it print alike. The picture tells them apart by
what a write would reach.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from minigrad.trace import numbers

from ..language import _
from ..viz.plot import card, image
from ..viz.shapes import escape
from ..viz.style import FONTS, LIGHT, MONO

ROW, TALL, TOP = 64, 44, 34  # of one name: its row, the box in it, and the room for headings
NAME, TENSOR, MEMORY, WIDE = 16, 150, 400, 640  # where the columns begin, and the width of all


@dataclass(frozen=True)
class Meant:
    """What a name means: the number of its tensor, that of its memory, size and version."""

    name: str
    tensor: int
    memory: int
    size: int
    version: int


@dataclass(frozen=True)
class Memory:
    """Names, and the values of each piece of memory, as text."""

    names: tuple[Meant, ...]
    values: tuple[str, ...]

    @property
    def alt(self) -> str:
        """What the picture shows, in words."""
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        for number, values in enumerate(self.values):
            there = [one for one in self.names if one.memory == number]
            for tensor in dict.fromkeys(one.tensor for one in there):
                same = [one for one in there if one.tensor == tensor]
                who, size = _listed([one.name for one in same]), _size(same[0].size)
                said = (
                    _("{} means a tensor of {} in the memory {}, at version {}.")
                    if len(same) == 1
                    else _("{} mean one tensor of {} in the memory {}, at version {}.")
                )
                if same[0] is not there[0]:
                    said = _("{} means another tensor, of {}, in the same memory {}, "
                             "at version {}.")  # fmt: skip
                yield said.format(who, size, values, same[0].version)

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        return card(image(self.svg(), self.alt))

    def svg(self) -> str:
        """The picture as SVG: names, tensors and memory in three columns, joined by arrows."""
        tensors = dict.fromkeys(one.tensor for one in self.names)
        at = {
            "name": [_middle(row) for row in range(len(self.names))],
            "tensor": {t: self._mean(row.tensor == t for row in self.names) for t in tensors},
            "memory": [
                self._mean(row.memory == m for row in self.names) for m in range(len(self.values))
            ],
        }
        drawn = []
        for one, y in zip(self.names, at["name"], strict=True):
            drawn.append(_box(NAME, y, 78, one.name, code=True, round_=True))
            drawn.append(_arrow(NAME + 78, y, TENSOR, at["tensor"][one.tensor]))
        for tensor, y in at["tensor"].items():
            one = next(one for one in self.names if one.tensor == tensor)
            drawn.append(_box(TENSOR, y, 170, _size(one.size), _("version {}").format(one.version)))
            drawn.append(_arrow(TENSOR + 170, y, MEMORY, at["memory"][one.memory]))
        for values, y in zip(self.values, at["memory"], strict=True):
            drawn.append(_box(MEMORY, y, 224, values, code=True, strong=True))
        heads = ((NAME, _("names")), (TENSOR, _("tensors")), (MEMORY, _("memory")))
        drawn += [
            f'<text x="{x}" y="20" fill="{LIGHT["dim"]}" font-size="13">{escape(said)}</text>'
            for x, said in heads
        ]
        height = TOP + ROW * len(self.names)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}" '
            f'width="{WIDE}" height="{height}" role="img" font-family="{escape(FONTS)}" '
            f'font-size="15"><title>{escape(_("names, tensors and memory"))}</title>'
            f"<desc>{escape(self.alt)}</desc>"
            f'<rect width="{WIDE}" height="{height}" fill="{LIGHT["card"]}"/>'
            f"{''.join(drawn)}</svg>"
        )

    @staticmethod
    def _mean(rows: Iterator[bool]) -> float:
        """The middle of the rows that lead to a box."""
        found = [_middle(row) for row, leads in enumerate(rows) if leads]
        return sum(found) / len(found)


def memory(**names: Any) -> Memory:
    """Show which tensor each name means, its version, and the memory that holds its numbers.

    Tensors of PyTorch will do, too.

    >>> import minigrad as mg
    >>> a = mg.tensor([3.0, 1.0])
    >>> memory(a=a, b=a)
    a and b mean one tensor of 2 numbers in the memory [3, 1], at version 0.
    """
    tensors: list[Any] = []
    holders: list[Any] = []
    meant = []
    for name, tensor in names.items():
        number = next((n for n, one in enumerate(tensors) if one is tensor), len(tensors))
        if number == len(tensors):
            tensors.append(tensor)
        place = next((n for n, one in enumerate(holders) if _lies_in(tensor, one)), len(holders))
        if place == len(holders):
            holders.append(tensor if tensor._base is None else tensor._base)
        meant.append(Meant(name, number, place, tensor.numel(), tensor._version))
    return Memory(tuple(meant), tuple(numbers.show(numbers.raw(one)) for one in holders))


def _lies_in(tensor: Any, holder: Any) -> bool:
    start = holder.data_ptr()
    return start <= tensor.data_ptr() < start + holder.numel() * holder.element_size()


def _size(count: int) -> str:
    return _("1 number") if count == 1 else _("{} numbers").format(count)


def _listed(names: list[str]) -> str:
    *some, last = names
    return _(" and ").join((", ".join(some), last)) if some else last


def _middle(row: int) -> float:
    return TOP + ROW * row + TALL / 2


def _box(
    x: int, y: float, width: int, said: str, below: str = "", *,
    code: bool = False, round_: bool = False, strong: bool = False,
) -> str:  # fmt: skip
    """A box around a text, with a second line below it where there is one."""
    font = f' font-family="{escape(MONO)}"' if code else ""
    corner = TALL / 2 if round_ else 4
    ground, edge = (LIGHT["soft"], 2) if strong else (LIGHT["card"], 1)
    middle = x + width / 2
    first = y - 3 if below else y + 5
    second = (
        f'<text x="{middle}" y="{y + 15}" text-anchor="middle" fill="{LIGHT["blue"]}" '
        f'font-size="13">{escape(below)}</text>'
        if below
        else ""
    )
    return (
        f'<rect x="{x}" y="{y - TALL / 2}" width="{width}" height="{TALL}" rx="{corner}" '
        f'fill="{ground}" stroke="{LIGHT["ink"]}" stroke-width="{edge}"/>'
        f'<text x="{middle}" y="{first}" text-anchor="middle" fill="{LIGHT["ink"]}"{font}>'
        f"{escape(said)}</text>{second}"
    )


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    end = to_x - 2
    return (
        f'<path d="M{x} {y}L{end - 8} {to_y}" stroke="{LIGHT["edge"]}" stroke-width="2" '
        f'fill="none"/><path d="M{end} {to_y}l-10 -5v10Z" fill="{LIGHT["edge"]}"/>'
    )
