"""Where a tensor lives: always the CPU here."""

from __future__ import annotations

from ..dtypes import check_device
from ..tensor import Tensor


class device:
    """The device of a tensor.

    >>> import minigrad as mg
    >>> mg.device("cpu")
    device(type='cpu')
    """

    __slots__ = ("type", "index")

    def __init__(self, type: object = "cpu", index: object = None):
        check_device(type)
        self.type, self.index = "cpu", index

    def __repr__(self) -> str:
        return "device(type='cpu')"

    def __str__(self) -> str:
        return "cpu"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device)

    def __hash__(self) -> int:
        return hash("cpu")


Tensor.device = property(lambda self: device(), doc="Always ``cpu``.")
