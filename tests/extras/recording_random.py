"""What real PyTorch draws: seeded programs, each a seed and the calls that follow it.

One generator serves a whole program, so that what a call leaves behind (how far the stream went,
a normal number that waits) shows in the next. The state after the program is stored as a digest.
"""

import hashlib
from itertools import product

import numpy as np

from tests.oracle.recorded import Recording

FLOATS = ("float16", "float32", "float64")
INTS = ("uint8", "int8", "int16", "int32", "int64")
COUNTS = (0, 1, 2, 5, 15, 16, 17, 31, 32, 40)

Call = dict  # {"draw": name of a recipe, and its arguments}
Program = tuple[int, list[Call]]


def call(draw: str, shape, dtype: str, **arguments) -> Call:
    """One call, as it is stored: `scattered` asks for memory with gaps."""
    return {"draw": draw, "shape": shape, "dtype": dtype, **arguments}


def programs() -> list[Program]:
    """The table, grouped by what a group is about."""
    return [*recipes(), *seeds(), *mixtures(), *refusals()]


def recipes():
    """Each recipe with each dtype and count; a number drawn afterwards shows where it stopped."""
    last = call("rand", [1], "float32")
    for draw, dtype in product(("rand", "randn"), FLOATS):
        for n in COUNTS:
            yield 0, [call(draw, [n], dtype), last]
    for dtype, (low, high) in product(FLOATS, ((-1, 1), (-0.3, 0.7), (0, 1 / 3), (5, 1e4), (2, 2))):
        yield 3, [call("uniform", [12], dtype, low=low, high=high), last]
    for dtype, n, (mean, std) in product(FLOATS, (3, 20), ((1.5, 0.3), (-100, 0), (0.1, 7))):
        yield 4, [call("normal", [n], dtype, mean=mean, std=std), last]
    for dtype, n in product(FLOATS, (6, 16, 19)):
        yield 5, [call("randn", [n], dtype, scattered=True), last]
    for dtype in (*INTS, *FLOATS):
        yield 6, [call("randint", [8], dtype, low=0, high=100), last]
    bounds = [(-5, 5), (7, 8), (0, 2**28 - 1), (0, 2**28), (-3, 2**40), (-(2**63), 2**63 - 1)]
    for dtype, (low, high) in product(("int64", "float32", "float64"), bounds):
        yield 7, [call("randint", [6], dtype, low=low, high=high), last]
    yield 7, [call("randint", [6], "bool", low=0, high=2), last]
    for n in (0, 1, 2, 10, 40):
        yield 8, [call("randperm", n, "int64"), last]
    for dtype in ("int32", "uint8", "float32"):
        yield 8, [call("randperm", 10, dtype), last]
    for draw, shape in product(("rand", "randn"), ([], [2, 3], [2, 0], [3, 2, 4])):
        yield 9, [call(draw, shape, "float32"), last]


def seeds():
    """Seeds count modulo 2**32; the first numbers of the seeds that tutorials use."""
    for seed in (
        0,
        1,
        2,
        7,
        10,
        42,
        123,
        1234,
        1337,
        2023,
        31337,
        2**31,
        2**32 - 1,
        2**32,
        2**33 + 5,
    ):
        yield seed, [call("rand", [3], "float32"), call("randn", [4], "float32")]
    for seed in (-1, -2, -(2**63), 2**63, 2**64 - 1):
        yield seed, [call("rand", [3], "float32"), call("randn", [4], "float32")]


def mixtures():
    """A normal number that waits outlives other draws; the twister turns over after 624 words."""
    odd, even = call("randn", [3], "float32"), call("randn", [2], "float64")
    for between in (
        call("rand", [5], "float64"),
        call("randn", [16], "float32"),
        call("randn", [21], "float64"),
        call("randint", [4], "int64", low=0, high=10),
        call("randperm", 6, "int64"),
        call("randn", [1], "float16"),
    ):
        yield 11, [odd, between, even, odd]
    for n in (622, 623, 624, 625, 1300):
        yield 12, [call("randint", [n], "int64", low=0, high=3), odd, call("rand", [2], "float64")]
    # The weight and the bias of a layer, drawn one after the other.
    bound = 1 / 3**0.5
    yield 13, [call("uniform", s, "float32", low=-bound, high=bound) for s in ([4, 3], [4])]


