"""Sums, products, extremes, norms and running totals."""

from tests.ops.samples import bools, exactly, floats, ints
from tests.ops.table.case import INF, NAN, add, function, method

REDUCED = {
    "vector": [floats(4)],
    "matrix": [floats(2, 3)],
    "0-d": [floats()],
    "strided": [floats(2, 3).strided()],
    "float32": [floats(2, 3).single()],
}
ALONG = {"matrix": [floats(2, 3)], "strided": [floats(2, 3).strided()], "cube": [floats(2, 3, 2)]}
WHOLE = {"int": [ints([[1, 2], [3, 4]])], "bool": [bools([True, False, True])]}
EMPTY = {"empty": [floats(0)]}
TIED = {"ties": [exactly([[1.0, 3.0], [3.0, 1.0]])], "nan": [exactly([[1.0, NAN], [3.0, 2.0]])]}


def reduction(name, along=True, floats_only=False, empty=True, keywords=True):
    """A reduction in its spellings: of everything, along one dimension, along several."""

    def whole(torch, x):
        return getattr(torch, name)(x)

    def method(torch, x):
        return getattr(x, name)()

    add(name, "reduction", whole, REDUCED)
    add(name, "reduction", method, {"matrix": REDUCED["matrix"]}, "method")
    if not floats_only:
        add(name, "reduction", whole, WHOLE)
    if empty:
        add(name, "reduction", whole, EMPTY)
    for form, arguments, options in (
        ("dim=0", (0,), {}),
        ("dim=-1", (-1,), {}),
        ("dim=1, keepdim", (1,), {"keepdim": True}),
    ):
        if along:
            add(name, "reduction", reduced(name, arguments, options), ALONG, form)
    if keywords:
        several = reduced(name, (), {"dim": (0, 1)})
        add(name, "reduction", several, {"cube": ALONG["cube"]}, "dim=(0, 1)")


def reduced(name, arguments, options):
    return lambda torch, x: getattr(x, name)(*arguments, **options)


reduction("sum")
reduction("mean")
reduction("prod", keywords=False)
reduction("amax", along=True, empty=False)
reduction("amin", along=True, empty=False)
reduction("max", keywords=False)
reduction("min", keywords=False)
reduction("var", floats_only=True)
reduction("std", floats_only=True)
reduction("all")
reduction("any")
reduction("argmax", keywords=False)
reduction("argmin", keywords=False)
for name in ("max", "min", "amax", "amin"):
    call = method(name)
    add(name, "reduction", call, TIED, smooth=False)
    call = method(name, 1)
    add(name, "reduction", call, TIED, "dim=1", smooth=False)
for name in ("amax", "amin"):
    add(name, "reduction", method(name, None), TIED, "dim=None", smooth=False)
for name in ("argmax", "argmin"):
    call = method(name, 1)
    add(name, "reduction", call, TIED, "dim=1")
add(
    "sum",
    "reduction",
    lambda torch, x: x.sum(dtype=torch.float64),
    {"float32": REDUCED["float32"]},
    "dtype",
)

ZEROS = {
    "one zero": [exactly([2.0, 0.0, 3.0])],
    "two zeros": [exactly([0.0, 2.0, 0.0])],
    "rows": [exactly([[2.0, 0.0], [3.0, 4.0]])],
}
add("prod", "reduction", lambda torch, x: x.prod(), ZEROS)
add("prod", "reduction", lambda torch, x: x.prod(1), {"rows": ZEROS["rows"]}, "dim=1")

SPREAD = {
    "equal values": [exactly([2.0, 2.0, 2.0])],
    "one value": [exactly([2.0])],
}
for name in ("var", "std"):
    call = method(name)
    add(name, "reduction", call, SPREAD, smooth=False)
    call = method(name, unbiased=False)
    add(name, "reduction", call, {"matrix": [floats(2, 3)]}, "unbiased=False")
    call = method(name, dim=0, correction=0)
    add(name, "reduction", call, {"matrix": [floats(2, 3)]}, "dim=0, correction=0")

NORMED = {"vector": [floats(4)], "matrix": [floats(2, 3)], "float32": [floats(3).single()]}
for form, call in {
    "": lambda torch, x: x.norm(),
    "p=1": lambda torch, x: x.norm(1),
    "p=3": lambda torch, x: torch.norm(x, p=3),
    "p=inf": lambda torch, x: x.norm(INF),
    "dim=0": lambda torch, x: x.norm(dim=0),
    "p=2, dim=-1, keepdim": lambda torch, x: x.norm(2, -1, keepdim=True),
}.items():
    add("norm", "reduction", call, NORMED, form)
    add("norm", "reduction", call, {"zeros": [exactly([0.0, 0.0])]}, form, smooth=False)

ROWS = {
    "vector": [floats(4)],
    "matrix": [floats(2, 3)],
    "0-d": [floats()],
    "large": [exactly([1000.0, 1001.0, -1000.0])],
    "float32": [floats(2, 3).single()],
}
for name in ("softmax", "log_softmax", "logsumexp"):
    for dim in (0, -1):
        call = function(name, dim)
        add(name, "reduction", call, ROWS, f"dim={dim}")
add(
    "logsumexp",
    "reduction",
    lambda torch, x: x.logsumexp(1, keepdim=True),
    {"matrix": [floats(2, 3)]},
    "keepdim",
)

RUNNING = {**REDUCED, "int": [ints([[1, 2], [3, 4]])], "empty": [floats(0)]}
for name in ("cumsum", "cumprod"):
    for dim in (0, -1):
        call = function(name, dim)
        add(name, "reduction", call, RUNNING, f"dim={dim}")
add("cumprod", "reduction", lambda torch, x: x.cumprod(0), ZEROS, "zeros")
