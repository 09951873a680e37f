"""Writes without a function of the same name, and comparisons of whole tensors."""

from tests.ops.samples import exactly, floats, ints
from tests.ops.table.case import NAN, add, function, method

for form, call in {
    "zero_": lambda torch, x: x.clone().zero_(),
    "fill_": lambda torch, x: x.clone().fill_(3),
}.items():
    add(
        form, "in place", call, {"matrix": [floats(2, 3)], "0-d": [floats()], "int": [ints([1, 2])]}
    )
add(
    "fill_",
    "in place",
    lambda torch, x, v: x.clone().fill_(v),
    {"0-d": [floats(2, 3), exactly(7.0)]},
    "with a tensor",
)
add(
    "copy_",
    "in place",
    lambda torch, x, v: x.clone().copy_(v),
    {
        "matrix": [floats(2, 3, seed=1), floats(2, 3, seed=2)],
        "row": [floats(2, 3, seed=1), floats(3, seed=2)],
        "dtypes": [floats(3, seed=1), floats(3, seed=2).single()],
        "into ints": [ints([1, 2, 3]), floats(3, seed=2)],
        "misfit": [floats(2, 3, seed=1), floats(2, seed=2)],
    },
)
CLOSE = {
    "vectors": [exactly([1.0, 2.0]), exactly([1.0, 2.0 + 1e-9])],
    "nan": [exactly([NAN, 1.0]), exactly([NAN, 1.0])],
    "far": [exactly([1.0]), exactly([1.5])],
}
for name in ("allclose", "equal", "isclose"):
    call = function(name)
    add(name, "tests", call, CLOSE)
for name in ("allclose", "isclose"):
    call = method(name, atol=1, equal_nan=True)
    add(name, "tests", call, CLOSE, "atol, equal_nan")
