"""Elementwise functions of one operand and of several."""

from tests.ops.samples import bools, exactly, floats, ints, one_operand, two_operands
from tests.ops.table.case import INF, NAN, add, function, in_place, method


def pointwise(name, low, high, at=(), smooth=True):
    """A function of one operand in its three forms; ``at`` are its awkward points."""

    samples = one_operand(low, high)
    add(name, "pointwise", function(name), samples, smooth=smooth)
    add(name, "pointwise", function(name), {"int": [ints([0, 1, 2])]})
    add(name, "pointwise", function(name), {"bool": [bools([True, False])]})
    if at:
        points = {"awkward points": [exactly(list(at))]}
        add(name, "pointwise", function(name), points, smooth=False)
    add(name, "pointwise", method(name), {"matrix": samples["matrix"]}, "method", smooth)
    few = {key: samples[key] for key in ("vector", "0-d", "strided")}
    add(name, "pointwise", in_place(name), few, "in place", smooth)
    add(name, "pointwise", in_place(name), {"int": [ints([1, 2])]}, "in place")


pointwise("neg", -2, 2, at=(0.0, -0.0))
pointwise("abs", -2, 2, at=(0.0, -0.0, NAN))
pointwise("exp", -2, 2, at=(-INF, INF, 800.0))
pointwise("exp2", -2, 2)
pointwise("log", 0.3, 3, at=(0.0, -1.0))
pointwise("log2", 0.3, 3, at=(0.0,))
pointwise("log1p", -0.7, 2, at=(-1.0, 0.0))
pointwise("expm1", -2, 2, at=(0.0,))
pointwise("sqrt", 0.3, 3, at=(0.0, -1.0))
pointwise("rsqrt", 0.3, 3, at=(0.0,))
pointwise("square", -2, 2, at=(0.0,))
pointwise("reciprocal", 0.3, 3, at=(0.0, -0.0))
pointwise("sin", -2, 2)
pointwise("cos", -2, 2)
pointwise("tan", -1.2, 1.2)
pointwise("asin", -0.8, 0.8, at=(1.0, -1.0, 2.0))
pointwise("acos", -0.8, 0.8, at=(1.0, -1.0, 2.0))
pointwise("atan", -2, 2)
pointwise("sinh", -2, 2)
pointwise("cosh", -2, 2)
pointwise("tanh", -2, 2, at=(INF, -INF))
pointwise("sigmoid", -2, 2, at=(800.0, -800.0))
pointwise("relu", -2, 2, at=(0.0, -0.0, NAN))
pointwise("sign", -2, 2, at=(0.0, NAN))
pointwise("floor", -2, 2, at=(1.0, -0.5), smooth=False)
pointwise("ceil", -2, 2, at=(1.0, -0.5), smooth=False)
pointwise("round", -2, 2, at=(0.5, 1.5, -0.5), smooth=False)


ODD_ONES = {"odd ones": [exactly([1.0, NAN, INF, -INF, 0.0])], "int": [ints([0, 1])]}
for name in ("isnan", "isinf", "isfinite"):
    add(name, "tests", function(name), ODD_ONES)

for form, call in {
    "": lambda torch, x: torch.nn.functional.softplus(x),
    "beta and threshold": lambda torch, x: torch.nn.functional.softplus(x, beta=2, threshold=1),
}.items():
    samples = {"vector": [exactly([-2.0, 0.0, 0.3, 1.7])], "0-d": [exactly(0.25)]}
    add("softplus", "pointwise", call, samples, form)

TIES = {
    "ties": [exactly([1.0, 2.0, 3.0, NAN]), exactly([1.0, 3.0, 2.0, 1.0])],
    "a tie in float32": [exactly([0.1, 0.2], "float32"), exactly(0.1)],
}
for name in ("maximum", "minimum"):
    call = function(name)
    add(name, "pointwise", call, two_operands(-2, 2))
    add(name, "pointwise", call, TIES, smooth=False)