def refusals():
    """What is refused draws nothing."""
    last = call("rand", [1], "float32")
    refused = [
        call("uniform", [2], "float32", low=2, high=1),
        call("uniform", [2], "float32", low=2.5, high=1),
        call("uniform", [2], "float16", low=0, high=70000),
        call("uniform", [2], "float16", low=-60000, high=60000),
        call("uniform", [2], "float32", low=-1e39, high=0),
        call("uniform", [2], "float64", low=0, high=float("nan")),
        call("uniform", [2], "int64", low=0, high=1),
        call("normal", [2], "float32", mean=0, std=-1),
        call("normal", [2], "float64", mean=0, std=-1.5),
        call("normal", [2], "int32", mean=0, std=1),
        call("normal", [2], "bool", mean=0, std=1),
        call("randint", [2], "int64", low=5, high=5),
        call("randint", [2], "int64", low=0, high=2**63),
        call("randint", [2], "uint8", low=0, high=257),
        call("randint", [2], "uint8", low=-1, high=2),
        call("randint", [2], "int8", low=0, high=129),
        call("randint", [2], "int16", low=-40000, high=0),
        call("randint", [2], "int32", low=0, high=2**31 + 1),
        call("randint", [2], "bool", low=0, high=3),
        call("randint", [2], "float16", low=0, high=65506),
        call("randperm", -1, "int64"),
        call("randperm", 257, "uint8"),
        call("randperm", 129, "int8"),
        call("randperm", 2050, "float16"),
        call("randperm", 3, "bool"),
    ]
    for wrong in refused:
        yield 14, [wrong, last]
    for seed in (2**64, -(2**63) - 1):
        yield seed, [last]


def drawn(torch, generator, draw, shape, dtype, scattered=False, **arguments):
    """Make one call of a program in PyTorch."""
    how = {"dtype": getattr(torch, dtype), "generator": generator}
    if draw == "uniform":
        bounds = arguments["low"], arguments["high"]
        return torch.empty(shape, dtype=how["dtype"]).uniform_(*bounds, generator=generator)
    if draw == "normal":
        moments = arguments["mean"], arguments["std"]
        return torch.empty(shape, dtype=how["dtype"]).normal_(*moments, generator=generator)
    if scattered:
        return torch.empty(*shape, 2, dtype=how["dtype"])[..., 0].normal_(generator=generator)
    if draw == "randint":
        return torch.randint(arguments["low"], arguments["high"], shape, **how)
    return getattr(torch, draw)(shape, **how)


def outcome(run, *arguments, **named):
    """What a call gives: its numbers, or the error it raises."""
    try:
        return run(*arguments, **named).tolist()
    except (RuntimeError, ValueError) as error:  # NotImplementedError is a RuntimeError
        return {type(error).__name__: str(error)}


def played(program: Program, torch) -> dict:
    """A program, what its calls gave, and the state that they left."""
    seed, calls = program
    generator = torch.Generator()
    try:
        generator.manual_seed(seed)
    except ValueError as error:
        return {"seed": seed, type(error).__name__: str(error)}
    return {
        "seed": seed,
        "calls": calls,
        "given": [outcome(drawn, torch, generator, **each) for each in calls],
        "state": digest(generator.get_state().numpy()),
    }


def digest(state) -> str:
    """A short name for a state of 5056 bytes.

    The normal number that waits is left out, for its last bit is the C library's; whether one
    waits is in.
    """
    data = state.tobytes()
    return hashlib.sha256(data[:5024] + data[5032:]).hexdigest()[:16]


def unlike(theirs: dict, ours: dict, last_bits: float = 1e-15) -> list[str]:
    """Where two answers differ, but for the last bits of normal numbers.

    Blocks of normal float32 numbers come from approximations that differ between processors. All
    other normal numbers are as good as the C library's logarithm, sine and cosine.
    """
    parts = {**theirs, **ours}.keys() - {"given"}
    found = [
        f"{part}: expected {theirs.get(part)!r}, got {ours.get(part)!r}"
        for part in parts
        if part not in theirs or part not in ours or theirs[part] != ours[part]
    ]
    if found or "calls" not in ours:
        return found
    given = zip(ours["calls"], theirs["given"], ours["given"], strict=True)
    return [
        f"{call}: expected {wanted}, got {got}"
        for call, wanted, got in given
        if not alike(call, wanted, got, last_bits)
    ]


def alike(call: Call, wanted, got, last_bits: float) -> bool:
    """Whether one call gave the same."""
    if call["draw"] not in ("randn", "normal") or isinstance(wanted, dict):
        return wanted == got
    in_blocks = np.prod(call["shape"]) >= 16 and not call.get("scattered")
    scale = abs(call.get("mean", 0)) + call.get("std", 1)
    tolerance = {"float16": 1e-3, "float32": 2e-6, "float64": last_bits}[call["dtype"]]
    if not in_blocks:
        tolerance = last_bits if call["dtype"] == "float64" else 0
    return np.shape(wanted) == np.shape(got) and np.allclose(
        got, wanted, rtol=tolerance, atol=tolerance * scale, equal_nan=True
    )


RECORDING = Recording("random", programs(), played, unlike)
