"""Seeded random numbers: the same seed gives the numbers that PyTorch's CPU generator gives.

A `Generator` is a stream of 32-bit words from the Mersenne Twister (Matsumoto and Nishimura,
1998). The functions after it are recipes that turn words into numbers; they return plain arrays.
How many words a recipe takes, and in which order, is part of the promise: with one word more or
less, everything drawn later would differ.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from ..dtypes import check_long, cpp_name, name_of
from ..tensor import Tensor, wrap

Shape = int | tuple[int, ...]

_FIRST_SEED = 67280421310721
_TWISTER_SIZE = 624

# A saved state, laid out as PyTorch lays it out: the seed, where the twister stands, its words,
# and the half of a normal pair that waits for the next call.
_STATE = np.dtype(
    [
        ("seed", "<u8"),
        ("left", "<i4"),
        ("seeded", "<i4"),
        ("next", "<u8"),
        ("words", "<u8", _TWISTER_SIZE),
        ("_1", "<u8"),
        ("waiting", "<f8"),
        ("_2", "<u8"),
        ("is_waiting", "<u8"),
        ("_3", "<u8"),
    ]
)


class Generator:
    """A source of random numbers with a state of its own, as `torch.Generator`.

    >>> g = Generator().manual_seed(0)
    >>> rand(2, generator=g)
    array([0.4962566, 0.7682218], dtype=float32)
    """

    def __init__(self, device: object = "cpu") -> None:
        if str(device) != "cpu":
            raise NotImplementedError(f"Generator on device {device}: there is only the CPU")
        self.manual_seed(_FIRST_SEED)

    def manual_seed(self, seed: int) -> Generator:
        """Start over from `seed`, a whole number from -2**63 to 2**64 - 1; return the generator.

        Raises:
            RuntimeError: `seed` is not a whole number.
            ValueError: `seed` is out of range.
        """
        try:
            seed = operator.index(seed)
        except TypeError:
            kind = type(seed).__name__
            raise RuntimeError(f"manual_seed expected a long, but got {kind}") from None
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % 2**64
        self._twister: np.random.RandomState | None = None
        self._is_fresh = True
        # Normal numbers are made in pairs; the second one may have to wait for the next call.
        self.waiting_normal: float | None = None
        return self

    def seed(self) -> int:
        """Start over from a seed that nobody knows beforehand, and return it."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the numbers started from.

        >>> Generator().initial_seed()
        67280421310721
        """
        return self._seed

    def words(self, count: int) -> np.ndarray:
        """The next `count` words of the stream, as uint32.

        >>> Generator().manual_seed(0).words(2)
        array([2357136044, 2546248239], dtype=uint32)
        """
        words = self._get_twister().randint(0, 2**32, size=count, dtype=np.uint32)
        self._is_fresh = self._is_fresh and count == 0
        return words

    def long_words(self, count: int) -> np.ndarray:
        """The next `count` 64-bit words, each made of two words, the upper half first."""
        upper, lower = self.words(2 * count).reshape(count, 2).astype(np.uint64).T
        return upper << np.uint64(32) | lower

    def get_state(self) -> Tensor:
        """All that the next numbers depend on: 5056 bytes, the same as PyTorch's.

        >>> g = Generator()
        >>> state = g.get_state()
        >>> first = randn(3, generator=g)
        >>> _ = g.set_state(state)
        >>> bool((randn(3, generator=g) == first).all())
        True
        """
        _, words, position, _, _ = self._get_twister().get_state()
        state = np.zeros((), _STATE)
        state["seed"] = self._seed
        state["left"] = _TWISTER_SIZE + 1 - position
        state["seeded"] = True
        state["next"] = 0 if self._is_fresh else position
        state["words"] = words
        if self.waiting_normal is not None:
            state["waiting"] = self.waiting_normal
            state["is_waiting"] = True
        return wrap(np.frombuffer(state.tobytes(), np.uint8).copy())

    def set_state(self, state: Tensor) -> Generator:
        """Go on from where `get_state` was called; return the generator.

        Raises:
            TypeError: `state` is not a tensor of bytes.
            RuntimeError: the bytes are not those of a state.
        """
        if not isinstance(state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(state).__name__}")
        state = state._value
        if state.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if state.size != _STATE.itemsize:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {_STATE.itemsize} "
                f"but found the input RNG state size to be {state.size}"
            )
        saved = np.frombuffer(state.tobytes(), _STATE)[0]
        left = int(saved["left"])
        if saved["seeded"] != 1 or not 0 < left <= _TWISTER_SIZE or saved["next"] > _TWISTER_SIZE:
            raise RuntimeError("Invalid mt19937 state")
        self.manual_seed(int(saved["seed"]))
        words = saved["words"].astype(np.uint32)
        self._get_twister().set_state(("MT19937", words, _TWISTER_SIZE + 1 - left))
        self._is_fresh = bool(saved["next"] == 0)
        self.waiting_normal = float(saved["waiting"]) if saved["is_waiting"] else None
        return self

    def _get_twister(self) -> np.random.RandomState:
        # Loading numpy.random takes longer than all of minigrad: wait until a number is needed.
        if self._twister is None:
            # The twister takes 32 bits: seeds that agree in them give the same numbers.
            self._twister = np.random.RandomState(self._seed % 2**32)
        return self._twister


default_generator = Generator()
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Start the default generator over from `seed`, as `torch.manual_seed`; return it.

    >>> manual_seed(0) is default_generator
    True
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the default generator over from an unknown seed, and return that."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator, 5056 bytes."""
    return default_generator.get_state()


