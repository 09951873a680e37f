"""What real PyTorch prints for a table of tensors.

A case is a NumPy expression for the values, and what else is known about the tensor: print
options, flags, the default dtype. The same array goes to PyTorch here and to minigrad in the
test, so that the two can only differ in how they print it.
"""

from dataclasses import asdict, dataclass, field
from itertools import product

import numpy as np

from tests.oracle.recorded import Recording

FLOATS = ("float16", "float32", "float64")
INTS = ("uint8", "int8", "int16", "int32", "int64")


@dataclass
class Case:
    """A tensor to print: `array` is a NumPy expression, the rest says how it is held and shown."""

    array: str
    options: dict = field(default_factory=dict)
    default_dtype: str = "float32"
    held: str = ""  # nothing, "leaf", "parameter", "subclass" or the operation that made it

    def values(self) -> np.ndarray:
        return np.asarray(eval(self.array, dict(vars(np))))


PLAIN = Case("")


def cases() -> list[Case]:
    """The table, grouped by what a group is about."""
    return [*styles(), *whole(), *layouts(), *summaries(), *chosen_options(), *suffixes()]


def styles():
    """Whole, fixed and scientific: each side of each border, in every floating point dtype."""
    numbers = [
        "0.0", "-0.0", "1", "-1", "0.5", "-0.5", "nan", "inf", "-inf", "100", "1000.5", "0.1",
        "1e-4", "1.001e-4", "9.99e-5", "1e-7", "65504", "12345.678", "0.99999", "9.99995",
    ]  # fmt: skip
    rows = [
        "[0, 1, 2]", "[0, 1, -2]", "[0.5, -1.25]", "[1, 1000]", "[1, 1001]", "[0.001, 1]",
        "[0.000999, 1]", "[1, 1000.5]", "[1e-4, 0.1]", "[9e-5, 0.05]", "[nan, 1]", "[nan, 1.5]",
        "[nan, inf, -inf]", "[0, -0.0]", "[-0.0, 1.5]", "[nan, 0.25, -inf, -0.0]",
        "[inf, 1e-6]", "[0, 2e-6]", "[-1e4, 1e4]", "[60000, 1]", "[nan, 100, -0.0]",
        "[1 / 3, 2 / 3, 1]", "[2.5, 3.5, 4.5]", "[0.00005, 0.00015]", "[9999.5, 99.95]",
    ]  # fmt: skip
    large = [
        "1e8", "1e8 + 8", "1e9", "123456789", "1e20", "1e-20", "1e38", "1e-38", "[1e8, 1e8 + 8]",
        "[1, 1e8]", "[1e-30, 1e30]", "[99999999.0, 1]", "[1e7 + 0.5, 1e7]", "[3e38, -3e38]",
        "1e-45", "[1e5, 1e5 + 0.5]", "16777217",
    ]  # fmt: skip
    huge = ["1e300", "5e-324", "[1e-300, 1e300]", "1.7976931348623157e308", "1 / 3e5"]
    table = [
        *product(FLOATS, numbers + rows),
        *product(FLOATS[1:], large),
        *product(["float64"], huge),
    ]
    return [Case(f"{dtype}({value})") for dtype, value in table]


def whole():
    """Integers and bools."""
    rows = ["0", "7", "[0, 1, 2]", "[5, 10, 100]", "[[1, 2], [30, 4]]"]
    signed = ["-1", "[-1, 1]", "[-5, 10, -100]"]
    extremes = [Case(f"array([iinfo({t}).min, iinfo({t}).max], {t})") for t in INTS]
    bools = ["True", "False", "[True]", "[False, False]", "[[True, False], [False, True]]"]
    return [
        *(Case(f"array({value}, {dtype})") for dtype, value in product(INTS, rows)),
        *(Case(f"array({value}, {dtype})") for dtype, value in product(INTS[1:], signed)),
        *extremes,
        *(Case(f"array({value})") for value in bools),
    ]


