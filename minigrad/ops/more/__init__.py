"""Operations beyond the core: what few programs need, declared in the same way.

Each file enters its operations into the table. A program needs few of them, so a file is loaded
when one of its operations is first asked for; until then a placeholder has the name.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable
from importlib import import_module

from ...tensor import Tensor
from ..binding import FUNCTIONS_ONLY, FUNCTIONS_TOO, IN_PLACE, METHODS_ONLY, bind_operation
from ..rule import OPERATIONS
from . import batches, bitwise, powers, remainders, scaled  # noqa: F401  (operators such as `**`)

#: the other files, and the operations of each
FILES = {
    "as_strided": "as_strided",
    "cat_split": "cat stack split chunk unbind repeat",
    "clamp": "clamp clip clamp_min clamp_max",
    "closeness": "isclose allclose equal",
    "comparisons_in_place": "eq_ ne_ lt_ le_ gt_ ge_",
    "counts": "count_nonzero all any",
    "cumulative": "prod cumsum cumprod",
    "determinants": "det",
    "diagonals": "diagonal diag diag_embed tril triu",
    "einsum": "einsum",
    "flips": "flip roll movedim",
    "gather_scatter": "gather scatter scatter_add index_select index_add masked_fill masked_select"
    " take",
    "index_put": "index_put",
    "logic": "logical_and logical_or logical_xor logical_not isnan isinf isfinite",
    "logsumexp": "logsumexp",
    "minmax": "max min amax amin argmax argmin maximum minimum",
    "multinomial": "multinomial",
    "nan_to_num": "nan_to_num",
    "one_dim": "select narrow",
    "other_shapes": "view_as flatten expand_as broadcast_to",
    "overwriting": "copy_ fill_ zero_",
    "repeats": "repeat_interleave meshgrid",
    "rounding": "sign floor ceil trunc round",
    "searching": "searchsorted bucketize",
    "softmax": "softmax log_softmax",
    "sorting": "sort argsort topk median unique nonzero",
    "systems": "inverse",
    "three_operands": "lerp addcmul addcdiv",
    "var_norm": "var std norm",
}
WHERE = {name: file for file, names in FILES.items() for name in names.split()}
WHERE |= {f"{name}_": file for name, file in WHERE.items() if name in IN_PLACE}
#: those that are functions of the package, and not only methods
FUNCTIONS = {each for each in WHERE if not each.endswith("_") or each in FUNCTIONS_TOO}
FUNCTIONS -= METHODS_ONLY

waiting = set(WHERE)
binding = allocate_lock()


def load(name: str) -> None:
    """Load the file of an operation, and bind what it declares."""
    file = WHERE[name]
    import_module(f".{file}", __name__)
    with binding:
        for each in FILES[file].split():
            if each in waiting and each in OPERATIONS:
                bind_operation(each)
            waiting.discard(each)


def function(name: str) -> Callable:
    """An operation or its in-place form as a function of the package."""
    load(name)
    return OPERATIONS[name] if name in OPERATIONS else getattr(Tensor, name)


class OnFirstUse:
    """Stands in ``Tensor`` for a method until that is first asked for."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, tensor: Tensor | None, owner: type):
        load(self.name)
        return getattr(owner if tensor is None else tensor, self.name)


for _name in WHERE.keys() - FUNCTIONS_ONLY:
    setattr(Tensor, _name, OnFirstUse(_name))