def set_rng_state(state: Tensor) -> None:
    """Let the default generator go on from a state that `get_rng_state` gave."""
    default_generator.set_state(state)


@contextmanager
def fork_rng() -> Iterator[None]:
    """Leave the default generator after a `with` block as it was before it.

    >>> with fork_rng():
    ...     _ = manual_seed(1)
    """
    state = default_generator.get_state()
    try:
        yield
    finally:
        default_generator.set_state(state)


def rand(
    shape: Shape, dtype: np.typing.DTypeLike = np.float32, generator: Generator | None = None
) -> np.ndarray:
    """Uniform numbers in [0, 1), as `torch.rand`."""
    return uniform(0.0, 1.0, shape, dtype, generator)


def uniform(
    low: float,
    high: float,
    shape: Shape,
    dtype: np.typing.DTypeLike = np.float32,
    generator: Generator | None = None,
) -> np.ndarray:
    """Uniform numbers in [`low`, `high`), as `Tensor.uniform_` writes them.

    Raises:
        RuntimeError: the bounds are in the wrong order, or too large for the dtype.
        NotImplementedError: the dtype is not a floating point one.

    >>> uniform(5, 6, 3, generator=Generator().manual_seed(0))
    array([5.496257 , 5.768222 , 5.0884776], dtype=float32)
    """
    dtype = np.dtype(dtype)
    _require_float(dtype, "check_uniform_bounds")
    _check_uniform_bounds(low, high, dtype)
    precise = _working_type(dtype)
    low, high = precise(low), precise(high)
    drawn = _unit_interval(math.prod(_sizes(shape)), dtype, generator or default_generator)
    numbers = _multiply_add(drawn, high - low, low).astype(precise).astype(dtype)
    # Rounding may reach the end that does not belong to the interval.
    numbers[numbers >= dtype.type(high)] = low
    return numbers.reshape(shape)


def randn(
    shape: Shape,
    dtype: np.typing.DTypeLike = np.float32,
    generator: Generator | None = None,
    contiguous: bool = True,
) -> np.ndarray:
    """Normal numbers with mean 0 and deviation 1, as `torch.randn`; see `normal`."""
    return normal(0.0, 1.0, shape, dtype, generator, contiguous)


def normal(
    mean: float,
    std: float,
    shape: Shape,
    dtype: np.typing.DTypeLike = np.float32,
    generator: Generator | None = None,
    contiguous: bool = True,
) -> np.ndarray:
    """Normal numbers, as `Tensor.normal_` writes them, by the method of Box and Muller (1958).

    PyTorch has two recipes: one number after the other, and, from 16 numbers on, blocks. The
    second is only for memory without gaps; `contiguous=False` asks for the first, whose numbers
    then go into memory order.

    Raises:
        RuntimeError: `std` is negative or nan.
        NotImplementedError: the dtype is not a floating point one.

    >>> randn(2, generator=Generator().manual_seed(0))
    array([ 1.5409961, -0.2934289], dtype=float32)
    """
    dtype = np.dtype(dtype)
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    _require_float(dtype, "normal_kernel_cpu")
    generator = generator or default_generator
    count = math.prod(_sizes(shape))
    precise = _working_type(dtype)
    # What does not fit into the dtype is inf, without a word.
    with np.errstate(over="ignore"):
        if count < 16 or not contiguous:
            drawn = np.array([_next_normal(generator) for _ in range(count)])
        else:
            drawn = _normal_blocks(count, dtype, generator)
            mean, std = precise(mean), precise(std)
        numbers = _multiply_add(drawn, std, mean).astype(precise).astype(dtype)
    return numbers.reshape(shape)