def layouts():
    """Dimensions, line breaks, nothing inside, memory with gaps."""
    shapes = [(1,), (1, 1), (1, 1, 1), (2, 3), (3, 1), (2, 3, 4), (2, 1, 2, 2), (2, 1, 2, 1, 2)]
    empty = [(0,), (0, 3), (3, 0), (2, 0, 4), (0, 0), (1, 0)]
    types = ["float32", "float64", "int64", "int32", "bool"]
    gaps = [
        "arange(6.0).reshape(2, 3).T", "arange(12.0)[::3]", "arange(24.0).reshape(4, 6)[1::2, ::2]",
        "arange(24).reshape(2, 3, 4).swapaxes(0, 2)", "float32([[1.5, 2], [3, -4]]).T",
    ]  # fmt: skip
    long_rows = [
        f"arange({n}{dot})" for n, dot in product((19, 20, 21, 26, 60, 101, 1000), ("", ".0"))
    ]
    long_rows += [f"float32(linspace(-1, 1, {n}))" for n in (7, 8, 9, 10, 16, 33)]
    long_rows += [f"float32(logspace(-5, 5, {n}))" for n in (5, 6, 13)]
    long_rows += [
        "float64(linspace(0, 1, 40)).reshape(2, 20)",
        "arange(60) % 7 == 0",
        "arange(80).reshape(2, 40)",
    ]
    return [
        *(Case(f"arange({float(np.prod(s))}, dtype=float32).reshape({s})") for s in shapes),
        *(Case(f"arange({np.prod(s)}).reshape({s})") for s in shapes),
        *(Case(f"zeros({s}, {dtype})") for s, dtype in product(empty, types)),
        *(Case(text) for text in gaps + long_rows),
    ]


def summaries():
    """More than 1000 elements: only the ends of each dimension, which alone decide the style."""
    return [
        Case(text)
        for text in (
            "arange(1000)", "arange(1001)", "arange(1001.0)", "float32(arange(5000)) / 7",
            "zeros((1001, 1))", "zeros((1, 1001), float32)", "ones((40, 40), float32)",
            "ones((2, 600), bool)", "arange(1001).reshape(7, 11, 13)", "zeros((1100, 2, 1))",
            "arange(2000).reshape(500, 4)", "arange(2000).reshape(4, 500)",
            "ones((3, 4, 100), float32)", "arange(1296).reshape(6, 6, 6, 6)",
            "arange(2401.0).reshape(7, 7, 7, 7)",
            "where(arange(2000) == 1000, 1e30, 1.0)", "where(arange(2000) == 1, 1e30, 1.0)",
            "where(arange(2000) == 1000, 0.5, 1.0)", "where(arange(2000) == 1999, nan, 1.0)",
            "arange(-1500, 1500).reshape(30, 100).T", "zeros((1001, 1), int8)",
        )
    ]  # fmt: skip


def chosen_options():
    """`set_printoptions`: each option alone, and some together."""
    arrays = [
        "float32([1, 2.5, -1 / 3])", "float32([[1, 2], [3, 4]])", "float32([1e-6, 1, 1e6])",
        "arange(12)", "arange(30.0).reshape(5, 6)", "arange(60).reshape(3, 4, 5)", "array(2 / 3)",
        "zeros((0, 2))", "arange(11) % 2 == 0",
    ]  # fmt: skip
    options = [
        {"precision": 0}, {"precision": 1}, {"precision": 10}, {"threshold": 5}, {"linewidth": 20},
        {"threshold": 10, "edgeitems": 1}, {"threshold": 0, "edgeitems": 2}, {"edgeitems": 0},
        {"threshold": 4, "edgeitems": 0}, {"linewidth": 1}, {"linewidth": 200},
        {"sci_mode": True}, {"sci_mode": False}, {"sci_mode": True, "precision": 1},
        {"profile": "short"}, {"profile": "full"}, {"profile": "short", "precision": 3},
    ]  # fmt: skip
    summarized = [Case("arange(1001)", {"profile": p}) for p in ("default", "short", "full")]
    return [*(Case(array, choice) for array, choice in product(arrays, options)), *summarized]