add(
    "where",
    "pointwise",
    lambda torch, mask, a, b: torch.where(mask, a, b),
    {
        "vectors": [bools([True, False, True]), floats(3, seed=1), floats(3, seed=2)],
        "broadcast": [bools([[True], [False]]), floats(2, seed=1), floats(1, 2, seed=2)],
        "0-d": [bools(True), floats(seed=1), floats(seed=2)],
        "dtypes": [bools([True, False]), floats(2, seed=1).single(), floats(2, seed=2)],
    },
)
add(
    "where",
    "pointwise",
    lambda torch, a: torch.where(a > 0, a, 0.0),
    {"vector": [floats(4)], "float32": [floats(4).single()]},
    "with a number",
)
add(
    "where",
    "pointwise",
    lambda torch, a: torch.where(a > 0, torch.sqrt(a), torch.zeros_like(a)),
    {"nan in the other branch": [exactly([0.0, 4.0])]},
    "of sqrt",
    smooth=False,
)

add(
    "where",
    "pointwise",
    lambda torch, a, b: a.where(a > 0, b),
    {"vectors": [floats(4, seed=1), floats(4, seed=2)]},
    "method",
)
add(
    "where",
    "pointwise",
    lambda torch, a: torch.where(a, a, a),
    {"condition of floats": [floats(2)], "condition of ints": [ints([0, 1])]},
    "refused",
)

add(
    "lerp",
    "pointwise",
    lambda torch, a, b: torch.lerp(a, b, 0.25),
    {
        "vectors": [floats(3, seed=1), floats(3, seed=2)],
        "ints": [ints([1, 2]), ints([3, 4])],
        "shapes 2 and 3": [floats(2), floats(3)],
    },
    "weight 0.25",
)
add(
    "lerp",
    "pointwise",
    lambda torch, a, b, weight: torch.lerp(a, b, weight),
    {
        "vectors": [floats(3, seed=1), floats(3, seed=2), floats(3, low=0, high=1, seed=3)],
        "broadcast": [floats(2, 1, seed=1), floats(3, seed=2), floats(low=0.1, high=0.4, seed=3)],
    },
    "weight tensor",
)

CLAMPED = {
    "vector": [exactly([-2.0, -0.4, 0.3, 1.9])],
    "matrix": [floats(2, 3)],
    "0-d": [exactly(3.0)],
    "int": [ints([-3, 0, 3])],
    "float32": [floats(4).single()],
}
EDGES = {"edges": [exactly([-1.0, 0.0, 1.0, NAN])]}
for form, call in {
    "min and max": lambda torch, x: torch.clamp(x, -1, 1),
    "min": lambda torch, x: x.clamp(min=-1),
    "max": lambda torch, x: x.clamp(max=1),
    "crossed": lambda torch, x: x.clamp(1, -1),
    "in place": lambda torch, x: x.clone().clamp_(-1, 1),
}.items():
    add("clamp", "pointwise", call, CLAMPED, form)
    add("clamp", "pointwise", call, EDGES, form, smooth=False)
add(
    "clamp",
    "pointwise",
    lambda torch, x: torch.clamp(x, 0.5, 1.5),
    {"int": [ints([0, 1, 2])], "float16": [exactly([0.0, 1.0, 2.0], "float16")]},
    "fractions",
)
add(
    "clamp",
    "pointwise",
    lambda torch, x, low: torch.clamp(x, min=low),
    {
        "float32, 0-d float64": [floats(3).single(), exactly(0.5)],
        "int, float32": [ints([0, 1, 2]), floats(3).single()],
        "shapes 2 and 3": [floats(2), floats(3)],
    },
    "dtypes",
    smooth=False,
)
BOUNDS = [exactly([-1.0, -0.5, 0.0]), exactly([1.0, 0.0, 0.5])]
add(
    "clamp",
    "pointwise",
    lambda torch, x, low, high: torch.clamp(x, low, high),
    {"vectors": [exactly([-2.0, -0.25, 0.75]), *BOUNDS]},
    "tensor bounds",
)
add(
    "clamp",
    "pointwise",
    lambda torch, x, low, high: torch.clamp(x, low, high),
    {"edges": [exactly([-1.0, 0.0, 0.5]), *BOUNDS]},
    "tensor bounds",
    smooth=False,
)
for form, call in {
    "from False": lambda torch, x: x.clamp(min=False),
    "to True": lambda torch, x: x.clamp(max=True),
    "from False to True": lambda torch, x: x.clamp(False, True),
    "from 0": lambda torch, x: x.clamp(0),
    "from itself": lambda torch, x: x.clamp(x),
    "from itself to itself": lambda torch, x: x.clamp(x, x),
}.items():
    add("clamp", "pointwise", call, {"bools": [bools([True, False])]}, form)