def exponential(
    shape: Shape, dtype: np.typing.DTypeLike = np.float32, generator: Generator | None = None
) -> np.ndarray:
    """Waiting times with mean 1, as `Tensor.exponential_` writes them.

    >>> exponential(2, generator=Generator().manual_seed(0))
    array([3.5083263, 1.2303847], dtype=float32)
    """
    return -np.log1p(-rand(shape, np.float64, generator)).astype(dtype)


def randint(
    low: int,
    high: int,
    shape: Shape,
    dtype: np.typing.DTypeLike = np.int64,
    generator: Generator | None = None,
) -> np.ndarray:
    """Whole numbers from `low` to `high` - 1, as `torch.randint`.

    Raises:
        RuntimeError: there are none, or the dtype cannot hold them.
        ValueError: a bound does not fit into 64 bits.

    >>> randint(0, 10, 5, generator=Generator().manual_seed(0))
    array([4, 9, 3, 0, 3])
    """
    dtype = np.dtype(dtype)
    _check_randint_bounds(low, high, dtype)
    if dtype.kind == "f":
        low, high = _safe_from_rounding(low, high, dtype)
    generator = generator or default_generator
    draw = generator.words if high - low < 2**28 else generator.long_words
    steps = draw(math.prod(_sizes(shape))).astype(np.uint64) % np.uint64(high - low)
    # Unsigned arithmetic wraps around, and so lands on the right signed number.
    numbers = steps + np.uint64(low % 2**64)
    return numbers.view(np.int64).astype(dtype).reshape(shape)


def randperm(
    n: int, dtype: np.typing.DTypeLike = np.int64, generator: Generator | None = None
) -> np.ndarray:
    """The numbers 0 … `n` - 1 in random order, as `torch.randperm`.

    Raises:
        RuntimeError: `n` is negative, or the dtype cannot hold `n` - 1.

    >>> randperm(5, generator=Generator().manual_seed(0))
    array([4, 0, 1, 3, 2])
    """
    dtype = np.dtype(dtype)
    _check_randperm(n, dtype)
    order = list(range(n))
    words = (generator or default_generator).words(max(n - 1, 0)).tolist()
    for i, word in enumerate(words):
        j = i + word % (n - i)
        order[i], order[j] = order[j], order[i]
    return np.array(order, dtype)


def _sizes(shape: Shape) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _working_type(dtype: np.dtype) -> type[np.floating]:
    """What numbers are rounded to first: half ones are made of float32."""
    return np.float64 if dtype == np.float64 else np.float32


def _unit_interval(count: int, dtype: np.dtype, generator: Generator) -> np.ndarray:
    """Numbers in [0, 1), as float64: of 53 bits for float64, of 24 for the smaller dtypes."""
    if dtype == np.float64:
        return (generator.long_words(count) & np.uint64(2**53 - 1)) / 2.0**53
    return (generator.words(count) & np.uint32(2**24 - 1)) / 2.0**24


def _multiply_add(x: np.ndarray, factor: float, term: float) -> np.ndarray:
    """`x * factor + term` rounded once, as the processor's fused instruction does.

    Each of the two roundings is caught as an exact float64 (Dekker, 1971; Knuth's two-sum), and
    what they lost is given back at the end.
    """
    factor, term = np.float64(factor), np.float64(term)
    with np.errstate(over="ignore", invalid="ignore"):
        product = x * factor
        x_upper, x_lower = _halves(x)
        f_upper, f_lower = _halves(factor)
        lost = x_upper * f_upper - product + x_upper * f_lower + x_lower * f_upper
        lost += x_lower * f_lower
        total = product + term
        came_in = total - product
        lost += (product - (total - came_in)) + (term - came_in)
        # Near the largest float64 the bookkeeping overflows, though the result does not.
        return np.where(np.isfinite(lost), total + lost, total)