def suffixes():
    """`dtype=`, `size=`, `grad_fn=`, `requires_grad=`: which are there, and where a line breaks."""
    arrays = [
        "float32(2.5)",
        "float32([1, 2])",
        "array([1.5])",
        "float16([[1], [2]])",
        "zeros((0, 2))",
    ]
    held = ["leaf", "parameter", "subclass", *OPERATIONS]
    wraps = [f"float32(arange({n})) / 8" for n in range(4, 10)]
    wraps += [f"array([10 ** {n} + 0.0])" for n in range(3, 8)]
    wraps += [f"float32(arange({n})).reshape(1, {n})" for n in range(10, 20)]
    defaults = product([*arrays, "arange(3)", "zeros(0)", "float32([])", "array([True])"], FLOATS)
    narrow = product(["float32([1, 2])", "array([1.5, 2])"], (20, 30, 40, 50), ("leaf", "maximum"))
    return [
        *(Case(array, held=how) for array, how in product(arrays, held)),
        *(Case(array, held=how) for array, how in product(wraps, ("leaf", "maximum"))),
        *(Case(array, default_dtype=dtype) for array, dtype in defaults),
        *(Case(array, {"linewidth": width}, held=how) for array, width, how in narrow),
    ]


SPECS = ["", ".3f", "8.2f", ".2e", "g", "+.1f", "5", "d", "05d", "%", "s"]
SCALARS = [
    "float32(0.1)",
    "float64(1 / 3)",
    "float16(0.1)",
    "array(7)",
    "array(True)",
    "float32(nan)",
]
STRUCTURED = {
    "max": "float32([[1, 5, 2], [7, 0, -3]])",
    "min": "array([[1, 5, 2], [7, 0, -3]])",
    "sort": "float32([3, 1, 2])",
    "topk": "float32([[3, 1, 2], [0.5, 9, 4]])",
    "median": "float32([3, 1, 2])",
    "mode": "array([3, 1, 1])",
}


# Operations that leave the values as they are, with names of several lengths.
OPERATIONS = {
    "mul": lambda t: t * 1,
    "clone": lambda t: t.clone(),
    "maximum": lambda t: t.maximum(t),
}


def tensor_of(torch, case: Case):
    """The tensor that a case describes."""
    tensor = torch.from_numpy(np.array(case.values()))
    if case.held == "parameter":
        return torch.nn.Parameter(tensor)
    if case.held == "subclass":
        return tensor.as_subclass(type("Temperature", (torch.Tensor,), {}))
    if case.held:
        tensor.requires_grad_()
    return OPERATIONS.get(case.held, lambda t: t)(tensor)


def printed(case: Case, torch) -> dict:
    """A case together with the name of its grad_fn and what PyTorch prints for it."""
    torch.set_default_dtype(getattr(torch, case.default_dtype))
    try:
        tensor = tensor_of(torch, case)
        with torch._tensor_str.printoptions(**case.options):
            text = repr(tensor)
    finally:
        torch.set_default_dtype(torch.float32)
    told = {name: value for name, value in asdict(case).items() if value != getattr(PLAIN, name)}
    if tensor.grad_fn is not None:
        told["grad_fn"] = type(tensor.grad_fn).__name__
    return {**told, "repr": text}


def formatted(question: tuple[str, str], torch) -> dict:
    """What `format` gives for a tensor, or the error."""
    array, spec = question
    tensor = tensor_of(torch, Case(array))
    try:
        return {"array": array, "spec": spec, "text": format(tensor, spec)}
    except (TypeError, ValueError) as error:
        return {"array": array, "spec": spec, type(error).__name__: str(error)}


def structured(question: tuple[str, str], torch) -> dict:
    """The named results of an operation, each alone and all together."""
    operation, array = question
    tensor = tensor_of(torch, Case(array))
    answer = getattr(tensor, operation)(*({"topk": (2,)}.get(operation, (0,))))
    names = [name for name in ("values", "indices") if hasattr(answer, name)]
    return {
        "operation": operation,
        "parts": {name: repr(getattr(answer, name)) for name in names},
        "repr": repr(answer),
    }


TENSORS = Recording("printing_tensors", cases(), printed)
FORMATS = Recording("printing_formats", list(product(SCALARS, SPECS)), formatted)
STRUCTURES = Recording("printing_structured", list(STRUCTURED.items()), structured)