for form, call in {
    "two numbers": lambda torch, x: torch.clip(x, -1, 1),
    "min": lambda torch, x: x.clip(min=-1),
    "in place": lambda torch, x: x.clone().clip_(max=1),
    "function in place": lambda torch, x: torch.clip_(x.clone(), -1, 1),
}.items():
    add("clip", "pointwise", call, CLAMPED, form)
add("clip", "pointwise", lambda torch, x: x.clip(), {"no bound": [exactly([0.5])]})
for name, factor in {"addcmul": (-2, 2), "addcdiv": (0.5, 2)}.items():
    triple = [floats(2, 3, seed=1), floats(2, 1, seed=2), floats(3, low=factor[0], high=factor[1])]
    call = function(name, value=0.5)
    add(name, "arithmetic", call, {"broadcast": triple})
    call = in_place(name, value=2)
    add(name, "arithmetic", call, {"broadcast": triple}, "in place")
    call = function(name, value=0.5)
    mixed = {
        "int, float32": [ints([1, 2]), floats(2, seed=1).single(), floats(2, low=1).single()],
        "float32, 0-d float64": [floats(2).single(), floats(seed=1), floats(2, low=1).single()],
        "ints": [ints([1, 2]), ints([3, 4]), ints([5, 6])],
        "bools": [bools([True, False])] * 3,
    }
    add(name, "arithmetic", call, mixed, "dtypes")

BOUNDED = [exactly([-1.0, 0.5, 1.0, 2.5])]
for name in ("clamp_min", "clamp_max"):
    for form, call in {
        "": function(name, 1),
        "method": method(name, 0.25),
        "in place": in_place(name, 1.0),
    }.items():
        add(name, "pointwise", call, {"vector": BOUNDED, "0-d": [floats()]}, form, smooth=False)
    few = {"int": [ints([1, 2, 3])], "bool": [bools([True, False])], "nan": [exactly([NAN, 2.0])]}
    add(name, "pointwise", function(name, 2), few, smooth=False)
    add(name, "pointwise", function(name, 1.5), {"int": few["int"]}, "1.5")
    add(name, "pointwise", function(name), two_operands(-2, 2), "a tensor", smooth=False)
    add(name, "pointwise", in_place(name), {"vectors": two_operands(-2, 2)["vectors"]}, "in place")
    add(name, "pointwise", function(name), TIES, "a tensor", smooth=False)
    call = lambda torch, x, name=name: getattr(torch, f"{name}_")(x.clone(), 0.5)  # noqa: E731
    add(name, "pointwise", call, {"vector": BOUNDED}, "in place, function", smooth=False)

HOLES = {
    "odd ones": [exactly([1.0, NAN, INF, -INF])],
    "float32": [exactly([1.0, NAN, INF, -INF], "float32")],
    "matrix": [floats(2, 3)],
    "0-d": [exactly(NAN)],
    "int": [ints([1, 2])],
    "bool": [bools([True, False])],
}
for form, call in {
    "": function("nan_to_num"),
    "numbers": method("nan_to_num", 5, 1.0, 2.5),
    "posinf": function("nan_to_num", nan=-1.0, posinf=0),
    "in place": in_place("nan_to_num"),
    "in place, function": lambda torch, x: torch.nan_to_num_(x.clone(), nan=3.0),
}.items():
    add("nan_to_num", "pointwise", call, HOLES, form, smooth=False)