def _halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each float64 as a sum of two of half its length, so that their products are exact."""
    spread = x * (2.0**27 + 1)
    upper = spread - (spread - x)
    return upper, x - upper


def _next_normal(generator: Generator) -> float:
    """One normal number: the one that waits, or the first of a new pair."""
    if generator.waiting_normal is not None:
        number, generator.waiting_normal = generator.waiting_normal, None
        return number
    u, v = _unit_interval(2, np.dtype(np.float64), generator).tolist()
    radius = math.sqrt(-2.0 * math.log1p(-v))
    angle = 2.0 * math.pi * u
    generator.waiting_normal = radius * math.sin(angle)
    return radius * math.cos(angle)


def _normal_blocks(count: int, dtype: np.dtype, generator: Generator) -> np.ndarray:
    """Normal numbers in blocks of 16, from uniform numbers that were all drawn beforehand."""
    rest = count % 16
    if dtype == np.float16:
        # Half numbers go block by block, and no word is drawn for an unfinished block.
        uniforms = np.zeros(count)
        uniforms[: count - rest] = _unit_interval(count - rest, dtype, generator)
    else:
        uniforms = _unit_interval(count, dtype, generator)
    numbers = np.empty(count)
    numbers[: count - rest] = _box_muller(uniforms[: count - rest], dtype)
    if rest:
        # The end is a block of its own, which overwrites part of the last full one.
        numbers[-16:] = _box_muller(_unit_interval(16, dtype, generator), dtype)
    return numbers


def _box_muller(uniforms: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Of each block of 16, the first eight give radii and the last eight angles."""
    u, v = np.moveaxis(uniforms.reshape(-1, 2, 8), 1, 0)
    if dtype == np.float64:
        # NumPy's own functions may differ from the C library's in the last bit.
        log, cos, sin = (_elementwise(f) for f in (math.log, math.cos, math.sin))
    else:
        u, v = u.astype(np.float32), v.astype(np.float32)
        log, cos, sin = np.log, np.cos, np.sin
    radius = np.sqrt(-2 * log(1 - u))
    angle = u.dtype.type(2 * math.pi) * v
    return np.stack([radius * cos(angle), radius * sin(angle)], axis=1).reshape(-1)


def _elementwise(function: Callable[[float], float]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: np.array([function(e) for e in x.flat]).reshape(x.shape)


def _require_float(dtype: np.dtype, kernel: str) -> None:
    if dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name_of(dtype)}'")


def _check_uniform_bounds(low: float, high: float, dtype: np.dtype) -> None:
    in_c, name = cpp_name(dtype), name_of(dtype)
    largest = float(np.finfo(dtype).max)
    for label, bound in (("from", low), ("to", high)):
        if not -largest <= bound <= largest:
            raise RuntimeError(f"{label} is out of bounds for {in_c}")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if high - low > largest:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{name}>::max(), but found "
            f"to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


def _check_randint_bounds(low: int, high: int, dtype: np.dtype) -> None:
    check_long(low, high)
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    smallest, largest = _range_of(dtype)
    for label, bound in (("from", low), ("to - 1", high - 1)):
        if not smallest <= bound <= largest:
            raise RuntimeError(f"{label} is out of bounds for {cpp_name(dtype)}")


def _safe_from_rounding(low: int, high: int, dtype: np.dtype) -> tuple[int, int]:
    """Bounds moved inwards where rounding to the dtype would carry a number past them."""
    digits = np.finfo(dtype).nmant + 1
    above_low, below_high = int(dtype.type(low + 1)), int(dtype.type(high - 1))
    if above_low < low:
        low = above_low + 2 ** (abs(low + 1).bit_length() - digits)
    if high <= below_high < 2**63:
        high = below_high - 2 ** (abs(high - 1).bit_length() - digits)
    return low, high


def _check_randperm(n: int, dtype: np.dtype) -> None:
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if dtype == np.bool_:
        raise NotImplementedError("\"randperm\" not implemented for 'Bool'")
    if dtype.kind == "f":
        bits = np.finfo(dtype).nmant + 1
        if n > 2**bits + 1:
            limit = "2049" if dtype == np.float16 else f"2^{bits}+1"
            name = name_of(dtype)
            raise RuntimeError(f"n cannot be greater than {limit} for {name} type.")
    elif n - 1 > np.iinfo(dtype).max:
        raise RuntimeError(f"value cannot be converted to type {dtype.name}_t without overflow")


def _range_of(dtype: np.dtype) -> tuple[float, float]:
    if dtype == np.bool_:
        return 0, 1
    if dtype.kind == "f":
        return float(np.finfo(dtype).min), float(np.finfo(dtype).max)
    return np.iinfo(dtype).min, np.iinfo(dtype).max
